"""``idempact inject``: the contract into an OpenAPI file, without touching a byte of what is there."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from idempact.cli.terminal import DONE, FOUND, Terminal
from idempact.text.diagnostic import Checked, Diagnostic
from idempact.text.nodes import compose, decode
from idempact.text.span import Document

if TYPE_CHECKING:
    from idempact.openapi.inject import Injected
    from idempact.openapi.plan import Plan

HELP = "put the contract's keys, answers and facts into an OpenAPI file; only inserted bytes differ"
EXAMPLE = "idempact inject openapi.yaml --contract contract/contract.yaml"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("openapi", metavar="OPENAPI", help="the file, YAML or JSON; - reads standard input")
    parser.add_argument("--contract", metavar="FILE", default="contract/contract.yaml", help="%(default)s by default")
    writing_arguments(parser)
    parser.add_argument(
        "--validate",
        choices=("quick", "full", "off"),
        default="quick",
        help="check what was inserted (quick), or all with openapi-spec-validator (full)",
    )


def writing_arguments(parser: argparse.ArgumentParser) -> None:
    """What `inject` and `eject` have in common."""
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 with the difference if any")
    parser.add_argument("--diff", action="store_true", help="write nothing; show the difference")
    parser.add_argument("--output", metavar="FILE", help="write to this file instead; - writes to standard output")
    parser.add_argument("--force", action="store_true", help="replace what was inserted even where somebody edited it")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Inject, prove, validate, write."""
    from idempact.openapi.inject import inject

    documents: dict[str, str] = {}
    try:
        plan = _plan(args.contract, documents)
        if plan.value is None:
            return terminal.report(plan.diagnostics, documents)
        document = read_document(args.openapi)
    except OSError as error:
        return terminal.fail(f"{error.filename}: {error.strerror or error}", "check the path and its permissions")
    if document.value is None:
        return terminal.report(document.diagnostics, documents)
    documents[document.value.path] = document.value.text
    found = inject(document.value, plan.value, force=args.force)
    if found.value is not None and args.validate != "off":
        checked = _validated(document.value, found.value, args.validate)
        if checked is None:
            return terminal.fail(
                "--validate full needs openapi-spec-validator", "pip install 'idempact[validate]', or leave it at quick"
            )
        if checked:
            return terminal.report(checked, {document.value.path: found.value.after})
    command = f"idempact inject {args.openapi} --contract {args.contract}"
    return deliver(args, terminal, Checked(found.value, (*plan.diagnostics, *found.diagnostics)), documents, command)


def _plan(name: str, documents: dict[str, str]) -> Checked[Plan]:
    """The plan of the contract in the file *name*; none where that has errors. Its warnings are told by `check`."""
    from idempact.contract.check import checked
    from idempact.facts.derive import Facts
    from idempact.openapi.extension import plan_of
    from idempact.render.environment import template_roots
    from idempact.render.words import Words

    document = decode(name, Path(name).read_bytes())
    if document.value is None:
        return Checked(None, document.diagnostics)
    documents[name] = document.value.text
    tree = compose(document.value)
    if tree.value is None:
        return Checked(None, tree.diagnostics)
    contract = checked(tree.value, datetime.now(UTC).date())
    if contract.value is None or contract.broken:
        return Checked(None, contract.diagnostics)
    words = Words.load("en", template_roots())
    return Checked(plan_of(Facts.of(contract.value.contract), contract.value.source, words))


def read_document(name: str) -> Checked[Document]:
    """The file of that name, or standard input. Raises OSError where it can't be read."""
    return decode("<stdin>", sys.stdin.buffer.read()) if name == "-" else decode(name, Path(name).read_bytes())


def _validated(before: Document, result: Injected, how: str) -> tuple[Diagnostic, ...] | None:
    from idempact.openapi.validate import ValidatorMissing, full, quick

    after = Document(before.path, result.after)
    if how == "quick":
        return quick(after, result.owned)
    try:
        return full(before, after)
    except ValidatorMissing:
        return None


def deliver(
    args: argparse.Namespace, terminal: Terminal, found: Checked[Injected], documents: dict[str, str], command: str
) -> int:
    """Report the findings, and write the result or show its difference, as the arguments want it."""
    result = found.value
    to_stdout = (args.output or args.openapi) == "-" and not (args.check or args.diff)
    code = terminal.report(found.diagnostics, documents, aside=to_stdout)
    if result is None:
        return code
    changed = result.after != result.before
    if args.check or args.diff:
        terminal.out("".join(difference(args.openapi, result)))
        if args.check and changed:
            terminal.say(f"{args.openapi} is not up to date; run: {command}")
            return FOUND
        return code
    if to_stdout:
        terminal.stdout.write(result.after)
        return code
    return max(code, _write(args, terminal, result, changed))


def _write(args: argparse.Namespace, terminal: Terminal, result: Injected, changed: bool) -> int:
    from idempact.render.replace import replace_file

    target = args.output or args.openapi
    if changed or args.output:
        try:
            replace_file(Path(target), result.after.encode("utf-8"))
        except OSError as error:
            return terminal.fail(f"{target}: {error.strerror or error}", "check the path and its permissions")
    what = [f"{len(result.owned)} nodes in it are ours" if result.owned else "nothing in it is ours"]
    what += [f"{count} {safety}" for safety, count in result.counts]
    terminal.say(f"{target}: {'written' if changed or args.output else 'unchanged'}; {', '.join(what)}")
    return DONE


def difference(name: str, result: Injected) -> Iterator[str]:
    """The unified difference, with the usual remark where a last line has no line break."""
    before, after = (text.splitlines(keepends=True) for text in (result.before, result.after))
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
