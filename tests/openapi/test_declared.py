"""A key that the file declares already, and responses that are there: nothing twice, differences told in place."""

from __future__ import annotations

import pytest

from idempact.openapi.inject import inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'
SAME = "in: header, required: true, schema: {type: string, maxLength: 255}, description: d"


def _run(text, plan):
    found = inject(Document("api.yaml", HEAD + text), plan)
    assert found.value is not None, found.diagnostics
    return found.value.after, found.diagnostics


def _found(diagnostics, rule):
    return [d for d in diagnostics if d.rule == rule]


@pytest.mark.parametrize(
    "declared",
    [
        f"  /a:\n    post:\n      parameters: [{{name: Idempotency-Key, {SAME}}}]\n",
        f"  /a:\n    post:\n      parameters: [{{name: IDEMPOTENCY-key, {SAME}}}]\n",
        f"  /a:\n    parameters: [{{name: idempotency-key, {SAME}}}]\n    post: {{}}\n",
        "  /a:\n    post:\n      parameters: [{$ref: '#/components/parameters/K'}]\n"
        f"components:\n  parameters:\n    K: {{name: Idempotency-Key, {SAME}}}\n",
        "  /a:\n    parameters: [{$ref: '#/components/parameters/J'}]\n    post: {}\n"
        "components:\n  parameters:\n    J: {$ref: '#/components/parameters/K'}\n"
        f"    K: {{name: Idempotency-Key, {SAME}}}\n",
        f"  /a:\n    parameters: &p [{{name: Idempotency-Key, {SAME}}}]\n    post: {{}}\n  /b:\n    parameters: *p\n",
    ],
)
def test_a_declared_key_is_not_declared_again(declared, planner):
    after, diagnostics = _run(declared, planner())
    assert after.lower().count("idempotency-key") == 1
    assert "IdempotencyKey" not in after
    assert _found(diagnostics, "openapi/different-declaration") == []


DIFFERENT = [
    (
        "{name: Idempotency-Key, in: header, required: true, description: d, schema: {maxLength: 64}}",
        "maxLength is 64, and 255",
        "64",
    ),
    (
        "{name: Idempotency-Key, in: header, description: d, required: false}",
        "declared optional, and required",
        "false",
    ),
    ("{name: Idempotency-Key, in: header, description: d}", "declared optional, and required", "Idempotency-Key"),
    (
        "{name: X-Idempotency-Key, in: header, required: true, description: d}",
        "declared as X-Idempotency-Key",
        "X-Idempotency-Key",
    ),
    (
        "{name: Idempotence-Key, in: header, required: true, description: d}",
        "declared as Idempotence-Key",
        "Idempotence-Key",
    ),
    ("{name: idempotency_key, in: query, required: true, description: d}", "declared in: query", "query"),
]


@pytest.mark.parametrize(("declared", "message", "place"), DIFFERENT)
def test_differences_are_told_where_they_are(declared, message, place, planner):
    text = f"  /a:\n    post:\n      parameters:\n        - {declared}\n"
    after, diagnostics = _run(text, planner())
    assert "IdempotencyKey" not in after
    (finding,) = _found(diagnostics, "openapi/different-declaration")
    assert message in finding.message
    assert finding.severity is Severity.WARNING
    assert finding.subject == "POST /a"
    line = (HEAD + text).splitlines()[finding.span.line - 1]
    assert line[finding.span.column - 1 : finding.span.end_column - 1] == place


def test_a_shared_declaration_is_told_once(planner):
    use = "    post: {parameters: [{$ref: '#/components/parameters/K'}]}\n"
    text = f"  /a:\n{use}  /b:\n{use}components: {{parameters: {{K: {{name: Idempotency-Key, in: header}}}}}}\n"
    told = _found(_run(text, planner())[1], "openapi/different-declaration")
    assert len({d.message for d in told}) == len(told) == 2
    assert {d.subject for d in told} == {"POST /a"}


def test_a_second_carrier_is_no_contradiction(planner):
    other = "{name: idempotency_key, in: query}"
    text = f"  /a:\n    post:\n      parameters: [{other}, {{name: idempotency-key, {SAME}}}]\n"
    after, diagnostics = _run(text, planner())
    assert "IdempotencyKey" not in after
    assert diagnostics == ()


@pytest.mark.parametrize("ref", ["shared.yaml#/Key", "https://orders.example/shared.yaml#/Key", "#/components/nothing"])
def test_a_parameter_that_stands_elsewhere_may_be_the_key(ref, planner):
    text = f"  /a:\n    parameters:\n      - $ref: '{ref}'\n    post: {{}}\n"
    after, diagnostics = _run(text, planner())
    assert "IdempotencyKey" not in after
    (finding,) = _found(diagnostics, "openapi/unresolved-parameter")
    assert (finding.severity, finding.span.line, finding.span.column) == (Severity.WARNING, 6, 15)


def test_a_component_that_declares_the_key_is_referred_to(planner):
    text = f"  /a:\n    post: {{}}\ncomponents:\n  parameters:\n    Theirs: {{name: idempotency-key, {SAME}}}\n"
    after, _ = _run(text, planner())
    assert "{$ref: '#/components/parameters/Theirs'}" in after
    assert "IdempotencyKey" not in after


@pytest.mark.parametrize("other", [("true", "false"), ("255", "64")])
def test_a_component_that_contradicts_the_contract_is_not_referred_to(other, planner):
    theirs = f"Theirs: {{name: idempotency-key, {SAME}}}".replace(*other)
    after, _ = _run(f"  /a:\n    post: {{}}\ncomponents:\n  parameters:\n    {theirs}\n", planner())
    assert "#/components/parameters/Theirs" not in after
    assert "#/components/parameters/IdempotencyKey" in after


def test_a_component_under_another_name_is_not_the_key(planner):
    text = f"  /a:\n    post: {{}}\ncomponents:\n  parameters:\n    Theirs: {{name: X-Idempotency-Key, {SAME}}}\n"
    assert "#/components/parameters/IdempotencyKey" in _run(text, planner())[0]


def test_a_shared_response_is_not_edited_behind_its_users(planner):
    text = (
        "  /a:\n    post:\n      responses:\n        409: {$ref: '#/components/responses/R'}\n"
        "        200: {$ref: '#/components/responses/R'}\ncomponents:\n  responses:\n    R: {description: r}\n"
    )
    after, diagnostics = _run(text, planner())
    shared = _found(diagnostics, "openapi/shared-response")
    assert [(d.severity, d.span.line) for d in shared] == [(Severity.WARNING, 7), (Severity.WARNING, 8)]
    assert "        409: {$ref: '#/components/responses/R'}\n        200: {$ref: '#/components/responses/R'}\n" in after
    assert "    R: {description: r}\n" in after
    assert "\n        400:\n" in after


def test_an_inline_response_without_a_body_gets_what_can_be_added(planner):
    text = "  /a:\n    post:\n      responses:\n        '409':\n          description: closed\n"
    after, diagnostics = _run(text, planner())
    (finding,) = _found(diagnostics, "openapi/existing-response")
    assert (finding.severity, finding.span.line, finding.span.column) == (Severity.NOTE, 7, 9)
    assert "key_reused_409" in finding.message
    block = after[after.index("'409'") : after.index("'400'")]
    assert "Retry-After:" in block
    assert "Idempotent-Replayed:" in block, "a 409 of the operation's own is replayed by this plan"
    assert "description: closed\n" in block
    assert "                  code: key_reused_409" in block
    assert "enum" not in block, "other errors of that status may have other codes"


COMPATIBLE = """\
  /a:
    post:
      responses:
        '409':
          description: closed
          content:
            application/problem+json:
              schema: {type: object, properties: {code: {type: string, enum: [closed]}}}
              examples: {mine: {value: {code: closed}}}
"""


def test_a_compatible_body_gets_codes_and_examples(planner):
    after, diagnostics = _run(COMPATIBLE, planner())
    assert "enum: [closed, key_reused_409]" in after
    assert "examples: {mine: {value: {code: closed}}, one: {value: {code: key_reused_409}}}" in after
    assert [d.severity for d in _found(diagnostics, "openapi/existing-response")] == [Severity.NOTE]


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("application/problem+json", "application/json"),  # another media type
        ("application/problem+json", "text/plain"),
    ],
)
def test_a_body_of_another_form_is_left_and_told(was, becomes, planner):
    text = COMPATIBLE.replace(was, becomes)
    after, diagnostics = _run(text, planner())
    (finding,) = _found(diagnostics, "openapi/existing-response")
    assert finding.severity is Severity.WARNING
    assert COMPATIBLE.replace(was, becomes).splitlines()[7] in after
    block = after[after.index("'409'") : after.index("'400'")]
    assert "x-idempotency:\n            codes:\n              - key_reused_409\n" in block


def test_one_example_and_a_shared_schema_leave_no_room(planner):
    text = COMPATIBLE.replace(
        "schema: {type: object, properties: {code: {type: string, enum: [closed]}}}",
        "schema: {$ref: '#/components/schemas/E'}",
    )
    text = text.replace("examples: {mine: {value: {code: closed}}}", "example: {code: closed}")
    text += "components: {schemas: {E: {type: object}}}\n"
    after, diagnostics = _run(text, planner())
    assert [d.severity for d in _found(diagnostics, "openapi/existing-response")] == [Severity.WARNING]
    assert "example: {code: closed}\n" in after
    assert "schemas: {E: {type: object}}" in after


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{application/json: {}}", "its body is application/json, and by the contract it is application/problem+json;"),
        ("{a/b: {}, c/d: {}}", "its body is a/b or c/d, and by the contract it is application/problem+json;"),
        ("{}", "its body is empty, and by the contract it is application/problem+json;"),
        ("{$ref: '#/components/x-bodies/b'}", "its body is defined elsewhere;"),
        ("*other", "its body is defined elsewhere;"),
        ("{application/problem+json: {example: {code: a}}}", "its body has no list of codes"),
    ],
)
def test_why_a_code_can_not_be_told_is_said(content, reason, planner):
    text = (
        f"  /a:\n    post:\n      responses:\n        '409':\n          description: d\n          content: {content}\n"
    )
    text = "  x-o: &other {$ref: '#/components/x-bodies/b'}\n" + text
    (finding,) = _found(_run(text, planner())[1], "openapi/existing-response")
    assert finding.severity is Severity.WARNING
    assert finding.hint.startswith(reason)


def test_a_header_that_is_there_in_any_case_is_not_added(planner):
    text = "  /a:\n    post:\n      responses:\n        '200': {description: ok, headers: {idempotent-REPLAYED: {}}}\n"
    after, _ = _run(text, planner())
    assert after.lower().count("idempotent-replayed") == 1


def test_a_range_that_is_narrowed_is_noted(planner):
    text = "  /a:\n    post:\n      responses:\n        4XX: {description: no}\n"
    notes = _found(_run(text, planner())[1], "openapi/narrowed-range")
    assert [(d.severity, d.span.line) for d in notes] == [(Severity.NOTE, 7), (Severity.NOTE, 7)]


def test_what_the_contract_and_the_file_do_not_share(planner):
    text = "  /orders:\n    post: {}\n  /more:\n    delete: {}\n    get: {}\n"
    _, diagnostics = _run(text, planner(("/orders", "/absent")))
    (missing,) = _found(diagnostics, "openapi/unknown-operation")
    (unlisted,) = _found(diagnostics, "openapi/unlisted-operation")
    assert missing.subject == ""
    assert missing.hint
    assert unlisted.subject == "DELETE /more"
    assert (unlisted.span.line, unlisted.span.column) == (7, 5)


NEAR = """\
  /v2/payments:
    get: {operationId: listPayments, tags: [payments]}
    post: {operationId: createPayment, tags: [payments]}
  /v2/refunds/{refundId}:
    get: {}
    patch: {operationId: changeRefund}
    delete: {}
"""


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("POST /payments", "POST /v2/payments"),
        ("PUT /payments", "POST /v2/payments"),
        ("PATCH /refunds/{id}", "PATCH /v2/refunds/{refundId}"),
        ("DELETE /refunds/{id}", "DELETE /v2/refunds/{refundId}"),
        ("DELETE /v2/refund/{id}", "DELETE /v2/refunds/{refundId}"),
        ("operation createPayments", "operation createPayment"),
        ("tag payment", "tag payments"),
        ("POST /elsewhere/entirely", None),
        ("operation zzz", None),
    ],
)
def test_a_key_that_names_nothing_gets_the_operation_that_it_may_mean(key, meant, contracted):
    """Never one that only reads, and one of the same method first."""
    safety = "{safety: natural, because: replaces the whole}"
    text = WINDOWED.replace("POST /a: keyed", f'"{key}": {"keyed" if "POST" in key or " /" not in key else safety}')
    _, diagnostics = _run(NEAR, contracted(text + "unlisted_operations: warning\n"))
    (missing,) = _found(diagnostics, "openapi/unknown-operation")
    assert (f"did you mean `{meant}`?" == missing.hint) if meant else "compare the path" in missing.hint


def test_nothing_is_inserted_where_nothing_matches(planner):
    text = "  /more:\n    post: {}\n"
    assert _run(text, planner(()))[0] == HEAD + text


def test_additional_operations_are_operations_and_query_is_none(planner):
    text = "  /a:\n    query: {}\n    additionalOperations:\n      COPY: {}\n"
    after, _ = _run(text, planner())
    assert "    query: {}\n" in after
    assert "COPY: {parameters: [{$ref: '#/components/parameters/IdempotencyKey'}]" in after
    assert "/paths/~1a/additionalOperations/COPY/x-idempotency" in after


WINDOWED = """\
idempact: 1
api: {name: Orders, base_url: https://api.orders.example, contact: https://orders.example/help}
key: {name: Idempotency-Key, required: true, length: {max: 255}}
scope: [account]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: job, lasts: 6h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {status: 422, code: reused}
  in_flight: {status: 409, code: running, retry_after: 1s}
operations: {POST /a: keyed}
"""


def _described(description):
    head = "  /a:\n    post:\n      parameters:\n        - {name: Idempotency-Key, "
    return (
        head + f"description: {description}, in: header, required: true, schema: {{type: string, maxLength: 255}}}}\n"
    )


@pytest.mark.parametrize(
    "description",
    [
        "Keys are kept for 24 hours.",
        "Valid for one day. Wait 5 seconds between attempts.",
        "'A key expires after 1,440 minutes'",
        "\u5bc6\u94a5\u7684\u6709\u6548\u671f\u4e3a 24 \u5c0f\u65f6\u3002",
    ],
)
def test_a_description_that_tells_the_window_is_the_authors_own(description, contracted):
    after, diagnostics = _run(_described(description), contracted(WINDOWED))
    assert _found(diagnostics, "openapi/different-declaration") == []
    assert description in after


@pytest.mark.parametrize(
    ("description", "message", "adopted"),
    [
        (
            "'It''s kept for 12 hours, at most.'",
            'its description says "12 hours", and the window is 24 hours by the contract',
            "'It''s kept for 24 hours, at most.'",
        ),
        (
            '"Your key. Wait 5 seconds between attempts."',
            "its description doesn't tell the contract's window, 24 hours",
            '"Your key. Wait 5 seconds between attempts. A repeat is recognised for 24 hours."',
        ),
        (
            "Your key",
            "its description doesn't tell the contract's window, 24 hours",
            "Your key. A repeat is recognised for 24 hours.",
        ),
    ],
)
def test_a_description_that_differs_is_told_and_adopted(description, message, adopted, contracted, back_and_forth):
    text, plan = _described(description), contracted(WINDOWED)
    after, diagnostics = _run(text, plan)
    (finding,) = _found(diagnostics, "openapi/different-declaration")
    assert finding.message == message
    line = (HEAD + text).splitlines()[finding.span.line - 1]
    assert line[finding.span.column - 1 : finding.span.end_column - 1] == description
    assert description in after
    _, after, diagnostics = back_and_forth(HEAD + text, plan, wishes=Wishes(adopt=True))
    assert f"description: {adopted}," in after
    assert diagnostics == ()


@pytest.mark.parametrize("head", ["|", ">-"])
def test_a_description_over_several_lines_is_told_and_left(head, contracted, back_and_forth):
    parameter = "    name: Idempotency-Key\n          in: header\n          required: true\n"
    block = f"          description: {head}\n            Kept for 12 hours.\n            # no comment\n"
    text = f"  /a:\n    post:\n      parameters:\n        -\n      {parameter}{block}"
    text += "          schema: {type: string, maxLength: 255}\n"
    _, after, diagnostics = back_and_forth(HEAD + text, contracted(WINDOWED), wishes=Wishes(adopt=True))
    (finding,) = _found(diagnostics, "openapi/different-declaration")
    assert '"12 hours"' in finding.message
    assert "--adopt" not in finding.hint
    assert block in after
