"""The site in several languages: Chinese pages read as text, the links between editions, and the whole built site."""

from __future__ import annotations

import importlib.util
import json
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.build import Built, build, navigation
from idempact.contract.check import checked
from idempact.pages.editions import Edition, bound, sources_of
from idempact.pages.page import NavEntry
from idempact.pages.render import Site, front_matter, tidy
from idempact.render.artifact import Artifact
from idempact.render.environment import template_roots
from idempact.snippets.language import languages
from idempact.text.diagnostic import Checked
from idempact.text.nodes import compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
MINIMAL = (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8")
SILENT = """\
idempact: 1
written_by: observer
api: {name: Silent API, base_url: none, contact: not-documented}
key: {in: body, name: key, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
operations: {operation makeThing: keyed, "tag things": {safety: natural, because: {en: so documented, zh: 文档如此}}}
publish: {locales: [en, zh]}
"""
# The example's own texts, each in both languages.
TRANSLATED = {
    "name: mobile offline queue": "name: {en: mobile offline queue, zh: 移动端离线队列}",
    "name: dead-letter queue replay": "name: {en: dead-letter queue replay, zh: 死信队列重放}",
    "because: replaces the whole representation": "because: {en: replaces the whole representation, zh: 整体替换}",
    "because: a gone session stays gone": "because: {en: a gone session stays gone, zh: 会话删除后不再存在}",
    "because: appends on every call": "because: {en: appends on every call, zh: 每次调用都会追加}",
    "instead: POST /ledger-entries with a key": "instead: {en: POST /ledger-entries with a key, zh: 请用分录接口}",
    "text: New support desk.": "text: {en: New support desk., zh: 启用新的支持入口。}",
    "text: Keys are kept for a day.": "text: {en: Keys are kept for a day., zh: 键保留一天。}",
    "text: Disputes reopen within a week.": "text: {en: Disputes reopen within a week., zh: 争议会在一周内重启。}",
}


def in_locales(text: str, locales: str) -> str:
    changed, count = re.subn(r"locales: \[en\]", f"locales: {locales}", text)
    return changed if count else f"{text.rstrip()}\npublish: {{locales: {locales}}}\n"


def translated() -> str:
    text = in_locales(EXAMPLE, "[en, zh]")
    for before, after in TRANSLATED.items():
        assert before in text, before
        text = text.replace(before, after)
    return text


def attempted(text: str, sources: Path | None = None) -> Checked[Built]:
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    assert not read.broken, read.diagnostics
    return build(read.value, contract_name="contract.yaml", site_sources=sources)


def built(text: str, sources: Path | None = None) -> Built:
    made = attempted(text, sources)
    assert made.value is not None, made.diagnostics
    return made.value


def by_path(made: Built) -> dict[str, str]:
    return {artifact.path: artifact.text for artifact in made.artifacts}


@pytest.fixture(scope="module")
def both() -> Built:
    return built(translated())


@pytest.fixture(scope="module")
def pages(both: Built) -> dict[str, str]:
    return {path: text for path, text in by_path(both).items() if path.endswith(".md")}


# What a Chinese reader finds


def test_the_promise_reads_as_designed_in_chinese(pages: Mapping[str, str]) -> None:
    assert (
        "在首次请求之后的 24 小时内，来自同一账户、针对同一操作、使用同一个键且内容相同的重复请求会得到已存储的响应，"
        "操作不会再次执行。此后再使用该键，将视为新请求。使用不同键的请求是相互独立的操作。"
    ) in pages["zh/index.md"]


@pytest.mark.parametrize(
    ("replay", "promise"),
    [
        ("{at_least: 24h}", "至少在首次请求之后的 24 小时内，来自同一账户、"),
        ("{at_least: 7d, at_most: 14d}", "14 天之后再使用该键，将视为新请求。"),
        ("forever", "键会一直保留：来自同一账户、针对同一操作、使用同一个键且内容相同的重复请求只会得到已存储的响应"),
    ],
)
def test_each_kind_of_window_reads_as_chinese(replay: str, promise: str) -> None:
    text = in_locales(MINIMAL, "[zh]").replace("  replay: 24h ", f"  replay: {replay} ")
    assert promise in by_path(built(text))["index.md"]


def test_what_is_not_documented_reads_as_chinese() -> None:
    texts = by_path(built(SILENT))
    assert "使用同一个键的重复请求会得到什么、持续多久，文档未说明。" in texts["zh/index.md"]
    assert "文档的承诺" in texts["zh/index.md"]
    assert "没有人承诺的事" in texts["zh/no-promise.md"]
    assert "原因：文档如此。" in texts["zh/operations.md"]


def test_the_schedule_has_the_numbers_of_the_contract_with_chinese_units(pages: Mapping[str, str]) -> None:
    rows = re.findall(r"^\| (\d) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", pages["zh/retries.md"], re.M)
    assert rows == [
        ("1", "0 秒", "0 秒", "0 秒", "0 秒"),
        ("2", "0 秒", "1 秒", "1 秒", "11 秒"),
        ("3", "0 秒", "2 秒", "3 秒", "23 秒"),
        ("4", "0 秒", "4 秒", "7 秒", "37 秒"),
        ("5", "0 秒", "8 秒", "15 秒", "55 秒"),
    ]
    assert "最坏情况下，全部尝试（5 次）连同等待共需 65 秒；截止时间为 75 秒。" in pages["zh/retries.md"]
    assert (
        "全抖动：每次等待在 0 与上限之间随机取值；上限从 1 秒开始，每次乘以 2，最大为 30 秒。" in pages["zh/retries.md"]
    )


def test_the_decision_table_tells_each_state_in_chinese(pages: Mapping[str, str]) -> None:
    reused = "422 [`idempotency_key_reused`](errors/idempotency_key_reused.md)：键被用于另一个请求。"
    running = "409 [`idempotency_request_in_progress`](errors/idempotency_request_in_progress.md)：首次请求仍在处理中。"
    unknown = "409 [`idempotency_outcome_unknown`](errors/idempotency_outcome_unknown.md)：结果未知。"
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.+?) \|$", pages["zh/retry-outcomes.md"], re.M)
    assert rows[0] == ("服务器发现", "同一请求得到", "使用该键的另一请求得到")
    assert rows[1:] == [
        ("没有该键的记录", "作为新操作执行。", "作为新操作执行。"),
        ("首次请求正在处理中", f"{running}等待一段时间，然后用同一个键重发同一个请求。", reused),
        ("首次请求中途停止", "从首次执行停止的地方继续。", reused),
        ("首次请求已完成", "重放：已存储的响应。", reused),
        ("首次请求失败，失败结果已保留", "再次得到相同的失败结果。", reused),
        ("首次请求失败，将继续执行", "从首次执行停止的地方继续。", reused),
        ("首次请求的结果未知", f"{unknown}不要盲目重发。请保留键，并凭它查询结果或询问。", reused),
        ("键已超出窗口，记录仍在", "作为新操作执行。", "作为新操作执行。"),
        ("键的记录已删除", "作为新操作执行。", "作为新操作执行。"),
    ]


def test_texts_of_the_contract_stand_in_the_language_of_the_page(pages: Mapping[str, str]) -> None:
    pairs = [re.findall(r"en: (.+?), zh: (.+?)\}", after)[0] for after in TRANSLATED.values()]
    english = "\n".join(text for path, text in pages.items() if not path.startswith("zh/"))
    chinese = "\n".join(text for path, text in pages.items() if path.startswith("zh/"))
    for in_english, in_chinese in pairs:
        assert in_english in english
        assert in_chinese in chinese
        assert in_english not in chinese
        assert in_chinese not in english


NAMES = (
    "Acme Payments API",
    "Silent API",
    "RFC 9651 String",
    "kept for 24 hours",  # quoted from a source, so left as it is
    "English",  # the link to the other edition
    "Retry-After",
)


def unspoken(text: str) -> list[str]:
    """The parts of a page (cells, paragraphs, drawn texts) with Latin words and no Chinese, beside code and names."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"^( *)(```+).*?^\1\2$", "", text, flags=re.S | re.M)
    text = re.sub(r"<https?://[^>]*>|\[https?:[^\]]*\]", "", text)
    text = re.sub(r"`[^`]*`|\[[^\]]*\]\([./]*downloads/[^)]*\)|\]\([^)]*\)|\{[^}]*\}|&#\d+;", "", text)
    text = re.sub(r"<[^>]+>", "\n", text)
    text = re.sub(r"\b\w+_\w+\b", "", text)
    for name in NAMES:
        text = text.replace(name, "")
    parts = re.split(r"\n|(?<!\\)\|", text)
    return [
        part.strip() for part in parts if re.search(r"[A-Za-z]{2}", part) and not re.search(r"[\u3400-\u9fff]", part)
    ]


def test_no_sentence_is_left_in_another_language(pages: Mapping[str, str]) -> None:
    """What is left: names of languages, loops and files, dates, and the word that Chinese readers have for an API."""
    found = languages(template_roots()).value or ()
    titles = {title for each in found for title in (each.title, *(loop.title for loop in each.loops))}
    tabs = "|".join(map(re.escape, titles))
    known = re.compile(rf'=== "({tabs})"|#+ ({tabs})|\d{{4}}-\d\d-\d\d|API')
    for made in (pages, by_path(built(SILENT))):
        for path, text in made.items():
            if path.startswith("zh/"):
                assert [part for part in unspoken(text) if not known.fullmatch(part)] == [], path


def test_the_check_for_foreign_sentences_can_fail(pages: Mapping[str, str]) -> None:
    assert "The server has seen nothing." in unspoken(pages["retries.md"])
    assert len(unspoken(pages["index.md"])) > 20


def test_no_space_stands_behind_full_width_punctuation(pages: Mapping[str, str]) -> None:
    for path, text in pages.items():
        if path.startswith("zh/"):
            assert (
                re.findall(r"[。，；：！？][ \n](?=[\u3400-\u9fffA-Za-z`])", re.sub(r"<svg.*?</svg>", "", text)) == []
            ), path


LINES = ["句子。", "a`。 b`", "词，", "| 。 | x |", "- 项。", "", "    缩进。", "x y", "# 题。", "1. 步骤。", "<svg/>"]


@given(st.lists(st.sampled_from(LINES)))
def test_joining_sentences_changes_white_space_alone_and_no_block(lines: list[str]) -> None:
    joined, apart = tidy("\n".join(lines), ""), tidy("\n".join(lines))
    assert "".join(joined.split()) == "".join(apart.split())
    assert re.findall(r"^(?:[|#<-]|1\.).?", joined, re.M) == re.findall(r"^(?:[|#<-]|1\.).?", apart, re.M)
    assert joined.count("`。 b`") == apart.count("`。 b`")
    assert tidy(joined, "") == joined


def test_sentences_are_joined_but_for_those_in_a_fence() -> None:
    fence = "```\n句子。\n句子。 x\n```"
    assert tidy(f"一。\n二。 three。\n\n{fence}\n尾。\n", "") == f"一。二。three。\n\n{fence}\n尾。\n"
    assert tidy("一。\n二。 three。\n") == "一。\n二。 three。\n"


# One edition beside the other


def test_one_locale_alone_gives_the_same_pages_without_links(pages: Mapping[str, str]) -> None:
    """An edition at the root is the site of that one locale, and a link line on each page."""
    alone = by_path(built(translated().replace("locales: [en, zh]", "locales: [en]")))
    link = re.compile(r"\n\[中文\]\([^)\n]+\)\{ hreflang=zh lang=zh \}\n")
    for path in (path for path in pages if not path.startswith("zh/")):
        text, count = link.subn("", pages[path])
        assert count == 1, path
        assert text == alone[path], path
    assert not any(path.startswith((".theme", "zh/")) for path in alone)
    assert "hreflang" not in "".join(alone.values())


def targets(path: str, text: str) -> set[str]:
    """The files that a page links to, as paths below the site's root."""
    text = re.sub(r"^( *)(```+).*?^\1\2$", "", text, flags=re.S | re.M)
    text = re.sub(r"`[^`]*`", "", text)
    links = [link.split("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    return {posixpath.normpath(posixpath.join(posixpath.dirname(path), link)) for link in links if link}


def test_every_link_leads_to_a_file_of_the_site(both: Built, pages: Mapping[str, str]) -> None:
    there = {artifact.path for artifact in both.artifacts}
    assert sum(len(targets(path, text)) for path, text in pages.items()) > 100
    for path, text in pages.items():
        assert targets(path, text) <= there, path
    assert "downloads/vectors.json" in targets("zh/index.md", pages["zh/index.md"])
    assert not any(path.startswith("zh/downloads/") for path in there)


def test_pages_link_to_themselves_in_the_other_language_and_stay_in_theirs(pages: Mapping[str, str]) -> None:
    english = {path for path in pages if not path.startswith("zh/")}
    assert {path for path in pages if path.startswith("zh/")} == {f"zh/{path}" for path in english}
    for path in english:
        across = {target for target in targets(path, pages[path]) if target.startswith("zh/")}
        assert across == {f"zh/{path}"}
        back = {t for t in targets(f"zh/{path}", pages[f"zh/{path}"]) if not t.startswith(("zh/", "downloads/"))}
        assert back == {path}
        assert front_matter(pages[f"zh/{path}"])["language"] == "zh"
        assert "language" not in front_matter(pages[path])


def test_the_navigation_has_a_section_in_its_own_language(both: Built) -> None:
    lines = navigation(both, "../mkdocs.yml", "docs").split("\n")
    start = lines.index("nav:")
    assert lines[start + 1] == '  - "Start here": "index.md"'
    section = lines.index('  - "Acme Payments API：安全重试":')
    assert lines[section + 1] == '    - "从这里开始": "zh/index.md"'
    assert section - start - 1 == len(lines[section + 1 : -1]) == len(both.editions[0].site.nav)
    assert '  language: "en"' in lines
    assert '  custom_dir: "docs/.theme"' in lines


def test_english_alone_sets_nothing_but_the_navigation() -> None:
    """What `navigation` gave before there were other languages."""
    text = navigation(built(MINIMAL), "../mkdocs.yml", "docs")
    assert text.split("\n")[1:6] == [
        'INHERIT: "../mkdocs.yml"',
        'site_name: "Acme Payments API: safe retries"',
        'docs_dir: "docs"',
        "site_dir: site",
        "nav:",
    ]


def test_chinese_alone_lies_at_the_root_and_speaks_chinese_throughout() -> None:
    made = built(in_locales(MINIMAL, "[zh]"))
    assert "# Acme Payments API: 安全重试" in by_path(made)["index.md"]
    assert "hreflang" not in by_path(made)["index.md"]
    lines = navigation(made, "../mkdocs.yml", "docs").split("\n")
    assert '  language: "zh"' in lines
    assert not any("custom_dir" in line for line in lines)


def test_the_search_keeps_the_words_of_the_field_whole(both: Built) -> None:
    line = next(line for line in navigation(both, "../mkdocs.yml", "docs").split("\n") if "separator:" in line)
    separator = json.loads(line.split(": ", 1)[1])
    found = [
        part for part in re.split(separator, "重放窗口为 24 小时，idempotency_key_reused“截止时间”API版本") if part
    ]
    assert found == [
        "重放",
        "窗口",
        "为",
        "24",
        "小",
        "时",
        "idempotency_key_reused",
        "截止",
        "时间",
        "API",
        "版",
        "本",
    ]


@pytest.mark.parametrize(
    ("locales", "column", "message"),
    [
        ("[en, zh, eo]", 21, "there are no words for the locale 'eo'"),
        ("[eo, en]", 13, "there are no words for the locale 'eo'"),
    ],
)
def test_a_locale_that_cannot_be_built_is_an_error_with_its_place(locales: str, column: int, message: str) -> None:
    text = in_locales(EXAMPLE, locales)
    made = attempted(text)
    assert made.value is None
    [found] = made.diagnostics
    assert (found.rule, found.message) == ("build/unknown-locale", message)
    assert found.span is not None
    line = next(number for number, line in enumerate(text.split("\n"), 1) if "locales: [" in line and "#" in line)
    assert (found.span.line, found.span.column) == (line, column)


def test_hand_written_pages_are_rendered_per_locale_unless_it_has_its_own(tmp_path: Path) -> None:
    (tmp_path / "zh").mkdir()
    (tmp_path / "help.md.jinja").write_text('# {{ "home.title" | say }}\n\nBoth.\n', encoding="utf-8")
    (tmp_path / "own.md.jinja").write_text("# Own\n", encoding="utf-8")
    (tmp_path / "zh" / "own.md.jinja").write_text("# 自有\n", encoding="utf-8")
    (tmp_path / "zh" / "only.md.jinja").write_text("没有标题。\n", encoding="utf-8")
    texts = by_path(built(in_locales(MINIMAL, "[en, zh]"), tmp_path))
    assert "# safe retries\n\n[中文](zh/help.md){ hreflang=zh lang=zh }\n\nBoth.\n" in texts["help.md"]
    assert "# 安全重试\n\n[English](../help.md){ hreflang=en lang=en }\n\nBoth.\n" in texts["zh/help.md"]
    assert texts["own.md"].startswith("# Own\n")
    assert "# 自有\n" in texts["zh/own.md"]
    assert texts["zh/only.md"] == '---\nlanguage: "zh"\n---\n没有标题。\n'
    assert "only.md" not in texts
    assert "zh/zh/own.md" not in texts


NAMED = st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")
BODIES = st.sampled_from(
    ["# H\n\ntext\n", "# H\n", "---\ntitle: x\n---\n# H\nat once\n", "no heading\n", "\n\n# H\n\n\nx\n"]
)


@given(st.lists(st.dictionaries(NAMED, BODIES, max_size=4), min_size=1, max_size=4))
def test_for_any_editions_the_links_hold_and_no_word_of_a_page_is_lost(contents: list[dict[str, str]]) -> None:
    locales = ["en", "zh", "de", "fr-CA"][: len(contents)]
    editions = [
        Edition(
            locale,
            f"name of {locale}",
            "title",
            f"{locale}/" if index else "",
            Site(tuple(Artifact(p, t) for p, t in sorted(pages.items())), tuple(NavEntry(1, p, p) for p in pages)),
        )
        for index, (locale, pages) in enumerate(zip(locales, contents, strict=True))
    ]
    placed = bound(editions)
    there = {artifact.path: artifact.text for edition in placed for artifact in edition.site.artifacts}
    assert len(there) == sum(map(len, contents))
    for before, after, pages in zip(editions, placed, contents, strict=True):
        assert {entry.path for entry in after.site.nav} == {before.folder + path for path in pages}
        for path, text in pages.items():
            now = there[before.folder + path]
            assert targets(before.folder + path, now) == {
                other.folder + path
                for other, theirs in zip(editions, contents, strict=True)
                if other is not before and path in theirs
            }
            without = re.sub(r"^(?:---|language: .*|\[name of .*)$", "", now, flags=re.M)
            assert without.split() == re.sub(r"^---$", "", text, flags=re.M).split()


@given(st.dictionaries(st.sampled_from(["a.md", "zh/a.md", "zh/b.md", "de/a.md", "zhx/a.md"]), st.just("x")))
def test_a_hand_written_page_goes_to_the_editions_that_it_is_for(sources: dict[str, str]) -> None:
    locales = ("en", "zh", "de")
    given_paths = sorted(sources)
    root = [path for path in given_paths if not path.startswith(("zh/", "de/"))]
    for locale in locales:
        got = [path for path, _ in sources_of(locale, locales, [(path, path) for path in given_paths])]
        own = [path.removeprefix(f"{locale}/") for path in given_paths if path.startswith(f"{locale}/")]
        assert got == sorted({*root, *own})
    assert sources_of("en", ("en",), [(p, p) for p in given_paths]) == tuple((p, p) for p in given_paths)


# The whole site


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("both")
    stage(folder, translated())
    made = run(folder, "mkdocs", "build", "--strict", "--quiet", "--config-file", "build/mkdocs.yml")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "build" / "site"


def stage(folder: Path, contract: str) -> None:
    """Build and lint the pages; a second build would change nothing."""
    shutil.copy(ROOT / "mkdocs.yml", folder)
    (folder / "contract.yaml").write_text(contract, encoding="utf-8")
    sources = str(ROOT / "site_src" / "integrator")
    staged = run(folder, "idempact", "build", "contract.yaml", "--out", "build/docs", "--site", sources)
    assert staged.returncode == 0, staged.stdout + staged.stderr
    linted = run(folder, "idempact", "lint", "--strict", "build/docs")
    assert linted.returncode == 0, linted.stdout
    again = run(folder, "idempact", "build", "contract.yaml", "--out", "build/docs", "--site", sources, "--check")
    assert again.returncode == 0, again.stdout


def test_the_site_builds_strictly_and_each_page_says_its_language(site: Path, pages: Mapping[str, str]) -> None:
    spoken = {
        page.relative_to(site).as_posix(): re.findall(r'<html lang="?([\w-]+)', page.read_text(encoding="utf-8"))
        for page in site.rglob("index.html")
    }
    assert len(spoken) == len(pages)
    assert {path for path, langs in spoken.items() if langs == ["zh"]} == {p for p in spoken if p.startswith("zh/")}
    assert {path for path, langs in spoken.items() if langs == ["en"]} == {p for p in spoken if not p.startswith("zh/")}
    assert "搜索" in (site / "zh" / "index.html").read_text(encoding="utf-8")
    assert "搜索" not in (site / "index.html").read_text(encoding="utf-8")
    assert 'id="退避时间表"' in (site / "zh" / "retries" / "index.html").read_text(encoding="utf-8")
    assert not list(site.rglob("*language.html"))


def test_pages_on_which_nothing_is_documented_claim_too_much_in_no_language(tmp_path: Path) -> None:
    stage(tmp_path, SILENT)
    assert (tmp_path / "build" / "docs" / "zh" / "index.md").is_file()


def test_a_search_in_chinese_finds_the_page(site: Path) -> None:
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and CI must have it")
        pytest.skip("there is no Chromium on this machine")
    spec = importlib.util.spec_from_file_location("smoke", ROOT / ".ci" / "smoke.py")
    assert spec is not None
    assert spec.loader is not None
    smoke = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(smoke)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(smoke.Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    first = {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = smoke.Browser(chromium, profile)
        try:
            for query in ("窗口", "幂等键", "指纹", "抖动", "结果未知", "idempotency_key_reused"):
                browser.open(f"http://{host}/zh/", smoke.WIDE)
                links = browser.value(smoke.SEARCH % json.dumps(query))
                first[query] = [link.split(host)[1].split("?")[0] for link in links]
        finally:
            browser.close()
            server.shutdown()
            server.server_close()
    assert first["窗口"][0] == "/zh/windows/"
    assert first["幂等键"][0] == "/zh/keys/"
    assert first["指纹"][0] == "/zh/keys/"
    assert first["抖动"][0] == "/zh/retries/"
    assert first["结果未知"][0] == "/zh/failures/"
    assert "/zh/errors/idempotency_key_reused/" in first["idempotency_key_reused"]
