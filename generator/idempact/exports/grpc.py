"""A gRPC service config: timeouts, retry policies and the retry throttle.

Source: https://github.com/grpc/proposal/blob/master/A6-client-retries.md. A client cuts ``maxAttempts`` to 5, and
counts the first attempt in it. An unsafe operation gets no policy, and no policy can say "with a key only": the
caller's code sends the key in its metadata or message, where gRPC leaves it alone between attempts.
"""

from __future__ import annotations

import json

from idempact.contract.model.contract import Contract, Operation
from idempact.contract.model.operations import OperationKind
from idempact.contract.model.retry import Grpc
from idempact.exports import OfContract
from idempact.facts.loops import loop
from idempact.text.nodes import Plain

_MOST_ATTEMPTS = 5


def render(contract: Contract) -> str:
    """The config as JSON, one entry for each set of advice."""
    entries: dict[str, dict[str, Plain]] = {}
    for operation in contract.operations:
        name = _name(operation)
        if name is not None and not operation.unsafe:
            config = _config(contract, operation)
            entry = entries.setdefault(json.dumps(config), {"name": list[Plain](), **config})
            names = entry["name"]
            assert isinstance(names, list)
            names.append(name)
    throttle = contract.settings.retry.grpc or Grpc()
    value: dict[str, Plain] = {
        "methodConfig": list(entries.values()),
        "retryThrottling": {"maxTokens": throttle.max_tokens, "tokenRatio": throttle.token_ratio},
    }
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def remarks(contract: Contract) -> tuple[str, ...]:
    """Attempts beyond gRPC's limit, and operations that name no method."""
    if not any(_name(operation) for operation in contract.operations):
        lacks = "has no protocol grpc" if "grpc" not in contract.api.protocols else "names no gRPC method"
        return (f"the contract {lacks}, so the config has no methods; name them as `operation package.Service/Method`",)
    found: list[str] = []
    for operation in contract.operations:
        attempts = operation.settings.retry.max_attempts
        if _name(operation) is None:
            found.append(f"{operation.key} names no gRPC method; write it as `operation package.Service/Method`")
        elif attempts > _MOST_ATTEMPTS:
            found.append(f"{operation.key}: gRPC clients make at most {_MOST_ATTEMPTS} attempts, not {attempts}")
    return tuple(found)


def _name(operation: Operation) -> Plain:
    """The method that the operation's key names, as `package.Service/Method`."""
    service, slash, method = operation.key.name.strip("/").rpartition("/")
    if operation.key.kind is not OperationKind.OPERATION or not slash or "/" in service:
        return None
    return {"service": service, "method": method}


def _config(contract: Contract, operation: Operation) -> dict[str, Plain]:
    """The timeout of the call with all its attempts, and the policy where there is more than one."""
    retry = operation.settings.retry
    facts = loop(contract, operation)
    config: dict[str, Plain] = {"timeout": _duration(facts.deadline_ms)}
    attempts = min(facts.max_attempts, _MOST_ATTEMPTS)
    if attempts > 1:
        codes = (retry.grpc or Grpc()).codes
        config["retryPolicy"] = {
            "maxAttempts": attempts,
            "initialBackoff": _duration(facts.base_ms),
            "maxBackoff": _duration(facts.cap_ms),
            "backoffMultiplier": facts.factor,
            "retryableStatusCodes": list[Plain](codes),
        }
    return config


def _duration(ms: int) -> str:
    """Seconds as protobuf's JSON form writes a Duration."""
    seconds, rest = divmod(ms, 1000)
    return f"{seconds}.{rest:03d}s" if rest else f"{seconds}s"


TARGET = OfContract("grpc", "a gRPC service config with the retry advice, as JSON", render, remarks)
