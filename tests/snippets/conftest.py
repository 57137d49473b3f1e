"""Renders the loops as the tests need them, and knows how each language is checked, built and run."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.contract.read import read
from idempact.facts.derive import Facts
from idempact.facts.loop import LoopFacts
from idempact.facts.loops import loop
from idempact.render.environment import SUFFIX, environment, template_roots
from idempact.snippets.language import Command, Language, Variant, languages
from idempact.snippets.render import render_one
from idempact.text.diagnostic import Severity
from idempact.text.nodes import load
from idempact.vectors.client import TIMEOUT_SECONDS, CommandClient
from idempact.vectors.load import read_vectors, shipped_vectors
from idempact.vectors.model import Vector
from idempact.vectors.profiles import profiles, wires
from idempact.vectors.run import Result, run_vectors

REPOSITORY = Path(__file__).resolve().parents[2]
# How many clients run at once: a Java machine keeps a core busy for its first second, the others mostly wait.
AT_ONCE, JAVA_AT_ONCE = 8, 4


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


def unit_name(name: str) -> str:
    """A rendering's name as an identifier of any language; ``{profile}`` stays what a client fills in."""
    return "unit_" + ("{profile}" if name == "{profile}" else re.sub(r"[^a-z0-9]+", "_", name.lower()))


@dataclass
class Workshop:
    """One loop of a language: a folder for each rendering, all of them checked and built at once."""

    language: Language
    variant: Variant
    folder: Path
    search: str
    prepared: Path | None = None

    def home(self, name: str) -> Path:
        return self.folder / self.language.into / unit_name(name)

    @property
    def driver(self) -> str:
        return self.variant.driver.removesuffix(SUFFIX)

    def render(self, name: str, loop: LoopFacts, change: Callable[[str], str] = str) -> Path:
        """The folder of a rendering: the loop, changed, and its driver, each behind the ``unit``."""
        folder = self.home(name)
        folder.mkdir(parents=True)
        code = change(render_one(loop, self.language, self.variant).code)
        driver = (self.language.folder / self.variant.driver).read_text(encoding="utf-8")
        if self.variant.driver.endswith(SUFFIX):
            driver = environment().from_string(driver).render(loop=loop, language=self.language)
        for file, text in ((self.variant.file, code), (self.driver, driver)):
            unit = self.language.unit.replace("{name}", unit_name(name))
            (folder / file).write_text(unit + text, encoding="utf-8")
        return folder

    def fill(self, words: Sequence[str], names: Sequence[str]) -> list[str]:
        """The words of a command; one that speaks of a rendering stands there once for each of the *names*."""
        filled: list[str] = []
        for word in words:
            filled += dict.fromkeys(self.for_one(word, name) for name in names)
        return [word.replace("{prepared}", str(self.prepared)) for word in filled]

    def for_one(self, word: str, name: str) -> str:
        folder = f"{self.language.into}/{unit_name(name)}".lstrip("/")
        word = word.replace("{file}", f"{folder}/{self.variant.file}").replace("{driver}", f"{folder}/{self.driver}")
        return word.replace("{folder}", folder).replace("{name}", unit_name(name))

    def commands(self, commands: Sequence[Command], names: Sequence[str]) -> None:
        """Runs each command over all renderings of these *names*; its output is the failure."""
        for command in commands:
            for some in [[name] for name in names] if command.each else [names]:
                words = self.fill(command.words, some)
                if "/" not in words[0]:
                    needed(words[0], self.search)
                done = self.finished(words, self.folder)
                assert done.returncode == 0, f"{' '.join(command.words)}:\n{done.stdout}\n{done.stderr}"

    def finished(self, words: Sequence[str], folder: Path) -> subprocess.CompletedProcess[str]:
        variables = {**os.environ, "PATH": self.search, "no_proxy": "127.0.0.1"}
        return subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)

    def check(self, names: Sequence[str]) -> None:
        """The language's own checks, over all renderings at once."""
        self.commands(self.variant.check, list(names))

    def build(self, names: Sequence[str]) -> None:
        self.commands(self.variant.build, list(names))

    def running(self, words: Sequence[str], name: str) -> list[str]:
        """A command that runs in one rendering's folder."""
        return [word.replace("{root}", str(self.folder)) for word in self.fill(words, [name])]

    def client(
        self, name: str, variables: Mapping[str, str] | None = None, timeout: float = TIMEOUT_SECONDS
    ) -> CommandClient:
        words = self.running(self.variant.run, name)
        return CommandClient(words, str(self.home(name)), {"PATH": self.search, **(variables or {})}, timeout)


LANGUAGES = languages(template_roots()).value or ()
VARIANTS = {f"{language.id}-{variant.id}": (language, variant) for language in LANGUAGES for variant in language.loops}


@pytest.fixture(scope="session")
def variants() -> Mapping[str, tuple[Language, Variant]]:
    """Each loop with its language, by the name of the loop among all."""
    return VARIANTS


def prepared_folder(language: Language, search: str) -> Path | None:
    """Where the language's preparation ran, once for each state of its workshop and commands."""
    if not language.prepare:
        return None
    digest = hashlib.sha256(repr(language.prepare).encode())
    for path in sorted(language.workshop.rglob("*")) if language.workshop else ():
        if path.is_file():
            digest.update(path.relative_to(language.folder).as_posix().encode() + b"\0" + path.read_bytes())
    folder = REPOSITORY / "build" / "workshops" / f"{language.id}-{digest.hexdigest()[:12]}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".prepared").exists():
            if language.workshop:
                shutil.copytree(language.workshop, folder, dirs_exist_ok=True)
            for words in language.prepare:
                needed(words[0], search)
                variables = {**os.environ, "PATH": search}
                done = subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)
                if done.returncode != 0 and os.environ.get("CI") != "true":
                    pytest.skip(f"{' '.join(words)} fails here: {(done.stderr or done.stdout).strip()[-300:]}")
                assert done.returncode == 0, done.stdout + done.stderr
            (folder / ".prepared").touch()
    return folder


@pytest.fixture(scope="session")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Workshop]:
    """Makes an empty workshop for a loop, as ``python-tenacity``; skips where its language's tools are missing."""

    def make(loop_id: str) -> Workshop:
        language, variant = VARIANTS[loop_id]
        folder = tmp_path_factory.mktemp(loop_id)
        search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        for tool in language.tools:
            needed(tool.command[0], search)
        prepared = prepared_folder(language, search)
        if language.workshop:
            shutil.copytree(language.workshop, folder, dirs_exist_ok=True)
        for path in prepared.iterdir() if prepared else ():
            if not (folder / path.name).exists() and not path.name.startswith("."):
                (folder / path.name).symlink_to(path)
        return Workshop(language, variant, folder, search, prepared)

    return make


@pytest.fixture(scope="session")
def scaled() -> Mapping[str, LoopFacts]:
    """The loops of the scaled contracts beside the vectors."""
    return profiles()


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
def pool() -> Iterator[Callable[[str], ThreadPoolExecutor]]:
    """As many threads as clients of a loop may run at once."""
    with ThreadPoolExecutor(AT_ONCE) as wide, ThreadPoolExecutor(JAVA_AT_ONCE) as narrow:
        yield lambda loop_id: narrow if at_once(VARIANTS[loop_id][1]) == JAVA_AT_ONCE else wide


def at_once(variant: Variant) -> int:
    return JAVA_AT_ONCE if variant.run[0] == "java" else AT_ONCE


@dataclass(frozen=True)
class Played:
    """One loop, built for every profile, and what came of each vector."""

    made: Workshop
    results: tuple[Result, ...]
    build_seconds: float


@pytest.fixture(scope="session")
def played(
    loop_id: str,
    workshop: Callable[[str], Workshop],
    scaled: Mapping[str, LoopFacts],
    vectors: Sequence[Vector],
) -> Played:
    """All vectors, but those that ask for a shared budget where the loop says that its calls share none."""
    made = workshop(loop_id)
    for name, profile in scaled.items():
        made.render(name, profile)
    began = time.monotonic()
    made.build(tuple(scaled))
    built = time.monotonic() - began
    chosen = [vector for vector in vectors if not (vector.shares_budget and made.variant.budget == "call")]
    return Played(
        made, run_vectors(chosen, made.client("{profile}"), at_once=at_once(made.variant), wires=wires()), built
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for ``loop_id`` runs once for each loop of each language folder that is found."""
    if "loop_id" in metafunc.fixturenames:
        metafunc.parametrize("loop_id", VARIANTS, scope="session")
