"""A proof in two halves says yes to what the whole proof says yes to, and never to anything else."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from idempact.openapi import halves
from idempact.openapi import inject as injection
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


@pytest.fixture
def short(monkeypatch):
    """Short files are divided, too, and both halves are proven here."""
    monkeypatch.setattr(halves, "LEAST", 0)
    monkeypatch.setattr(halves, "may_fork", lambda: True)


@pytest.fixture
def edit(short, monkeypatch, planner):
    """The edit of a text: what a proof of it is given."""

    def made(text):
        found = []
        with monkeypatch.context() as patch:
            patch.setattr(injection, "proven_in_halves", lambda *given: found.append(given) or False)
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
@pytest.mark.parametrize("text", [HEAD + PATHS + TAIL, HEAD + TAIL + PATHS, PATHS + HEAD, HEAD + PATHS.rstrip("\n")])
def test_both_halves_of_an_injection_are_proven(text, edit):
    given_ = edit(text)
    assert halves._divided(*given_) is not None
    assert halves.proven_in_halves(*given_)


@forks
def test_an_injection_is_the_same_with_halves(short, monkeypatch, planner):
    document = Document("api.yaml", HEAD + PATHS + TAIL)
    in_halves = inject(document, planner())
    monkeypatch.setattr(halves, "LEAST", 10**9)
    assert in_halves == inject(document, planner())
    assert in_halves.value is not None


@pytest.mark.parametrize(
    "text",
    [
        # No block mapping at the first column with a key on a line of its own.
        HEAD + "paths: {/a: {post: {}}, /b: {post: {}}}\n",
        HEAD + PATHS.replace("  /a", "  ? /a").replace(":\n    #", "\n  :\n    #"),
        "\ufeff" + PATHS + HEAD,
        # One key that everything begins with.
        HEAD + "paths:\n  /a:\n    post: {}\n",
        HEAD + PATHS.replace("{description: ok}", "&o {description: ok}", 1) + "x: *o\n",
    ],
)
def test_what_can_not_be_divided_is_proven_as_a_whole(text, edit):
    given_ = edit(text)
    assert _proven(*given_)
    assert not halves.proven_in_halves(*given_)


PIECES = st.sampled_from(
    [
        *"\n :'\"{}[]#-?&*|>,x",
        "\n\n",
        "\n  x: 1\n",
        "\n x: 1\n",
        "\nx: 1\n",
        "---\n",
        " '",
        ' "',
        "{x: ",
        "- ",
        "? x\n",
        "  ",
        "!t ",
    ]
)


@forks
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.sampled_from([HEAD + PATHS + TAIL, HEAD + TAIL + PATHS]),
    at=st.integers(0, 10**6),
    gone=st.integers(0, 3),
    piece=PIECES,
)
def test_no_spoilt_text_is_proven_in_halves(text, at, gone, piece, edit):
    """Whatever is done to the result: if both halves are proven, so is the whole."""
    file, after, made, ranges = edit(text)
    at %= len(after.text)
    spoilt = after.text[:at] + piece + after.text[at + gone :]
    assume(spoilt != after.text)
    parts = halves._divided(file, Document("api.yaml", spoilt), made, ranges)
    if parts is not None and parts.first() and parts.second():
        assert _proven(file, Document("api.yaml", spoilt), made, ranges)
