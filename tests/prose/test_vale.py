"""The style for Vale: read by an independent reader, and run by Vale itself on the sentences of our tables."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.exports.vale import render
from idempact.prose.lint import lint
from idempact.text.span import Document
from idempact.wording.phrasebook import phrases

Judge = Callable[..., dict[int, set[str]]]
ROOT = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").is_file())
HERE = Path(__file__).parent


def test_each_phrase_has_a_rule_for_each_of_its_languages() -> None:
    files = render()
    assert len(files) == sum(len(phrase.wordings) for phrase in phrases())
    for name, text in files.items():
        rule = YAML(typ="safe").load(text)
        assert re.fullmatch(r"[A-Z][A-Za-z]+-[a-z]{2}\.yml", name)
        assert (rule["extends"], rule["nonword"], rule["ignorecase"]) == ("existence", True, True)
        assert rule["message"].count("%s") == 1
        assert rule["level"] in ("warning", "error")
        assert len(rule["tokens"]) == 1


@pytest.fixture(scope="module")
def vale(tmp_path_factory: pytest.TempPathFactory) -> Judge:
    """Judges texts, each in a Markdown file of its own: the rules of each text's alerts, by the text's number."""
    tool = shutil.which("vale", path=os.pathsep.join((str(ROOT / "build" / "tools"), os.environ.get("PATH", ""))))
    if tool is None:
        words = "vale is not installed: GOBIN=build/tools go install, as .ci/run does"
        pytest.fail(words) if os.environ.get("CI") else pytest.skip(words)
    home = tmp_path_factory.mktemp("vale")
    style = home / "styles" / "Idempact"
    style.mkdir(parents=True)
    for name, text in render().items():
        (style / name).write_text(text, encoding="utf-8")
    (home / ".vale.ini").write_text(
        "StylesPath = styles\nMinAlertLevel = suggestion\n[*.md]\nBasedOnStyles = Idempact\n"
        "[*.markdown]\nBasedOnStyles = Idempact\nIdempact.NeverLost-de = NO\n",
        encoding="utf-8",
    )

    def judged(texts: Iterable[str], suffix: str = "md") -> dict[int, set[str]]:
        docs = home / "docs"
        shutil.rmtree(docs, ignore_errors=True)
        docs.mkdir()
        for number, text in enumerate(texts):
            (docs / f"{number}.{suffix}").write_text(f"{text}\n", encoding="utf-8")
        done = subprocess.run(
            [tool, "--no-global", "--no-exit", "--output=JSON", "docs"], cwd=home, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr[:2000]
        alerts = json.loads(done.stdout)
        return {int(Path(name).stem): {a["Check"] for a in found} for name, found in alerts.items()}

    return judged


def test_vale_judges_the_phrases_own_sentences_as_we_do(vale: Judge) -> None:
    cases = [
        (wording.language, sentence, flagged)
        for phrase in phrases()
        for wording in phrase.wordings
        for flagged, sentences in ((True, wording.fails), (False, wording.passes))
        for sentence in sentences
    ]
    found = vale(sentence for _, sentence, _ in cases)
    wrong = [(language, case) for n, (language, case, flagged) in enumerate(cases) if bool(found.get(n)) != flagged]
    assert len(cases) > 300
    for language, count in Counter(language for language, _, _ in cases).items():
        assert sum(one == language for one, _ in wrong) <= 0.1 * count, [c for one, c in wrong if one == language]


def test_vale_finds_most_of_what_we_find_in_other_sentences_and_little_else(vale: Judge) -> None:
    tables = (table.read_text(encoding="utf-8").splitlines()[1:] for table in sorted(HERE.glob("*.tsv")))
    rows = [row.split("\t") for table in tables for row in table]
    sentences = [(row[1], row[2], row[0] == "flag") for row in rows if row[0] in ("flag", "ok")]
    found = vale(sentence for _, sentence, _ in sentences)
    counts: dict[str, Counter[str]] = {}
    for number, (language, sentence, claims) in enumerate(sentences):
        ours, theirs = bool(lint(Document("a.md", sentence))), bool(found.get(number))
        counts.setdefault(language, Counter()).update(
            {"sentences": 1, "ours": ours, "both": ours and theirs, "only theirs": theirs and not ours}
        )
        counts[language].update({"claims": claims, "theirs": theirs, "right": theirs and claims})
    assert set(counts) == {"de", "en", "es", "fr", "ja", "ko", "pt", "zh"}
    for language, count in counts.items():
        # What we read as ideas in any words and order, no pattern of Vale's can hold.
        assert count["both"] >= 0.6 * count["ours"], (language, count)
        assert count["only theirs"] <= 0.04 * count["sentences"], (language, count)
        assert count["right"] >= 0.55 * count["claims"], (language, count)
        assert count["right"] >= 0.88 * count["theirs"], (language, count)


_ALIKE = (
    "Each payment runs *exactly* once.",
    "Each payment runs exactly\nonce.",
    "Each payment runs exactly\u2011once.",
    "Chaque paiement est traité précisément une fois.",
    "系統確保有且僅有一次。",
    "我们保证exactly once语义。",
    "> Each payment runs exactly once.",
    "| Delivery |\n|---|\n| exactly once |",
)
_LET_GO = (
    "Never exactly once.",
    "Exactly once is a myth.",
    "Is it exactly once?",
    "The header must appear exactly once.",
    "The same key is remembered for 24 hours. Within them the payment runs exactly once.",
    "See `exactly once`, [this](https://a.example/exactly-once) and exactly_once_v2.",
    "```\nexactly once\n```",
)
# Found by us, and not by Vale: what the manual says that the style can't do.
_ONLY_OURS = (
    "Each payment runs exac\u200btly once.",
    "Each payment runs ｅｘａｃｔｌｙ once.",
    "系统精确 一次执行。",
)


def test_vale_finds_and_lets_go_what_the_manual_says(vale: Judge) -> None:
    found = vale((*_ALIKE, *_LET_GO, *_ONLY_OURS))
    for number, text in enumerate((*_ALIKE, *_LET_GO, *_ONLY_OURS)):
        assert bool(found.get(number)) == (text in _ALIKE), text
    for text in (*_ALIKE, *_ONLY_OURS):
        assert lint(Document("a.md", text)), text


def test_a_rule_of_one_language_can_be_switched_off(vale: Judge) -> None:
    text = "Nachrichten gehen nie verloren."
    assert vale([text]) == {0: {"Idempact.NeverLost-de"}}
    assert vale([text], "markdown") == {}
