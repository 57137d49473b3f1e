"""The free texts of a contract, which readers see: each with the path of its field."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.dotted import Path
from idempact.contract.model.key import RequiredWhen, Session
from idempact.contract.units import NotDocumented, Text


def free_texts(case: Case) -> Iterator[tuple[Text, Path]]:
    """The texts of the case's settings; above the operations, those that stand once in the contract, too."""
    yield from _settings(case)
    if case.operation is None:
        yield from _whole(case)


def _settings(case: Case) -> Iterator[tuple[Text, Path]]:
    settings, window = case.settings, case.settings.windows.replay
    if not isinstance(window, NotDocumented) and window.advertised is not None:
        yield window.advertised, ("windows", "replay", "advertised")
    if isinstance(settings.key.required, RequiredWhen):
        yield settings.key.required.when, ("key", "required")
    for index, part in enumerate(() if isinstance(settings.scope, NotDocumented) else settings.scope):
        if isinstance(part, Session):
            yield part.meaning, ("scope", str(index))
    chains = settings.windows.retry_chains
    for index, chain in enumerate(() if isinstance(chains, NotDocumented) else chains):
        yield chain.name, ("windows", "retry_chains", str(index), "name")


def _whole(case: Case) -> Iterator[tuple[Text, Path]]:
    contract = case.contract
    if not isinstance(contract.api.name, NotDocumented):
        yield contract.api.name, ("api", "name")
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
