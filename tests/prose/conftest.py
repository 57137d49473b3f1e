"""Cases for the lint, and where the sentences lie."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from idempact import load
from idempact.facts.derive import Facts

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Triple:
    """One case: a title, the text of a file, and the findings that are wanted, one per line."""

    title: str
    text: str
    findings: tuple[str, ...]


def _triples(name: str) -> tuple[Triple, ...]:
    """Cases separated by lines of ``===``; title, text and findings by lines of a single full stop."""
    cases = (HERE / name).read_text(encoding="utf-8").split("\n===\n")
    parts = [(case.strip("\n") + "\n").split("\n.\n") for case in cases]
    return tuple(Triple(p[0], p[1] + "\n", tuple(p[2].splitlines()) if len(p) > 2 else ()) for p in parts)


_CASES = (
    ("markdown_case", "markdown.triples"),
    ("openapi_case", "openapi.triples"),
    ("kind_case", "kinds.triples"),
    ("drift_case", "drift.triples"),
    ("code_case", "code.triples"),
    ("code_case", "code_second.triples"),
    ("code_case", "code_third.triples"),
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    for fixture in dict.fromkeys(fixture for fixture, _ in _CASES):
        if fixture in metafunc.fixturenames:
            cases = [case for named, name in _CASES if named == fixture for case in _triples(name)]
            metafunc.parametrize(fixture, cases, ids=[case.title for case in cases])


@pytest.fixture
def sentences() -> Callable[[str], Path]:
    """The path of a table of judged sentences in this folder."""
    return lambda name: HERE / name


@pytest.fixture
def cases() -> Callable[[str], tuple[Triple, ...]]:
    """The cases of a file in this folder."""
    return _triples


@pytest.fixture
def shared_claims() -> Path:
    """The sentences that lie beside the repository on the authors' machines, and nowhere else."""
    for parent in Path(__file__).resolve().parents:
        if (parent / "pyproject.toml").is_file():
            claims = parent.parent / "shared" / "data" / "claims.tsv"
            if claims.is_file():
                return claims
            pytest.skip("the shared claims are not beside this repository")
    pytest.skip("not in a checkout")


@pytest.fixture(scope="session")
def contract_facts() -> Facts:
    """The facts of the contract that ships, which the drift rules' own cases are told of."""
    path = (
        next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").is_file())
        / "contract"
        / "contract.yaml"
    )
    read = load(path).value
    assert read is not None
    return Facts.of(read.contract)
