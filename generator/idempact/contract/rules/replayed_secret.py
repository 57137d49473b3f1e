"""A header that holds a secret is stored and replayed.

Why: whoever comes with the same key then gets a session or a token that was meant for the first answer alone, and it
lies in the store of keys for as long as the record does.
Instead: leave such headers out of replay.headers; a repeat gets new ones, or none. Secret members of the body belong
into replay.omits: which members are secret can't be seen from a contract, so only headers are looked at.
Source: Set-Cookie, RFC 6265, section 4.1; Authentication-Info, RFC 9110, section 11.6.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.replay import Fidelity
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.pattern import regex

RULE = "contract/replayed-secret"
SEVERITY = Severity.WARNING
FACTS = True
_SECRET = regex(
    r"(?:set-)?cookie2?|(?:proxy-)?authorization|(?:proxy-)?authentication-info"
    r"|.*\b(?:token|secret|password|session|credentials?|csrf|xsrf|api-?key|jwt)\b.*",
    re.IGNORECASE,
)


def check(case: Case) -> Iterator[Diagnostic]:
    """Read the names of the replayed headers."""
    replay = case.settings.replay
    if isinstance(replay.headers, NotDocumented) or replay.fidelity is Fidelity.ERROR:
        return
    for index, name in enumerate(replay.headers):
        if _SECRET.fullmatch(name):
            yield case.finding(
                f"the header {name} holds a secret, and is stored and given to whoever repeats the key",
                *case.item("replay", "headers", str(index)),
                hint=f"leave {name} out of replay.headers",
            )
