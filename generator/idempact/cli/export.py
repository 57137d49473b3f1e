"""``idempact export``: the language, a contract or shipped data in another tool's format."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Mapping
from pathlib import Path

from idempact.cli.terminal import DONE, FOUND, Terminal, apart

HELP = "print the language or a contract in another tool's format"
EXAMPLE = "idempact export contract-schema --out contract/contract.schema.json"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    from idempact.exports import targets

    known = targets()
    told = "; ".join(f"{name}: {target.summary}" for name, target in known.items())
    parser.add_argument("target", choices=tuple(known), metavar="FORMAT", help=told)
    parser.add_argument("contract", nargs="?", default="contract/contract.yaml", metavar="CONTRACT")
    parser.add_argument("--out", metavar="FILE", help="write a file, or a folder of files, instead of standard output")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if what is at --out would change")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Print the format, or write it; of a contract with errors, print those."""
    from idempact.exports import OfFolder, OfLanguage, targets

    if args.check and not args.out:
        return terminal.fail("--check wants a file to compare with", "name it with --out FILE")
    target = targets()[args.target]
    if isinstance(target, OfFolder):
        return _deliver_folder(target.render(), args, terminal)
    if isinstance(target, OfLanguage):
        return _deliver(target.render(), args, terminal)
    from idempact.contract.check import checked
    from idempact.text.nodes import load

    apart(args.out, args.contract)
    tree = load(Path(args.contract))
    if tree.value is None:
        return terminal.report(tree.diagnostics, {}, aside=True)
    contract = checked(tree.value)
    code = terminal.report(contract.diagnostics, {args.contract: tree.value.document.text}, aside=True)
    if contract.value is None or contract.broken:
        return code
    for remark in target.remarks(contract.value.contract):
        terminal.say(f"warning: {remark}")
    return _deliver(target.render(contract.value.contract), args, terminal) or code


def _deliver_folder(files: Mapping[str, str], args: argparse.Namespace, terminal: Terminal) -> int:
    """Print the files one after another, or write them into the folder; what else lies there stays."""
    from idempact.render.replace import replace_file

    if not args.out:
        terminal.out("".join(f"---\n# {name}\n{text}" for name, text in files.items()))
        return DONE
    folder = Path(args.out)
    try:
        held = {name: folder / name for name in files if (folder / name).is_file()}
        behind = [n for n, text in files.items() if n not in held or held[n].read_bytes() != text.encode()]
        if args.check and behind:
            return _behind(args, terminal)
        for name in behind:
            replace_file(folder / name, files[name].encode())
    except OSError as error:
        return terminal.fail(
            f"{args.out}: {error.strerror or error}", "check the path and its permissions, then run again"
        )
    if not args.check:
        terminal.say(f"{args.out}: {len(behind)} of {len(files)} files written" if behind else f"{args.out}: unchanged")
    return DONE


def _deliver(text: str, args: argparse.Namespace, terminal: Terminal) -> int:
    from idempact.render.replace import replace_file

    if not args.out:
        terminal.out(text)
        return DONE
    path = Path(args.out)
    try:
        current = path.is_file() and path.read_bytes() == text.encode()
        if args.check:
            return DONE if current else _behind(args, terminal)
        if not current:
            replace_file(path, text.encode())
    except OSError as error:
        return terminal.fail(
            f"{args.out}: {error.strerror or error}", "check the path and its permissions, then run again"
        )
    terminal.say(f"{args.out}: {'unchanged' if current else 'written'}")
    return DONE


def _behind(args: argparse.Namespace, terminal: Terminal) -> int:
    """Tell that what is at --out is not current, with the command that writes it."""
    from idempact.exports import OfFolder, OfLanguage, targets

    whole = isinstance(targets()[args.target], OfFolder | OfLanguage)
    words = ["idempact", "export", args.target, *([] if whole else [args.contract]), "--out", args.out]
    terminal.say(f"{args.out} is not current; to write it: {shlex.join(words)}")
    return FOUND
