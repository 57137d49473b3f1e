"""``idempact vectors``: a client of any language against a server that misbehaves by script.

``run`` plays the vectors to a client; ``contracts`` writes the scaled contracts that the client goes by.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from idempact.cli.terminal import DONE, FOUND, Terminal, WrongUse
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from idempact.contract.model.contract import Settings
    from idempact.text.nodes import Plain
    from idempact.vectors.model import Vector, Wire
    from idempact.vectors.run import Result

HELP = "run the vectors against any client command: what it does when answers are late, lost or refused"
EXAMPLE = "idempact vectors run --command './my-client --profile {profile}'"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument(
        "action",
        choices=("run", "contracts"),
        help="run: play each vector to the client, and judge what it did; "
        "contracts: write the scaled contracts that its profiles name",
    )
    parser.add_argument(
        "--command",
        dest="client",
        metavar="CMD",
        help="makes one call, as VECTOR_URL, VECTOR_BODY, VECTOR_KEY and VECTOR_PROFILE say; {profile} stands for the "
        "profile; the page 'Test your integration' describes the protocol",
    )
    parser.add_argument("--out", metavar="DIR", help="the folder that contracts writes to")
    parser.add_argument("--contract", metavar="FILE", help="script the server in this contract's words")
    parser.add_argument("--vectors", metavar="FILE", help="your own vectors (default: the shipped ones)")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="this vector, or those that begin so; may be repeated"
    )
    parser.add_argument(
        "--except", dest="without", action="append", default=[], metavar="ID", help="all but these; may be repeated"
    )
    parser.add_argument("--at-once", type=_count, default=4, metavar="N", help="how many run at once (default: 4)")
    parser.add_argument("--timeout", type=_count, default=120, metavar="SECONDS", help="for one vector (default: 120)")


def _count(text: str) -> int:
    if not text.isdigit() or not 1 <= int(text) <= 3600:
        raise argparse.ArgumentTypeError("a whole number from 1 to 3600 is expected")
    return int(text)


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Play the vectors and tell the results, exit 1 where one failed; or write the scaled contracts."""
    if args.action == "contracts":
        return _contracts(args.out, terminal)
    if args.client is None:
        return terminal.fail("vectors run needs a --command", "name a program and its arguments")
    from idempact.vectors.client import CommandClient
    from idempact.vectors.load import read_vectors, shipped_vectors
    from idempact.vectors.run import run_vectors

    if terminal.format not in ("text", "json"):
        return terminal.fail(f"results are told as text or json, not {terminal.format}")
    words = _words(args.client)
    path = Path(args.vectors) if args.vectors else shipped_vectors()
    read = read_vectors(path)
    if read.value is None:
        documents = {str(path): path.read_text(encoding="utf-8", errors="replace")} if path.is_file() else {}
        return terminal.report(read.diagnostics, documents) or FOUND
    vectors, wires = _in_words(args.contract, path, read.value, terminal)
    chosen = _chosen(vectors, args.only, args.without)
    terminal.say(f"{_counted(len(chosen), 'vector')}, {args.at_once} at once: {args.client}")
    client = CommandClient(words, timeout=float(args.timeout))
    results = run_vectors(chosen, client, at_once=args.at_once, wires=wires, told=_ticker(terminal))
    if chosen:
        terminal.say("")
    terminal.out(_as_json(results) if terminal.format == "json" else _as_text(results))
    return DONE if all(result.passed for result in results) else FOUND


def _contracts(out: str | None, terminal: Terminal) -> int:
    """Write the scaled contracts, one for each profile, into a folder; what stands there by the same name is kept."""
    from idempact.vectors.load import shipped_vectors

    if out is None:
        return terminal.fail("vectors contracts needs a folder to write to", "name one with --out")
    folder = Path(out)
    scaled = sorted(shipped_vectors().parent.glob("*.yaml"))
    for path in scaled:
        place = folder / path.name
        if place.exists() and place.read_bytes() != path.read_bytes():
            return terminal.fail(f"{place} is there already, and differs", "name another folder with --out")
    folder.mkdir(parents=True, exist_ok=True)
    for path in scaled:
        (folder / path.name).write_bytes(path.read_bytes())
    terminal.say(f"{out}: {_counted(len(scaled), 'scaled contract')}")
    return DONE


def _words(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise WrongUse(f"--command can't be read: {error}", "quote it as in a shell") from None
    if not words or (shutil.which(words[0]) is None and "{profile}" not in words[0]):
        raise WrongUse(
            f"--command: {words[0] if words else 'nothing'} can't be run", "name a program and its arguments"
        )
    return words


def _ticker(terminal: Terminal) -> Callable[[Result], None]:
    """Shows a sign of life for each result: a dot, or an F."""

    def tick(result: Result) -> None:
        if not terminal.quiet:
            terminal.stderr.write("." if result.passed else "F")
            terminal.stderr.flush()

    return tick


def _chosen(vectors: Sequence[Vector], only: Sequence[str], without: Sequence[str]) -> tuple[Vector, ...]:
    for start in (*only, *without):
        if not any(vector.id.startswith(start) for vector in vectors):
            raise WrongUse(f"no vector's id begins with {start!r}", f"there are {', '.join(v.id for v in vectors)}")
    kept = tuple(v for v in vectors if not only or v.id.startswith(tuple(only)))
    return tuple(v for v in kept if not v.id.startswith(tuple(without)))


def _in_words(
    contract: str | None, path: Path, vectors: tuple[Vector, ...], terminal: Terminal
) -> tuple[tuple[Vector, ...], dict[str, Wire]]:
    """The vectors and each profile's wire, in the contract's words where one is given."""
    from idempact.vectors.dialect import Untranslatable, translate
    from idempact.vectors.load import shipped_vectors
    from idempact.vectors.profiles import wires

    if contract is None:
        return vectors, wires(path)
    scaled = _settings(shipped_vectors().parent / "fast.yaml")
    try:
        told = translate(vectors, scaled, _settings(Path(contract)))
    except Untranslatable as error:
        raise WrongUse(
            f"{contract}: {error}", "leave --contract out to run them in the scaled contracts' words"
        ) from None
    if told.left_out:
        terminal.say(f"left out, since {contract} asks for nothing such: {', '.join(told.left_out)}")
    return told.vectors, {vector.profile: told.wire for vector in told.vectors}


def _settings(path: Path) -> Settings:
    """What holds for the contract's last operation that takes a key; above the operations where none does."""
    from idempact.contract.check import checked
    from idempact.contract.model.operations import Safety
    from idempact.text.nodes import load

    tree = load(path)
    found = checked(tree.value) if tree.value is not None else None
    if found is None or found.value is None or found.broken:
        raise WrongUse(f"{path} is no contract without errors", f"see what is wrong: idempact check {path}")
    contract = found.value.contract
    keyed = [operation.settings for operation in contract.operations if operation.safety is Safety.KEYED]
    return keyed[-1] if keyed else contract.settings


def _as_text(results: Sequence[Result]) -> str:
    lines = []
    for result in results:
        seen, report = result.seen, result.report
        took = f", {report.elapsed_ms} ms" if report.elapsed_ms is not None else ""
        shown = f"{_counted(len(seen.exchanges), 'request')}, {_counted(seen.effects, 'effect')}{took}"
        lines.append(f"{'ok    ' if result.passed else 'FAILED'} {result.vector.id}  ({shown})")
        lines += [f"         {complaint}" for complaint in result.complaints]
        if result.complaints and report.log.strip():
            lines += ["         it logged:", *(f"           {line}" for line in report.log.strip().splitlines()[-10:])]
    failed = sum(not result.passed for result in results)
    lines.append(f"{_counted(len(results), 'vector')}: {len(results) - failed} passed, {failed} failed")
    return "\n".join(lines)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _as_json(results: Sequence[Result]) -> str:
    value: Plain = {
        "passed": sum(result.passed for result in results),
        "failed": sum(not result.passed for result in results),
        "vectors": [
            {
                "id": result.vector.id,
                "passed": result.passed,
                "complaints": [{"about": c.about, "wanted": c.wanted, "found": c.found} for c in result.complaints],
                "requests": len(result.seen.exchanges),
                "effects": result.seen.effects,
                "ok": result.report.ok,
                "status": result.report.status,
                "kind": result.report.kind,
                "elapsed_ms": result.report.elapsed_ms,
                "retries": result.report.retries,
            }
            for result in results
        ],
    }
    return json.dumps(value, indent=2, ensure_ascii=False)
