"""The marks of an unfinished merge in a file that can't be read: loaded only where one can't."""

from __future__ import annotations

import re

from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.span import Document

# git-merge(1), how conflicts are presented: seven signs at the beginning of a line, a label behind them. The middle
# mark alone may be a line of its own making, so it counts between the two others.
_OPENS = re.compile(r"^<{7}(?: [^\r\n]*)?(?=\r?$)", re.MULTILINE)
_CLOSES = re.compile(r"^>{7}(?: [^\r\n]*)?(?=\r?$)", re.MULTILINE)


def conflict(document: Document) -> Diagnostic | None:
    """The finding for the first conflict of a merge in a file, with where that ends; none where there is none."""
    opens = _OPENS.search(document.text)
    closes = _CLOSES.search(document.text, opens.end()) if opens is not None else None
    if opens is None or closes is None:
        return None
    more = sum(1 for _ in _OPENS.finditer(document.text, closes.end()))
    return Diagnostic(
        "text/conflict-marker",
        Severity.ERROR,
        "a merge was not finished here: these are the marks of a conflict"
        + (f", and {more} more follow" if more else ""),
        document.span(opens.start(), opens.end()),
        hint="keep one side or write both into one, and take the marks out",
        related=(Related("this conflict ends here", document.span(closes.start(), closes.end())),),
    )
