"""The site as text: ``llms.txt``, and the Markdown source beside each page."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from idempact.build import build
from idempact.contract.check import checked
from idempact.pages.texts import first_sentence
from idempact.render.artifact import Artifact
from idempact.text.nodes import compose
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
EXAMPLE = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8")
CONTRACTS = {
    "example": EXAMPLE,
    "two languages": EXAMPLE.replace("locales: [en]", "locales: [zh, en]"),
    **{path.stem: path.read_text(encoding="utf-8") for path in sorted((ROOT / "contract" / "vendors").glob("*.yaml"))},
}


@lru_cache(maxsize=64)
def staged(text: str, site: Path | None = None) -> dict[str, str]:
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    made = build(read.value, contract_name="contract.yaml", site_sources=site).value
    assert made is not None
    paths = [artifact.path for artifact in made.artifacts]
    assert len(set(paths)) == len(paths)
    return {artifact.path: artifact.text for artifact in made.artifacts}


def links(text: str) -> list[str]:
    inline = [token for token in MarkdownIt("commonmark").enable("table").parse(text) if token.children]
    found = [child.attrs.get("href") for token in inline for child in token.children or () if child.type == "link_open"]
    return [str(href) for href in found if not re.match(r"[a-z]+:", str(href))]


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_listing_has_the_form_of_its_standard_and_names_every_page_with_a_sentence(name: str) -> None:
    files = staged(CONTRACTS[name])
    pages = {path for path in files if path.endswith(".md")}
    listed: set[str] = set()
    for path in (path for path in files if path.endswith("llms.txt")):
        text = files[path]
        assert text.startswith("# ")
        assert text.split("\n")[2].startswith("> ")
        assert len(re.findall(r"^# ", text, re.M)) == 1
        for line in re.findall(r"^- .*$", text, re.M):
            assert re.fullmatch(r"- \[[^\]]+\]\([^)]+\)(: .+)?", line)
            if ".md.txt)" in line:
                assert re.search(r"\): .{5,}[.。？?：:]$", line), line
        folder = posixpath.dirname(path)
        leads_to = {posixpath.normpath(posixpath.join(folder, link)) for link in links(text)}
        assert leads_to <= files.keys()
        listed |= {link.removesuffix(".txt") for link in leads_to if link.endswith(".md.txt")}
    assert listed == pages


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_page_has_its_source_beside_it_whose_links_lead_to_sources(name: str) -> None:
    files = staged(CONTRACTS[name])
    pages = {path for path in files if path.endswith(".md")}
    assert {f"{path}.txt" for path in pages} == {path for path in files if path.endswith(".md.txt")}
    for path in pages:
        assert f"]({posixpath.basename(path)}.txt)" in files[path]
        assert "<svg" not in files[f"{path}.txt"]
        for link in links(files[f"{path}.txt"]):
            beside, _, _ = link.partition("#")
            target = posixpath.normpath(posixpath.join(posixpath.dirname(path), beside)) if beside else f"{path}.txt"
            assert target in files.keys() - pages, (path, link)


def test_a_listing_of_the_users_own_is_kept(tmp_path: Path) -> None:
    (tmp_path / "llms.txt").write_text("# Mine\n", encoding="utf-8")
    (tmp_path / "support.md.jinja").write_text("# Support\n\nAsk us. We answer.\n", encoding="utf-8")
    files = staged(EXAMPLE, tmp_path)
    assert files["llms.txt"] == "# Mine\n"
    assert files["support.md.txt"] == "# Support\n\nAsk us. We answer.\n"
    (tmp_path / "support.md.jinja").write_text('# Support\n\n??? note "folded"\n    x\n', encoding="utf-8")
    staged.cache_clear()
    assert staged(EXAMPLE, tmp_path)["support.md.txt"] == '# Support\n\n??? note "folded"\n    x\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("---\ntitle: x\n---\n# T\n\nOne. Two.\n", "One."),
        ("# T\n\n| a | b |\n|---|---|\n\nSee [it](x.md) now. Two.\n", "See it now."),
        ("# T\n\n[中文](zh/x.md){ hreflang=zh lang=zh }\n\n一。二。\n", "一。"),
        ("# T\n\nNo stop\n", "No stop"),
        ("# T\n\n## U\n\nBelow.\n", ""),
    ],
)
def test_a_page_is_told_by_its_first_sentence(text: str, said: str) -> None:
    assert first_sentence(Artifact("x.md", text)) == said
