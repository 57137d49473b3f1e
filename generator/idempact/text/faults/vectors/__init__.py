"""What is wrong with retry vectors."""
