"""The key travels in a header that already means something else.

Why: proxies and clients act on such a header; a key in it is rewritten, dropped, or logged as a credential.
Instead: a header of its own, as Idempotency-Key.
Source: the fields of RFC 9110 and RFC 9111 have fixed meanings; the hop-by-hop ones are removed (RFC 9110, 7.6.1).
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import Carrier
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/colliding-header"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True
DEPENDS = ("key",)


_TAKEN = frozenset(
    {
        "accept",
        "accept-encoding",
        "authorization",
        "cache-control",
        "connection",
        "content-length",
        "content-type",
        "cookie",
        "date",
        "etag",
        "expect",
        "host",
        "if-match",
        "if-none-match",
        "keep-alive",
        "location",
        "proxy-authorization",
        "range",
        "retry-after",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
        "user-agent",
        "via",
        "www-authenticate",
    }
)


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for a header name that is taken."""
    key = case.settings.key
    if key.carrier is Carrier.HEADER and isinstance(key.name, str) and key.name.lower() in _TAKEN:
        yield case.finding(
            f"the header {key.name} has a meaning of its own in HTTP, so it can't carry the key",
            "key",
            "name",
            hint="use a header of its own, as Idempotency-Key",
        )
