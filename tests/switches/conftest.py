"""Runs the retry switches of common libraries, as they come, against the vectors."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from idempact.vectors.client import Client, CommandClient
from idempact.vectors.judge import Complaint
from idempact.vectors.load import read_vectors, shipped_vectors
from idempact.vectors.model import Call, Report, Target, Vector
from idempact.vectors.run import Result, run_vectors
from idempact.vectors.switches import FAULTS, Switch

REPOSITORY = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
BUILD = REPOSITORY / "build" / "switches"


@dataclass(frozen=True)
class Setting:
    """One switch as its library documents it: how it is run, and in which folder."""

    id: str
    language: str
    library: str
    setting: str
    run: tuple[str, ...]
    home: Path
    tool: tuple[str, ...]
    prepare: tuple[tuple[str, ...], ...]
    version: tuple[str, ...]


def settings() -> Iterator[Setting]:
    """Every switch of the folders beside this file."""
    for path in sorted(FOLDER.glob("*/switches.yml")):
        data = YAML(typ="safe").load(path.read_text(encoding="utf-8"))
        for switch in data["switches"]:
            yield Setting(
                id=switch["id"],
                language=data["title"],
                library=switch["library"],
                setting=switch["set"],
                run=tuple(switch["run"]),
                home=BUILD / path.parent.name,
                tool=tuple(data["tool"]),
                prepare=tuple(tuple(words) for words in data.get("prepare", ())),
                version=tuple(word.replace("{library}", switch["library"]) for word in data["version"]),
            )


def sources_digest() -> str:
    """A digest of all that the figures come from, but for the libraries themselves."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*/*")):
        if path.is_file() and path.suffix != ".pyc":
            digest.update(path.relative_to(FOLDER).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def printed(words: Sequence[str], home: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    environment.pop("PIP_CONSTRAINT", None)
    done = subprocess.run(words, cwd=home, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}:\n{done.stdout}\n{done.stderr}"
    return done.stdout.strip().partition("\n")[0]


def prepared(setting: Setting) -> Setting:
    """With its folder filled; skips where its tool is missing."""
    if shutil.which(setting.tool[0]) is None and setting.tool[0] != "python":
        if os.environ.get("CI") == "true":
            pytest.fail(f"{setting.tool[0]} is missing, and CI must have it")
        pytest.skip(f"{setting.tool[0]} is not installed here")
    setting.home.mkdir(parents=True, exist_ok=True)
    shutil.copytree(FOLDER / setting.home.name, setting.home, dirs_exist_ok=True)
    done = setting.home / ".prepared"
    if setting.prepare and not (done.exists() and done.read_text() == sources_digest()):
        for words in setting.prepare:
            printed(words, setting.home)
        done.write_text(sources_digest())
    return setting


def row(setting: Setting, failed: Mapping[str, tuple[str, ...]]) -> Switch:
    """The row of one run."""
    version = printed(setting.version, setting.home)
    return Switch(setting.id, setting.language, setting.library, version, setting.setting, failed)


def silent(client: Client) -> Client:
    """The client without what no switch can tell: a log of its retries, and what kind of outcome it was."""

    def call(given: Call) -> Report:
        return replace(client(given), retries=0, waits_ms=())

    return call


def fault(result: Result, complaint: Complaint) -> str | None:
    """What a complaint means to a caller; nothing for what is not asked of a switch, or follows from another fault."""
    vector, report = result.vector, result.report
    seen, (least, greatest) = len(result.seen.exchanges), vector.attempts
    match complaint.about:
        case "effects":
            return "twice" if result.seen.effects > max(vector.effects or 0, 1) else "too-few"
        case "attempts":
            return "again" if seen > greatest else "too-few"
        case "time" if complaint.wanted.startswith("at least"):
            return "too-few" if seen < least or vector.target is not Target.SERVER else "early"
        case "time" | "report":
            return "late"
        case "success" if vector.ok:
            return "lost"
        case "status" if vector.status is not None and not report.ok:
            return "lost"
    return None


def faults(result: Result) -> tuple[str, ...]:
    found = {fault(result, complaint) for complaint in result.complaints}
    return tuple(name for name in FAULTS if name in found)


@pytest.fixture(scope="session")
def play() -> Callable[[Setting, Sequence[Vector]], Mapping[str, tuple[str, ...]]]:
    """Runs vectors against a switch, which reads no contract: what was wrong, for each vector."""

    def make(setting: Setting, chosen: Sequence[Vector]) -> Mapping[str, tuple[str, ...]]:
        client = silent(CommandClient(setting.run, str(setting.home), timeout=30))
        results = run_vectors(chosen, client, at_once=4 if setting.run[0] == "java" else 8)
        faulty = [result.report for result in results if result.report.fault]
        unusual = [report for report in faulty if "did not end" not in report.fault]
        broken = [f"{report.fault}\n{report.log}" for report in unusual]
        assert not broken, broken[0]
        return {result.vector.id: faults(result) for result in results}

    return make


@pytest.fixture(scope="session")
def switches() -> object:
    """This module, for the tests beside it."""
    return sys.modules[__name__]


def asked(vector: Vector) -> bool:
    """Whether a vector is about one call as the switches are set: other profiles carry keys or draw waits otherwise."""
    others = vector.calls > 1 or vector.cancel_ms is not None or vector.windows_ms or vector.decorrelated_ms
    return not others and vector.profile in ("fast", "tight", "budget", "accept")


@pytest.fixture(scope="session")
def vectors() -> tuple[Vector, ...]:
    found = read_vectors(shipped_vectors())
    assert found.value is not None, found.diagnostics
    return tuple(vector for vector in found.value if asked(vector))
