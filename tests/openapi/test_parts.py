"""A proof in parts says yes to what the whole proof says yes to, and never to anything else."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from idempact.openapi import inject as injection
from idempact.openapi import parts as divisions
from idempact.openapi.beside import Beside
from idempact.openapi.inject import inject
from idempact.openapi.proof import NotProven, prove_events, tokens
from idempact.openapi.wants import Addition
from idempact.text.span import Document
from idempact.text.yaml_nodes import Unreadable, marks

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'
PATHS = "paths:\n" + "".join(
    f"  /a{n}:\n    # one\n    post:\n      responses:\n        '200': {{description: ok}}\n" for n in range(6)
)
TAIL = "components:\n  schemas:\n    One: {type: object}\n"
READ = "".join(f"  /r{n}:\n    get:\n      responses: {{'200': {{description: ok}}}}\n" for n in range(200))
# Paths that nothing is put into: between the others, before them, behind them.
FEW = [
    HEAD + PATHS.replace("  /a3", READ + "  /a3") + TAIL,
    HEAD + TAIL + PATHS.replace("  /a0", READ + "  /a0"),
    HEAD + PATHS + READ + TAIL,
]
MANY = [HEAD + PATHS + TAIL, HEAD + TAIL + PATHS, PATHS + HEAD, HEAD + PATHS.rstrip("\n"), "\ufeff" + HEAD + PATHS]


@pytest.fixture
def short(monkeypatch):
    """Short files are divided, too."""
    monkeypatch.setattr(divisions, "LEAST", 0)
    monkeypatch.setattr(divisions, "may_fork", lambda: True)


@pytest.fixture
def here(short, monkeypatch):
    """The same, and all parts are proven by this process."""
    monkeypatch.setattr(divisions, "Beside", lambda check, worth: Beside(check))


@pytest.fixture
def edit(short, monkeypatch, planner):
    """The edit of a text: what a proof of it is given."""

    def made(text):
        found = []
        with monkeypatch.context() as patch:
            patch.setattr(injection, "proven_in_parts", lambda *given: found.append(given) or False)
            assert inject(Document("api.yaml", text), planner()).value is not None
        return found[0]

    return made


def _proven(file, after, made, ranges):
    """What the whole proof says."""
    members = [member for _, what in made if isinstance(what, Addition) for member in what.members]
    try:
        prove_events(file.marks, marks(after), [one for one, _ in made], ranges, tokens(members))
    except (NotProven, Unreadable):
        return False
    return True


@forks
@pytest.mark.parametrize("text", [*MANY, *FEW])
def test_all_parts_of_an_injection_are_proven(text, edit):
    given_ = edit(text)
    assert divisions.proven_in_parts(*given_)
    parts = divisions.divided(*given_)
    lengths = [parts.length(*run) for run in parts.touched()]
    assert (sum(lengths) * 2 <= len(given_[1].text)) == (text in FEW), "few parts are proven alone, many in halves"


@forks
@pytest.mark.parametrize("text", [MANY[0], FEW[0]])
def test_an_injection_is_the_same_in_parts(text, short, monkeypatch, planner):
    document = Document("api.yaml", text)
    in_parts = inject(document, planner())
    monkeypatch.setattr(divisions, "LEAST", 10**9)
    assert in_parts == inject(document, planner())
    assert in_parts.value is not None


@pytest.mark.parametrize(
    "text",
    [
        # No block mapping at the first column with a key on a line of its own.
        HEAD + "paths: {/a: {post: {}}, /b: {post: {}}}\n",
        HEAD + PATHS.replace("  /a", "  ? /a").replace(":\n    #", "\n  :\n    #"),
        "\ufeff" + PATHS + HEAD,
        # An anchor in one part that is used in another.
        HEAD + PATHS.replace("{description: ok}", "&o {description: ok}", 1) + "x: *o\n",
    ],
)
def test_what_can_not_be_divided_is_proven_as_a_whole(text, edit):
    given_ = edit(text)
    assert _proven(*given_)
    assert not divisions.proven_in_parts(*given_)


PIECES = st.sampled_from(
    [*"\n :'\"{}[]#-?&*|>,x", "\n\n", "\n  x: 1\n", "\n x: 1\n", "\nx: 1\n", "---\n", " '", ' "', "{x: ", "- ", "? x\n"]
)


@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.sampled_from([*MANY[:2], *FEW]), at=st.integers(0, 10**6), gone=st.integers(0, 3), piece=PIECES)
def test_no_spoilt_text_is_proven_in_parts(text, at, gone, piece, edit, here):
    """Whatever is done to the result: if all parts are proven, so is the whole."""
    file, after, made, ranges = edit(text)
    at %= len(after.text)
    spoilt = Document("api.yaml", after.text[:at] + piece + after.text[at + gone :])
    assume(spoilt != after)
    if divisions.proven_in_parts(file, spoilt, made, ranges):
        assert _proven(file, spoilt, made, ranges)
