"""A check in a process of its own, beside the work that will be in vain if it fails."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable


class Beside:
    """*check* with its answer later: in a forked process where that is safe and *worth* it, or in the one that makes it
    already, *child*; else at once.

    To be used in a ``with``, which ends the process. A process that ends in another way than with an answer gives none,
    and the check is made again, here.
    """

    def __init__(self, check: Callable[[], bool], *, worth: bool = False, child: int | None = None) -> None:
        self._check = check
        self._child = forked(check) if child is None and worth and may_fork() else child
        self._answer = check() if self._child is None else None

    def __enter__(self) -> Beside:
        return self

    def __exit__(self, *_: object) -> None:
        if self._child is not None:
            from signal import SIGKILL

            os.kill(self._child, SIGKILL)
            _ended(self._child)
            self._child = None

    @property
    def failed(self) -> bool:
        """Whether the check is known to have failed; that is not waited for."""
        return self._answer is False

    def holds(self) -> bool:
        """The answer, which is waited for."""
        if self._child is not None:
            code = _ended(self._child)
            self._child = None
            self._answer = {0: True, 1: False}.get(code)
        if self._answer is None:
            self._answer = self._check()
        return self._answer


def may_fork() -> bool:
    """Whether a fork copies all that runs here, and there is a processor for it."""
    threading = sys.modules.get("threading")
    if not hasattr(os, "fork") or (threading is not None and threading.active_count() > 1):
        return False
    return len(os.sched_getaffinity(0)) > 1 if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1) > 1


def forked(check: Callable[[], bool]) -> int | None:
    """The process that answers with its exit code: 0 for yes, 1 for no; none where the system has no room for one."""
    try:
        child = os.fork()
    except OSError:
        return None
    if child:
        return child
    code = 2
    try:
        code = 0 if check() else 1
    finally:
        # Nothing that was opened before the fork is flushed or closed twice.
        os._exit(code)


def _ended(child: int) -> int:
    """The exit code of a process; another number where the system kept none."""
    try:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    except ChildProcessError:
        return -1
