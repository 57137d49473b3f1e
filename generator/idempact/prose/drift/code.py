"""A machine code of the key's answers that the contract doesn't have.

Why: Clients compare codes letter by letter. A branch for a code that never comes is never taken.

Instead: Write one of the contract's codes; `idempact check` and the errors page list them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from idempact.contract.model.key import Carrier
from idempact.contract.units import NotDocumented
from idempact.prose.statement import Disagreement, Statement

RULE = "prose/drift-code"
PASSES = (
    "The code `idempotency_key_reused` means that the key came with another request.",
    "Store the value in a column `idempotency_key`.",
    "The member `idempotency_key` names it.",
)
FAILS = (
    "The code `idempotency_key_reuse` means that the key came with another request.",
    "The API answers with the error `idempotency_conflict`.",
    "You get `idempotency_conflict` when the body differs.",
    "请求体不同时会收到 `idempotency_conflict`。",
    "| Another request | 422 `idempotency_conflict` |",
)
_CODE = re.compile(r"(?<![\w./-])[a-z0-9]{0,20}_?idempoten(?:cy|t)(?:_[a-z0-9]{1,24}){1,6}(?![\w/(=-]|\.\w)", re.ASCII)
_SPOKEN = re.compile(
    r"\b(?:errors?|codes?|answers?|returns?|status|fails?|rejected|[45][0-9]{2})\b"
    r"|\b(?:you(?:'ll| will)?|clients?|callers?) (?:gets?|receives?|sees?)\b|收到|受け取|받(?:는|습)|\bsie erhalten\b"
    r"|\bvous (?:recevez|obtenez)\b|\b(?:recibes?|recebe)\b|错误|返回|代码|エラー|오류|fehler|erreur|erro\b"
)
_SANDBOX = re.compile(r"\bsandbox(?:es)?\b|沙箱")
# What a key itself is called in bodies, queries and tables is a name, no code.
_NOUNS = frozenset({"idempotency_key", "idempotency_keys", "idempotency_token", "idempotency_id", "idempotent_key"})


def find(statement: Statement) -> Iterator[Disagreement]:
    """The names that read as a code of ours, in a sentence about errors, and are none."""
    if "idempoten" not in statement.text or not _SPOKEN.search(statement.text) or _SANDBOX.search(statement.text):
        return
    codes = {code.code for code in statement.facts.codes}
    if not codes or statement.bygone:
        return
    known = {code.casefold() for code in codes} | _names(statement) | _NOUNS
    for found in _CODE.finditer(statement.text):
        if found.group() in known:
            continue
        near = get_close_matches(found.group(), sorted(codes), 1, 0.85)
        written = statement.written(*found.span())
        message = f'the contract has no code "{written}"' + (f"; did you mean {near[0]}?" if near else "")
        yield Disagreement(*found.span(), message, near[0] if near and statement.replaces(near[0]) else None)


def _names(statement: Statement) -> set[str]:
    """What the contract calls the key in a body, a query or elsewhere."""
    names: set[str] = set()
    for profile in statement.profiles:
        key = profile.settings.key
        if not isinstance(key.name, NotDocumented) and key.carrier is not Carrier.HEADER:
            names.add(key.name.rpartition("/")[2].casefold())
        if not isinstance(key.also, NotDocumented):
            names |= {other.name.rpartition("/")[2].casefold() for other in key.also}
    return names
