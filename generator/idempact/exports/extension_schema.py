"""The JSON Schema of `x-idempotency`, which `inject` writes into OpenAPI files (draft 2020-12).

One schema for the three places where the extension stands: the root (what holds for the API, and what is ours in the
files), an operation (its safety), and a response that others define (its machine codes).
"""

from __future__ import annotations

import json

from idempact.contract.model.answers import ClientAction, Verb
from idempact.contract.model.contract import WrittenBy
from idempact.contract.model.operations import Safety
from idempact.contract.units import NOT_DOCUMENTED
from idempact.exports import OfLanguage
from idempact.text.nodes import Plain

Schema = dict[str, Plain]

_TEXT: Schema = {"type": "string"}
_POINTERS: Schema = {"propertyNames": {"pattern": "^/"}}
_DIGEST: Schema = {"type": "string", "pattern": "^sha256:[0-9a-f]{16}$"}


def render() -> str:
    """The schema as JSON."""
    return json.dumps(extension_schema(), indent=2, ensure_ascii=False) + "\n"


def extension_schema() -> Schema:
    """The schema as plain data."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "x-idempotency",
        "description": "What an HTTP API's contract says about idempotency keys, as data in its OpenAPI document. "
        "What is left out is not documented, or there is none of it.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in ("Root", "Operation", "Response")],
        "$defs": {
            "Root": _root(),
            "Operation": _operation(),
            "Response": _object({"codes": _list(_TEXT)}, ["codes"]),
            "Profile": _profile(),
            "Answer": _answer(),
            "Share": _share(),
        },
    }


def _object(members: Schema, required: list[str], about: str = "") -> Schema:
    value: Schema = {"type": "object", "properties": members, "additionalProperties": False}
    if required:
        value["required"] = list[Plain](required)
    return {"description": about, **value} if about else value


def _list(item: Schema) -> Schema:
    return {"type": "array", "items": item}


def _map(value: Schema) -> Schema:
    return {"type": "object", "additionalProperties": value}


def _words(words: type[Verb | WrittenBy | ClientAction]) -> Schema:
    return {"enum": [word.value for word in words]}


def _root() -> Schema:
    owner = _object(
        {
            "tool": {"const": "idempact"},
            "inserted": {**_map(_DIGEST), **_POINTERS},
            "created": _list(_TEXT),
            "replaced": {**_map(_object({"was": _TEXT, "now": _DIGEST, "to": _TEXT}, ["was", "now"])), **_POINTERS},
            "within": {**_map(_TEXT), **_POINTERS},
            "files": _map({"$ref": "#/$defs/Share"}),
            "digest": _DIGEST,
        },
        ["tool", "inserted", "digest"],
        "What the tool owns in these files, so that it can be updated and taken out again. Not for hand editing.",
    )
    members: Schema = {
        "language": {"description": "The version of the contract language.", "type": "integer", "minimum": 1},
        "written_by": _words(WrittenBy),
        "store": {"description": "Where records are kept, where the provider publishes that.", "type": "string"},
        "profiles": {**_list({"$ref": "#/$defs/Profile"}), "minItems": 1},
        "generated_by": owner,
    }
    return _object(members, ["language", "written_by", "profiles"], "At the root: what holds for the whole API.")


def _share() -> Schema:
    members: Schema = {
        "inserted": {**_map(_DIGEST), **_POINTERS},
        "created": _list(_TEXT),
        "replaced": {**_map(_object({"was": _TEXT, "now": _DIGEST, "to": _TEXT}, ["was", "now"])), **_POINTERS},
        "within": {**_map(_TEXT), **_POINTERS},
    }
    return _object(members, ["inserted"], "What the tool owns in another file, by JSON Pointer (RFC 6901).")


def _operation() -> Schema:
    members: Schema = {
        "safety": {"enum": [*(word.value for word in Safety), NOT_DOCUMENTED.value]},
        "because": {"description": "Why a repeat is safe, or isn't.", "type": "string"},
        "instead": {"description": "What to do instead of repeating an unsafe operation.", "type": "string"},
        "profile": {"description": "The root's profile that holds here, from 1.", "type": "integer", "minimum": 1},
        "key_template": {"description": "How a caller makes the key; {placeholders} are its own.", "type": "string"},
        "repeat_status": {"description": "The status that a repeat gets.", "type": "integer"},
        "lookup": {"description": "Finds the outcome without repeating the request.", "type": "string"},
        "downstream_keys": _list(_TEXT),
    }
    return _object(members, ["safety"], "On an operation: whether a repeat of it is safe, and how it becomes so.")


def _profile() -> Schema:
    section: Schema = {"type": "object"}
    either: Schema = {"anyOf": [section, {"type": "string"}]}
    members: Schema = {
        "key": {"description": "How the key travels and what is accepted.", **section},
        "scope": {
            "description": "What a key is unique within.",
            "anyOf": [_TEXT, _list({"anyOf": [_TEXT, section]})],
        },
        "fingerprint": {"description": "What makes a second request the same request.", **either},
        "windows": {"description": "For how long.", **section},
        "replay": {"description": "What a repeat gets.", **section},
        "stored_failures": {"description": "What a repeat gets after a failure.", **either},
        "answers": _map({"$ref": "#/$defs/Answer"}),
        "errors": {"description": "The form of error answers.", **section},
    }
    return _object(members, [], "The settings that some operations share, as in the contract language.")


def _answer() -> Schema:
    status: Schema = {"type": "integer", "minimum": 100, "maximum": 599}
    members: Schema = {
        "answer": _words(Verb),
        "status": {"anyOf": [status, _list(status)]},
        "code": {"description": "The machine code.", "type": "string"},
        "code_at": {"description": "Where the code is in the body, as a JSON Pointer.", "type": "string"},
        "retry_after": {"description": "How long to wait, or `varies`.", "type": "string"},
        "at_most": {"description": "How long the server waits before it rejects, as 5s.", "type": "string"},
        "grpc": {"description": "The gRPC status code, by name.", "type": "string"},
        "status_url": _TEXT,
        "resource_at": _TEXT,
        "client": _words(ClientAction),
    }
    return _object(members, [], "One answer of the contract.")


TARGET = OfLanguage("extension-schema", "the JSON Schema of x-idempotency in OpenAPI files", render)
