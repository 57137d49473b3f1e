"""Markdown and its kin, also where a site offers a page as text."""

from __future__ import annotations

from idempact.prose.blocks import Outline, markdown

SUFFIXES = (".md", ".markdown", ".mdx", ".qmd", ".mdown", ".md.txt")


def outline(text: str, name: str) -> Outline:
    """See :func:`idempact.prose.blocks.markdown`."""
    return markdown(text)
