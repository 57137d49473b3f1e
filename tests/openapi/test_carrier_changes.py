"""A contract that carries the key elsewhere than before, while others refer to our component of it."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from idempact.openapi.inject import eject, inject
from idempact.openapi.pointers import find
from idempact.text.nodes import Mapping, Scalar, compose, plain, walk
from idempact.text.span import Document

CONTRACT = (Path(__file__).parent / "contracts" / "orders.yaml").read_text(encoding="utf-8")
KEYS = {
    "header": "{name: Idempotency-Key, required: true, length: {min: 16, max: 64}}",
    "another header": "{name: X-Request-Key, required: true, length: {min: 16, max: 64}}",
    "query": "{in: query, name: idempotency_key, required: true, length: {min: 16, max: 64}}",
    "body": "{in: body, name: idempotency_key, required: true, length: {min: 16, max: 64}}",
}
BODY = "requestBody: {content: {application/json: {schema: {type: object}}}}"
API = f"""\
openapi: 3.1.0
info: {{title: t, version: "1"}}
paths:
  /a:
    post:
      {BODY}
      responses: {{'200': {{description: ok}}}}
"""
OTHERS = {
    "a reading operation": "  /get:\n    get: {parameters: [{$ref: 'REF'}], responses: {'200': {description: ok}}}\n",
    "a path": "  /get:\n    parameters: [{$ref: 'REF'}]\n    get: {responses: {'200': {description: ok}}}\n",
    "an operation with a key": f"""\
  /b:
    post:
      parameters: [{{$ref: 'REF'}}]
      {BODY}
      responses: {{'200': {{description: ok}}}}
""",
}


def _lost(text):
    """The references that lead to nothing, and the parameters in a place where OpenAPI has none."""
    root = compose(Document("api.yaml", text)).value.root
    for node in walk(root):
        ref = node.get("$ref") if isinstance(node, Mapping) else None
        if isinstance(ref, Scalar) and find(root, tuple(ref.value.split("/")[1:])) is None:
            yield ref.value
    for name, parameter in plain(root).get("components", {}).get("parameters", {}).items():
        if parameter["in"] not in ("query", "header", "path", "cookie"):
            yield f"{name} in {parameter['in']}"


@pytest.mark.parametrize("other", OTHERS)
@pytest.mark.parametrize(("old", "new"), [pair for pair in permutations(KEYS, 2) if pair[0] != "body"])
def test_whoever_refers_to_our_key_is_left_with_a_parameter(old, new, other, contracted, complaints):
    plans = [contracted(CONTRACT.replace(KEYS["header"], KEYS[name])) for name in (old, new)]
    first = inject(Document("api.yaml", API), plans[0]).value.after
    (name,) = plain(compose(Document("api.yaml", first)).value.root)["components"]["parameters"]
    theirs = first.replace("paths:\n", "paths:\n" + OTHERS[other].replace("REF", f"#/components/parameters/{name}"))
    found = inject(Document("api.yaml", theirs), plans[1])
    assert found.value is not None, found.diagnostics
    after = found.value.after
    assert list(_lost(after)) == []
    assert complaints("api.yaml", after) <= complaints("api.yaml", theirs)
    again = inject(Document("api.yaml", after), plans[1])
    assert again.value is not None
    assert again.value.after == after
    assert list(_lost(eject(Document("api.yaml", after)).value.after)) == []
    back = inject(Document("api.yaml", after), plans[0])
    assert list(_lost(back.value.after)) == []
