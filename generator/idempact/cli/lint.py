"""``idempact lint``: the prose and the code of documentation, judged, and compared with the contract."""

from __future__ import annotations

import argparse
import codecs
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from idempact import load
from idempact.cli.terminal import DONE, Terminal, read_input
from idempact.prose.finding import Finding
from idempact.prose.fix import fixed
from idempact.prose.kinds import kinds
from idempact.prose.lint import findings, lint
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.diagnostic import Checked, Diagnostic
from idempact.text.nodes import decode, unreadable
from idempact.text.span import Document

if TYPE_CHECKING:
    from idempact.facts.derive import Facts

HELP = "find promises that no API can keep, advice that harms, and prose that drifted from the contract"
EXAMPLE = "idempact lint README.md docs openapi.yaml --contract contract/contract.yaml"

_TREES = (".yaml", ".yml", ".json")
_SKIPPED = frozenset({"build", "dist", "node_modules", "site-packages", "venv", "__pycache__"})


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders; - reads standard input")
    parser.add_argument("--contract", metavar="FILE", help="compare durations, lengths, header, statuses and codes")
    parser.add_argument("--fix", action="store_true", help="write names as the contract has them, where that is safe")
    parser.add_argument("--sources", action="store_true", help="search folders for source code, too")
    parser.add_argument("--templates", action="store_true", help="search folders for templates, too")
    parser.add_argument(
        "--stdin-name",
        metavar="NAME",
        default="-",
        help="what standard input is called: its suffix tells how to read it (default: as OpenAPI or Markdown)",
    )
    parser.add_argument(
        "--evaluate",
        metavar="FILE.tsv",
        help="judge the sentences of a file (verdict flag or ok, language, sentence) and print precision and recall",
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Lint every file named or found; a named one that isn't there is wrong use, one that can't be read a finding."""
    if args.evaluate:
        return _evaluate(Path(args.evaluate), terminal)
    if not args.paths:
        return terminal.fail("lint wants at least one file or folder", f"for example: {EXAMPLE}")
    if args.fix and "-" in args.paths:
        return terminal.fail("standard input can't be mended in place", "name files or folders beside --fix")
    if args.fix and not args.contract:
        return terminal.fail("--fix writes names as a contract has them, and there is none", "add --contract FILE")
    missing = [path for path in args.paths if path != "-" and not os.path.lexists(path)]
    if missing:
        return terminal.fail(f"there is no {' and no '.join(missing)}", "name files or folders that are there")
    diagnostics: list[Diagnostic] = []
    documents: dict[str, str] = {}
    facts = None
    if args.contract:
        facts = _facts(args.contract, documents, diagnostics)
        if facts is None:
            return terminal.report(diagnostics, documents)
    for name, data, linked in _contents(args.paths, _suffixes(args), args.stdin_name):
        if isinstance(data, OSError):
            diagnostics.append(unreadable(name, data))
            continue
        decoded = _decoded(name, data)
        diagnostics += decoded.diagnostics
        if decoded.value is not None:
            mends = args.fix and not linked
            document = _fixed(decoded.value, data, facts, terminal) if mends else decoded.value
            found = lint(document, facts=facts)
            diagnostics += found
            if found:
                documents[name] = document.text
    return terminal.report(diagnostics, documents)


def _facts(name: str, documents: dict[str, str], diagnostics: list[Diagnostic]) -> Facts | None:
    """The facts of the contract in the file *name*; none, with the reasons, where it can't be used."""
    from idempact.facts.derive import Facts

    contract = load(Path(name))
    if contract.value is None or contract.broken:
        diagnostics += contract.diagnostics
        with suppress(OSError):
            documents[name] = Path(name).read_text(encoding="utf-8", errors="replace")
        return None
    return Facts.of(contract.value.contract)


def _fixed(document: Document, data: bytes, facts: Facts | None, terminal: Terminal) -> Document:
    """The document with its safe replacements made and written; only the bytes that were replaced differ."""
    found = [f for f in findings(document, facts=facts) if isinstance(f, Finding)]
    text, count = fixed(document.text, found)
    mark, old = data[: len(data) - len(document.text.encode())], document.text.encode()
    if not count or mark + old != data or mark not in (b"", codecs.BOM_UTF8):
        return document
    Path(document.path).write_bytes(mark + text.encode())
    terminal.say(f"{document.path}: {count} replaced")
    return Document(document.path, text)


def _suffixes(args: argparse.Namespace) -> tuple[str, ...]:
    """The suffixes of the files that folders are searched for."""
    asked = {"", *(name for name in ("sources", "templates") if getattr(args, name))}
    return (*_TREES, *(suffix for kind in kinds() if kind.option in asked for suffix in kind.suffixes))


def _decoded(name: str, data: bytes) -> Checked[Document]:
    """The file's text; a control character, which YAML and JSON forbid, is no fault in any other file."""
    decoded = decode(name, data)
    if decoded.value is None and not name.lower().endswith(_TREES):
        try:
            return Checked(Document(name, data.decode("utf-8")))
        except UnicodeDecodeError:
            pass
    return decoded


def _contents(paths: list[str], suffixes: tuple[str, ...], stdin: str) -> Iterator[tuple[str, bytes | OSError, bool]]:
    """Each file's shown name and bytes, once, and whether a folder only has a link to it, so that it isn't written.

    Folders are walked in order, and one that can't be read is told.
    """
    seen: set[str] = set()
    for path in paths:
        if path == "-":
            yield stdin, sys.stdin.buffer.read(), False
            continue
        closed: list[OSError] = []
        searched = os.path.isdir(path)
        for file in _walk(Path(path), suffixes, closed) if searched else (Path(path),):
            name = file.as_posix()
            if name not in seen:
                seen.add(name)
                linked = searched and file.is_symlink()
                try:
                    yield name, file.read_bytes(), linked
                except OSError as error:
                    yield name, error, linked
        yield from ((Path(str(error.filename)).as_posix(), error, False) for error in closed)


def _walk(folder: Path, suffixes: tuple[str, ...], closed: list[OSError]) -> Iterator[Path]:
    """The files below *folder* that could hold prose, without hidden and built folders and what git ignores.

    Pipes and devices are passed over: to read one could wait for ever. So are links to files that are found
    themselves. Folders that can't be read go into *closed*.
    """
    found: list[Path] = []
    for parent, folders, files in os.walk(folder, onerror=closed.append):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        named = (Path(parent, name) for name in sorted(files) if name.lower().endswith(suffixes))
        found += (path for path in named if path.is_file() or not path.exists())
    ignored = _ignored(folder, found)
    kept = [path for path in found if path.as_posix() not in ignored]
    links = {path for path in kept if path.is_symlink()}
    own = {os.path.realpath(path) for path in kept if path not in links} if links else frozenset()
    yield from (path for path in kept if path not in links or os.path.realpath(path) not in own)


def _ignored(folder: Path, files: list[Path]) -> frozenset[str]:
    """Which of the files git ignores; none where git or a repository isn't there, or *folder* itself is ignored.

    Who names an ignored folder wants it read.
    """
    names = {".": "", **{str(path.relative_to(folder)): path.as_posix() for path in files}}
    command = ["git", "-C", str(folder), "check-ignore", "--stdin", "-z"]
    try:
        asked = subprocess.run(command, input="\0".join(names).encode(errors="surrogateescape"), capture_output=True)
    except OSError:
        return frozenset()
    told = asked.stdout.decode(errors="surrogateescape").split("\0")
    if "." in told:
        return frozenset()
    return frozenset(names[name] for name in told if name in names)


def _evaluate(path: Path, terminal: Terminal) -> int:
    from idempact.prose.evaluate import evaluate

    name, data = read_input(str(path))
    decoded = decode(name, data)
    if decoded.value is None:
        return terminal.report(decoded.diagnostics, {})
    evaluation = evaluate(decoded.value)
    if evaluation.diagnostics or evaluation.value is None:
        return terminal.report(evaluation.diagnostics, {str(path): decoded.value.text})
    heads = f"{'precision':>11}{'(95 % interval)':>17}{'recall':>9}{'(95 % interval)':>17}"
    terminal.out(f"{'language':10}{'sentences':>10}{heads}{'missed':>8}{'wrongly found':>15}")
    for tally in (*evaluation.value.tallies, evaluation.value.total):
        row = f"{tally.language:10}{tally.sentences:>10}"
        row += f"{_share(tally.precision):>11}{_interval(tally.precision_interval):>17}"
        row += f"{_share(tally.recall):>9}{_interval(tally.recall_interval):>17}"
        terminal.out(f"{row}{tally.missed:>8}{tally.wrong:>15}")
    for miss in evaluation.value.misjudged:
        terminal.say(f"line {miss.line}: {miss.language}, wanted {miss.wanted}: {miss.sentence}")
    return DONE


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _interval(bounds: tuple[float, float] | None) -> str:
    return "" if bounds is None else f"({bounds[0]:.3f}-{bounds[1]:.3f})"
