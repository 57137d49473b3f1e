"""What the benchmarks share: rows with budgets, times of work and of whole processes, growth."""

from __future__ import annotations

import gc
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_ROUNDS = 3


class Rows:
    """Prints measures and remembers whether a budget was missed."""

    def __init__(self) -> None:
        self.missed = 0

    def tell(self, name: str, text: str) -> None:
        """One measure without a budget."""
        print(f"{name:34} {text}", flush=True)

    def budget(self, name: str, value: float, most: float, text: str = "") -> None:
        """One measure that may be *most* at most."""
        self._judge(name, value, value > most, f"at most {most}", text)

    def at_least(self, name: str, value: float, least: float, text: str = "") -> None:
        """One measure that must be *least* at least."""
        self._judge(name, value, value < least, f"at least {least}", text)

    def _judge(self, name: str, value: float, missed: bool, budget: str, text: str) -> None:
        self.missed += missed
        self.tell(name, f"{value:8.2f}     budget: {budget}{'  MISSED' if missed else ''}  {text}")


def seconds(work: Callable[[], object], rounds: int = _ROUNDS, *, collecting: bool = False) -> float:
    """The processor time of *work*, that of its processes included, the best of several rounds; without garbage
    collection, unless *collecting*.
    """
    best = math.inf
    for _ in range(rounds):
        gc.collect()
        if not collecting:
            gc.disable()
        begin = _processor()
        work()
        best = min(best, _processor() - begin)
        gc.enable()
    return best


def _processor() -> float:
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + ended.ru_utime + ended.ru_stime


# A process of its own between us and the measured one, whose memory would else begin with ours.
_LAUNCHER = """
import json, resource, subprocess, sys, time
begin = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([time.perf_counter() - begin, used.ru_utime + used.ru_stime, used.ru_maxrss / 1000]))
"""
# Programs run from the bytecode that Python keeps, as they do where they are installed.
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def once(command: Sequence[str]) -> tuple[float, float, float]:
    """Wall time, processor time (seconds) and peak memory (MB) of one run of a process.

    Raises CalledProcessError where it fails: a process that gives up is soon done.
    """
    run = subprocess.run(
        [sys.executable, "-c", _LAUNCHER, *command], capture_output=True, check=True, env=_ENVIRONMENT, cwd=ROOT
    )
    wall, processor, memory = json.loads(run.stdout)
    return wall, processor, memory


def whole(command: Sequence[str], rounds: int = 2) -> tuple[float, float, float]:
    """The same, the best of several runs."""
    wall, processor, memory = zip(*(once(command) for _ in range(rounds)), strict=True)
    return min(wall), min(processor), min(memory)


def in_turn(
    ours: Sequence[str], theirs: Sequence[str], rounds: int
) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Two processes measured in turn, so that what else the machine does falls on both; the best of each."""
    once(ours)
    once(theirs)
    pairs = [(once(ours), once(theirs)) for _ in range(rounds)]
    mine, others = ([pair[side] for pair in pairs] for side in (0, 1))
    best = [tuple(min(run[index] for run in runs) for index in range(3)) for runs in (mine, others)]
    return (best[0][0], best[0][1], best[0][2]), (best[1][0], best[1][1], best[1][2])


def exponent(points: Sequence[tuple[int, float]]) -> float:
    """The slope of the line through the points on doubly logarithmic paper, by least squares."""
    xs, ys = [math.log(n) for n, _ in points], [math.log(t) for _, t in points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    steps = [(x - middle_x, y - middle_y) for x, y in zip(xs, ys, strict=True)]
    return sum(x * y for x, y in steps) / sum(x * x for x, _ in steps)
