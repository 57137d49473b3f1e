"""Findings for code scanning: SARIF 2.1.0 (OASIS standard, section numbers below are its)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.metadata import version
from urllib.parse import quote

from idempact.text.diagnostic import Diagnostic
from idempact.text.present import RuleText
from idempact.text.present._plain import encodable
from idempact.text.span import Span

NAME = "sarif"
LISTS_RULES = True

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_HOME = "https://github.com/idempact/idempact"


def present(
    diagnostics: tuple[Diagnostic, ...], documents: Mapping[str, str], color: bool, rules: Mapping[str, RuleText]
) -> str:
    """One run with one result per finding; columns count code points (3.14.17), paths are relative references."""
    named = sorted({diagnostic.rule for diagnostic in diagnostics})
    index = {rule: number for number, rule in enumerate(named)}
    driver = {
        "name": "idempact",
        "version": version("idempact"),
        "informationUri": _HOME,
        "rules": [_rule(rule, rules.get(rule)) for rule in named],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(diagnostic, index[diagnostic.rule]) for diagnostic in diagnostics],
    }
    log = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return encodable(json.dumps(log, ensure_ascii=False, indent=2)) + "\n"


def _message(text: str) -> dict[str, str]:
    # A brace would begin a placeholder (3.11.5); a link (3.11.6) needs an unescaped `](`.
    text = text.replace("{", "{{").replace("}", "}}")
    return {"text": text.replace("](", "\\](")}


def _rule(rule: str, text: RuleText | None) -> dict[str, object]:
    """The descriptor of a rule (3.49): code scanning shows it beside each of the rule's results."""
    if text is None:
        return {"id": rule}
    described = {"id": rule, "shortDescription": _message(text.title), "fullDescription": _message(text.why)}
    return {**described, "help": _message(f"Why: {text.why}\n\nInstead: {text.instead}")}


def _result(diagnostic: Diagnostic, index: int) -> dict[str, object]:
    text = f"{diagnostic.message}\nWhat to do: {diagnostic.hint}" if diagnostic.hint else diagnostic.message
    result: dict[str, object] = {
        "ruleId": diagnostic.rule,
        "ruleIndex": index,
        "level": diagnostic.severity.value,
        "message": _message(text),
    }
    if diagnostic.span is not None:
        result["locations"] = [_location(diagnostic.span)]
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "message": _message(related.message), **_location(related.span)}
            for number, related in enumerate(diagnostic.related)
        ]
    return result


def _location(span: Span) -> dict[str, object]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": uri(span.path)}, "region": region}}


def uri(path: str) -> str:
    """The URI reference (RFC 3986) for a path as findings name it: ``file:`` for an absolute one, else relative."""
    reference = quote(encodable(path).replace("\\", "/"), safe="/")
    return f"file://{reference}" if reference.startswith("/") else reference
