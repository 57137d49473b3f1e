"""Words: every message that facts can give has its text, with the values that it asks for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
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
    assert said.shown(Duration(1500)) == "1.5 seconds"
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


LOCALES = sorted(path.name for path in (TEMPLATES / "locales").iterdir() if path.is_dir())
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
HAN = "\u3400-\u9fff"


def test_there_are_words_in_english_and_chinese() -> None:
    assert {"en", "zh"} <= set(LOCALES)


@pytest.mark.parametrize("locale", LOCALES)
def test_every_locale_says_the_same_things_with_the_same_values(locale: str) -> None:
    """Key by key, the `.observed` variants among them: what English says, with the same placeholders in any order."""
    texts, english = Words.load(locale, [TEMPLATES]).texts, words().texts
    assert sorted(texts) == sorted(english)
    asked = {key: sorted(PLACEHOLDER.findall(text)) for key, text in texts.items()}
    assert asked == {key: sorted(PLACEHOLDER.findall(text)) for key, text in english.items()}


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_said_in_one_locale_is_left_unsaid_in_no_other(locale: str) -> None:
    """A text is empty (or blank) in a locale only where it is so in English, but for what depends on the script."""
    depends = {"locale.gap", "locale.terms"}
    texts, english = Words.load(locale, [TEMPLATES]).texts, words().texts
    assert [k for k, text in texts.items() if k not in depends and bool(text.strip()) != bool(english[k].strip())] == []


def test_chinese_is_written_with_chinese_punctuation_and_one_form_of_address() -> None:
    texts = Words.load("zh", [TEMPLATES]).texts
    mixed = re.compile(rf"[{HAN}] ?[,;:!?](?!\w)|[,;:!?] ?[{HAN}]|[{HAN}] [{HAN}]")
    assert {key: text for key, text in texts.items() if key != "locale.terms" and mixed.search(text)} == {}
    assert {key: text for key, text in texts.items() if "你" in text} == {}
    assert {key: text for key, text in texts.items() if re.search(r"[，。；：、！？）”] ", text)} == {}


def test_chinese_values_are_shown_with_their_units_and_lists() -> None:
    said = Words.load("zh", [TEMPLATES])
    assert said.shown(Duration.parse("24h")) == "24 小时"
    assert said.shown(Duration.parse("1d")) == "1 天"
    assert said.shown((message("scope.account"), message("scope.environment"), message("scope.operation"))) == (
        "账户、环境和操作"
    )
    assert said.shown(Text((("en", "hello"), ("zh", "你好")))) == "你好"
    assert said.shown(Text((("en", "hello"),))) == "hello"


def test_chinese_calls_the_things_of_the_field_by_one_name_each() -> None:
    """The term that English uses in a text, and the one that the Chinese text of the same key then has."""
    terms = {
        r"\breplay window\b": "重放窗口",
        r"\b[Ff]ull jitter\b": "全抖动",
        r"(?<!\{)\b[Dd]eadline\b": "截止时间",
        r"\bmachine code\b": "错误码",
        r"\b[Oo]utcome unknown\b": "结果未知",
        r"\bheader \{": "头 {",
        r"\btokens\b": "令牌",
        r"\bnot documented\b": "文档未说明",
    }
    chinese, english = Words.load("zh", [TEMPLATES]).texts, words().texts
    for pattern, term in terms.items():
        keys = [key for key, text in english.items() if re.search(pattern, text)]
        assert keys, pattern
        assert [key for key in keys if term not in chinese[key]] == [], pattern


@settings(deadline=None)
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
