"""Templates into text: the environment, escapers, words, and the one writer of trees."""
