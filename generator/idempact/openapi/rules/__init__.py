"""What may be found when the contract is held against an API's files: a module for each rule, found by scanning.

A module's docstring says what the rule finds, why that matters, and what to do instead. ``RULE`` is its id,
``SEVERITY`` what it weighs as a rule; some findings weigh less where nothing needs to be done.
"""

from __future__ import annotations

from functools import cache

from idempact.text.faults import Fault, scanned


@cache
def all_rules() -> tuple[Fault, ...]:
    """Every rule module here, sorted by id. Raises TypeError for one that isn't whole."""
    return scanned(__path__, __name__, "openapi")
