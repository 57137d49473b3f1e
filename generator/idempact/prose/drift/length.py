"""A greatest or least length of a key, other than the contract's.

Why: A key that is built after the page is refused by the server, or cut off by a client that believes it.

Instead: Write the contract's length.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.model.key import Length
from idempact.prose.statement import Disagreement, Statement
from idempact.wording.measure import LENGTH, Amount, Measures

RULE = "prose/drift-length"
PASSES = (
    "A key has at most 255 characters.",
    "Keys are between 16 and 255 characters long.",
    "The description has at most 64 characters.",
    "密钥最长 255 个字符。",
    "Keys need at least 16 characters.",
    "The `note` field takes up to 500 characters, and the key goes into the header.",
)
FAILS = (
    "A key has at most 64 characters.",
    "The idempotency key is limited to 36 characters.",
    "密钥最长 64 个字符。",
    "Keys need at least 8 characters.",
    "Keys shorter than 20 characters are refused.",
)
_REACH = 90


def find(statement: Statement) -> Iterator[Disagreement]:
    """The bounds on a key's length that are none of the contract's."""
    lengths = [p.settings.key.length for p in statement.profiles]
    known = [length for length in lengths if isinstance(length, Length)]
    if len(known) < len(lengths):
        return
    seen: set[int] = set()
    for tongue in statement.tongues:
        for amount in tongue.lengths(statement.text):
            bound = _bound(statement.text, amount, tongue)
            wanted = {getattr(length, bound) for length in known} if bound else set()
            if amount.start in seen or not wanted or amount.value in wanted or _is_elses(statement, tongue, amount):
                continue
            seen.add(amount.start)
            said = " or ".join(map(str, sorted(wanted)))
            written = statement.written(amount.start, amount.end)
            message = f'"{written}" is not the {bound}imum{statement.whose}: the contract says {said}'
            yield Disagreement(amount.start, amount.end, message)


def _bound(text: str, amount: Amount, tongue: Measures) -> str:
    """Whether the amount is said to be the longest (max) or the shortest (min) of a key; empty where neither."""
    before = text[max(amount.start - _REACH, 0) : amount.start]
    around = f"{before}{LENGTH}{text[amount.end : amount.end + _REACH]}"
    if not tongue.topic.search(around) and not (tongue.ellipsis and tongue.ellipsis.search(text)):
        return ""
    if tongue.at_most.search(around):
        return "max"
    return "min" if tongue.at_least.search(around) else ""


def _is_elses(statement: Statement, tongue: Measures, amount: Amount) -> bool:
    """Whether the clause around the amount gives the length of something else."""
    clause = statement.text[slice(*statement.clause(amount.start, amount.end))]
    return bool(tongue.foreign and tongue.foreign.search(clause) and not tongue.topic.search(clause))
