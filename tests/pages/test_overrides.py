"""What in a team's own templates and words has no effect is told, and what has one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from idempact.pages.overrides import blocks_of, idle
from idempact.pages.render import page_templates
from idempact.pages.sources import site_sources
from idempact.render.environment import template_roots
from idempact.text.diagnostic import Severity


def put(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


EXTENDED = '{% extends "shipped/pages/index.md.jinja" %}\n'


@pytest.mark.parametrize(
    ("files", "rule", "line", "said"),
    [
        (
            {"pages/index.md.jinja": EXTENDED + "{% block stps %}x{% endblock %}\n"},
            "build/unknown-block",
            2,
            "did you mean `steps`?",
        ),
        (
            {"pages/index.md.jinja": EXTENDED + "\n{% block qqqqqqqq %}x{% endblock %}\n"},
            "build/unknown-block",
            3,
            "its blocks are promise, ",
        ),
        ({"index.md.jinja": "# Home\n"}, "build/unused-template", 0, "put a page's template into pages/"),
        ({"page/index.md.jinja": "# Home\n"}, "build/unused-template", 0, "the folders are locales, macros, pages"),
        (
            {"pages/index.md.jinja": '{% extends "pages/index.md.jinja" %}\n'},
            "build/template-of-itself",
            1,
            'write {% extends "shipped/pages/index.md.jinja" %}',
        ),
        ({"locales/en/own.yml": "a: b\nhome.step: x\n"}, "build/unknown-words", 1, "templates/locales"),
        ({"locales/en/own.yml": "home.stepps: x\n"}, "build/unknown-words", 1, "did you mean `home.steps`?"),
        ({"locales/fr/own.yml": "home.stepps: x\n"}, "build/unknown-words", 1, "did you mean `home.steps`?"),
    ],
)
def test_what_has_no_effect_is_told_with_its_place(
    tmp_path: Path, files: dict[str, str], rule: str, line: int, said: str
) -> None:
    found = idle([put(tmp_path, files)])
    first = found[0]
    assert first.rule == rule
    assert (first.span.line if first.span else 0) == line
    assert said in first.hint
    assert first.severity is (Severity.ERROR if rule == "build/template-of-itself" else Severity.WARNING)


@pytest.mark.parametrize("name", page_templates(template_roots()))
def test_no_block_of_ours_is_told_when_it_is_replaced(tmp_path: Path, name: str) -> None:
    blocks = blocks_of(name)
    assert blocks, f"{name} has no block that a team could replace"
    text = f'{{% extends "shipped/{name}" %}}\n' + "".join(
        f"{{% block {block} %}}{{% block own_{block} %}}{{% endblock %}}{{% endblock %}}\n" for block in blocks
    )
    assert idle([put(tmp_path, {name: text})]) == ()


def test_what_templates_of_ones_own_ask_for_is_not_told(tmp_path: Path) -> None:
    folder = put(
        tmp_path,
        {
            "locales/en/own.yml": "mine.title: Mine\nmine.text: Text\n",
            "pages/mine.md.jinja": '# {{ "mine.title" | say }}\n{% include "parts/own.jinja" %}\n',
            "parts/own.jinja": "Text\n",
        },
    )
    assert [found.subject for found in idle([folder])] == ["mine.text"]
    assert idle([folder], [("x.md", "{{ 'mine.text' | say }}")]) == ()


def test_a_template_that_cannot_be_read_is_left_to_the_build(tmp_path: Path) -> None:
    files = {
        "pages/a.md.jinja": "{% if %}\n",
        "pages/b.md.jinja": '{% extends "nowhere" %}{% block x %}{% endblock %}\n',
        "locales/en/own.yml": "- 1\n",
        "locales/en/empty.yml": "",
    }
    assert idle([put(tmp_path, files)]) == ()


def test_a_file_may_hold_anything_and_replaces_ours_of_that_name(tmp_path: Path) -> None:
    data = b"\x89PNG\r\n\x1a\n\xff\x00"
    put(tmp_path, {"assets/site.css": "a\r\nb", ".hidden": "x", ".git/config": "x", "a.md": "# A\n", "b.md.jinja": "B"})
    (tmp_path / "assets" / "logo.png").write_bytes(data)
    found = site_sources(tmp_path)
    files = {file.path: file.content for file in found.files}
    assert files["assets/logo.png"] == data
    assert files["assets/site.css"] == b"a\r\nb"
    assert "assets/site.js" in files
    assert found.pages == (("a.md", "# A\n"),)
    assert found.templates == (("b.md", "B"),)
    assert not any("hidden" in name or "config" in name for name in files)
    assert {"assets/site.css", "assets/site.js"} <= {file.path for file in site_sources(None).files}
