"""Values as text, in the notation that a file already uses: YAML in block or flow style, or JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from json.encoder import encode_basestring, encode_basestring_ascii

from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain

_PLAIN = re.compile(r"[A-Za-z/_][A-Za-z0-9 _/.,(){}$+;@=~<>-]*\Z")
_PLAIN_IN_FLOW = re.compile(r"[A-Za-z/_][A-Za-z0-9 _/.()$+;@=~<>-]*\Z")
_RESERVED = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf"))
_STATUS = re.compile(r"[1-5]([0-9]{2}|XX)\Z")
# What libyaml breaks lines at, or reads as no character, must be escaped; JSON escapes only the first 32.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_NEEDS_ESCAPES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Notation:
    """How one file writes its values.

    ``step`` is one level of indentation, ``dash`` how many columns a sequence stands right of its key, ``lead`` the
    columns from a dash to its item; the quotes are ``'``, ``"`` or, for statuses and ``$ref`` keys, none. ``colon`` and
    ``comma`` are JSON's separators as written; ``ascii`` says that JSON escapes everything beyond ASCII.
    """

    json: bool
    newline: str = "\n"
    step: str = "  "
    dash: int = 2
    lead: int = 2
    quote: str = "'"
    status_quote: str = "'"
    ref_quote: str = "'"
    ref_key_quote: str = ""
    colon: str = ": "
    comma: str = ", "
    multiline: bool = True
    ascii: bool = False

    def member(self, key: str, value: Plain, column: int) -> tuple[str, ...]:
        """The lines of one block-style entry whose key stands at *column* (from 0)."""
        head = " " * column + self.key(key) + ":"
        if isinstance(value, dict) and value:
            nested = (self.member(k, v, column + len(self.step)) for k, v in value.items())
            return (head, *(line for lines in nested for line in lines))
        if isinstance(value, list) and value:
            items = (self.item(item, column + self.dash) for item in value)
            return (head, *(line for lines in items for line in lines))
        return (f"{head} {self._scalar(value, flow=False, key=key)}",)

    def item(self, value: Plain, column: int) -> tuple[str, ...]:
        """The lines of one block-style sequence item whose dash stands at *column* (from 0)."""
        lead = " " * column + "-" + " " * (self.lead - 1)
        if isinstance(value, dict) and value:
            lines = [line for k, v in value.items() for line in self.member(k, v, column + self.lead)]
            return (lead + lines[0].lstrip(" "), *lines[1:])
        return (lead + self.inline(value),)

    def inline(self, value: Plain, key: str = "") -> str:
        """The value on one line: flow style, or compact JSON with the file's separators."""
        if isinstance(value, dict):
            return "{" + self.comma.join(self.inline_member(k, v) for k, v in value.items()) + "}"
        if isinstance(value, list):
            return "[" + self.comma.join(self.inline(item) for item in value) + "]"
        return self._scalar(value, flow=True, key=key)

    def inline_member(self, key: str, value: Plain) -> str:
        """One entry of a mapping on one line."""
        return f"{self.key(key, flow=True)}{self.colon if self.json else ': '}{self.inline(value, key)}"

    def spread(self, value: Plain, indent: str) -> str:
        """JSON over several lines, as the value of something that stands at *indent*."""
        if isinstance(value, dict) and value:
            return (
                "{"
                + self._spread_over((self.spread_member(k, v, indent + self.step) for k, v in value.items()), indent)
                + "}"
            )
        if isinstance(value, list) and value:
            return "[" + self._spread_over((self.spread(item, indent + self.step) for item in value), indent) + "]"
        return self.inline(value)

    def spread_member(self, key: str, value: Plain, indent: str) -> str:
        """One JSON member over several lines, without the indent before it."""
        return f"{self.key(key)}{self.colon}{self.spread(value, indent)}"

    def _spread_over(self, parts: Iterator[str], indent: str) -> str:
        inner = self.newline + indent + self.step
        return inner + ("," + inner).join(parts) + self.newline + indent

    def key(self, key: str, *, flow: bool = False) -> str:
        """A mapping's key: statuses and ``$ref`` quoted as the file quotes them."""
        if not self.json:
            if _STATUS.match(key):
                return f"{self.status_quote}{key}{self.status_quote}"
            if key == "$ref":
                return f"{self.ref_key_quote}$ref{self.ref_key_quote}"
        return self._text(key, flow=flow)

    def _scalar(self, value: Plain, *, flow: bool, key: str) -> str:
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if isinstance(value, str):
            if key == "$ref" and not self.json:
                return f"{self.ref_quote}{value}{self.ref_quote}"
            return self._text(value, flow=flow)
        return json.dumps(value)

    def _text(self, text: str, *, flow: bool) -> str:
        if self.json:
            return encode_basestring_ascii(text) if self.ascii else encode_basestring(text)
        return text if _stands_plain(text, flow) else self.quoted(text)

    def quoted(self, text: str) -> str:
        """A YAML text in the file's quotes; in double ones where it needs escapes."""
        if self.quote == "'" and not _NEEDS_ESCAPES.search(text):
            return "'" + text.replace("'", "''") + "'"
        return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", json.dumps(text, ensure_ascii=False))


# The same few texts are written for operation after operation.
@lru_cache(maxsize=4096)
def _stands_plain(text: str, flow: bool) -> bool:
    plain = (_PLAIN_IN_FLOW if flow else _PLAIN).match(text)
    return bool(plain) and text.lower() not in _RESERVED and not text.endswith(" ")
