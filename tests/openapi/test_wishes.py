"""What is done only where it is wished: copies, declarations brought into line, other tools' words; bodies."""

from __future__ import annotations

import json

import pytest

from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'
COPY, ADOPT = Wishes(copy_shared=True), Wishes(adopt=True)

SHARED = (
    HEAD
    + """\
  /a:
    post:
      responses:
        200: {$ref: '#/components/responses/Done'}
        "409":
          $ref: "#/components/responses/Closed"   # ours since 2019
  /b:
    get:
      responses:
        '200': {$ref: '#/components/responses/Done'}
        '409': {$ref: '#/components/responses/Closed'}
components:
  responses:
    Done: {description: done, headers: {X-Trace: {schema: {type: string}}}}
    Closed:
      description: closed
      content:
        application/problem+json:
          schema: {type: object, properties: {code: {type: string, enum: [closed]}}}
"""
)


def test_a_shared_response_is_copied_for_this_contract(planner, back_and_forth):
    api, after, diagnostics = back_and_forth(SHARED, planner(), wishes=COPY)
    assert diagnostics == ()
    responses = api["paths"]["/a"]["post"]["responses"]
    closed = api["components"]["responses"][responses["409"]["$ref"].rpartition("/")[2]]
    media = closed["content"]["application/problem+json"]
    assert media["schema"]["properties"]["code"]["enum"] == ["closed", "key_reused_409"]
    assert media["examples"]["one"]["value"] == {"code": "key_reused_409"}
    assert closed["headers"]["Retry-After"] == {"$ref": "#/components/headers/IdempotencyRetryAfter"}
    done = api["components"]["responses"][responses["200"]["$ref"].rpartition("/")[2]]
    assert set(done["headers"]) == {"X-Trace", "Idempotent-Replayed"}
    # The other users, and every other character of the file, are as they were.
    assert SHARED[SHARED.index("  /b:") : SHARED.index("components:")] in after
    assert SHARED[SHARED.index("    Done:") :] in after
    assert '"   # ours since 2019\n' in after


def test_a_copy_has_the_description_that_its_model_lacks(planner, back_and_forth, complaints):
    text = REPLAYED.replace("Bad: {description: bad}", "Bad: {}")
    api, after, _ = back_and_forth(text, planner(), wishes=COPY)
    shared = api["components"]["responses"]
    assert shared[_responses(api)["404"]["$ref"].rpartition("/")[2]]["description"] == "Not Found"
    assert shared["Bad"] == {}
    assert complaints("api.yaml", after) <= complaints("api.yaml", text)


def test_without_the_wish_it_is_told_and_left(planner):
    found = inject(Document("api.yaml", SHARED), planner())
    told = [d for d in found.diagnostics if d.rule == "openapi/shared-response"]
    assert [(d.severity, d.span.line) for d in told] == [(Severity.WARNING, 7), (Severity.WARNING, 9)]
    assert all("--copy-shared" in d.hint for d in told)


def test_a_shared_response_is_told_once_for_all_operations_that_refer_to_it(planner):
    many = "".join(
        f"  /{path}:\n    post:\n      responses:\n        '409': {{$ref: '#/components/responses/Closed'}}\n"
        for path in range(30)
    )
    found = inject(Document("api.yaml", SHARED.replace("  /b:\n", many + "  /b:\n")), planner())
    told = [d for d in found.diagnostics if d.rule == "openapi/shared-response"]
    assert [d.span.line for d in told] == [7, 9], "the first operation that refers to each"
    assert told[0].message.startswith("the response 200 is defined elsewhere")
    assert told[1].message.startswith("the response 409 of 31 operations is defined elsewhere")
    assert "these operations responses of their own" in told[1].hint


REPLAYED = (
    HEAD
    + """\
  /a:
    post:
      responses:
        '404': {$ref: '#/components/responses/Bad'}
        '409': {$ref: '#/components/responses/Bad'}
        '500': {$ref: '#/components/responses/Bad'}
components:
  responses:
    Bad: {description: bad}
"""
)


def test_a_shared_failure_that_is_replayed_is_told_or_copied_with_its_header(planner, back_and_forth):
    """The plan replays every failure from 401 to 499, and gives 409 codes and a wait of its own."""
    found = inject(Document("api.yaml", REPLAYED), planner())
    told = {d.span.line: d.message for d in found.diagnostics if d.rule == "openapi/shared-response"}
    assert set(told) == {7, 8}
    assert told[7].endswith("so the header Idempotent-Replayed is not added to it")
    assert told[8].endswith(
        "key_reused_409 and the header Retry-After and the header Idempotent-Replayed are not added to it"
    )
    api, _, diagnostics = back_and_forth(REPLAYED, planner(), wishes=COPY)
    assert diagnostics == ()
    shared = api["components"]["responses"]
    copies = {
        status: shared[one["$ref"].rpartition("/")[2]] for status, one in _responses(api).items() if status != "400"
    }
    assert set(copies["404"]["headers"]) == {"Idempotent-Replayed"}
    # Both in one copy: the codes with the wait, and the header that tells a replay.
    assert set(copies["409"]["headers"]) == {"Retry-After", "Idempotent-Replayed"}
    assert "key_reused_409" in str(copies["409"]["content"])
    assert copies["500"] is shared["Bad"]


def test_a_success_that_is_an_answer_too_is_copied_once_with_all(contracted, back_and_forth):
    """An accepted request answers 202; where that is a shared response, neither addition may undo the other."""
    contract = VENDORS.replace(
        "{status: 409, code: running, retry_after: 1s}", '{answer: accept, status_url: "/jobs/{id}"}'
    )
    contract = contract.replace(
        "{fidelity: stored-response}", "{fidelity: stored-response, indicator: {in: header, name: R, value: a}}"
    )
    text = WRITES.replace("post: {}", "post: {responses: {202: {$ref: '#/components/responses/Later'}}}")
    text += "components: {responses: {Later: {description: later}}}\n"
    api, after, _ = back_and_forth(text, contracted(contract), wishes=COPY)
    copy = api["components"]["responses"][_responses(api)["202"]["$ref"].rpartition("/")[2]]
    assert set(copy["headers"]) == {"R"}
    assert after.count("was:") == 1


def _responses(api):
    return {status: one for status, one in api["paths"]["/a"]["post"]["responses"].items() if status[0] in "245"}


def test_a_copy_is_shared_by_the_operations_that_need_it(planner, back_and_forth):
    text = SHARED.replace("  /b:\n    get:", "  /b:\n    post:").replace("        '200': {$ref", "        '200': {$ref")
    api, _, _ = back_and_forth(text, planner(), wishes=COPY)
    refs = {api["paths"][path]["post"]["responses"]["409"]["$ref"] for path in ("/a", "/b")}
    assert len(refs) == 1
    assert len(api["components"]["responses"]) == 5  # two of theirs, two copies, and our 400


def test_a_shared_response_that_tells_everything_is_left_without_a_word(planner, back_and_forth):
    enough = """\
      content:
        application/problem+json:
          schema: {type: object, properties: {code: {type: string, enum: [closed, key_reused_409]}}}
          examples: {one: {value: {code: key_reused_409}}}
      headers: {retry-after: {schema: {type: integer}}, IDEMPOTENT-replayed: {}}
"""
    text = SHARED[: SHARED.index("      content:")] + enough
    text = text.replace("X-Trace: {schema: {type: string}}", "Idempotent-Replayed: {}")
    _, after, diagnostics = back_and_forth(text, planner(), wishes=COPY)
    assert diagnostics == ()
    assert "replaced:" not in after
    assert after.count("#/components/responses/Closed") == 2


def test_copies_in_json(planner, back_and_forth):
    value = {
        "openapi": "3.0.3",
        "paths": {"/a": {"post": {"responses": {"409": {"$ref": "#/components/responses/C"}}}}},
        "components": {"responses": {"C": {"description": "c"}}},
    }
    text = json.dumps(value, indent=2)
    api, after, _ = back_and_forth(text, planner(), "api.json", COPY)
    assert api["paths"]["/a"]["post"]["responses"]["409"]["$ref"] != "#/components/responses/C"
    assert api["components"]["responses"]["C"] == {"description": "c"}
    assert '"was": "\\"#/components/responses/C\\""' in after


def test_an_edited_replacement_is_kept(planner):
    after = inject(Document("api.yaml", SHARED), planner(), wishes=COPY).value.after
    ours = "#/components/responses/ClosedIdempotency409"
    edited = after.replace(f'"{ours}"', '"#/components/responses/Mine"')
    back = eject(Document("api.yaml", edited))
    assert [d.rule for d in back.diagnostics] == ["openapi/edited-node"]
    assert '"#/components/responses/Mine"   # ours since 2019' in back.value.after
    forced = eject(Document("api.yaml", edited), force=True)
    assert forced.value.after == SHARED


def test_without_the_wish_copies_go_again(planner):
    after = inject(Document("api.yaml", SHARED), planner(), wishes=COPY).value.after
    assert (
        inject(Document("api.yaml", after), planner()).value.after
        == inject(Document("api.yaml", SHARED), planner()).value.after
    )


DECLARED = (
    HEAD
    + """\
  /a:
    post:
      parameters:
        - name: idempotency-key   # lower case
          in: header
          required: no   # not yet
          schema: {type: string, maxLength: 64}
      responses: {}
"""
)


def test_a_declaration_is_brought_into_line_by_the_smallest_edit(planner, back_and_forth):
    text = DECLARED.replace("required: no ", "required: false ")
    api, after, diagnostics = back_and_forth(text, planner(), wishes=ADOPT)
    assert diagnostics == ()
    (key,) = api["paths"]["/a"]["post"]["parameters"]
    assert (key["required"], key["schema"]) == (True, {"type": "string", "maxLength": 255})
    assert key["description"].startswith("One key per business event")
    assert "- name: idempotency-key   # lower case\n" in after
    assert "required: true   # not yet\n" in after
    assert "schema: {type: string, maxLength: 255}\n" in after
    assert "IdempotencyKey" not in after


def test_what_can_not_be_adopted_is_told(planner, back_and_forth):
    shared = DECLARED.replace("{type: string, maxLength: 64}", "{$ref: '#/components/schemas/K'}").replace(
        "no ", "true "
    )
    shared += "components: {schemas: {K: {type: string, maxLength: 64}}}\n"
    _, after, diagnostics = back_and_forth(shared, planner(), wishes=ADOPT)
    assert "K: {type: string, maxLength: 64}" in after
    other = DECLARED.replace("idempotency-key ", "X-Idempotency-Key ")
    _, after, diagnostics = back_and_forth(other, planner(), wishes=ADOPT)
    assert "declared as X-Idempotency-Key" in diagnostics[0].message
    assert "name: X-Idempotency-Key " in after


def test_a_shared_declaration_is_adopted_once(planner, back_and_forth):
    text = (
        HEAD
        + "  /a:\n    post: {parameters: [{$ref: '#/components/parameters/K'}]}\n"
        + "  /b:\n    post: {parameters: [{$ref: '#/components/parameters/K'}]}\n"
        + "components:\n  parameters:\n    K: {name: Idempotency-Key, in: header, description: d,"
        + " schema: {type: string, maxLength: 9}}\n"
    )
    api, _, diagnostics = back_and_forth(text, planner(), wishes=ADOPT)
    key = api["components"]["parameters"]["K"]
    assert (key["required"], key["schema"]["maxLength"]) == (True, 255)
    assert diagnostics == ()


VENDORS = """\
idempact: 1
api: {name: Orders, base_url: https://api.orders.example, contact: https://orders.example/help}
key: {name: Idempotency-Key, required: true}
scope: [account]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: job, lasts: 6h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {status: 422, code: reused}
  in_flight: {status: 409, code: running, retry_after: 1s}
operations:
  POST /a: keyed
  PUT /a: {safety: natural, because: replaces}
  DELETE /a: {safety: unsafe, because: counts, instead: nothing}
"""
WRITES = HEAD + "  /a:\n    post: {}\n    put: {}\n    delete: {}\n    get: {}\n"


def test_other_tools_extensions(contracted, back_and_forth):
    plan = contracted(
        VENDORS, ("code-samples", "speakeasy", "fern"), {"POST /a": (("python", "Python", "print('hi')\n"),)}
    )
    api, _, _ = back_and_forth(WRITES, plan)
    item = api["paths"]["/a"]
    assert item["post"]["x-codeSamples"] == [{"lang": "python", "label": "Python", "source": "print('hi')\n"}]
    retries = item["post"]["x-speakeasy-retries"]
    assert retries["strategy"] == "backoff"
    assert retries["backoff"] == {"initialInterval": 1000, "maxInterval": 30000, "maxElapsedTime": 75000, "exponent": 2}
    # Not 409: it stands for an unknown outcome, too, and Speakeasy decides by status alone.
    assert retries["statusCodes"] == ["429", "502", "503", "504"]
    assert "x-speakeasy-retries" in item["put"]
    assert "x-speakeasy-retries" not in item["delete"], "an operation that is unsafe to repeat must not be repeated"
    assert "x-speakeasy-retries" not in api, "at the root it would hold for operations without a key"
    assert item["post"]["x-fern-idempotent"] is True
    assert item["delete"]["x-fern-retries"] == {"disabled": True}
    assert api["x-fern-idempotency-headers"] == [{"header": "Idempotency-Key", "name": "idempotency_key"}]
    assert not any(name.startswith("x-") for name in item["get"])


def test_without_the_wish_no_other_tool_is_written_for(contracted, back_and_forth):
    _, after, _ = back_and_forth(WRITES, contracted(VENDORS))
    assert not any(word in after for word in ("x-codeSamples", "x-speakeasy", "x-fern"))


@pytest.mark.parametrize("vendor", ["code-samples", "speakeasy", "fern"])
def test_what_the_author_has_stays(vendor, contracted, back_and_forth):
    text = WRITES.replace("post: {}", "post: {x-codeSamples: [], x-speakeasy-retries: {}, x-fern-idempotent: false}")
    text += "x-fern-idempotency-headers: []\n"
    plan = contracted(VENDORS, (vendor,), {"POST /a": (("python", "Python", "x\n"),)})
    _, after, diagnostics = back_and_forth(text, plan)
    assert "x-codeSamples: [], x-speakeasy-retries: {}, x-fern-idempotent: false" in after
    assert {d.rule for d in diagnostics} == {"openapi/taken-name"}


BODY = VENDORS.replace(
    "key: {name: Idempotency-Key, required: true}", "key: {in: body, name: request_id, required: true}"
)
INLINE = (
    HEAD
    + """\
  /a:
    post:
      requestBody:
        content:
          application/json:
            schema:
              type: object
              required: [amount]
              properties:
                amount: {type: integer}   # in cents
          text/csv: {schema: {type: string}}
    put: {}
    delete: {}
"""
)


def test_a_key_in_an_inline_body_becomes_a_member(contracted, back_and_forth):
    api, after, diagnostics = back_and_forth(INLINE, contracted(BODY))
    assert diagnostics == ()
    schema = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["required"] == ["amount", "request_id"]
    assert schema["properties"]["request_id"]["maxLength"] == 255
    assert "description" in schema["properties"]["request_id"]
    assert "amount: {type: integer}   # in cents\n" in after
    assert "text/csv: {schema: {type: string}}\n" in after
    assert "parameters:" not in after


def test_a_pointer_leads_to_a_deeper_member(contracted, back_and_forth):
    plan = contracted(BODY.replace("name: request_id", "name: /meta/request_id"))
    api, _, _ = back_and_forth(INLINE, plan)
    schema = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert schema["properties"]["meta"]["properties"]["request_id"]["type"] == "string"
    assert schema["properties"]["meta"]["required"] == ["request_id"]


REFERRED = INLINE[: INLINE.index("            schema:\n")] + (
    "            schema: {$ref: '#/components/schemas/Order'}\n    put: {}\n    delete: {}\n"
    "components:\n  schemas:\n    Order: {type: object, properties: {amount: {type: integer}}}\n"
)


def test_a_shared_schema_is_told_or_copied(contracted, back_and_forth):
    _, after, diagnostics = back_and_forth(REFERRED, contracted(BODY))
    assert [(d.rule, d.span.line) for d in diagnostics] == [("openapi/shared-body", 9)]
    assert "Order: {type: object, properties: {amount: {type: integer}}}\n" in after
    api, after, diagnostics = back_and_forth(REFERRED, contracted(BODY), wishes=COPY)
    assert diagnostics == ()
    ref = api["paths"]["/a"]["post"]["requestBody"]["content"]["application/json"]["schema"]["$ref"]
    copy = api["components"]["schemas"][ref.rpartition("/")[2]]
    assert set(copy["properties"]) == {"amount", "request_id"}
    assert copy["required"] == ["request_id"]
    assert "Order: {type: object, properties: {amount: {type: integer}}}\n" in after


def test_a_member_that_is_there_is_compared(contracted, back_and_forth):
    text = INLINE.replace("amount: {type: integer}", "request_id: {type: string, maxLength: 36}")
    _, after, diagnostics = back_and_forth(text, contracted(BODY))
    assert after.count("request_id:") == 1
    messages = [d.message for d in diagnostics]
    assert messages == [
        "the key's member request_id is optional, and required by the contract",
        "maxLength is 36, and 255 by the contract",
    ]
    shared = REFERRED.replace("amount: {type: integer}", "request_id: {type: string, maxLength: 36}")
    _, _, diagnostics = back_and_forth(shared, contracted(BODY))
    assert {d.rule for d in diagnostics} == {"openapi/different-declaration"}


def test_other_carriers_and_the_time_of_the_first_attempt(contracted, back_and_forth):
    key = (
        "key: {name: Idempotency-Key, required: true, also: [{in: query, name: idempotency_key}], "
        "first_sent: {in: header, name: Repeatability-First-Sent, format: http-date}}"
    )
    plan = contracted(VENDORS.replace("key: {name: Idempotency-Key, required: true}", key))
    api, _, diagnostics = back_and_forth(WRITES, plan)
    assert diagnostics == ()
    refs = [p["$ref"].rpartition("/")[2] for p in api["paths"]["/a"]["post"]["parameters"]]
    found = {(p["name"], p["in"], p.get("required")) for p in (api["components"]["parameters"][r] for r in refs)}
    assert found == {
        # Either place will do, so neither alone is required.
        ("Idempotency-Key", "header", False),
        ("idempotency_key", "query", False),
        ("Repeatability-First-Sent", "header", None),
    }
    assert not any("example" in api["components"]["parameters"][r] for r in refs), "an example key is one that all send"


def test_declared_carriers_are_not_declared_again(contracted, back_and_forth):
    key = "key: {name: Idempotency-Key, required: true, also: [{in: query, name: idempotency_key}]}"
    plan = contracted(VENDORS.replace("key: {name: Idempotency-Key, required: true}", key))
    declared = "{name: idempotency_key, in: query, schema: {type: string}}"
    api, _, diagnostics = back_and_forth(WRITES.replace("post: {}", f"post: {{parameters: [{declared}]}}"), plan)
    assert diagnostics == ()
    names = [p.get("name") or p["$ref"].rpartition("/")[2] for p in api["paths"]["/a"]["post"]["parameters"]]
    assert names == ["idempotency_key", "IdempotencyKey"]


@pytest.mark.parametrize("ref", ["#/components/schemas/Absent", "#/components/schemas/A~1b", "#/paths/~1a/nothing"])
def test_a_copy_keeps_what_its_author_referred_to_in_vain(ref, planner, back_and_forth):
    text = REPLAYED.replace(
        "description: bad", f"description: bad, content: {{text/plain: {{schema: {{$ref: '{ref}'}}}}}}"
    )
    api, _, _ = back_and_forth(text, planner(), wishes=COPY)
    copy = api["components"]["responses"][_responses(api)["404"]["$ref"].rpartition("/")[2]]
    assert copy["content"] == {"text/plain": {"schema": {"$ref": ref}}}
    assert "Idempotent-Replayed" in copy["headers"]


@pytest.mark.parametrize("carrier", ["directive", "metadata"])
def test_a_carrier_without_a_place_in_openapi_is_told_and_the_rest_goes_on(carrier, contracted, back_and_forth):
    key = f"key: {{in: {carrier}, name: idempotent.key, required: true}}"
    contract = VENDORS.replace("key: {name: Idempotency-Key, required: true}", key)
    api, _, diagnostics = back_and_forth(INLINE, contracted(contract))
    (finding,) = diagnostics
    assert (finding.rule, finding.severity) == ("openapi/unsupported-carrier", Severity.NOTE)
    assert carrier in finding.message
    post = api["paths"]["/a"]["post"]
    assert "parameters" not in post
    assert "parameters" not in api["components"]
    assert {"409", "422"} <= set(post["responses"])
    assert post["x-idempotency"]["safety"] == "keyed"


def test_an_operation_that_only_reads_gets_its_reason_alone(contracted, back_and_forth):
    contract = VENDORS.replace("PUT /a: {safety: natural, because: replaces}", "PUT /a: {safety: read, because: asks}")
    assert contract != VENDORS
    api, _, _ = back_and_forth(INLINE, contracted(contract))
    assert api["paths"]["/a"]["put"] == {"x-idempotency": {"safety": "read", "because": "asks"}}


ACCEPTED = (
    HEAD
    + """\
  /a:
    post:
      responses: {'%s': %s}
    put: {}
    delete: {}
components: {responses: {There: {description: %s}}}
"""
)
POLLED = VENDORS.replace("{status: 409, code: running, retry_after: 1s}", '{answer: accept, status_url: "/jobs/{id}"}')
UNNAMED = VENDORS.replace("{status: 409, code: running, retry_after: 1s}", "{status: 425, code: none, retry_after: 1s}")


@pytest.mark.parametrize("wishes", [Wishes(), COPY], ids=["as it is", "copies"])
@pytest.mark.parametrize("shared", [False, True], ids=["inline", "shared"])
@pytest.mark.parametrize(
    ("contract", "status", "silent", "meaning"),
    [
        (POLLED, "202", "Ask /jobs/{id} for it", "/jobs/{id}"),
        (UNNAMED, "425", "", "still being processed"),
    ],
    ids=["an address to ask", "an answer without a code"],
)
def test_a_meaning_that_no_code_tells_is_told_where_the_status_is_there(
    contract, status, silent, meaning, shared, wishes, contracted, back_and_forth
):
    plan = contracted(contract)

    def found(description):
        there = "{$ref: '#/components/responses/There'}" if shared else f"{{description: {description}}}"
        _, after, diagnostics = back_and_forth(ACCEPTED % (status, there, description), plan, wishes=wishes)
        return after, [d for d in diagnostics if "existing" in d.rule or "its new meaning" in d.message]

    after, (finding,) = found("Queued for the night")
    assert (finding.severity, finding.span.line) == (Severity.WARNING, 6)
    assert (meaning in finding.message) == (finding.rule == "openapi/existing-response")
    assert "codes: []" not in after
    says = silent or back_and_forth(WRITES, plan)[0]["components"]["responses"][f"Idempotency{status}"]["description"]
    assert found(f"'{says}. And more.'")[1] == []
