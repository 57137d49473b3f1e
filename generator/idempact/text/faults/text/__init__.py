"""What makes a file unreadable."""
