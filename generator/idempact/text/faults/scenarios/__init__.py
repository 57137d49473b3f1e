"""What is wrong with scenarios of a server."""
