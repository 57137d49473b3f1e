"""The house's own rules: layers, file lengths, the top level, what the wheel holds, and that README's words hold."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from idempact.cli import commands

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "generator" / "idempact"


def tracked() -> list[Path]:
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if found.returncode != 0:
        pytest.skip("this is no git checkout")
    return [ROOT / line for line in found.stdout.splitlines() if (ROOT / line).is_file()]


def test_the_top_level_is_the_agreed_one() -> None:
    agreed = {"pyproject.toml", "README.md", "contract", "templates", "site_src", "generator", "tests", "mkdocs.yml"}
    agreed |= {
        ".pre-commit-hooks.yaml",
        "Makefile",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        ".ci",
        ".gitignore",
        ".gitattributes",
    }
    assert {path.relative_to(ROOT).parts[0] for path in tracked()} <= agreed


def test_no_module_is_longer_than_400_lines() -> None:
    long = {p.name: n for p in PACKAGE.rglob("*.py") if (n := p.read_text(encoding="utf-8").count("\n")) > 400}
    assert long == {}


def test_classes_are_made_without_the_price_of_the_standard_library() -> None:
    takes = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            named = [one.name for one in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom) and node.module == "dataclasses" and named != ["asdict"]:
                takes.append(path.relative_to(PACKAGE).as_posix())
            if isinstance(node, ast.Import) and "dataclasses" in named:
                takes.append(path.relative_to(PACKAGE).as_posix())
    assert set(takes) == {"text/dataclass.py"}


def test_every_module_and_every_public_thing_says_what_it_is_for() -> None:
    silent = []
    for path in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        name = path.relative_to(PACKAGE).as_posix()
        if ast.get_docstring(tree) is None:
            silent.append(name)
        for node in tree.body:
            public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
            if public and ast.get_docstring(node) is None:
                silent.append(f"{name}:{node.name}")
    assert silent == []


def test_only_the_command_line_prints_or_exits() -> None:
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name == "cli" or path.name == "__main__.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = node.func if isinstance(node, ast.Call) else None
            if isinstance(name, ast.Name) and name.id in ("print", "exit", "input"):
                found.append(f"{path.name}:{node.lineno}")  # type: ignore[attr-defined]
            if isinstance(name, ast.Attribute) and ast.unparse(name) == "sys.exit":
                found.append(f"{path.name}:{node.lineno}")  # type: ignore[attr-defined]
    assert found == []


def test_one_module_alone_imports_a_yaml_library() -> None:
    importers = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if re.search(r"^\s*(import|from) (yaml|ruamel)\b", path.read_text(encoding="utf-8"), re.M)
    }
    assert importers <= {"text/yaml_nodes.py", "text/yaml_events.py"}


def test_templates_neither_count_nor_compare() -> None:
    """Arithmetic, sorting and deciding belong to facts: the operators of a template are ~ == not and or in."""
    from jinja2 import nodes

    from idempact.render.environment import environment

    env = environment()
    env.filters = type("Any", (dict,), {"__missing__": lambda self, key: str, "__contains__": lambda self, key: True})()
    forbidden = (nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod, nodes.Pow)
    found = []
    for path in sorted((ROOT / "templates" / "pages").rglob("*.jinja")):
        tree = env.parse(path.read_text(encoding="utf-8"))
        found += [f"{path.name}:{n.lineno}" for n in tree.find_all(forbidden)]
        found += [f"{path.name}:{n.lineno}" for n in tree.find_all(nodes.Operand) if n.op not in ("eq", "in", "notin")]
    assert found == []


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    # Put together, so that this file doesn't hold what it looks for.
    words = ["py" + "pi.org", "pythonhosted" + ".", "registry.npm" + "js", "proxy.golang" + ".", "crates" + ".io"]
    words += ["deb.deb" + "ian", "/wo" + "rk/", "/ro" + "ot/"]
    found = []
    for path in tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        found += [f"{path.relative_to(ROOT)}: {word}" for word in words if word in text]
    assert found == []


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("*.whl"))


def test_the_wheel_holds_every_shipped_file(wheel: Path) -> None:
    names = {n for n in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in n}
    expected = {"idempact/resources/mkdocs.yml"}
    for folder, inside in (
        ("generator/idempact", "idempact"),
        ("templates", "idempact/resources/templates"),
        ("site_src/integrator", "idempact/resources/site_src/integrator"),
        ("site_src/starter", "idempact/resources/site_src/starter"),
        ("contract", "idempact/resources/contract"),
    ):
        top = ROOT / folder
        expected |= {
            f"{inside}/{p.relative_to(top).as_posix()}"
            for p in tracked()
            if p.is_relative_to(top) and "__pycache__" not in p.parts
        }
    assert names == expected
    source = next(wheel.parent.glob("*.tar.gz"))
    with tarfile.open(source) as archive:
        packed = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    assert {"README.md", "LICENSE", "contract/contract.yaml", "mkdocs.yml"} <= packed


def test_the_wheel_works_in_a_new_environment_in_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    pip = [str(venv / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", str(wheel)]
    installed = subprocess.run(pip, capture_output=True, text=True, check=False)
    assert installed.returncode == 0, installed.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    own = empty / "site_src" / "templates" / "pages" / "index.md.jinja"
    extended = '{% extends "shipped/pages/index.md.jinja" %}{% block steps %}{{ super() }}Ours.{% endblock %}'
    for words in (["new"], ["check"], ["build", "--strict"], ["lint", "--strict", "build/docs"]):
        if words[0] == "build":
            own.parent.mkdir(parents=True)
            own.write_text(extended, encoding="utf-8")
        command = [str(venv / "bin" / "idempact"), *words]
        done = subprocess.run(command, cwd=empty, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
    page = (empty / "build" / "docs" / "index.md").read_text(encoding="utf-8")
    assert "Acme Payments API" in page
    assert "Ours." in page


def test_the_first_edit_of_the_readme_does_what_it_says(tmp_path: Path) -> None:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "idempact", *words]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert run("new").returncode == 0
    contract = tmp_path / "contract" / "contract.yaml"
    text = contract.read_text(encoding="utf-8")
    contract.write_text(text.replace("  replay: 24h  ", "  replay: 48h  "), encoding="utf-8")
    told = run("check")
    assert "to: 24h" in told.stdout
    assert run("build").returncode == 1
    longer = text.replace("  replay: 24h  ", "  replay: 48h  ").replace("from: 12h, to: 24h", "from: 12h, to: 48h")
    contract.write_text(longer, encoding="utf-8")
    assert run("check").returncode == 0
    assert run("build").returncode == 0
    for page in ("index.md", "operations.md", "windows.md", "no-promise.md"):
        shown = (tmp_path / "build" / "docs" / page).read_text(encoding="utf-8")
        assert "48 hours" in shown, page
        assert "24 hours" not in shown.replace("kept for 24 hours", ""), page
    openapi = tmp_path / "openapi.yaml"
    openapi.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\npaths:\n  /payments:\n    post:\n      responses:\n"
        "        '201':\n          description: made\n",
        encoding="utf-8",
    )
    before = openapi.read_bytes()
    assert run("inject", "openapi.yaml").returncode == 0
    assert "48 hours" in openapi.read_text(encoding="utf-8")
    assert run("inject", "openapi.yaml", "--check").returncode == 0
    assert run("eject", "openapi.yaml").returncode == 0
    assert openapi.read_bytes() == before
    contract.write_text(text.replace("  replay: 24h  ", "  replay: 12h  "), encoding="utf-8")
    refused = run("check")
    assert refused.returncode == 1
    line = next(n for n, row in enumerate(text.splitlines(), 1) if row.startswith("  replay: 24h"))
    assert f"contract/contract.yaml:{line}:11: error:" in refused.stdout
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    quoted = re.search(r"^contract/contract.yaml:.*(?= …$)", readme, re.M)
    assert quoted is not None
    assert quoted[0] in refused.stdout
    minimal = (ROOT / "contract" / "minimal.yaml").read_text(encoding="utf-8")
    assert f"a contract of {len(minimal.splitlines())} lines" in readme
    assert "dead-letter queue replay" in refused.stdout


def test_the_readme_lists_every_command() -> None:
    section = (
        (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## Commands\n")[2].partition("; each has")[0]
    )
    assert sorted(re.findall(r"`([a-z]+)`", section)) == sorted(commands())


def test_what_the_language_says_of_itself_names_only_commands_that_there_are() -> None:
    """Comments and descriptions are documentation: a word in backquotes that could be a command is one, or a field."""
    schema = (ROOT / "contract" / "contract.schema.json").read_text(encoding="utf-8")
    comments = re.findall(r"#.*", (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8"))
    named = set(
        re.findall(
            r"`idempact ([a-z]+)|`([a-z]+)` (?:writes|proposes|classes|reports|checks|makes)",
            "\n".join([*comments, schema]),
        )
    )
    words = {one or other for one, other in named}
    assert "check" in words
    assert words <= set(commands())


def test_the_readme_names_every_language_of_the_loops() -> None:
    titles = {
        line.removeprefix("title:").strip()
        for path in (ROOT / "templates" / "snippets").glob("*/language.yml")
        for line in path.read_text(encoding="utf-8").splitlines()
        if line.startswith("title:")
    }
    told = re.search(r"\| Retry loops in (.+?) \|", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert told is not None
    assert {name.casefold() for name in re.split(r", | and ", told[1])} == {title.casefold() for title in titles}
