"""Hand-made plans, so that the engine is tested without a contract; and readers that are not ours."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from idempact.openapi.plan import Answer, Component, KeyParameter, OperationPlan, Plan, Section
from idempact.text.diagnostic import Diagnostic, Severity

Planner = Callable[..., Plan]


def _component(section: Section, name: str, value: dict, parts: tuple[Component, ...] = ()) -> Component:
    return Component(section, name, value, parts)


@pytest.fixture(scope="session")
def planner() -> Planner:
    """A function that makes a plan for the state-changing operations whose path is in *keyed* (all without one)."""

    def make(
        keyed: tuple[str, ...] | None = None,
        *,
        code: str = "key_reused",
        indicator: str = "Idempotent-Replayed",
        statuses: tuple[int, ...] = (400, 409),
        longest: int = 255,
        said: str = "One key per business event: kept for 24 hours, # and it's 'quoted'.",
    ) -> Plan:
        header = _component(
            Section.HEADERS,
            "IdempotentReplayed",
            {"description": "A repeat: the first answer again.", "schema": {"type": "string"}},
        )
        after = _component(
            Section.HEADERS,
            "IdempotencyRetryAfter",
            {"description": "Seconds, at least.", "schema": {"type": "integer"}},
        )
        parameter = KeyParameter(
            "header",
            "Idempotency-Key",
            True,
            longest,
            _component(
                Section.PARAMETERS,
                "IdempotencyKey",
                {
                    "name": "Idempotency-Key",
                    "in": "header",
                    "required": True,
                    "description": said,
                    "schema": {"type": "string", "minLength": 1, "maxLength": longest},
                },
            ),
        )
        answers = tuple(
            Answer(
                status,
                (f"{code}_{status}",),
                _component(
                    Section.RESPONSES,
                    f"Idempotency{status}",
                    {
                        "description": f"Refused: {code}_{status}",
                        **({"headers": {"Retry-After": {"$ref": after.ref}}} if status == 409 else {}),
                        "content": {
                            "application/problem+json": {
                                "schema": {
                                    "type": "object",
                                    "required": ["code"],
                                    "properties": {"code": {"type": "string", "enum": [f"{code}_{status}"]}},
                                },
                                "examples": {"one": {"value": {"code": f"{code}_{status}"}}},
                            }
                        },
                    },
                    (after,) if status == 409 else (),
                ),
                (("Retry-After", after),) if status == 409 else (),
            )
            for status in statuses
        )
        operation = OperationPlan(
            "POST /**",
            {"safety": "keyed", "window": "24h", "codes": [f"{code}_{s}" for s in statuses]},
            parameter,
            answers,
            (indicator, header),
            lambda status: 400 < status < 500,
        )
        natural = OperationPlan("PUT /**", {"safety": "natural", "because": "replaces: the whole"})

        def select(method: str, path: str, operation_id: str, tags: tuple[str, ...]) -> OperationPlan | None:
            if method == "PUT":
                return natural
            return operation if keyed is None or path in keyed else None

        def unlisted(method: str, path: str) -> Diagnostic:
            return Diagnostic("openapi/unlisted-operation", Severity.WARNING, f"{method} {path} is not listed", None)

        missing = {
            path: Diagnostic("openapi/unknown-operation", Severity.WARNING, f"{path} is not there", None)
            for path in (keyed or ())
            if path == "/absent"
        }
        return Plan({"contract": "test", "window": "24h"}, select, missing, unlisted)

    return make


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real files beside the checkout; a test that needs it is skipped where there is none."""
    for folder in Path(__file__).resolve().parents:
        if (folder / "pyproject.toml").is_file():
            found = folder.parent / "shared"
            if (found / "specs").is_dir():
                return found
    pytest.skip("the real OpenAPI files (../shared/specs) are not there")


def _ruamel(text: str) -> Any:
    reader = YAML(typ="safe", pure=True)
    reader.version = (1, 2)
    # Dates are texts for this comparison: real files hold some that don't exist.
    reader.constructor.yaml_constructors = dict(reader.constructor.yaml_constructors)
    reader.constructor.yaml_constructors["tag:yaml.org,2002:timestamp"] = lambda loader, node: loader.construct_scalar(
        node
    )
    return reader.load(text)


def _independent(path: str, text: str) -> Any:
    text = text.removeprefix("\ufeff")
    return json.loads(text) if path.endswith(".json") else _ruamel(text)


def _without(value: Any, pointers: list[str]) -> Any:
    """The value without what stands at *pointers*, the last item of a list first."""
    paths = [[p.replace("~1", "/").replace("~0", "~") for p in at.split("/")[1:]] for at in pointers]
    for path in sorted(paths, key=lambda p: [(len(k), k) for k in p], reverse=True):
        holder = value
        for key in path[:-1]:
            holder = _step(holder, key)
            if holder is None:
                break
        if isinstance(holder, list):
            del holder[int(path[-1])]
        elif holder is not None:
            for key in [k for k in holder if str(k) == path[-1]]:
                del holder[key]
    return value


def _step(holder: Any, key: str) -> Any:
    if isinstance(holder, list):
        return holder[int(key)] if int(key) < len(holder) else None
    return next((value for name, value in holder.items() if str(name) == key), None)


@pytest.fixture(scope="session")
def unchanged() -> Callable[..., None]:
    """A check by other readers than ours (ruamel.yaml, json): *after* without what it says is ours is *before*.

    *others* are the texts of the other files before and after, by name.
    """

    def check(path: str, before: str, after: str, others: dict[str, tuple[str, str]] | None = None) -> None:
        old, new = _independent(path, before), _independent(path, after)
        names = [name for name, value in new.items() if isinstance(value, dict) and "generated_by" in value]
        assert len(names) == 1, "no record of what was inserted"
        owner = new[names[0]]["generated_by"]
        assert owner["inserted"]
        shares = owner.get("files", {})
        assert shares.keys() == {name for name, (was, now) in (others or {}).items() if was != now}
        for name, share in shares.items():
            was, now = (_independent(name, text) for text in others[name])
            assert share["inserted"]
            assert now != was
            assert _without(now, [*share["inserted"], *share.get("created", [])]) == was
        bare = _without(new, [*owner["inserted"], *owner.get("created", []), f"/{names[0]}"])
        assert bare == old

    return check


@pytest.fixture(scope="session")
def complaints() -> Callable[[str, str], set[tuple[str, str]]]:
    """What openapi-spec-validator says of a text, which it is given as read by YAML 1.2's rules: place and clause.

    A fault of a copy is told at what it is a copy of; what was invalid by a clause still is when something is added.
    """
    from jsonschema_path import SchemaPath
    from openapi_spec_validator.shortcuts import get_validator_cls

    from idempact.openapi.validate import value
    from idempact.text.nodes import compose
    from idempact.text.span import Document

    def find(path: str, text: str) -> set[tuple[str, str]]:
        tree = compose(Document(path, text)).value
        assert tree is not None
        spec = value(tree.root)
        copies = dict(_copies(spec))
        found = set()
        for error in get_validator_cls(spec)(SchemaPath.from_dict(spec)).iter_errors():
            place = "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in error.absolute_path)
            copy = "/".join(place.split("/")[:4])
            clause = "/".join(map(str, error.absolute_schema_path)) or error.message
            found.add((copies.get(copy, copy) + place.removeprefix(copy), clause))
        return found

    return find


def _copies(spec: Any) -> Any:
    """Each copied component's pointer with that of its original, by what the root extension says was replaced."""
    for value in spec.values():
        owner = value.get("generated_by", {}) if isinstance(value, dict) else {}
        for at, one in owner.get("replaced", {}).items() if isinstance(owner, dict) else ():
            here = spec
            for key in at.split("/")[1:]:
                here = _step(here, key.replace("~1", "/").replace("~0", "~"))
            if at.endswith("/$ref"):
                yield here.lstrip("#"), one["was"].strip("'\"").lstrip("#")


@pytest.fixture(scope="session")
def contracted() -> Callable[..., Plan]:
    """A function that makes the plan of a contract, given as text or as the name of a file in ``contracts``."""
    from idempact.contract.read import read
    from idempact.facts.derive import Facts
    from idempact.openapi.extension import plan_of
    from idempact.openapi.vendors import vendors
    from idempact.render.environment import template_roots
    from idempact.render.words import Words
    from idempact.text.nodes import compose
    from idempact.text.span import Document

    words = Words.load("en", template_roots())

    def make(contract: str, extras: tuple[str, ...] = (), samples: dict | None = None) -> Plan:
        if contract.endswith(".yaml"):
            contract = (Path(__file__).parent / "contracts" / contract).read_text(encoding="utf-8")
        tree = compose(Document("contract.yaml", contract))
        assert tree.value is not None, tree.diagnostics
        found = read(tree.value)
        assert found.value is not None, found.diagnostics
        assert not found.broken, found.diagnostics
        facts = Facts.of(found.value.contract)
        return plan_of(facts, found.value.source, words, vendors(facts, extras, samples or {}))

    return make


@pytest.fixture(scope="session")
def back_and_forth() -> Callable[..., Any]:
    """A check of a text in memory: inject, again, eject; gives the result's value, its text and the findings."""
    from idempact.openapi.inject import eject, inject
    from idempact.openapi.plan import Wishes
    from idempact.text.nodes import compose, plain
    from idempact.text.span import Document

    def run(text: str, plan: Plan, path: str = "api.yaml", wishes: Wishes | None = None) -> Any:
        found = inject(Document(path, text), plan, wishes=wishes)
        assert found.value is not None, found.diagnostics
        after = found.value.after
        again = inject(Document(path, after), plan, wishes=wishes)
        assert again.value is not None, again.diagnostics
        assert again.value.after == after, "a second run changes something"
        back = eject(Document(path, after))
        assert back.value is not None, back.diagnostics
        assert back.value.after == text, "eject doesn't give the input back"
        assert back.diagnostics == ()
        tree = compose(Document(path, after)).value
        assert tree is not None
        return plain(tree.root), after, found.diagnostics

    return run
