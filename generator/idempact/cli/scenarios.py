"""``idempact scenarios run``: the rules of a key's life, played against a server: the sandbox's, or your own."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit
from uuid import uuid4

from idempact.cli.terminal import DONE, FOUND, Terminal, WrongUse, read_input
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from idempact.contract.model.contract import Contract
    from idempact.scenarios.run import Verdict
    from idempact.text.nodes import Plain

HELP = "play the rules of a key's life against a server, and judge its answers by the contract"
EXAMPLE = "idempact scenarios run contract/contract.yaml --url https://test.acme.example/v1 --header 'Authorization: …'"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own options."""
    parser.add_argument("action", choices=("run",), help="run: play each scenario that the contract lets apply")
    parser.add_argument("contract", nargs="?", default="contract/contract.yaml", metavar="CONTRACT")
    parser.add_argument("--url", required=True, help="the server; effects are made there, so take a test environment")
    parser.add_argument("--path", metavar="PATH", help="the operation's path, with its placeholders filled in")
    parser.add_argument("--header", action="append", default=[], metavar="'NAME: VALUE'", help="sent with each request")
    parser.add_argument("--content", metavar="JSON", help="a body that the operation accepts")
    parser.add_argument("--other-content", metavar="JSON", help="another one, for a mismatch")
    parser.add_argument(
        "--only", action="append", default=[], metavar="ID", help="this scenario, or those that begin so"
    )


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Play the scenarios and tell the verdicts; exit 1 where one failed."""
    from idempact.scenarios.model import read_scenarios, shipped_scenarios
    from idempact.scenarios.remote import Remote
    from idempact.scenarios.run import run_scenarios

    if terminal.format not in ("text", "json"):
        return terminal.fail(f"verdicts are told as text or json, not {terminal.format}")
    if urlsplit(args.url).scheme not in ("http", "https") or not urlsplit(args.url).netloc:
        return terminal.fail(f"--url: {args.url} is no address", "write it as http://127.0.0.1:8080")
    contract = _contract(args.contract)
    scenarios = read_scenarios(shipped_scenarios()).value
    assert scenarios is not None, "the shipped scenarios can be read"
    for start in args.only:
        if not any(scenario.id.startswith(start) for scenario in scenarios):
            return terminal.fail(f"no scenario's id begins with {start!r}")
    chosen = [s for s in scenarios if not args.only or s.id.startswith(tuple(args.only))]
    contents, headers = _contents(args), _headers(args.header)
    try:
        target = Remote(args.url)
    except OSError as error:
        return terminal.fail(f"{args.url}: {error}", "start the server first, as with idempact sandbox")
    verdicts = run_scenarios(chosen, contract, target, uuid4().hex, contents=contents, headers=headers, at=args.path)
    terminal.out(_as_json(verdicts) if terminal.format == "json" else _as_text(verdicts))
    return FOUND if any(verdict.faults for verdict in verdicts) else DONE


def _contract(name: str) -> Contract:
    from idempact.contract.check import checked
    from idempact.text.nodes import compose, decode

    shown, data = read_input(name)
    document = decode(shown, data)
    tree = compose(document.value) if document.value is not None else None
    found = checked(tree.value) if tree is not None and tree.value is not None else None
    if found is None or found.value is None or found.broken:
        raise WrongUse(f"{shown} is no contract without errors", f"see what is wrong: idempact check {shown}")
    return found.value.contract


def _headers(given: Sequence[str]) -> Mapping[str, str]:
    pairs = [text.partition(":") for text in given]
    for (name, colon, _), text in zip(pairs, given, strict=True):
        if not colon or not name.strip():
            raise WrongUse(f"--header: {text!r} is no header", "write it as 'Name: value'")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _contents(args: argparse.Namespace) -> Mapping[str, dict[str, Plain]]:
    from idempact.scenarios.run import CONTENTS

    contents = dict(CONTENTS)
    for option, text, names in (
        ("--content", args.content, ("a", "a-respaced", "a-equal", "a-reordered")),
        ("--other-content", args.other_content, ("b",)),
    ):
        if text is None:
            continue
        try:
            value = json.loads(text)
        except ValueError as error:
            raise WrongUse(f"{option} is no JSON: {error}") from None
        if not isinstance(value, dict):
            raise WrongUse(f"{option} is no JSON object")
        contents |= {name: dict(reversed(value.items())) if name == "a-reordered" else value for name in names}
    return contents


def _as_text(verdicts: Sequence[Verdict]) -> str:
    lines = []
    for verdict in verdicts:
        word = "left out" if verdict.left_out else "FAILED  " if verdict.faults else "ok      "
        lines.append(f"{word} {verdict.scenario.id}: {verdict.left_out or verdict.scenario.rule}")
        lines += [f"           {fault}" for fault in verdict.faults]
    failed = sum(bool(verdict.faults) for verdict in verdicts)
    left_out = sum(bool(verdict.left_out) for verdict in verdicts)
    lines.append(f"{len(verdicts) - failed - left_out} passed, {failed} failed, {left_out} left out")
    return "\n".join(lines)


def _as_json(verdicts: Sequence[Verdict]) -> str:
    value = [
        {
            "id": verdict.scenario.id,
            "rule": verdict.scenario.rule,
            "passed": None if verdict.left_out else not verdict.faults,
            "left_out": verdict.left_out or None,
            "faults": list(verdict.faults),
        }
        for verdict in verdicts
    ]
    return json.dumps(value, indent=2, ensure_ascii=False)
