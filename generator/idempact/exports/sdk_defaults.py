"""What an SDK should default to, for each set of advice: attempts, backoff, deadline, timeouts, keys, budget.

Numbers are those of the retry loops: whole milliseconds, and a budget in tokens, as a share, or none. ``null`` stands
for what nobody documented, and where the contract has no such thing.
"""

from __future__ import annotations

import json

from idempact.contract.model.contract import Contract, Operation, Settings
from idempact.contract.model.key import Key, Length, Pattern
from idempact.contract.model.operations import Safety
from idempact.contract.model.retry import BudgetKind
from idempact.contract.units import NotDocumented
from idempact.exports import OfContract
from idempact.facts.keys import key_example, random_key
from idempact.facts.keys import pattern as key_pattern
from idempact.facts.loop import Jitter, LoopFacts, RetryClass
from idempact.facts.loops import loop
from idempact.text.nodes import Plain

FORMAT_VERSION = 1


def render(contract: Contract) -> str:
    """The defaults as JSON, one profile for each set that differs, with the operations that it holds for."""
    profiles: dict[str, tuple[dict[str, Plain], list[Plain]]] = {}
    for operation in contract.operations:
        defaults = _defaults(contract, operation)
        profiles.setdefault(json.dumps(defaults), (defaults, []))[1].append(str(operation.key))
    api: Plain = None if isinstance(contract.api.name, NotDocumented) else str(contract.api.name)
    value: dict[str, Plain] = {
        "sdk_defaults": FORMAT_VERSION,
        "api": api,
        "profiles": [{"operations": names, **defaults} for defaults, names in profiles.values()],
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _defaults(contract: Contract, operation: Operation) -> dict[str, Plain]:
    facts = loop(contract, operation)
    settings, sdk = operation.settings, contract.sdk
    keyed = operation.safety is Safety.KEYED
    attempts = sdk.max_attempts if sdk is not None and sdk.max_attempts is not None else facts.max_attempts
    return {
        "safety": str(operation.safety),
        "max_attempts": attempts,
        "backoff": _backoff(facts),
        "deadline_ms": facts.deadline_ms,
        "attempt_timeout_ms": facts.attempt_timeout_ms,
        "connect_timeout_ms": facts.connect_timeout_ms,
        "least_wait_ms": settings.retry.least_wait.ms,
        "retry": _retried(settings, facts, operation.unsafe),
        "key": _key(settings.key, sdk.generates_keys if sdk is not None else None) if keyed else None,
        "budget": _budget(facts),
    }


def _backoff(facts: LoopFacts) -> dict[str, Plain]:
    """Decorrelated jitter has no factor: each wait is drawn from the base to three times the last one."""
    drawn: dict[str, Plain] = {"jitter": facts.jitter.value, "base_ms": facts.base_ms, "cap_ms": facts.cap_ms}
    return drawn if facts.jitter is Jitter.DECORRELATED else {**drawn, "factor": facts.factor}


def _retried(settings: Settings, facts: LoopFacts, unsafe: bool) -> dict[str, Plain]:
    """What is retried with the same key and body. A code decides before a status, and both before the transport.

    An operation whose repeat is *unsafe*, and any call without its key, is retried only where nothing was sent, and
    when throttled.
    """
    classes = (RetryClass.THROTTLED,) if unsafe else tuple(RetryClass)
    statuses: dict[str, Plain] = {
        found.value: list[Plain](facts.of_class(found)) for found in classes if facts.of_class(found)
    }
    codes: list[Plain] = [
        {"code": rule.code, "class": rule.retry_class.value, "at": rule.pointer, "statuses": list[Plain](rule.statuses)}
        for rule in facts.codes
        if rule.retry_class in classes or rule.retry_class is RetryClass.FINAL
    ]
    wait, hint = settings.retry.retry_after, settings.retry.server_hint
    return {
        "statuses": statuses,
        "codes": codes,
        "cautious_retries": 0 if unsafe else facts.cautious_retries,
        "not_sent": facts.retry_not_sent,
        "no_answer": facts.retry_no_answer and not unsafe,
        "without_key": [RetryClass.THROTTLED.value, *(["not-sent"] if facts.retry_not_sent else [])],
        "retry_after": {"in": wait.carrier.value, "name": wait.name, "unit": wait.unit.value} if wait else None,
        "server_hint": {
            "in": hint.carrier.value,
            "name": hint.name,
            "retry": list[Plain](hint.retry),
            "stop": list[Plain](hint.stop),
        }
        if hint
        else None,
    }


def _key(key: Key, generates: bool | None) -> dict[str, Plain]:
    length: Plain = None
    if isinstance(key.length, Length):
        length = {"min": key.length.min, "max": key.length.max, "unit": key.length.unit.value}
    known = not isinstance(key.format, NotDocumented | Pattern)
    return {
        "in": key.carrier.value,
        "name": None if isinstance(key.name, NotDocumented) else key.name,
        "quoted": None if isinstance(key.quoted, NotDocumented) else key.quoted.value,
        "format": str(key.format) if known else None,
        "pattern": key_pattern(key),
        "length": length,
        "template": key.derivation.event or key.derivation.request,
        "random": random.value if (random := random_key(key)) is not None else None,
        "example": key_example(key),
        "generated": generates,
    }


def _budget(facts: LoopFacts) -> Plain:
    budget = facts.budget
    if budget is None:
        return None
    if budget.kind == BudgetKind.RATIO:
        return {
            "kind": budget.kind,
            "share": budget.share,
            "within_ms": budget.within_ms,
            "min_per_second": budget.min_per_second,
        }
    return {
        "kind": budget.kind,
        "capacity": budget.capacity,
        "cost": {"transient": budget.cost_transient, "throttled": budget.cost_throttled},
        "refund": budget.refund,
    }


TARGET = OfContract("sdk-defaults", "what an SDK should default to, for each set of advice, as JSON", render)
