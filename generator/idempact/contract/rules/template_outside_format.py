"""A key that is made from the template has characters or a form that the server refuses.

Why: the caller follows the advice and gets a malformed key.
Instead: a template within the format, or a format that allows names; a uuid format takes the name's UUIDv5.
Source: RFC 3986, section 2.3 (URL-safe characters); RFC 9562, section 5.5 (a UUID made from a name is version 5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import KeyFormat
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/template-outside-format"
SEVERITY = Severity.ERROR
DEPENDS = ("key.format",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Match the template's own characters, and the version of a UUID made from a name, with the format."""
    key = case.settings.key
    for name in ("event", "request"):
        template: str | None = getattr(key.derivation, name)
        if template is None:
            continue
        why = _why(key.format, re.sub(r"\{[^{}]*\}", "", template))
        if why:
            yield case.finding(
                f"a key made from this template is refused: {why}",
                "key",
                "derivation",
                name,
                hint="change the template or the format",
                related=(case.related("the format", "key", "format"),),
            )


def _why(form: object, literal: str) -> str:
    if form is KeyFormat.URL_SAFE and not re.fullmatch(r"[A-Za-z0-9_.~-]*", literal):
        return "it holds characters that the format url-safe doesn't allow"
    if form is KeyFormat.VISIBLE_ASCII and " " in literal:
        return "a space isn't a visible character"
    if form in (KeyFormat.UUID_V4, KeyFormat.UUID_V7):
        return f"a UUID made from a name is a uuid-v5, and the server takes {form} only"
    return ""
