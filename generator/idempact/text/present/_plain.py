"""What all finding formats share: counting, and texts made safe to print."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.pattern import regex

_SURROGATE = regex("[\ud800-\udfff]")
# C0 and C1 controls could move a terminal's cursor; bidirectional controls could show a line in another order
# than it is read (CVE-2021-42574).
_CONTROL = regex("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_NAMES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "note"}


def encodable(text: str) -> str:
    """*text* with each lone surrogate (a JSON escape can make one) replaced by U+FFFD."""
    return _SURROGATE.sub("\ufffd", text)


def visible(text: str) -> str:
    """*text* on one line, each control character replaced by one visible character of width one."""
    return _CONTROL.sub(_picture, encodable(text))


def _picture(match: re.Match[str]) -> str:
    code = ord(match.group())
    if match.group() in "\t\n\r\u2028\u2029":
        return " "
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


def count(diagnostics: Iterable[Diagnostic]) -> dict[Severity, int]:
    """How many findings there are of each severity; every severity is there."""
    found = Counter(d.severity for d in diagnostics)
    return {severity: found[severity] for severity in Severity}


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """The counts in words: ``2 errors, 1 warning``; empty where there are no findings."""
    counts = count(diagnostics)
    return ", ".join(f"{n} {_NAMES[s]}{'s' if n != 1 else ''}" for s, n in counts.items() if n)
