"""A key, or what else travels by name, has a name that its carrier can't have.

Why: generated clients would send a request that servers or proxies refuse or rewrite.
Instead: a token in headers, a plain name in queries, a member's name or a JSON Pointer in bodies.
Source: RFC 9110, section 5.1 (header names); RFC 6901 (JSON Pointer); RFC 3986, section 3.4 (queries); the gRPC
protocol's Custom-Metadata (lower case letters, digits, _ - .); the GraphQL specification, section 2.1.9 (names).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import Carrier
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unusable-name"
SEVERITY = Severity.ERROR
DEPENDS = ("key", "retry.retry_after", "retry.server_hint", "replay.indicator")


_PATTERNS = {
    "header": (r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", "letters, digits and !#$%&'*+.^_`|~- (RFC 9110)"),
    "metadata": (r"[0-9A-Za-z_.-]+", "letters, digits, _, - and . (sent in lower case)"),
    "query": (r"[^\s&=#?+%/]+", "a name without spaces and & = # ? + % /"),
    "directive": (r"@?[_A-Za-z]\w*(\.[_A-Za-z]\w*)?", "a directive, or directive.argument, as idempotent.key"),
    "body": (r"(/([^~/]|~[01])*)+|[^/\s][^/]*", "a member's name, or a JSON Pointer such as /meta/key"),
}


def check(case: Case) -> Iterator[Diagnostic]:
    """Match each name with what its carrier allows."""
    for what, carrier, name, path in _names(case):
        pattern, allowed = _PATTERNS[carrier]
        if re.fullmatch(pattern, name) is None:
            yield case.finding(f"{name!r} can't be the name of {what} in a {carrier}", *path, hint=f"write {allowed}")


def _names(case: Case) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    key, retry, indicator = case.settings.key, case.settings.retry, case.settings.replay.indicator
    if not isinstance(key.name, NotDocumented):
        yield "the key", key.carrier.value, key.name, ("key", "name")
    for index, other in enumerate(() if isinstance(key.also, NotDocumented) else key.also):
        yield "the key", other.carrier.value, other.name, ("key", "also", str(index), "name")
    sent = key.first_sent
    if sent is not None and not isinstance(sent, NotDocumented):
        yield "the first attempt's time", sent.carrier.value, sent.name, ("key", "first_sent", "name")
    if indicator is not None and not isinstance(indicator, NotDocumented):
        yield "the replay indicator", indicator.carrier.value, indicator.name, ("replay", "indicator", "name")
    if retry.retry_after is not None:
        yield "the wait", retry.retry_after.carrier.value, retry.retry_after.name, ("retry", "retry_after", "name")
    if retry.server_hint is not None:
        yield "the hint", retry.server_hint.carrier.value, retry.server_hint.name, ("retry", "server_hint", "name")


assert set(_PATTERNS) == {carrier.value for carrier in Carrier}
