"""None of the keys that we made from the template matches the pattern that the server accepts.

Why: the caller follows the advice and gets a malformed key, and no page can show an example.
Instead: a template whose fixed characters and placeholders fit the pattern, or a wider pattern.
Source: key.format, tried with placeholders filled by digits, hexadecimal digits, letters and UUIDs of one to forty
characters; a key of another kind may match, which makes this a warning.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.accepting import PLACEHOLDER, accepts, fillings, matcher
from idempact.contract.case import Case
from idempact.contract.model.key import Key, Length, Pattern
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/template-outside-pattern"
SEVERITY = Severity.WARNING
DEPENDS = ("key.format", "key.length")


def check(case: Case) -> Iterator[Diagnostic]:
    """Try keys of each template with the pattern and the length."""
    key = case.settings.key
    if not isinstance(key.format, Pattern) or matcher(key.format.pattern) is None:
        return
    for name, template in (("event", key.derivation.event), ("request", key.derivation.request)):
        if (
            template is None
            or _too_long(template, key)
            or any(accepts(key, candidate) for candidate in fillings(template))
        ):
            continue
        yield case.finding(
            f"no key that we made from this template is accepted, as {next(fillings(template))}",
            "key",
            "derivation",
            name,
            hint="change the template, the pattern or the length",
            related=(case.related("the pattern", "key", "format"),),
        )


def _too_long(template: str, key: Key) -> bool:
    """Whether no key of the template is short enough, which is another rule's to tell."""
    return isinstance(key.length, Length) and len(PLACEHOLDER.sub("x", template)) > key.length.max
