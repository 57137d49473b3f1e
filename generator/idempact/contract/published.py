"""What of a contract may be shown to everyone: without the provider's side, unless the contract publishes that."""

from __future__ import annotations

from idempact.contract.model.contract import Contract
from idempact.contract.write import resolved
from idempact.text.nodes import Plain

# How long a claim is held, and why.
PROVIDER_WINDOWS = ("lease", "slowest_handler")
# What else the provider runs; what it calls that can't be rolled back.
_SECTIONS, _OPERATION = ("server",), ("external_effects",)


def published(contract: Contract) -> dict[str, Plain]:
    """The contract with every default, as plain data, without what ``publish.provider`` keeps back.

    A note or a change about a field that is kept back goes with it.
    """
    data = resolved(contract)
    if contract.publish.provider:
        return data
    public = {key: value for key, value in data.items() if key not in _SECTIONS}
    _drop(public, "windows", PROVIDER_WINDOWS)
    operations = public.get("operations")
    if isinstance(operations, dict):
        public["operations"] = {name: _operation(value) for name, value in operations.items()}
    for key in ("notes", "changes"):
        items = public.get(key)
        if isinstance(items, list):
            public[key] = [
                item for item in items if not (isinstance(item, dict) and kept_back(str(item.get("at", ""))))
            ]
    return public


def kept_back(at: str) -> bool:
    """Whether the field *at* belongs to the provider's side."""
    fields = (*_SECTIONS, *(f"windows.{name}" for name in PROVIDER_WINDOWS))
    return at.startswith(fields) or any(f".{name}" in at for name in (*_OPERATION, *fields[1:]))


def _drop(data: dict[str, Plain], section: str, names: tuple[str, ...]) -> None:
    value = data.get(section)
    if isinstance(value, dict):
        data[section] = {key: item for key, item in value.items() if key not in names}


def _operation(value: Plain) -> Plain:
    if not isinstance(value, dict):
        return value
    shown = {key: item for key, item in value.items() if key not in _OPERATION}
    _drop(shown, "windows", PROVIDER_WINDOWS)
    return shown
