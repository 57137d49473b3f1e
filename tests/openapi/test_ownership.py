"""What is ours, what is not, and what happens when somebody edits either."""

from __future__ import annotations

import json

import pytest

from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

BEFORE = """\
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths:
  /orders:
    post:
      parameters:
        - name: trace
          in: header
          schema: {type: string}
      responses:
        '200':
          description: ok
  /refunds:
    post:
      responses:
        '200':
          description: ok
"""


@pytest.fixture
def injected(planner):
    found = inject(Document("api.yaml", BEFORE), planner())
    assert found.value is not None
    return found.value.after


def _put(text, plan, **options):
    found = inject(Document("api.yaml", text), plan, **options)
    return (found.value.after if found.value else None), found.diagnostics


def _taken(text, **options):
    found = eject(Document("api.yaml", text), **options)
    return (found.value.after if found.value else None), found.diagnostics


def _value(text):
    return plain(compose(Document("api.yaml", text)).value.root)


def _rules(diagnostics):
    return sorted({d.rule for d in diagnostics})


def test_a_file_without_anything_of_ours_stays_as_it_is():
    assert _taken(BEFORE) == (BEFORE, ())


def test_an_edited_component_is_reported_and_left(injected, planner):
    edited = injected.replace("maxLength: 255", "maxLength: 99")
    again, diagnostics = _put(edited, planner())
    assert again == edited
    (finding,) = [d for d in diagnostics if d.rule == "openapi/edited-node"]
    assert finding.severity is Severity.WARNING
    assert finding.subject == "/components/parameters/IdempotencyKey"
    line = edited.splitlines()[finding.span.line - 1]
    assert line.strip() == "name: Idempotency-Key"
    # It stays reported as long as it is edited.
    assert "openapi/edited-node" in _rules(_put(again, planner())[1])


def test_force_replaces_an_edited_component(injected, planner):
    edited = injected.replace("maxLength: 255", "maxLength: 99")
    assert _put(edited, planner(), force=True)[0] == injected
    assert _taken(edited, force=True)[0] == BEFORE


def test_eject_leaves_an_edited_component_and_what_it_refers_to(injected):
    edited = injected.replace("'Refused: key_reused_409'", "'No: key_reused_409'")
    bare, diagnostics = _taken(edited)
    assert _rules(diagnostics) == ["openapi/edited-node"]
    assert bare.startswith(BEFORE)
    assert "Idempotency409:" in bare
    assert "IdempotencyRetryAfter:" in bare, "the edited response refers to it"
    assert "Idempotency400" not in bare
    assert "x-idempotency" not in bare


def test_a_component_that_somebody_else_uses_stays(injected):
    use = "  /more:\n    get:\n      parameters:\n        - $ref: '#/components/parameters/IdempotencyKey'\n"
    theirs = injected.replace("  /refunds:\n", use + "  /refunds:\n")
    bare, _ = _taken(theirs)
    assert "  parameters:\n    IdempotencyKey:\n" in bare
    assert "Idempotency409" not in bare


@pytest.mark.parametrize("old", ["      x-idempotency:\n", "          - key_reused_409\n"])
def test_a_comment_in_ours_is_an_edit(injected, planner, old):
    edited = injected.replace(old, old.rstrip("\n") + "  # mind this\n", 1)
    again, diagnostics = _put(edited, planner())
    assert again == edited
    assert _rules(diagnostics) == ["openapi/edited-node"]
    lines = edited.splitlines()
    assert [lines[d.span.line - 1][d.span.column - 1 :] for d in diagnostics] == ["# mind this"]
    assert [d.span.line for d in _taken(edited)[1]] == [d.span.line for d in diagnostics]


def test_an_edited_value_is_within_the_lines_that_are_told(injected, planner):
    edited = injected.replace("maxLength: 255", "maxLength: 99")
    (finding,) = (d for d in _put(edited, planner())[1] if d.rule == "openapi/edited-node")
    at = next(i for i, line in enumerate(edited.splitlines(), 1) if "maxLength: 99" in line)
    count = int(finding.message.partition("in the ")[2].partition(" lines")[0])
    assert finding.span.line <= at < finding.span.line + count


def test_members_added_beside_ours_survive(injected, planner):
    edited = injected.replace("        '400':\n", "        '402':\n          description: theirs\n        '400':\n", 1)
    edited = edited.replace(
        "        - name: trace\n", "        - name: first\n          in: query\n        - name: trace\n"
    )
    assert _put(edited, planner())[1] == ()
    bare, diagnostics = _taken(edited)
    assert diagnostics == ()
    assert "402" in bare
    assert "name: first" in bare
    assert "dempotency" not in bare


def test_a_renamed_path_takes_ours_with_it(injected, planner):
    renamed = injected.replace("  /orders:\n", "  /v2/orders:\n")
    assert _taken(renamed) == (BEFORE.replace("  /orders:\n", "  /v2/orders:\n"), ())
    again, diagnostics = _put(renamed, planner())
    assert diagnostics == ()
    assert again == _put(BEFORE.replace("  /orders:\n", "  /v2/orders:\n"), planner())[0]


def test_several_renamed_paths_take_each_its_own(planner):
    def rename(text):
        for name in ("orders", "refunds", "reversals"):
            text = text.replace(f"  /{name}:\n", f"  /v2/{name}:\n")
        return text

    before = BEFORE + BEFORE[BEFORE.index("  /refunds") :].replace("refunds", "reversals")
    after = _put(before, planner())[0]
    assert _taken(rename(after)) == (rename(before), ())
    assert _put(rename(after), planner())[0] == _put(rename(before), planner())[0]


def test_an_edited_response_stays_the_one_that_is_referred_to(injected, planner):
    edited = injected.replace("'Refused: key_reused_409'", "'No: key_reused_409'")
    again, diagnostics = _put(edited, planner())
    assert again == edited
    assert _rules(diagnostics) == ["openapi/edited-node"]
    # A changed contract updates the rest, and refers to the edited one still.
    changed, diagnostics = _put(edited, planner(code="other"))
    assert _rules(diagnostics) == ["openapi/edited-node"]
    assert "No: key_reused_409" in changed
    assert "other_400" in changed
    assert "Idempotency409_2" not in changed
    assert changed.count("#/components/responses/Idempotency409'") == 2


def test_what_somebody_removed_comes_back(injected, planner):
    lines = injected.splitlines(keepends=True)
    at = lines.index("        '409':\n")
    assert _put("".join(lines[:at] + lines[at + 2 :]), planner())[0] == injected


def test_an_item_that_took_our_place_is_not_removed(injected):
    ours = "        - $ref: '#/components/parameters/IdempotencyKey'\n"
    theirs = "        - $ref: '#/components/parameters/Theirs'\n"
    for force in (False, True):
        bare, diagnostics = _taken(injected.replace(ours, theirs, 1), force=force)
        assert theirs in bare
        assert _rules(diagnostics) == ["openapi/edited-node"]


def test_a_container_of_the_author_that_would_be_left_empty_says_so(injected):
    lines = injected.splitlines(keepends=True)
    at = lines.index("        - name: trace\n")
    bare, diagnostics = _taken("".join(lines[:at] + lines[at + 3 :]))
    assert diagnostics == ()
    assert "      parameters: []\n" in bare


@pytest.mark.parametrize("text", ["tool: idempact\n", "    created:\n", "sha256:"])
def test_an_edited_record_stops_the_run(injected, planner, text):
    at = injected.index("generated_by")
    edited = injected[:at] + injected[at:].replace("/paths/~1orders/post/responses/400", "/paths/~1orders/post/tags", 1)
    for found in (inject(Document("api.yaml", edited), planner()), eject(Document("api.yaml", edited))):
        assert found.value is None
        assert [d.rule for d in found.diagnostics if d.severity is Severity.ERROR] == ["openapi/edited-record"]
    assert text in edited


def test_a_name_that_is_taken_is_reported_and_avoided(planner):
    text = BEFORE + "components:\n  parameters:\n    IdempotencyKey: {name: q, in: query}\nx-idempotency: mine\n"
    after, diagnostics = _put(text, planner())
    assert _rules(diagnostics) == ["openapi/taken-name"]
    assert {d.severity for d in diagnostics} == {Severity.NOTE}
    assert {d.subject for d in diagnostics} == {"IdempotencyKey_2", "x-idempotency-contract"}
    assert "#/components/parameters/IdempotencyKey_2" in after
    assert _taken(after)[0] == text


def test_a_dropped_operation_loses_what_it_had(injected, planner):
    after, _ = _put(injected, planner(("/orders",)))
    assert after == _put(BEFORE, planner(("/orders",)))[0]
    assert "/refunds/post" not in after.replace("~1", "/")


def test_json_keeps_edits_too(planner):
    text = json.dumps({"openapi": "3.1.0", "paths": {"/a": {"post": {"responses": {}}}}}, indent=2)
    after = inject(Document("api.json", text), planner()).value.after
    edited = after.replace('"maxLength": 255', '"maxLength": 99')
    found = inject(Document("api.json", edited), planner())
    assert found.value.after == edited
    assert _rules(found.diagnostics) == ["openapi/edited-node"]
    assert inject(Document("api.json", edited), planner(), force=True).value.after == after


DECLARED = """\
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths:
  /orders:
    post:
      parameters:
        - name: Idempotency-Key
          in: header
          schema: {type: string}
      responses:
        '200':
          description: ok
"""


@pytest.mark.parametrize("first", [True, False])
def test_what_shares_its_line_stays_ours_until_it_can_be_taken_out(first, planner):
    made = inject(Document("api.yaml", DECLARED), planner(), wishes=Wishes(adopt=True))
    lines = made.value.after.splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if "- name: Idempotency-Key" in line)
    ours = next(i for i, line in enumerate(lines) if line == "          required: true\n")
    del lines[ours]
    # Somebody wrote ours in another way.
    explicit = "          ? required\n          : true\n"
    if first:
        lines[at] = lines[at].replace("- name", "  name")
        lines.insert(at, "        - " + explicit.lstrip(" "))
    else:
        lines.insert(at + 1, explicit)
    moved = "".join(lines)
    again, diagnostics = _put(moved, planner(), wishes=Wishes(adopt=True))
    assert again == moved
    assert _rules(diagnostics) == ["openapi/shared-line"]
    bare, diagnostics = _taken(moved)
    assert _rules(diagnostics) == ["openapi/shared-line"]
    assert "? required" in bare
    assert _taken(moved.replace("? required", "required").replace("\n          : true", ": true")) == (DECLARED, ())


@pytest.mark.parametrize("between", ["", "\n", "          # theirs\n", "\n          # theirs\n\n"])
@pytest.mark.parametrize("count", [1, 2])
def test_the_first_keys_of_an_item_are_taken_out_without_what_stands_between(between, count, planner):
    made = inject(Document("api.yaml", DECLARED), planner(), wishes=Wishes(adopt=True))
    lines = made.value.after.splitlines(keepends=True)
    first = next(i for i, line in enumerate(lines) if "- name: Idempotency-Key" in line)
    ours = [line for line in lines if line.startswith(("          required: true", "          description:"))][:count]
    assert len(ours) == count
    lines = [line for line in lines if line not in ours]
    lines[first] = lines[first].replace("- name", "  name")
    put = "".join(ours)
    lines.insert(first, "        - " + put.lstrip(" ") + between)
    bare, diagnostics = _taken("".join(lines))
    assert diagnostics == ()
    assert _value(bare) == _value(DECLARED)
    assert bare.count("# theirs") == between.count("# theirs")
    if not between:
        assert bare == DECLARED
