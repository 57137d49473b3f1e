"""Errors have a media type of the API's own, and no example shows their form.

Why: pages, OpenAPI and the sandbox can't show or send an error body that nobody has written down.
Instead: errors.example, with {code}, {title} and {status} where they stand.
Source: RFC 9457 gives application/problem+json its form; any other media type says nothing of the body.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/media-type-without-example"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
DEPENDS = ("errors.example",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a media type whose body nobody shows."""
    errors = case.settings.errors
    if isinstance(errors.media_type, NotDocumented) or errors.example is not None:
        return
    if errors.media_type.lower() not in ("application/problem+json", "application/problem+xml"):
        yield case.finding(
            f"errors are {errors.media_type}, but no example shows what one looks like",
            "errors",
            "media_type",
            hint='add an example, as {error: {code: "{code}", message: "{title}"}}',
        )
