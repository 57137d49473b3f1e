"""The quick looks lose no finding: what they leave unread, or unsearched, holds none.

A lint in full reads every block, looks for every trigger, and searches every phrase and claim of those that are there.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Set
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from idempact.prose import lint as linting
from idempact.prose.lint import findings
from idempact.text.span import Document
from idempact.wording import match as matching
from idempact.wording.claims import claims, idea, ideas, inner_triggers, languages_with_ideas, triggers_of_ideas
from idempact.wording.fold import fold
from idempact.wording.needs import Vocabulary, met, needs
from idempact.wording.phrasebook import phrase_files, phrases, sought, spelled, triggers
from idempact.wording.possible import Claims, Phrasing, Possible
from idempact.wording.scan import every_trigger

# The places in foreign files are a table of another form.
_TABLES = [path for path in sorted(Path(__file__).parent.glob("*.tsv")) if path.stem != "specs"]


def _everything(words: Set[str], present: frozenset[str], languages: Collection[str] | None) -> Possible:
    said = (sought(p, w.language) for p, one in zip(phrase_files(), phrases(), strict=True) for w in one.wordings)
    meant = (Claims(language, claims(), tuple(sorted(present))) for language in languages_with_ideas())
    wanted = frozenset(languages) if languages is not None else None
    return Possible(
        tuple(Phrasing(s, tuple(range(len(s.spelled)))) for s in said if wanted is None or s.language in wanted),
        tuple(c for c in meant if wanted is None or c.language in wanted),
    )


@contextmanager
def _in_full() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linting, "_keep", lambda text, asked: None)
        patch.setattr(matching, "candidates", lambda text: every_trigger())
        patch.setattr(matching, "possible", _everything)
        yield


def _same_in_full(text: str) -> int:
    document = Document("a.md", text)
    quick = findings(document)
    with _in_full():
        assert findings(document) == quick
    return len(quick)


def _sentences(path: Path) -> list[str]:
    rows = csv.reader(path.read_text(encoding="utf-8").splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    return [max(row, key=len) for row in rows if row]


_SENTENCES = sorted({sentence for path in _TABLES for sentence in _sentences(path)})
_WORDS = sorted({word for sentence in _SENTENCES for word in sentence.split()})
# Marks may stand within a word too.
_HALVES = sorted({half for word in _WORDS for half in (word[: len(word) // 2], word[len(word) // 2 :]) if half})
_MARKS = (
    "**",
    "*",
    "_",
    "`",
    " `",
    "` ",
    "``",
    " [",
    "](a.b) ",
    "[",
    "](a)",
    "](a 'b')",
    "][",
    "]",
    "&nbsp;",
    "\\",
    "<b>",
    "|",
    "https://a.b/",
    "\n```\n",
)
_ENDS = (" ", " ", " ", ". ", ".\n", "\n", "\n\n", "\r\n", ", ", ".", "e.g. ", "\u200b", "\u2011", " é ")
_STARTS = ("\n- ", "\n# ", "\n> ", "    ", "1. ")
_BETWEEN = st.sampled_from((*_ENDS, *_MARKS, *_STARTS))
_PAGES = st.lists(
    st.tuples(st.sampled_from(_SENTENCES) | st.sampled_from(_WORDS) | st.sampled_from(_HALVES), _BETWEEN), max_size=12
).map(lambda parts: "".join(text + between for text, between in parts))
# One claim of ours with marks at any places of it.
_MARKED = st.tuples(
    st.sampled_from(_SENTENCES), st.lists(st.tuples(st.integers(0, 200), _BETWEEN), min_size=1, max_size=4)
).map(lambda told: _with_marks(*told))


def _with_marks(sentence: str, marks: list[tuple[int, str]]) -> str:
    for at, mark in sorted(marks, reverse=True):
        place = at % (len(sentence) + 1)
        sentence = sentence[:place] + mark + sentence[place:]
    return sentence


@pytest.mark.parametrize("path", _TABLES, ids=lambda path: path.stem)
def test_every_judged_sentence_is_judged_as_in_full(path: Path) -> None:
    found = [_same_in_full(f"Some words before. {sentence} Some after.\n") for sentence in _sentences(path)]
    assert any(found) or path.stem in ("drift", "drift_second", "drift_fourth")


@given(_PAGES | _MARKED)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_page_of_our_words_and_any_marks_is_judged_as_in_full(text: str) -> None:
    _same_in_full(text)


_IDEAS = [(language, name) for language in languages_with_ideas() for name in sorted(ideas(language).patterns)]


@pytest.mark.parametrize(("language", "name"), _IDEAS)
@settings(max_examples=5, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_what_an_idea_matches_holds_all_that_it_needs(language: str, name: str, data: st.DataObject) -> None:
    listed = spelled(language, ideas(language).patterns[name])
    _holds(idea(language, name), listed, data)


_SOUGHT = [
    (path, wording.language) for path, one in zip(phrase_files(), phrases(), strict=True) for wording in one.wordings
]


@pytest.mark.parametrize(("path", "language"), _SOUGHT, ids=[f"{path.stem}-{language}" for path, language in _SOUGHT])
@settings(max_examples=5, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_what_a_phrase_matches_holds_all_that_it_needs(path: Path, language: str, data: st.DataObject) -> None:
    one = sought(path, language)
    _holds(one.pattern, one.spelled, data)


def _holds(pattern: re.Pattern[str], listed: tuple[str, ...], data: st.DataObject) -> None:
    text = fold(data.draw(st.from_regex(pattern))).text
    assume(pattern.search(text))
    vocabulary = Vocabulary()
    asked = vocabulary.asked(needs(listed))
    assert met(asked, vocabulary.shown(set(text.split(" ")))), text


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        (r"\bexactly once\b", [["exactly", "once"]]),
        (r"(?:exactly|just) once", [["exactly|just", "once"]]),
        (r"no(?:body)? pays", [["no", "pays"]]),
        (r"pay(?:s|ing)?", [["pay"]]),
        (r"guarantees?", [["guarantee"]]),
        (r"ab{0,2}c", [[]]),
        (r"pre[ -]?paid", [["pre", "paid"]]),
        (r"(?<!not )once(?! more)", [["once"]]),
        (r"(?:try|call) (?:once|over again|anew)", [["call|try", "anew|once"], ["call|try", "over", "again"]]),
        (r"(?:a|again)", [[]]),
        (r"[0-9]{1,3} times\.", [["times"]]),
        (r"不(?:会|能)?重复", [["不", "重复"]]),
        (r"one|two three|four", [["four|one"], ["two", "three"]]),
    ],
)
def test_a_pattern_needs_the_words_that_it_can_not_do_without(pattern: str, wanted: list[list[str]]) -> None:
    assert needs([pattern]) == tuple(tuple(frozenset(clause.split("|")) for clause in need) for need in wanted)


@pytest.mark.parametrize("sentence", _SENTENCES)
def test_a_text_alone_says_what_it_says_among_many(sentence: str) -> None:
    assert matching.match_alone(sentence) == matching.match(sentence)


def test_a_trigger_within_another_word_is_not_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[frozenset[str]] = []
    monkeypatch.setattr(matching, "possible_alone", lambda _, present: asked.append(present) or Possible((), ()))
    only = next(t for t in sorted(triggers_of_ideas()) if t.isalpha() and t.isascii() and t not in triggers())
    assert only not in inner_triggers()
    for text in (f"x{only}", f"{only} x", f"x{only} {only}"):
        matching.match_alone(text)
    assert [only in present for present in asked][-2:] == [True, True]
    assert not any(only in present for present in asked[:-2])


@given(st.lists(st.sampled_from((*_WORDS, *_HALVES, *_MARKS)), max_size=30), st.sampled_from((" ", "", ". ", "\n")))
def test_any_text_alone_says_what_it_says_among_many(words: list[str], between: str) -> None:
    text = between.join(words)
    assert matching.match_alone(text) == matching.match(text)
