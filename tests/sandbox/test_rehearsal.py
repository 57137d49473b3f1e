"""The page "Test your integration": its commands, run by curl against the sandbox, print what it shows."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from idempact.contract.read import Read, read
from idempact.facts.rehearsal import ADDRESS, rehearsal
from idempact.sandbox.clock import Clock
from idempact.sandbox.control import Control
from idempact.sandbox.faults import Step
from idempact.sandbox.settle import settle
from idempact.text.nodes import load

CONTRACTS = Path(__file__).resolve().parents[2] / "contract"
PATHS = [CONTRACTS / "contract.yaml", CONTRACTS / "minimal.yaml", *sorted((CONTRACTS / "vendors").glob("*.yaml"))]
ALL = ["lost", "in-flight", "mismatch", "expiry", "unknown"]


def wall_clock() -> Clock:
    return Clock(lambda: time.time_ns() // 1_000_000)


def read_at(path: Path) -> Read:
    found = read(load(path).value).value  # type: ignore[arg-type]
    assert found is not None
    return found


@contextmanager
def shell(folder: Path) -> Iterator[subprocess.Popen[str]]:
    for tool in ("bash", "curl"):
        if shutil.which(tool) is None:
            if os.environ.get("CI") == "true":
                pytest.fail(f"{tool} is missing, and CI must have it")
            pytest.skip(f"{tool} is not installed here")
    proxies = {name: "" for name in os.environ if name.lower().endswith("_proxy")}
    process = subprocess.Popen(
        ["bash", "--norc"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, **proxies},
    )
    with process:
        yield process
        assert process.stdin is not None
        process.stdin.close()


def typed(process: subprocess.Popen[str], command: str) -> list[str]:
    """What a command prints, line by line."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{command}\necho end-of-command\n")
    process.stdin.flush()
    lines = []
    for line in process.stdout:
        if line.rstrip("\n") == "end-of-command":
            return lines
        lines.append(line.rstrip())
    raise AssertionError("the shell has ended")


def until_held(origin: str) -> None:
    """A command that goes on in the background has reached the sandbox."""
    ends = time.monotonic() + 20
    while "in-progress" not in httpx.get(f"{origin}/_sandbox/log").text:
        assert time.monotonic() < ends
        time.sleep(0.01)


def played(setup: str, transcript: str, origin: str, folder: Path) -> str:
    """The transcript as it comes out when its commands are run."""
    out = []
    with shell(folder) as process:
        assert typed(process, setup.replace(ADDRESS, origin)) == []
        for line in transcript.splitlines():
            if not line.startswith("$ "):
                continue
            out += [line, *typed(process, line.removeprefix("$ "))]
            if line.endswith("&"):
                until_held(origin)
    return "\n".join(out)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_each_story_prints_what_the_facts_say(path: Path, model, served, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    contract = read_at(path).contract
    found = rehearsal(contract)
    settled = settle(contract, model)
    if found is None:
        assert settled.obstacles or contract.observed, "a provider's contract that can be served can be rehearsed"
        return
    assert settled.obstacles == ()
    with served(settled.contract, wall_clock) as (origin, _):
        for story in found.stories:
            shown = story.transcript
            assert played("\n".join(found.setup), shown, origin, tmp_path) == shown


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_the_page_shows_all_five_and_each_command_prints_what_stands_there(  # type: ignore[no-untyped-def]
    locale: str, served, tmp_path: Path
) -> None:
    """Played with the contract that the site offers, which leaves out how the provider keeps its word."""
    from idempact.build import build

    source = tmp_path / "contract.yaml"
    text = (CONTRACTS / "contract.yaml").read_text(encoding="utf-8")
    source.write_text(text.replace("locales: [en]", f"locales: [{locale}]"), encoding="utf-8")
    built = build(read_at(source), contract_name="contract.yaml").value
    assert built is not None
    texts = {artifact.path: artifact.text for artifact in built.artifacts}
    page = texts["testing.md"]
    assert "\nidempact sandbox contract.json\n" in page
    assert "](downloads/contract.json)" in page
    downloaded = tmp_path / "contract.json"
    downloaded.write_text(texts["downloads/contract.json"], encoding="utf-8")
    setup = next(block for block in re.findall(r"^```sh\n(.*?)^```", page, re.M | re.S) if "send()" in block)
    stories = re.findall(r"^### [^\n]* \{ #([\w-]+) \}\n(?:(?!^#).)*?^```console\n(.*?)\n```", page, re.M | re.S)
    assert [name for name, _ in stories] == ALL
    with served(read_at(downloaded).contract) as (origin, _):
        for _, transcript in stories:
            assert played(setup, transcript, origin, tmp_path) == transcript


def test_the_page_names_every_fault_and_every_control(contract) -> None:  # type: ignore[no-untyped-def]
    template = (CONTRACTS.parent / "templates" / "pages" / "testing.md.jinja").read_text(encoding="utf-8")
    fields = re.search(r"for field in \((.*?)\)", template)
    assert fields is not None
    assert set(re.findall(r'"(\w+)"', fields[1])) == set(Step.__dataclass_fields__)
    told = {
        (m, p) for m, p in re.findall(r'"(GET|POST|DELETE) /_sandbox(/?\w*)[/I D]*"', template) if p != "/resources"
    }
    known = set(Control(None)._actions) | {("GET", "")}  # type: ignore[arg-type]
    assert {(m, p) for m, p in known if (m, p) != ("GET", "/clock")} == told


def test_a_hostile_name_stays_in_its_quotes(contract, served, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    hostile = "Mark$(touch x)'|a"
    indicator = {"in": "header", "name": hostile, "value": "true"}
    found = rehearsal(contract("minimal.yaml", {"replay": {"indicator": indicator}}))
    assert found is not None
    with shell(tmp_path) as process:
        typed(process, "\n".join(found.setup))
        typed(process, "send -d '{}'")
    assert list(tmp_path.iterdir()) == []


def test_the_page_names_every_variable_and_outcome_of_the_protocol() -> None:
    from idempact.vectors import client

    pages = CONTRACTS.parent / "templates"
    template = (pages / "pages" / "testing.md.jinja").read_text(encoding="utf-8")
    told = re.search(r"for name in \((.*?)\)", template)
    assert told is not None
    assert client.__doc__ is not None
    variables = {name.lower() for name in re.findall(r"VECTOR_([A-Z_]+)", client.__doc__)}
    assert set(re.findall(r'"(\w+)"', told[1])) == variables
    kinds = re.search(r"``kind`` \((.*?)\)", client.__doc__, re.S)
    assert kinds is not None
    for locale in ("en", "zh"):
        words = (pages / "locales" / locale / "testing.yml").read_text(encoding="utf-8")
        assert all(f"`{kind}`" in words for kind in re.findall(r"``([a-z-]+)``", kinds[1]))
