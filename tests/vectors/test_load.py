"""Reading the file of vectors: the shipped one as written, a bad one with every fault and its place."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idempact.contract.read import read
from idempact.text.diagnostic import Severity
from idempact.text.nodes import load
from idempact.vectors import load as reader
from idempact.vectors.load import read_vectors, shipped_vectors
from idempact.vectors.model import Fault, Target, Vector
from idempact.vectors.profiles import profiles

GOOD = {"id": "a", "attempts": 1, "ok": True, "status": 201, "max_ms": 900}


def written(path: Path, vectors: object) -> Path:
    path.write_text(json.dumps({"vectors": vectors}), encoding="utf-8")
    return path


def test_the_shipped_vectors_are_all_there(vectors: Sequence[Vector]) -> None:
    numbers = [vector.id[:3] for vector in vectors]
    assert numbers == [f"v{number:02}" for number in range(1, 49)]
    assert {vector.target for vector in vectors} == set(Target)
    assert {step.fault for vector in vectors for step in vector.steps} >= {
        Fault.ANSWER,
        Fault.RESET_AFTER,
        Fault.CLOSE,
        Fault.SLOW,
        Fault.DRIP,
        Fault.TRUNCATE,
    }


def test_every_profile_has_its_scaled_contract_without_findings(vectors: Sequence[Vector]) -> None:
    assert {vector.profile for vector in vectors} == set(profiles())
    for profile in profiles():
        tree = load(shipped_vectors().parent / f"{profile}.yaml").value
        assert tree is not None
        found = read(tree)
        assert found.value is not None
        assert [d for d in found.diagnostics if d.severity is Severity.ERROR] == []


def test_every_field_is_told_in_the_readme(vectors: Sequence[Vector]) -> None:
    text = (shipped_vectors().parent / "README.md").read_text(encoding="utf-8")
    data = json.loads(shipped_vectors().read_text(encoding="utf-8"))
    fields = {key for vector in data["vectors"] for key in vector}
    fields |= {key for vector in data["vectors"] for step in vector.get("steps", []) for key in step}
    assert [field for field in sorted(fields) if f"`{field}`" not in text] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"atempts": 1}, "unknown field 'atempts'"),
        ({"attempts": "one"}, "'attempts' must be"),
        ({"attempts": [1, 2, 3]}, "'attempts' must be"),
        ({"attempts": True}, "'attempts' must be"),
        ({"status": "201"}, "'status' must be"),
        ({"key_length": "long"}, "'key_length' must be"),
        ({"max_ms": -1}, "'max_ms' must be"),
        ({"ok": 1}, "'ok' must be"),
        ({"key": "mine"}, "'key' may only be null"),
        ({"target": "moon"}, "'target' must be one of"),
        ({"kind": "mismatch"}, "'kind' must be a list"),
        ({"steps": {}}, "'steps' must be a list"),
        ({"steps": [7]}, "'steps' must be a list"),
        ({"steps": [{}]}, "a step has one of"),
        ({"steps": [{"status": 503, "close": True}]}, "a step has one of"),
        ({"steps": [{"reset": "soon"}]}, "before or after"),
        ({"steps": [{"status": 503, "header": {}}]}, "unknown field 'header' in a step"),
        ({"steps": [{"slow_ms": "1s"}]}, "'slow_ms' in a step"),
        ({"steps": [{"status": 503, "headers": []}]}, "'headers' in a step"),
        ({"steps": [{"status": 503, "headers": {"Retry-After": 1}}]}, "'headers' in a step"),
        ({"steps": [{"status": 503, "headers": {"A": "b\r\nC: d"}}]}, "'headers' in a step"),
        ({"steps": [{"status": 503, "headers": {"A b": "c"}}]}, "'headers' in a step"),
        ({"steps": [{"status": 99}]}, "'status' in a step must be"),
        ({"steps": [{"status": 503, "raw": "x", "code": "y"}]}, "is 'raw', or has a 'code'"),
        ({"steps": [{"status": 503, "raw": 7}]}, "'raw' in a step must be a text"),
        ({"steps": [{"status": 503, "code": ["a"]}]}, "'code' in a step must be a text"),
        ({"steps": [{"drip_ms": 5}]}, "says in 'bytes' how often"),
        ({"steps": [{"drip_head_ms": 5}]}, "says in 'bytes' how often"),
        ({"steps": [{"close": False}]}, "'close' in a step can only be true"),
        ({"steps": [{"truncate": 1}]}, "'truncate' in a step can only be true"),
        *(
            ({"steps": [{**fault, part: value}]}, f"'{part}' in a step does nothing without")
            for fault in ({"reset": "after"}, {"close": True}, {"slow_ms": 5}, {"truncate": True}, {"serve": True})
            for part, value in (("headers", {"A": "b"}), ("code", "c"), ("raw", "r"), ("bytes", 3))
        ),
        ({"steps": [{"status": 503, "bytes": 3}]}, "'bytes' in a step does nothing without"),
        ({"id": 7}, "must be texts"),
        ({"calls": 0}, "'calls' must be 1 at least"),
        ({"calls": "two"}, "'calls' must be a whole number"),
        ({"at_once": 1}, "'at_once' must be true or false"),
        ({"cancel_ms": -1}, "'cancel_ms' must be"),
        ({"windows_ms": 40}, "'windows_ms' must be a list"),
        ({"windows_ms": ["40"]}, "'windows_ms' must be a list"),
        ({"decorrelated_ms": [40]}, "'decorrelated_ms' must be two numbers"),
        ({"steps": [{"serve": True, "close": True}]}, "a step has one of"),
    ],
)
def test_a_malformed_vector_is_a_finding_with_its_place(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    found = read_vectors(written(tmp_path / "v.json", [GOOD, {**GOOD, "id": "b", **change}]))
    assert found.value is None
    assert any(message in diagnostic.message for diagnostic in found.diagnostics), found.diagnostics
    spans = [diagnostic.span for diagnostic in found.diagnostics]
    assert all(span is not None and (span.line, span.column) == (1, 14 + len(json.dumps(GOOD)) + 2) for span in spans)


VALUES = st.sampled_from([None, True, False, 0, 1, 503, -1, "", "after", "x", [], ["a"], {}, {"A": "b"}, 1.5])
FIELDS = st.sampled_from([*sorted(reader._STEP_FIELDS), "unknown"])


@given(st.dictionaries(FIELDS, VALUES, max_size=4))
def test_any_step_is_read_or_refused_with_a_reason(step: dict[str, object]) -> None:
    """And of one that is read, each field has its effect."""
    with tempfile.TemporaryDirectory() as folder:
        found = read_vectors(written(Path(folder) / "v.json", [{**GOOD, "steps": [step]}]))
    assert (found.value is None) == bool(found.diagnostics)
    if found.value is not None:
        assert len(reader._FAULTS & set(step)) == 1
        assert all(reader._FAULTS & set(step) & set(reader._PARTS[part]) for part in set(step) - reader._FAULTS)


def test_every_fault_is_found_at_once(tmp_path: Path) -> None:
    found = read_vectors(written(tmp_path / "v.json", [{}, "x", {**GOOD, "ok": "yes", "warm": 1}, GOOD, GOOD]))
    messages = [diagnostic.message for diagnostic in found.diagnostics]
    assert len(messages) == 4 + 1 + 2 + 1
    assert "the id 'a' stands twice" in messages


def test_a_file_without_vectors_is_a_finding(tmp_path: Path) -> None:
    for text in ("", "[]", "{}", '{"vectors": 7}', "vectors: [", "\x00"):
        path = tmp_path / "v.json"
        path.write_text(text, encoding="utf-8")
        found = read_vectors(path)
        assert found.value is None
        assert found.diagnostics
    assert read_vectors(tmp_path / "nowhere.json").diagnostics[0].rule == "text/unreadable-file"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.dictionaries(
        st.sampled_from([*GOOD, "steps", "key", "kind", "target", "warm", "profile", "calls", "windows_ms"]), JSON
    )
)
def test_any_vector_is_read_or_found_faulty(tmp_path: Path, change: dict[str, object]) -> None:
    found = read_vectors(written(tmp_path / "v.json", [{**GOOD, **change}]))
    assert (found.value is None) == bool(found.diagnostics)
