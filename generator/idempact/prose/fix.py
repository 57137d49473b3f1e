"""Safe replacements put into a text: names as the contract has them, and nothing that needs thought."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.prose.finding import Finding


def fixed(text: str, findings: Iterable[Finding]) -> tuple[str, int]:
    """*text* with every safe replacement made, and how many those were; of two that overlap the first is made."""
    out: list[str] = []
    at = count = 0
    for finding in sorted(findings, key=lambda f: (f.start, f.end)):
        if finding.replacement is None or finding.start < at:
            continue
        out += (text[at : finding.start], finding.replacement)
        at = finding.end
        count += 1
    out.append(text[at:])
    return "".join(out), count
