"""Spectral and Redocly find no error in a result that they don't find in the input, of one file or of several.

A copy repeats the faults of what it is a copy of, and statuses without quotes are written like their neighbours, which
Spectral calls an error each time; anything else is new. ``EVERY_FILE=1`` lints the real files as well.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from idempact.cli import main
from idempact.openapi.inject import inject
from idempact.openapi.plan import Wishes
from idempact.text.nodes import compose, decode, plain
from idempact.text.span import Document

HERE = Path(__file__).parent
FULL = Wishes(copy_shared=True, adopt=True)
RUNS = [(contract, wishes) for contract in ("every-write", "hostile") for wishes in (Wishes(), FULL)]
BARE = "Mapping key must be a string scalar rather than number"

# What real files have wrong: a shared answer with an example that its schema refuses, one that requires what no answer
# of the contract has, a reference to nothing, a response without a description.
FAULTY = """\
openapi: 3.0.3
info: {title: Faulty, version: "1"}
servers: [{url: https://api.example}]
paths:
  /orders:
    post:
      responses:
        '201': {$ref: '#/components/responses/Made'}
        '404': {$ref: '#/components/responses/Lost'}
        '409': {$ref: '#/components/responses/Problem'}
        '422':
          description: refused
          content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}
  /uploads:
    post:
      responses:
        '200': {$ref: '#/components/responses/Bare'}
        4XX: {description: any}
components:
  responses:
    Made:
      description: made
      content: {application/json: {schema: {type: object, required: [id]}, example: {name: 1}}}
    Lost: {description: lost, content: {application/json: {schema: {$ref: '#/components/schemas/Absent'}}}}
    Problem: {description: no, content: {application/problem+json: {schema: {$ref: '#/components/schemas/Problem'}}}}
    Bare: {content: {application/json: {schema: {type: nothing}}}}
  schemas:
    Problem: {type: object, required: [type, trace], properties: {trace: {type: string}}}
"""


def _run(words, folder):
    variables = {**os.environ, "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
    return subprocess.run(words, cwd=folder, env=variables, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(request, tmp_path_factory, contracted) -> Path:
    """Every small file as it is and as each run makes it, and what each copy in it is a copy of."""
    made = tmp_path_factory.mktemp("linted")
    texts = {"faulty.yaml": FAULTY}
    for path in sorted(HERE.glob("*/before.*")):
        texts[path.parent.name + path.suffix] = decode(path.name, path.read_bytes()).value.text
    if os.environ.get("EVERY_FILE") == "1":
        for path in request.getfixturevalue("shared").glob("specs/*.*"):
            if path.suffix in (".yaml", ".yml", ".json"):
                texts[path.name] = decode(path.name, path.read_bytes()).value.text
    copies = {}
    for name, text in texts.items():
        (made / f"before-{name}").write_bytes(text.encode())
        for number, (contract, wishes) in enumerate(RUNS):
            found = inject(Document(name, text), contracted(f"{contract}.yaml"), wishes=wishes)
            assert found.value is not None, found.diagnostics
            (made / f"after{number}-{name}").write_bytes(found.value.after.encode())
            copies[f"after{number}-{name}"] = _copies(Document(name, found.value.after), found.value.record)
    (made / "copies.json").write_text(json.dumps(copies))
    (made / "rules.yaml").write_text('extends: ["spectral:oas"]\n')
    return made


def _copies(document, record):
    """Each copy's place with the place of its original."""
    root = plain(compose(document).value.root)
    pairs = {}
    for at, one in record["generated_by"].get("replaced", {}).items():
        if at.endswith("/$ref"):
            value = root
            for key in at.split("/")[1:]:
                key = key.replace("~1", "/").replace("~0", "~")
                value = value[int(key)] if isinstance(value, list) else value[key]
            pairs[value.lstrip("#")] = one["was"].strip("'\"").lstrip("#")
    return pairs


def _spectral(linters, folder, names):
    done = _run((linters / "spectral", "lint", "-r", "rules.yaml", "-f", "json", "--quiet", *names), folder)
    assert done.stdout.startswith("["), done.stdout[:300] + done.stderr
    for one in json.loads(done.stdout[: done.stdout.rindex("]") + 1]):
        if one["severity"] == 0:
            place = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in one["path"])
            rule = f"{one['code']}: {BARE}" if one["message"] == BARE else one["code"]
            yield Path(one["source"]).name, rule, place


def _redocly(linters, folder, names):
    done = _run((linters / "redocly", "lint", "--format", "json", "--max-problems", "100000", *names), folder)
    text, decoder = done.stdout, json.JSONDecoder()
    while (start := text.find('{\n  "totals"')) >= 0:
        found, end = decoder.raw_decode(text, start)
        text = text[end:]
        for one in found["problems"]:
            if one["severity"] == "error":
                where = one["location"][0]
                yield Path(where["source"]["ref"]).name, one["ruleId"], (where.get("pointer") or "").lstrip("#")


@pytest.mark.parametrize("tool", [_spectral, _redocly], ids=["spectral", "redocly"])
def test_no_new_errors(tool, linters, folder):
    copies = json.loads((folder / "copies.json").read_text())
    names = sorted(path.name for path in folder.glob("*-*"))
    found: dict[str, Counter[tuple[str, str]]] = {name: Counter() for name in names}
    for name, rule, place in tool(linters, folder, names):
        original = next((was for copy, was in copies.get(name, {}).items() if place.startswith(copy + "/")), None)
        copy = next((copy for copy in copies.get(name, {}) if place.startswith(copy + "/")), "")
        found[name][rule, place if original is None else original + place.removeprefix(copy)] += 1
    assert sum(found["before-faulty.yaml"].values()) >= 4, "it finds the faults that are there"
    for name, errors in found.items():
        _, _, rest = name.partition("-")
        before = found[f"before-{rest}"]
        new = [one for one in errors if one not in before]
        if any(BARE in rule for rule, _ in before):
            new = [(rule, place) for rule, place in new if BARE not in rule]
        assert new == [], name
    assert len(names) > 5 * 15


# An API over several files, with a fault of its own that both find: a reference to nothing.
PARTS = {
    "api.yaml": """\
openapi: 3.1.0
info: {title: Parts, version: "1"}
servers: [{url: https://api.example}]
paths:
  /orders: {$ref: paths/orders.yaml}
  /refunds/{id}: {$ref: 'more/all.json#/refunds'}
""",
    "paths/orders.yaml": """\
post:
  operationId: order
  parameters:
    - {$ref: 'common.yaml#/trace'}
  responses:
    '201': {description: made}
    '404': {$ref: 'common.yaml#/lost'}
    '409': {$ref: 'common.yaml#/conflict'}
""",
    "paths/common.yaml": """\
trace: {name: Trace, in: header, schema: {type: string}}
conflict: {description: no, content: {application/problem+json: {schema: {type: object}}}}
""",
    "more/all.json": json.dumps(
        {
            "refunds": {
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                "post": {"operationId": "refund", "responses": {"200": {"description": "done"}}},
                "delete": {"operationId": "forget", "responses": {"204": {"description": "gone"}}},
            }
        },
        indent=2,
    ),
}


@pytest.mark.parametrize("wishes", [[], ["--copy-shared", "--adopt"]], ids=["as it is", "copies"])
@pytest.mark.parametrize("contract", ["every-write", "hostile"])
@pytest.mark.parametrize("tool", [_spectral, _redocly], ids=["spectral", "redocly"])
def test_no_new_errors_in_several_files(tool, contract, wishes, linters, tmp_path):
    for name, text in PARTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]\n')
    before = {(name, rule) for name, rule, _ in tool(linters, tmp_path, ["api.yaml"])}
    assert before, "it finds the fault that is there"
    words = ["inject", str(tmp_path / "api.yaml"), "--contract", str(HERE / "contracts" / f"{contract}.yaml"), *wishes]
    assert main(words) == 0
    changed = {name for name, text in PARTS.items() if (tmp_path / name).read_text() != text}
    assert changed == {"api.yaml", "paths/orders.yaml", "more/all.json"}
    assert {(name, rule) for name, rule, _ in tool(linters, tmp_path, ["api.yaml"])} <= before
    # They do read what was put into the other files.
    part = tmp_path / "paths" / "orders.yaml"
    part.write_text(part.read_text().replace("#/components/parameters/IdempotencyKey", "#/components/parameters/Gone"))
    after = list(tool(linters, tmp_path, ["api.yaml"]))
    assert len(after) > len(before)


# Bodies that a key's member can't go into as it should: no object, and examples that have no key.
BODIES = """\
openapi: 3.1.0
info: {title: Bodies, version: "1"}
servers: [{url: https://api.example}]
paths:
  /lists:
    post:
      requestBody: {content: {application/json: {schema: {type: array, items: {type: object}}}}}
      responses: {'200': {description: ok}}
  /shown:
    post:
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [x], properties: {x: {type: string}}}
            examples: {one: {value: {x: a}}, two: {$ref: '#/components/examples/Two'}}
          application/x-www-form-urlencoded:
            schema: {type: object, properties: {x: {type: string}}, example: {x: a}, default: {x: b}}
      responses: {'200': {description: ok}}
  /shared:
    post:
      requestBody: {$ref: '#/components/requestBodies/Shared'}
      responses: {'200': {description: ok}}
    put:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Shown'}, example: {x: c}}}}
      responses: {'200': {description: ok}}
components:
  examples: {Two: {value: {x: a}}}
  requestBodies: {Shared: {content: {application/json: {schema: {$ref: '#/components/schemas/Shown'}}}}}
  schemas: {Shown: {type: object, properties: {x: {type: string}}, example: {x: a}}}
"""


@pytest.mark.parametrize("wishes", [Wishes(), FULL], ids=["as it is", "copies"])
@pytest.mark.parametrize("name", ["request_id", "/meta/request_id"])
@pytest.mark.parametrize("tool", [_spectral, _redocly], ids=["spectral", "redocly"])
def test_a_key_in_the_body_makes_no_new_errors(tool, name, wishes, linters, contracted, tmp_path):
    text = (HERE / "contracts" / "every-write.yaml").read_text()
    contract = text.replace("name: Idempotency-Key", f"in: body, name: {name}", 1)
    assert contract != text
    made = inject(Document("after.yaml", BODIES), contracted(contract), wishes=wishes)
    members = made.value.after.count("request_id:")
    assert members >= (3 if wishes == FULL else 2), "some get the member all the same"
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]\n')
    (tmp_path / "before.yaml").write_text(BODIES)
    (tmp_path / "after.yaml").write_text(made.value.after)
    # Were the member required, it would find the examples.
    broken = BODIES.replace("required: [x]", "required: [x, request_id]")
    (tmp_path / "broken.yaml").write_text(broken)
    found = {"before.yaml": set(), "after.yaml": set(), "broken.yaml": set()}
    for file, rule, place in tool(linters, tmp_path, sorted(found)):
        found[file].add((rule, place))
    assert found["after.yaml"] <= found["before.yaml"]
    if tool is _spectral:
        assert found["broken.yaml"] - found["before.yaml"]
