"""The example of an error doesn't have the machine code where the contract says that it stands.

Why: examples are copied; a loop written from this one never finds the code.
Instead: put "{code}" at the place that errors.code_at names.
Source: errors.code_at is a JSON Pointer (RFC 6901) into errors.example; * steps over a list.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.errors import Errors
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Plain

RULE = "contract/example-without-code"
SEVERITY = Severity.WARNING
DEPENDS = ("errors.example", "errors.code_at")


def check(case: Case) -> Iterator[Diagnostic]:
    """Follow the pointer into the example."""
    errors: Errors = case.settings.errors
    if errors.example is None or not isinstance(errors.code_at, str):
        return
    steps = [step.replace("~1", "/").replace("~0", "~") for step in errors.code_at.split("/")[1:]]
    example: Plain = errors.example.value
    # A body that isn't JSON is one text, which a pointer doesn't lead into.
    if not _reaches(example, [] if isinstance(example, str) else steps):
        yield case.finding(
            f'the example has no "{{code}}" at {errors.code_at}, where the machine code stands',
            "errors",
            "example",
            hint='write "{code}" there, or correct errors.code_at',
            related=(case.related("errors.code_at", "errors", "code_at"),),
        )


def _reaches(data: Plain, steps: list[str]) -> bool:
    if not steps:
        return isinstance(data, str) and "{code}" in data
    if isinstance(data, dict):
        inner = list(data.values()) if steps[0] == "*" else [data[steps[0]]] if steps[0] in data else []
    elif isinstance(data, list):
        inner = data if steps[0] == "*" else data[int(steps[0]) :][:1] if steps[0].isdecimal() else []
    else:
        return False
    return any(_reaches(item, steps[1:]) for item in inner)
