"""From a contract to what is inserted: what it says is there, what it doesn't say is not claimed."""

from __future__ import annotations

from pathlib import Path

import jsonschema_rs
import pytest

from idempact.contract.model.answers import ORDER
from idempact.contract.model.key import ScopeWord
from idempact.contract.model.windows import CountedFrom
from idempact.contract.read import read
from idempact.facts.derive import Facts
from idempact.openapi import published
from idempact.openapi.extension import plan_of
from idempact.openapi.inject import eject, inject
from idempact.openapi.validate import value
from idempact.render.environment import template_roots
from idempact.render.words import Words
from idempact.text.diagnostic import Severity
from idempact.text.nodes import compose
from idempact.text.span import Document

API = """\
openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /payments:
    post:
      tags: [Money]
      operationId: pay
      responses:
        '201': {description: made}
        '402': {description: declined}
        '429': {description: slow down}
        '500': {description: broken}
  /payments/{id}/refunds:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    post:
      responses:
        '201': {description: made}
  /customers/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    put:
      responses:
        '200': {description: ok}
    get:
      responses:
        '200': {description: ok}
"""
PROVIDER = """\
idempact: 1
api: {name: Money API, base_url: https://api.money.example, contact: https://money.example/help}
key: {name: Money-Key, required: true, length: {min: 17, max: 201}}
scope: [account, operation]
fingerprint: {body: canonical}
windows:
  replay: 25h
  retry_chains: [{name: offline queue, lasts: 20h}]
  lease: 61s
  cleanup: 777h
replay: {fidelity: stored-response, indicator: {in: header, name: Money-Replayed, value: "yes"}}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  malformed_key: {status: 400, code: bad_key}
  missing_key: {status: 400, code: no_key}
  store_unavailable: {answer: reject, status: 503, code: store_down, retry_after: 3s}
  expired_key: {answer: reject, status: 410, code: old_key}
  mismatch: {answer: reject, status: 409, code: other_request}
  in_flight: {answer: reject, status: 409, code: running, retry_after: 4s}
  unknown_outcome: {status: 409, code: who_knows}
errors: {type: "https://money.example/errors/{code}"}
operations:
  POST /payments:
    safety: keyed
    external_effects: [{name: charge, recovery_point: charged, downstream_key: "charge-{record_id}"}]
  POST /payments/*/refunds: {safety: keyed, windows: {replay: 9d, cleanup: 99d}}
  PUT /customers/{id}: {safety: natural, because: replaces all}
server: {store: postgresql}
"""
OBSERVER = """\
idempact: 1
written_by: observer
api: {name: Money API, base_url: https://api.money.example, contact: https://money.example/help}
key: {name: Money-Key, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: {replay: not-documented}
replay: {fidelity: not-documented}
stored_failures: not-documented
answers:
  mismatch: not-documented
  expired_key: not-documented
  in_flight: {status: 409, code: not-documented}
operations: {"ANY /**": keyed}
"""


@pytest.fixture(scope="module")
def injected():
    words = Words.load("en", template_roots())

    def run(contract: str, api: str = API, path: str = "api.yaml"):
        tree = compose(Document("contract.yaml", contract))
        assert tree.value is not None, tree.diagnostics
        found = read(tree.value)
        assert found.value is not None, found.diagnostics
        assert not found.broken, found.diagnostics
        plan = plan_of(Facts.of(found.value.contract), found.value.source, words)
        result = inject(Document(path, api), plan)
        if result.value is None:
            return None, None, result.diagnostics
        after = compose(Document(path, result.value.after)).value
        return value(after.root), result.value, result.diagnostics

    return run


def test_the_key_as_a_parameter(injected):
    api, _, _ = injected(PROVIDER)
    parameter = api["components"]["parameters"]["IdempotencyKey"]
    assert (parameter["name"], parameter["in"], parameter["required"]) == ("Money-Key", "header", True)
    schema = parameter["schema"]
    assert (schema["minLength"], schema["maxLength"]) == (17, 201)
    assert schema["pattern"] == "^[\\x21-\\x7e]+$"
    assert "25 hours" in parameter["description"]
    assert "account and" in parameter["description"]
    assert "example" not in parameter
    assert "examples" not in parameter
    assert api["paths"]["/payments"]["post"]["parameters"] == [{"$ref": "#/components/parameters/IdempotencyKey"}]
    longer = api["components"]["parameters"]["IdempotencyKey_2"]
    assert "9 days" in longer["description"]
    refunds = api["paths"]["/payments/{id}/refunds"]["post"]
    assert refunds["parameters"] == [{"$ref": "#/components/parameters/IdempotencyKey_2"}]


def test_the_window_is_counted_from_what_is_documented(injected):
    api, _, _ = injected(PROVIDER)
    assert "counted from the first request" in api["components"]["parameters"]["IdempotencyKey"]["description"]
    api, _, _ = injected(OBSERVER.replace("windows: {replay: not-documented}", "windows: {replay: {at_least: 31h}}"))
    text = api["components"]["parameters"]["IdempotencyKey"]["description"]
    assert "at least 31 hours" in text
    assert "counted" not in text


def test_a_code_below_other_members_is_described_there(injected):
    errors = 'errors: {type: "https://money.example/errors/{code}"}'
    api, _, _ = injected(PROVIDER.replace(errors, "errors: {media_type: application/json, code_at: /error/code}"))
    media = api["components"]["responses"]["Idempotency410"]["content"]["application/json"]
    code = {"type": "string", "enum": ["old_key"]}
    assert media["schema"] == {
        "type": "object",
        "properties": {"error": {"type": "object", "properties": {"code": code}}},
    }
    assert media["examples"]["expired_key"]["value"] == {"error": {"code": "old_key"}}


def test_every_member_of_an_example_is_described(injected):
    """A strict reader of examples, as redocly's is, takes a member that the schema doesn't name for a mistake."""
    example = '{"error": {"code": "{code}", "n": 1, "ok": false, "all": ["{title}"]}, "trace": null}'
    errors = f"errors: {{media_type: application/json, code_at: /error/code, example: {example}}}"
    api, _, _ = injected(PROVIDER.replace('errors: {type: "https://money.example/errors/{code}"}', errors))
    schema = api["components"]["responses"]["Idempotency410"]["content"]["application/json"]["schema"]
    assert schema["properties"]["error"]["properties"] == {
        "code": {"type": "string", "enum": ["old_key"]},
        "n": {"type": "integer"},
        "ok": {"type": "boolean"},
        "all": {"type": "array", "items": {}},
    }
    assert schema["properties"]["trace"] == {}


_CODE = {"type": "string", "enum": ["old_key"]}


@pytest.mark.parametrize(
    ("place", "example", "schema"),
    [
        (
            "/errors/*/code",
            None,
            {"errors": {"type": "array", "items": {"type": "object", "properties": {"code": _CODE}}}},
        ),
        ("/codes/*", '{"codes": ["{code}"], "n": 1}', {"codes": {"type": "array", "items": _CODE}, "n": {}}),
        (
            "/errors/*/code",
            '{"errors": [{"code": "{code}", "title": "{title}"}]}',
            {
                "errors": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"code": _CODE, "title": {"type": "string"}}},
                }
            },
        ),
        # Another code beside the contract's: a list of the contract's alone would refuse the contract's own example.
        ("/errors/*/code", '{"errors": [{"code": "{code}"}, {"code": "more"}]}', {"errors": {"type": "array"}}),
        # Any member, and not the items of a list.
        ("/errors/*/code", '{"errors": {"amount": {"code": "{code}"}}}', {"errors": {"type": "object"}}),
    ],
)
def test_codes_in_a_list_are_an_enum_there(injected, place, example, schema):
    shown = f", example: {example}" if example else ""
    errors = f'errors: {{media_type: application/json, code_at: "{place}"{shown}}}'
    api, _, _ = injected(PROVIDER.replace('errors: {type: "https://money.example/errors/{code}"}', errors))
    media = api["components"]["responses"]["Idempotency410"]["content"]["application/json"]
    found = media["schema"]["properties"]
    for name, wanted in schema.items():
        assert {key: found[name][key] for key in wanted} == wanted
    validator = jsonschema_rs.validator_for(media["schema"])
    assert all(validator.is_valid(example["value"]) for example in media["examples"].values())
    assert media["examples"]


def test_codes_join_those_of_a_list_that_is_there(injected):
    errors = 'errors: {media_type: application/json, code_at: "/errors/*/code"}'
    contract = PROVIDER.replace('errors: {type: "https://money.example/errors/{code}"}', errors)
    there = """\
        '409':
          description: theirs
          content:
            application/json:
              schema:
                type: object
                properties:
                  errors:
                    type: array
                    items: {type: object, properties: {code: {type: string, enum: [duplicate]}}}
"""
    text = API.replace("        '201': {description: made}\n", "        '201': {description: made}\n" + there, 1)
    api, _, diagnostics = injected(contract, text)
    media = api["paths"]["/payments"]["post"]["responses"]["409"]["content"]["application/json"]
    codes = media["schema"]["properties"]["errors"]["items"]["properties"]["code"]["enum"]
    assert codes == ["duplicate", "other_request", "running", "who_knows"]
    found = [d for d in diagnostics if d.rule == "openapi/existing-response"]
    assert [d.severity for d in found] == [Severity.NOTE]


def test_the_answers_as_responses(injected):
    api, _, _ = injected(PROVIDER)
    responses = api["paths"]["/payments"]["post"]["responses"]
    assert responses["409"] == {"$ref": "#/components/responses/Idempotency409"}
    assert set(responses) == {"201", "402", "429", "500", "400", "409", "410", "503"}
    conflict = api["components"]["responses"]["Idempotency409"]
    media = conflict["content"]["application/problem+json"]
    assert media["schema"]["properties"]["code"]["enum"] == ["other_request", "running", "who_knows"]
    assert media["examples"]["in_flight"]["value"] == {
        "type": "https://money.example/errors/running",
        "title": "First request still in progress",
        "status": 409,
        "code": "running",
    }
    assert list(media["examples"]) == ["mismatch", "in_flight", "unknown_outcome"]
    assert conflict["headers"] == {"Retry-After": {"$ref": "#/components/headers/IdempotencyRetryAfter4s"}}
    assert " 4 " in api["components"]["headers"]["IdempotencyRetryAfter4s"]["description"]
    assert " 3 " in api["components"]["headers"]["IdempotencyRetryAfter3s"]["description"]
    # Descriptions are CommonMark: a code stands in a code span, where nothing in it is read as markup.
    assert conflict["description"].startswith("`other_request`: The key was used before")
    assert "headers" not in api["components"]["responses"]["Idempotency400"]
    keys = api["components"]["responses"]["Idempotency400"]["content"]["application/problem+json"]["schema"]
    assert keys["properties"]["code"]["enum"] == ["bad_key", "no_key"]


def test_the_replay_indicator(injected):
    api, _, _ = injected(PROVIDER)
    responses = api["paths"]["/payments"]["post"]["responses"]
    carrying = {status for status, response in responses.items() if "Money-Replayed" in response.get("headers", {})}
    # Rejections are replayed; a rate limit comes before execution, and a server error is re-executed.
    assert carrying == {"201", "402"}
    assert api["components"]["headers"]["IdempotencyReplayed"]["schema"] == {"type": "string", "enum": ["yes"]}


def test_the_facts_as_data(injected):
    api, result, _ = injected(PROVIDER)
    root = api["x-idempotency"]
    assert root["profiles"][0]["windows"] == {"replay": "25h", "counted_from": "first-request"}
    assert root["profiles"][1]["windows"]["replay"] == "9d"
    assert root["profiles"][0]["answers"]["in_flight"]["retry_after"] == "4s"
    assert api["paths"]["/payments"]["post"]["x-idempotency"] == {"safety": "keyed", "profile": 1}
    put = api["paths"]["/customers/{id}"]["put"]
    assert put["x-idempotency"] == {"safety": "natural", "because": "replaces all"}
    assert "parameters" not in put
    assert "x-idempotency" not in api["paths"]["/customers/{id}"]["get"]
    assert result.counts == (("keyed", 2), ("natural", 1))


@pytest.mark.parametrize("secret", ["61s", "777h", "charge-", "postgresql", "offline queue", " lease:", "cleanup:"])
def test_what_only_the_provider_needs_stays_out(injected, secret):
    _, result, _ = injected(PROVIDER)
    assert secret not in result.after
    _, published, _ = injected(PROVIDER + "publish: {provider: true}\n")
    assert secret in published.after


def test_what_is_not_documented_is_not_claimed(injected):
    api, result, _ = injected(OBSERVER)
    parameter = api["components"]["parameters"]["IdempotencyKey"]
    assert "required" not in parameter
    assert parameter["schema"] == {"type": "string"}
    conflict = api["components"]["responses"]["Idempotency409"]
    assert set(conflict) == {"description"}
    assert set(api["components"]["responses"]) == {"Idempotency409"}
    assert set(api["x-idempotency"]["profiles"][0]) == {"key", "answers"}
    assert "not-documented" not in result.after
    assert "not documented" not in result.after


def test_operations_by_name_tag_and_wildcard(injected):
    def keys(*lines: str) -> str:
        listed = "unlisted_operations: warning\noperations:\n" + "".join(f"  {line}\n" for line in lines)
        return OBSERVER.replace('operations: {"ANY /**": keyed}\n', listed)

    api, _, _ = injected(keys("POST /**: keyed", "operation pay: {safety: unsafe, because: b, instead: i}"))
    assert api["paths"]["/payments"]["post"]["x-idempotency"]["safety"] == "unsafe"
    assert api["paths"]["/payments/{id}/refunds"]["post"]["x-idempotency"]["safety"] == "keyed"
    api, result, diagnostics = injected(keys("tag Money: keyed", "POST /payment: keyed"))
    assert api["paths"]["/payments"]["post"]["x-idempotency"]["safety"] == "keyed"
    rules = {d.rule: d for d in diagnostics}
    assert rules["openapi/unlisted-operation"].severity is Severity.WARNING
    missing = rules["openapi/unknown-operation"]
    assert (missing.span.path, missing.subject) == ("contract.yaml", "POST /payment")
    assert "POST /payments" in missing.hint
    assert dict(result.counts) == {"keyed": 1, "unlisted": 2}


def test_an_unlisted_operation_stops_the_run_by_default(injected):
    contract = OBSERVER.replace('"ANY /**"', "POST /payments")
    _, result, diagnostics = injected(contract)
    assert result is None
    assert {d.rule for d in diagnostics if d.severity is Severity.ERROR} == {"openapi/unlisted-operation"}


def test_a_tie_is_an_error_at_the_operation(injected):
    keys = "{POST /payments/*/refunds: keyed, 'POST /*/{id}/refunds': keyed, 'ANY /**': keyed}"
    contract = OBSERVER.replace('{"ANY /**": keyed}', keys)
    _, result, diagnostics = injected(contract)
    assert result is None
    (tie,) = [d for d in diagnostics if d.rule == "openapi/ambiguous-operation"]
    assert (tie.subject, tie.span.path) == ("POST /payments/{id}/refunds", "api.yaml")


@pytest.mark.parametrize(
    ("key", "schema"),
    [
        ("format: uuid-v4", {"pattern"}),
        ("quoted: true", set()),
        ("format: {pattern: '^[A-Z]+$'}, length: {max: 9, unit: bytes}", {"pattern"}),
        ("format: url-safe, length: {max: 9, unit: bytes}", {"pattern", "minLength", "maxLength"}),
        ("length: {max: 9}", {"minLength", "maxLength"}),
    ],
)
def test_the_schema_says_no_more_than_it_can(injected, key, schema):
    api, _, _ = injected(OBSERVER.replace("required: not-documented", f"required: false, {key}"))
    found = api["components"]["parameters"]["IdempotencyKey"]["schema"]
    assert set(found) == {"type", *schema}


def test_a_key_in_the_query_is_a_query_parameter(injected):
    api, _, _ = injected(OBSERVER.replace("key: {name: Money-Key", "key: {in: query, name: request_id"))
    parameter = api["components"]["parameters"]["IdempotencyKey"]
    assert (parameter["in"], parameter["name"]) == ("query", "request_id")


def test_a_key_in_the_body_has_no_parameter(injected):
    api, _, diagnostics = injected(OBSERVER.replace("key: {name: Money-Key", "key: {in: body, name: request_id"))
    assert "parameters" not in api.get("components", {})
    found = [d for d in diagnostics if d.rule == "openapi/bodiless-operation"]
    assert [d.subject for d in found] == ["POST /payments", "POST /payments/{id}/refunds", "PUT /customers/{id}"]


def test_an_accepted_answer_names_its_status_address(injected):
    contract = PROVIDER.replace(
        "{answer: reject, status: 409, code: running, retry_after: 4s}", '{answer: accept, status_url: "/jobs/{id}"}'
    )
    api, _, _ = injected(contract)
    accepted = api["components"]["responses"]["Idempotency202"]
    assert "/jobs/{id}" in accepted["description"]
    assert "content" not in accepted


# Each answer with a status and a code of its own, and what of the contract makes that it can't be given.
EACH = PROVIDER.replace("replay: {fidelity: stored-response, ", "replay: {fidelity: error, ").replace(
    "business_rejection: replay", "business_rejection: reject"
)
EACH = EACH[: EACH.index("answers:")] + (
    """\
answers:
  malformed_key: {status: 431, code: is_malformed}
  missing_key: {status: 428, code: is_missing}
  store_unavailable: {answer: reject, status: 503, code: is_down, retry_after: 3s}
  expired_key: {answer: reject, status: 410, code: is_expired}
  mismatch: {answer: reject, status: 422, code: is_other}
  in_flight: {answer: reject, status: 425, code: is_running, retry_after: 4s}
  unknown_outcome: {status: 424, code: is_unknown}
  previous_failure: {status: 423, code: is_spent}
  completed: {status: 451, code: is_done}
"""
    + EACH[EACH.index("errors:") :]
)
GIVEN = {
    "is_malformed": (431, None),
    "is_missing": (428, ("required: true", "required: false")),
    "is_down": (503, ("answer: reject, status: 503, code: is_down, retry_after: 3s", "answer: execute")),
    "is_expired": (410, ("answer: reject, status: 410, code: is_expired", "answer: execute")),
    "is_other": (422, ("answer: reject, status: 422, code: is_other", "answer: execute")),
    "is_running": (425, ("in_flight: {answer: reject,", "in_flight: {answer: wait, at_most: 2s,")),
    "is_unknown": (424, None),
    "is_spent": (423, ("business_rejection: reject", "business_rejection: replay")),
    "is_done": (451, ("fidelity: error", "fidelity: stored-response")),
}


@pytest.mark.parametrize("code", GIVEN)
def test_each_answer_that_an_operation_can_give_is_a_response(code, injected):
    """With its code alone, an example of it, `Retry-After` where the contract gives one, and only where it is given."""
    status, impossible = GIVEN[code]
    api, _, _ = injected(EACH)
    assert set(api["paths"]["/payments"]["post"]["responses"]) >= {str(each) for each, _ in GIVEN.values()}
    ref = api["paths"]["/payments"]["post"]["responses"][str(status)]["$ref"]
    response = api["components"]["responses"][ref.rpartition("/")[2]]
    (media,) = response["content"].values()
    assert media["schema"]["properties"]["code"]["enum"] == [code]
    assert [one["value"]["code"] for one in media["examples"].values()] == [code]
    assert ("Retry-After" in response.get("headers", {})) == (code in ("is_down", "is_running"))
    assert code in response["description"]
    if impossible is not None:
        other = EACH.replace(*impossible)
        assert other != EACH
        without, result, _ = injected(other)
        responses = without["paths"]["/payments"]["post"]["responses"]
        # A wait that is over ends in the same answer; everything else can't be given any more.
        assert (str(status) in responses) == (code == "is_running")
        assert (f"`{code}`" in result.after) == (code == "is_running")


def test_every_answer_of_the_language_is_tried():
    """A new answer of the language has to be asked for above."""
    tried = set(value(compose(Document("c.yaml", EACH)).value.root)["answers"])
    elsewhere = {"unsupported_key", "stale"}  # none of a keyed operation; told with the one in flight
    assert set(ORDER) - elsewhere == tried


def test_the_locale_has_words_for_everything_that_a_contract_can_say():
    words = Words.load("en", template_roots())
    keys = [f"{kind}.{outcome}" for outcome in ORDER for kind in ("openapi.answer", "answer")]
    keys += [f"openapi.scope.{scope}" for scope in ScopeWord]
    keys += [f"openapi.start.{start}" for start in CountedFrom]
    assert [key for key in keys if not words.has(key)] == []


def test_the_extension_leaves_out_what_says_nothing(contracted, back_and_forth):
    """Most APIs have no other carrier and no time of the first attempt; a list that an author leaves empty says so."""
    root = back_and_forth(API, contracted("every-write.yaml"))[0]["x-idempotency"]
    (profile,) = root["profiles"]
    assert [] not in profile["key"].values()
    assert "first_sent" not in profile["key"]
    assert set(profile["fingerprint"]) == {"body", "version"}
    assert "omits" not in profile["replay"]
    text = (Path(__file__).parent / "contracts" / "every-write.yaml").read_text(encoding="utf-8")
    fuller = text.replace("indicator:", "headers: [], omits: [/token], indicator:")
    assert fuller != text
    (profile,) = contracted(fuller).extension["profiles"]
    assert profile["replay"]["omits"] == ["/token"]
    assert profile["replay"]["headers"] == [], "others have some: that there are none is a fact"


def test_an_older_run_that_wrote_more_is_updated(contracted, monkeypatch):
    text, new = API, contracted("every-write.yaml")
    with monkeypatch.context() as before:
        before.setattr(published, "_filled", lambda section, record: section)
        old = contracted("every-write.yaml")
    first = inject(Document("api.yaml", text), old).value
    assert "also: []" in first.after
    second = inject(Document("api.yaml", first.after), new)
    assert second.diagnostics == inject(Document("api.yaml", text), new).diagnostics
    assert second.value.after == inject(Document("api.yaml", text), new).value.after
    assert "also: []" not in second.value.after
    assert eject(Document("api.yaml", second.value.after)).value.after == text


def test_what_a_running_and_a_dead_claim_get_is_told_whole(injected) -> None:
    waits = PROVIDER.replace(
        "in_flight: {answer: reject,", "stale: {answer: reject}\n  in_flight: {answer: wait, at_most: 5s,"
    )
    assert waits != PROVIDER
    (answers,) = {str(p["answers"]): p["answers"] for p in injected(waits)[0]["x-idempotency"]["profiles"]}.values()
    assert answers["in_flight"]["at_most"] == "5s"
    assert answers["stale"] == {"answer": "reject"}


def test_a_key_with_another_carrier_is_required_in_no_single_place(injected) -> None:
    several = PROVIDER.replace("required: true,", "required: true, also: [{in: query, name: money_key}],")
    assert several != PROVIDER
    parameters = injected(several)[0]["components"]["parameters"].values()
    assert {(p["in"], p["required"]) for p in parameters} == {("header", False), ("query", False)}
    assert any("required, here or in" in p["description"] for p in parameters)
