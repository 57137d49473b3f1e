"""`x-fern-idempotent`, `x-fern-idempotency-headers` and `x-fern-retries`: the key, and where no client may retry.

Source: https://buildwithfern.com/learn/api-definitions/openapi/extensions/idempotency-headers.
"""

from __future__ import annotations

import re

from idempact.contract.model.key import Carrier
from idempact.facts.derive import OperationFacts
from idempact.openapi.vendors import Asked, Members
from idempact.text.nodes import Plain


def operation(asked: Asked, found: OperationFacts) -> Members:
    """Keyed operations take the header; unsafe ones are not retried."""
    if found.keyed and _headers(asked):
        return {"x-fern-idempotent": True}
    return {"x-fern-retries": {"disabled": True}} if found.operation.unsafe else {}


def root(asked: Asked) -> Members:
    """Every header that carries a key."""
    headers = _headers(asked)
    return {"x-fern-idempotency-headers": headers} if headers else {}


def _headers(asked: Asked) -> list[Plain]:
    names: dict[str, None] = {}
    for profile in asked.facts.profiles:
        key = profile.settings.key
        if key.carrier is Carrier.HEADER and isinstance(key.name, str):
            names[key.name] = None
    return [{"header": name, "name": re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")} for name in names]
