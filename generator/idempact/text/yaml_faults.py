"""What is told of a text that isn't YAML: loaded only where one is found."""

from __future__ import annotations

import re

from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.node import MAX_DEPTH
from idempact.text.span import Document, Span


def syntax(document: Document, problem: str, at: int | None, context: str, context_at: int | None) -> Diagnostic:
    """The finding for libyaml's *problem* at the offset *at*, with the *context* that it began in."""
    where = document.span(at if at is not None else 0)
    related: tuple[Related, ...] = ()
    if context and context_at is not None and context_at != at:
        related = (Related(context, document.span(context_at)),)
    if problem == "exceeded maximum nesting depth":  # libyaml's own limit, reached while it looks ahead
        return too_deep(where)
    if at is not None and document.text[at : at + 1] == "\t":
        problem = "a tab can't indent a line, nor begin a value"
    hint = _HINTS.get(problem, "look for a missing quote, colon or indent on this line or the one before")
    if at is not None and (unseen := _UNSEEN.search(document.text, max(at - _NEAR, 0), at + 1)):
        place = document.span(unseen.start())
        hint = f"the character U+{ord(unseen.group()):04X} at {place.line}:{place.column} ends a line in YAML 1.1, "
        hint += "though editors don't show it as a line's end: take it out"
    message = f"this is not YAML: {problem}"
    return Diagnostic("text/yaml-syntax", Severity.ERROR, message, where, hint=hint, related=related)


def too_deep(where: Span, what: str = "nested") -> Diagnostic:
    """The finding for nesting beyond ``MAX_DEPTH``."""
    message, hint = f"{what} more than {MAX_DEPTH} levels deep", "no sensible file nests this deep; check the brackets"
    return Diagnostic("text/too-deep", Severity.ERROR, message, where, hint=hint)


# Line breaks of YAML 1.1 (https://yaml.org/spec/1.1/#b-char) that come along when text is pasted, and how far back from
# where they make trouble they are looked for.
_UNSEEN, _NEAR = re.compile("[\x85\u2028\u2029]"), 300

_HINTS = {
    "found character that cannot start any token": "quote a text that starts with @, ` or %",
    "a tab can't indent a line, nor begin a value": "write spaces in place of the tab",
    "mapping values are not allowed in this context": (
        "put a space behind each colon on this line and the one before, indent the fields of one mapping alike, "
        "and quote a text that holds a colon followed by a space"
    ),
    "found unknown escape character": "write the backslash twice, or use single quotes",
    "found invalid Unicode character escape code": "write the character itself, or as one escape: \\U0001F600",
    "found undefined alias": "define the anchor (&name) before its alias (*name)",
}
