"""Plain data into YAML text, which YAML 1.2 and 1.1 readers and our own read back as the same data."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from idempact.resources.typed import TypeAlias
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain, Scalar, plain_scalar
from idempact.text.pattern import regex

Remark: TypeAlias = Callable[[tuple[str, ...]], str]
Above: TypeAlias = Callable[[tuple[str, ...]], tuple[str, ...]]


class Verbatim(str):
    """A text that must stand in quotes, since the language of the file reads the same word as something else."""

    __slots__ = ()


# What stands plain: nothing that could begin or end another token, in block or flow style (YAML 1.2.2, 7.3.3).
_PLAIN = regex(r"[A-Za-z0-9_/.+][A-Za-z0-9_/.+*%@$^=()<>;~ '-]*(?<![ ])\Z")
# Words that YAML 1.1 readers take for booleans, its base-60 numbers and dates, and numbers with underscores.
_OLD = regex(r"(?i:y|n|yes|no|on|off)\Z|[-+.0-9][-+.0-9_:]*\Z|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?\Z")
_MAX_SIMPLE_KEY = 1000  # an implicit key has at most 1024 characters (YAML 1.2.2, 7.4.2)
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_ESCAPED = regex('["\\\\\x00-\x1f\x7f-\xa0\xad\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]')


def emit(value: Plain, remark: Remark | None = None, above: Above | None = None) -> str:
    """*value* as a YAML document in block style, lists of scalars in brackets, ending with a line break.

    *remark* gives, for the path of a line's value, a comment to put behind it (empty for none), *above* the comments to
    put on lines of their own before the field or item at a path; what is within brackets has no line.
    """
    return "".join(f"{line}\n" for line in _lines(value, (), _Comments(remark or _silent, above or _nothing)))


@dataclass(frozen=True, slots=True)
class _Comments:
    """What to say behind and above the lines."""

    behind: Remark
    above: Above

    def before(self, path: tuple[str, ...]) -> Iterator[str]:
        """The comments' lines above the field or item at *path*."""
        return (f"# {text}" for text in self.above(path))


def _silent(_: tuple[str, ...]) -> str:
    return ""


def _nothing(_: tuple[str, ...]) -> tuple[str, ...]:
    return ()


def scalar(value: str | int | float | bool | None) -> str:
    """One scalar, quoted where it has to be."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, int):
        return str(value)
    bare = _PLAIN.match(value) and not isinstance(value, Verbatim) and not _OLD.match(value)
    return value if bare and isinstance(plain_scalar(Scalar(0, 0, value)), str) else _quoted(value)


def _float(value: float) -> str:
    if value != value:
        return ".nan"
    if value in (float("inf"), float("-inf")):
        return ".inf" if value > 0 else "-.inf"
    return repr(value)


def _quoted(text: str) -> str:
    """In double quotes; in single ones where that spares escapes (YAML 1.2.2, 7.3.2)."""
    if '"' in text and "'" not in text and not _ESCAPED.search(text.replace('"', "").replace("\\", "")):
        return f"'{text}'"
    return '"' + _ESCAPED.sub(lambda m: _ESCAPES.get(m[0]) or _numbered(ord(m[0])), text) + '"'


def _numbered(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _key(text: str) -> str:
    bare = _PLAIN.match(text) or re.match(r"[A-Z]+ /[A-Za-z0-9_/.{}*-]*\Z", text)
    number = re.match(r"[1-9][0-9]{0,8}\Z", text)
    words = _OLD.match(text) or not isinstance(plain_scalar(Scalar(0, 0, text)), str)
    return text if bare and (number or not words) else _quoted(text)


def _on_one_line(value: Plain) -> str | None:
    """The value as it stands behind a key or dash; None for what needs lines of its own."""
    if isinstance(value, dict):
        return None if value else "{}"
    if isinstance(value, list):
        if any(isinstance(item, list | dict) and item for item in value):
            return None
        return f"[{', '.join(_on_one_line(item) or '' for item in value)}]"
    return scalar(value)


def _lines(value: Plain, path: tuple[str, ...], comments: _Comments) -> Iterator[str]:
    single = _on_one_line(value)
    if single is not None:
        yield single + _comment(comments.behind(path))
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from comments.before((*path, key))
            name = _key(key)
            head = f"{name}:" if len(name) <= _MAX_SIMPLE_KEY else f"? {name}"
            if head.startswith("?"):
                yield head
                head = ":"
            yield from _under(head, item, (*path, key), comments)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from comments.before((*path, str(index)))
            lines = _lines(item, (*path, str(index)), comments)
            yield f"- {next(lines)}"
            yield from (f"  {line}" for line in lines)


def _under(head: str, value: Plain, path: tuple[str, ...], comments: _Comments) -> Iterator[str]:
    single = _on_one_line(value)
    if single is not None:
        yield f"{head} {single}{_comment(comments.behind(path))}"
        return
    yield head
    yield from (f"  {line}" for line in _lines(value, path, comments))


def _comment(text: str) -> str:
    return f"  # {text}" if text else ""
