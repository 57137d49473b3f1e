"""``idempact overlay``: the contract's additions as an OpenAPI Overlay, for tools that apply one."""

from __future__ import annotations

import argparse
import os
import shlex
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from idempact.cli.delivery import again
from idempact.cli.inject import contract_argument, one_input, opener_of, planned, without_collection
from idempact.cli.terminal import DONE, FOUND, STDIN, Terminal, apart, read_input
from idempact.text.nodes import compose, decode, plain

HELP = "print an OpenAPI Overlay 1.1 document with what inject would add to this very file"
EXAMPLE = "idempact overlay openapi.yaml --out idempotency.overlay.yaml"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    from idempact.openapi.vendors import NAMES

    parser.add_argument("openapi", metavar="OPENAPI", help="the file, YAML or JSON; - reads standard input")
    contract_argument(parser)
    parser.add_argument("--copy-shared", action="store_true", help="copy shared responses and schemas that must change")
    parser.add_argument("--adopt", action="store_true", help="bring declarations that are there into line")
    parser.add_argument("--with", dest="extras", metavar="NAMES", default="", help=f"as for inject: {', '.join(NAMES)}")
    parser.add_argument("--out", metavar="FILE", help="write a file instead of standard output")
    parser.add_argument(
        "--check", metavar="OVERLAY", help="write nothing; exit 1 unless OVERLAY was made for these very bytes, as now"
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Compute the overlay and print, write or compare it."""
    from idempact.openapi.overlay import overlay
    from idempact.openapi.plan import Wishes
    from idempact.openapi.vendors import NAMES
    from idempact.text.emit import emit

    extras = tuple(name.strip() for name in args.extras.split(",") if name.strip())
    if unknown := [name for name in extras if name not in NAMES]:
        return terminal.fail(f"--with knows no {unknown[0]!r}", f"it is one of {', '.join(NAMES)}")
    documents: dict[str, str] = {}
    contract = one_input(args)
    apart(args.out, contract, args.openapi)
    try:
        plan = planned(contract, documents, extras)
        if plan.value is None:
            return terminal.report(plan.diagnostics, documents)
        shown, data = read_input(args.openapi)
        document = decode(shown, data)
        if document.value is None:
            return terminal.report(document.diagnostics, documents)
        documents[document.value.path] = document.value.text
        opener = None if args.no_follow else opener_of(args.openapi, documents)
        with without_collection():
            found = overlay(document.value, data, plan.value, Wishes(args.copy_shared, args.adopt), opener)
        code = terminal.report(found.diagnostics, documents, aside=True)
        if found.value is None:
            return code
        value = {key: item for key, item in found.value.value.items() if (key, shown) != ("extends", STDIN)}
        beside = args.check or args.out
        led = {**value, "extends": _led_to(args.openapi, beside)} if beside and shown != STDIN else value
        if args.check:
            # One that was printed, or that a site offers, names the API as if it lay beside it.
            return max(code, _compared(args, terminal, data, (emit(led), emit(value))))
        return max(code, _delivered(args, terminal, emit(led)))
    except OSError as error:
        return terminal.fail(f"{error.filename}: {error.strerror or error}", "check the path and its permissions")


def _led_to(openapi: str, overlay: str) -> str:
    """The API's place as a reference from the overlay's folder, which `extends` is read from (Overlay 1.1, 4.4.1)."""
    way = Path(openapi).resolve()
    with suppress(ValueError):
        return quote(os.path.relpath(way, Path(overlay).resolve().parent).replace(os.sep, "/"))
    return way.as_uri()


def _delivered(args: argparse.Namespace, terminal: Terminal, text: str) -> int:
    from idempact.render.replace import replace_file

    if not args.out:
        terminal.out(text)
        return DONE
    replace_file(Path(args.out), text.encode())
    terminal.say(f"{args.out}: written, for {args.openapi} as it is now")
    return DONE


def _compared(args: argparse.Namespace, terminal: Terminal, data: bytes, texts: tuple[str, ...]) -> int:
    """Whether the overlay at --check was made for this input, and still says what the contract says."""
    from idempact.openapi.overlay import stamp, stamped

    given = decode(args.check, Path(args.check).read_bytes())
    tree = compose(given.value) if given.value is not None else None
    if tree is None or tree.value is None:
        return terminal.report((*given.diagnostics, *(tree.diagnostics if tree else ())), {})
    if stamped(plain(tree.value.root)) != stamp(data):
        terminal.say(f"{args.check} was made for another input than {args.openapi} as it is; don't apply it")
        return FOUND
    if given.value is not None and given.value.text not in texts:
        terminal.say(f"{args.check} is not current; run: {again(args)} --out {shlex.quote(args.check)}")
        return FOUND
    return DONE
