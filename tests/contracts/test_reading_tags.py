"""A tag is told wherever it stands in front of a value, and never where a comment speaks of one."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked

Check = Callable[..., Checked[Read]]


def _told(found: Checked[Read]) -> list[tuple[int, int]]:
    spans = [one.span for one in found.diagnostics if one.rule == "contract/tagged-value"]
    return [(span.line, span.column) for span in spans if span is not None]


@pytest.mark.parametrize("tag", ["!foo", "!!seq", "!", "!<tag:example.com,2026:a>"])
@pytest.mark.parametrize(
    "written",
    [
        "x-a: {tag} [1, 2]\n",
        "x-a: {tag} &a [1, 2]\n",
        "x-a: {tag} {{b: 1}}\n",
        "x-a: {tag}\n  - 1\n",
        "x-a: {tag}\n- 1\n",
        "x-a: {tag}   \n  b: 1\n",
        "x-a: {tag} b\n",
    ],
)
def test_it_is_told_at_its_own_place(written: str, tag: str, base: str, check_text: Check) -> None:
    found = _told(check_text(base + written.format(tag=tag)))
    assert found == [(base.count("\n") + 1, len("x-a: ") + 1)]


@pytest.mark.parametrize(
    "written",
    [
        "x-a: # as !foo\n  - 1\n",
        "# is it !foo\nx-a: [1]\n",
        "x-a:\n  # !foo\n  [1]\n",
        "x-a: [b!, [c]]\n",
        'x-a: ["!", [c]]\n',
    ],
)
def test_what_looks_like_one_is_none(written: str, base: str, check_text: Check) -> None:
    assert _told(check_text(base + written)) == []
