"""Renders the loops as the tests need them, and knows how each language is checked, built and run."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.contract.read import read
from idempact.facts.derive import Facts
from idempact.facts.loop import LoopFacts
from idempact.facts.loops import loop
from idempact.render.environment import template_roots
from idempact.snippets.language import Language, languages
from idempact.snippets.render import render_one
from idempact.text.diagnostic import Severity
from idempact.text.nodes import load
from idempact.vectors.client import CommandClient
from idempact.vectors.load import read_vectors, shipped_vectors
from idempact.vectors.model import Vector
from idempact.vectors.run import Result, run_vectors

REPOSITORY = Path(__file__).resolve().parents[2]
PROFILES = ("fast", "tight", "budget", "accept")
AT_ONCE = 8


def loop_of(path: Path) -> LoopFacts:
    tree = load(path).value
    assert tree is not None
    found = read(tree)
    assert found.value is not None, found.diagnostics
    return Facts.of(found.value.contract).base.loop


def merged(base: object, changes: object) -> object:
    if not isinstance(base, dict) or not isinstance(changes, dict):
        return changes
    return {**base, **{key: merged(base.get(key), value) for key, value in changes.items()}}


@pytest.fixture(scope="session")
def changed(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Mapping[str, object]], LoopFacts]:
    """The loop of a contract's last operation, after mappings were merged into the contract (below ``contract/``)."""

    def make(source: str, changes: Mapping[str, object]) -> LoopFacts:
        data = YAML(typ="safe").load((REPOSITORY / "contract" / source).read_text(encoding="utf-8"))
        path = tmp_path_factory.mktemp("changed") / "contract.json"
        path.write_text(json.dumps(merged(data, dict(changes)), default=str), encoding="utf-8")
        tree = load(path).value
        assert tree is not None
        found = read(tree)
        assert found.value is not None, found.diagnostics
        assert not [d for d in found.diagnostics if d.severity is Severity.ERROR]
        contract = found.value.contract
        return loop(contract, contract.operations[-1])

    return make


def needed(tool: str, search: str | None = None) -> None:
    """Skips without the tool; under CI it must be there."""
    if shutil.which(tool, path=search) is None:
        if os.environ.get("CI") == "true":
            pytest.fail(f"{tool} is missing, and CI must have it")
        pytest.skip(f"{tool} is not installed here")


@dataclass
class Workshop:
    """One language: a folder for each rendering, all of them built at once."""

    language: Language
    folder: Path
    search: str
    tools: Mapping[str, Path] = field(default_factory=dict)

    def place(self, name: str, code: str) -> Path:
        folder = self.folder / name
        folder.mkdir(parents=True)
        (folder / self.language.file).write_text(code, encoding="utf-8")
        shutil.copy(self.language.folder / self.language.driver, folder)
        return folder

    def render(self, name: str, loop: LoopFacts) -> Path:
        return self.place(name, render_one(loop, self.language).code)

    def command(self, words: Sequence[str], files: Sequence[str], drivers: Sequence[str], folder: Path) -> None:
        """Runs one command over all *files*; its output is the failure."""
        needed(words[0], self.search)
        filled: list[str] = []
        for word in words:
            filled += files if word == "{file}" else drivers if word == "{driver}" else [word]
        environment = {**os.environ, "PATH": self.search, "MYPY_CACHE_DIR": str(self.folder / ".mypy_cache")}
        done = subprocess.run(filled, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout}\n{done.stderr}"

    def check(self, renderings: Mapping[str, str]) -> None:
        """The language's own checks, over all renderings at once (of one file each where the tool takes one)."""
        folder = self.folder / "checked"
        folder.mkdir()
        stem, suffix = os.path.splitext(self.language.file)
        names = []
        for number, code in enumerate(renderings.values()):
            names.append(f"{stem}_{number}{suffix}")
            (folder / names[-1]).write_text(code, encoding="utf-8")
        for words in self.language.check:
            for files in [[name] for name in names] if words[0] == "bash" else [names]:
                self.command(words, files, [], folder)

    def build(self, names: Sequence[str]) -> None:
        for words in self.language.build:
            files = [f"{name}/{self.language.file}" for name in names]
            self.command(words, files, [f"{name}/{self.language.driver}" for name in names], self.folder)

    def client(self, name: str, timeout: float = 30.0) -> CommandClient:
        return CommandClient(self.language.run, str(self.folder / name), {"PATH": self.search}, timeout)


LANGUAGES = tuple(language.id for language in languages(template_roots()).value or ())


@pytest.fixture(scope="session")
def typescript_modules() -> Path:
    """The compiler and Node's types, installed once for each state of package.json, outside of the sources."""
    needed("node")
    needed("npm")
    manifest = REPOSITORY / "tests" / "snippets" / "typescript" / "package.json"
    folder = REPOSITORY / "build" / f"typescript-{hashlib.sha256(manifest.read_bytes()).hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "node_modules" / ".bin" / "tsc").exists():
            shutil.copy(manifest, folder)
            words = ["npm", "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode != 0 and os.environ.get("CI") != "true":
                pytest.skip(f"npm can't install the compiler here: {done.stderr.strip().splitlines()[-1:]}")
            assert done.returncode == 0, done.stderr
    return folder / "node_modules"


@pytest.fixture(scope="session")
def workshop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workshop]:
    """Makes an empty workshop for a language; skips where its tools are missing."""

    def make(language_id: str) -> Workshop:
        language = next(each for each in languages(template_roots()).value or () if each.id == language_id)
        folder = tmp_path_factory.mktemp(language_id)
        path = [str(Path(sys.executable).parent), os.environ.get("PATH", "")]
        if language_id == "typescript":
            modules: Path = request.getfixturevalue("typescript_modules")
            (folder / "node_modules").symlink_to(modules)
            (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
            path.insert(0, str(modules / ".bin"))
        if language_id == "shell":
            for tool in ("bash", "curl", "jq"):
                needed(tool)
        return Workshop(language, folder, os.pathsep.join(path))

    return make


@pytest.fixture(scope="session")
def scaled() -> Mapping[str, LoopFacts]:
    """The loops of the scaled contracts beside the vectors."""
    return {profile: loop_of(shipped_vectors().parent / f"{profile}.yaml") for profile in PROFILES}


@pytest.fixture(scope="session")
def vectors() -> tuple[Vector, ...]:
    found = read_vectors(shipped_vectors())
    assert found.value is not None, found.diagnostics
    return found.value


@pytest.fixture(scope="session")
def published() -> Mapping[str, LoopFacts]:
    """The loops of every contract in the repository."""
    paths = [REPOSITORY / "contract" / name for name in ("contract.yaml", "minimal.yaml")]
    paths += sorted((REPOSITORY / "contract" / "vendors").glob("*.yaml"))
    loops: dict[str, LoopFacts] = {}
    for path in paths:
        tree = load(path).value
        found = read(tree).value if tree is not None else None
        assert found is not None, path
        loops[path.stem] = Facts.of(found.contract).base.loop
    return loops


@pytest.fixture(scope="session")
def hostile(scaled: Mapping[str, LoopFacts]) -> LoopFacts:
    """A loop whose every text tries to leave its place."""
    text = "x\"'`$(exit 9)${HOME}\\ */ --> # {{ 7 }} %s %{http_code} \u2028 {% raw %}"
    return replace(
        scaled["fast"],
        api_name=text + "\n# second line\nexit 9\n",
        contact=text,
        url="http://127.0.0.1/" + text,
        key_example=text,
        key_template=text + "\nexit 9",
    )


@pytest.fixture(scope="session")
def finish() -> Callable[[Sequence[Vector], CommandClient], tuple[Result, ...]]:
    """Runs vectors, several at once."""
    return lambda chosen, client: run_vectors(chosen, client, at_once=AT_ONCE)


@pytest.fixture(scope="session")
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(max_workers=AT_ONCE) as made:
        yield made


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for ``language_id`` runs once for each language folder that is found."""
    if "language_id" in metafunc.fixturenames:
        metafunc.parametrize("language_id", LANGUAGES, scope="session")
