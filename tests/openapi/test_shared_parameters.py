"""A declared key that several use: it is brought into line for all of them, or for none, or in a copy."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.openapi.audit import audit
from idempact.openapi.inject import inject
from idempact.openapi.plan import Wishes
from idempact.text.span import Document

ADOPT, COPY = Wishes(adopt=True), Wishes(copy_shared=True, adopt=True)

CONTRACT = """\
idempact: 1
api: {name: Orders, base_url: https://api.orders.example, contact: https://orders.example/help}
key: {name: Idempotency-Key, required: true, length: {min: 16, max: 64}}
scope: [account]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: job, lasts: 6h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: re-execute}
answers:
  expired_key: {answer: execute}
  mismatch: {status: 422, code: reused}
  in_flight: {status: 409, code: running, retry_after: 1s}
unlisted_operations: warning
operations:
  POST /**: keyed
  POST /short: {safety: keyed, key: {required: false, length: {min: 16, max: 36}}}
  PUT /**: {safety: natural, because: replaces}
  DELETE /**: {safety: unsafe, because: counts, instead: nothing}
"""
HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\n'
KEY = "{name: Idempotency-Key, in: header, required: false, schema: {type: string}}"
REF = "{$ref: '#/components/parameters/Idem'}"
COMPONENT = f"components:\n  parameters:\n    Idem: {KEY}\n"

# Who else may use the parameter, how that is written in `paths` or beside it, and how the finding calls them.
OTHERS = {
    "a GET": (f"  /x:\n    get: {{parameters: [{REF}]}}\n", "", "GET /x"),
    "a natural operation": (f"  /x:\n    put: {{parameters: [{REF}]}}\n", "", "PUT /x"),
    "an unsafe operation": (f"  /x:\n    delete: {{parameters: [{REF}]}}\n", "", "DELETE /x"),
    "an unlisted operation": (f"  /x:\n    patch: {{parameters: [{REF}]}}\n", "", "PATCH /x"),
    "other settings": (f"  /short:\n    post: {{parameters: [{REF}]}}\n", "", "POST /short"),
    "a path's GET": (f"  /x:\n    parameters: [{REF}]\n    get: {{}}\n", "", "GET /x"),
    "a chain": (
        "  /x:\n    get: {parameters: [{$ref: '#/components/parameters/Too'}]}\n",
        "    Too: {$ref: '#/components/parameters/Idem'}\n",
        "GET /x",
    ),
    "a webhook": ("", f"webhooks:\n  paid:\n    post: {{parameters: [{REF}]}}\n", "#/webhooks/paid/post"),
    "a callback": (
        f"  /x:\n    get: {{callbacks: {{c: {{u: {{post: {{parameters: [{REF}]}}}}}}}}}}\n",
        "",
        "#/paths/~1x/get/callbacks/c/u/post",
    ),
}


@pytest.mark.parametrize("case", OTHERS)
def test_what_others_use_is_not_rewritten_behind_their_backs(case, contracted, back_and_forth):
    paths, beside, label = OTHERS[case]
    text = HEAD + f"paths:\n  /a:\n    post: {{parameters: [{REF}]}}\n" + paths + COMPONENT + beside
    api, after, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=ADOPT)
    assert api["components"]["parameters"]["Idem"] == {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "schema": {"type": "string"},
    }
    told = [d for d in diagnostics if d.rule == "openapi/shared-parameter"]
    assert label in next(d for d in told if d.subject == "POST /a").message
    assert "--copy-shared" in told[0].hint
    assert not any("--adopt writes" in d.hint for d in diagnostics)

    api, after, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=COPY)
    shared = api["components"]["parameters"]
    copy = shared[api["paths"]["/a"]["post"]["parameters"][0]["$ref"].rpartition("/")[2]]
    assert shared["Idem"]["required"] is False
    assert (copy["required"], copy["schema"]["maxLength"]) == (True, 64)
    assert not any(d.rule == "openapi/shared-parameter" for d in diagnostics)
    assert _different(after, contracted(CONTRACT)) == []


def _different(text, plan):
    return [d for d in audit(Document("api.yaml", text), plan).diagnostics if d.rule == "openapi/different-declaration"]


@pytest.mark.parametrize("declared", [KEY, REF])
@pytest.mark.parametrize("other", ["get", "put", "delete", "patch"])
def test_a_paths_key_stays_for_its_other_operations_and_the_copy_overrides_it(
    declared, other, contracted, back_and_forth
):
    text = HEAD + f"paths:\n  /a:\n    parameters: [{declared}]\n    post: {{}}\n    {other}: {{}}\n" + COMPONENT
    api, _, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=ADOPT)
    assert "parameters" not in api["paths"]["/a"]["post"]
    assert "maxLength" not in str(api["paths"]["/a"]["parameters"])
    assert "maxLength" not in str(api["components"]["parameters"]["Idem"])
    (told,) = (d for d in diagnostics if d.rule == "openapi/shared-parameter")
    assert f"{other.upper()} /a" in told.message
    api, after, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=COPY)
    (own,) = api["paths"]["/a"]["post"]["parameters"]
    copy = api["components"]["parameters"][own["$ref"].rpartition("/")[2]]
    assert (copy["name"], copy["required"], copy["schema"]["maxLength"]) == ("Idempotency-Key", True, 64)
    assert "maxLength" not in str(api["paths"]["/a"]["parameters"])
    assert "parameters" not in api["paths"]["/a"][other]
    # The operation's own is what counts for it from now on.
    assert _different(after, contracted(CONTRACT)) == []


def test_what_only_operations_with_the_same_wish_use_is_rewritten_at_its_place(contracted, back_and_forth):
    use = f"post: {{parameters: [{REF}]}}"
    text = HEAD + f"paths:\n  /a:\n    {use}\n  /b:\n    parameters: [{REF}]\n    post: {{}}\n" + COMPONENT
    for wishes in (ADOPT, COPY):
        api, _, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=wishes)
        assert list(api["components"]["parameters"]) == ["Idem"]
        assert api["components"]["parameters"]["Idem"]["required"] is True
        assert not any(d.rule.endswith(("-parameter", "-declaration")) for d in diagnostics)


def test_a_path_that_its_reader_overrides_is_the_writers_alone(contracted, back_and_forth):
    text = HEAD + (
        f"paths:\n  /a:\n    parameters: [{KEY}]\n    post: {{}}\n"
        "    get: {parameters: [{name: Idempotency-Key, in: header}]}\n"
    )
    api, _, _ = back_and_forth(text, contracted(CONTRACT), wishes=ADOPT)
    assert api["paths"]["/a"]["parameters"][0]["required"] is True


def test_an_operation_under_two_paths_is_told_and_left(contracted):
    text = HEAD + (
        f"paths:\n  /a: {{$ref: '#/components/pathItems/P'}}\n  /short: {{$ref: '#/components/pathItems/P'}}\n"
        f"components:\n  pathItems:\n    P:\n      post: {{parameters: [{KEY}]}}\n"
    )
    for wishes in (ADOPT, COPY):
        found = inject(Document("api.yaml", text), contracted(CONTRACT), wishes=wishes)
        assert KEY in found.value.after
        (told,) = (d for d in found.diagnostics if d.rule == "openapi/shared-parameter")
        assert "POST /short" in told.message


USES = tuple(product(("post", "put", "get", "delete", "patch"), ("/a", "/short", "/x"), ("own", "path", "")))


@given(chosen=st.sets(st.sampled_from(USES), min_size=1, max_size=6), copy=st.booleans())
def test_no_operation_ever_gets_a_key_that_its_contract_does_not_want(chosen, copy, contracted, back_and_forth):
    """Whoever uses the parameter: it is what it was, or what the contract wants of that very operation."""
    text = HEAD + "paths:\n"
    for path in sorted({path for _, path, _ in chosen}):
        text += f"  {path}:\n"
        if any(place == "path" for _, at, place in chosen if at == path):
            text += f"    parameters: [{REF}]\n"
        for method in sorted({method for method, at, _ in chosen if at == path}):
            own = any(place == "own" for one, at, place in chosen if (one, at) == (method, path))
            text += f"    {method}: {{{f'parameters: [{REF}]' if own else ''}}}\n"
    api, _, _ = back_and_forth(text + COMPONENT, contracted(CONTRACT), wishes=COPY if copy else ADOPT)
    for path, item in api["paths"].items():
        for method in ("post", "put", "get", "delete", "patch"):
            if method not in item:
                continue
            listed = item[method].get("parameters") or item.get("parameters") or []
            for ref in listed:
                key = api["components"]["parameters"][ref["$ref"].rpartition("/")[2]]
                seen = (key["required"], key["schema"].get("maxLength"))
                keyed = ((False, 36) if path == "/short" else (True, 64)) if method == "post" else (False, None)
                assert seen in {(False, None), keyed}
                assert not (copy and method == "post") or seen == keyed


@pytest.mark.parametrize("second", [REF, "{$ref: '#/components/parameters/Too'}"])
def test_a_path_that_declares_the_key_twice_is_overridden_once(second, contracted, back_and_forth):
    text = HEAD + f"paths:\n  /a:\n    parameters: [{REF}, {second}]\n    post: {{responses: {{}}}}\n    get: {{}}\n"
    text += COMPONENT + f"    Too: {KEY}\n"
    api, _, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=COPY)
    assert len(api["paths"]["/a"]["post"]["parameters"]) == 1
    assert any("declared twice" in one.message for one in diagnostics)


@pytest.mark.parametrize("name", ["idempotency-key", "IDEMPOTENCY-KEY"])
def test_an_operation_that_has_the_header_in_another_case_gets_no_third_one(name, contracted, back_and_forth):
    own = KEY.replace("Idempotency-Key", name)
    text = (
        HEAD + f"paths:\n  /a:\n    parameters: [{REF}]\n    get: {{}}\n    post: {{parameters: [{own}]}}\n" + COMPONENT
    )
    api, _, diagnostics = back_and_forth(text, contracted(CONTRACT), wishes=COPY)
    (left,) = api["paths"]["/a"]["post"]["parameters"]
    assert left["name"] == name
    assert any("declared twice" in one.message for one in diagnostics)
