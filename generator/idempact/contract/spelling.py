"""How single texts must be spelled: each function gives its text back, or raises ValueError with advice."""

from __future__ import annotations

import re
import warnings


def characters(text: str) -> str:
    """A text without control characters but tab and line feed."""
    if text.isprintable():
        return text
    if any(ord(c) < 32 and c not in "\n\t" for c in text) or "\x7f" in text:
        raise ValueError("control characters can't stand in a text")
    return text


HIDDEN = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
"""Characters that can't be seen or that turn what follows around, as the inside of a regular expression's brackets."""


def line(text: str) -> str:
    """A text on one line, without control characters and without characters that hide or turn others."""
    if text.isascii() and text.isprintable():
        return text
    if any(ord(c) < 32 or c in "\x7f\u2028\u2029\x85" for c in text):
        raise ValueError("this must be one line without control characters")
    hidden = re.search(f"[{HIDDEN}]", text)
    if hidden:
        raise ValueError(f"it holds the invisible character U+{ord(hidden[0]):04X}; delete it, and type the text anew")
    return text


def pointer(text: str) -> str:
    """A JSON Pointer (RFC 6901, section 3) with at least one step; ``*`` steps over a list."""
    if not re.match(r"(/([^~/]|~[01])*)+\Z", text):
        raise ValueError("a JSON Pointer starts with a slash, as /error/code (RFC 6901); * steps over a list")
    return line(text)


def token(text: str) -> str:
    """A header name: a token (RFC 9110, section 5.6.2)."""
    if not re.match(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z", text):
        raise ValueError("a header name holds letters, digits and !#$%&'*+.^_`|~- only (RFC 9110, section 5.1)")
    return text


def visible(text: str) -> str:
    """A header value of visible ASCII characters and single spaces between them (RFC 9110, section 5.5)."""
    if not re.match(r"[\x21-\x7e]+( +[\x21-\x7e]+)*\Z", text):
        raise ValueError("a header value holds visible ASCII characters (RFC 9110, section 5.5)")
    return text


def locale(text: str) -> str:
    """A locale such as en or zh-Hans."""
    if not re.match(r"[a-z]{2}(-[A-Za-z]{2,4})?\Z", text):
        raise ValueError("a locale is written as en or zh")
    return text


def pattern(text: str) -> str:
    """A regular expression of Python, which reads the common core of JavaScript's the same way."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a pattern that a later Python reads otherwise
            re.compile(text)
    except (re.error, OverflowError, RecursionError, Warning) as error:
        raise ValueError(f"this is not a regular expression: {error}") from None
    return line(text)


def date(text: str) -> str:
    """A day that exists, as 2026-11-30."""
    from datetime import date

    try:
        if not re.match(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", text):
            raise ValueError
        date.fromisoformat(text)
    except ValueError:
        raise ValueError("a date is written as 2026-11-30") from None
    return text


def url(text: str) -> str:
    """An http or https address without spaces and quotes."""
    if "@" in text and not text.startswith("http"):
        raise ValueError("write the address of a page that says how to reach you, as https://example.com/help")
    if not re.match(r"https?://[^\s<>\"`]+\Z", text):
        raise ValueError("an address starts with https:// (or http://) and holds no spaces or quotes")
    return text
