"""The pages in plain Markdown: read by GitHub's rules, compiled as MDX, and every link followed."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import posixpath
import re
import shutil
import subprocess
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from idempact.build import build
from idempact.contract.check import checked
from idempact.pages.flavor import Flavor
from idempact.pages.gfm import plain
from idempact.pages.render import front_matter
from idempact.pages.slug import slugs
from idempact.render.artifact import Artifact
from idempact.render.literals import md_text
from idempact.text.nodes import compose, load
from idempact.text.span import Document

ROOT = Path(__file__).parents[2]
CONTRACTS = {
    path.stem: path
    for path in (
        ROOT / "contract" / "contract.yaml",
        ROOT / "contract" / "minimal.yaml",
        ROOT / "tests" / "project" / "told_apart.yaml",
        *sorted((ROOT / "contract" / "vendors").glob("*.yaml")),
    )
}
COMPILED = ("contract", "adcp", "stripe-v1", "plaid")
GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HTML = re.compile(r"<br />|</?(?:sub|code)>")


@lru_cache(maxsize=64)
def files(name: str, flavor: Flavor = Flavor.GFM) -> dict[str, str]:
    """What a contract becomes in both languages."""
    tree = load(CONTRACTS[name]).value
    assert tree is not None
    read = checked(tree).value
    assert read is not None
    publish = replace(read.contract.publish, locales=("en", "zh"))
    made = build(
        replace(read, contract=replace(read.contract, publish=publish)), contract_name=f"{name}.yaml", flavor=flavor
    )
    assert made.value is not None, made.diagnostics
    assert len({artifact.path for artifact in made.value.artifacts}) == len(made.value.artifacts)
    return {artifact.path: artifact.text for artifact in made.value.artifacts}


def body(text: str) -> str:
    return re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)


def flat(text: str) -> list[Token]:
    return [each for token in GFM.parse(body(text)) for each in (token, *(token.children or ()))]


def anchors(text: str) -> list[str]:
    tokens = GFM.parse(body(text))
    headings = [tokens[place + 1].children or [] for place, token in enumerate(tokens) if token.type == "heading_open"]
    shown = [
        "".join(c.content for c in inline if c.type in ("text", "code_inline", "text_special")) for inline in headings
    ]
    return list(slugs(shown))


@pytest.mark.parametrize("name", CONTRACTS)
def test_no_syntax_of_material_is_left(name: str) -> None:
    pages = {path: text for path, text in files(name).items() if path.endswith(".md")}
    material = files(name, Flavor.MATERIAL)
    assert pages.keys() == {path for path in material if path.endswith(".md")}
    for path, text in pages.items():
        assert "order" not in front_matter(text)
        assert front_matter(text).get("sidebar_position") == front_matter(material[path]).get("order")
        for token in flat(text):
            assert token.type != "html_block", (path, token.content)
            if token.type == "html_inline":
                assert HTML.fullmatch(token.content), (path, token.content)
            if token.type == "fence":
                assert not token.info.startswith("{"), (path, token.info)
            if token.type == "text":
                assert not re.match(r'!!!|\?\?\?|=== "|\[TOC\]', token.content), (path, token.content)
        prose = re.sub(r"(?ms)^ *(```+).*?^ *\1$|(`+)[^`\n]+?\2", "", body(text))
        assert not re.search(r"[{}]|<(?!br />|/?sub>|/?code>)|^(?:import|export)\b", prose, re.M), path


@pytest.mark.parametrize("name", CONTRACTS)
def test_every_link_and_anchor_leads_somewhere(name: str) -> None:
    staged = files(name)
    count = 0
    for path, text in staged.items():
        for token in flat(text) if path.endswith(".md") else ():
            target = str(token.attrs.get("href") or token.attrs.get("src") or "")
            if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
                continue
            beside, mark, anchor = target.partition("#")
            named = posixpath.normpath(posixpath.join(posixpath.dirname(path), beside)) if beside else path
            assert named in staged, (path, target)
            assert not mark or unquote(anchor) in anchors(staged[named]), (path, target)
            count += 1
    assert count > 20


@pytest.mark.parametrize("name", CONTRACTS)
def test_drawings_are_images_of_their_own(name: str) -> None:
    drawn = {path: text for path, text in files(name).items() if path.endswith(".svg")}
    held = "\n".join(text for path, text in files(name, Flavor.MATERIAL).items() if path.endswith(".md"))
    assert len(drawn) == held.count('<div class="drawing">')
    for text in drawn.values():
        root = ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg"


def test_only_what_plain_markdown_needs_is_staged() -> None:
    kinds = {path.rpartition(".")[2] for path in files("contract") if not path.startswith("downloads/")}
    assert kinds == {"md", "svg"}
    material = files("contract", Flavor.MATERIAL)
    assert {path for path in files("contract") if path.startswith("downloads/")} == {
        path for path in material if path.startswith("downloads/")
    }


def compiled(folder: Path) -> dict[str, dict[str, object]]:
    """Every page below the folder, compiled by MDX: its error, and the anchors that github-slugger gives."""
    for tool in ("node", "npm"):
        if not shutil.which(tool):
            if os.environ.get("CI") == "true":
                pytest.fail(f"{tool} is missing, and CI must have it")
            pytest.skip(f"{tool} is not installed here")
    source = Path(__file__).parent / "mdx"
    digest = hashlib.sha256((source / "package.json").read_bytes()).hexdigest()[:12]
    workshop = ROOT / "build" / "workshops" / f"mdx-{digest}"
    workshop.mkdir(parents=True, exist_ok=True)
    with (workshop / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (workshop / ".prepared").exists():
            shutil.copy(source / "package.json", workshop)
            words = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund"]
            done = subprocess.run(words, cwd=workshop, capture_output=True, text=True, check=False)
            if done.returncode != 0 and os.environ.get("CI") != "true":
                pytest.skip(f"npm install fails here: {done.stderr.strip()[-300:]}")
            assert done.returncode == 0, done.stdout + done.stderr
            (workshop / ".prepared").touch()
        shutil.copy(source / "compile.mjs", workshop)
    done = subprocess.run(
        ["node", str(workshop / "compile.mjs"), str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, dict[str, object]] = json.loads(done.stdout)
    return {Path(path).relative_to(folder).as_posix(): result for path, result in found.items()}


def written(folder: Path, pages: dict[str, str]) -> Path:
    for path, text in pages.items():
        if path.endswith(".md"):
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", COMPILED)
def test_every_page_compiles_as_mdx_and_has_the_anchors_that_we_link_to(tmp_path: Path, name: str) -> None:
    pages = {path: text for path, text in files(name).items() if path.endswith(".md")}
    found = compiled(written(tmp_path, pages))
    assert found.keys() == pages.keys()
    assert {path: result["error"] for path, result in found.items() if result["error"]} == {}
    for path, result in found.items():
        assert result["anchors"] == anchors(pages[path]), path


def test_the_pages_for_material_do_not_compile_so_the_test_above_can_fail(tmp_path: Path) -> None:
    found = compiled(written(tmp_path, files("contract", Flavor.MATERIAL)))
    assert {"index.md", "code.md"} <= found.keys()
    assert sum(bool(result["error"]) for result in found.values()) == len(found)


def turned(text: str) -> str:
    made = plain([Artifact("x.md", text)])
    assert made.value is not None, made.diagnostics
    return {artifact.path: artifact.text for artifact in made.value}["x.md"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<br>b\n", "a<br />b\n"),
        ("<https://a.example/{id}>\n", "[https://a.example/&#123;id&#125;](https://a.example/%7Bid%7D)\n"),
        ("<a@b.example>\n", "[a@b.example](mailto:a@b.example)\n"),
        ("`{id} <br>` {id} 1 < 2\n", "`{id} <br>` &#123;id&#125; 1 &#60; 2\n"),
        ("a <!-- said to\nthe lint --> b\n", "a  b\n"),
        ("import things\n\nexport `x`\n", "&#105;mport things\n\n&#101;xport `x`\n"),
        ("# A `b` {c}!\n\n[x](#a-b-c)\n", "# A `b` &#123;c&#125;!\n\n[x](#a-b-c)\n"),
        ("# T\n\n## Über uns { #about }\n\n[x](x.md#about)\n", "# T\n\n## Über uns\n\n[x](x.md#über-uns)\n"),
        (
            '# T\n\n=== "A"\n\n    a\n\n=== "B"\n\n    === "C"\n\n        c\n',
            "# T\n\n## A\n\na\n\n## B\n\n### C\n\nc\n",
        ),
        ('!!! note "N"\n    one\n\n    two\n\nafter\n', "> **N**\n>\n> one\n>\n> two\n\nafter\n"),
        ("[中文](zh/x.md){ hreflang=zh lang=zh }\n", "[中文](zh/x.md)\n"),
        ("```mdx\n{a} <b> !!! import\n```\n", "```mdx\n{a} <b> !!! import\n```\n"),
    ],
)
def test_each_construct_has_its_plain_form(text: str, expected: str) -> None:
    assert turned(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        '??? note "folded"\n    x\n',
        "text\n{ .big }\n",
        "[a](b.md){ .md-button }\n",
        ":material-check: yes\n",
        '--8<-- "file.md"\n',
        "<details><summary>x</summary></details>\n",
        '<img src="x.png">\n',
        '- a\n\n    !!! note "in a list"\n        x\n',
        "``` { .py }\nx\n```\n",
        "```\nnever ends\n",
        "[x](#nowhere)\n",
        '!!! note "code in it"\n    ```\n    x\n    ```\n',
    ],
)
def test_what_has_no_known_form_is_refused_by_name(text: str) -> None:
    found = plain([Artifact("guide/x.md", text)])
    assert found.value is None
    (diagnostic,) = found.diagnostics
    assert diagnostic.rule == "build/no-plain-markdown"
    assert diagnostic.message.startswith("guide/x.md: ")


@given(st.text(max_size=60))
def test_any_text_of_a_contract_stays_as_it_is(text: str) -> None:
    line = f"It says {md_text(text)}."
    assert turned(f"{line}\n") == f"{line}\n"


@pytest.mark.parametrize("store", ["postgresql", "sqlite", "dynamodb", "mysql"])
def test_the_page_for_implementers_has_no_dead_anchor_whatever_the_store(store: str) -> None:
    text = CONTRACTS["contract"].read_text(encoding="utf-8").replace("provider: false", "provider: true")
    assert text.count("store: postgresql ") == 1
    tree = compose(Document("contract.yaml", text.replace("store: postgresql ", f"store: {store} "))).value
    assert tree is not None
    read = checked(tree)
    assert read.value is not None
    made = build(read.value, contract_name="contract.yaml", flavor=Flavor.GFM)
    assert made.value is not None, made.diagnostics
    (page,) = [artifact.text for artifact in made.value.artifacts if artifact.path == "implementers.md"]
    assert ("(#claim)" in page) is (store in ("postgresql", "sqlite"))
