"""One thing that the lint found, before allowances are counted: its rule, its place, and a safe replacement if any."""

from __future__ import annotations

from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Severity


@dataclass(frozen=True, slots=True)
class Finding:
    """*rule* is broken from ``start`` to ``end`` of the file; ``replacement`` is safe to put there."""

    rule: str
    severity: Severity
    message: str
    start: int
    end: int
    subject: str = ""
    hint: str = ""
    replacement: str | None = None
