"""Escapers, one per family of languages: what the contract says never enters code or Markdown as it is.

Each promises that reading what was emitted gives back what went in; ``tests/snippets/test_literals.py`` reads it with
the family's own reader. What a family cannot hold at all (NUL in a shell, half a surrogate pair) becomes U+FFFD.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from idempact.resources.typed import TypeAlias

Literal: TypeAlias = "bool | int | float | str | tuple[Literal, ...] | None"

_REPLACEMENT = "\ufffd"
_SURROGATE = re.compile("[\ud800-\udfff]")
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_RUBY_INTERPOLATION = re.compile(r"#(?=[{$@])")
_ACTS_IN_COMMENTS = re.compile(r"\*(?=/)|\?(?=>)|coding(?=[:=])|\\(?=u)")
_INT_MAX = 2**31 - 1
_KOTLIN_ESCAPED = re.compile(r"\\.|\$")
_KOTLIN_OTHER = {"$": "\\$", "\\f": "\\u000c"}
_SHELL_PLAIN = re.compile(r"[A-Za-z0-9_./:@%+=,-]+\Z")
_MD_SPECIAL = re.compile(
    r"[\\`*{}\[\]<>|~^&$#]|(?<![^\W_])_|_(?![^\W_])|(?<!\w)[+-]|[+-](?!\w)|==|^=|:(?=[\w+-]+:)"
    r"|^\d+[.)]|\.\.\.|!(?=\[)|\((?=\w{1,3}\))"
)


def python(value: Literal) -> str:
    """A Python literal: double quotes, everything that does not print as an escape (Python reference, 2.4.1)."""
    if isinstance(value, str):
        return f'"{"".join(map(_python_character, value))}"'
    if isinstance(value, tuple):
        inner = ", ".join(python(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def _python_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character in _SHORT:
        return _SHORT[character]
    return character if character.isprintable() else _by_number(character)


def _by_number(character: str) -> str:
    number = ord(character)
    if number <= 0xFF:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def javascript(value: Literal) -> str:
    """A JSON text, a literal in JavaScript, TypeScript, Java and their like too (RFC 8259, 7; ECMA-262, 12.9.4).

    Characters that do not print, U+2028 and U+2029 among them, are written as ``\\u`` escapes.
    """
    if isinstance(value, tuple):
        return f"[{', '.join(javascript(item) for item in value)}]"
    if not isinstance(value, str):
        return json.dumps(value)
    parts = json.dumps(value, ensure_ascii=False)
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in parts)


def go(value: Literal) -> str:
    """A Go literal: interpreted strings, ``[]any`` for tuples (Go specification, "String literals").

    Half a surrogate pair becomes U+FFFD, which is what Go itself makes of one.
    """
    if isinstance(value, tuple):
        return f"[]any{{{', '.join(go(item) for item in value)}}}"
    if not isinstance(value, str):
        return "nil" if value is None else json.dumps(value)
    text = _SURROGATE.sub(_REPLACEMENT, value)
    return f'"{"".join(map(_go_character, text))}"'


def _go_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character in _SHORT:
        return _SHORT[character]
    number = ord(character)
    if character.isprintable():
        return character
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"


def rust(value: Literal) -> str:
    """A Rust literal: strings in double quotes, slices for tuples (Rust reference, "Tokens").

    Half a surrogate pair, which no Rust string holds, becomes U+FFFD.
    """
    if isinstance(value, tuple):
        return f"&[{', '.join(rust(item) for item in value)}]"
    if not isinstance(value, str):
        return "None" if value is None else json.dumps(value)
    text = _SURROGATE.sub(_REPLACEMENT, value)
    return f'"{"".join(map(_rust_character, text))}"'


def _rust_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    if character in _SHORT:
        return _SHORT[character]
    return character if character.isprintable() else f"\\u{{{ord(character):x}}}"


def java(value: Literal) -> str:
    """A Java literal; texts as in JSON, whole numbers beyond an ``int`` as a ``long`` (JLS 17, 3.10), many as a List.

    Java reads ``\\u`` escapes before all else (JLS 17, 3.3): the ends of lines and quotes never become one.
    """
    if isinstance(value, tuple):
        return f"List.of({', '.join(java(item) for item in value)})"
    if isinstance(value, int) and not isinstance(value, bool) and not -_INT_MAX <= value <= _INT_MAX:
        return f"{value}L"
    return javascript(value)


def kotlin(value: Literal) -> str:
    """A Kotlin literal: as in JSON, but ``$`` is escaped, and form feeds by number (Kotlin grammar, lexer)."""
    if isinstance(value, tuple):
        return f"listOf({', '.join(kotlin(item) for item in value)})"
    text = javascript(value)
    return _KOTLIN_ESCAPED.sub(lambda found: _KOTLIN_OTHER.get(found.group(), found.group()), text)


def shell(value: Literal) -> str:
    """One word of a shell: bare where nothing in it is special, in single quotes, or ``$'...'`` (bash) for controls."""
    text = "true" if value is True else "false" if value is False else "" if value is None else _shell_text(value)
    text = _SURROGATE.sub(_REPLACEMENT, text.replace("\0", _REPLACEMENT))
    if _SHELL_PLAIN.match(text):
        return text
    if all(character.isprintable() for character in text):
        return "'" + text.replace("'", "'\\''") + "'"
    return "$'" + "".join(map(_shell_character, text)) + "'"


def _shell_text(value: int | float | str | tuple[Literal, ...]) -> str:
    if isinstance(value, tuple):
        raise TypeError("a tuple is many words: quote each of them")
    return str(value)


def _shell_character(character: str) -> str:
    if character in "'\\":
        return "\\" + character
    if character.isprintable():
        return character
    return "".join(f"\\{byte:03o}" for byte in character.encode())


def ruby(value: Literal) -> str:
    """A Ruby literal: double quotes without interpolation, what does not print as ``\\u`` (Ruby 3.1, "Literals")."""
    if isinstance(value, tuple):
        return f"[{', '.join(ruby(item) for item in value)}]"
    if not isinstance(value, str):
        return "nil" if value is None else json.dumps(value)
    text = "".join(map(_ruby_character, _SURROGATE.sub(_REPLACEMENT, value)))
    return '"' + _RUBY_INTERPOLATION.sub(r"\\#", text) + '"'


def _ruby_character(character: str) -> str:
    if character in '"\\':
        return "\\" + character
    return _SHORT.get(character) or (character if character.isprintable() else f"\\u{{{ord(character):X}}}")


def php(value: Literal) -> str:
    """A PHP literal: single quotes, or double quotes where something does not print (PHP manual, "Strings")."""
    if isinstance(value, tuple):
        return f"[{', '.join(php(item) for item in value)}]"
    if not isinstance(value, str):
        return json.dumps(value)
    text = _SURROGATE.sub(_REPLACEMENT, value)
    if all(character.isprintable() for character in text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return f'"{"".join(map(_php_character, text))}"'


def _php_character(character: str) -> str:
    if character in '"\\$':
        return "\\" + character
    return _SHORT.get(character) or (character if character.isprintable() else f"\\u{{{ord(character):X}}}")


def yaml(value: Literal) -> str:
    """A YAML value; texts in double quotes (YAML 1.2.2, 7.3.1), so that none turns into a number or a boolean."""
    if isinstance(value, tuple):
        return f"[{', '.join(yaml(item) for item in value)}]"
    if not isinstance(value, str):
        return json.dumps(value)
    text = _SURROGATE.sub(_REPLACEMENT, value)
    return f'"{"".join(map(_python_character, text))}"'


def md_text(value: Literal) -> str:
    """One line of Markdown that shows *value* as it is, white space run together.

    Special characters are written as numeric references (CommonMark 0.31, 2.5), which extensions leave alone too.
    """
    return _MD_SPECIAL.sub(lambda match: _references(match.group()), _md_line(value))


def md_cell(value: Literal) -> str:
    """As :func:`md_text`, inside a table's cell: a dash where there is nothing to show."""
    return md_text(value) or "–"


def md_code(value: Literal) -> str:
    """A code span that shows *value* as it is, also inside a table's cell; white space run together."""
    line = _md_line(value)
    if line and not set(line) & set("`|\\"):
        return f"`{line}`"
    return f"<code>{''.join(c if c.isalnum() or c == ' ' else _references(c) for c in line)}</code>"


def _md_line(value: Literal) -> str:
    text = value if isinstance(value, str) else "" if value is None else str(value)
    shown = (c if c.isprintable() else " " if c.isspace() else _REPLACEMENT for c in text)
    return " ".join("".join(shown).split())


def _references(text: str) -> str:
    return "".join(f"&#{ord(character)};" for character in text)


def comment(value: Literal) -> str:
    """One line of a comment: line breaks and controls become spaces, and what acts in a comment is taken apart.

    That is ``*/``, PHP's ``?>`` (manual, "Comments"), the ``coding:`` of PEP 263, which Ruby reads too, and the ``\\u``
    by which Java would read a line break (JLS 17, 3.3).
    """
    text = value if isinstance(value, str) else str(value)
    line = "".join(character if character.isprintable() else " " for character in text)
    return _ACTS_IN_COMMENTS.sub(r"\g<0> ", " ".join(line.split()))


def seconds(milliseconds: int) -> float:
    """Whole milliseconds as seconds."""
    return milliseconds / 1000


def jq_path(steps: tuple[str, ...]) -> str:
    """A jq path expression for the steps of a pointer; ``*`` steps over a list (jq 1.6 manual, "Basic filters")."""
    return " | ".join(map(_jq_step, steps)) or "."


def _jq_step(step: str) -> str:
    if step == "*":
        return ".[]?"
    name = f".[{javascript(step)}]?"
    return f"({name}, .[{int(step)}]?)" if step.isascii() and step.isdigit() else name


FAMILIES: dict[str, Callable[[Literal], str]] = {
    "python": python,
    "json": javascript,
    "go": go,
    "rust": rust,
    "ruby": ruby,
    "php": php,
    "java": java,
    "kotlin": kotlin,
    "shell": shell,
    "yaml": yaml,
}
