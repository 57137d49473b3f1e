"""APIs in several folders of a disk: whatever a reference looks like and wherever the command is run from, the same
file is edited once, and what is put into it leads back to the root document.
"""

from __future__ import annotations

import os
import posixpath
from pathlib import Path
from urllib.parse import unquote

import pytest
from ruamel.yaml import YAML

from idempact.cli import main

CONTRACT = Path(__file__).parent / "contracts" / "every-write.yaml"
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'
ITEM = 'post:\n  responses:\n    "201": {description: made}\n'
# The root document, the reference in it, and the file that this names.
PLACES = [
    ("api.yaml", "a.yaml", "a.yaml"),
    ("api.yaml", "./x/../a.yaml", "a.yaml"),
    ("api.yaml", "my dir/a b.yaml", "my dir/a b.yaml"),
    ("api.yaml", "my%20dir/a%20b.yaml", "my dir/a b.yaml"),
    ("api.yaml", "%C3%A4/\u65e5\u672c.yaml", "\u00e4/\u65e5\u672c.yaml"),
    ("api.yaml", "a%23b%3F.yaml", "a#b?.yaml"),
    ("api.yaml", "p.yaml#/paths/~1orders~1%7Bid%7D", "p.yaml"),
    ("sub/api.yaml", "../a.yaml", "a.yaml"),
    ("sub/api.yaml", "../sub/a.yaml", "sub/a.yaml"),
    ("sub/deep/api.yaml", "../../other/a.yaml", "other/a.yaml"),
    ("sub/deep/api.yaml", "../../sub/other/../deep/a.yaml", "sub/deep/a.yaml"),
    ("my api's #1 %20.yaml", "sub/a.yaml", "sub/a.yaml"),
    ("v1:api.yaml", "sub/a.yaml", "sub/a.yaml"),
]


def _files(folder):
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def _inject(command, root, *more):
    contract = [] if command == "eject" else ["--contract", str(CONTRACT)]
    return main([command, str(root), *contract, "--quiet", *more])


@pytest.fixture
def made(tmp_path):
    def make(root, refs, files):
        folder = tmp_path / "tree"
        files = {root: HEAD + "".join(f"  /{n}: {{$ref: {ref!r}}}\n" for n, ref in enumerate(refs)), **files}
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        return folder, files

    return make


@pytest.mark.parametrize("from_where", ["its folder", "elsewhere", "the root", "another path"])
@pytest.mark.parametrize(("root", "ref", "part"), PLACES)
def test_it_leads_back_wherever_the_command_is_run(root, ref, part, from_where, made, monkeypatch):
    text = ITEM if "#" not in ref else f"paths:\n  /orders/{{id}}:\n    {ITEM.replace(chr(10), chr(10) + '    ')}\n"
    folder, before = made(root, [ref], {part: text})
    given = folder / root
    monkeypatch.chdir({"its folder": given.parent, "elsewhere": folder.parent, "the root": "/"}.get(from_where, folder))
    if from_where != "the root":
        given = Path(os.path.relpath(given))
    if from_where == "another path":
        given = Path("..") / "tree" / given
    assert _inject("inject", given) == 0
    after = _files(folder)
    assert {name for name in after if after[name] != before[name]} == {root, part}
    operation = YAML(typ="safe").load(after[part])
    operation = (operation["paths"]["/orders/{id}"] if "#" in ref else operation)["post"]
    for one in (operation["parameters"][0], operation["responses"]["409"]):
        name, _, place = one["$ref"].partition("#")
        assert posixpath.normpath(posixpath.join(posixpath.dirname(part), unquote(name))) == root
        assert place.startswith("/components/")
    for more in (["--check"], [], ["--validate", "full"]):
        assert _inject("inject", given, *more) == 0
        assert _files(folder) == after
    assert _inject("eject", given) == 0
    assert _files(folder) == before


def test_one_file_by_several_names_is_edited_once(made, capsys):
    refs = ["../sub/a.yaml", "a.yaml", "./a.yaml", "../../tree/sub/a.yaml", "%61.yaml"]
    folder, before = made("sub/api.yaml", refs, {"sub/a.yaml": ITEM})
    assert _inject("inject", folder / "sub" / "api.yaml") == 0
    after = _files(folder)
    assert after["sub/a.yaml"].count("parameters:") == 1
    assert "components" in after["sub/api.yaml"]
    assert "indirect" not in capsys.readouterr().out
    assert _inject("eject", folder / "sub" / "api.yaml") == 0
    assert _files(folder) == before


def test_what_is_no_file_is_told_and_not_read(made, capsys):
    """A pipe or a device might never end."""
    folder, _ = made("api.yaml", ["pipe", "folder", "/dev/zero", "lo\0st.yaml", "x" * 5000, "."], {"b/a.yaml": ITEM})
    os.mkfifo(folder / "pipe")
    (folder / "folder").mkdir()
    (folder / "api.yaml").write_text(
        (folder / "api.yaml").read_text().replace("'lo\0st", '"lo\\0st') + "  /b: {post: {}}\n"
    )
    assert _inject("inject", folder / "api.yaml") == 0
    told = capsys.readouterr().out
    assert told.count("[openapi/indirect-path]") == 6
    assert "#/components/parameters/IdempotencyKey" in (folder / "api.yaml").read_text()


@pytest.mark.parametrize("link", [Path.symlink_to, Path.hardlink_to])
@pytest.mark.parametrize("target", ["api.yaml", "parts.yaml"])
def test_one_file_under_two_names_is_followed_by_one_of_them(target, link, made, capsys):
    """Two edits of one text, each made as if the other were not there, would lose one of them."""
    refs = [f"{target}#/components/pathItems/one", "link.yaml#/components/pathItems/two"]
    parts = "components:\n  pathItems:\n    one:\n      post: {}\n    two:\n      post: {}\n"
    folder, _ = made("api.yaml", refs, {"parts.yaml": parts})
    with (folder / "api.yaml").open("a") as file:
        file.write(parts)
    before = _files(folder)
    link(folder / "link.yaml", folder / target)
    assert _inject("inject", folder / "api.yaml") == 0
    told = capsys.readouterr().out
    assert told.count("[openapi/indirect-path]") == 1
    assert f"this is {target} by another name" in told
    after = _files(folder)
    assert after[target].count("IdempotencyKey'") == 1
    if link is Path.symlink_to:
        # A hard link is a file of its own now, and that was told.
        assert _inject("inject", folder / "api.yaml") == 0
        assert _files(folder) == after
    (folder / "link.yaml").unlink()
    assert _inject("eject", folder / "api.yaml") == 0
    assert _files(folder) == before
