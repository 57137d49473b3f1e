"""Compiled templates are kept, and a build does without what was kept where that is of no use."""

from __future__ import annotations

import jinja2.bccache
import pytest

from idempact.render.compiled import compiled_templates
from idempact.render.environment import environment


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The folder of compiled templates, a new one."""
    folder = tmp_path / "kept"
    folder.mkdir()
    monkeypatch.setattr(jinja2.bccache.FileSystemBytecodeCache, "_get_default_cache_dir", lambda self: str(folder))
    return folder


@pytest.fixture
def templates(tmp_path):
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "a.jinja").write_text("one {{ x }}", encoding="utf-8")
    return folder


def _rendered(templates):
    return environment([templates]).get_template("a.jinja").render(x=1)


def test_a_compiled_template_is_kept_and_used(kept, templates, monkeypatch):
    assert _rendered(templates) == "one 1"
    assert [path.suffix for path in kept.iterdir()] == [".cache"]
    monkeypatch.setattr(jinja2.Environment, "_generate", None)
    assert _rendered(templates) == "one 1"


def test_a_template_that_changed_is_compiled_anew(kept, templates):
    _rendered(templates)
    (templates / "a.jinja").write_text("two {{ x }}", encoding="utf-8")
    assert _rendered(templates) == "two 1"


@pytest.mark.parametrize("damage", [b"", b"x", b"\x80\x04", None])
def test_what_is_damaged_is_compiled_anew(damage, kept, templates):
    _rendered(templates)
    for path in kept.iterdir():
        whole = path.read_bytes()
        for cut in range(0, len(whole), 7) if damage is None else [0]:
            path.write_bytes(whole[:cut] if damage is None else damage)
            assert _rendered(templates) == "one 1"


def test_a_folder_that_is_gone_is_done_without(kept, templates):
    kept.rmdir()
    assert _rendered(templates) == "one 1"


def test_without_a_safe_folder_nothing_is_kept(templates, monkeypatch):
    def unsafe(self):
        raise RuntimeError("no safe folder")

    monkeypatch.setattr(jinja2.bccache.FileSystemBytecodeCache, "_get_default_cache_dir", unsafe)
    assert compiled_templates() is None
    assert _rendered(templates) == "one 1"


def test_what_filters_say_of_constants_is_not_kept(kept, templates):
    """Environments share what is compiled, and each has words of its own: a constant's may be another locale's."""
    said = "{{ 'key' | say }}{% if 'key' | say == 'two' %}!{% endif %}{% set word = 'key' | say %}{{ word }}"
    (templates / "b.jinja").write_text(said, encoding="utf-8")
    rendered = []
    for word in ("one", "two", "one"):
        made = environment([templates])
        made.filters["say"] = {"key": word}.get
        rendered.append(made.get_template("b.jinja").render())
    assert rendered == ["oneone", "two!two", "oneone"]
