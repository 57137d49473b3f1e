"""A check beside the work: the same answer as at once, whatever becomes of the process that gives it."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from idempact.openapi import beside
from idempact.openapi import inject as injection
from idempact.openapi import outline as outlines
from idempact.openapi.beside import Beside
from idempact.openapi.inject import inject
from idempact.text.span import Document

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")


@pytest.fixture
def two_processors(monkeypatch):
    monkeypatch.setattr(beside, "may_fork", lambda: True)


@forks
@pytest.mark.parametrize("answer", [True, False])
def test_the_answer_comes_from_another_process(answer, two_processors):
    here = []

    def check():
        here.append(os.getpid())
        return answer

    with Beside(check, worth=True) as found:
        assert not found.failed
        assert found.holds() is answer
        assert found.holds() is answer
    assert found.failed is not answer
    assert here == []


def _killed():
    os.kill(os.getpid(), signal.SIGKILL)


def _failing():
    raise MemoryError


@forks
@pytest.mark.parametrize("end", [_killed, _failing, lambda: os._exit(9)])
def test_a_process_that_gives_no_answer_leaves_the_check_to_us(end, two_processors):
    here = os.getpid()
    with Beside(lambda: os.getpid() == here or end(), worth=True) as found:
        assert found.holds() is True


@forks
def test_nothing_is_left_running(two_processors):
    reading, writing = os.pipe()
    with Beside(lambda: bool(os.read(reading, 1)), worth=True) as found:
        child = found._child
        assert child is not None
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize("worth", [True, False])
def test_where_nothing_can_be_forked_the_check_is_made_at_once(worth, monkeypatch):
    monkeypatch.setattr(beside, "forked", lambda check: None)
    for answer in (True, False):
        with Beside(lambda answer=answer: answer, worth=worth) as found:
            assert found.failed is not answer
            assert found.holds() is answer


def test_a_process_with_threads_is_not_forked():
    wait = threading.Event()
    thread = threading.Thread(target=wait.wait)
    thread.start()
    try:
        assert not beside.may_fork()
    finally:
        wait.set()
        thread.join()


WORDS = "".join(f"      text{n}: words that nobody reads\n" for n in range(9))
HEAD = (
    'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a:\n    post: {}\ncomponents:\n  schemas:\n    One:\n'
)


@forks
@pytest.mark.parametrize(
    "more", ["", "      a: 1\n      a: 2\n", "      a: [x,\n    Two:\n      b: y]\n", "      a: 'x\n"]
)
def test_an_injection_is_the_same_beside_its_check(more, two_processors, monkeypatch, planner):
    document = Document("api.yaml", HEAD + WORDS + more + "    Last: {}\n")
    slow = inject(document, planner())
    monkeypatch.setattr(outlines, "LEAST", 0)
    monkeypatch.setattr(injection, "LONG", 0)
    assert inject(document, planner()) == slow
    assert (slow.value is None) == bool(more)
