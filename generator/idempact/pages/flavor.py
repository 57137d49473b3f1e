"""The forms in which the pages are made."""

from __future__ import annotations

from enum import StrEnum


class Flavor(StrEnum):
    """``material``: for MkDocs with Material. ``gfm``: plain Markdown, for GitHub and, as MDX, for Docusaurus."""

    MATERIAL = "material"
    GFM = "gfm"
