"""``idempact lint``: the prose of documentation and OpenAPI files, judged."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from idempact.cli.terminal import DONE, Terminal
from idempact.text.diagnostic import Checked, Diagnostic
from idempact.text.nodes import decode, unreadable
from idempact.text.span import Document

HELP = "find promises that no API can keep, in Markdown and in OpenAPI descriptions"
EXAMPLE = "idempact lint README.md docs openapi.yaml"

_SUFFIXES = frozenset({".md", ".markdown", ".mdx", ".txt", ".yaml", ".yml", ".json"})
_SKIPPED = frozenset({"build", "dist", "node_modules", "site-packages", "venv", "__pycache__"})


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files or folders; - reads standard input")
    parser.add_argument(
        "--evaluate",
        metavar="FILE.tsv",
        help="judge the sentences of a file (verdict flag or ok, language, sentence) and print precision and recall",
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Lint every file named or found; a named file that can't be read is a finding."""
    if args.evaluate:
        return _evaluate(Path(args.evaluate), terminal)
    if not args.paths:
        return terminal.fail("lint wants at least one file or folder", f"for example: {EXAMPLE}")
    from idempact.prose.lint import lint

    diagnostics: list[Diagnostic] = []
    documents: dict[str, str] = {}
    for name, data in _contents(args.paths):
        if isinstance(data, OSError):
            diagnostics.append(unreadable(name, data))
            continue
        decoded = _decoded(name, data)
        diagnostics += decoded.diagnostics
        if decoded.value is not None:
            found = lint(decoded.value)
            diagnostics += found
            if found:
                documents[name] = decoded.value.text
    return terminal.report(diagnostics, documents)


def _decoded(name: str, data: bytes) -> Checked[Document]:
    """The file's text; a control character, which YAML and JSON forbid, is no fault in any other file."""
    decoded = decode(name, data)
    if decoded.value is None and not name.lower().endswith((".yaml", ".yml", ".json")):
        try:
            return Checked(Document(name, data.decode("utf-8")))
        except UnicodeDecodeError:
            pass
    return decoded


def _contents(paths: list[str]) -> Iterator[tuple[str, bytes | OSError]]:
    """Each file's shown name and bytes, once; folders are walked in order."""
    seen: set[str] = set()
    for path in paths:
        if path == "-":
            yield "-", sys.stdin.buffer.read()
            continue
        for file in _walk(Path(path)) if os.path.isdir(path) else (Path(path),):
            name = file.as_posix()
            if name not in seen:
                seen.add(name)
                try:
                    yield name, file.read_bytes()
                except OSError as error:
                    yield name, error


def _walk(folder: Path) -> Iterator[Path]:
    """The files below *folder* that could hold prose, without hidden and built folders and what git ignores."""
    found: list[Path] = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        found += (Path(parent, name) for name in sorted(files) if Path(name).suffix.lower() in _SUFFIXES)
    ignored = _ignored(folder, found)
    yield from (path for path in found if path.as_posix() not in ignored)


def _ignored(folder: Path, files: list[Path]) -> frozenset[str]:
    """Which of the files git ignores; none where git or a repository isn't there."""
    names = {str(path.relative_to(folder)): path.as_posix() for path in files}
    command = ["git", "-C", str(folder), "check-ignore", "--stdin", "-z"]
    try:
        asked = subprocess.run(command, input="\0".join(names).encode(errors="surrogateescape"), capture_output=True)
    except OSError:
        return frozenset()
    told = asked.stdout.decode(errors="surrogateescape").split("\0")
    return frozenset(names[name] for name in told if name in names)


def _evaluate(path: Path, terminal: Terminal) -> int:
    from idempact.prose.evaluate import evaluate

    try:
        data = path.read_bytes()
    except OSError as error:
        return terminal.report((unreadable(str(path), error),), {})
    decoded = decode(str(path), data)
    if decoded.value is None:
        return terminal.report(decoded.diagnostics, {})
    evaluation = evaluate(decoded.value)
    if evaluation.diagnostics or evaluation.value is None:
        return terminal.report(evaluation.diagnostics, {str(path): decoded.value.text})
    terminal.out(f"{'language':10}{'sentences':>10}{'precision':>11}{'recall':>9}{'missed':>8}{'wrongly found':>15}")
    for tally in evaluation.value.tallies:
        row = f"{tally.language:10}{tally.sentences:>10}{_share(tally.precision):>11}{_share(tally.recall):>9}"
        terminal.out(f"{row}{tally.missed:>8}{tally.wrong:>15}")
    for miss in evaluation.value.misjudged:
        terminal.say(f"line {miss.line}: {miss.language}, wanted {miss.wanted}: {miss.sentence}")
    return DONE


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
