"""Scenarios: the rules of a key's life as steps that any server can be put through, and the judge of its answers."""
