"""What stops or narrows a build."""
