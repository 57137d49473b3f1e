"""A text of the contract promises what no API can keep, as "exactly once".

Why: the contract's own words are shown on every page, beside a promise that is bounded by a window on purpose.
Instead: what the phrase's own advice says, as "effectively once within the replay window".
Source: the phrasebook of :mod:`idempact.wording`, which also lints pages; quotes of others' documents
are not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.key import RequiredWhen, Session
from idempact.contract.units import NotDocumented, Text
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.wording.match import match

RULE = "contract/overclaim"
SEVERITY = Severity.WARNING


def check(case: Case) -> Iterator[Diagnostic]:
    """Match each text, in each language, with the phrases."""
    for text, path in (*_settings(case), *(_whole(case) if case.operation is None else ())):
        for locale, words in text.locales:
            for hit in match(words):
                message = hit.phrase.message.replace("{words}", hit.words)
                place = (*path, locale) if locale else path
                yield case.finding(message, *place, hint=" ".join(hit.phrase.instead.split()))


def _settings(case: Case) -> Iterator[tuple[Text, tuple[str, ...]]]:
    settings = case.settings
    if isinstance(settings.key.required, RequiredWhen):
        yield settings.key.required.when, ("key", "required")
    for index, part in enumerate(() if isinstance(settings.scope, NotDocumented) else settings.scope):
        if isinstance(part, Session):
            yield part.meaning, ("scope", str(index))
    chains = settings.windows.retry_chains
    for index, chain in enumerate(() if isinstance(chains, NotDocumented) else chains):
        yield chain.name, ("windows", "retry_chains", str(index), "name")


def _whole(case: Case) -> Iterator[tuple[Text, tuple[str, ...]]]:
    contract = case.contract
    for operation in contract.operations:
        place = ("operations", str(operation.key))
        own = [("because", operation.because), ("instead", operation.instead)]
        yield from ((text, (*place, name)) for name, text in own if text is not None)
        for index, effect in enumerate(operation.external_effects):
            yield effect.name, (*place, "external_effects", str(index), "name")
    for section, items in (
        ("changes", [c.text for c in contract.changes]),
        ("notes", [n.text for n in contract.notes]),
    ):
        yield from ((text, (section, str(i), "text")) for i, text in enumerate(items) if text is not None)
