"""What holds for any file: removal, second run, ejection and update, over generated YAML and JSON in any notation."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from idempact.openapi import outline as outlines
from idempact.openapi.inject import eject, inject
from idempact.openapi.keeping import keep_named_bodies
from idempact.openapi.locate import keep, keep_all, keep_bodies
from idempact.openapi.plan import Wishes
from idempact.openapi.style import notation_of
from idempact.text.nodes import compose, plain
from idempact.text.span import Document

SLOW = settings(
    deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)

SEEN: Counter[str] = Counter()


def note(feature):
    """Count what a generated file has; ``--hypothesis-show-statistics`` prints the shares."""
    SEEN[feature] += 1
    event(feature)


words = st.text(
    st.characters(codec="utf-8", categories=("L", "N"), include_characters=" -#:'é漢😀"), min_size=1, max_size=12
).map(lambda text: "t" + text.strip().replace(" #", "_").replace(": ", "_").rstrip(":"))


# What a careless writer would have to quote, escape or fold.
HOSTILE = st.sampled_from(
    [*"'\"\\#:{}[],&*!|>%@`-?~<=/ \t\n", "\u00e9", "\u6f22", "\U0001f600", "\u00a0", "0", "a", "\u200d"]
)


@st.composite
def notations(draw):
    step = draw(st.integers(1, 4))
    return {
        "step": step,
        "dash": draw(st.integers(0, step)),
        "lead": draw(st.integers(2, 4)),
        "quote": draw(st.sampled_from(["'", '"'])),
        "status": draw(st.sampled_from(["'", '"', ""])),
        "newline": draw(st.sampled_from(["\n", "\r\n"])),
    }


@st.composite
def fillers(draw, column):
    """Blank lines and comments, which may stand between any two lines."""
    kind = draw(st.integers(0, 9))
    if kind < 7:
        return []
    note("blank line" if kind == 7 else "comment")
    return [["", ""], ["# a comment: 'odd'"], ["", " " * column + "# another"]][kind - 7]


@st.composite
def texts(draw, column):
    """A description's value: what follows the colon, and the lines below."""
    kind = draw(st.integers(0, 9))
    text = draw(words)
    pad = " " * (column + 2)
    if kind > 6:
        note("hostile text")
        hostile = draw(st.text(HOSTILE, min_size=1, max_size=20))
        if kind == 7:
            return [" " + json.dumps(hostile, ensure_ascii=False)]
        if kind == 8:
            return [" |2-", pad + "\t" + re.sub(r"[\x00-\x1f]", " ", hostile), pad + text]
        return [" '" + re.sub(r"[\x00-\x1f]", "", hostile).replace("'", "''") + "x' # " + text]
    if kind == 2:
        note("block text")
    if kind == 0:
        return [" '" + text.replace("'", "''") + "'"]
    if kind == 1:
        return [" " + json.dumps(text, ensure_ascii=False) + "   # why"]
    if kind == 2:
        head = draw(st.sampled_from(["|", "|-", "|+", ">", ">-", ">+"]))
        tail = draw(st.lists(st.just(""), max_size=2))
        return [f" {head}", pad + text, "", pad + "  " + text, *tail]
    if kind == 3:
        return [" t" + text.lstrip("t"), pad + "going on"]
    return [" t" + text]


class Yaml:
    """Writes one file in one notation."""

    def __init__(self, draw, notation):
        self.draw, self.notation, self.lines = draw, notation, []
        self.anchored = draw(st.integers(0, 3)) == 0

    def put(self, column, text, below=()):
        self.lines += self.draw(fillers(column))
        self.lines.append(" " * column + text)
        self.lines += below

    def described(self, column, key):
        head, *below = self.draw(texts(column))
        self.put(column, f"{key}:{head}", below)

    def parameters(self, column):
        kind = self.draw(st.integers(0, 4))
        if kind == 0:
            return
        if kind == 1:
            self.put(column, "parameters: " + self.draw(st.sampled_from(["[]", "[ ]", "[{name: q, in: query}]"])))
            return
        self.put(column, "parameters:")
        dash, lead = column + self.notation["dash"], self.notation["lead"]
        for number in range(kind - 1):
            self.put(dash, "-" + " " * (lead - 1) + f"name: q{number}")
            self.put(dash + lead, "in: query")
            self.described(dash + lead, "description")

    def responses(self, column):
        step, quote = self.notation["step"], self.notation["status"]
        statuses = self.draw(
            st.lists(st.sampled_from(["200", "201", "400", "404", "409", "500"]), max_size=3, unique=True)
        )
        if not statuses:
            if self.draw(st.booleans()):
                self.put(column, "responses: {}")
            return
        self.put(column, "responses:")
        for status in statuses:
            key = f"{quote}{status}{quote}"
            if self.draw(st.integers(0, 3)) == 0:
                self.put(column + step, key + ": {description: ok, headers: {}}")
                continue
            self.put(column + step, key + ":")
            self.described(column + 2 * step, "description")
            if self.draw(st.booleans()):
                self.put(column + 2 * step, "headers:")
                self.put(column + 3 * step, "X-Trace: {schema: {type: string}}")

    def bracketed(self, column, key):
        """An operation in brackets, on one line or several, with comments, and a comma behind its last member."""
        note("operation in brackets")
        gap = self.draw(st.sampled_from([" ", " ", "\n" + " " * (column + 3), "   # why\n" + " " * (column + 5)]))
        members = self.draw(st.permutations(["tags: [a]", "x-n: 0x1F", "summary: 'it''s, {odd}'"]))
        more = self.draw(
            st.sampled_from(["responses: {}", "responses: { '200': {description: ok} }", "parameters: [ ]", "x: y"])
        )
        inner = ("," + gap).join([*members, more]) + self.draw(st.sampled_from(["", " ", ",", gap.replace("#", "# ")]))
        head, *below = f"{key}: {{{inner}}}".split("\n")
        self.put(column, head, below)

    def joined(self, column):
        """An operation that takes parts from elsewhere in the file."""
        note("alias or merge")
        part = self.draw(st.sampled_from(["responses: *shared", "<<: *merged", "x-b: *text", "parameters: *listed"]))
        self.put(column, part)
        if part.startswith("<<") and self.draw(st.booleans()):
            self.put(column, "parameters: []")
        self.put(column, "tags: [b]")

    def anchors(self):
        quote = self.notation["status"]
        self.put(0, f"x-s: &shared {{{quote}200{quote}: {{description: shared}}}}")
        self.put(0, "x-m: &merged")
        self.put(self.notation["step"], "summary: &text 'merged'")
        self.put(self.notation["step"], self.draw(st.sampled_from(["x-a: 1", "responses: {}", "deprecated: false"])))
        self.put(0, "x-l: &listed [{name: l, in: query}]")

    def key(self, number):
        """A path template in one of the ways to write it; the first one is always /p0."""
        text = f"/p{number}"
        if number:
            text += self.draw(
                st.sampled_from(["", "", " it's", "~1%20#x", "/{id}:go", ": #no", "\u00e9\U0001f600", '"'])
            )
        plain = re.fullmatch(r"[\w/{}%~]+|/p[0-9]~1%20#x|/p[0-9]/\{id\}:go", text)
        ways = [
            "'" + text.replace("'", "''") + "'",
            json.dumps(text, ensure_ascii=False),
            *([text] * 4 if plain else []),
        ]
        written = self.draw(st.sampled_from(ways))
        if number and text != f"/p{number}":
            note("odd key")
        if self.draw(st.integers(0, 11)) == 0:
            note("explicit key")
            return f"? {written}", [" " * self.notation["step"] + ":"]
        return f"{written}:", []

    def operation(self, column):
        parts = self.draw(st.permutations(["parameters", "responses", "text", "id"]))
        self.put(column, "tags: [a]")
        for part in parts:
            if part == "parameters":
                self.parameters(column)
            elif part == "responses":
                self.responses(column)
            elif part == "text":
                self.described(column, "description")
            elif self.draw(st.booleans()):
                self.put(column, "x-id: 0x1F")

    def file(self):
        step = self.notation["step"]
        self.put(0, "openapi: 3.1.0")
        if self.anchored:
            self.anchors()
        self.put(0, "paths:")
        for number in range(self.draw(st.integers(1, 3))):
            self.put(step, *self.key(number))
            if self.draw(st.integers(0, 4)) == 0:
                note("path-level parameters")
                self.put(2 * step, "parameters: [{name: p, in: query}]")
            for method in self.draw(st.sampled_from([["post"], ["post", "put"], ["get", "post"]])):
                kind = self.draw(st.integers(0, 5))
                if number and kind == 0:
                    self.bracketed(2 * step, method)
                    continue
                self.put(2 * step, self.draw(st.sampled_from([method, method, f"'{method}'", f'"{method}"'])) + ":")
                if number and kind == 1 and self.anchored:
                    self.joined(3 * step)
                else:
                    self.operation(3 * step)
        for part in self.draw(st.permutations(["components", "info", "tail"])):
            if part == "components" and self.draw(st.booleans()):
                self.put(0, "components:")
                for section in self.draw(
                    st.lists(st.sampled_from(["parameters", "responses", "headers"]), unique=True)
                ):
                    self.put(step, f"{section}:")
                    self.put(2 * step, "Other:")
                    self.described(3 * step, "description")
                self.put(step, "schemas: {}")
            elif part == "info":
                self.put(0, "info: {title: t, version: '1'}")
            elif part == "tail" and self.draw(st.booleans()):
                self.described(0, "x-tail")
        newline = self.notation["newline"]
        note("CRLF" if newline == "\r\n" else "LF")
        note(f"indent {step}")
        end = self.draw(st.sampled_from(["", "", "N", "NN", "N...", "N...N", "N# endN", "N  # end", " "]))
        head = self.draw(st.sampled_from(["", "", "---N", "# topNN---   # hereN", "%YAML 1.1N---N", "N"]))
        head, end = head.replace("N", newline), end.replace("N", newline)
        mark = self.draw(st.sampled_from(["", "", "\ufeff"]))
        note("byte-order mark" if mark else "no byte-order mark")
        note("last line break" if end.endswith("\n") else "no last line break")
        lines = [line for part in self.lines for line in part.split("\n")]
        return mark + head + newline.join(lines) + end


@st.composite
def yaml_files(draw):
    return Yaml(draw, draw(notations())).file()


def _statuses(draw):
    statuses = draw(st.lists(st.sampled_from(["200", "400", "409", "500"]), max_size=3, unique=True))
    return {status: {"description": draw(words), **draw(st.sampled_from([{}, {"headers": {}}]))} for status in statuses}


@st.composite
def json_files(draw):
    paths = {}
    for number in range(draw(st.integers(1, 3))):
        operation = {"responses": _statuses(draw), "x-n": draw(st.sampled_from([1e400, 10**30, 0.1, "\u00e9\u2028"]))}
        if operation["x-n"] == float("inf"):
            operation["x-n"] = None
        if draw(st.booleans()):
            operation["parameters"] = draw(st.sampled_from([[], [{"name": "q", "in": "query"}]]))
        paths[f"/p{number}"] = {draw(st.sampled_from(["post", "put", "get"])): operation, "post": operation}
    file = {"openapi": "3.0.3", "info": {"title": draw(words), "version": "1"}, "paths": paths}
    if draw(st.booleans()):
        file["components"] = draw(st.sampled_from([{}, {"parameters": {}}, {"headers": {"X": {}}, "responses": {}}]))
    text = json.dumps(
        file,
        indent=draw(st.sampled_from([None, 0, 1, 2, 3, 4, "\t"])),
        separators=draw(st.sampled_from([(",", ":"), (", ", ": "), (",", " : "), (" , ", ":")])),
        ensure_ascii=draw(st.booleans()),
    )
    text = text.replace("{}", draw(st.sampled_from(["{}", "{ }", "{\n}"])))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))
    return draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", "\n"]))


@st.composite
def bracketed_files(draw):
    """A whole YAML file in brackets, which JSON is not: comments, bare words, single quotes, a comma at the end."""
    note("file in brackets")
    newline = draw(st.sampled_from(["\n", "\r\n"]))

    def write(value, depth):
        if isinstance(value, str):
            quoted = "'" + value.replace("'", "''") + "'"
            return draw(
                st.sampled_from([quoted, json.dumps(value, ensure_ascii=False), *([value] if value.isalpha() else [])])
            )
        if not isinstance(value, dict | list):
            return json.dumps(value)
        gap = draw(st.sampled_from(["", " ", newline + " " * depth, f" # it's{newline}" + " " * depth]))
        if isinstance(value, list):
            items = [write(item, depth + 1) for item in value]
        else:
            items = [f"{write(key, depth)}: {write(item, depth + 1)}" for key, item in value.items()]
        end = draw(st.sampled_from(["", gap, ","])) if items else gap
        inner = gap + ("," + (gap or " ")).join(items) + end
        return "[" + inner + "]" if isinstance(value, list) else "{" + inner + "}"

    operation = {"tags": ["a"], "responses": draw(st.sampled_from([{}, {"200": {"description": "it's {odd}"}}]))}
    if draw(st.booleans()):
        operation["parameters"] = draw(st.sampled_from([[], [{"name": "q", "in": "query"}]]))
    paths = {f"/p{n}": {draw(st.sampled_from(["post", "put"])): operation, "post": operation} for n in range(2)}
    file = {"openapi": "3.1.0", "info": {"title": draw(words), "version": "1"}, "paths": paths, "x": draw(words)}
    return (
        draw(st.sampled_from(["", "\ufeff"])) + write(file, 1) + draw(st.sampled_from(["", newline, f"{newline}# end"]))
    )


def _holds(path, text, planner, unchanged, **more):
    plan, other = planner(**more), planner(code="other", indicator="X-Repeat", statuses=(409, 422), longest=64)
    first = inject(Document(path, text), plan)
    assert first.value is not None, first.diagnostics
    after = first.value.after
    # 1, in its stronger form: an independent reader sees additions only, and ejecting gives every byte back.
    unchanged(path, text, after)
    ejected = eject(Document(path, after))
    assert ejected.value is not None, ejected.diagnostics
    assert ejected.value.after == text
    assert ejected.diagnostics == ()
    # 2
    again = inject(Document(path, after), plan)
    assert again.value is not None, again.diagnostics
    assert again.value.after == after
    updated, fresh = inject(Document(path, after), other), inject(Document(path, text), other)
    assert updated.value is not None, updated.diagnostics
    assert fresh.value is not None
    assert updated.value.after == fresh.value.after


@SLOW
@given(text=yaml_files())
def test_any_yaml_file(text, planner, unchanged):
    _holds("api.yaml", text, planner, unchanged)


@SLOW
@given(text=yaml_files())
def test_any_yaml_file_by_its_outline(text, planner):
    """Read in part or whole, a file becomes the same, with the same findings at the same places."""
    plan = planner(("/p0",), statuses=(400, 409))
    slow = inject(Document("api.yaml", text), plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outlines, "LEAST", 0)
        patch.setattr(outlines, "_WORTH", 0)
        fast = inject(Document("api.yaml", text), plan)
        assert fast == slow
        assert eject(Document("api.yaml", slow.value.after)).value.after == text
        assert inject(Document("api.yaml", slow.value.after), plan).value.after == slow.value.after


@SLOW
@given(text=yaml_files(), wishes=st.sampled_from([Wishes(True, False), Wishes(False, True), Wishes(True, True)]))
def test_any_yaml_file_with_copies_and_adoption(text, wishes, planner):
    """What is replaced comes back, too: the components of a generated file stand for shared responses and keys."""
    text = _referring(text)
    plan, other = planner(), planner(code="other", indicator="X-Repeat", statuses=(409, 422), longest=64)
    first = inject(Document("api.yaml", text), plan, wishes=wishes)
    assert first.value is not None, first.diagnostics
    after = first.value.after
    again = inject(Document("api.yaml", after), plan, wishes=wishes)
    assert again.value.after == after
    ejected = eject(Document("api.yaml", after))
    assert ejected.diagnostics == ()
    assert ejected.value.after == text
    updated, fresh = (inject(Document("api.yaml", t), other, wishes=wishes) for t in (after, text))
    assert updated.value.after == fresh.value.after


def _referring(text):
    """The file with references in place of some of its inline objects."""
    text = re.sub(r"\{description: ok, headers: \{\}\}", "{$ref: '#/components/responses/Other'}", text)
    declared = "[{name: idempotency-key, in: header, required: false, schema: {maxLength: 9}}]"
    return text.replace("[{name: q, in: query}]", declared)


@SLOW
@given(text=yaml_files(), wider=st.sampled_from([keep_bodies, keep_named_bodies, keep_all]))
def test_any_yaml_file_shows_one_style(text, wider):
    """How much of a file is read, which a wish or a word in it may widen, doesn't decide how ours is written."""
    narrow, wide = (compose(Document("api.yaml", text), keeping).value for keeping in (keep, wider))
    assert notation_of(wide, False, keep) == notation_of(narrow, False)


@SLOW
@given(text=bracketed_files())
def test_any_yaml_file_in_brackets(text, planner, unchanged):
    _holds("api.yaml", text, planner, unchanged)


@SLOW
@given(
    text=st.one_of(yaml_files(), json_files()), said=st.text(max_size=30), code=st.text(HOSTILE, min_size=1, max_size=9)
)
def test_any_words_of_the_contract(text, said, code, planner, unchanged):
    """Descriptions and codes may hold anything that a text can hold."""
    said = said.encode("utf-8", "ignore").decode()
    path = "api.json" if text.lstrip("\ufeff")[:1] == "{" else "api.yaml"
    _holds(path, text, planner, unchanged, code=code, said=said)
    plan = planner(code=code, said=said)
    tree = compose(Document(path, inject(Document(path, text), plan).value.after)).value
    api = plain(tree.root)
    assert api["components"]["parameters"]["IdempotencyKey"]["description"] == said
    # In a component of ours, or in the operation's own response where that had no body.
    assert f"{code}_400" in set(_example_codes(api))


def _example_codes(value):
    if isinstance(value, dict):
        yield from (one["value"]["code"] for one in _ours(value.get("examples")) if "code" in one.get("value", {}))
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _example_codes(item)


def _ours(examples):
    return [one for name, one in examples.items() if name == "one"] if isinstance(examples, dict) else []


@SLOW
@given(text=json_files())
def test_any_json_file(text, planner, unchanged):
    _holds("api.json", text, planner, unchanged)


FEATURES = {
    *("blank line", "comment", "block text", "hostile text", "operation in brackets", "alias or merge", "odd key"),
    *("explicit key", "path-level parameters", "CRLF", "LF", "byte-order mark", "no byte-order mark"),
    *("last line break", "no last line break", "indent 1", "indent 2", "indent 3", "indent 4"),
}


def test_the_generators_make_what_they_are_for():
    """Else the properties above would hold of plain files only."""
    SEEN.clear()

    @settings(deadline=None, max_examples=900, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
    @given(text=yaml_files())
    def drawn(text):
        assert text

    drawn()
    assert {feature for feature in FEATURES if SEEN[feature] < 10} == set()
