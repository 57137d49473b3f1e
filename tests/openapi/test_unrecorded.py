"""What is like ours and in no record: written by hand, copied, lost in a merge, or put in for another root document."""

from __future__ import annotations

import json

import pytest

from idempact.openapi.audit import audit
from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Checked, Severity
from idempact.text.emit import emit
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

ONE = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/one": {"post": {"responses": {}}}}}
FORMS = {
    "block.yaml": emit,
    "flow.yaml": json.dumps,
    "wide.json": lambda value: json.dumps(value, indent=2),
}


@pytest.fixture(params=FORMS)
def form(request):
    """The name of a file in one of the notations, and what writes it."""
    return request.param, FORMS[request.param]


def _value(text, path="api.yaml"):
    return plain(compose(Document(path, text)).value.root)


def _put(path, text, plan, **more):
    found = inject(Document(path, text), plan, **more)
    assert found.value is not None, found.diagnostics
    again = inject(Document(path, found.value.after), plan, **more)
    assert again.value is not None
    assert again.value.after == found.value.after, "a second run changes something"
    return found.value.after, _value(found.value.after, path), found.diagnostics


def _with(path, write, planner, operation, template="/two"):
    """A file that ours was put into, with another operation by hand, the rest as *write* writes it."""
    value = _put(path, write(ONE), planner())[1]
    value["paths"][template] = {"post": operation}
    return write(value)


HAND = {
    "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}],
    "responses": {"409": {"$ref": "#/components/responses/Idempotency409"}},
}


@pytest.mark.parametrize("change", [{}, {"longest": 99}, {"code": "other"}, {"said": "Another text."}])
@pytest.mark.parametrize("copy_shared", [False, True])
def test_a_reference_by_hand_to_our_own_components_declares_them(form, planner, change, copy_shared):
    path, write = form
    text = _with(path, write, planner, HAND)
    _, value, diagnostics = _put(path, text, planner(**change), wishes=Wishes(copy_shared=copy_shared))
    assert diagnostics == ()
    two, one = value["paths"]["/two"]["post"], value["paths"]["/one"]["post"]
    assert two["parameters"] == HAND["parameters"]
    assert two["responses"] == one["responses"]
    assert two["x-idempotency"] == one["x-idempotency"]
    fresh = _put(path, write(ONE), planner(**change))[1]
    assert value["components"] == fresh["components"], "ours follow the contract, whoever refers to them"


def test_a_reference_by_hand_alone_keeps_ours_and_lets_it_follow_the_contract(form, planner):
    path, write = form
    value = _value(_with(path, write, planner, HAND), path)
    del value["paths"]["/one"]
    _, value, diagnostics = _put(path, write(value), planner(longest=99))
    assert diagnostics == ()
    assert value["components"]["parameters"]["IdempotencyKey"]["schema"]["maxLength"] == 99
    assert value["paths"]["/two"]["post"]["parameters"] == HAND["parameters"]


def test_a_reference_by_hand_to_another_operations_key_is_told_where_it_stands(contracted):
    contract = """\
idempact: 1
api: {name: Money API, base_url: https://api.money.example, contact: https://money.example/help}
key: {name: Money-Key, required: true, length: {min: 17, max: 201}}
scope: [account, operation]
fingerprint: {body: canonical}
windows: {replay: 25h, retry_chains: [{name: queue, lasts: 20h}]}
replay: {fidelity: stored-response, indicator: none}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {answer: reject, status: 409, code: other_request}
  in_flight: {answer: reject, status: 409, code: running, retry_after: 4s}
operations:
  POST /one: keyed
  POST /two: {safety: keyed, key: {name: Money-Key, required: true, length: {min: 17, max: 64}}}
"""
    plan = contracted(contract)
    value = _put("api.yaml", emit(ONE), plan)[1]
    value["paths"]["/two"] = {"post": {"responses": {}, **HAND}}
    text = emit(value)
    _, value, diagnostics = _put("api.yaml", text, plan, wishes=Wishes(adopt=True))
    found = [d for d in diagnostics if d.rule == "openapi/different-declaration"]
    assert "maxLength is 201, and 64 by the contract" in [d.message for d in found]
    lines = text.splitlines()
    for finding in found:
        assert "#/components/parameters/IdempotencyKey" in lines[finding.span.line - 1]
        assert finding.span.line > next(number for number, line in enumerate(lines) if "/two" in line)
    assert value["components"]["parameters"]["IdempotencyKey"]["schema"]["maxLength"] == 201


def test_a_copied_operation_gets_no_twins_and_is_told_once(form, planner):
    path, write = form
    value = _put(path, write(ONE), planner())[1]
    for name in ("/two", "/three"):
        value["paths"][name] = json.loads(json.dumps(value["paths"]["/one"]))
    text = write(value)
    after, _, diagnostics = _put(path, text, planner())
    assert after == text
    (finding,) = diagnostics
    assert (finding.rule, finding.severity) == ("openapi/already-there", Severity.NOTE)
    assert "/paths/~1two/post/x-idempotency and 1 more are there already" in finding.message


def test_a_copied_operation_stays_with_what_it_refers_to_and_is_told_when_ours_is_taken_out(form, planner):
    path, write = form
    value = _put(path, write(ONE), planner())[1]
    value["paths"]["/two"] = json.loads(json.dumps(value["paths"]["/one"]))
    found = eject(Document(path, write(value)))
    assert [(d.rule, d.severity, d.subject) for d in found.diagnostics] == [
        ("openapi/unrecorded", Severity.NOTE, "POST /two")
    ]
    left = _value(found.value.after, path)
    assert left["paths"]["/one"] == ONE["paths"]["/one"]
    assert left["paths"]["/two"] == value["paths"]["/two"]
    assert "IdempotencyKey" in left["components"]["parameters"]
    assert "x-idempotency" not in left


def test_a_lost_record_brings_no_twins_and_is_told(form, planner):
    path, write = form
    value = _put(path, write(ONE), planner())[1]
    del value["x-idempotency"]
    text = write(value)
    bare = eject(Document(path, text))
    assert bare.value.after == text
    (finding,) = bare.diagnostics
    assert (finding.rule, finding.severity) == ("openapi/unrecorded", Severity.WARNING)
    assert "x-idempotency stands at POST /one" in finding.message
    assert text.splitlines()[finding.span.line - 1][finding.span.column - 1 :].lstrip('"').startswith("x-idempotency")

    after, again, diagnostics = _put(path, text, planner())
    assert {d.rule for d in diagnostics} == {"openapi/already-there"}
    root = again.pop("x-idempotency")
    assert again == value, "nothing is there twice"
    assert root["contract"] == "test"
    assert eject(Document(path, after)).value.after == text


def test_what_is_like_ours_with_another_content_is_not_taken_for_it(form, planner):
    path, write = form
    value = _put(path, write(ONE), planner())[1]
    del value["x-idempotency"]
    value["paths"]["/one"]["post"]["x-idempotency"]["window"] = "48h"
    value["components"]["responses"]["Idempotency409"]["description"] = "Theirs."
    del value["paths"]["/one"]["post"]["responses"]["409"]
    text = write(value)
    after, again, diagnostics = _put(path, text, planner())
    taken = {d.subject for d in diagnostics if d.rule == "openapi/taken-name"}
    assert taken == {"Idempotency409_2"}
    (finding,) = (d for d in diagnostics if d.rule == "openapi/unrecorded")
    assert (finding.severity, finding.subject) == (Severity.WARNING, "POST /one")
    assert again["paths"]["/one"]["post"]["responses"]["409"] == {"$ref": "#/components/responses/Idempotency409_2"}
    assert eject(Document(path, after)).value.after == text


FULL = {
    "requestBody": {"content": {"application/json": {"schema": {"type": "object"}}}},
    "responses": {"200": {"description": "ok"}, "409": {"description": "closed"}, "503": {"description": "away"}},
}
WHOLE = {**ONE, "paths": {"/one": {"post": FULL, "put": {"responses": {"200": {"description": "ok"}}}}}}
MONEY = """\
idempact: 1
api: {name: Money API, base_url: https://api.money.example, contact: https://money.example/help}
key: {%s, required: true, length: {min: 17, max: 201}}
scope: [account, operation]
fingerprint: {body: canonical}
windows: {replay: 25h, retry_chains: [{name: queue, lasts: 20h}]}
replay: {fidelity: stored-response, indicator: {in: header, name: %s, value: "true"}}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {answer: reject, status: 409, code: %s}
  in_flight: {answer: reject, status: 409, code: running, retry_after: 4s}
operations:
  POST /**: %s
  PUT /**: {safety: natural, because: %s}
"""
BEFORE = ("name: Money-Key", "Replayed", "other_request", "keyed", "it replaces")
# What may be changed in it, one after another and together.
AFTER = {
    "nothing": BEFORE,
    "code": ("name: Money-Key", "Replayed", "key_taken", "keyed", "it replaces"),
    "indicator": ("name: Money-Key", "Again", "other_request", "keyed", "it replaces"),
    "key": ("name: Cash-Key", "Replayed", "other_request", "keyed", "it replaces"),
    "query": ("in: query, name: cash_key", "Replayed", "other_request", "keyed", "it replaces"),
    "body": ("in: body, name: cash_key", "Replayed", "other_request", "keyed", "it replaces"),
    "safety": (*BEFORE[:3], "{safety: unsafe, because: it adds, instead: ask us}", "it replaces"),
    "reason": (*BEFORE[:4], "'it''s \"whole\": all of it'"),
    "all": ("name: Cash-Key", "Again", "key_taken", "keyed", "the whole is given"),
}
WISHES = (Wishes(), Wishes(adopt=True), Wishes(copy_shared=True, adopt=True))


def _copied(path, write, plan, lost):
    """A file that ours was put into, each operation of which was copied by hand since; without its record if *lost*."""
    value = _put(path, write(WHOLE), plan)[1]
    value["paths"]["/two"] = json.loads(json.dumps(value["paths"]["/one"]))
    if lost:
        del value["x-idempotency"]
    return write(value)


def _resolved(value, node):
    while "$ref" in node:
        place, node = node["$ref"], value
        for key in place.split("/")[1:]:
            node = node[key]
    return node


@pytest.mark.parametrize("wishes", WISHES, ids=["as it is", "adopted", "adopted and copied"])
@pytest.mark.parametrize("lost", [False, True], ids=["recorded", "lost"])
@pytest.mark.parametrize("change", AFTER)
def test_a_copy_that_the_contract_has_left_behind_gets_no_twins(form, change, lost, wishes, contracted):
    path, write = form
    text = _copied(path, write, contracted(MONEY % BEFORE), lost)
    after, value, diagnostics = _put(path, text, contracted(MONEY % AFTER[change]), wishes=wishes)
    for template, item in value["paths"].items():
        for operation in item.values():
            named = [name for name in operation if name.startswith("x-idempotency")]
            assert named == ["x-idempotency"], template
            keys = [_resolved(value, one) for one in operation.get("parameters", ())]
            assert len({(one["in"], one["name"].lower()) for one in keys}) == len(keys) <= 1
            assert {one["in"] for one in keys} <= {"header", "query"}
            for response in operation["responses"].values():
                refs = [json.dumps(header) for header in response.get("headers", {}).values()]
                assert len(set(refs)) == len(refs), "one header of ours under two names"
                assert len([name for name in response if name.startswith("x-idempotency")]) <= 1
    bare = eject(Document(path, text)).value.after
    left = _value(eject(Document(path, after)).value.after, path)
    # The components that a copy refers to stay, and follow the contract.
    assert left["paths"] == _value(bare, path)["paths"], "what is not ours is given back as it was"
    told = {d.rule for d in diagnostics if d.severity is Severity.WARNING}
    fresh = _put(path, write(WHOLE), contracted(MONEY % AFTER[change]))[1]["paths"]["/one"]
    said = {method: operation["x-idempotency"] for method, operation in value["paths"]["/two"].items()}
    stale = said != {method: operation["x-idempotency"] for method, operation in fresh.items()}
    assert not stale or "openapi/unrecorded" in told, "what stays behind is told"
    assert not stale or change != "reason" or not wishes.adopt
    if change == "nothing":
        assert value["paths"] == _value(text, path)["paths"]


def test_a_copy_that_says_otherwise_is_brought_into_line_where_that_is_wished(form, contracted):
    path, write = form
    text = _copied(path, write, contracted(MONEY % BEFORE), lost=False)
    _, value, diagnostics = _put(path, text, contracted(MONEY % AFTER["reason"]))
    (finding,) = (d for d in diagnostics if d.rule == "openapi/unrecorded")
    assert (finding.severity, finding.subject) == (Severity.WARNING, "PUT /two")
    assert "--adopt" in finding.hint
    assert value["paths"]["/two"]["put"]["x-idempotency"]["because"] == "it replaces"
    _, value, diagnostics = _put(path, text, contracted(MONEY % AFTER["reason"]), wishes=Wishes(adopt=True))
    assert "openapi/unrecorded" not in {d.rule for d in diagnostics}
    assert value["paths"]["/two"]["put"] == value["paths"]["/one"]["put"]


def test_a_header_of_ours_under_a_name_of_before_is_told(form, contracted):
    path, write = form
    text = _copied(path, write, contracted(MONEY % BEFORE), lost=False)
    _, value, diagnostics = _put(path, text, contracted(MONEY % AFTER["indicator"]))
    told = [d for d in diagnostics if d.rule == "openapi/unrecorded" and "this header" in d.message]
    assert {(d.severity, d.subject) for d in told} == {(Severity.WARNING, "POST /two")}
    assert all(f"calls this header {BEFORE[1]}" in d.message and AFTER["indicator"][1] in d.hint for d in told)
    assert [*value["paths"]["/two"]["post"]["responses"]["200"]["headers"]] == [BEFORE[1]]


def test_an_example_of_our_name_that_shows_another_code_tells_nothing(form, planner):
    path, write = form
    media = planner(statuses=(409,)).select("POST", "/one", "", ()).answers[0].component.value["content"]
    shown = json.loads(json.dumps(media))
    for one in shown.values():
        one["schema"]["properties"]["code"].pop("enum")
    for code, rules in (("key_reused_409", set()), ("another", {"openapi/existing-response"})):
        value = json.loads(json.dumps(ONE))
        for one in shown.values():
            one["examples"]["one"]["value"]["code"] = code
        value["paths"]["/one"]["post"] = {"responses": {"409": {"description": "x", "content": shown}}}
        _, _, diagnostics = _put(path, write(value), planner(statuses=(409,)))
        assert {d.rule for d in diagnostics if d.severity is Severity.WARNING} == rules


@pytest.mark.parametrize(
    "stale",
    [
        {"safety": "natural", "because": "old", "more": 1},
        {"safety": "natural", "because": ["old"]},
        {"safety": {"is": "natural"}},
    ],
)
def test_what_can_not_be_written_value_by_value_stays_and_no_wish_is_named(form, stale, contracted):
    path, write = form
    value = {**ONE, "paths": {"/two": {"put": {"responses": {}, "x-idempotency": stale}}}}
    for wishes in WISHES:
        _, after, diagnostics = _put(path, write(value), contracted(MONEY % BEFORE), wishes=wishes)
        (finding,) = (d for d in diagnostics if d.rule == "openapi/unrecorded")
        assert "--adopt" not in finding.hint
        assert after["paths"] == value["paths"]


def test_many_copies_that_say_otherwise_are_told_once(form, contracted):
    path, write = form
    value = json.loads(json.dumps(ONE))
    for name in ("/two", "/three", "/four"):
        value["paths"][name] = {"put": {"x-idempotency": {"safety": "natural", "because": "old"}, "responses": {}}}
    _, _, diagnostics = _put(path, write(value), contracted(MONEY % BEFORE))
    (finding,) = (d for d in diagnostics if d.rule == "openapi/unrecorded")
    assert finding.message.startswith("/paths/~1two/put/x-idempotency and 2 more: ")


def test_an_anchored_copy_is_not_written_through(contracted):
    old = "{safety: natural, because: old}"
    text = emit(ONE) + f"  /a:\n    put: {{x-idempotency: &x {old}}}\n  /b:\n    put: {{x-idempotency: *x}}\n"
    after, value, diagnostics = _put("api.yaml", text, contracted(MONEY % BEFORE), wishes=Wishes(adopt=True))
    assert f"&x {old}" in after
    (finding,) = (d for d in diagnostics if d.rule == "openapi/unrecorded")
    assert "and 1 more" in finding.message
    assert value["paths"]["/b"]["put"]["x-idempotency"]["because"] == "old"


def test_two_root_documents_share_files_of_paths(planner):
    """The second finds what the first has put in: it is left, told once, and neither undoes the other's."""
    head = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'
    texts = {
        "a.yaml": head + "  /a: {$ref: paths/a.yaml}\n  /b: {$ref: paths/b.yaml}\n",
        "b.yaml": head + "  /x: {$ref: paths/a.yaml}\n  /y: {$ref: paths/b.yaml}\n",
        "paths/a.yaml": "post:\n  responses: {'200': {description: ok}}\n",
        "paths/b.yaml": "patch:\n  responses: {'200': {description: ok}, default: {description: bad}}\n",
    }

    def run(root, work):
        found = work(Document(root, texts[root]), opener=lambda name: Checked(Document(name, texts[name])))
        assert found.value is not None, found.diagnostics
        made = {root: found.value.after, **{name: one.after for name, one in found.value.others}}
        changed = {name for name, text in made.items() if texts[name] != text}
        texts.update(made)
        return changed, found.diagnostics

    def put(document, opener):
        return inject(document, planner(), opener=opener)

    before = dict(texts)
    assert run("a.yaml", put) == ({"a.yaml", "paths/a.yaml", "paths/b.yaml"}, ())
    first = dict(texts)
    changed, diagnostics = run("b.yaml", put)
    assert changed == {"b.yaml"}
    (finding,) = diagnostics
    assert (finding.rule, finding.severity) == ("openapi/already-there", Severity.NOTE)
    assert "/post/x-idempotency and 1 more are there already" in finding.message
    for root in ("a.yaml", "b.yaml"):
        assert run(root, put)[0] == set()
    changed, diagnostics = run("b.yaml", eject)
    assert (changed, texts) == ({"b.yaml"}, first)
    assert [(d.rule, d.severity) for d in diagnostics] == [("openapi/unrecorded", Severity.NOTE)]
    run("a.yaml", eject)
    assert texts == before


def test_an_audit_agrees_about_references_by_hand(planner):
    text = _with("api.yaml", emit, planner, {**HAND, "responses": {}})
    text = _put("api.yaml", text, planner())[0]
    found = audit(Document("api.yaml", text), planner())
    assert [d for d in found.diagnostics if d.severity is Severity.WARNING] == []


@pytest.mark.parametrize("name", ["Money-Key", "X-Request-Key"])
def test_a_copied_operation_has_our_key_once_whatever_our_component_is_called(form, name, contracted):
    path, write = form
    own = {"name": "Other", "in": "query", "schema": {"type": "string"}}
    start = {**ONE, "components": {"parameters": {"IdempotencyKey": own, "IdempotencyKey_2": own}}}
    value = _put(path, write(start), contracted(MONEY % BEFORE))[1]
    assert value["paths"]["/one"]["post"]["parameters"] == [{"$ref": "#/components/parameters/IdempotencyKey_3"}]
    value["paths"]["/two"] = json.loads(json.dumps(value["paths"]["/one"]))
    changed = contracted((MONEY % BEFORE).replace("name: Money-Key", f"name: {name}").replace("max: 201", "max: 99"))
    after = _put(path, write(value), changed)[1]
    for operation in (one["post"] for one in after["paths"].values()):
        assert operation["parameters"] == [{"$ref": "#/components/parameters/IdempotencyKey_3"}]
    assert after["components"]["parameters"]["IdempotencyKey_3"]["name"] == name
