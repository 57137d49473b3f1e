"""``idempact explain``: one rule with its reason and its remedy."""

from __future__ import annotations

import argparse
import textwrap
from difflib import get_close_matches

from idempact.cli.rules import Listed, every_rule
from idempact.cli.terminal import DONE, Terminal

HELP = "say what a rule means, why it is there, and what to do instead"
EXAMPLE = "idempact explain prose/exactly-once"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("rule", metavar="RULE", help="a rule's id, as findings and `idempact rules` show it")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Print the rule; an unknown one is wrong use, with the nearest rules named."""
    known = {rule.id: rule for rule in every_rule()}
    if args.rule in known:
        terminal.out(_told(known[args.rule]))
        return DONE
    wanted = args.rule.lower().replace("_", "-")
    near = [*(name for name in known if name.endswith(f"/{wanted}")), *get_close_matches(wanted, known, 3)]
    hint = f"did you mean {' or '.join(dict.fromkeys(near))}?" if near else "`idempact rules` lists them all"
    return terminal.fail(f"there is no rule {args.rule!r}", hint)


def _told(rule: Listed) -> str:
    parts = [rule.id, rule.title, rule.body]
    if rule.fails:
        parts.append("Found:\n" + "\n".join(_case(text) for text in rule.fails))
    if rule.passes:
        parts.append("Not found:\n" + "\n".join(_case(text) for text in rule.passes))
    return "\n\n".join(_wrapped(part) for part in parts if part)


def _case(text: str) -> str:
    first, *rest = text.strip().split("\n")
    return "\n".join((f"  - {first}", *(f"    {line}".rstrip() for line in rest)))


def _wrapped(text: str) -> str:
    """Long lines broken for a terminal; lines that were set by hand stay as they are."""
    lines = (textwrap.fill(line, 100, break_long_words=False) if len(line) > 100 else line for line in text.split("\n"))
    return "\n".join(lines)
