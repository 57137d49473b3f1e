"""``idempact explain``: one rule with its reason and its remedy."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import asdict
from difflib import get_close_matches

from idempact.cli.rules import as_json
from idempact.cli.terminal import DONE, Terminal
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from idempact.manual.rules import Rule

HELP = "say what a rule means, why it is there, and what to do instead"
EXAMPLE = "idempact explain prose/exactly-once"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("rule", metavar="RULE", help="a rule's id, as findings and `idempact rules` show it")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Print the rule, as text or JSON; an unknown one is wrong use, with the nearest rules named."""
    from idempact.manual.rules import all_rules

    known = {rule.id: rule for rule in all_rules()}
    if terminal.format not in ("text", "json"):
        return terminal.fail(f"a rule has no {terminal.format} form, which is for findings", "take text or json")
    if args.rule in known:
        rule = known[args.rule]
        terminal.out(as_json(asdict(rule)) if terminal.format == "json" else _told(rule))
        return DONE
    wanted = args.rule.lower().replace("_", "-")
    near = [*(name for name in known if name.endswith(f"/{wanted}")), *get_close_matches(wanted, known, 3)]
    hint = f"did you mean {' or '.join(dict.fromkeys(near))}?" if near else "`idempact rules` lists them all"
    return terminal.fail(f"there is no rule {args.rule!r}", hint)


def _told(rule: Rule) -> str:
    weight = f"Severity: {rule.severity}" + (f", for an observer {rule.observer}" if rule.observer else "")
    parts = [rule.id, rule.title, weight, f"Why: {rule.why}", f"Instead: {rule.instead}"]
    if rule.source:
        parts.append(f"Source: {rule.source}")
    if rule.fails:
        parts.append("Found:\n" + "\n".join(_case(text) for text in rule.fails))
    if rule.passes:
        parts.append("Not found:\n" + "\n".join(_case(text) for text in rule.passes))
    return "\n\n".join(_wrapped(part) for part in parts)


def _case(text: str) -> str:
    first, *rest = text.strip().split("\n")
    return "\n".join((f"  - {first}", *(f"    {line}".rstrip() for line in rest)))


def _wrapped(text: str) -> str:
    """Long lines broken for a terminal; lines that were set by hand stay as they are."""
    lines = (textwrap.fill(line, 100, break_long_words=False) if len(line) > 100 else line for line in text.split("\n"))
    return "\n".join(lines)
