"""JSON into located nodes, with the standard library's own string and number scanners."""

from __future__ import annotations

import json
import json.decoder
from collections.abc import Callable

from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.node import (
    MAX_DEPTH,
    Entry,
    Keep,
    Less,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Skipped,
    Style,
    Tree,
    duplicate_key,
)
from idempact.text.pattern import regex
from idempact.text.span import Document

_SPACE = regex(r"[ \t\n\r]*")
# A key without escapes and what stands around it, and its value where that is a text without escapes, with the comma
# behind it; what may follow a value. What these don't match is looked at slowly.
_MEMBER = regex(r'[ \t\n\r]*+"([^"\\\x00-\x1f]*+)"[ \t\n\r]*+:[ \t\n\r]*+(?:"([^"\\\x00-\x1f]*+)"(?:[ \t\n\r]*+(,))?)?')
_AFTER = regex(r"[ \t\n\r]*(?:(,)[ \t\n\r]*|([}\]]))")
_NUMBER = regex(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORD = regex(r"true|false|null")


# Nodes are made by the thousand: this skips the function that names their fields.
_new = tuple.__new__


class _Bad(Exception):
    def __init__(self, message: str, at: int, rule: str = "text/json-syntax") -> None:
        self.message, self.at, self.rule = message, at, rule


def _no_number(word: str) -> object:
    raise json.JSONDecodeError(f"{word} is no number in JSON", "", 0)


class _Twice(Exception):
    """A key stands twice in an object that is skipped."""


def _different(pairs: list[tuple[str, object]]) -> None:
    """Let an object go whose keys are all different."""
    count = len(pairs)
    if count == 2:
        # As many objects have two members as any other number, and this is done for each.
        if pairs[0][0] == pairs[1][0]:
            raise _Twice
    elif count > 2 and len(dict(pairs)) != count:
        raise _Twice


# The standard library's C scanners; its type stubs don't name them.
_decoder = json.JSONDecoder(strict=True, parse_constant=_no_number, object_pairs_hook=_different)
_scan: Callable[[str, int], tuple[object, int]] = _decoder.scan_once  # type: ignore[attr-defined]
_scan_string: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


def compose_json(document: Document, keep: Keep | None, less: Less | None = None) -> Checked[Tree]:
    """See :func:`idempact.text.nodes.compose`. RFC 8259 and nothing beyond it: no comments, trailing commas or NaN."""
    reader = _Reader(document, keep, less)
    try:
        root = reader.document_root()
    except _Bad as bad:
        return Checked(None, (*reader.diagnostics, _finding(document, bad)))
    diagnostics = tuple(reader.diagnostics)
    return Checked(None if diagnostics else Tree(document, root, json=True), diagnostics)


def _finding(document: Document, bad: _Bad) -> Diagnostic:
    hints = {
        "text/json-syntax": "JSON wants double quotes, commas between members, none behind the last, no comments",
        "text/too-deep": "no sensible file nests this deep; check for unbalanced brackets",
    }
    message = bad.message if bad.rule != "text/json-syntax" else f"this is not JSON: {bad.message}"
    # A line break is no place of its line: what is wrong there is told at the line's end.
    end = bad.at if document.text[bad.at : bad.at + 1] in ("\r", "\n") else min(bad.at + 1, len(document.text))
    return Diagnostic(bad.rule, Severity.ERROR, message, document.span(bad.at, end), hint=hints[bad.rule])


class _Reader:
    def __init__(self, document: Document, keep: Keep | None, less: Less | None) -> None:
        self.document = document
        self.less = less
        self.text = document.text
        self.keep = keep
        self.diagnostics: list[Diagnostic] = []

    def document_root(self) -> Node:
        start = self._space(1 if self.text.startswith("\ufeff") else 0)
        node = self._value(start, ())
        end = self._space(node.end)
        if end != len(self.text):
            raise _Bad("something follows the end of the document", end)
        return node

    def _space(self, at: int) -> int:
        match = _SPACE.match(self.text, at)
        return match.end() if match else at

    def _value(self, at: int, path: tuple[str, ...], key: str | None = None) -> Node:
        """The value at *at*, below *path* under *key*; the root where there is no key."""
        opening = self.text[at : at + 1]
        if opening == "{" or opening == "[":
            below = path if key is None else (*path, key)
            if below and self.keep is not None and not self.keep(below):
                return self._skip(at, opening)
            if len(below) >= MAX_DEPTH:
                raise _Bad(f"nested more than {MAX_DEPTH} levels deep", at, "text/too-deep")
            return self._object(at, below) if opening == "{" else self._array(at, below)
        if opening == '"':
            return self._string(at)
        match = _NUMBER.match(self.text, at) or _WORD.match(self.text, at)
        if not match:
            raise _Bad("a value is expected here", at)
        return Scalar(at, match.end(), match.group())

    def _skip(self, at: int, opening: str) -> Node:
        try:
            _, end = _scan(self.text, at)
        except StopIteration as stop:
            raise _Bad("a value is expected here", int(stop.value)) from None
        except json.JSONDecodeError as error:
            raise _Bad(error.msg, max(error.pos, at)) from None
        except (_Twice, ValueError):
            # Read it after all: that tells both places, or takes a number of more digits than Python converts.
            wanted, self.keep = self.keep, None
            node = self._value(at, ("",))
            self.keep = wanted
            return node
        except RecursionError:
            raise _Bad(f"nested more than {MAX_DEPTH} levels deep", at, "text/too-deep") from None
        return _new(Skipped, (at, end, "mapping" if opening == "{" else "sequence", "", ()))

    def _string(self, at: int) -> Scalar:
        if self.text[at : at + 1] != '"':
            raise _Bad("a key in double quotes is expected here", at)
        try:
            value, end = _scan_string(self.text, at + 1, True)
        except json.JSONDecodeError as error:
            raise _Bad(error.msg, min(error.pos, max(len(self.text) - 1, 0))) from None
        return Scalar(at, end, value, Style.DOUBLE)

    def _key(self, at: int) -> tuple[Scalar, int]:
        """The key behind blanks from *at*, and where its value begins."""
        key = self._string(self._space(at))
        at = self._space(key.end)
        if self.text[at : at + 1] != ":":
            raise _Bad("a colon is expected here", at)
        return key, self._space(at + 1)

    def _following(self, end: int, closing: str, what: str) -> tuple[bool, int]:
        """Whether a collection ends behind a value that ends at *end*, and where that end or the next child is."""
        match = _AFTER.match(self.text, end)
        if match is None or (match[2] is not None and match[2] != closing):
            raise _Bad(f"a comma or a closing {what} is expected here", self._space(end))
        return match[1] is None, match.end()

    def _object(self, start: int, path: tuple[str, ...]) -> Node:
        text, member, after, double = self.text, _MEMBER.match, _AFTER.match, Style.DOUBLE
        at = self._space(start + 1)
        if text[at : at + 1] == "}":
            return Mapping(start, at + 1, (), flow=True)
        entries: list[Entry] = []
        ended = False
        # Most of a large file's time goes by here: what is usual is read in place, the rest by the methods above.
        while not ended:
            match = member(text, at)
            value: Node | None = None
            comma: str | None = None
            if match is None:
                key, at = self._key(at)
            else:
                name, word, comma = match.groups()
                # Without escapes, a text is as long as what it says.
                opened = match.start(1)
                key, at = _new(Scalar, (opened - 1, opened + len(name) + 1, name, double, "", "")), match.end()
                if word is not None:
                    opened = match.start(2)
                    value = _new(Scalar, (opened - 1, opened + len(word) + 1, word, double, "", ""))
            if value is None:
                value = self._value(at, path, key.value)
            entries.append(_new(Entry, (key, value)))
            if comma is not None:
                continue
            match = after(text, value[1])
            closing = match[2] if match is not None else ""
            if match is not None and (closing is None or closing == "}"):
                ended, at = closing is not None, match.end()
            else:
                ended, at = self._following(value.end, "}", "brace")
        if len({key[2] for key, _ in entries}) < len(entries):
            self._repeated(entries)
        return _new(Mapping, (start, at, tuple(entries), True, ""))

    def _repeated(self, entries: list[Entry]) -> None:
        keys: dict[str, Scalar] = {}
        for entry in entries:
            first = keys.setdefault(entry.key.value, entry.key)
            if first is not entry.key:
                self.diagnostics.append(duplicate_key(self.document, entry.key, first))

    def _array(self, start: int, path: tuple[str, ...]) -> Node:
        at = self._space(start + 1)
        if self.text[at : at + 1] == "]":
            return Sequence(start, at + 1, (), flow=True)
        items: list[Node] = []
        ended = False
        beside = self.less(path) if self.less is not None and path else None
        while not ended:
            value: Node | None = None
            if beside is not None and self.text[at : at + 1] == "{":
                value = self._skip(at, "{")
                # What could not be skipped has been read, and what is wrong with it told.
                value = None if isinstance(value, Skipped) and not beside(self.text, at, value.end) else value
            if value is None:
                value = self._value(at, path, str(len(items)))
            items.append(value)
            ended, at = self._following(value.end, "]", "bracket")
        return Sequence(start, at, tuple(items), flow=True)
