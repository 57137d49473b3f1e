"""The work of a check grows with the contract, and not faster: calls are counted, as clocks differ."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from types import FrameType

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked

Check = Callable[..., Checked[Read]]
LINES = {
    "operations": "  POST /a{n}: keyed\n",
    "operations with overrides": "  POST /a{n}: {{safety: keyed, windows: {{cleanup: 9d}}, retry: {{p99: 4s}}}}\n",
    "mistakes": "  POST /a{n}: {{safety: kyed, windows: {{replay: 1, lease: x}}}}\n",
    "misspelt keys": "  POST /a{n}: {{safty: keyed, windws: {{replya: 24h}}}}\n",
    "unknown keys": "  POST /a{n}: {{safety: keyed, qqqqq: 1}}\n",
    "no operations": "  a{n}: keyed\n",
    "named keys": '  POST /a{n}: {{safety: keyed, key: {{derivation: {{event: "a{n}-{{id}}"}}}}}}\n',
    "windows without a note": "  POST /a{n}: {{safety: keyed, windows: {{replay: 7d, cleanup: 9d}}}}\n",
    "allowances": (
        "  # idempact: allow contract/unexplained-window because we say so\n"
        "  POST /a{n}: {{safety: keyed, windows: {{replay: 7d, cleanup: 9d}}}}\n"
    ),
}
ITEMS = {
    "notes": "  - {{at: windows.replay, text: Note {n}.}}\n",
    "notes on nothing": "  - {{at: windows.r{n}, text: Note {n}.}}\n",
    "texts that claim too much": "  - {{at: windows.replay, text: Exactly once, {n}.}}\n",
}


def calls(text: str, check_text: Check) -> int:
    """How many functions a check calls, those written in C included."""
    count = 0

    def counted(frame: FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        check_text(text)
    finally:
        sys.setprofile(before)
    return count


def many(line: str, number: int) -> str:
    return "".join(line.format(n=n) for n in range(number))


@pytest.mark.parametrize("kind", [*LINES, *ITEMS])
def test_twice_as_much_is_twice_the_work(kind: str, base: str, check_text: Check) -> None:
    start = base + ("" if kind in LINES else "notes:\n")
    line = LINES.get(kind) or ITEMS[kind]
    check_text(start + many(line, 160))  # what is loaded once
    once, twice, four_times = (calls(start + many(line, number), check_text) for number in (40, 80, 160))
    assert four_times - twice < 2.3 * (twice - once)


def test_a_long_contract_of_many_aliases_is_refused_at_once(base: str, check_text: Check) -> None:
    bomb = "x-a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
        f"x-{name}: &{name} [{', '.join([f'*{inner}'] * 10)}]\n"
        for inner, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    assert [d.rule for d in check_text(base + bomb).diagnostics] == ["text/alias-bomb"]
    assert calls(base + bomb, check_text) < 20 * calls(base, check_text)


def test_deep_nesting_is_refused_at_once(base: str, check_text: Check) -> None:
    deep = base + "x-deep: " + "[" * 50_000 + "\n"
    assert [d.rule for d in check_text(deep).diagnostics] == ["text/too-deep"]
    assert calls(deep, check_text) < 5 * calls(base, check_text)


def test_a_chain_of_anchors_is_no_more_work_than_its_nodes(base: str, check_text: Check) -> None:
    def chained(number: int) -> str:
        names = [f"n{n}" for n in range(number)]
        links = [f"x-{name}: &{name} {{a: *{inner}}}\n" for inner, name in pairwise(names)]
        return base + f"x-{names[0]}: &{names[0]} 1\n" + "".join(links)

    once, twice, four_times = (calls(chained(number), check_text) for number in (20, 40, 80))
    assert four_times - twice < 5 * (twice - once)


def test_the_file_of_a_contract_is_read_once_for_its_spans(tmp_path: Path, base: str, check_text: Check) -> None:
    """Longer comments cost nothing but their characters."""
    plain = calls(base, check_text)
    assert calls(base + "# a comment\n" * 2000, check_text) < 2 * plain
