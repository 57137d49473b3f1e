"""A rule file that isn't whole is refused, by name; so is a pattern that could take too long."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idempact.wording.fold import fold
from idempact.wording.match import match, without_overlaps
from idempact.wording.phrasebook import (
    Incomplete,
    Wordings,
    _triggers_of,
    compiled,
    phrase_files,
    phrases,
    read_phrase,
    read_tongue,
    sought,
    tongues,
    triggers,
    triggers_at_a_glance,
)

_WHOLE = """\
title: A title.
message: '"{words}" is wrong'
severity: warning
why: Because.
instead: Say this.
languages:
  en:
    patterns: ['\\bfoo\\b']
    triggers: [foo]
    passes: [bar]
    fails: [foo]
"""


def test_a_whole_phrase_is_read(tmp_path: Path) -> None:
    path = tmp_path / "my_rule.yml"
    path.write_text(_WHOLE, encoding="utf-8")
    phrase = read_phrase(path)
    assert phrase.id == "prose/my-rule"
    assert phrase.wordings[0].pattern.search("a foo b")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("why: Because.\n", "", "why is missing"),
        ("instead: Say this.\n", "", "instead is missing"),
        ("{words}", "it", "no place for {words}"),
        ("    passes: [bar]\n", "", "en wants"),
        ("    fails: [foo]\n", "    fails: []\n", "fails wants a list"),
        ("title:", "titel:", "title is missing"),
        ("severity: warning\n", "severity: warning\nscope: text\n", "left over: ['scope']"),
        ("severity: warning\n", "severity: warning\nyields: [prose/none]\n", "no rule: prose/none"),
        ("\\bfoo\\b", "(a+)+", "repeats too much"),
        ("\\bfoo\\b", "(foo", "missing )"),
    ],
)
def test_what_lacks_something_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "my_rule.yml"
    path.write_text(_WHOLE.replace(old, new), encoding="utf-8")
    with pytest.raises(Incomplete, match=re.escape(says)):
        read_phrase(path)


def test_a_tongue_without_marks_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "xx.yml"
    path.write_text("not_denials: [a]\n", encoding="utf-8")
    with pytest.raises(Incomplete, match="marks wants a list"):
        read_tongue(path)


@pytest.mark.parametrize(
    "pattern", ["a*", "a+", "a{2,}", "(?:ab){0,9}", "(?:a){2}", "x{0,200}y{0,200}", "[*]a*", "(?:a?)*"]
)
def test_a_pattern_that_could_take_too_long_is_refused(pattern: str) -> None:
    with pytest.raises(Incomplete):
        compiled("here", (pattern,))


@pytest.mark.parametrize(
    ("pattern", "text"),
    [(r"\ba?[*+]{2,3}", "a*+"), (r"\(\*", "(*"), ("[^.;]{0,80}once", "only once")],
)
def test_a_pattern_with_bounds_is_taken(pattern: str, text: str) -> None:
    assert compiled("here", (pattern,)).fullmatch(text)


def test_the_triggers_read_alone_are_those_of_the_phrases() -> None:
    of_phrases = {
        (trigger, phrase.id, wording.language)
        for phrase in phrases()
        for wording in phrase.wordings
        for trigger in wording.triggers
    }
    alone = {
        (trigger, f"prose/{path.stem.replace('_', '-')}", language)
        for trigger, places in triggers().items()
        for path, language in places
    }
    assert alone == of_phrases


def test_every_phrase_has_a_tongue_for_each_of_its_languages() -> None:
    known = {tongue.language for tongue in tongues()}
    assert {w.language for phrase in phrases() for w in phrase.wordings} <= known


@pytest.mark.parametrize(
    "wording", [w for phrase in phrases() for w in phrase.wordings], ids=lambda w: f"{w.language}-{w.triggers[0]}"
)
@settings(max_examples=8, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow], deadline=None)
@given(data=st.data())
def test_no_match_goes_without_a_trigger(wording: Wordings, data: st.DataObject) -> None:
    text = data.draw(st.from_regex(wording.pattern))
    assert any(trigger in text for trigger in wording.triggers), text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Exactly\r\n  ONCE", "exactly once"),
        ("ｅｘａｃｔｌｙ　once", "exactly once"),
        ("exactly\u2011once", "exactly-once"),
        ("ex\u00adact\u200bly *on*ce", "exactly once"),
        ("exactly&nbsp;once &#x65;&bogus; &amp;", "exactly once e&bogus; &"),
        ("__exactly__ once_v2 _a_b_", "exactly once_v2 a_b"),
        ("保證 精確\n一次", "保证精确一次"),
        ("中文 text 中文", "中文 text 中文"),
        ("“it’s”", '"it\'s"'),
        ("Straße ﬁn", "strasse fin"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text).text == folded


def test_of_two_languages_that_find_the_same_words_one_tells() -> None:
    (first,) = match("It runs exactly once.")
    inside = replace(first, language="xx", start=first.start + 1)
    behind = replace(first, start=first.end, end=first.end + 5)
    assert list(without_overlaps([behind, inside, first])) == [first, behind]


def test_a_match_points_at_what_was_written() -> None:
    text = "It runs *exactly*&nbsp;on\u200bce."
    (hit,) = match(text)
    assert text[hit.start : hit.end] == "exactly*&nbsp;on\u200bce"
    assert (hit.words, hit.language, hit.phrase.id) == ("exactly once", "en", "prose/exactly-once")


@pytest.mark.parametrize("path", phrase_files(), ids=lambda path: path.stem)
def test_the_triggers_of_a_shipped_phrase_are_read_at_a_glance_as_they_are_in_full(path: Path) -> None:
    """None is a file that is laid out in another way, and read in full."""
    assert triggers_at_a_glance(path) in (_triggers_of(path), None)


def test_most_shipped_phrases_are_read_at_a_glance() -> None:
    paths = phrase_files()
    assert sum(triggers_at_a_glance(path) is not None for path in paths) > 0.9 * len(paths)


@pytest.mark.parametrize(
    "entries",
    [
        "  en:\n    triggers:\n      - a\n",
        "  en:\n    triggers: [a, b]\n",
        "  en:\n    triggers: ['a', \"b\"]\n",
        "  en:\n    triggers: ['a' , 'b']\n",
        "  en:\n    triggers: ['a'] # b\n",
        "  en:\n    triggers: ['a']\n  zh:\n    triggers:\n      - b\n",
        "  en:\n    triggers: ['a']\n  zh:\n  de:\n    triggers: ['b']\n",
        "  en: {triggers: ['a']}\n",
    ],
)
def test_triggers_that_are_written_otherwise_are_left_to_the_reader_of_yaml(tmp_path: Path, entries: str) -> None:
    path = tmp_path / "a.yml"
    path.write_text(f"title: a\nlanguages:\n{entries}", encoding="utf-8")
    assert triggers_at_a_glance(path) is None


@pytest.mark.parametrize("path", phrase_files(), ids=lambda path: path.stem)
def test_what_is_sought_is_what_the_phrase_says(path: Path) -> None:
    phrase = read_phrase(path)
    for wording in phrase.wordings:
        found = sought(path, wording.language)
        assert (found.pattern.pattern, found.despite) == (wording.pattern.pattern, phrase.despite)
