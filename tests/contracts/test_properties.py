"""What holds for any bytes, any mutation of the example, and any contract that the model can hold."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ruamel.yaml import YAML

from idempact.contract.check import checked
from idempact.contract.model.contract import Contract
from idempact.contract.read import Read, read
from idempact.contract.write import resolved, write
from idempact.text.diagnostic import Checked, Severity
from idempact.text.nodes import compose
from idempact.text.present import formats, present
from idempact.text.span import Document, Span

HERE = Path(__file__).parent
VALID = sorted((HERE / "valid").iterdir())
Check = Callable[..., Checked[Read]]
SLOW = settings(deadline=None, suppress_health_check=list(HealthCheck))


def _inside(text: str, span: Span) -> bool:
    document = Document("", text)
    last = document.lines
    return (
        1 <= span.line <= span.end_line <= last
        and 1 <= span.column <= len(document.line(span.line)) + 2
        and span.end_column <= len(document.line(span.end_line)) + 2
        and (span.line, span.column) <= (span.end_line, span.end_column)
    )


def _told(found: Checked[Read], data: bytes) -> None:
    """Every finding lies in the file, and every format can tell it."""
    text = data.decode("utf-8", "replace")
    for diagnostic in found.diagnostics:
        places = [related.span for related in diagnostic.related]
        for span in (*places, *([diagnostic.span] if diagnostic.span else [])):
            assert _inside(text, span), (diagnostic, text)
    for name in formats():
        present(name, found.diagnostics, {"contract.yaml": text}).encode("utf-8")


@SLOW
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_findings_and_never_an_exception(data: bytes, check_text: Check) -> None:
    found = check_text(data)
    _told(found, data)
    assert found.value is not None or found.broken


_PIECES = (
    "undecided", "not-documented", "none", "{", "}", "[", "]", ":", "- ", "&a ", "*a", "\t", '"', "'", "|", "? ", "#",
    "\n# idempact: allow contract/nothing-compared, x because y\n",
    "<<: *a", "24", "24h", "1e999", "0x1F", "~", "²", "\ufeff", "\u2028", "\\ud800", "---", "x-a: [1, {b: c}]", "窗口",
)  # fmt: skip


@st.composite
def mutations(draw: st.DrawFn) -> tuple[int, int]:
    """A seed and a number of changes."""
    return draw(st.integers(0, 2**32)), draw(st.integers(1, 6))


def mutated(text: str, seed: int, changes: int) -> str:
    """*text* with lines and words taken out, doubled, swapped or replaced."""
    chance = random.Random(seed)
    lines = text.split("\n")
    for _ in range(changes):
        at = chance.randrange(len(lines))
        match chance.randrange(7):
            case 0:
                del lines[at]
                lines = lines or [""]
            case 1:
                lines.insert(at, lines[at])
            case 2:
                other = chance.randrange(len(lines))
                lines[at], lines[other] = lines[other], lines[at]
            case 3:
                lines[at] = " " * chance.randrange(5) + lines[at].strip()
            case kind:
                words = lines[at].split(" ")
                place = chance.randrange(len(words))
                piece = chance.choice(_PIECES)
                words[place] = piece if kind == 4 else words[place] + piece if kind == 5 else words[place][::-1]
                lines[at] = " ".join(words)
    return "\n".join(lines)


@settings(SLOW, max_examples=250)
@given(mutation=mutations())
def test_any_mutation_of_the_example_gives_findings_and_never_an_exception(
    mutation: tuple[int, int], example: str, check_text: Check
) -> None:
    data = mutated(example, *mutation).encode("utf-8", "surrogatepass")
    _told(check_text(data), data)


@SLOW
@given(mutation=mutations())
def test_any_mutation_of_a_contract_with_overrides_too(mutation: tuple[int, int], check_text: Check) -> None:
    text = (HERE / "valid" / "overrides.yaml").read_text(encoding="utf-8")
    data = mutated(text, *mutation).encode("utf-8", "surrogatepass")
    _told(check_text(data), data)


@SLOW
@given(data=st.data())
def test_undecided_anywhere_is_an_error_at_its_place(data: st.DataObject, check_text: Check) -> None:
    """Whichever value of the written-out contracts is replaced by the word, the word is told where it stands."""
    path = data.draw(st.sampled_from([p for p in VALID if p.name in ("overrides.yaml", "kinds.yaml")]))
    contract = check_text(path.read_bytes(), path.name).value
    assert contract is not None
    lines = write(contract.contract).splitlines()
    # Items of a list are free texts or words of a closed set; a field's value may always be undecided.
    places = [
        i for i, line in enumerate(lines) if ": " in line and not line.lstrip().startswith(("idempact", "x-", "- "))
    ]
    example = next(i for i, line in enumerate(lines) if line.startswith("errors:"))
    places = [i for i in places if not (lines[i].lstrip().startswith(("code: ", "text: ")) and i > example)]
    at = data.draw(st.sampled_from(places))
    key, _, _ = lines[at].partition(": ")
    lines[at] = f"{key}: undecided"
    found = check_text("\n".join(lines) + "\n")
    told = [(d.span.line, d.severity) for d in found.diagnostics if d.span and "undecided" in d.message]
    inside_a_value = key.strip() in ("when", "en", "zh", "session", "pattern") or key.strip()[:1].isdigit()
    assert (at + 1, Severity.ERROR) in told or inside_a_value, (lines[at], found.diagnostics)


def _differences(one: Any, other: Any, path: str = "") -> list[str]:
    if one == other:
        return []
    if dataclasses.is_dataclass(one) and type(one) is type(other):
        fields = [f.name for f in dataclasses.fields(one)]
        return [d for n in fields for d in _differences(getattr(one, n), getattr(other, n), f"{path}.{n}")]
    if isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        return [d for i, (a, b) in enumerate(zip(one, other, strict=True)) for d in _differences(a, b, f"{path}[{i}]")]
    return [f"{path}: {one!r} became {other!r}"]


def _read_back(text: str) -> Contract:
    tree = compose(Document("written.yaml", text))
    assert tree.value is not None, (tree.diagnostics, text)
    found = read(tree.value)
    assert found.value is not None
    assert not found.diagnostics, [(d.message, text.splitlines()[d.span.line - 1]) for d in found.diagnostics if d.span]
    return found.value.contract


def _as_read_by_ruamel(text: str) -> Any:
    def keys_as_texts(value: Any) -> Any:
        if isinstance(value, dict):
            return {str(key): keys_as_texts(item) for key, item in value.items()}
        return [keys_as_texts(item) for item in value] if isinstance(value, list) else value

    return keys_as_texts(YAML(typ="safe", pure=True).load(StringIO(text)))


@settings(SLOW, max_examples=40)
@given(data=st.data())
def test_any_contract_reads_back_from_what_it_is_written_as(data: st.DataObject, any_contract: ModuleType) -> None:
    contract = data.draw(any_contract.contracts())
    assert _differences(contract, _read_back(write(contract))) == []


@settings(SLOW, max_examples=25)
@given(data=st.data())
def test_any_contract_can_be_checked(data: st.DataObject, any_contract: ModuleType) -> None:
    contract = data.draw(any_contract.contracts())
    text = write(contract)
    tree = compose(Document("contract.yaml", text))
    assert tree.value is not None
    _told(checked(tree.value), text.encode())


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)
def test_a_valid_contract_reads_back_from_what_it_is_written_as(path: Path, check_text: Check) -> None:
    found = check_text(path.read_bytes(), path.name).value
    assert found is not None
    assert _differences(found.contract, _read_back(write(found.contract))) == []
    assert _differences(found.contract, _read_back(write(found.contract, found.source))) == []


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)
def test_another_reader_reads_the_same_from_what_is_written(path: Path, check_text: Check) -> None:
    found = check_text(path.read_bytes(), path.name).value
    assert found is not None
    assert _as_read_by_ruamel(write(found.contract, found.source)) == resolved(found.contract)


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)
def test_what_a_comment_allows_is_allowed_in_what_is_written(path: Path, check_text: Check) -> None:
    found = check_text(path.read_bytes(), path.name).value
    assert found is not None
    again = check_text(write(found.contract, found.source))
    # A safety that isn't documented is written as what we make of it, without a reason that nobody gave.
    unexplained = (
        {"contract/unexplained-safety", "contract/unsafe-without-alternative"} if found.contract.observed else ()
    )
    assert [(d.rule, d.message) for d in again.diagnostics if d.rule not in unexplained] == []
    assert again.value is not None
    allowed = [(a.rules, a.reason) for a in again.value.source.allowances]
    assert {(a.rules, a.reason) for a in found.source.allowances} == set(allowed)


def test_what_replaces_a_value_has_nothing_from_above(base: str, check_text: Check) -> None:
    """Where an operation gives another answer, the fields of the one above don't hold, be they equal to a default."""
    text = base.replace("retry_after: 1s}", "retry_after: 1s, client: ask}").replace(
        "POST /payments: keyed",
        "POST /payments: {safety: keyed, answers: {in_flight: {answer: wait, at_most: 5s, status: 409, code: busy}}}",
    )
    found = check_text(text).value
    assert found is not None
    written = write(found.contract, found.source)
    operation = written[written.index("  POST /payments:") :]
    own = operation[operation.index("      in_flight:") : operation.index("      stale:")]
    assert "# as above" not in own
    assert "retry_after: none  # default" in own
    assert "code: idempotency_key_reused  # as above" in operation
