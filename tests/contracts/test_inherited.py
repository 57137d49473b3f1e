"""What an operation overrides: a finding says which part stands above, and how it is taken back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from idempact.contract.read import Read
from idempact.text.diagnostic import Checked, Diagnostic

Check = Callable[..., Checked[Read]]
PAYMENTS = "POST /payments: keyed"


def _only(check_text: Check, text: str) -> Diagnostic:
    (found,) = check_text(text).diagnostics
    return found


def _over(minimal: str, above: tuple[str, str], override: str) -> str:
    assert above[0] in minimal
    text = minimal.replace(*above, 1)
    assert text.count(PAYMENTS) == 1
    return text.replace(PAYMENTS, f"POST /payments: {{safety: keyed, {override}}}")


@pytest.mark.parametrize(
    ("above", "override", "key", "hint"),
    [
        ("{at_least: 7d, at_most: 14d}", "{at_most: 24h}", "at_least: 7d", "`at_least: none` takes back"),
        ("{at_least: 7d, at_most: 14d}", "{at_least: 30d}", "at_most: 14d", "`at_most: none` takes back"),
        ("24h", "{at_least: 7d, at_most: 24h}", "", "swap them"),
    ],
)
def test_a_window_that_contradicts_itself_names_the_bound_from_above(
    above: str, override: str, key: str, hint: str, check_text: Check, minimal: str
) -> None:
    text = _over(minimal, ("replay: 24h", f"replay: {above}"), f"windows: {{replay: {override}}}")
    found = _only(check_text, text)
    assert found.rule == "contract/contradictory-window"
    assert found.hint.startswith(hint)
    lines = text.splitlines()
    places = [lines[r.span.line - 1][r.span.column - 1 : r.span.end_column - 1] for r in found.related]
    assert places == ([key] if key else [])


def test_taking_the_bound_back_is_the_remedy(check_text: Check, minimal: str) -> None:
    above = ("replay: 24h", "replay: {at_least: 7d, at_most: 14d}")
    text = _over(minimal, above, "windows: {replay: {at_least: none, at_most: 24h}}")
    assert "contract/contradictory-window" not in [d.rule for d in check_text(text).diagnostics]


def test_a_length_that_contradicts_itself_names_the_end_from_above(check_text: Check, minimal: str) -> None:
    above = ("required: true", "required: true, length: {min: 20, max: 40}")
    found = _only(check_text, _over(minimal, above, "key: {length: {max: 10}}"))
    assert (found.rule, found.hint) == ("contract/contradictory-length", "write `min` here, too")
    assert [r.message for r in found.related] == ["`min` is inherited from here"]


@pytest.mark.parametrize(
    ("above", "override"),
    [
        ("replay", "{server_error: release}"),
        ("{business_rejection: replay, server_error: replay}", "{server_error: {before_effects: release}}"),
    ],
)
def test_a_mapping_over_a_word_is_told_as_such(above: str, override: str, check_text: Check, minimal: str) -> None:
    text = _over(minimal, ("stored_failures: replay", f"stored_failures: {above}"), f"stored_failures: {override}")
    found = _only(check_text, text)
    assert found.rule == "contract/missing-decision"
    assert "is not decided, as a mapping can't be merged into the word `replay` above: What" in found.message
    assert [r.message for r in found.related] == ["the word stands here"]


def test_no_example_takes_back_the_one_above(check_text: Check, minimal: str) -> None:
    own = 'errors: {code_at: /code, example: {code: "{code}"}}\noperations:'
    text = minimal.replace("operations:", own, 1).replace(
        PAYMENTS, "POST /payments: {safety: keyed, errors: {example: none}}"
    )
    found = check_text(text)
    assert found.diagnostics == ()
    assert found.value is not None
    contract = found.value.contract
    assert contract.settings.errors.example is not None
    assert contract.operations[0].settings.errors.example is None


@pytest.mark.parametrize(("sign", "part"), [("?x=1", "a query"), ("#f", "a fragment")])
def test_what_follows_a_path_is_told_to_be_no_part_of_it(sign: str, part: str, check_text: Check, minimal: str) -> None:
    found = _only(check_text, minimal.replace(PAYMENTS, f'"POST /payments{sign}": keyed'))
    assert found.hint == f"{part} is not part of an operation's path: write POST /payments"
