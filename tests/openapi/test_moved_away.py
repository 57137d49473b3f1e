"""What somebody moved to where the record can't follow, put back, or left without an original: nothing goes unsaid."""

from __future__ import annotations

import pytest

from idempact.cli import main
from idempact.openapi.inject import eject, inject
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

FULL = Wishes(copy_shared=True, adopt=True)
KEY = "{name: Idempotency-Key, in: header, required: false, schema: {type: string}}"
ROOT = f"""\
openapi: 3.1.0
info: {{title: t, version: "1"}}
paths:
  /a:
    post:
      parameters: [{KEY}]
      responses:
        '200': {{description: ok}}
        '409': {{$ref: '#/components/responses/Closed'}}
  /r:
    get: {{responses: {{'409': {{$ref: '#/components/responses/Closed'}}}}}}
components:
  responses:
    Closed: {{description: closed, content: {{application/problem+json: {{schema: {{type: object}}}}}}}}
"""


def _opener(texts):
    def open_(name):
        if name not in texts:
            told = Diagnostic("text/unreadable-file", Severity.ERROR, f"{name}: No such file or directory", None)
            return Checked(None, (told,))
        return Checked(Document(name, texts[name]))

    return open_


def _rules(found):
    return [one.rule for one in found.diagnostics]


def _value(text):
    return plain(compose(Document("api.yaml", text)).value.root)


@pytest.fixture
def injected(planner):
    return inject(Document("api.yaml", ROOT), planner(), wishes=FULL).value.after


@pytest.mark.parametrize("where", ["a.yaml", "#/components/pathItems/A"])
def test_a_path_that_was_moved_with_ours_in_it_stops_both_ways(where, injected, planner):
    start, end = injected.index("  /a:\n"), injected.index("  /r:\n")
    item = injected[start:end].partition("\n")[2]
    moved = injected[:start] + f"  /a: {{$ref: '{where}'}}\n" + injected[end:]
    texts = {}
    if where == "a.yaml":
        texts[where] = "\n".join(line[4:] for line in item.splitlines()).replace("'#/", "'api.yaml#/") + "\n"
    else:
        moved = moved.replace(
            "components:\n",
            "components:\n  pathItems:\n    A:\n"
            + item.replace("\n    ", "\n      ").replace("    post", "      post", 1),
        )
    document = Document("api.yaml", moved)
    for found in (
        inject(document, planner(), wishes=FULL, opener=_opener(texts)),
        eject(document, opener=_opener(texts)),
    ):
        assert found.value is None
        (told,) = (one for one in found.diagnostics if one.rule == "openapi/moved-path")
        assert told.severity is Severity.ERROR
        assert told.subject == "/paths/~1a"
        line = moved.splitlines()[told.span.line - 1]
        assert line[told.span.column - 1 : told.span.end_column - 1] == f"'{where}'"
    assert inject(document, planner(), wishes=FULL, opener=_opener(texts), force=True).value is not None


def test_a_path_that_is_gone_stops_nothing(injected, planner):
    start, end = injected.index("  /a:\n"), injected.index("  /r:\n")
    left = injected[:start] + injected[end:]
    assert (
        eject(Document("api.yaml", left)).value.after == ROOT[: ROOT.index("  /a:\n")] + ROOT[ROOT.index("  /r:\n") :]
    )


def test_a_file_with_originals_is_not_given_up_without_leave(planner):
    item = ROOT[ROOT.index("    post:\n") : ROOT.index("  /r:\n")]
    texts = {"a.yaml": "\n".join(line[4:] for line in item.splitlines()).replace("'#/", "'api.yaml#/") + "\n"}
    root = ROOT.replace("  /a:\n" + item, "  /a: {$ref: a.yaml}\n")
    made = inject(Document("api.yaml", root), planner(), wishes=FULL, opener=_opener(texts)).value
    texts = {"a.yaml": made.others[0][1].after}
    bundled = made.after.replace("  /a: {$ref: a.yaml}\n", "  /a:\n    get: {}\n")
    for found in (
        inject(Document("api.yaml", bundled), planner(), opener=_opener({})),
        eject(Document("api.yaml", bundled), opener=_opener({})),
    ):
        assert found.value is None
        assert _rules(found) == ["openapi/lost-file"]
        assert "--force" in found.diagnostics[0].hint
    assert inject(Document("api.yaml", bundled), planner(), opener=_opener({}), force=True).value is not None
    assert eject(Document("api.yaml", made.after), opener=_opener(texts)).value.after == root


def test_what_was_put_back_by_hand_is_no_edit(injected, planner):
    back = injected.replace("responses/ClosedIdempotency409'}", "responses/Closed'}").replace(
        "required: true, schema", "required: false, schema"
    )
    assert back != injected
    found = eject(Document("api.yaml", back))
    assert found.diagnostics == ()
    assert found.value.after == ROOT
    again = inject(Document("api.yaml", back), planner(), wishes=FULL)
    assert "openapi/edited-node" not in _rules(again)
    assert again.value.after == injected


def test_nothing_is_copied_where_a_copy_has_lost_its_original(injected, planner, tmp_path, capsys):
    gone = injected.replace(ROOT[ROOT.index("    Closed:") :], "", 1).replace(
        "409': {$ref: '#/components/responses/Closed'}", "204': {description: none}"
    )
    found = inject(Document("api.yaml", gone), planner(), wishes=FULL)
    assert "openapi/lost-original" in _rules(found)
    assert not any("run with --copy-shared" in one.hint for one in found.diagnostics)
    assert _value(found.value.after)["components"]["responses"].keys() == _value(gone)["components"]["responses"].keys()
    file = tmp_path / "api.yaml"
    file.write_text(gone, encoding="utf-8")
    assert main(["eject", str(file)]) == 1
    assert "refer to what should stand there by hand" in "".join(capsys.readouterr())
    assert file.read_text(encoding="utf-8") == gone


def test_a_root_document_under_another_name_gets_no_reference_to_the_old_one(planner):
    item = ROOT[ROOT.index("    post:\n") : ROOT.index("  /r:\n")]
    texts = {"a.yaml": "\n".join(line[4:] for line in item.splitlines()).replace("'#/", "'api.yaml#/") + "\n"}
    root = ROOT.replace("  /a:\n" + item, "  /a: {$ref: a.yaml}\n")
    made = inject(Document("api.yaml", root), planner(), wishes=FULL, opener=_opener(texts)).value
    texts = {"a.yaml": made.others[0][1].after.replace("api.yaml#", "main.yaml#")}
    for forced in (False, True):
        for found in (
            inject(Document("main.yaml", made.after), planner(), wishes=FULL, opener=_opener(texts), force=forced),
            eject(Document("main.yaml", made.after), opener=_opener(texts), force=forced),
        ):
            written = [one.after for _, one in found.value.others] if found.value is not None else []
            assert not any("api.yaml#" in text for text in written)
