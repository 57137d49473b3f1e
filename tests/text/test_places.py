"""Places: columns count what a reader sees, and a stretch ends where it ended before anything was put in behind it."""

from __future__ import annotations

from idempact.openapi.edits import Edit, apply, relocated
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.span import Document


def test_a_byte_order_mark_takes_no_column() -> None:
    plain, marked = Document("a", "key: 1\nb: 2\n"), Document("a", "\ufeffkey: 1\nb: 2\n")
    for start, end in ((0, 3), (5, 6), (7, 8), (0, 8)):
        assert marked.span(start + 1, end + 1) == plain.span(start, end)
    assert marked.line(1) == "key: 1"
    assert marked.span(0) == plain.span(0)


def test_a_stretch_does_not_run_on_over_what_is_put_in_at_its_end() -> None:
    before = Document("a", "{a: [], b: {}}")
    edits = (Edit(6, 6, ", x: 1"), Edit(0, 0, "# first\n"))
    after = Document("a", apply(before.text, edits)[0])
    found = Diagnostic("r", Severity.WARNING, "m", before.span(4, 6))
    (moved,) = relocated((found,), before, after, edits)
    assert moved.span is not None
    assert after.line(moved.span.line)[moved.span.column - 1 : moved.span.end_column - 1] == "[]"
