"""The audit: each contradiction where it is, none where there is none, and none left that an injection can mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from idempact.openapi.audit import audit
from idempact.openapi.inject import inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'
MENDED = ("missing-declaration", "missing-answer", "missing-code", "missing-wait", "missing-indicator")


def _audit(text, plan):
    found = audit(Document("api.yaml", HEAD + text), plan)
    assert found.value is not None, found.diagnostics
    return found.value, [
        (d.rule.removeprefix("openapi/"), d.span and d.span.line, d.message) for d in found.diagnostics
    ]


BARE = "  /a:\n    post:\n      responses:\n        '200': {description: ok}\n"


def test_everything_that_an_operation_lacks(planner):
    found, told = _audit(BARE, planner())
    assert [(rule, line) for rule, line, _ in told] == [
        ("missing-answer", 5),
        ("missing-answer", 5),
        ("missing-declaration", 5),
        ("missing-indicator", 7),
    ]
    (row,) = found.rows
    assert (row.label, row.safety, row.declared, row.told, row.answers) == ("POST /a", "keyed", False, 0, 2)
    assert (row.path, row.line) == ("api.yaml", 5)


def test_after_an_injection_nothing_is_lacking(planner):
    after = inject(Document("api.yaml", HEAD + BARE), planner()).value.after
    found = audit(Document("api.yaml", after), planner())
    assert found.diagnostics == ()
    assert (found.value.rows[0].declared, found.value.rows[0].told) == (True, 2)


@pytest.mark.parametrize(
    ("responses", "rule", "line"),
    [
        ("        '409': {description: closed}\n", "missing-code", 8),
        ("        '409': {description: closed}\n", "missing-wait", 8),
        ("        '409': {$ref: '#/components/responses/R'}\n", "missing-code", 8),
        ("        '409': {description: key_reused_4090}\n", "missing-code", 8),
    ],
)
def test_a_response_without_the_code_or_the_wait(responses, rule, line, planner):
    text = BARE + responses + "components: {responses: {R: {description: r}}}\n"
    assert (rule, line) in [(r, at) for r, at, _ in _audit(text, planner())[1]]


@pytest.mark.parametrize(
    "response",
    [
        "{description: key_reused_409}",
        "{description: no, content: {application/json: {schema: {enum: [key_reused_409]}}}}",
        "{$ref: '#/components/responses/R'}",
    ],
)
def test_a_code_may_be_told_anywhere_that_the_response_leads_to(response, planner):
    shared = (
        "components:\n  responses:\n    R: {description: r, content: {application/json: {schema:"
        " {$ref: '#/components/schemas/E'}}}}\n"
        "  schemas:\n    E: {allOf: [{$ref: '#/components/schemas/F'}, {$ref: '#/components/schemas/E'}]}\n"
        "    F: {properties: {code: {enum: [key_reused_409]}}}\n"
    )
    told = _audit(BARE + f"        '409': {response}\n" + shared, planner())[1]
    assert "missing-code" not in [rule for rule, _, _ in told]


@pytest.mark.parametrize("method", ["get", "put", "query"])
def test_a_key_that_does_nothing(method, planner):
    text = f"  /a:\n    {method}:\n      parameters: [{{name: idempotency-KEY, in: header}}]\n"
    assert ("needless-key", 6) in [(rule, line) for rule, line, _ in _audit(text, planner())[1]]


SHARED = """\
  /a:
    parameters:
      - $ref: '#/components/parameters/K'
    get: {}
    post: {}
  /b:
    get:
      parameters: [{$ref: '#/components/parameters/K'}]
    post:
      parameters: [{$ref: '#/components/parameters/K'}]
components:
  parameters:
    K: {name: Idempotency-Key, in: header, schema: {maxLength: 64}}
"""


def test_a_shared_declaration_differs_once_and_is_needless_where_it_is_used(planner):
    """What is wrong with a component stands at the component, once; what an operation does wrong stands there."""
    told = _audit(SHARED, planner())[1]
    differences = [(line, message) for rule, line, message in told if rule == "different-declaration"]
    assert len(differences) == len(set(differences)) == 3
    assert {line for line, _ in differences} == {16}
    assert [line for rule, line, _ in told if rule == "needless-key"] == [6, 11]


CONTRACT = (Path(__file__).parent / "contracts" / "every-write.yaml").read_text(encoding="utf-8")
NAMED = "key: {name: Idempotency-Key, "
BESIDE = "also: [{in: query, name: order_key}, {in: body, name: orderKey}], "
BESIDE += "first_sent: {in: header, name: Order-Sent, format: http-date}, "


def test_other_carriers_and_the_time_of_the_first_attempt_are_asked_for(contracted):
    plan = contracted(CONTRACT.replace(NAMED, NAMED + BESIDE))
    text = BARE + "      requestBody: {content: {application/json: {schema: {type: object}}}}\n"
    lacking = [message for rule, _, message in _audit(text, plan)[1] if rule == "missing-declaration"]
    assert len(lacking) == 4
    for name in ("Idempotency-Key", "order_key", "orderKey", "Order-Sent"):
        assert sum(name in message for message in lacking) == 1, name
    after = inject(Document("api.yaml", HEAD + text), plan).value.after
    found = audit(Document("api.yaml", after), plan)
    assert [d.message for d in found.diagnostics if d.rule.removeprefix("openapi/") in MENDED] == []


@pytest.mark.parametrize("carrier", ["directive", "metadata"])
def test_a_carrier_without_a_place_in_openapi_is_not_called_missing(carrier, contracted):
    plan = contracted(CONTRACT.replace(NAMED, f"key: {{in: {carrier}, name: idempotent.key, "))
    found, told = _audit(BARE, plan)
    assert [row.declared for row in found.rows] == [None]
    assert "missing-declaration" not in [rule for rule, _, _ in told]
    assert "missing-answer" in [rule for rule, _, _ in told], "all else is compared"


def test_unlisted_and_unknown_operations(planner):
    found, told = _audit("  /b:\n    delete: {}\n    get: {}\n", planner(("/absent",)))
    assert {rule for rule, _, _ in told} == {"unlisted-operation", "unknown-operation"}
    assert [(row.label, row.safety) for row in found.rows] == [("DELETE /b", "unlisted")]
    assert found.count("unlisted") == 1


def test_differences_of_a_declaration(planner):
    text = BARE + "      parameters: [{name: Idempotency-Key, in: header, schema: {maxLength: 64}}]\n"
    told = [message for rule, _, message in _audit(text, planner())[1] if rule == "different-declaration"]
    assert len(told) == 3


@pytest.mark.parametrize("name", ["resend.yaml", "plaid.yml", "adyen-checkout-v66.json", "mollie.yaml"])
def test_real_files_lack_what_an_injection_gives(name, shared, contracted):
    plan = contracted("every-write.yaml")
    text = (shared / "specs" / name).read_bytes().decode()
    before = audit(Document(name, text), plan)
    lacking = [d for d in before.diagnostics if d.rule.removeprefix("openapi/") in MENDED]
    assert len(lacking) > 20
    assert all(d.span is not None and d.hint and d.severity is Severity.WARNING for d in lacking)
    lines = text.splitlines()
    for row in before.value.rows[:50]:
        assert row.label.partition(" ")[0].lower() in lines[row.line - 1]
    injected = inject(Document(name, text), plan, wishes=Wishes(copy_shared=True)).value.after
    after = audit(Document(name, injected), plan)
    left = [d for d in after.diagnostics if d.rule.removeprefix("openapi/") in MENDED]
    assert [d.message for d in left if d.rule != "openapi/missing-code"] == []
    assert len(left) <= len(lacking) * 0.1
    assert [row.label for row in after.value.rows] == [row.label for row in before.value.rows]


def test_a_failure_that_is_replayed_tells_it_too(planner):
    """The plan replays 401 to 499, answers 409 itself, and 500 is no answer to a command."""
    text = (
        BARE
        + "        '404': {description: no}\n        '409': {description: closed}\n        '500': {description: o}\n"
    )
    told = [(rule, line) for rule, line, _ in _audit(text, planner())[1] if rule == "missing-indicator"]
    assert told == [("missing-indicator", 7), ("missing-indicator", 8)]
