"""Errors: the form of every error answer."""

from __future__ import annotations

import re

from idempact.contract import scalar_forms
from idempact.contract.records import Record, advice, fact
from idempact.contract.shapes import POINTER, URL, Anything, OrNone, Parsed
from idempact.contract.units import Documented, Free
from idempact.text.dataclass import dataclass


def _media_type(text: str) -> str:
    if not re.match(r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+\Z", text):
        raise ValueError("a media type is written as application/problem+json (RFC 9110, section 8.3)")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """The media type, the place of the machine code, and the address of each code's page."""

    section = True

    media_type: Documented[str] = fact(
        "media_type", Parsed(scalar_forms.MEDIA_TYPE, _media_type), "application/problem+json", "the errors' media type"
    )
    code_at: Documented[str | None] = fact("code_at", OrNone(POINTER), "/code", "where the machine code stands")
    type: Documented[str | None] = fact("type", OrNone(URL), None, "the problem type (RFC 9457, section 3.1.1)")
    example: Free | None = advice(
        "example", OrNone(Anything()), None, "an error body, with {code}, {title} and {status}"
    )


ERRORS: Record[Errors] = Record(Errors)
