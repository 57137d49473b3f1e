"""Which operation of the contract a request calls: the most specific key wins.

An operation that the contract names by its id is called as ``POST /<id>``; one that it names by a tag can't be called,
since only an OpenAPI file knows what a tag holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote, unquote, urlsplit

from idempact.contract.matching import specificity
from idempact.contract.model.contract import Contract, Operation
from idempact.contract.model.operations import OperationKind


def base_path(contract: Contract) -> str:
    """The path below which the API lies, as /v1; requests may leave it out."""
    base = contract.api.base_url
    return urlsplit(base).path.rstrip("/") if isinstance(base, str) else ""


def below(path: str, base: str) -> str:
    """A request's path without the API's own, and without its last slash."""
    inside = path.removeprefix(base) if base and (path == base or path.startswith(f"{base}/")) else path
    return inside.rstrip("/") or "/"


def called(operations: Iterable[Operation], method: str, path: str) -> Operation | None:
    """The operation that a request to *path* (without the API's own) calls."""
    hits = [operation for operation in operations if _calls(operation, method, path)]
    return max(hits, key=lambda operation: specificity(operation.key), default=None)


def _calls(operation: Operation, method: str, path: str) -> bool:
    key = operation.key
    if key.kind is OperationKind.TAG:
        return False
    if key.kind is OperationKind.OPERATION:
        return method == "POST" and unquote(path) == f"/{key.name}"
    return key.method in ("ANY", method) and pattern(key.name).fullmatch(path) is not None


def pattern(template: str) -> re.Pattern[str]:
    """What a path that fits the template looks like; each placeholder is a group where its name can be one."""
    names = re.findall(r"\{([^{}]*)\}", template)
    groups = {name for name in names if name.isidentifier() and names.count(name) == 1}
    out = ""
    for segment in (template.rstrip("/") or "/").split("/")[1:]:
        if segment == "**":
            out += "(?:/.*)?"
        elif segment == "*":
            out += "/[^/]+"
        else:
            out += "/" + _filled(segment, groups)
    return re.compile(out or "/")


def _filled(segment: str, groups: set[str]) -> str:
    pieces = re.split(r"\{([^{}]*)\}", segment)
    named = [f"(?P<{name}>[^/]+)" if name in groups else "[^/]+" for name in pieces[1::2]]
    literal = [re.escape(piece) for piece in pieces[::2]]
    return "".join(text for pair in zip(literal, [*named, ""], strict=True) for text in pair)


def example_path(operation: Operation) -> str | None:
    """A path that calls the operation, with placeholders and wildcards filled in; None where there is none."""
    key = operation.key
    if key.kind is OperationKind.TAG:
        return None
    if key.kind is OperationKind.OPERATION:
        return "/" + quote(key.name)
    return re.sub(r"\{[^{}]*\}|\*\*|\*", "1", key.name)


def example_method(operation: Operation) -> str:
    """The method that goes with :func:`example_path`."""
    method = operation.key.method
    return method if operation.key.kind is OperationKind.PATH and method != "ANY" else "POST"
