"""What is wrong with a language of the retry loops."""
