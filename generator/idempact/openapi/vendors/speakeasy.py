"""`x-speakeasy-retries`: the retry advice, on operations that may be repeated.

It is never put at the root, where it would make clients repeat operations without a key; and there is no safe way to
say "never retry" in it, so other operations get nothing. It knows no limit of attempts and no codes: a client made from
it decides by status alone. Source: https://www.speakeasy.com/docs/sdks/customize/runtime/retries.
"""

from __future__ import annotations

from idempact.facts.derive import OperationFacts
from idempact.facts.loop import RetryClass
from idempact.facts.loops import loop
from idempact.openapi.vendors import Asked, Members

_RETRIED = (RetryClass.THROTTLED, RetryClass.TRANSIENT, RetryClass.IN_FLIGHT)


def operation(asked: Asked, found: OperationFacts) -> Members:
    """The backoff, for keyed, natural and reading operations."""
    if found.operation.unsafe:
        return {}
    facts = loop(asked.facts.contract, found.operation)
    statuses = sorted({status for each in _RETRIED for status in facts.of_class(each)})
    if not statuses:
        return {}
    return {
        "x-speakeasy-retries": {
            "strategy": "backoff",
            "backoff": {
                "initialInterval": facts.base_ms,
                "maxInterval": facts.cap_ms,
                "maxElapsedTime": facts.deadline_ms,
                "exponent": facts.factor,
            },
            "statusCodes": [str(status) for status in statuses],
            "retryConnectionErrors": facts.retry_no_answer,
        }
    }


def root(asked: Asked) -> Members:
    """Nothing."""
    del asked
    return {}
