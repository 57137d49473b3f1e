"""``idempact check``: everything that is wrong with a contract, at once; or the contract with every default."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime

from idempact.cli.terminal import Terminal, read_input
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import compose, decode

HELP = "find everything that is wrong with a contract, or print it with every default filled in"
EXAMPLE = "idempact check contract/contract.yaml --resolved"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument(
        "contracts",
        nargs="*",
        metavar="CONTRACT",
        default=["contract/contract.yaml"],
        help="contract files; - reads standard input (default: contract/contract.yaml)",
    )
    parser.add_argument(
        "--resolved", action="store_true", help="print the contract with every default, marked where it is one"
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Check each contract and tell all findings together."""
    from idempact.contract.check import checked

    if args.resolved and len(args.contracts) > 1:
        return terminal.fail("--resolved prints one contract", "name one file")
    today = datetime.now(UTC).date()
    found: list[Diagnostic] = []
    documents: dict[str, str] = {}
    remarks: list[str] = []
    for name in args.contracts:
        shown, data = read_input(name)
        documents[shown] = data.decode("utf-8", "replace")
        document = decode(shown, data)
        tree = compose(document.value) if document.value is not None else None
        contract = checked(tree.value, today) if tree is not None and tree.value is not None else None
        own = [d for step in (document, tree, contract) if step is not None for d in step.diagnostics]
        found += own
        if args.resolved and contract is not None and contract.value is not None and not contract.broken:
            from idempact.contract.write import write

            terminal.out(write(contract.value.contract, contract.value.source))
        if not any(d.severity is Severity.ERROR for d in own):
            remarks.append(f"{shown}: no errors{_warnings(own)}")
    code = terminal.report(found, documents, aside=args.resolved)
    for remark in remarks:
        terminal.say(remark)
    return code


def _warnings(found: list[Diagnostic]) -> str:
    count = sum(d.severity is Severity.WARNING for d in found)
    return f", {count} warning{'s' if count != 1 else ''}" if count else ""
