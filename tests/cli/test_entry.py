"""The command line as a whole process: it leaves at once, and nothing of what was printed or promised is lost by it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from idempact.cli import main

ROOT = Path(__file__).resolve().parents[2]
CONTRACT = "contract/contract.yaml"


def _run(code: str, *args: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", f"{code}\nfrom idempact.cli import entry\nentry()", *args]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)


def test_all_that_was_printed_arrives(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = [sys.executable, "-m", "idempact", "check", "--resolved", CONTRACT]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    monkeypatch.chdir(ROOT)
    assert done.returncode == main(command[3:])
    assert (done.stdout, done.stderr) == capsys.readouterr()


@pytest.mark.parametrize(("argument", "code"), [(CONTRACT, 0), ("missing.yaml", 2), ("README.md", 1)])
def test_the_exit_code_is_the_command_s(argument: str, code: int) -> None:
    done = _run("", "check", argument)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


def test_what_was_to_be_done_at_the_end_is_done() -> None:
    assert _run("import atexit\natexit.register(print, 'the end')", "check", "--quiet", CONTRACT).stdout == "the end\n"


def test_threads_and_tracers_end_as_always() -> None:
    late = "import threading\nthreading.Timer(0.2, print, ['late']).start()"
    assert _run(late, "check", "--quiet", CONTRACT).stdout == "late\n"
    traced = "import sys\nsys.settrace(lambda *_: None)\nfrom idempact.cli import entry\n"
    caught = "try:\n    entry()\nexcept SystemExit as stop:\n    print('ended by', stop.code)\n    sys.exit()"
    assert _run(traced + caught, "check", "--quiet", CONTRACT).stdout == "ended by 0\n"


INTERRUPTER = """
import os, signal, sys
left = int(sys.argv.pop())
class Finder:
    def find_spec(self, *_):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGINT)
"""


@pytest.mark.parametrize("count", [1, 2, 5, 10, 20, 40, 80])
def test_an_interrupt_is_told_in_one_line_however_early_it_comes(count: int) -> None:
    """While modules are loaded as well; the process then ends by that signal, as a shell's loop expects."""
    late = f"{INTERRUPTER}\nfrom idempact.cli import entry\nsys.meta_path.insert(0, Finder())"
    done = _run(late, "check", "--quiet", CONTRACT, str(count))
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "idempact: interrupted\n")


def test_a_reader_that_left_early_is_no_fault_of_ours() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "idempact", "check", "--resolved", CONTRACT]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False)
    os.close(writing)
    assert "Traceback" not in done.stderr.replace("BrokenPipeError", "")
