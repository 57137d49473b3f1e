"""Located nodes: reading a YAML or JSON file into them. Everything that needs YAML goes through here."""

from __future__ import annotations

from idempact.resources.typed import TYPE_CHECKING
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.node import (
    MAX_DEPTH,
    MAX_EXPANDED,
    Alias,
    Entry,
    Keep,
    Less,
    Mapping,
    Mark,
    Node,
    Plain,
    Scalar,
    Sequence,
    Skipped,
    Style,
    Tree,
    plain,
    plain_scalar,
    resolve,
    walk,
)
from idempact.text.pattern import regex
from idempact.text.span import Document
from idempact.text.yaml_nodes import compose_yaml

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "MAX_DEPTH",
    "MAX_EXPANDED",
    "Alias",
    "Entry",
    "Keep",
    "Less",
    "Mapping",
    "Mark",
    "Node",
    "Plain",
    "Scalar",
    "Sequence",
    "Skipped",
    "Style",
    "Tree",
    "compose",
    "decode",
    "load",
    "plain",
    "plain_scalar",
    "resolve",
    "unreadable",
    "walk",
]


def decode(path: str, data: bytes) -> Checked[Document]:
    """The text of a file's bytes: UTF-8, a byte-order mark kept as the first character.

    What is not UTF-8, and a character that neither YAML nor JSON can hold, are errors with their place.
    """
    try:
        document = Document(path, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        before = Document(path, data[: error.start].decode("utf-8"))
        encoding = "UTF-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "another encoding"
        return Checked(
            None,
            (
                Diagnostic(
                    "text/not-utf-8",
                    Severity.ERROR,
                    f"this byte ({data[error.start]:#04x}) is not UTF-8",
                    before.span(len(before.text)),
                    hint=f"save the file as UTF-8 (it may be {encoding})",
                ),
            ),
        )
    bad = None if _printable(data) else _unprintable(document.text)
    if bad is not None:
        return Checked(
            None,
            (
                Diagnostic(
                    "text/control-character",
                    Severity.ERROR,
                    f"the character U+{ord(document.text[bad]):04X} can't stand in a YAML or JSON file",
                    document.span(bad, bad + 1),
                    hint="remove it, or write it as an escape inside double quotes",
                ),
            ),
        )
    return Checked(document)


def _printable(data: bytes) -> bool:
    """Whether these bytes are ASCII that a file can hold. Dropping what can't be printed is several times as fast as
    looking for it; by pieces, since a copy of all would be new memory, which takes as long again.
    """
    pieces = (data[at : at + _PIECE] for at in range(0, len(data), _PIECE))
    return data.isascii() and all(len(piece.translate(None, _UNPRINTABLE_BYTES)) == len(piece) for piece in pieces)


_PIECE = 1 << 16
_UNPRINTABLE_BYTES = bytes((*range(9), 11, 12, *range(14, 32), 127))
_CONTROLS = regex("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x84\x86-\x9f]")
_NO_CHARACTERS = "\ufffe\uffff"  # not in the pattern: sets beyond U+00FF take Python milliseconds to compile


def _unprintable(text: str) -> int | None:
    """The offset of the first character that neither YAML nor JSON can hold."""
    control = _CONTROLS.search(text)
    places = [text.find(one) for one in _NO_CHARACTERS] + [control.start() if control else -1]
    return min((place for place in places if place >= 0), default=None)


def compose(
    document: Document, keep: Keep | None = None, *, marked: bool = False, less: Less | None = None
) -> Checked[Tree]:
    """The located nodes of *document*: JSON where its first character is a bracket and it reads as JSON, else YAML.

    *keep* is asked with the path of keys (indexes as text) of each value below the root; where it says no, the
    subtree becomes :class:`Skipped`; so do the objects in lists of JSON that *less* does without. With *marked*, a YAML
    tree has its marks. Duplicate keys, more than one YAML
    document, nesting beyond ``MAX_DEPTH`` and aliases that expand beyond ``MAX_EXPANDED`` nodes are errors, never
    exceptions.
    """
    found = _composed(document, keep, marked, less)
    if found.value is None and "<<<<<<<" in document.text:
        from idempact.text.conflicts import conflict

        unfinished = conflict(document)
        return found if unfinished is None else Checked(None, (unfinished,))
    return found


def _composed(document: Document, keep: Keep | None, marked: bool, less: Less | None) -> Checked[Tree]:
    if document.path.endswith(".json") or document.text.lstrip("\ufeff \t\r\n")[:1] in ("{", "["):
        from idempact.text.json_nodes import compose_json

        found = compose_json(document, keep, less)
        if document.path.endswith(".json") or found.value is not None:
            return found
    return compose_yaml(document, keep, marked=marked)


def load(path: Path, shown: str | None = None, keep: Keep | None = None) -> Checked[Tree]:
    """Read the file at *path* into located nodes, as far as *keep* wants them (see :func:`compose`); findings call it
    *shown* (or the path as given).

    A file that can't be read is a finding, too.
    """
    name = shown or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        return Checked(None, (unreadable(name, error),))
    document = decode(name, data)
    if document.value is None:
        return Checked(None, document.diagnostics)
    return compose(document.value, keep)


def unreadable(name: str, error: OSError) -> Diagnostic:
    """The finding for a file that the system didn't let us read or write."""
    return Diagnostic(
        "text/unreadable-file",
        Severity.ERROR,
        f"{name}: {error.strerror or error}",
        None,
        subject=name,
        hint="check the path and its permissions",
    )
