"""Markdown and its kin."""

from __future__ import annotations

from idempact.prose.blocks import Outline, markdown

SUFFIXES = (".md", ".markdown", ".mdx", ".qmd", ".mdown")


def outline(text: str, name: str) -> Outline:
    """See :func:`idempact.prose.blocks.markdown`."""
    return markdown(text)
