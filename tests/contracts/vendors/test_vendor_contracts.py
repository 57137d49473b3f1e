"""The contracts of real providers: sound, sourced field by field, the same after writing, enough for a whole site."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from idempact.build import build
from idempact.contract.dotted import dotted, parse_dotted
from idempact.contract.model.contract import Note
from idempact.contract.read import Read
from idempact.contract.source import Source
from idempact.contract.write import write
from idempact.facts import Facts
from idempact.prose.lint import lint
from idempact.text.diagnostic import Checked, Severity
from idempact.text.present import present
from idempact.text.span import Document

FOLDER = Path(__file__).parents[3] / "contract" / "vendors"
CONTRACTS = sorted(FOLDER.glob("*.yaml"))
READ = "2026-11-30"
WORDS = 25
# What each contract is warned of, decided by hand from the vendor's documents. One that isn't here gets no finding.
WARNED = {
    "adyen": {"contract/region-in-scope"},
    "aws-ec2": {"contract/region-in-scope"},
    "increase": {"contract/mismatch-retried"},
    "modern-treasury": {"contract/nothing-compared"},
    "qonto": {"contract/nothing-compared"},
    "resend": {"contract/mismatch-retried"},
    "rocket-rides": {
        "contract/answer-without-code",
        "contract/indistinguishable-answers",
        "contract/mismatch-retried",
    },
    "telnyx": {"contract/window-shorter-than-deadline"},
    "toss": {"contract/nothing-compared"},
}
FACTS = ("api", "key", "scope", "fingerprint", "windows", "replay", "stored_failures", "answers", "errors", "server")
# The name is the title of our own file; the others are our advice, or words that only frame a fact.
OURS = {("api", "name"), ("api", "protocols"), ("key", "in"), ("key", "derivation"), ("windows", "retry_chains")}
PAGES = {
    **dict.fromkeys(("key", "scope", "fingerprint"), "keys.md"),
    **dict.fromkeys(("replay", "answers"), "retry-outcomes.md"),
    "windows": "windows.md",
    "stored_failures": "failures.md",
    "retry": "retries.md",
    "operations": "operations.md",
}
Check = Callable[..., Checked[Read]]
Place = tuple[str, ...]


def _given(source: Source) -> list[Place]:
    """The innermost facts that the author wrote, as paths; what is called not documented is no fact."""
    paths = [path for path in source.places if source.written(*path) != "not-documented"]
    inner = {path[:length] for path in source.places for length in range(1, len(path))}
    return [path for path in paths if path not in inner and _fact(path)]


def _fact(path: Place) -> bool:
    if path[0] == "operations":
        own = path[2:]
        return own[:1] != ("retry",) and not _ours(own)
    return path[0] in FACTS and not _ours(path)


def _ours(path: Place) -> bool:
    return any(path[: len(ours)] == ours for ours in OURS)


def _covered(path: Place, noted: set[Place]) -> bool:
    """Whether a note is about the field or about one above it; an operation's fields may share one for all of them."""
    return any(path[:length] in noted for length in range(1, len(path) + 1))


@pytest.fixture(params=CONTRACTS, ids=lambda path: path.stem)
def vendor(request: pytest.FixtureRequest) -> Path:
    path = request.param
    assert isinstance(path, Path)
    return path


@pytest.fixture
def read_vendor(vendor: Path, check_text: Check) -> Read:
    found = check_text(vendor.read_bytes(), vendor.name)
    print(present("text", found.diagnostics, {vendor.name: vendor.read_text(encoding="utf-8")}))
    assert found.value is not None
    assert not found.broken
    assert {d.rule for d in found.diagnostics} == WARNED.get(vendor.stem, set())
    assert all(d.severity is not Severity.ERROR for d in found.diagnostics)
    return found.value


def test_the_contracts_are_there() -> None:
    assert len(CONTRACTS) >= 26
    assert set(WARNED) <= {path.stem for path in CONTRACTS}


def test_every_draft_has_become_a_contract() -> None:
    drafts = sorted((FOLDER.parents[2] / "shared" / "data" / "vendors").glob("*.yaml"))
    if not drafts:
        pytest.skip("the vendors' drafts are not beside this checkout (../shared/data/vendors)")
    assert {path.name for path in drafts} <= {path.name for path in CONTRACTS}


def test_the_file_says_that_we_are_outsiders(vendor: Path, read_vendor: Read) -> None:
    heading = []
    for line in vendor.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        heading.append(line.removeprefix("#").strip())
    assert "not affiliated" in " ".join(heading)
    assert read_vendor.contract.observed


def test_it_is_the_same_after_writing(vendor: Path, read_vendor: Read, check_text: Check) -> None:
    again = check_text(write(read_vendor.contract), vendor.name)
    assert again.value is not None
    assert again.value.contract == read_vendor.contract


def _bare(read: Read, notes: tuple[Note, ...]) -> list[str]:
    """The facts that none of the notes is about."""
    noted = {parse_dotted(note.at) for note in notes if note.source}
    return [dotted(path) for path in _given(read.source) if not _covered(path, noted)]


def test_every_fact_has_a_source(read_vendor: Read) -> None:
    notes = read_vendor.contract.notes
    assert not _bare(read_vendor, notes)
    assert len(_bare(read_vendor, ())) == len(_given(read_vendor.source)) > 5
    without_the_key = tuple(note for note in notes if not note.at.startswith("key"))
    assert "key.name" in _bare(read_vendor, without_the_key)


def test_a_note_says_what_was_read_or_that_nothing_was(read_vendor: Read) -> None:
    for note in read_vendor.contract.notes:
        assert note.source is not None, note.at
        assert urlsplit(note.source).scheme == "https", note.at
        assert note.read == READ if note.confirmed else note.read in (READ, None), note.at
        assert not (note.quote and note.read is None), f"{note.at} quotes what wasn't read"
        assert note.confirmed or note.text or note.quote, f"{note.at} doesn't say what is unsure"


def test_no_note_stands_in_for_another(read_vendor: Read) -> None:
    places = [note.at for note in read_vendor.contract.notes]
    assert len(places) == len(set(places))


def _words(note: Note) -> int:
    return len((note.quote or "").split())


def test_quotes_are_short(read_vendor: Read) -> None:
    assert not [note.at for note in read_vendor.contract.notes if _words(note) > WORDS]


def test_it_builds_a_whole_site_without_an_overclaim(vendor: Path, read_vendor: Read) -> None:
    built = build(read_vendor, contract_name=vendor.name)
    assert built.value is not None
    assert not [d for d in built.diagnostics if d.severity is Severity.ERROR]
    pages = {artifact.path: artifact.text for artifact in built.value.artifacts if artifact.path.endswith(".md")}
    assert len(pages) >= 11
    assert str(read_vendor.contract.api.name) in pages["index.md"]
    facts = Facts.of(read_vendor.contract)
    for path, text in pages.items():
        found = lint(Document(path, text), facts=facts)
        assert not found, present("text", found, {path: text})


def test_a_pages_notes_stand_on_it(vendor: Path, read_vendor: Read) -> None:
    built = build(read_vendor, contract_name=vendor.name)
    assert built.value is not None
    pages = {artifact.path: artifact.text for artifact in built.value.artifacts}
    for note in read_vendor.contract.notes:
        page = PAGES.get(str(parse_dotted(note.at)[0]))
        if page is not None:
            assert f"<{note.source}>" in pages[page], note.at
            assert note.confirmed or "(not confirmed)" in pages[page], note.at
