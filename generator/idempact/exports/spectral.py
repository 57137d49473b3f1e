"""A Spectral ruleset that holds an OpenAPI document to the contract, for teams that lint with it already.

Source: https://docs.stoplight.io/docs/spectral/. Spectral gives its rules the document with references resolved, so
they see a key or an answer wherever it is declared; a key may stand at the operation or at its path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.model.contract import Contract
from idempact.contract.model.key import Carrier
from idempact.contract.model.operations import OperationKey, OperationKind
from idempact.exports import OfContract
from idempact.facts.derive import Facts, Profile
from idempact.text.emit import emit
from idempact.text.nodes import Plain

_WRITING = "(post|put|patch|delete)"


def render(contract: Contract) -> str:
    """The ruleset as YAML: for each profile the key, each answer and its wait, on the operations that it holds for."""
    facts = Facts.of(contract)
    rules: dict[str, Plain] = {}
    for profile in facts.profiles:
        keys = [op.operation.key for op in facts.operations if op.profile == profile.number]
        if given := [path for key in keys if (path := _given(key)) is not None]:
            rules |= dict(_keys(profile, keys))
            rules |= dict(_answers(profile, given))
    return emit({"rules": rules})


def remarks(contract: Contract) -> tuple[str, ...]:
    """Operations that a path expression can't name."""
    unnamed = [op for op in Facts.of(contract).operations if op.keyed and _given(op.operation.key) is None]
    return tuple(f"{op.name} is not checked by the ruleset: Spectral can't select by tag" for op in unnamed)


def _given(key: OperationKey) -> str | None:
    """The expression that selects the operation, or all that a pattern names."""
    if key.kind is OperationKind.TAG:
        return None
    if key.kind is OperationKind.OPERATION:
        return f"$.paths[*][?(@ && @.operationId === {_quoted(key.name)})]"
    method = key.method.lower()
    return _item(key.name) + (f"[?(@property.match(/^{_WRITING}$/))]" if method == "any" else f".{method}")


def _item(name: str) -> str:
    """The expression for a path item, or for all that a pattern names."""
    if "*" not in name:
        return f"$.paths[{_quoted(name)}]"
    pattern = "/".join(_segment(part) for part in name.split("/")).replace("/", r"\/")
    return f"$.paths[?(@property.match(/^{pattern}$/))]"


def _segment(part: str) -> str:
    return ".*" if part == "**" else "[^/]+" if part == "*" else _escaped(part)


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _escaped(text: str) -> str:
    """The text as a regular expression of JavaScript, where only syntax may be escaped (ECMA-262, with the flag u)."""
    return re.sub(r"[\\^$.*+?()[\]{}|/]", lambda found: "\\" + found[0], text)


def _suffix(profile: Profile) -> str:
    return "" if profile.number == 1 else f"-{profile.number}"


def _keys(profile: Profile, keys: list[OperationKey]) -> Iterator[tuple[str, Plain]]:
    """One rule for each method, as a key at the path counts for it, too."""
    key = profile.settings.key
    if not isinstance(key.name, str) or key.carrier not in (Carrier.HEADER, Carrier.QUERY):
        return
    about = f"a keyed operation declares {key.name}"
    listed: Plain = {"required": ["parameters"], "properties": {"parameters": _declares(key.name, key.carrier)}}
    by_method: dict[str, list[str]] = {}
    for one in keys:
        if one.kind is OperationKind.PATH and one.method != "ANY":
            by_method.setdefault(one.method.lower(), []).append(_item(one.name))
    for method, items in by_method.items():
        own: Plain = {"properties": {method: listed}}
        schema: Plain = {"if": {"required": [method]}, "then": {"anyOf": [own, listed]}}
        then: Plain = {"function": "schema", "functionOptions": {"schema": schema}}
        yield (
            f"idempotency-key-{method}{_suffix(profile)}",
            _rule(about, items, then),
        )
    rest = [_given(one) for one in keys if one.kind is not OperationKind.PATH or one.method == "ANY"]
    if others := [path for path in rest if path is not None]:
        then = {"function": "schema", "functionOptions": {"schema": listed}}
        yield f"idempotency-key{_suffix(profile)}", _rule(about, others, then)


def _answers(profile: Profile, given: list[str]) -> Iterator[tuple[str, Plain]]:
    waits: dict[int, bool] = {}
    for outcome in profile.outcomes:
        for status in outcome.statuses if outcome.name != "unsupported_key" else ():
            waits[status] = waits.get(status, False) or outcome.waits
    for status, wait in sorted(waits.items()):
        yield (
            f"idempotency-answer-{status}{_suffix(profile)}",
            _rule(
                f"a keyed operation tells its answer {status}",
                [f"{path}.responses" for path in given],
                {"field": str(status), "function": "truthy"},
            ),
        )
        if wait:
            yield (
                f"idempotency-wait-{status}{_suffix(profile)}",
                _rule(
                    f"the answer {status} declares Retry-After",
                    [f"{path}.responses['{status}']" for path in given],
                    {"field": "headers.Retry-After", "function": "truthy"},
                ),
            )


def _declares(name: str, carrier: Carrier) -> Plain:
    """A list that holds the parameter, a header in any letter case (RFC 9110, section 5.1)."""
    pattern = "".join(f"[{c.upper()}{c.lower()}]" if c.isascii() and c.isalpha() else _escaped(c) for c in name)
    named: Plain = {"type": "string", "pattern": f"^{pattern}$"} if carrier is Carrier.HEADER else {"const": name}
    return {
        "type": "array",
        "contains": {
            "type": "object",
            "required": ["name", "in"],
            "properties": {"in": {"const": carrier.value}, "name": named},
        },
    }


def _rule(description: str, given: list[str], then: Plain) -> Plain:
    return {"description": description, "severity": "warn", "given": list[Plain](given), "then": then}


TARGET = OfContract("spectral", "a Spectral ruleset that holds OpenAPI documents to the contract", render, remarks)
