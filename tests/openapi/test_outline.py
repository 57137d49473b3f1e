"""The fast path: with an outline an injection is the same as without, and at any oddity there is no outline."""

from __future__ import annotations

import pytest

from idempact.openapi import outline as outlines
from idempact.openapi.inject import eject, inject
from idempact.openapi.locate import keep
from idempact.openapi.outline import outline
from idempact.openapi.plan import Wishes
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
    """Outlines of short files, too."""
    monkeypatch.setattr(outlines, "LEAST", 0)


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


def test_libyaml_counts_what_the_split_can_not_see(always):
    """A quoted text may go on at any column for libyaml, so that a line in it may look like a key."""
    odd = TEXT.replace("    One:\n", '    One: "x\n  /odd:\n    post: {}\n  y"\n    Two:\n')
    short = outline(Document("api.yaml", odd), keep)
    assert short is None or inject(Document("api.yaml", odd), _nothing()).value is not None
    good = outline(Document("api.yaml", TEXT), keep)
    assert good.agrees(good.document.text + "x: 1\n", TEXT + "x: 1\n")
    assert not good.agrees(good.document.text + "x: 1\n", TEXT + "# x: 1\n")
    assert not good.agrees(good.document.text + "x: 1\n", TEXT + "x: [\n")


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
