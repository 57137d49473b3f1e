"""``idempact audit``: the operations of an OpenAPI file against the contract."""

from __future__ import annotations

import argparse

from idempact.cli.inject import (
    contract_argument,
    contract_of,
    one_input,
    opener_of,
    without_collection,
    words_of,
)
from idempact.cli.terminal import Terminal, read_document
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from idempact.openapi.audit import Audit

HELP = "list every state-changing operation of an OpenAPI file, and where the file contradicts the contract"
EXAMPLE = "idempact audit openapi.yaml --contract contract/contract.yaml"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("openapi", metavar="OPENAPI", help="the file, YAML or JSON; - reads standard input")
    contract_argument(parser)
    parser.add_argument("--no-table", action="store_true", help="print the findings only")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Print the inventory as a table, then the findings; in other formats the findings alone."""
    from idempact.facts.derive import Facts
    from idempact.openapi.audit import audit
    from idempact.openapi.extension import plan_of
    from idempact.openapi.referred import parts
    from idempact.prose.lint import lint

    documents: dict[str, str] = {}
    contract = contract_of(one_input(args), documents)
    if contract.value is None:
        return terminal.report(contract.diagnostics, documents)
    document = read_document(args.openapi)
    if document.value is None:
        return terminal.report(document.diagnostics, documents)
    documents[document.value.path] = document.value.text
    facts = Facts.of(contract.value.contract)
    plan = plan_of(facts, contract.value.source, words_of(contract.value))
    opener = None if args.no_follow else opener_of(args.openapi, documents)
    with without_collection():
        found = audit(document.value, plan, opener)
    if found.value is None:
        return terminal.report(found.diagnostics, documents)
    if args.format == "text" and not args.no_table:
        terminal.out(table(found.value))
    said = [*lint(document.value, facts=facts)]
    for part in parts(document.value, opener) if opener is not None else ():
        said += lint(part, facts=facts, part=True)
    return terminal.report((*found.diagnostics, *said), documents)


def table(found: Audit) -> str:
    """The inventory, one line for each operation, and the counts."""
    from idempact.openapi.audit import UNLISTED

    rows = [("operation", "contract", "key", "answers", "place")]
    for row in found.rows:
        key = {None: "", True: "declared", False: "missing"}[row.declared]
        answers = f"{row.told} of {row.answers}" if row.answers else ""
        rows.append((row.label, row.safety, key, answers, f"{row.path}:{row.line}"))
    widths = [max(len(row[index]) for row in rows) for index in range(5)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    kinds = sorted({row.safety for row in found.rows} | {UNLISTED})
    counts = ", ".join(f"{found.count(kind)} {kind}" for kind in kinds)
    return "\n".join((*lines, "", f"{len(found.rows)} operations that may change something: {counts}"))
