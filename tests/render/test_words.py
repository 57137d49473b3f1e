"""Words: every message that facts can give has its text, with the values that it asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.units import Duration, Text
from idempact.facts.messages import message
from idempact.render.words import MARKDOWN, UnknownWords, Words
from idempact.resources import shipped

TEMPLATES = shipped("templates")
SOURCES = Path(__file__).parents[2] / "generator" / "idempact"


def words() -> Words:
    return Words.load("en", [TEMPLATES])


def test_values_are_shown_by_their_kind() -> None:
    said = Words("en", {**words().texts, "t": "{when}, {list}, {who}, {n}"})
    shown = said.say(message("t", when=Duration.parse("24h"), list=("a", "b", "c"), who=message("scope.account"), n=3))
    assert shown == "24 hours, a, b and c, account, 3"
    assert said.shown(Duration.parse("1d")) == "1 day"
    assert said.shown(Duration(1500)) == "1500 milliseconds"
    assert said.shown(Text((("en", "hello"), ("zh", "你好")))) == "hello"


def test_a_missing_key_or_value_is_an_error_and_no_empty_text() -> None:
    with pytest.raises(UnknownWords, match="no words for 'nowhere'"):
        words().say("nowhere")
    with pytest.raises(UnknownWords, match="asks for a value 'window'"):
        words().say("promise.within", start="x", scope="y", result="z", same="s")
    with pytest.raises(UnknownWords, match="no words for the locale 'xx'"):
        Words.load("xx", [TEMPLATES])


def test_a_users_own_words_win_key_by_key(tmp_path: Path) -> None:
    folder = tmp_path / "locales" / "en"
    folder.mkdir(parents=True)
    (folder / "mine.yml").write_text("then.execute: a fresh start\n")
    mine = Words.load("en", [tmp_path, TEMPLATES])
    assert mine.say("then.execute") == "a fresh start"
    assert mine.say("then.reject") == words().say("then.reject")


@given(st.text(alphabet=st.characters(codec="utf-8"), min_size=1, max_size=30))
def test_a_value_of_the_contract_is_never_read_as_markup_or_as_another_value(value: str) -> None:
    said = Words("en", {**words().texts, "t": "[{name}]"}, MARKDOWN).say("t", name=value)
    assert not re.search(r"(?<!&#\d)[<>`*\[\]|{}]", said[1:-1].replace("&#", ""))


def test_no_key_is_left_over() -> None:
    """Every text is used by a template, or by a message of the facts (whose keys may be put together)."""
    sources = "\n".join(
        p.read_text(encoding="utf-8")
        for folder in (TEMPLATES, SOURCES)
        for p in sorted(folder.rglob("*"))
        if p.suffix in (".jinja", ".py")
    )
    literal = set(re.findall(r'"([a-z][a-z-]*(?:\.[\w-]+)*)"', sources))
    put_together = (r'"([a-z][a-z.-]*\.)" ?~', r'f"([a-z][a-z.-]*\.)\{')
    prefixes = tuple(prefix for pattern in put_together for prefix in re.findall(pattern, sources))
    topics = tuple(f"{topic}." for topic in re.findall(r'act\("([a-z.-]+)"\)', sources))
    unused = [
        key
        for key in words().texts
        if key.removesuffix(".observed") not in literal
        and not key.startswith((*prefixes, *topics, "unit.", "list.", "openapi."))
    ]
    assert unused == []
