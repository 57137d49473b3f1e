"""A status for one of the key's answers, other than the contract's.

Why: Client code is written after the page. A client that waits for a 409 treats the 422 that comes as a fault of its
own, or the other way round retries what can't succeed.

Instead: Write the contract's status for that answer.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from idempact.prose.statement import Disagreement, Statement

RULE = "prose/drift-status"
PASSES = (
    "A key that comes with a different body gets 422.",
    "While the first request is still in progress, the same key gets 409.",
    "If the key is missing, the API answers 400.",
    "相同的键而请求体不同时返回 422。",
    "Retry a keyed request on 503 after the wait.",
    "`idempotency_key_reused` comes with 422.",
    "Resend after a 503, or while the first request with the key is still in flight.",
    "| Retried, with or without a key | 429 |",
)
FAILS = (
    "A key that comes with a different body gets 409.",
    "While the first request is still in progress, the same key gets 425.",
    "If the key is missing, the API answers `428`.",
    "相同的键而请求体不同时返回 409。",
    "`idempotency_key_reused` comes with 409.",
    "When the store of the keys is down, the API answers 500.",
)
_STATUS = re.compile(
    r"(?<![\w.,/#-])[45][0-9]{2}(?![\w/-]|\.[0-9]|,[0-9]| ?(?:ms|seconds?|characters?|bytes?|requests?|times)\b)",
    re.ASCII,
)
_BEFORE = re.compile(r"(?:\b(?:after|upon|on) (?:[a-z ]{1,20} or )?(?:an? |the )?(?:http )?|收到 ?)\Z")
_CLAUSE = re.compile(
    r"[;:|]|, (?:and|while|but|if)\b|\band (?=[^.;]{0,60}[45][0-9]{2})|[,、](?=[^。;]{0,30}[45][0-9]{2})"
)


def find(statement: Statement) -> Iterator[Disagreement]:
    """The statuses that a clause gives to one answer, and the contract doesn't."""
    if statement.status and not _STATUS.search(statement.text):
        yield from _in_response(statement, int(statement.status))
    begin = 0
    for end in (*_breaks(statement.text), len(statement.text)):
        yield from _in_clause(statement, begin, end)
        begin = end


def _in_response(statement: Statement, status: int) -> Iterator[Disagreement]:
    """What the description of a response says that it means, where the contract gives that another status."""
    named, allowed = _by_code(statement, statement.text) or _by_words(statement, statement.text)
    if not allowed or status in allowed:
        return
    said = " or ".join(map(str, sorted(allowed)))
    text = statement.text.rstrip()
    message = f"{status} is not the status of {named}{statement.whose}: the contract says {said}"
    yield Disagreement(len(text) - len(text.lstrip()), len(text), message)


def _breaks(text: str) -> Iterator[int]:
    """Where the sentence falls into clauses that each name a status; at a semicolon always."""
    starts = [found.start() for found in _STATUS.finditer(text)]
    begin = 0
    for found in _CLAUSE.finditer(text):
        before = bisect_left(starts, begin) < bisect_left(starts, found.start()) or _ends_with_status(
            text, found.start()
        )
        if found.group() == ";" or (before and starts and starts[-1] >= found.end()):
            yield found.end()
            begin = found.end()


def _ends_with_status(text: str, end: int) -> bool:
    """Whether a status stands right before the break: "409,422" are two of them there, and else one number."""
    return end >= 3 and bool(_STATUS.fullmatch(text, end - 3, end))


def _in_clause(statement: Statement, begin: int, end: int) -> Iterator[Disagreement]:
    clause = statement.text[begin:end]
    found = [m.span() for m in _STATUS.finditer(clause) if not _is_met(statement, clause, m)]
    if not found:
        return
    named, allowed = _by_code(statement, clause) or _by_words(statement, clause)
    if not allowed or any(int(clause[a:b]) in allowed for a, b in found):
        return
    said = " or ".join(map(str, sorted(allowed)))
    for a, b in found:
        message = f"{clause[a:b]} is not the status of {named}{statement.whose}: the contract says {said}"
        yield Disagreement(begin + a, begin + b, message)


def _is_met(statement: Statement, clause: str, status: re.Match[str]) -> bool:
    """Whether a status is one that a client repeats on, and is named as what came before: "after a 503"."""
    if not _BEFORE.search(clause, max(status.start() - 24, 0), status.start()):
        return False
    classes = (kind for p in statement.profiles for kind in (p.settings.retry.throttled, p.settings.retry.transient))
    return int(status.group()) in {code for kind in classes for code in kind.statuses}


def _by_code(statement: Statement, clause: str) -> tuple[str, frozenset[int]] | None:
    """The one code of the contract that the clause names, and its statuses."""
    codes = [code for code in statement.facts.codes if re.search(rf"(?<![\w-]){re.escape(code.code)}(?![\w-])", clause)]
    return (codes[0].code, frozenset(codes[0].statuses)) if len(codes) == 1 else None


def _by_words(statement: Statement, clause: str) -> tuple[str, frozenset[int]]:
    """The one answer that the clause describes, and the statuses that the contract gives it."""
    described = {name for m in statement.tongues for name, words in m.outcomes.items() if words.search(clause)}
    if len(described) != 1:
        return "", frozenset()
    name = described.pop()
    answers = [outcome for profile in statement.profiles if (outcome := profile.outcome(name)) is not None]
    return name.replace("_", " "), frozenset(status for answer in answers for status in answer.statuses)
