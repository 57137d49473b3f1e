"""The lint on the descriptions of real OpenAPI files, each finding read by hand and judged in ``specs.tsv``."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from idempact.facts.derive import Facts
from idempact.prose.lint import lint
from idempact.text.span import Document

HERE = Path(__file__).parent
Place = tuple[str, int, str]


@pytest.fixture(scope="module")
def specs() -> Path:
    """The folder of real files that lies beside the repository on the authors' machines, and nowhere else."""
    for parent in HERE.parents:
        if (parent / "pyproject.toml").is_file():
            folder = parent.parent / "shared" / "specs"
            if folder.is_dir():
                return folder
    pytest.skip("the shared specs are not beside this repository")


def _judged() -> dict[Place, str]:
    rows = (row.split("\t") for row in (HERE / "specs.tsv").read_text(encoding="utf-8").splitlines()[1:])
    return {(file, int(line), rule): verdict for file, line, rule, verdict in rows}


def _found(folder: Path, facts: Facts) -> set[Place]:
    found: set[Place] = set()
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".yaml", ".yml", ".json"):
            name = path.relative_to(folder).as_posix()
            document = Document(name, path.read_text(encoding="utf-8-sig"))
            found |= {(name, d.span.line, d.rule) for d in lint(document, facts=facts) if d.span}
    return found


def test_findings_in_real_descriptions_are_those_that_were_read(specs: Path, contract_facts: Facts) -> None:
    judged, found = _judged(), _found(specs, contract_facts)
    if os.environ.get("GOLDEN") == "write":
        lines = [f"{file}\t{line}\t{rule}\t{judged.get((file, line, rule), '?')}" for file, line, rule in sorted(found)]
        (HERE / "specs.tsv").write_text("\n".join(["file\tline\trule\tverdict", *lines]) + "\n", encoding="utf-8")
        return
    assert set(judged.values()) <= {"right", "wrong"}, "a finding was written down and not judged"
    missing = {place for place, verdict in judged.items() if verdict == "right"} - found
    assert not missing, "these were right, and are no longer found"
    # One that nobody has read counts as wrong: read it, and write its verdict into the table (make golden lists it).
    counts = Counter(judged.get(place, "wrong") for place in found)
    assert counts["right"] >= 0.9 * counts.total(), sorted(found - set(judged))
