"""What is wrong with material that the prose lint is measured by."""
