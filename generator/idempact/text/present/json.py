"""Findings for programs: one JSON object with every member of every finding, always present."""

from __future__ import annotations

import json
from collections.abc import Mapping

from idempact.text.diagnostic import Diagnostic
from idempact.text.present import RuleText
from idempact.text.present._plain import count, encodable
from idempact.text.span import Span

NAME = "json"

VERSION = 1
"""Raised when a member is taken away or changes its meaning; new members don't raise it."""


def present(
    diagnostics: tuple[Diagnostic, ...], documents: Mapping[str, str], color: bool, rules: Mapping[str, RuleText]
) -> str:
    """The findings as ``{"version", "findings", "summary"}``.

    Lines and columns count characters from 1; ends are exclusive.
    """
    report = {
        "version": VERSION,
        "findings": [_finding(diagnostic) for diagnostic in diagnostics],
        "summary": {f"{severity.value}s": number for severity, number in count(diagnostics).items()},
    }
    return encodable(json.dumps(report, ensure_ascii=False, indent=2)) + "\n"


def _finding(diagnostic: Diagnostic) -> dict[str, object]:
    return {
        "rule": diagnostic.rule,
        "severity": diagnostic.severity.value,
        "message": diagnostic.message,
        "subject": diagnostic.subject,
        "hint": diagnostic.hint,
        "place": None if diagnostic.span is None else _place(diagnostic.span),
        "related": [{"message": related.message, "place": _place(related.span)} for related in diagnostic.related],
    }


def _place(span: Span) -> dict[str, object]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
