"""Findings as annotations in a GitHub Actions log, by its workflow commands.

https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands#setting-an-error-message
"""

from __future__ import annotations

from collections.abc import Mapping

from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.present import RuleText
from idempact.text.present._plain import visible

NAME = "github"

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def present(
    diagnostics: tuple[Diagnostic, ...], documents: Mapping[str, str], color: bool, rules: Mapping[str, RuleText]
) -> str:
    """One workflow command per finding, one line each."""
    return "".join(f"{_command(diagnostic)}\n" for diagnostic in diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    properties = {"title": diagnostic.rule}
    span = diagnostic.span
    if span is not None:
        properties |= {"file": span.path, "line": str(span.line), "endLine": str(span.end_line)}
        if span.line == span.end_line:  # columns are only shown for an annotation of one line
            properties |= {"col": str(span.column), "endColumn": str(span.end_column)}
    told = [
        diagnostic.message,
        *(f"{r.message}: {r.span.path}:{r.span.line}:{r.span.column}" for r in diagnostic.related),
    ]
    if diagnostic.hint:
        told.append(f"help: {diagnostic.hint}")
    listed = ",".join(f"{key}={_property(value)}" for key, value in sorted(properties.items()))
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_data(chr(10).join(told))}"


def _data(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "%0A".join(visible(line).replace("%", "%25") for line in lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
