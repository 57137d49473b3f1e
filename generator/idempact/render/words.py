"""Words: what each locale says under a message's key, with its values put in for one medium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path

from idempact.contract.units import Duration, Share, Text
from idempact.facts.messages import Message, Value
from idempact.render.literals import md_code, md_text
from idempact.text.dataclass import dataclass
from idempact.text.nodes import load, plain

LOCALES = "locales"
_PLACEHOLDER = re.compile(r"\{([a-z_]+)(?::([a-z]+))?\}")


@dataclass(frozen=True, slots=True)
class Medium:
    """How a value is shown: as text, and as code (the placeholder ``{name:code}``)."""

    text: Callable[[str], str]
    code: Callable[[str], str]


def _as_is(text: str) -> str:
    return text


PLAIN = Medium(_as_is, _as_is)
MARKDOWN = Medium(md_text, md_code)
# A description that readers see as Markdown or as text: only what must be copied letter by letter is set apart.
DESCRIPTION = Medium(_as_is, md_code)


class UnknownWords(LookupError):
    """A key, or a value of a text, that a locale doesn't have: a fault of ours or of a user's own words."""


@dataclass(frozen=True)
class Words:
    """One locale's texts by key."""

    locale: str
    texts: Mapping[str, str]
    medium: Medium = PLAIN

    @classmethod
    def load(cls, locale: str, roots: Sequence[Path], medium: Medium = PLAIN) -> Words:
        """The words of *locale* below the template *roots*, the first root wins key by key.

        Raises UnknownWords where no root has the locale, or where a file isn't a flat mapping from key to text.
        """
        texts: dict[str, str] = {}
        for root in reversed(roots):
            for path in sorted((root / LOCALES / locale).glob("*.yml")):
                texts.update(_texts(path))
        if not texts:
            raise UnknownWords(f"there are no words for the locale {locale!r}")
        return cls(locale, texts, medium)

    def on(self, medium: Medium) -> Words:
        """The same words for another medium."""
        return Words(self.locale, self.texts, medium)

    def say(self, what: Message | str, /, **values: Value) -> str:
        """The text of a message, or of a key with its values. Raises UnknownWords for what isn't there."""
        if isinstance(what, Message):
            return self.say(what.key, **dict(what.values))
        if what not in self.texts:
            raise UnknownWords(f"the locale {self.locale!r} has no words for {what!r}")

        def put(match: re.Match[str]) -> str:
            if match[1] not in values:
                raise UnknownWords(f"{what!r} asks for a value {match[1]!r} that it is not given")
            return self.shown(values[match[1]], code=match[2] == "code")

        return _PLACEHOLDER.sub(put, self.texts[what])

    def has(self, key: str) -> bool:
        """Whether there are words for *key*."""
        return key in self.texts

    def shown(self, value: Value, code: bool = False) -> str:
        """One value in the medium: a message by its words, a duration with its unit, a list with an *and*."""
        match value:
            case Message():
                return self.say(value)
            case tuple():
                return self._listed([self.shown(item, code) for item in value])
            case Duration() if value.unit == "ms" and value.ms > 1000 and not value.written:
                return self.texts["unit.s.other"].replace("{n}", f"{value.ms / 1000:g}")
            case Duration():
                form = "one" if value.count == 1 else "other"
                return self.texts[f"unit.{value.unit}.{form}"].replace("{n}", str(value.count))
            case Text():
                text = value.for_locale(self.locale)
                return self.medium.code(text) if code else self.medium.text(text)
            case Share() | Enum():
                return self.medium.text(str(value))
            case int() | float():
                return f"{value:g}" if isinstance(value, float) else str(value)
            case _:
                return self.medium.code(value) if code else self.medium.text(value)

    def _listed(self, items: Sequence[str]) -> str:
        if len(items) <= 1:
            return "".join(items)
        comma, last = self.texts["list.comma"], self.texts["list.last"]
        return comma.join(items[:-1]) + last + items[-1]

    def placeholders(self) -> Iterator[tuple[str, str]]:
        """Every key with each value that its text asks for."""
        for key, text in self.texts.items():
            for match in _PLACEHOLDER.finditer(text):
                yield key, match[1]


def _texts(path: Path) -> dict[str, str]:
    loaded = load(path)
    data = plain(loaded.value.root) if loaded.value is not None else None
    if not isinstance(data, dict) or not all(isinstance(text, str) for text in data.values()):
        problem = loaded.diagnostics[0].message if loaded.diagnostics else "a flat mapping from key to text is expected"
        raise UnknownWords(f"{path.name}: {problem}")
    return {key: str(text).rstrip("\n") for key, text in data.items()}
