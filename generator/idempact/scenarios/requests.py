"""The requests of a scenario: the operation called as its contract says, under keys that it accepts."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from urllib.parse import quote
from uuid import NAMESPACE_URL, uuid5

from idempact.contract.model.contract import Contract, Operation
from idempact.contract.model.key import Carrier, FirstSent, KeyFormat, Length, Quoted
from idempact.contract.model.operations import OperationKind, Safety
from idempact.facts.keys import key_example
from idempact.text.dataclass import dataclass, field
from idempact.text.nodes import Plain

FIRST_SENT = "Mon, 30 Nov 2026 12:00:00 GMT"


@dataclass(frozen=True, slots=True)
class Call:
    """One request to send."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Caller:
    """Makes requests to one operation. ``run`` makes the keys of this run new; contents are JSON objects by name."""

    operation: Operation
    run: str
    path: str
    contents: Mapping[str, dict[str, Plain]]
    headers: Mapping[str, str] = field(default_factory=dict)
    first_sent: str = FIRST_SENT

    def key(self, name: str) -> str:
        """The key that a scenario calls *name*: one that the contract accepts, new for each run."""
        key = self.operation.settings.key
        if isinstance(key.format, KeyFormat) and key.format.value.startswith("uuid"):
            made = str(uuid5(NAMESPACE_URL, f"{self.run}-{name}"))
            version = {"uuid-v5": "5", "uuid-v7": "7"}.get(key.format.value, "4")
            return f"{made[:14]}{version}{made[15:]}"
        length = key.length if isinstance(key.length, Length) else Length()
        if not isinstance(key.format, KeyFormat):
            return key_example(key) or ""
        unique = f"{uuid5(NAMESPACE_URL, f'{self.run}-{name}').hex}-{name}"
        return unique[-length.max :].ljust(length.min, "0")

    def call(self, send: Mapping[str, Plain]) -> Call:
        """The request that a step describes."""
        body = dict(self.contents[str(send.get("content", "a"))])
        name = send.get("key", "a")
        headers = [*{"Content-Type": "application/json", **self.headers}.items()]
        query = {"scenario": str(send["query"])} if "query" in send else {}
        keys = [] if name is None else [self._altered(self.key(str(name)), send)]
        if "keys" in send:
            keys.append(self.key(str(send["keys"])))
        for key in keys:
            self._put(key, headers, query, body)
        if "account" in send:
            headers.append(("Sandbox-Account", str(send["account"])))
        text = json.dumps(body)
        if send.get("content") == "a-respaced":
            text = json.dumps(body, indent=1)
        asked = "&".join(f"{quote(name)}={quote(value, safe='')}" for name, value in query.items())
        return Call(method(self.operation), self.path + (f"?{asked}" if asked else ""), tuple(headers), text.encode())

    def _altered(self, key: str, send: Mapping[str, Plain]) -> str:
        alter = send.get("alter")
        length = self.operation.settings.key.length
        longest = length.max if isinstance(length, Length) else 255
        return {"case": key.swapcase(), "too-long": key.ljust(longest + 1, "0"), "empty": ""}.get(str(alter), key)

    def _put(self, key: str, headers: list[tuple[str, str]], query: dict[str, str], body: dict[str, Plain]) -> None:
        rules = self.operation.settings.key
        value = f'"{key}"' if rules.quoted is Quoted.YES else key
        match rules.carrier:
            case Carrier.QUERY:
                query[str(rules.name)] = value
            case Carrier.BODY:
                body.update(_nested(str(rules.name), value))
            case _:
                headers.append((str(rules.name), value))
        sent = rules.first_sent
        if isinstance(sent, FirstSent) and sent.carrier is Carrier.HEADER:
            headers.append((sent.name, self.first_sent))


def _nested(name: str, value: Plain) -> dict[str, Plain]:
    way = name[1:].split("/") if name.startswith("/") else [name]
    inner: Plain = value
    for part in reversed(way):
        inner = {part: inner}
    assert isinstance(inner, dict), "a name has at least one part"
    return inner


def method(operation: Operation) -> str:
    """The method that calls an operation; POST where its key doesn't say."""
    named = operation.key.kind is OperationKind.PATH and operation.key.method != "ANY"
    return operation.key.method if named else "POST"


def path(operation: Operation) -> str:
    """A path that calls the operation, placeholders filled in; of one that is named by its id, that id."""
    if operation.key.kind is OperationKind.PATH:
        return re.sub(r"\{[^{}]*\}|\*\*|\*", "1", operation.key.name)
    return "/" + quote(operation.key.name)


def of_safety(contract: Contract, safety: Safety) -> Operation | None:
    """The first operation of that safety which a request can call."""
    callable_ = (op for op in contract.operations if op.key.kind is not OperationKind.TAG)
    return next((operation for operation in callable_ if operation.safety is safety), None)
