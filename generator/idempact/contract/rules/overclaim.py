"""A text of the contract promises what no API can keep, as "exactly once".

Why: the contract's own words are shown on every page, beside a promise that is bounded by a window on purpose.
In a provider's words that is an error where nothing could make it true ("exactly once", "never charged twice"), and a
warning elsewhere, as in an observer's words and in the names of what others have built.
Instead: what the phrase's own advice says, as "effectively once within the replay window".
Source: the phrasebook of :mod:`idempact.wording`, which also lints pages; quotes of others' documents
are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from idempact.contract.case import Case
from idempact.contract.free_texts import free_texts
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.wording.match import Hit, match_alone

RULE = "contract/overclaim"
SEVERITY = Severity.WARNING
_IMPOSSIBLE = frozenset({"exactly-once", "never-duplicate", "only-once-promise"})
"""The phrases that no provider can make true, by whatever it builds: of its own words, an error."""
_NAMED = frozenset({"retry_chains", "external_effects"})
"""Fields that name what others have built, as "the exactly-once queue": their maker's word, and so a warning."""


def check(case: Case) -> Iterator[Diagnostic]:
    """Match each text, in each language, with the phrases."""
    for text, path in free_texts(case):
        for locale, words in text.locales:
            for hit in _apart(match_alone(words)):
                own = _impossible(hit) and not (case.contract.observed or _NAMED & {*path})
                weighed = replace(case, severity=Severity.ERROR) if own else case
                message = hit.phrase.message.replace("{words}", hit.words)
                place = (*path, locale) if locale else path
                yield weighed.finding(message, *place, hint=" ".join(hit.phrase.instead.split()))


def _impossible(hit: Hit) -> bool:
    return hit.phrase.id.rpartition("/")[2] in _IMPOSSIBLE


def _apart(hits: Iterable[Hit]) -> list[Hit]:
    """One hit for each stretch of words: the one that weighs most, and of those the one in the fewest words."""
    kept: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (not _impossible(hit), hit.end - hit.start, hit.start)):
        if all(hit.end <= other.start or other.end <= hit.start for other in kept):
            kept.append(hit)
    return sorted(kept, key=lambda hit: hit.start)
