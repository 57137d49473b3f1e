"""The vectors: scripts of a server that misbehaves, and what a retry loop must do, for loops that people wrote."""

from __future__ import annotations

from idempact.exports import OfLanguage
from idempact.resources import shipped


def render() -> str:
    """The shipped vectors, as they are."""
    return (shipped("contract") / "vectors" / "vectors.json").read_text(encoding="utf-8")


TARGET = OfLanguage("vectors", "the fault scripts that retry loops are tested with, as JSON", render)
