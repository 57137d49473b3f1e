"""What the vectors can't show of the shell loop: signals, a script's own options, and output that can't be written."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from idempact.facts.loop import LoopFacts
from idempact.vectors.model import Fault, Step, Target, Vector, Wire
from idempact.vectors.server import PATH, FaultServer

ANY = Vector("call", "fast", (), True, True, False, Target.SERVER, (0, 9), None, False, None, (), 0, 9000, None)
CALL = "source ./retry-loop.sh; send \"$1\" k-1 <<<'{}'"
OPTIONS = ["+e", "-e", "-u", "-eu", "-euo pipefail", "-euCo pipefail", "-eEuTo pipefail"]


def serving(*steps: Step) -> FaultServer:
    return FaultServer(replace(ANY, steps=steps), Wire())


@pytest.fixture
def folder(workshop: Callable[[str], Any], scaled: Mapping[str, LoopFacts]) -> Path:
    made: Path = workshop("shell-curl").render("call", scaled["fast"])
    return made


def started(folder: Path, script: str, server: FaultServer, **streams: Any) -> subprocess.Popen[str]:
    words = ["bash", "-c", script, "call", server.origin + PATH]
    return subprocess.Popen(
        words,
        cwd=folder,
        env={**os.environ, "no_proxy": "127.0.0.1"},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell can't trap what its parent ignores, as for a job in the background.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **streams,
    )


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize(
    ("steps", "code", "attempts"),
    [
        ((Step(Fault.RESET_AFTER), Step(Fault.SERVE)), 0, 2),
        ((Step(Fault.ANSWER, 503), Step(Fault.SERVE)), 0, 2),
        ((Step(Fault.ANSWER, 503), Step(Fault.ANSWER, 429), Step(Fault.SERVE)), 0, 3),
        ((Step(Fault.ANSWER, 400),), 10, 1),
        ((Step(Fault.ANSWER, 422, code="idempotency_key_reused"),), 11, 1),
        ((Step(Fault.RESET_BEFORE),), 12, 4),
    ],
)
def test_the_options_of_the_script_change_nothing(
    folder: Path, options: str, steps: tuple[Step, ...], code: int, attempts: int
) -> None:
    with FaultServer(replace(ANY, steps=steps, repeat_last=True), Wire()) as server:
        process = started(folder, f"set {options}; {CALL}", server, stdout=subprocess.PIPE)
        log = process.communicate(timeout=20)[1]
        assert (process.returncode, len(server.seen().exchanges)) == (code, attempts), log


@pytest.mark.parametrize("options", ["+e", "-euo pipefail"])
@pytest.mark.parametrize("name", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("before", [(), (Step(Fault.ANSWER, 429),)])
def test_a_signal_during_an_attempt_leaves_the_outcome_unknown(
    folder: Path, options: str, name: signal.Signals, before: tuple[Step, ...]
) -> None:
    with serving(*before, Step(Fault.SLOW, wait_ms=900)) as server:
        process = started(folder, f"set {options}; {CALL}", server, stdout=subprocess.PIPE)
        while len(server.seen().exchanges) <= len(before):
            assert process.poll() is None
        os.killpg(process.pid, name)
        output, log = process.communicate(timeout=20)
    assert "outcome unknown, key k-1" in log
    assert output == ""


@pytest.mark.parametrize("options", ["+e", "-euo pipefail"])
def test_a_success_that_cannot_be_written_is_no_refusal(folder: Path, options: str) -> None:
    with serving(Step(Fault.SERVE)) as server, Path("/dev/full").open("w") as full:
        process = started(folder, f"set {options}; {CALL}", server, stdout=full)
        log = process.communicate(timeout=20)[1]
        assert len(server.seen().exchanges) == 1
    assert process.returncode == 14, log
    assert "failed verdict" not in log
