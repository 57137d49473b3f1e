"""A text of the contract promises what no API can keep, as "exactly once".

Why: the contract's own words are shown on every page, beside a promise that is bounded by a window on purpose.
Instead: what the phrase's own advice says, as "effectively once within the replay window".
Source: the phrasebook of :mod:`idempact.wording`, which also lints pages; quotes of others' documents
are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.free_texts import free_texts
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.wording.match import match

RULE = "contract/overclaim"
SEVERITY = Severity.WARNING


def check(case: Case) -> Iterator[Diagnostic]:
    """Match each text, in each language, with the phrases."""
    for text, path in free_texts(case):
        for locale, words in text.locales:
            for hit in match(words):
                message = hit.phrase.message.replace("{words}", hit.words)
                place = (*path, locale) if locale else path
                yield case.finding(message, *place, hint=" ".join(hit.phrase.instead.split()))
