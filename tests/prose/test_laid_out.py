"""What is read off the lines of our files is what the reader of YAML finds there, or is left to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from idempact.wording import laid_out
from idempact.wording.claims import ideas, languages_with_ideas, patterns_of
from idempact.wording.phrasebook import head_of, phrase_files, read_fields

LANGUAGES = languages_with_ideas()


@pytest.mark.parametrize("path", phrase_files(), ids=lambda path: path.stem)
def test_a_phrase_reads_the_same(path: Path) -> None:
    fields, text = read_fields(path), path.read_text(encoding="utf-8")
    assert list(laid_out.despite(head_of(path)) or ()) == fields.get("despite", [])
    assert list(laid_out.claims(head_of(path)) or ()) == fields.get("claims", [])
    languages = fields["languages"]
    assert isinstance(languages, dict)
    for language, entry in languages.items():
        assert isinstance(entry, dict)
        assert laid_out.patterns(text, language) in (tuple(entry["patterns"]), None)  # type: ignore[arg-type]
    assert laid_out.patterns(text, "xx") is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_idea_reads_the_same(language: str) -> None:
    for name, listed in ideas(language).patterns.items():
        assert patterns_of(language, name) == listed


def test_most_of_our_files_are_read_off_their_lines() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in phrase_files()}
    found = [
        laid_out.patterns(text, language)
        for path, text in texts.items()
        for language in dict(read_fields(path)["languages"])  # type: ignore[arg-type,call-overload]
    ]
    heads = [part for path in texts for part in (laid_out.claims(head_of(path)), laid_out.despite(head_of(path)))]
    assert sum(one is not None for one in (*found, *heads)) > 0.9 * len([*found, *heads])


@pytest.mark.parametrize(
    "written",
    [
        " ['a', 'b']\n",
        "\n  - a\n",
        '\n  - "a"\n',
        "\n  - 'a' # why\n",
        "\n  - 'a'b'\n",
        "\n  - 'a\n    b'\n",
        "\n  # why\n  - 'a'\n",
        "\n    - 'a'\n",
        "\n- 'a'\n",
        "\n",
    ],
)
def test_what_is_written_otherwise_is_left_to_the_reader_of_yaml(written: str) -> None:
    assert laid_out.claims(f"title: a\nclaims:{written}why: b\n") is None
    indented = written.replace("\n", "\n    ").rstrip() + "\n"
    assert laid_out.patterns(f"title: a\nlanguages:\n  en:\n    patterns:{indented}    triggers: ['a']\n", "en") is None


@pytest.mark.parametrize("written", ["\n  - a\n", " a\n", " ['a']\n", " [a, b] # why\n", " []\n"])
def test_excuses_that_are_written_otherwise_are_left_to_it_too(written: str) -> None:
    assert laid_out.despite(f"title: a\ndespite:{written}why: b\n") is None


def test_nothing_is_there_where_nothing_is_named() -> None:
    head = "title: despite all claims\nwhy: >\n  The claims: none.\n"
    assert (laid_out.claims(head), laid_out.despite(head)) == ((), ())


def test_quotes_and_spaces_are_read_as_yaml_reads_them() -> None:
    assert laid_out.claims("claims:\n  - 'it''s '\n  - '''a'''\nwhy: b\n") == ("it's ", "'a'")
