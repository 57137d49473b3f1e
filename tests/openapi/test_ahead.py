"""What is found out about a file before anybody knows what is wanted of it: the same result, whatever becomes of it."""

from __future__ import annotations

import os
import signal

import pytest

from idempact.openapi import ahead as early
from idempact.openapi import outline as outlines
from idempact.openapi import style
from idempact.openapi.ahead import Ahead
from idempact.openapi.inject import inject
from idempact.openapi.locate import keep
from idempact.openapi.outline import outline
from idempact.openapi.plan import Wishes
from idempact.text.span import Document

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post: {}\ncomponents:\n  schemas:\n'
SCHEMA = "".join(f"      text{n}: words that nobody reads\n" for n in range(9))
TEXT = HEAD + "    One:\n" + SCHEMA + "    Last: {}\n"


@pytest.fixture(autouse=True)
def begun(monkeypatch):
    """A process of its own for short files, too."""
    monkeypatch.setattr(early, "LONG", 0)
    monkeypatch.setattr(early, "may_fork", lambda: True)
    monkeypatch.setattr(outlines, "LEAST", 0)
    monkeypatch.setattr(style, "LONG", 0)


def test_the_outline_comes_from_another_process(monkeypatch):
    document = Document("api.yaml", TEXT)
    with Ahead(document) as ahead:
        assert ahead.begun
        monkeypatch.setattr(early, "cuts_of", None)
        short, check = ahead.taken()
        assert not ahead.begun
        with check:
            assert short == outline(document, keep, parameters=True)
            assert check.holds()


@pytest.mark.parametrize("wishes", [Wishes(), Wishes(copy_shared=True)])
@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        TEXT.replace("text1", "text0"),
        TEXT.replace("words", "[words", 1),
        TEXT.replace("One:", "One: &a"),
        "{}",
        TEXT.replace("Last", "idempotency_key"),
    ],
)
def test_an_injection_is_the_same_with_what_was_begun(text, wishes, planner):
    document = Document("api.yaml", text)
    alone = inject(document, planner(), wishes=wishes)
    with Ahead(document) as ahead:
        assert inject(document, planner(), wishes=wishes, ahead=ahead) == alone


def test_a_process_that_says_nothing_leaves_the_outline_to_us(planner, monkeypatch):
    document = Document("api.yaml", TEXT)
    alone = inject(document, planner())
    monkeypatch.setattr(early, "cuts_of", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with Ahead(document) as ahead:
        assert inject(document, planner(), ahead=ahead) == alone
    with Ahead(document) as ahead:
        assert ahead.taken() is None


def test_a_process_that_ends_behind_the_outline_leaves_the_check_to_us(planner, monkeypatch):
    document = Document("api.yaml", TEXT)
    alone = inject(document, planner())
    here = os.getpid()
    sound = outlines.Outline.closed
    monkeypatch.setattr(outlines.Outline, "closed", lambda self: sound(self) if os.getpid() == here else os._exit(9))
    with Ahead(document) as ahead:
        assert inject(document, planner(), ahead=ahead) == alone


def test_nothing_is_left_running(monkeypatch):
    reading, writing = os.pipe()
    monkeypatch.setattr(early, "cuts_of", lambda *_: os.read(reading, 1))
    with Ahead(Document("api.yaml", TEXT)) as ahead:
        child = ahead._child
        assert child is not None
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    os.close(reading)
    os.close(writing)


def test_nothing_is_begun_where_there_is_no_room_for_a_process(monkeypatch):
    monkeypatch.setattr(early, "may_fork", lambda: False)
    with Ahead(Document("api.yaml", TEXT)) as ahead:
        assert not ahead.begun


def test_nothing_is_begun_for_a_short_file(monkeypatch):
    monkeypatch.setattr(early, "LONG", 10**6)
    with Ahead(Document("api.yaml", TEXT)) as ahead:
        assert not ahead.begun
