"""What pages say of the replay window: its kinds, its end, and what comes after it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.contract.read import Read
from idempact.facts import Facts
from idempact.facts.verdicts import Result, ResultKind, State, verdicts_of_record

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("window", "kinds"),
    [
        ("24h", [ResultKind.EXECUTE]),
        ("{at_least: 24h}", [ResultKind.REPLAY, ResultKind.EXECUTE]),
        ("{at_least: 24h, at_most: 48h}", [ResultKind.REPLAY, ResultKind.EXECUTE]),
    ],
)
def test_past_a_window_without_a_fixed_end_either_can_happen(
    window: str, kinds: list[ResultKind], read: Callable[[str], Read]
) -> None:
    facts = Facts.of(read(MINIMAL.replace("  replay: 24h", f"  replay: {window}")).contract)
    row = next(row for row in facts.base.verdicts if row.state is State.EXPIRED)
    assert [result.kind for result in row.same] == kinds


REJECTING = "expired_key: {answer: reject, status: 410, code: key_expired}"


@pytest.mark.parametrize("window", ["{at_least: 7d, at_most: 14d}", "{at_least: 7d}"])
@pytest.mark.parametrize("mismatch", ["{status: 422, code: reused}", "{answer: execute}"])
@pytest.mark.parametrize("expired", [REJECTING, "expired_key: {answer: execute}"])
def test_another_request_is_never_replayed_the_first_ones_result(
    window: str, mismatch: str, expired: str, read: Callable[[str], Read]
) -> None:
    text = MINIMAL.replace("  replay: 24h", f"  replay: {window}\n  cleanup: 20d")
    text = re.sub("  mismatch:.*", f"  mismatch: {mismatch}", re.sub(r"  expired_key:.*", f"  {expired}", text))
    facts = Facts.of(read(text).contract)
    row = next(row for row in facts.base.verdicts if row.state is State.EXPIRED)
    completed = next(row for row in facts.base.verdicts if row.state is State.COMPLETED)
    after = verdicts_of_record(facts.base.settings)[list(State).index(State.EXPIRED)].same
    assert ResultKind.REPLAY not in {result.kind for result in row.other}
    assert row.other == tuple(dict.fromkeys((*completed.other, *after)))
    assert row.same == (*completed.same, *after)
    assert after == ((Result(ResultKind.EXECUTE),) if "execute" in expired else (row.same[-1],))


def test_who_keeps_the_record_sees_the_windows_end(pages_of: Callable[[str], dict[str, str]]) -> None:
    text = MINIMAL.replace("  replay: 24h", "  replay: {at_least: 7d, at_most: 14d}\n  cleanup: 20d")
    text = re.sub(r"  expired_key:.*", f"  {REJECTING}", text)
    page = pages_of(text + "publish: {provider: true}\nserver: {store: mysql, regions: home-region}\n")
    (row,) = [line for line in page["implementers.md"].splitlines() if "window_ends <= now" in line and "|" in line]
    assert "key_expired" in row
    assert "The replay" not in row


@pytest.mark.parametrize(("cleanup", "rejected"), [("20d", True), ("14d", False)])
def test_a_key_is_rejected_only_where_its_record_outlives_its_window(
    cleanup: str, rejected: bool, pages_of: Callable[[str], dict[str, str]]
) -> None:
    text = MINIMAL.replace("  replay: 24h", f"  replay: {{at_least: 7d, at_most: 14d}}\n  cleanup: {cleanup}")
    page = pages_of(re.sub(r"  expired_key:.*", f"  {REJECTING}", text))["index.md"]
    assert ("rejected while its record is kept" in page) is rejected


def test_keys_that_are_kept_for_good_have_no_moment_after_their_window(
    pages_of: Callable[[str], dict[str, str]],
) -> None:
    forever = pages_of(MINIMAL.replace("  replay: 24h", "  replay: forever"))["index.md"]
    assert "after its window" not in forever
    assert "after its window" in pages_of(MINIMAL)["index.md"]


@pytest.mark.parametrize(
    ("replay", "means"),
    [
        ("24h", "In it a repeat is recognised. It begins with the first request."),
        ("forever", "A repeat is recognised however late it comes."),
    ],
)
def test_the_windows_meaning_is_of_its_kind(replay: str, means: str, pages_of: Callable[[str], dict[str, str]]) -> None:
    changed = MINIMAL.replace("replay: 24h", f"replay: {replay}")
    page = pages_of(changed)["windows.md"]
    assert means in page
    assert ("after the replay window, look the outcome up" in page) is (replay == "24h")
    assert ("It begins" in page) is (replay == "24h")
