"""APIs over several files: what a reference leads to is edited where it stands, and refers to the root document."""

from __future__ import annotations

import json
import posixpath

import pytest

from idempact.openapi.audit import audit
from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.emit import emit
from idempact.text.nodes import Mapping, Scalar, compose, plain, walk
from idempact.text.span import Document

HEAD = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n'


class Files:
    """Files in memory, as a folder with the root document api.yaml (or another) would hold them."""

    def __init__(self, root: str, **others: str) -> None:
        self.root = root
        self.texts = {name.replace("__", "/").replace("_", "."): text for name, text in others.items()}
        self.opened: list[str] = []

    def open(self, name: str) -> Checked[Document]:
        self.opened.append(name)
        if name not in self.texts:
            finding = Diagnostic("text/unreadable-file", Severity.ERROR, f"{name}: No such file or directory", None)
            return Checked(None, (finding,))
        return Checked(Document(name, self.texts[name]))

    def inject(self, plan, **more):
        found = inject(Document("api.yaml", self.root), plan, opener=self.open, **more)
        assert found.value is not None, found.diagnostics
        after = Files(found.value.after)
        after.texts = {**self.texts, **{name: one.after for name, one in found.value.others}}
        return after, found

    def eject(self):
        found = eject(Document("api.yaml", self.root), opener=self.open)
        assert found.value is not None, found.diagnostics
        after = Files(found.value.after)
        after.texts = {**self.texts, **{name: one.after for name, one in found.value.others}}
        return after, found

    def at(self, origin: str, ref: str):
        """What a reference from the file *origin* ("" for the root) leads to."""
        name, _, fragment = ref.partition("#")
        name = posixpath.normpath(posixpath.join(posixpath.dirname(origin), name)) if name else origin
        text = self.root if name in ("", "api.yaml") else self.texts[name]
        value = plain(compose(Document(name or "api.yaml", text)).value.root)
        for key in fragment.split("/")[1:]:
            value = value[key.replace("~1", "/").replace("~0", "~")]
        return value

    def same(self, other) -> bool:
        return (self.root, self.texts) == (other.root, other.texts)


ITEM = "post:\n  operationId: create\n  responses:\n    '201':\n      description: made\n"
CASES = {
    "a whole file": Files(HEAD + "  /a: {$ref: paths/a.yaml}\n", paths__a_yaml=ITEM),
    "with a dot": Files(HEAD + "  /a:\n    $ref: './paths/a.yaml'\n", paths__a_yaml=ITEM),
    "a part of a file": Files(
        HEAD + "  /a: {$ref: 'deep/er/all.yaml#/items/~1a'}\n",
        deep__er__all_yaml="items:\n  /a:\n    " + ITEM.replace("\n", "\n    ").rstrip() + "\n",
    ),
    "the paths": Files(
        HEAD.replace("paths:\n", "paths: {$ref: paths.yaml}\n"),
        paths_yaml="/a:\n  " + ITEM.replace("\n", "\n  ").rstrip() + "\n",
    ),
    "a chain": Files(
        HEAD + "  /a: {$ref: paths/one.yaml}\n", paths__one_yaml="$ref: ../two/a.yaml\n", two__a_yaml=ITEM
    ),
    "an operation": Files(
        HEAD + "  /a:\n    post: {$ref: ops/create.yaml}\n",
        ops__create_yaml="operationId: create\nresponses:\n  '201':\n    description: made\n",
    ),
    "JSON": Files(
        HEAD + "  /a: {$ref: paths/a.json}\n",
        paths__a_json=json.dumps({"post": {"responses": {"201": {"description": "made"}}}}, indent=3),
    ),
    "no last line break": Files(HEAD + "  /a: {$ref: a.yaml}\n", a_yaml=ITEM.rstrip("\n")),
    "CRLF": Files(HEAD + "  /a: {$ref: a.yaml}\n", a_yaml=ITEM.replace("\n", "\r\n")),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


def _operation(value):
    while isinstance(value, dict) and "responses" not in value:
        value = value.get("post") or next(iter(value.values()))
    return value


def test_the_file_that_holds_the_operation_is_edited(case, planner):
    after, found = case.inject(planner())
    (name,) = [name for name, one in found.value.others if one.changed]
    assert found.diagnostics == ()
    operation = _operation(plain(compose(Document(name, after.texts[name])).value.root))
    refs = [operation["parameters"][0]["$ref"], *(operation["responses"][code]["$ref"] for code in ("400", "409"))]
    assert all(posixpath.basename(ref.partition("#")[0]) == "api.yaml" for ref in refs)
    assert after.at(name, refs[0])["name"] == "Idempotency-Key"
    assert all(after.at(name, ref)["description"].startswith("Refused") for ref in refs[1:])
    assert "components" not in after.texts[name].replace("#/components", "")
    assert "x-idempotency" in operation


def test_a_second_run_changes_nothing_and_eject_gives_all_back(case, planner):
    after, _ = case.inject(planner())
    again, found = after.inject(planner())
    assert again.same(after)
    assert not found.value.changed
    back, found = after.eject()
    assert back.same(case)
    assert found.diagnostics == ()


def test_a_changed_plan_gives_what_a_fresh_run_gives(case, planner):
    other = planner(code="other", indicator="X-Repeat", statuses=(409, 422), longest=64)
    after, _ = case.inject(planner())
    updated, found = after.inject(other)
    assert found.value.changed
    assert updated.same(case.inject(other)[0])


def test_nothing_is_followed_without_leave(case, planner):
    found = inject(Document("api.yaml", case.root), planner())
    assert found.value.after == case.root
    assert [(d.rule, d.severity) for d in found.diagnostics] == [("openapi/indirect-path", Severity.WARNING)]
    assert "not to be followed" in found.diagnostics[0].message
    assert found.diagnostics[0].span is not None


def test_a_path_item_of_the_same_document_is_followed(planner):
    files = Files(
        HEAD
        + "  /a: {$ref: '#/components/pathItems/A'}\n  /b:\n    $ref: '#/paths/~1c'\n  /c:\n    post: {responses: {}}\n"
        + "components:\n  pathItems:\n    A:\n      post:\n        responses: {}\n"
    )
    after, found = files.inject(planner())
    assert found.diagnostics == ()
    owned = found.value.owned
    assert "/components/pathItems/A/post/x-idempotency" in owned
    assert "/paths/~1c/post/x-idempotency" in owned
    assert not any(at.startswith("/paths/~1b") for at in owned)
    assert after.eject()[0].same(files)
    assert after.inject(planner())[0].same(after)


@pytest.mark.parametrize("filling", ["", "  description: |\n" + "    many words\n" * 20_000])
def test_a_path_item_anywhere_in_the_document_is_followed(filling, planner):
    """In a long file, too, of which an outline is read first."""
    item = "post:\n        responses: {}\n"
    text = f"{HEAD}  /a: {{$ref: '#/x-items/a'}}\n  /b:\n    post: {{$ref: '#/x-items/b/post'}}\n"
    text += f"x-items:\n{filling}  a:\n      {item}  b:\n      {item}"
    files = Files(text)
    after, found = files.inject(planner())
    assert found.diagnostics == ()
    assert "/x-items/a/post/x-idempotency" in found.value.owned
    assert "/x-items/b/post/parameters/0" in found.value.owned
    assert after.inject(planner())[0].same(after)
    assert after.eject()[0].same(files)
    rows = audit(Document("api.yaml", text), planner()).value.rows
    assert [row.label for row in rows] == ["POST /a", "POST /b"]


def test_one_operation_behind_two_paths_is_edited_once(planner):
    files = Files(HEAD + "  /a: {$ref: x.yaml}\n  /b: {$ref: x.yaml}\n", x_yaml=ITEM)
    after, found = files.inject(planner())
    assert found.diagnostics == ()
    assert after.texts["x.yaml"].count("parameters:") == 1
    # Where the contract says something else of the other path, that is told.
    _, found = files.inject(planner(("/a",)))
    assert [d.rule for d in found.diagnostics] == ["openapi/unlisted-operation"]


@pytest.mark.parametrize(
    ("ref", "message"),
    [
        ("https://orders.example/a.yaml", "never fetched"),
        ("//orders.example/a.yaml", "never fetched"),
        ("gone.yaml", "No such file"),
        ("#/components/pathItems/Gone", "leads to nothing"),
        ("broken.yaml", "not YAML"),
        ("list.yaml", "leads to nothing"),
        ("loop.yaml", "leads to nothing"),
    ],
)
def test_what_can_not_be_followed_is_told(ref, message, planner):
    files = Files(
        HEAD + f"  /a: {{$ref: '{ref}'}}\n  /b:\n    post: {{}}\n",
        broken_yaml="a: [\n",
        list_yaml="- 1\n",
        loop_yaml="$ref: loop.yaml\n",
    )
    after, found = files.inject(planner())
    (finding,) = [d for d in found.diagnostics if d.rule == "openapi/indirect-path"]
    assert message in finding.message
    assert (finding.severity, finding.span.line) == (Severity.WARNING, 4)
    assert finding.hint
    assert "/paths/~1b/post/x-idempotency" in found.value.owned, "the others are edited all the same"
    assert not any("orders.example" in name for name in files.opened)
    assert after.eject()[0].same(files)


def test_a_key_that_is_declared_in_another_file_is_found(planner):
    key = "name: idempotency-key\nin: header\nrequired: true\ndescription: d\nschema: {type: string, maxLength: 255}\n"
    files = Files(
        HEAD + "  /a: {$ref: paths/a.yaml}\n",
        paths__a_yaml="parameters:\n  - $ref: ../keys/key.yaml\n" + ITEM,
        keys__key_yaml=key,
    )
    after, found = files.inject(planner())
    assert found.diagnostics == ()
    assert after.texts["keys/key.yaml"] == key
    assert "IdempotencyKey" not in after.texts["paths/a.yaml"]


def test_an_edit_in_another_file_is_kept(planner):
    files = Files(HEAD + "  /a: {$ref: a.yaml}\n", a_yaml=ITEM)
    after, _ = files.inject(planner())
    after.texts["a.yaml"] = after.texts["a.yaml"].replace("window: '24h'", "window: '99h'").replace("24h", "99h")
    back, found = after.eject()
    assert [d.rule for d in found.diagnostics] == ["openapi/edited-node"]
    assert found.diagnostics[0].span.path == "a.yaml"
    assert "99h" in back.texts["a.yaml"]
    assert back.root == files.root


def test_a_component_of_another_file_is_not_the_key_for_its_name(planner):
    other = "components:\n  parameters:\n    IdempotencyKey: {name: Trace, in: header}\n"
    ref = "      parameters:\n      - $ref: 'shared.yaml#/components/parameters/IdempotencyKey'\n"
    after, found = Files(f"{HEAD}  /a:\n    post:\n{ref}      responses: {{}}\n", shared_yaml=other).inject(planner())
    assert "openapi/different-declaration" not in {d.rule for d in found.diagnostics}
    assert "      - $ref: '#/components/parameters/IdempotencyKey'" in after.root


# --- files that hold something of ours and can't be opened, or have another name now ---

BASE = Files(
    HEAD + "  /a: {$ref: paths/a.yaml}\n  /b: {$ref: paths/b.yaml}\n  /c:\n    post: {}\n",
    paths__a_yaml=ITEM,
    paths__b_yaml=ITEM.replace("create", "other"),
)


def _dangling(files):
    """The references in any of the files that lead nowhere."""
    found = []
    for name, text in [("", files.root), *files.texts.items()]:
        for node in walk(compose(Document(name or "api.yaml", text)).value.root):
            ref = node.get("$ref") if isinstance(node, Mapping) else None
            if isinstance(ref, Scalar):
                try:
                    files.at(name, ref.value)
                except (KeyError, TypeError):
                    found.append((name, ref.value))
    return found


def _run(files, plan, *, follow=True, **more):
    return inject(Document("api.yaml", files.root), plan, opener=files.open if follow else None, **more)


def _became(files, found):
    assert found.value is not None, found.diagnostics
    after = Files(found.value.after)
    after.texts = {**files.texts, **{name: one.after for name, one in found.value.others}}
    return after


def _without(files, *names):
    left = Files(files.root)
    left.texts = {name: text for name, text in files.texts.items() if name not in names}
    return left


def _moved(files, old, new):
    after = Files(files.root.replace(f"$ref: {old}", f"$ref: {new}"))
    after.texts = {(new if name == old else name): text for name, text in files.texts.items()}
    return after


def _says(files):
    """The values of all files: ours may stand in another order after detours."""
    texts = {"": files.root, **files.texts}
    return {name: plain(compose(Document(name or "api.yaml", text)).value.root) for name, text in texts.items()}


def _rules(found):
    return {one.rule for one in found.diagnostics}


@pytest.mark.parametrize("code", ["key_reused", "key_taken"])
@pytest.mark.parametrize("statuses", [(400, 409), (409,), (422,)])
def test_what_is_not_to_be_followed_keeps_all_that_it_refers_to(code, statuses, planner):
    first, _ = BASE.inject(planner())
    plan = planner(code=code, statuses=statuses)
    found = _run(first, plan, follow=False)
    after = _became(first, found)
    assert "openapi/lost-file" in _rules(found)
    assert after.texts == first.texts
    assert _dangling(after) == []
    again = _run(after, plan, follow=False)
    assert again.value.after == after.root
    if (code, statuses) == ("key_reused", (400, 409)):
        assert after.same(first), "the same contract has nothing to say otherwise"
    # What was put into the files is still known: it can be updated, and taken out.
    assert _says(_became(after, _run(after, plan))) == _says(_became(BASE, _run(BASE, plan)))
    assert after.eject()[0].same(BASE)


@pytest.mark.parametrize("name", ["paths/z.yaml", "b/c/d.yaml", "a.yaml"])
def test_a_file_that_was_renamed_takes_ours_with_it(name, planner):
    first, _ = BASE.inject(planner())
    if "/" not in name or name.count("/") > 1:
        # Its references to the root document move with it, as a tool that moves files does it.
        up = "../" * name.count("/")
        first.texts["paths/a.yaml"] = first.texts["paths/a.yaml"].replace("../api.yaml", f"{up}api.yaml")
    moved = _moved(first, "paths/a.yaml", name)
    assert _dangling(moved) == []
    expected = _moved(BASE, "paths/a.yaml", name)
    found = eject(Document("api.yaml", moved.root), opener=moved.open)
    back = _became(moved, found)
    assert _dangling(back) == []
    if name == "paths/z.yaml":
        assert back.same(expected)
        assert found.diagnostics == ()
        after = _became(moved, _run(moved, planner()))
        assert after.same(_became(expected, _run(expected, planner())))


def test_what_refers_to_ours_from_a_file_of_no_record_keeps_it(planner):
    first, _ = BASE.inject(planner())
    first.texts["paths/new.yaml"] = (
        "get:\n  parameters:\n  - $ref: ../api.yaml#/components/parameters/IdempotencyKey\n  responses: {}\n"
    )
    first.root = first.root.replace("  /c:\n", "  /n: {$ref: paths/new.yaml}\n  /c:\n")
    back, _ = first.eject()
    assert _dangling(back) == []
    assert "IdempotencyKey" in back.root


@pytest.mark.parametrize("instead", [None, "post: [\n"])
def test_a_file_that_can_not_be_read_keeps_what_it_may_need_until_it_is_back(instead, planner):
    first, _ = BASE.inject(planner())
    hurt = _without(first, "paths/a.yaml")
    if instead is not None:
        hurt.texts["paths/a.yaml"] = instead
    plan = planner(code="key_taken", statuses=(422,))
    found = _run(hurt, plan)
    after = _became(hurt, found)
    (told,) = (one for one in found.diagnostics if one.rule == "openapi/lost-file")
    assert told.severity is Severity.WARNING
    assert told.subject == "paths/a.yaml"
    after.texts["paths/a.yaml"] = first.texts["paths/a.yaml"]
    assert _dangling(after) == []
    assert after.eject()[0].same(BASE)
    assert _says(_became(after, _run(after, plan))) == _says(_became(BASE, _run(BASE, plan)))


def test_nothing_is_ejected_while_a_file_of_the_api_can_not_be_read(planner):
    first, _ = BASE.inject(planner())
    hurt = _without(first, "paths/a.yaml")
    for opener in (hurt.open, None):
        found = eject(Document("api.yaml", hurt.root), opener=opener)
        assert found.value is None
        told = [one for one in found.diagnostics if one.rule == "openapi/lost-file"]
        assert {one.severity for one in told} == {Severity.ERROR}
        assert told[0].subject == "paths/a.yaml"
    forced = eject(Document("api.yaml", hurt.root), opener=hurt.open, force=True)
    assert _became(hurt, forced).same(_without(BASE, "paths/a.yaml"))


def test_a_file_that_the_api_has_left_behind_for_good_is_told_once(planner):
    first, _ = BASE.inject(planner())
    left = _without(first, "paths/a.yaml")
    left.root = left.root.replace("  /a: {$ref: paths/a.yaml}\n", "")
    found = _run(left, planner())
    assert "openapi/lost-file" in _rules(found)
    after = _became(left, found)
    assert "openapi/lost-file" not in _rules(_run(after, planner()))
    expected = _without(BASE, "paths/a.yaml")
    expected.root = expected.root.replace("  /a: {$ref: paths/a.yaml}\n", "")
    assert after.eject()[0].same(expected)
    assert left.eject()[0].same(expected)


@pytest.mark.parametrize("edit", ["renamed", "swapped", "removed"])
def test_a_reference_of_another_file_is_given_back_to_what_it_led_to(edit, planner):
    shared = "    Closed: {description: closed, content: {application/problem+json: {schema: {type: object}}}}\n"
    root = (
        HEAD
        + "  /a: {$ref: paths/a.yaml}\n  /r:\n    get: {responses: {'409': {$ref: '#/components/responses/Closed'}}}\n"
    )
    item = ITEM + "    '409':\n      $ref: ../api.yaml#/components/responses/Closed\n"
    files = Files(root + "components:\n  responses:\n" + shared, paths__a_yaml=item)
    first, _ = files.inject(planner(), wishes=Wishes(copy_shared=True))
    assert "ClosedIdempotency409" in first.texts["paths/a.yaml"]

    def edited(before):
        text = before.root
        if edit != "removed":
            text = text.replace("    Closed: ", "    Shut: ").replace("responses/Closed'", "responses/Shut'", 1)
        if edit == "swapped":
            text = text.replace("  responses:\n    Shut: ", "  responses:\n    Other: {description: o}\n    Shut: ")
        if edit == "removed":
            text = text.replace(shared, "    Other: {description: o}\n").replace(
                "{$ref: '#/components/responses/Closed'}", "{}"
            )
        after = Files(text)
        after.texts = before.texts
        return after

    now = edited(first)
    if edit == "removed":
        found = eject(Document("api.yaml", now.root), opener=now.open)
        assert "openapi/lost-original" in _rules(found)
        assert _dangling(_became(now, found)) == []
        return
    expected = edited(files)
    expected.texts = {"paths/a.yaml": item.replace("responses/Closed", "responses/Shut")}
    back, found = now.eject()
    assert found.diagnostics == ()
    assert back.same(expected)


@pytest.mark.parametrize("section", ["responses", "headers"])
def test_what_a_file_of_components_refers_to_is_not_taken_away(section, planner):
    first, _ = Files(HEAD + "  /a:\n    post: {}\n").inject(planner())
    value = plain(compose(Document("api.yaml", first.root)).value.root)
    # Somebody moved our components of that section into a file of their own.
    moved = json.dumps({section: value["components"][section]}).replace('"#/', '"api.yaml#/')
    value["components"][section] = {
        name: {"$ref": f"shared.yaml#/{section}/{name}"} for name in value["components"][section]
    }
    now = Files(emit(value), shared_yaml=moved)
    assert _dangling(now) == []
    for forced in (False, True):
        made = _run(now, planner(code="other", statuses=(400,)), force=forced)
        back = eject(Document("api.yaml", now.root), opener=now.open, force=forced)
        for found in (made, back):
            after = _became(now, found)
            # With --force, nothing may lead to that file any more.
            assert "shared.yaml" not in after.root or _dangling(after) == []
    assert "shared.yaml" in _became(now, _run(now, planner())).root
