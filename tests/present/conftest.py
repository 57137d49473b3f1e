"""Findings to print, harmless and hostile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.span import Document


@dataclass(frozen=True)
class Told:
    """Findings together with the texts that they point into."""

    diagnostics: tuple[Diagnostic, ...]
    documents: Mapping[str, str]


@pytest.fixture
def plain() -> Told:
    text = "windows:\n  replay: 24h\n  cleanup: 72h\n"
    document = Document("contract/contract.yaml", text)
    start = text.index("24h")
    return Told(
        (
            Diagnostic(
                "contract/window-shorter-than-chain",
                Severity.ERROR,
                "replay window 24h is shorter than the longest retry chain 7d",
                document.span(start, start + 3),
                subject="windows.replay",
                hint="raise windows.replay to at least 7d, or shorten the chain",
                related=(Related("longest chain", document.span(0, 7)),),
            ),
            Diagnostic("contract/other", Severity.ERROR, "another", document.span(0, 7)),
            Diagnostic("contract/mild", Severity.WARNING, "mild", None),
        ),
        {document.path: text},
    )


@pytest.fixture
def hostile() -> Told:
    message = "50% of {0}, [a](1)\r\n::error::forged\n| cell \x1b[31m \u202e \ud800 : ,"
    path = "a,b/c:d %\n.yaml"
    document = Document(path, "精确\t一次\x1b[0m end\r\nsecond line")
    diagnostic = Diagnostic(
        "area/rule",
        Severity.WARNING,
        message,
        document.span(0, len(document.text)),
        subject=message,
        hint=message,
        related=(Related(message, document.span(2)),),
    )
    return Told((diagnostic,), {path: document.text})
