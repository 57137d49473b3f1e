"""How fast the injector is, and what it needs: against PyYAML's events, ``json.loads``, and other tools on one file.

Run by ``make bench``; prints one row per measure and exits 1 where a budget is missed. Every budget is a ratio within
one run. Tools from npm are measured where ``PEERS`` names a folder that holds them in ``node_modules``
(``npm i @redocly/cli@2 openapi-format openapi-overlays-js``), and left out elsewhere; oas-patch where it is installed
in that folder or on the path.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import large_api
from measures import Rows, exponent, in_turn, seconds, whole

from idempact.cli.inject import planned
from idempact.openapi import outline as outlines
from idempact.openapi.audit import audit
from idempact.openapi.inject import inject
from idempact.openapi.locate import keep, read
from idempact.openapi.plan import Plan
from idempact.openapi.validate import quick
from idempact.text.nodes import compose, plain
from idempact.text.span import Document
from idempact.text.yaml_nodes import events

_EVENTS, _JSON, _FEW, _VALIDATION = 3.0, 4.0, 0.3, 0.05
_WALL, _MEMORY, _GROWTH = 0.25, 0.35, 1.1


def plan_for(folder: Path, keyed: int) -> Plan:
    """The plan that keys so many operations."""
    path = folder / f"contract-{keyed}.yaml"
    path.write_text(large_api.contract(keyed))
    found = planned(str(path), {})
    assert found.value is not None, found.diagnostics
    return found.value


def slowly(work: Callable[[], object]) -> object:
    """*work* without outlines: the full pass."""
    least, outlines.LEAST = outlines.LEAST, 10**12
    try:
        return work()
    finally:
        outlines.LEAST = least


def in_process(rows: Rows, folder: Path, text: str, megabytes: float) -> None:
    """Processor time against yardsticks of the same process."""
    document = Document("large.yaml", text)
    yardstick = seconds(lambda: sum(1 for _ in events(document)))
    every, few = plan_for(folder, 500), plan_for(folder, 5)
    some = plan_for(folder, 200)
    for name, plan in (("all 500 keyed", every), ("200 keyed", some), ("5 keyed", few)):
        taken = seconds(lambda plan=plan: inject(document, plan))
        rows.tell(f"inject, {name}", f"{taken:8.2f} s   {taken / yardstick:.2f} x the events ({yardstick:.2f} s)")
        if plan is every:
            rows.budget("inject all / events", taken / yardstick, _EVENTS)
        if plan is few:
            full = seconds(lambda: slowly(lambda: inject(document, every)), 1)
            rows.budget("inject 5 / full pass", taken / full, _FEW, f"full pass {full:.2f} s")
    text = large_api.json_text(megabytes * 1.3)
    document = Document("large.json", text)
    # A second's hundredths: the best of many rounds on both sides.
    yardstick = seconds(lambda: json.loads(text), 9)
    taken = seconds(lambda: inject(document, every), 7)
    rows.budget("inject JSON / json.loads", taken / yardstick, _JSON, f"{len(text) / 1e6:.0f} MB in {taken:.2f} s")
    taken = seconds(lambda: inject(document, some), 7)
    rows.tell("inject JSON, 200 keyed", f"{taken / yardstick:8.2f}")


def validation(rows: Rows, folder: Path, megabytes: float) -> None:
    """The quick check against openapi-spec-validator on the same document."""
    from jsonschema_path import SchemaPath
    from openapi_spec_validator.shortcuts import get_validator_cls

    from idempact.openapi.plan import Wishes
    from idempact.openapi.weave import weave

    text = large_api.yaml_text(200, megabytes)
    document = Document("large.yaml", text)
    api = read(document, None, keep).value
    assert api is not None
    woven = weave(api, plan_for(folder, 500), Wishes(), {})
    ours = seconds(lambda: quick(api, {"": woven.gathering("").result}))
    tree = compose(document).value
    assert tree is not None
    spec = plain(tree.root)
    assert isinstance(spec, dict)
    theirs = seconds(lambda: list(get_validator_cls(spec)(SchemaPath.from_dict(spec)).iter_errors()), 1)
    rows.budget("quick check / validator", ours / theirs, _VALIDATION, f"{ours:.3f} s to {theirs:.1f} s")


def growth(rows: Rows, folder: Path, megabytes: float) -> None:
    """Time over one, two, four and eight times the input."""
    plan = plan_for(folder, 500)
    sizes = [(n, large_api.yaml_text(125 * n, megabytes / 8 * n)) for n in (1, 2, 4, 8)]
    for name, work in (
        ("inject", lambda document: inject(document, plan)),
        ("inject, full pass", lambda document: slowly(lambda: inject(document, plan))),
        ("audit", lambda document: audit(document, plan)),
    ):
        points = [(n, seconds(lambda t=t, w=work: w(Document("large.yaml", t)), 2)) for n, t in sizes]
        rows.budget(f"growth, {name}", exponent(points), _GROWTH)


def peers(rows: Rows, folder: Path, text: str) -> None:
    """Other tools on the same file with the same additions, each with what it changes beside them."""
    source, contract, overlay = folder / "large.yaml", folder / "contract-500.yaml", folder / "overlay.yaml"
    source.write_text(text)
    plan_for(folder, 500)
    base = [sys.executable, "-m", "idempact"]
    subprocess.run(
        [*base, "overlay", str(source), "--contract", str(contract), "--out", str(overlay), "--quiet"],
        check=True,
        capture_output=True,
    )
    target = folder / "ours.yaml"
    command = [*base, "inject", str(source), "--contract", str(contract), "--output", str(target), "--quiet"]
    ours = whole(command)
    rows.tell("ours, whole process", _told(ours, text, target))
    for name, other, out in _others(folder, source, overlay):
        if name == "redocly bundle":
            ours, theirs = in_turn(command, other, 2)
            rows.tell("ours, in turn with redocly", _told(ours, text, target))
        else:
            theirs = whole(other, 1)
        rows.tell(name, _told(theirs, text, out))
        if name == "redocly bundle":
            rows.budget("wall / redocly", ours[0] / theirs[0], _WALL)
            rows.tell("processor / redocly", f"{ours[1] / theirs[1]:8.2f}")
            rows.budget("memory / redocly", ours[2] / theirs[2], _MEMORY)


def _told(used: tuple[float, float, float], text: str, out: Path) -> str:
    return f"{used[0]:6.2f} s wall {used[1]:6.2f} s processor {used[2]:5.0f} MB   {changed(text, out)}"


def _others(folder: Path, source: Path, overlay: Path) -> Iterator[tuple[str, list[str], Path]]:
    modules = Path(os.environ.get("PEERS", "-")) / "node_modules" / ".bin"
    if (modules / "redocly").exists():
        out = folder / "redocly.yaml"
        yield (
            "redocly bundle",
            [str(modules / "redocly"), "bundle", str(source), "--overlay", str(overlay), "-o", str(out)],
            out,
        )
    if (modules / "openapi-format").exists():
        out = folder / "format.yaml"
        command = [str(modules / "openapi-format"), str(source), "-l", str(overlay), "-o", str(out), "--no-sort"]
        yield "openapi-format", command, out
    if (modules / "overlayjs").exists():
        out = folder / "overlayjs.yaml"
        line = f'"$0" --openapi "$1" --overlay "$2" > "{out}"'
        yield "openapi-overlays-js", ["sh", "-c", line, str(modules / "overlayjs"), str(source), str(overlay)], out
    oas_patch = shutil.which("oas-patch", path=os.environ.get("PEERS")) or shutil.which("oas-patch")
    if oas_patch is not None:
        out = folder / "oaspatch.yaml"
        yield "oas-patch", [oas_patch, "overlay", str(source), str(overlay), "-o", str(out)], out
    out = folder / "ruamel.yaml"
    code = (
        "import sys; from ruamel.yaml import YAML; y = YAML(); y.preserve_quotes = True; y.width = 10**6\n"
        "y.dump(y.load(open(sys.argv[1])), open(sys.argv[2], 'w'))"
    )
    yield "ruamel, no edit at all", [sys.executable, "-c", code, str(source), str(out)], out


def changed(before: str, after: Path) -> str:
    """How many lines of the input a tool removed, and how many leaves of its value read differently."""
    if not after.is_file():
        return "no result"
    text = after.read_text()
    old, new = before.splitlines(), text.splitlines()
    # Whole-file diffs of this size take minutes; lines that are nowhere in the result are counted instead.
    there = set(new)
    gone = sum(line not in there for line in old)
    was, now = (compose(Document("a.yaml", part)).value for part in (before, text))
    if was is None or now is None:
        return f"{gone} lines gone, not readable"
    return f"{gone} lines gone, {sum(1 for _ in _differing(plain(was.root), plain(now.root)))} values differ"


def _differing(old: object, new: object) -> Iterator[None]:
    """The leaves of *old* that *new* hasn't; additions don't count."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key, value in old.items():
            if key in new:
                yield from _differing(value, new[key])
            else:
                yield None
    elif isinstance(old, list) and isinstance(new, list):
        for index, value in enumerate(old):
            if index < len(new):
                yield from _differing(value, new[index])
            else:
                yield None
    elif old != new or type(old) is not type(new):
        yield None


def main() -> int:
    """Measure, print, and compare with the budgets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=10.0)
    parser.add_argument("--no-peers", action="store_true", help="without other tools")
    parser.add_argument("--only-peers", action="store_true", help="nothing but other tools")
    args = parser.parse_args()
    rows = Rows()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        text = large_api.yaml_text(megabytes=args.megabytes)
        rows.tell("the file", f"{len(text) / 1e6:.1f} MB, {text.count(chr(10))} lines, 1000 operations")
        if not args.only_peers:
            in_process(rows, folder, text, args.megabytes)
            validation(rows, folder, min(args.megabytes, 2.0))
            growth(rows, folder, args.megabytes / 4)
        if not args.no_peers:
            peers(rows, folder, text)
    rows.tell("peak memory of this process", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:.0f} MB")
    return 1 if rows.missed else 0


if __name__ == "__main__":
    sys.exit(main())
