"""The phrases and tongues that ship: read once from their folders, refused at once where one is incomplete.

A phrase file (``phrases/<id>.yml``) is a rule: what must not be said, in each language, why, what to say instead, and
sentences that pass and fail. A tongue file (``tongues/<language>.yml``) says how that language makes a claim honest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping as Lookup
from functools import cache, cached_property

from idempact.resources.place import Path
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Severity
from idempact.text.nodes import Keep, Mapping, Node, Plain, Skipped, compose, load, plain
from idempact.text.pattern import regex
from idempact.text.span import Document
from idempact.wording import laid_out
from idempact.wording.fold import bare

HIT = "\ue000"
"""Stands for the found phrase where a tongue's patterns say ``<hit>``."""

_HERE = Path(__file__).parent
_TEXTS = ("title", "message", "severity", "why", "instead")
_LISTS = ("patterns", "triggers", "passes", "fails")
_PARTS = (
    *("marks", "not_denials", "denials", "denied_inside", "offers", "breaks_before", "breaks_after", "afterwards"),
    *("durations", "keys"),
)
# A quantifier without an upper bound, and a group that is repeated: with neither, and with every bound small, the work
# at one place of the text has a ceiling, so matching takes time in proportion to the text.
_UNBOUNDED = regex(r"(?<!\\)(?:[*+]|\{[0-9]*,\})")
_REPEATED_GROUP = regex(r"(?<!\\)\)[{*+]")
_STRUCTURE = regex(r"\{[0-9]{1,4}(?:,([0-9]{1,4}))?\}|[(|)]")
_CLASS = regex(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]")
_MAX_WORK = 40_000
_TAIL = 8
_WORDS = regex(r"<([a-z-]+)>")


@dataclass(frozen=True, slots=True)
class Wordings:
    """One phrase in one language: its patterns, and the sentences that prove them.

    A text in which none of the ``triggers`` (folded words) stands holds no match of the pattern.
    """

    language: str
    pattern: re.Pattern[str]
    triggers: tuple[str, ...]
    passes: tuple[str, ...]
    fails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Phrase:
    """One thing that must not be said. ``id`` is the rule's id, ``message`` has a place for ``{words}``.

    Excuses named in ``despite`` don't clear it: "must be set exactly once" is a rule of syntax, "must ensure" is none.
    Where it overlaps with a rule that it ``yields`` to, that one alone tells what both say.
    """

    id: str
    title: str
    message: str
    severity: Severity
    why: str
    instead: str
    despite: tuple[str, ...]
    yields: tuple[str, ...]
    wordings: tuple[Wordings, ...]


@dataclass(frozen=True, slots=True)
class Tongue:
    """How one language denies, bounds or otherwise excuses a claim; ``marks`` show that a text is written in it."""

    language: str
    marks: re.Pattern[str]
    not_denials: re.Pattern[str]
    denials: re.Pattern[str]
    denied_inside: re.Pattern[str]
    offers: re.Pattern[str]
    breaks_before: re.Pattern[str]
    breaks_after: re.Pattern[str]
    afterwards: re.Pattern[str]
    durations: re.Pattern[str]
    keys: re.Pattern[str]
    excuses: tuple[tuple[str, re.Pattern[str]], ...]


class Incomplete(ValueError):
    """A shipped phrase or tongue lacks something, or has a pattern that could take too long."""


@cache
def phrases() -> tuple[Phrase, ...]:
    """Every phrase, sorted by id. Raises :class:`Incomplete` for a file that isn't whole."""
    return tuple(map(read_phrase, phrase_files()))


@cache
def triggers() -> Lookup[str, tuple[tuple[Path, str], ...]]:
    """Every trigger of every phrase, folded, with the phrase files and the languages that list it.

    Nothing else of the files is read: most texts hold no trigger, and need no pattern to be compiled. Raises
    :class:`Incomplete` for a file without triggers.
    """
    out: dict[str, list[tuple[Path, str]]] = {}
    for path in phrase_files():
        for language, listed in (triggers_at_a_glance(path) or _triggers_of(path)).items():
            for trigger in listed:
                out.setdefault(bare(trigger), []).append((path, language))
    return {trigger: tuple(places) for trigger, places in out.items()}


@cache
def text_of(path: Path) -> str:
    """The text of a shipped file, which is read once, however many parts of it are asked for."""
    return path.read_text(encoding="utf-8")


def triggers_at_a_glance(path: Path) -> dict[str, tuple[str, ...]] | None:
    """A phrase file's triggers by language, where each list stands on one line; None where one is written otherwise."""
    return laid_out.triggers(text_of(path))


def quoted_list(path: Path, listed: str) -> tuple[str, ...]:
    """The texts of a list on one line, each in single quotes, in comparable spelling; else :class:`Incomplete`."""
    found = laid_out.quoted_items(listed)
    if found is None:
        raise Incomplete(f"{path.name}: {listed!r} is no list of texts in single quotes on one line")
    return tuple(map(bare, found))


def head_of(path: Path) -> str:
    """The part of a phrase file that is the same for all languages."""
    return text_of(path).partition("\nlanguages:\n")[0] + "\n"


def _triggers_of(path: Path) -> dict[str, tuple[str, ...]]:
    languages = read_fields(path, _leads_to_triggers).get("languages")
    if not isinstance(languages, dict):
        raise Incomplete(f"{path.name}: languages are missing")
    return {
        language: taken_list(path, dict(entry) if isinstance(entry, dict) else {}, "triggers")
        for language, entry in languages.items()
    }


def _leads_to_triggers(path: tuple[str, ...]) -> bool:
    return path[0] == "languages" and (len(path) < 3 or path[2] == "triggers")


@cache
def phrase_files() -> tuple[Path, ...]:
    """The rules' files, sorted."""
    return tuple(sorted((_HERE / "phrases").glob("*.yml")))


@cache
def tongues() -> tuple[Tongue, ...]:
    """Every tongue, sorted by language. Raises :class:`Incomplete` for a file that isn't whole."""
    return tuple(read_tongue(path) for path in sorted((_HERE / "tongues").glob("*.yml")))


@cache
def read_phrase(path: Path) -> Phrase:
    """The phrase in the file at *path*."""
    fields = read_fields(path)
    languages = fields.pop("languages", None)
    if not isinstance(languages, dict) or not languages:
        raise Incomplete(f"{path.name}: languages are missing")
    return _phrase(path, fields, tuple(_wordings(path, *one) for one in sorted(languages.items())))


@cache
def read_heading(path: Path) -> Phrase:
    """The phrase in the file at *path* without its wordings, which it takes longer to read than all the rest."""
    return _phrase(path, read_fields(path, text=head_of(path)), ())


def _phrase(path: Path, fields: dict[str, Plain], wordings: tuple[Wordings, ...]) -> Phrase:
    texts = {name: _text(path, fields, name) for name in _TEXTS}
    if "{words}" not in texts["message"]:
        raise Incomplete(f"{path.name}: the message has no place for {{words}}")
    despite = taken_list(path, fields, "despite") if "despite" in fields else ()
    yields = taken_list(path, fields, "yields") if "yields" in fields else ()
    if unknown := set(yields) - {rule_id(one) for one in phrase_files()}:
        raise Incomplete(f"{path.name}: yields to what is no rule: {', '.join(sorted(unknown))}")
    fields.pop("claims", None)  # claims.py reads them, and refuses what is none
    if fields:
        raise Incomplete(f"{path.name}: wants {', '.join(_TEXTS)} and languages; left over: {sorted(fields)}")
    severity = Severity(texts.pop("severity"))
    return Phrase(rule_id(path), severity=severity, despite=despite, yields=yields, wordings=wordings, **texts)


def rule_id(path: Path) -> str:
    """The id of the rule in a phrase file: ``prose/`` and the file's name with hyphens."""
    return f"prose/{path.stem.replace('_', '-')}"


@dataclass(frozen=True)
class Sought:
    """What is looked for of one phrase in one language (``spelled``), and the excuses that don't clear it."""

    path: Path
    language: str
    spelled: tuple[str, ...]
    despite: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The alternatives as one pattern, compiled once it is asked for."""
        return _joined(self.path.name, self.spelled)

    def alone(self, n: int) -> re.Pattern[str]:
        """One of the alternatives as a pattern of its own."""
        return _alone(self.path.name, self.spelled[n])


@cache
def sought(path: Path, language: str) -> Sought:
    """What to look for; the rest of the phrase is read by :func:`read_phrase` once it is found."""
    text = text_of(path)
    patterns, despite = laid_out.patterns(text, language), laid_out.despite(text.partition("\nlanguages:\n")[0])
    if patterns is None or despite is None:
        patterns, despite = _sought_in_full(path, language)
    words = _words(language) if _WORDS.search("".join(patterns)) else {}
    return Sought(path, language, spelled(path.name, patterns, words), despite)


def _sought_in_full(path: Path, language: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The patterns of a phrase in one language, and the excuses that don't clear it."""
    way = ("languages", language, "patterns")
    fields = read_fields(path, lambda place: place[0] == "despite" or place[:3] == way[: len(place)])
    languages = fields.get("languages")
    entry = languages.get(language) if isinstance(languages, dict) else None
    patterns = taken_list(path, dict(entry) if isinstance(entry, dict) else {}, "patterns")
    return patterns, taken_list(path, fields, "despite") if "despite" in fields else ()


def read_tongue(path: Path) -> Tongue:
    """The tongue in the file at *path*; its language is the file's name."""
    fields = read_fields(path)
    words = _groups(path, fields)
    parts = {name: compiled(path.name, taken_list(path, fields, name), words) for name in _PARTS}
    excuses = fields.pop("excuses", None)
    if fields or not isinstance(excuses, dict):
        raise Incomplete(
            f"{path.name}: wants {', '.join(_PARTS)} and excuses, nothing else; left over: {sorted(fields)}"
        )
    named = {str(name): compiled(path.name, taken_list(path, dict(excuses), str(name)), words) for name in excuses}
    return Tongue(path.stem, excuses=tuple(sorted(named.items())), **parts)


def compiled(where: str, patterns: tuple[str, ...], words: Lookup[str, str] | None = None) -> re.Pattern[str]:
    """The alternatives, spelled as :func:`spelled` does, as one pattern for folded text. Raises :class:`Incomplete`."""
    return _joined(where, spelled(where, patterns, words))


def spelled(where: str, patterns: tuple[str, ...], words: Lookup[str, str] | None = None) -> tuple[str, ...]:
    """The alternatives in full, for folded text. Raises :class:`Incomplete` for one that could take too long.

    ``<name>`` stands for one of the *words* of that name.
    """
    known = {"hit": HIT, **(words or {})}
    whole: list[str] = []
    for pattern in patterns:
        missing = [name for name in _WORDS.findall(pattern) if name not in known]
        if missing:
            raise Incomplete(f"{where}: {pattern!r} names words that its language doesn't have: {', '.join(missing)}")
        full = _WORDS.sub(lambda m: known[m.group(1)], bare(pattern))
        plainest = _CLASS.sub("x", full)
        if _UNBOUNDED.search(plainest) or _REPEATED_GROUP.search(plainest) or _work(plainest) > _MAX_WORK:
            raise Incomplete(f"{where}: {pattern!r} repeats too much; use bounds, and repeat no group")
        whole.append(full)
    return tuple(whole)


@cache
def _alone(where: str, pattern: str) -> re.Pattern[str]:
    return _joined(where, (pattern,))


def _joined(where: str, patterns: tuple[str, ...]) -> re.Pattern[str]:
    """ASCII word boundaries: a Latin phrase that touches a Chinese character still ends there."""
    try:
        return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.ASCII)
    except re.error as error:
        raise Incomplete(f"{where}: {error}") from error


def _work(pattern: str) -> int:
    """In how many ways the pattern can match at one place: bounds in a row multiply, of alternatives the worst counts.

    Alternatives that begin with different words don't match at one place together. A short bound is the tail of a word,
    which the end of the word decides; it counts as two.
    """
    outer: list[tuple[int, int]] = []
    worst, product = 0, 1
    for match in _STRUCTURE.finditer(pattern):
        token = match.group()
        if token == "(":
            outer.append((worst, product))
            worst, product = 0, 1
        elif token == "|":
            worst, product = max(worst, product), 1
        elif token == ")" and outer:
            inner = max(worst, product)
            worst, product = outer.pop()
            product *= inner
        elif token[0] == "{":
            bound = int(match.group(1) or 1)
            product *= bound + 1 if bound > _TAIL else 2
    return max(worst, product)


@cache
def _words(language: str) -> Lookup[str, str]:
    """A language's groups of words, as patterns by name; none for a language without a tongue."""
    path = _HERE / "tongues" / f"{language}.yml"
    return _groups(path, read_fields(path, lambda place: place[0] == "words")) if path.is_file() else {}


def _groups(path: Path, fields: dict[str, Plain]) -> Lookup[str, str]:
    """Take the groups of words out of a tongue's fields; each is one pattern of alternatives."""
    groups = fields.pop("words", {})
    if not isinstance(groups, dict):
        raise Incomplete(f"{path.name}: words wants lists by name")
    lists = {str(name): taken_list(path, dict(groups), str(name)) for name in groups}
    return {name: f"(?:{'|'.join(map(bare, words))})" for name, words in lists.items()}


def read_fields(path: Path, keep: Keep | None = None, text: str | None = None) -> dict[str, Plain]:
    """The members of the file, or of its part *text*; where *keep* says no, what is no scalar is left out.

    Raises :class:`Incomplete` for a file that can't be read.
    """
    checked = load(path, path.name, keep) if text is None else compose(Document(path.name, text), keep)
    if checked.value is None:
        raise Incomplete("; ".join(d.message for d in checked.diagnostics))
    fields = _kept(checked.value.root)
    if not isinstance(fields, dict):
        raise Incomplete(f"{path.name}: a mapping is wanted")
    return fields


def _kept(node: Node | None) -> Plain:
    if not isinstance(node, Mapping):
        return plain(node)
    return {entry.key.value: _kept(entry.value) for entry in node.entries if not isinstance(entry.value, Skipped)}


def _text(path: Path, fields: dict[str, Plain], name: str) -> str:
    value = fields.pop(name, None)
    if not isinstance(value, str) or not value.strip():
        raise Incomplete(f"{path.name}: {name} is missing")
    return value.strip()


def taken_list(path: Path, fields: dict[str, Plain], name: str) -> tuple[str, ...]:
    """The list of texts that is called *name*, taken out of *fields*; :class:`Incomplete` where there is none."""
    value = fields.pop(name, None)
    if not isinstance(value, list) or not value or not all(isinstance(item, str) and item for item in value):
        raise Incomplete(f"{path.name}: {name} wants a list of texts")
    return tuple(str(item) for item in value)


def _wordings(path: Path, language: str, entry: Plain) -> Wordings:
    if not isinstance(entry, dict) or set(entry) != set(_LISTS):
        raise Incomplete(f"{path.name}: {language} wants {', '.join(_LISTS)}")
    lists = {name: taken_list(path, dict(entry), name) for name in _LISTS}
    pattern = compiled(path.name, lists["patterns"], _words(language))
    triggers = tuple(bare(trigger) for trigger in lists["triggers"])
    return Wordings(language, pattern, triggers, lists["passes"], lists["fails"])
