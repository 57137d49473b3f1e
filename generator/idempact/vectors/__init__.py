"""Vectors: scripts of a server that misbehaves, the server, and the judge of what a client then did."""
