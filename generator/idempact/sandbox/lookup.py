"""Look-ups: how a caller finds out what became of a request, without repeating it.

Answered are the contract's own look-ups, the status address of an accepted request, and the address of each resource
that a first answer named.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from idempact.contract.model.answers import Answer
from idempact.contract.model.contract import Operation
from idempact.resources.typed import TYPE_CHECKING
from idempact.sandbox import answers
from idempact.sandbox.exchange import Request, Response
from idempact.sandbox.routes import base_path, below, pattern
from idempact.sandbox.store import Phase

if TYPE_CHECKING:
    from idempact.sandbox.app import App


def looked_up(app: App, request: Request, path: str) -> Response | None:
    """The answer to a look-up; None where the request is none."""
    for operation in app.contract.operations:
        key = _key(operation, request, path, base_path(app.contract))
        if key is not None:
            return _by_key(app, operation, key)
    if request.method != "GET":
        return None
    return _status(app, path) or _resource(app, path)


def _key(operation: Operation, request: Request, path: str, base: str) -> str | None:
    """The key that a look-up of the operation asks for."""
    method, _, address = (operation.lookup or "").partition(" ")
    if method != request.method or not address:
        return None
    parts = urlsplit(address)
    match = pattern(below(parts.path, base)).fullmatch(path)
    if match is None:
        return None
    asked = dict(request.query)
    for name, wanted in parse_qsl(parts.query, keep_blank_values=True):
        if name not in asked:
            return None
        if wanted == "{key}":
            return asked[name]
    return match.groupdict().get("key")


def _by_key(app: App, operation: Operation, key: str) -> Response:
    """The resources that the key's requests have made, as a list: none is an answer, too."""
    made = [record.resource for record in app.store.records(key) if record.operation == str(operation.key)]
    found = [app.store.resource(name) for name in made if name is not None]
    return answers.plain(200, {"data": [resource[1] for resource in found if resource is not None]}, "lookup")


def _status(app: App, path: str) -> Response | None:
    """What became of an accepted request, at the address that its answer named."""
    for record in app.store.records():
        operation = next((each for each in app.contract.operations if str(each.key) == record.operation), None)
        answer = operation.settings.answers.in_flight if operation is not None else None
        if operation is None or not isinstance(answer, Answer) or answer.status_url is None:
            continue
        address = urlsplit(answer.status_url.replace("{id}", str(record.id))).path
        if below(address, base_path(app.contract)) != path:
            continue
        if record.phase is not Phase.COMPLETED:
            return answers.plain(200, {"status": record.phase.value}, "status")
        stored = app.store.stored(record)
        return Response(200, stored.headers, stored.body, "status")
    return None


def _resource(app: App, path: str) -> Response | None:
    match = re.search(r"/(res_[0-9]+)\Z", path)
    found = app.store.resource(match[1]) if match is not None else None
    return answers.plain(200, found[1], "read") if found is not None and path.startswith(found[0]) else None
