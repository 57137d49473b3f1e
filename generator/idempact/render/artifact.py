"""One file to be written: its path below the output folder, and its text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Artifact:
    """A file that a target makes; ``path`` is relative, with forward slashes."""

    path: str
    text: str
