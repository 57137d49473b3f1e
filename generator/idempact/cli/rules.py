"""``idempact rules``: every rule of every family."""

from __future__ import annotations

import argparse
from dataclasses import dataclass

from idempact.cli.terminal import DONE, Terminal

HELP = "list every rule that check and lint know"
EXAMPLE = "idempact rules"


@dataclass(frozen=True, slots=True)
class Listed:
    """A rule of any family as people read it: its first sentence, the rest of its text, and cases where it has some."""

    id: str
    title: str
    body: str
    passes: tuple[str, ...] = ()
    fails: tuple[str, ...] = ()


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Print one line per rule: its id, and what it says."""
    listed = every_rule()
    width = max(len(rule.id) for rule in listed)
    for rule in listed:
        terminal.out(f"{rule.id:{width}}  {rule.title}")
    return DONE


def every_rule() -> tuple[Listed, ...]:
    """Every rule of every family, sorted by id."""
    return tuple(sorted((*_prose(), *_contract(), *_openapi()), key=lambda rule: rule.id))


def _prose() -> tuple[Listed, ...]:
    from idempact.prose.catalog import all_rules

    return tuple(
        Listed(rule.id, rule.what, f"Why: {rule.why}\n\nInstead: {rule.instead}", rule.passes, rule.fails)
        for rule in all_rules()
    )


def _contract() -> tuple[Listed, ...]:
    from idempact.contract.rules import all_rules

    return tuple(_listed(rule.id, rule.text) for rule in all_rules())


def _openapi() -> tuple[Listed, ...]:
    from idempact.openapi.rules import all_rules

    return tuple(_listed(rule.id, rule.text) for rule in all_rules())


def _listed(rule: str, text: str) -> Listed:
    """A rule told by its module's docstring: what stands before the first blank line is its title."""
    title, _, body = text.strip().partition("\n\n")
    return Listed(rule, " ".join(title.split()), _paragraphs(body))


def _paragraphs(text: str) -> str:
    """The text with each paragraph on one line, to be wrapped for the terminal."""
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in text.split("\n\n"))
