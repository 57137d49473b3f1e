"""The key templates of a contract, and what the names of their placeholders say."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.dotted import Path
from idempact.text.dataclass import dataclass
from idempact.text.pattern import regex

_PLACEHOLDER = regex(r"\{([^{}]*)\}")
_WORD = regex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
NAMING = frozenset({"id", "ids", "uuid", "guid", "no", "ref", "reference", "code", "key", "hash", "digest", "sha"})
"""Last words of a name that stands for a thing by an identifier, as {price_id} does."""


@dataclass(frozen=True, slots=True)
class Placeholder:
    """One placeholder: its name, the words in it, and the path of the template that holds it."""

    name: str
    words: tuple[str, ...]
    path: Path

    @property
    def identifier(self) -> bool:
        """Whether it is an identifier of something, and not the thing itself."""
        spelled = [word for word in self.words if not word.isdigit()]
        return bool(spelled) and spelled[-1] in NAMING


def placeholders(case: Case) -> Iterator[Placeholder]:
    """Every placeholder of the case's key templates; above the operations, those of the keys sent downstream, too."""
    for path, template in _templates(case):
        for name in _PLACEHOLDER.findall(template):
            yield Placeholder(name, tuple(word.lower() for word in _WORD.findall(name)), path)


def _templates(case: Case) -> Iterator[tuple[Path, str]]:
    derivation = case.settings.key.derivation
    for name, template in (("event", derivation.event), ("request", derivation.request)):
        if template is not None:
            yield ("key", "derivation", name), template
    if case.operation is not None:
        return
    for operation in case.contract.operations:
        for index, effect in enumerate(operation.external_effects):
            if effect.downstream_key is not None:
                path = ("operations", str(operation.key), "external_effects", str(index), "downstream_key")
                yield path, effect.downstream_key
