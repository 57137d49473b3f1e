"""The replay window is shorter than the longest way in which a retry can come late.

Why: a retry that comes after the window finds no record and runs the operation a second time.
Instead: keep keys at least as long as the longest chain lasts, or end the chain earlier.
Source: the window's promise is its lower bound (at_least); a dead-letter replay or an offline queue is a retry, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.windows import AtMost, Forever
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/window-shorter-than-chain"
SEVERITY = Severity.ERROR
OBSERVER = Severity.WARNING
FACTS = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the window's lower bound with the longest chain."""
    windows = case.settings.windows
    chains, replay = windows.retry_chains, windows.replay
    if isinstance(chains, NotDocumented) or isinstance(replay, NotDocumented | Forever) or not chains:
        return
    index, longest = max(enumerate(chains), key=lambda pair: pair[1].lasts.ms)
    if replay.least is not None and replay.least < longest.lasts:
        said = f"({replay.least}) is shorter than"
        hint = f"raise windows.replay to at least {longest.lasts}, or end that chain within {replay.least}"
        if isinstance(replay, AtMost):
            said = f"(at most {replay.value}) promises no time at all, so it is shorter than"
            hint = f"promise a least time, as {{at_least: {longest.lasts}}}"
        yield case.finding(
            f"the replay window {said} the longest retry chain ({longest.lasts}): "
            f"a retry by {longest.name} can come after the key is forgotten, and runs the operation again",
            "windows",
            "replay",
            hint=hint,
            related=(case.related(f"longest chain: {longest.name}", "windows", "retry_chains", str(index), "lasts"),),
        )
