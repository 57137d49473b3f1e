"""Wording: what documentation must not promise, in which words, and when the same words are honest."""
