"""An answer is written for a case that this contract rules out.

Why: pages and loops leave it out, so whoever wrote it expects something that never comes.
Instead: remove it, or change what rules it out.
Source: missing_key needs a required key, mismatch a fingerprint, previous_failure a failure that is rejected,
completed a replay that is an error.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.answering import possible
from idempact.contract.case import Case
from idempact.contract.model.operations import Safety
from idempact.contract.units import NotDocumented
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/unreachable-answer"
SEVERITY = Severity.WARNING
DEPENDS = ("key.required", "fingerprint", "replay.fidelity", "stored_failures", "answers")


_NEEDS = {
    "missing_key": "no key is required",
    "mismatch": "nothing is compared (fingerprint: none)",
    "previous_failure": "no stored failure says reject",
    "completed": "replay.fidelity isn't error",
}


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for written answers that can't be given, here or under any operation."""
    answers, settings = dict(case.settings.answers.each()), [case.settings]
    if case.operation is None:
        settings += [op.settings for op in case.contract.operations if op.safety is Safety.KEYED]
    for name, why in _NEEDS.items():
        if isinstance(answers.get(name), NotDocumented) or _unsure(name, case):
            continue
        own = case.operation is None or case.where("answers", name)[0] == "operations"
        if own and case.given("answers", name) and not any(possible(name, each) for each in settings):
            yield case.finding(
                f"answers.{name} is never given: {why}", "answers", name, hint="remove it, or change what rules it out"
            )


def _unsure(name: str, case: Case) -> bool:
    """Whether nothing is documented of what rules the answer out."""
    failures = case.settings.stored_failures
    facts: dict[str, tuple[object, ...]] = {
        "missing_key": (case.settings.key.required,),
        "mismatch": (),
        "previous_failure": (
            failures.business_rejection,
            failures.server_error.before_effects,
            failures.server_error.after_effects,
        ),
        "completed": (case.settings.replay.fidelity,),
    }
    return any(isinstance(fact, NotDocumented) for fact in facts[name])
