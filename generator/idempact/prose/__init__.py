"""Prose: documentation cut into scoped blocks, judged by the wording, and told with exact places."""
