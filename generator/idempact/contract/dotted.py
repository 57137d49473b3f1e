"""Paths to a contract's fields, as people write them."""

from __future__ import annotations

import re

from idempact.resources.typed import TypeAlias
from idempact.text.pattern import regex

Path: TypeAlias = tuple[str, ...]


def dotted(path: Path) -> str:
    """A path as people write it: ``operations["POST /refunds"].windows.replay``; :func:`parse_dotted` reads it."""
    out = ""
    for part in path:
        if _NAME.fullmatch(part):
            out += f".{part}" if out else part
        else:
            out += f"[{part}]" if _INDEX.fullmatch(part) else f"[{quote(part)}]"
    return out


def parse_dotted(text: str) -> Path:
    """The path that :func:`dotted` wrote. Raises ValueError with advice for anything else."""
    path: list[str] = []
    at = 0
    while at < len(text):
        step = _STEP.match(text, at) if path or text[at] == "[" else _NAME.match(text, at)
        if step is None or (step.lastgroup == "quoted" and not _quoted(step["quoted"])):
            raise ValueError('write a path as windows.replay or operations["POST /refunds"].windows.replay')
        found = step[step.lastgroup] if step.lastgroup else step[0]
        path.append(_unquote(found) if step.lastgroup == "quoted" else found)
        at = step.end()
    if not path:
        raise ValueError("a path names at least one field")
    return tuple(path)


_WORD = "[A-Za-z_][A-Za-z0-9_-]*"
_NAME = regex(_WORD)
_INDEX = regex("[0-9]+")
_STEP = regex(rf"\.(?P<name>{_WORD})|\[(?P<index>[0-9]+)\]|\[(?P<quoted>\"(?:[^\"\\]|\\.)*\")\]", re.S)


def _quoted(text: str) -> bool:
    try:
        _unquote(text)
    except ValueError:
        return False
    return True


def quote(text: str) -> str:
    """The text as a JSON string; what writes any is loaded for a text that needs escapes."""
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    from json import dumps

    return dumps(text, ensure_ascii=False)


def _unquote(text: str) -> str:
    """The text in a JSON string. Raises ValueError where it is none."""
    if text.isprintable() and '"' not in text[1:-1] and "\\" not in text:
        return text[1:-1]
    from json import loads

    return str(loads(text))
