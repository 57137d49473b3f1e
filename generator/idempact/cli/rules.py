"""``idempact rules``: every rule of every family."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from idempact.cli.terminal import DONE, Terminal

HELP = "list everything that check, lint, inject and build can find"
EXAMPLE = "idempact rules"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Print one line per rule, its id and what it says; with ``--format json`` all of it as one list."""
    from idempact.manual.rules import all_rules

    listed = all_rules()
    if terminal.format == "json":
        terminal.out(as_json([asdict(rule) for rule in listed]))
        return DONE
    if terminal.format != "text":
        return terminal.fail(f"rules have no {terminal.format} form, which is for findings", "take text or json")
    width = max(len(rule.id) for rule in listed)
    for rule in listed:
        terminal.out(f"{rule.id:{width}}  {rule.title}")
    return DONE


def as_json(value: object) -> str:
    """JSON for people and machines: two spaces, letters of every script as they are."""
    return json.dumps(value, indent=2, ensure_ascii=False)
