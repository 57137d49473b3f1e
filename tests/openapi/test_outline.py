"""The fast path: with an outline an injection is the same as without, and at any oddity there is no outline."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from idempact.openapi import outline as outlines
from idempact.openapi import style
from idempact.openapi.inject import eject, inject
from idempact.openapi.locate import keep
from idempact.openapi.outline import outline
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Severity
from idempact.text.nodes import compose
from idempact.text.span import Document

REAL = [
    "resend.yaml",
    "openbanking-brasil-payments.yml",
    "codat-sync-payables.yaml",
    "obuk-vrp-crlf.yaml",
    "cafe-oas32.yaml",
]
LONG = "\n".join(f"        # line {n}" if n % 9 == 0 else f"        text {n}: 'x'" for n in range(40))
TEXT = f"""\
# top
openapi: 3.1.0
info:
  title: t
  version: "1"
  description: |
    Something long enough that it is worth leaving out, over
    several lines, with "quotes" and {{braces}}: and colons.
paths:
  /a:
    # a comment
    post:
      description: >-
        Words and words and words and words and words and words and words and
        words.

      requestBody:
        content:
          application/json:
            schema:
              type: object
              description: long enough to be left out, as nobody looks into it at all
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema: {{type: object, description: also left out, since it is the author's own}}
    get:
      responses:
        '200':
          description: the answer of a reading operation, which is nobody's business here
# between
components:
  schemas:
    One:
{LONG}
"""


@pytest.fixture
def always(monkeypatch):
    """Outlines of short files, too, whose style is then shown by what outlines of long ones show."""
    monkeypatch.setattr(outlines, "LEAST", 0)
    monkeypatch.setattr(style, "LONG", 0)


@pytest.fixture
def never():
    """A way to run without outlines."""

    def run(function, *args, **more):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(outlines, "LEAST", 10**9)
            return function(*args, **more)

    return run


def test_what_is_left_out_comes_back(always):
    short = outline(Document("api.yaml", TEXT), keep)
    assert len(short.document.text) < len(TEXT) / 2
    assert "text 1:" not in short.document.text
    assert "Words and" not in short.document.text
    assert "# between" in short.document.text
    assert short.restored(short.document.text) == TEXT
    assert short.filled(short.document.text) == TEXT


def test_what_is_lost_doubled_or_moved_is_noticed(always):
    short = outline(Document("api.yaml", TEXT), keep)
    text = short.document.text
    word = f" {short.word}0"
    assert short.restored(text.replace(word, "", 1)) is None
    assert short.restored(text + word) is None
    assert short.restored(text.replace(f"{short.word}0", f"{short.word}1", 1)) is None


def _holds(text):
    short = outline(Document("api.yaml", text), keep)
    tree = compose(short.document, keep).value if short is not None else None
    return tree is not None and short.holds(tree.root) and short.closed()


@pytest.mark.parametrize(
    "odd",
    [
        # A quoted text or a bracket may go on at any column for libyaml, so that a line in it may look like a key.
        '    One: "x\n  /odd:\n    post: {}\n  y"\n    Two:\n',
        "    One: 'x\n  odd: 1\n    Two:\n",
        "    One:\n      a: 'x\n    Two:\n      b: y'\n    Three:\n",
        '    One:\n      a: "x\n    Two:\n      b: y"\n    Three:\n',
        "    One:\n      a: [x,\n    Two:\n      b: y]\n    Three:\n",
        "    One:\n      a: {x: 1,\n    Two:\n      b: y}\n    Three:\n",
        "    One: 'x'\n      y: 1\n    Two:\n",
        # A dash or a comment left of a block text ends it.
        "    One: |\n  # c\n      x\n    Two:\n",
        "    One: |1\n     x\n    - y\n    Two:\n",
    ],
)
def test_libyaml_reads_what_a_split_by_indentation_can_not_see(odd, always):
    """A quoted text may go on at any column for libyaml, so that a line in it may look like a key."""
    text = TEXT.replace("    One:\n", odd + LONG + "\n    Last:\n")
    fast = inject(Document("api.yaml", text), _nothing())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlines, "LEAST", 10**9)
        assert fast == inject(Document("api.yaml", text), _nothing())
    assert _holds(TEXT)
    assert not _holds(text) or fast.value is not None


PIECES = st.sampled_from(
    [
        *("x", "- x", "a: b", "? a", ": b", "a:", "- a: b", "[x,", "y]", "{x: 1,", "}", "'x", "y'", '"x', 'y"', "''"),
        *("|", "a: |", "a: >+", "a: |2", "- |-", "# c", "", "  ", "a: 'x", 'a: "x', "a: [", "b: ]", "!t x", "\\", "@"),
        *("a: x # c", "%T", "k: v: w", "'a': 1", '"a": 1', "a : b", "-", "- - x", "a: - b", "---x", ",", 'a: "x\\'),
    ]
)
LINES = st.lists(st.tuples(st.integers(0, 9), PIECES), min_size=1, max_size=4)


@settings(deadline=None, max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(first=LINES, second=LINES, newline=st.sampled_from(["\n", "\r\n"]), ended=st.booleans())
def test_any_lines_in_what_is_left_out(first, second, newline, ended, planner, never, always):
    """Whatever lines stand in what is left out: the outline's findings and texts are those of the whole file."""
    hostile = ["\n".join(" " * column + piece for column, piece in lines) for lines in (first, second)]
    text = TEXT.replace("    One:\n", f"    Odd:\n{hostile[0]}\n{LONG}\n    Next:\n{LONG}\n{hostile[1]}\n    One:\n")
    text = (text if ended else text.rstrip()).replace("\n", newline)
    document = Document("api.yaml", text)
    fast, slow = inject(document, planner()), never(inject, document, planner())
    if fast != slow:
        # Of what is left out a repeated key is not looked for.
        assert [d.rule for d in slow.diagnostics if d.severity is Severity.ERROR] == ["text/duplicate-key"]


def _nothing():
    from idempact.openapi.plan import Plan

    return Plan({}, lambda *_: None, {})


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("    One:\n", "    One: &one\n"),
        ("    One:\n", "    Two: {a: *one}\n    One:\n"),
        ("    One:\n", "    <<: {a: 1}\n    One:\n"),
        ("# between\n", "---\n"),
        ("# between\n", "...\n"),
        ("# between\n", "\tx\n"),
        ("# between\n", "# \u2028\n"),
        ("# between\n", "# \r between\n"),
        ("  /a:\n", "  ? /a\n  :\n"),
        ("    get:\n", "    {get: 1,\n"),
        ("  schemas:\n", "  schemas: {\n  },\n"),
        ("    get:\n", "    'g''et':\n"),
        ("    get:\n", '    "g\\u0065t":\n'),
        ("    get:\n", "   odd:\n    get:\n"),
    ],
)
def test_at_any_oddity_the_whole_file_is_read(was, becomes, always):
    assert outline(Document("api.yaml", TEXT), keep) is not None
    assert outline(Document("api.yaml", TEXT.replace(was, becomes, 1)), keep) is None


def test_what_is_left_out_must_be_yaml_all_the_same(always, planner):
    for odd in ("    {One: 1,\n", '    Two: "\n    One:\n', "    Two: @\n    One:\n"):
        text = TEXT.replace("    One:\n", odd)
        for plan in (planner(), planner(())):
            found = inject(Document("api.yaml", text), plan)
            assert found.value is None
            assert [d.rule for d in found.diagnostics] == ["text/yaml-syntax"]


@pytest.mark.parametrize("blank", ["\n", "   \n"])
@pytest.mark.parametrize("count", [1, 20, 100])
def test_blank_lines_behind_what_is_left_out_stay_behind_it(blank, count, always, never, planner):
    for place in ("  /a:\n", "    get:\n", "components:\n"):
        document = Document("api.yaml", TEXT.replace(place, blank * count + place))
        short = outline(document, keep)
        assert short is None or all(not document.text[end - 1].isspace() for _, end, _ in short.cuts)
        assert inject(document, planner()) == never(inject, document, planner())


@pytest.mark.parametrize("text", ["", "{}", '{"openapi": "3.1.0"}', "[]", "%YAML 1.1\n---\n" + TEXT, "a", "- a\n"])
def test_other_texts_have_no_outline(text, always):
    assert outline(Document("api.yaml", text), keep) is None
    assert outline(Document("api.yaml", "\ufeff" + text), keep) is None


def test_short_files_are_read_whole():
    assert outline(Document("api.yaml", TEXT), keep) is None


def _same(text, plan, never, path="api.yaml", wishes=None):
    fast = inject(Document(path, text), plan, wishes=wishes)
    slow = never(inject, Document(path, text), plan, wishes=wishes)
    assert fast.diagnostics == slow.diagnostics
    assert (fast.value is None) == (slow.value is None)
    if slow.value is None:
        return
    assert fast.value == slow.value
    after = slow.value.after
    again = inject(Document(path, after), plan, wishes=wishes)
    assert again.value.after == after
    assert again.diagnostics == never(inject, Document(path, after), plan, wishes=wishes).diagnostics
    assert eject(Document(path, after)).value.after == text


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_fast_and_slow_give_the_same(newline, mark, planner, never, always):
    _same(mark + TEXT.replace("\n", newline), planner(), never)
    _same(mark + TEXT.replace("\n", newline).rstrip(), planner(), never)
    _same(mark + ("---\n" + TEXT).replace("\n", newline), planner(), never)


@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("wishes", [Wishes(), Wishes(copy_shared=True, adopt=True)])
def test_fast_and_slow_give_the_same_on_real_files(name, wishes, shared, contracted, never, always):
    text = (shared / "specs" / name).read_bytes().decode()
    _same(text, contracted("every-write.yaml"), never, name, wishes)


@pytest.mark.parametrize("name", ["resend.yaml", "modern-treasury.yaml", "plaid.yml", "mollie.yaml", "lob-bundled.yml"])
def test_long_real_files_have_an_outline(name, shared):
    text = (shared / "specs" / name).read_bytes().decode()
    short = outline(Document(name, text), keep)
    assert len(short.document.text) < len(text) / 3
    assert short.restored(short.document.text) == text


def test_a_component_of_ours_stays_where_what_is_left_out_refers_to_it(always, never, planner):
    after = inject(Document("api.yaml", TEXT), planner()).value.after
    listed = "      parameters:\n      - $ref: '#/components/parameters/IdempotencyKey'\n      - {name: x, in: query}\n"
    used = after.replace("    get:\n", f"    get:\n{listed}      description: |-\n        {'long ' * 30}\n", 1)
    assert (
        "IdempotencyKey'"
        not in outline(Document("api.yaml", used), keep).document.text.split("    get:")[1].split("#")[0]
    )
    for work in (eject, lambda document: inject(document, planner(()))):
        fast, slow = work(Document("api.yaml", used)), never(work, Document("api.yaml", used))
        assert fast == slow
        assert "    IdempotencyKey:" in fast.value.after
