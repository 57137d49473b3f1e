"""A large OpenAPI document, made the same way each time: 1,000 operations with the schemas and prose of a real one."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

_WORDS = """
order payment customer invoice ledger refund status currency amount created updated reference account balance
transfer settlement dispute evidence capture authorization merchant shipping address country region metadata the a
an of for when is are was will may must which that this with without after before between under
""".split()  # noqa: SIM905


def yaml_text(operations: int = 1000, megabytes: float = 10.0) -> str:
    """The document as block YAML, in the style of large published files: double-quoted statuses, lists not indented."""
    draw = random.Random(operations)
    lines = ["---", "openapi: 3.0.3", "info:", "  title: Large API", '  version: "1.0"', "paths:"]
    for number in range(operations // 2):
        lines += _item(draw, number)
    lines += ["components:", "  schemas:"]
    size = sum(map(len, lines))
    wanted, number = megabytes * 1_000_000, 0
    while size < wanted or number < 100:
        schema = list(_schema(draw, number))
        size += sum(map(len, schema)) + len(schema)
        lines += schema
        number += 1
    lines += ["  responses:", "    NotFound:", "      description: not found"]
    return "\n".join(lines) + "\n"


def _text(draw: random.Random, least: int, most: int) -> str:
    return " ".join(draw.choice(_WORDS) for _ in range(draw.randint(least, most)))


def _item(draw: random.Random, number: int) -> Iterator[str]:
    yield f"  /resources/{number}/{{id}}:"
    for method in ("get", "post"):
        yield f"    {method}:"
        yield f"      summary: {_text(draw, 4, 8)}"
        yield "      description: |-"
        for _ in range(draw.randint(3, 8)):
            yield f"        {_text(draw, 8, 14)}"
        yield f"      operationId: {method}Resource{number}"
        yield "      tags:\n      - resources"
        yield "      parameters:"
        for name in ("id", "expand", "trace"):
            yield f"      - name: {name}"
            yield f"        in: {'path' if name == 'id' else 'query'}"
            yield f"        required: {'true' if name == 'id' else 'false'}"
            yield f"        description: {_text(draw, 6, 16)}"
            yield "        schema:\n          type: string"
        if method == "post":
            yield "      requestBody:\n        required: true\n        content:\n          application/json:"
            yield "            schema:"
            yield from _properties(draw, 14, draw.randint(4, 9))
        yield "      responses:"
        yield '        "200":'
        yield f"          description: {_text(draw, 3, 6)}"
        yield "          content:\n            application/json:\n              schema:"
        yield f'                $ref: "#/components/schemas/Schema{draw.randint(0, 99)}"'
        yield "              examples:\n                one:\n                  value:"
        for _ in range(draw.randint(4, 12)):
            yield f"                    {draw.choice(_WORDS)}_{draw.randint(0, 9999)}: {_text(draw, 2, 6)}"
        yield '        "404":\n          $ref: "#/components/responses/NotFound"'


def _properties(draw: random.Random, column: int, count: int) -> Iterator[str]:
    pad = " " * column
    yield f"{pad}type: object\n{pad}properties:"
    for index in range(count):
        yield f"{pad}  {draw.choice(_WORDS)}_{index}:"
        yield f"{pad}    type: string"
        yield f"{pad}    description: {_text(draw, 6, 18)}"


def _schema(draw: random.Random, number: int) -> Iterator[str]:
    yield f"    Schema{number}:"
    yield "      title: " + _text(draw, 2, 4)
    yield from _properties(draw, 6, draw.randint(8, 30))


def json_text(megabytes: float = 13.0) -> str:
    """The same kind of document as JSON with two spaces."""
    from idempact.text.nodes import compose, plain
    from idempact.text.span import Document

    text = yaml_text(megabytes=megabytes * 0.72)
    tree = compose(Document("large.yaml", text)).value
    assert tree is not None
    return json.dumps(plain(tree.root), indent=2)


def contract(keyed: int = 500) -> str:
    """A contract that keys that many operations of the document by name, or all writing ones where it is 500."""
    operations = (
        '"POST /**": keyed'
        if keyed >= 500
        else ", ".join(f"operation postResource{number}: keyed" for number in range(keyed))
    )
    return f"""\
idempact: 1
api: {{name: Large, base_url: https://api.large.example, contact: https://large.example/help}}
key: {{name: Idempotency-Key, required: true}}
scope: [account, operation]
fingerprint: {{body: canonical}}
windows: {{replay: 24h, retry_chains: [{{name: job, lasts: 6h}}]}}
replay: {{fidelity: stored-response, indicator: {{in: header, name: Idempotent-Replayed, value: "true"}}}}
stored_failures: {{business_rejection: replay, server_error: re-execute}}
answers:
  expired_key: {{answer: execute}}
  mismatch: {{status: 422, code: key_reused}}
  in_flight: {{status: 409, code: still_running, retry_after: 1s}}
operations: {{{operations}}}
unlisted_operations: warning
"""
