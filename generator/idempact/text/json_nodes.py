"""JSON into located nodes, with the standard library's own string and number scanners."""

from __future__ import annotations

import json
import json.decoder
import re
from collections.abc import Callable

from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.node import (
    MAX_DEPTH,
    Entry,
    Keep,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Skipped,
    Style,
    Tree,
    duplicate_key,
)
from idempact.text.span import Document

_SPACE = re.compile(r"[ \t\n\r]*")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_WORD = re.compile(r"true|false|null")
# The standard library's C scanners; its type stubs don't name them.
_scan: Callable[[str, int], tuple[object, int]] = json.JSONDecoder(strict=True).scan_once  # type: ignore[attr-defined]
_scan_string: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


class _Bad(Exception):
    def __init__(self, message: str, at: int, rule: str = "text/json-syntax") -> None:
        self.message, self.at, self.rule = message, at, rule


def compose_json(document: Document, keep: Keep | None) -> Checked[Tree]:
    """See :func:`idempact.text.nodes.compose`. RFC 8259 and nothing beyond it: no comments, trailing commas or NaN."""
    reader = _Reader(document, keep)
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
    end = min(bad.at + 1, len(document.text))
    return Diagnostic(bad.rule, Severity.ERROR, message, document.span(bad.at, end), hint=hints[bad.rule])


class _Reader:
    def __init__(self, document: Document, keep: Keep | None) -> None:
        self.document = document
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

    def _value(self, at: int, path: tuple[str, ...]) -> Node:
        opening = self.text[at : at + 1]
        if opening in ("{", "["):
            if path and self.keep is not None and not self.keep(path):
                return self._skip(at, opening)
            if len(path) >= MAX_DEPTH:
                raise _Bad(f"nested more than {MAX_DEPTH} levels deep", at, "text/too-deep")
            return self._object(at, path) if opening == "{" else self._array(at, path)
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
            raise _Bad(error.msg, error.pos) from None
        except RecursionError:
            raise _Bad(f"nested more than {MAX_DEPTH} levels deep", at, "text/too-deep") from None
        return Skipped(at, end, "mapping" if opening == "{" else "sequence")

    def _string(self, at: int) -> Scalar:
        if self.text[at : at + 1] != '"':
            raise _Bad("a key in double quotes is expected here", at)
        try:
            value, end = _scan_string(self.text, at + 1, True)
        except json.JSONDecodeError as error:
            raise _Bad(error.msg, min(error.pos, max(len(self.text) - 1, 0))) from None
        return Scalar(at, end, value, Style.DOUBLE)

    def _object(self, start: int, path: tuple[str, ...]) -> Node:
        entries: list[Entry] = []
        keys: dict[str, Scalar] = {}
        at = self._space(start + 1)
        if self.text[at : at + 1] == "}":
            return Mapping(start, at + 1, (), flow=True)
        while True:
            key = self._string(at)
            first = keys.setdefault(key.value, key)
            if first is not key:
                self.diagnostics.append(duplicate_key(self.document, key, first))
            at = self._space(key.end)
            if self.text[at : at + 1] != ":":
                raise _Bad("a colon is expected here", at)
            value = self._value(self._space(at + 1), (*path, key.value))
            entries.append(Entry(key, value))
            at = self._space(value.end)
            if self.text[at : at + 1] == "}":
                return Mapping(start, at + 1, tuple(entries), flow=True)
            if self.text[at : at + 1] != ",":
                raise _Bad("a comma or a closing brace is expected here", at)
            at = self._space(at + 1)

    def _array(self, start: int, path: tuple[str, ...]) -> Node:
        items: list[Node] = []
        at = self._space(start + 1)
        if self.text[at : at + 1] == "]":
            return Sequence(start, at + 1, (), flow=True)
        while True:
            value = self._value(at, (*path, str(len(items))))
            items.append(value)
            at = self._space(value.end)
            if self.text[at : at + 1] == "]":
                return Sequence(start, at + 1, tuple(items), flow=True)
            if self.text[at : at + 1] != ",":
                raise _Bad("a comma or a closing bracket is expected here", at)
            at = self._space(at + 1)
