"""Ours stays ours, and theirs theirs, wherever an author or another tool has moved either since."""

from __future__ import annotations

import copy
import json
from itertools import product

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.openapi import outline as outlines
from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

REF = {"$ref": "#/components/parameters/Idem"}
KEYS = {
    "none": [],
    "inline": [{"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}],
    "optional": [{"name": "idempotency-key", "in": "header", "required": False, "schema": {"maxLength": 9}}],
    "referred": [REF],
}
# These have of their own what is written into a key: nothing but its name tells the key from them.
TENANT = {
    "name": "X-Tenant",
    "in": "header",
    "required": True,
    "description": "Whose orders.",
    "schema": {"type": "string", "minLength": 16, "maxLength": 64},
}
QUERY = {**TENANT, "name": "page", "in": "query"}
WISHES = [Wishes(adopt=adopt, copy_shared=shared) for adopt, shared in product((True, False), repeat=2)]


def _document(lists):
    """An API with an operation for each (own, path's) pair of lists of parameters; one that is no POST refers, too."""
    paths = {"/read": {"get": {"parameters": [REF], "responses": {"200": {"description": "ok"}}}}}
    for number, (own, common) in enumerate(lists):
        item = paths[f"/orders{number}"] = {"parameters": common} if common else {}
        item["post"] = {
            **({"parameters": own} if own else {}),
            "responses": {"200": {"description": "ok"}, "409": {"$ref": "#/components/responses/Closed"}},
        }
    closed = {"description": "closed", "content": {"application/problem+json": {"schema": {"type": "object"}}}}
    parts = {"parameters": {"Idem": KEYS["inline"][0], "Tenant": TENANT}, "responses": {"Closed": closed}}
    return {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths, "components": parts}


def _lists(api):
    for item in api["paths"].values():
        for holder in (item, *(one for one in item.values() if isinstance(one, dict))):
            if isinstance(holder.get("parameters"), list):
                yield holder


def _each(api, change):
    for holder in _lists(api):
        holder["parameters"] = change(holder["parameters"])


def _renamed(node, old, new):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and value == old:
                node[key] = new
            else:
                _renamed(value, old, new)
    elif isinstance(node, list):
        for item in node:
            _renamed(item, old, new)


def _component(api):
    parts = api["components"]["parameters"]
    new = "Key" if "Key" not in parts else "Key2"
    api["components"]["parameters"] = {(new if name == "Idem" else name): parts[name] for name in parts}
    _renamed(api, "#/components/parameters/Idem", f"#/components/parameters/{new}")


def _swapped(api):
    """The key's component under another name, and another parameter under its own."""
    _component(api)
    api["components"]["parameters"]["Idem"] = copy.deepcopy(TENANT)


def _extracted(api):
    """Each list's own header as a component of its own, as when somebody tidies up."""
    for number, holder in enumerate(list(_lists(api))):
        for index, one in enumerate(holder["parameters"]):
            if one.get("name", "").lower() == "idempotency-key":
                api["components"]["parameters"][f"Own{number}"] = one
                holder["parameters"][index] = {"$ref": f"#/components/parameters/Own{number}"}


def _paths(api):
    api["paths"] = {("/v2" + template): item for template, item in api["paths"].items()}


def _sorted(node):
    if isinstance(node, dict):
        return {key: _sorted(node[key]) for key in sorted(node)}
    return [_sorted(item) for item in node] if isinstance(node, list) else node


def _by_name(api):
    found = _sorted(api)
    api.clear()
    api.update(found)


FIRST = {**TENANT, "name": "X-First"}
EDITS = {
    "another one in front": lambda api: _each(api, lambda items: [copy.deepcopy(FIRST), *items]),
    "two in front": lambda api: _each(api, lambda items: [copy.deepcopy(FIRST), copy.deepcopy(QUERY), *items]),
    "another one behind": lambda api: _each(api, lambda items: [*items, copy.deepcopy(FIRST)]),
    "turned round": lambda api: _each(api, lambda items: items[::-1]),
    "one gone": lambda api: _each(api, lambda items: [one for one in items if one.get("name") != "X-Tenant"]),
    "a component renamed": _component,
    "a component swapped": _swapped,
    "made components": _extracted,
    "paths renamed": _paths,
    "sorted by name": _by_name,
}


class _Writer(yaml.SafeDumper):
    """Writes out what stands at several places."""

    def ignore_aliases(self, data):
        return True


def _yaml(**style):
    return lambda api: yaml.dump(api, Dumper=_Writer, sort_keys=False, width=10_000, **style)


WRITERS = {
    "block": _yaml(),
    "flow": _yaml(default_flow_style=True),
    "wide": _yaml(indent=4),
    "JSON": lambda api: json.dumps(api, indent=2),
    "JSON on one line": json.dumps,
}


def _value(text):
    return plain(compose(Document("api.yaml", text)).value.root)


def _after(api, edits):
    """The document after the edits."""
    for name in edits:
        EDITS[name](api)
    return _without_empty(api)


def _without_empty(api):
    """The same without the lists that nothing is left in: whose they were is nobody's business any more."""
    for holder in list(_lists(api)):
        if not holder["parameters"]:
            del holder["parameters"]
    return api


def _check(before, writer, wishes, edits, plan, after=None):
    """*after* is what writes the file anew, if that is another one."""
    made = inject(Document("api.yaml", WRITERS[writer](before)), plan, wishes=wishes)
    assert made.value is not None, made.diagnostics
    edited = WRITERS[after or writer](_after(_value(made.value.after), edits))
    # Nothing is to be shared within it.
    expected = _after(json.loads(json.dumps(before)), edits)
    back = eject(Document("api.yaml", edited))
    assert back.value is not None, back.diagnostics
    assert back.diagnostics == ()
    assert _without_empty(_value(back.value.after)) == expected
    again = inject(Document("api.yaml", edited), plan, wishes=wishes)
    assert again.value is not None, again.diagnostics
    assert "openapi/edited-node" not in {one.rule for one in again.diagnostics}
    third = inject(Document("api.yaml", again.value.after), plan, wishes=wishes)
    assert third.value is not None
    assert third.value.after == again.value.after
    back = eject(Document("api.yaml", again.value.after))
    assert back.value is not None
    assert _without_empty(_value(back.value.after)) == expected


@pytest.fixture(scope="module")
def plan(contracted):
    return contracted("orders.yaml")


@pytest.mark.parametrize("least", [outlines.LEAST, 0], ids=["whole", "outlined"])
@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("key", KEYS)
def test_ours_is_found_after_an_edit_and_nothing_else_is_taken_for_it(key, edit, writer, least, plan, monkeypatch):
    monkeypatch.setattr(outlines, "LEAST", least)
    lists = [([TENANT, *KEYS[key], QUERY], []), ([TENANT], KEYS[key]), (KEYS[key] or [QUERY], [TENANT])]
    for wishes in WISHES if least and writer in ("block", "JSON") else WISHES[:1]:
        _check(_document(lists), writer, wishes, [edit], plan)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(sorted(KEYS)).flatmap(lambda key: st.permutations([*KEYS[key], TENANT, QUERY])),
            st.sampled_from([[], [TENANT], [REF, TENANT], [*KEYS["optional"], QUERY]]),
        ),
        min_size=1,
        max_size=3,
    ),
    st.sampled_from(sorted(WRITERS)),
    st.sampled_from(sorted(WRITERS)),
    st.sampled_from(WISHES),
    st.lists(st.sampled_from(sorted(EDITS)), max_size=3, unique=True),
)
@settings(deadline=None)
def test_ours_is_found_after_any_edits(plan, lists, writer, after, wishes, edits):
    _check(_document(lists), writer, wishes, edits, plan, after)


OWN = {"description": "its author's own words"}


def _marked(api):
    """Where its author's own responses stand, by path, method and status."""
    return {
        (template, method, status)
        for template, item in api["paths"].items()
        for method, operation in item.items()
        for status, response in operation.get("responses", {}).items()
        if response.get("description") == OWN["description"]
    }


@given(
    st.lists(st.sets(st.sampled_from(["400", "409", "422", "503"])), min_size=2, max_size=4),
    st.lists(st.tuples(st.sampled_from(["copy", "move", "drop", "answer"]), st.integers(0, 9)), min_size=1, max_size=4),
    st.sampled_from(["block", "JSON"]),
)
@settings(deadline=None)
def test_no_answer_of_an_author_is_ever_taken_for_ours(plan, owns, edits, writer):
    paths = {
        f"/orders{number}": {"post": {"responses": {"200": {"description": "ok"}, **dict.fromkeys(own, OWN)}}}
        for number, own in enumerate(owns)
    }
    before = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": paths}
    made = inject(Document("api.yaml", WRITERS[writer](before)), plan)
    assert made.value is not None
    api = _value(made.value.after)
    for number, (edit, which) in enumerate(edits):
        templates = list(api["paths"])
        if not templates:
            break
        at = templates[which % len(templates)]
        if edit == "copy":
            api["paths"][f"/new{number}"] = copy.deepcopy(api["paths"][at])
        elif edit == "move":
            api["paths"][f"/new{number}"] = api["paths"].pop(at)
        elif edit == "drop":
            del api["paths"][at]
        else:
            responses = api["paths"][at]["post"]["responses"]
            responses[("409", "422", "503")[which % 3]] = OWN
    text = WRITERS[writer](api)
    for forced in (False, True):
        after = inject(Document("api.yaml", text), plan, force=forced)
        assert after.value is not None, after.diagnostics
        back = eject(Document("api.yaml", after.value.after), force=forced)
        assert back.value is not None
        for left in (after, back):
            kept = _marked(_value(left.value.after))
            gone = _marked(api) - kept
            # Where one took the place of ours in an operation that stays where it was, --force gives ours back.
            assert not gone or (forced and all(_stood(made, place, api) for place in gone)), gone


def _stood(made, place, api):
    """Whether a response of ours stood at the place before, in an operation that is there as it was."""
    template, method, status = place
    old = _value(made.value.after)["paths"]
    return template in old and "$ref" in old[template][method]["responses"][status]


@pytest.mark.parametrize("after", WRITERS)
@pytest.mark.parametrize("writer", WRITERS)
def test_ours_is_found_in_a_file_that_was_converted(writer, after, plan):
    lists = [([TENANT, *KEYS[key], QUERY], []) for key in KEYS]
    for wishes in WISHES:
        _check(_document(lists), writer, wishes, [], plan, after)


def test_a_parameter_that_is_gone_is_told_once_and_nothing_of_it_is_touched(plan):
    before = _document([([TENANT, *KEYS["inline"]], [])])
    made = inject(Document("api.yaml", WRITERS["block"](before)), plan, wishes=WISHES[0])
    api = _value(made.value.after)
    key = api["paths"]["/orders0"]["post"]["parameters"][1]
    key["name"] = "X-Attempt"
    text = WRITERS["block"](api)
    again = inject(Document("api.yaml", text), plan)
    (told,) = (one for one in again.diagnostics if one.rule == "openapi/lost-parameter")
    assert told.subject == "/paths/~1orders0/post/parameters/1"
    assert "header idempotency-key" in told.message
    assert _value(again.value.after)["paths"]["/orders0"]["post"]["parameters"][:2] == [TENANT, key]
    third = inject(Document("api.yaml", again.value.after), plan)
    assert "openapi/lost-parameter" not in {one.rule for one in third.diagnostics}
    back = eject(Document("api.yaml", text))
    assert [one.rule for one in back.diagnostics] == ["openapi/lost-parameter"]
    assert _value(back.value.after)["paths"]["/orders0"]["post"]["parameters"] == [TENANT, key]


@pytest.mark.parametrize("key", ["inline", "optional"])
@pytest.mark.parametrize("member", ["required", "description", "schema/minLength", "schema/maxLength"])
@pytest.mark.parametrize("forced", [False, True])
def test_an_edit_of_what_was_adopted_is_kept_when_that_is_wished_again(forced, member, key, plan):
    before = _document([([TENANT, *KEYS[key]], [])])
    made = inject(Document("api.yaml", WRITERS["block"](before)), plan, wishes=WISHES[0])
    api = _value(made.value.after)
    *way, last = member.split("/")
    holder = api["paths"]["/orders0"]["post"]["parameters"][1]
    for step in way:
        holder = holder[step]
    ours, holder[last] = holder[last], "its editor's"
    again = inject(Document("api.yaml", WRITERS["block"](api)), plan, wishes=WISHES[0], force=forced)
    assert ("openapi/edited-node" in {one.rule for one in again.diagnostics}) is not forced
    after = _value(again.value.after)
    found = after["paths"]["/orders0"]["post"]["parameters"][1]
    for step in way:
        found = found[step]
    assert found[last] == (ours if forced else "its editor's")
    third = inject(Document("api.yaml", again.value.after), plan, wishes=WISHES[0], force=forced)
    assert third.value.after == again.value.after
    # What was there before both is still known.
    back = eject(Document("api.yaml", again.value.after), force=True)
    assert _value(back.value.after) == before
