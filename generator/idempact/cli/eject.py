"""``idempact eject``: takes out what `inject` put into an OpenAPI file, which gives the old bytes back."""

from __future__ import annotations

import argparse

from idempact.cli.delivery import deliver
from idempact.cli.inject import opener_of, without_collection, writing_arguments
from idempact.cli.terminal import Terminal, read_document
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Severity

HELP = "take everything that inject put into an OpenAPI file out again, byte for byte"
EXAMPLE = "idempact eject openapi.yaml"


# What tells that something of ours would be left, and what can be done about it.
_LEFT = {
    "openapi/edited-node": "undo the edit, or take it out as well with --force; nothing was written",
    "openapi/lost-original": "refer to what should stand there by hand, or leave it with --force; nothing was written",
    "openapi/shared-line": "move it to a line of its own, or leave it there with --force; nothing was written",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("openapi", metavar="OPENAPI", help="the file, YAML or JSON; - reads standard input")
    writing_arguments(parser)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Eject, prove, write."""
    from idempact.openapi.inject import eject

    document = read_document(args.openapi)
    if document.value is None:
        return terminal.report(document.diagnostics, {})
    documents = {document.value.path: document.value.text}
    with without_collection():
        found = eject(document.value, force=args.force, opener=opener_of(args.openapi, documents))
    left = [d for d in found.diagnostics if d.rule in _LEFT]
    if left and not args.force:
        # Taking out the rest would take our record out, too, and then nobody knows any more what is ours.
        stopped = [replace(d, severity=Severity.ERROR, hint=_LEFT[d.rule]) for d in left]
        return terminal.report((*(d for d in found.diagnostics if d not in left), *stopped), documents)
    return deliver(args, terminal, found, documents)
