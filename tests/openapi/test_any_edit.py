"""Whatever somebody makes of a file with ours in it, the next run and `eject` leave it whole."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.openapi.record import digest
from idempact.text.diagnostic import Severity
from idempact.text.nodes import compose, decode, plain
from idempact.text.span import Document

HERE = Path(__file__).parent
WISHES = [Wishes(copy_shared=shared, adopt=adopt) for shared in (False, True) for adopt in (False, True)]
CONTRACTS = ("every-write.yaml", "hostile.yaml", "changed.yaml")


class _Writer(yaml.SafeDumper):
    """Writes out what stands at several places."""

    def ignore_aliases(self, data):
        return True


WRITERS = {
    "block": lambda api: yaml.dump(api, Dumper=_Writer, sort_keys=False, width=10_000, allow_unicode=True),
    "flow": lambda api: yaml.dump(api, Dumper=_Writer, sort_keys=False, width=10_000, default_flow_style=True),
    "JSON": lambda api: json.dumps(api, indent=2),
}


def _value(text):
    return plain(compose(Document("api.yaml", text)).value.root)


STARTS = {
    path.parent.name: _value(decode(path.name, path.read_bytes()).value.text)
    for path in sorted(HERE.glob("*/before.*"))
}
# What an author may have of their own beside the key, with the same values in it.
TENANT = {"name": "X-Tenant", "in": "header", "required": True, "schema": {"type": "string", "maxLength": 255}}
KEY = {"name": "Idempotency-Key", "in": "header", "schema": {"type": "string"}}


def _places(value, path=()):
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


def _at(value, path):
    for key in path:
        value = value[key]
    return value


def _follow(api, ref):
    try:
        at = api
        for key in ref.split("/")[1:]:
            key = key.replace("~1", "/").replace("~0", "~")
            at = at[int(key)] if isinstance(at, list) else at[key]
    except (KeyError, IndexError, ValueError, TypeError):
        return None
    return at


def _references(api):
    for path in _places(api):
        if path[-1] == "$ref" and isinstance(ref := _at(api, path), str) and ref.startswith("#/"):
            yield ref


def _dangling(api):
    return {ref for ref in _references(api) if _follow(api, ref) is None}


def _put_back(holder, items):
    holder.clear()
    holder.update(items)


def _edit(api, draw, number):
    """One edit as people and tools make them, at any place of the paths and components."""
    places = [path for path in _places(api) if path[0] in ("paths", "components") and len(path) > 1]
    if not places:
        return
    path = places[draw(st.integers(0, 10**6)) % len(places)]
    holder, key, value = _at(api, path[:-1]), path[-1], _at(api, path)
    mark = f"/mark{number}" if path[0] == "paths" and len(path) == 2 else f"mark{number}"
    edit = draw(st.sampled_from(["drop", "copy", "move", "rename", "set", "add", "sort", "write out", "key"]))
    if edit == "drop":
        del holder[key]
    elif edit == "copy" and isinstance(holder, list):
        holder.insert(0, copy.deepcopy(value))
    elif edit == "copy":
        holder[mark] = copy.deepcopy(value)
    elif edit == "move" and isinstance(holder, list):
        holder.insert(0, holder.pop(key))
    elif edit == "rename" and isinstance(holder, dict):
        _put_back(holder, [(mark if name == key else name, item) for name, item in holder.items()])
        if path[0] == "components" and len(path) == 3:
            old = f"#/components/{path[1]}/{key}"
            for place in [place for place in _places(api) if place[-1] == "$ref" and _at(api, place) == old]:
                _at(api, place[:-1])["$ref"] = f"#/components/{path[1]}/{mark}"
    elif edit == "set" and not isinstance(value, dict | list):
        holder[key] = mark
    elif edit == "add" and isinstance(value, dict):
        value[mark] = mark
    elif edit == "sort" and isinstance(value, dict):
        _put_back(value, sorted(value.items()))
    elif edit == "write out" and isinstance(value, dict) and isinstance(value.get("$ref"), str):
        found = _follow(api, value["$ref"])
        if isinstance(found, dict) and found is not value:
            _put_back(value, copy.deepcopy(found))
    elif edit == "key" and key == "post" and isinstance(value, dict):
        value.setdefault("parameters", [])
        if isinstance(value["parameters"], list):
            value["parameters"][:0] = copy.deepcopy([TENANT, KEY])


def _refused(found):
    """Whether nothing was made, for a reason that the file gives."""
    errors = [one for one in found.diagnostics if one.severity is Severity.ERROR]
    assert (found.value is None) is bool(errors)
    assert [one.message for one in errors if "report this" in one.hint] == []
    return found.value is None


@pytest.fixture(scope="module")
def plans(contracted):
    return [contracted(name) for name in CONTRACTS]


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_any_edit_leaves_the_next_run_and_the_way_back(plans, data):
    draw = data.draw
    api = json.loads(json.dumps(STARTS[draw(st.sampled_from(sorted(STARTS)))]))
    for number in range(draw(st.integers(0, 2))):
        _edit(api, draw, f"0{number}")
    for turn in range(draw(st.integers(1, 3))):
        plan, wishes, forced = draw(st.sampled_from(plans)), draw(st.sampled_from(WISHES)), draw(st.booleans())
        text = WRITERS[draw(st.sampled_from(sorted(WRITERS)))](api)
        found = inject(Document("api.yaml", text), plan, wishes=wishes, force=forced)
        if _refused(found):
            return
        after = _value(found.value.after)
        assert _dangling(after) <= _dangling(api)
        _true(after, found, forced)
        again = inject(Document("api.yaml", found.value.after), plan, wishes=wishes, force=forced)
        assert again.value is not None
        assert again.value.after == found.value.after
        back = eject(Document("api.yaml", found.value.after), force=forced)
        if not _refused(back):
            assert _dangling(_value(back.value.after)) <= _dangling(after)
        for number in range(draw(st.integers(1, 4))):
            _edit(after, draw, f"{turn + 1}{number}")
        api = after


def _true(api, found, forced):
    """The record names what is there: whatever is another value by now has been told."""
    owner = next((v["generated_by"] for v in api.values() if isinstance(v, dict) and "generated_by" in v), None)
    if owner is None:
        return
    replaced = {at: one["now"] for at, one in owner.get("replaced", {}).items()}
    assert not owner["inserted"].keys() & replaced.keys()
    there = {at: _follow(api, "#" + at) for at in (owner["inserted"] | replaced)}
    assert [at for at, value in there.items() if value is None] == []
    edited = [at for at, known in (owner["inserted"] | replaced).items() if digest(there[at]) != known]
    told = [one for one in found.diagnostics if one.rule in ("openapi/edited-node", "openapi/shared-line")]
    assert forced or len(edited) <= len(told), edited
