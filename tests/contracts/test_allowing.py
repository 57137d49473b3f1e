"""Comments that allow warnings: every warning of the invalid contracts can be allowed at its place, no error can."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from idempact.contract.read import Read
from idempact.contract.rules import all_rules
from idempact.text.diagnostic import Checked, Diagnostic, Severity

HERE = Path(__file__).parent
INVALID = sorted((HERE / "invalid").rglob("*.yaml"))
ABOUT_COMMENTS = {rule.id for rule in all_rules() if rule.last}
Check = Callable[..., Checked[Read]]


def _cases(severity: Severity) -> Iterator[tuple[Path, int, str]]:
    """Each finding that stands beside an invalid contract: the file, the line, the rule."""
    for path in INVALID:
        for line in path.with_suffix(".errors").read_text(encoding="utf-8").splitlines():
            place, found, rule, *_ = line.split(" ")
            if found == severity and rule.startswith("contract/") and rule not in ABOUT_COMMENTS:
                yield path, int(place.partition(":")[0]), rule


def _ids(case: tuple[Path, int, str]) -> str:
    return f"{case[0].parent.name}/{case[0].stem}:{case[1]}:{case[2].removeprefix('contract/')}"


def _told(found: Checked[Read]) -> list[tuple[str, str]]:
    return [(d.rule, d.message) for d in found.diagnostics if d.rule not in ABOUT_COMMENTS]


def _about_comments(found: Checked[Read], line: int) -> list[Diagnostic]:
    return [d for d in found.diagnostics if d.rule in ABOUT_COMMENTS and d.span and d.span.line == line]


@pytest.mark.parametrize("case", list(_cases(Severity.WARNING)), ids=_ids)
def test_a_comment_on_the_line_before_lets_exactly_that_warning_go(
    case: tuple[Path, int, str], check_text: Check
) -> None:
    path, line, rule = case
    lines = path.read_text(encoding="utf-8").splitlines()
    before = check_text("\n".join(lines))
    gone = [d for d in before.diagnostics if d.rule == rule and d.span and d.span.line == line]
    assert gone
    allowed = [*lines[: line - 1], f"   # idempact: allow {rule} because we have thought about it", *lines[line - 1 :]]
    after = check_text("\n".join(allowed))
    assert _about_comments(after, line) == []
    assert sorted([*_told(after), *((d.rule, d.message) for d in gone)]) == sorted(_told(before))


@pytest.mark.parametrize("case", list(_cases(Severity.WARNING)), ids=_ids)
def test_in_this_file_lets_every_warning_of_the_rule_go(case: tuple[Path, int, str], check_text: Check) -> None:
    path, _, rule = case
    text = path.read_text(encoding="utf-8")
    after = check_text(f"# idempact: allow {rule} in this file because we have thought about it\n{text}")
    assert _about_comments(after, 1) == []
    before = check_text(text)
    gone = [(d.rule, d.message) for d in before.diagnostics if d.rule == rule and d.severity is not Severity.ERROR]
    assert gone
    assert sorted([*_told(after), *gone]) == sorted(_told(before))


@pytest.mark.parametrize("case", list(_cases(Severity.ERROR)), ids=_ids)
def test_no_comment_lets_an_error_go(case: tuple[Path, int, str], check_text: Check) -> None:
    path, _, rule = case
    text = path.read_text(encoding="utf-8")
    before = check_text(text)
    after = check_text(f"# idempact: allow {rule} in this file because we have no time\n{text}")
    of_the_rule = [d for d in before.diagnostics if d.rule == rule]
    errors = [d.message for d in of_the_rule if d.severity is Severity.ERROR]
    assert errors
    assert [d.message for d in after.diagnostics if d.rule == rule] == errors
    if after.value is not None:
        in_vain = len(errors) == len(of_the_rule)
        assert [d.rule for d in _about_comments(after, 1)] == (["contract/suppressed-error"] if in_vain else [])


def test_a_rule_with_warnings_and_errors_is_allowed_only_where_it_warns(check_text: Check) -> None:
    lines = (HERE / "invalid" / "overclaim" / "base.yaml").read_text(encoding="utf-8").splitlines()
    comment = "  # idempact: allow contract/overclaim because it is the queue's own name"
    at_warning, at_error = ([*lines[: n - 1], lines[n - 1] + comment, *lines[n:]] for n in (8, 17))
    allowed, refused = (check_text("\n".join(text)).diagnostics for text in (at_warning, at_error))
    assert [(d.rule, d.severity) for d in allowed] == [("contract/overclaim", Severity.ERROR)]
    assert sorted(d.rule for d in refused) == [*["contract/overclaim"] * 3, "contract/suppressed-error"]


def test_an_allowance_ends_with_its_field(base: str, check_text: Check) -> None:
    text = base.replace("fingerprint: {body: canonical}", "fingerprint: none")
    text = text.replace("scope:", "# idempact: allow contract/nothing-compared because of the field below\nscope:")
    rules = [d.rule for d in check_text(text).diagnostics]
    assert rules == ["contract/unused-suppression", "contract/nothing-compared", "contract/unreachable-answer"]


def test_the_innermost_of_two_allowances_is_the_one_that_is_used(base: str, check_text: Check) -> None:
    outer = "# idempact: allow contract/in-flight-without-retry-after because of the section\nanswers:\n"
    inner = "  # idempact: allow contract/in-flight-without-retry-after because of the field\n  in_flight:"
    text = base.replace(", retry_after: 1s", "").replace("answers:\n", outer).replace("  in_flight:", inner)
    (found,) = check_text(text).diagnostics
    assert (found.rule, found.span and found.span.line) == ("contract/unused-suppression", 11)


def test_a_comment_behind_a_value_allows_it(base: str, check_text: Check) -> None:
    text = base.replace(", retry_after: 1s}", "}  # idempact: allow contract/in-flight-without-retry-after because so")
    assert check_text(text).diagnostics == ()


def test_checking_twice_gives_the_same_findings(base: str, check_text: Check) -> None:
    text = "# idempact: allow contract/nothing-compared in this file because we say so\n" + base
    assert check_text(text).diagnostics == check_text(text).diagnostics != ()


@pytest.mark.parametrize("case", list(_cases(Severity.WARNING)), ids=_ids)
def test_a_comment_at_the_end_of_a_line_holds_for_what_begins_there(
    case: tuple[Path, int, str], check_text: Check
) -> None:
    path, line, rule = case
    lines = path.read_text(encoding="utf-8").splitlines()
    if "#" in lines[line - 1] or lines[line - 1].rstrip().endswith(("|", ">")):
        pytest.skip("the line ends in a comment already, or begins a block of text")
    before = check_text("\n".join(lines))
    gone = [d for d in before.diagnostics if d.rule == rule and d.span and d.span.line == line]
    allowed = [*lines]
    allowed[line - 1] += f"  # idempact: allow {rule} because we have thought about it"
    after = check_text("\n".join(allowed))
    left = [d for d in after.diagnostics if d.rule == rule and d.span and d.span.line == line]
    assert gone
    assert left == []
    assert _about_comments(after, line) == []


def test_a_mark_within_a_text_is_no_comment(check_text: Check, minimal: str) -> None:
    text = minimal.replace(
        "name: dead-letter queue replay", 'name: "queue # idempact: allow contract/overclaim because x"'
    )
    assert check_text(text).diagnostics == ()
