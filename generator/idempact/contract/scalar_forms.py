"""The forms of scalars that the language spells in its own way; :mod:`.spelling` and :mod:`.units` read them."""

from __future__ import annotations

from idempact.contract.form import Scalar

_TOKEN = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"  # RFC 9110, section 5.6.2

DURATION = Scalar("a duration such as 24h", r"[0-9]{1,12}(ms|s|m|h|d)", ("24h", "90s", "250ms", "7d"))
SHARE = Scalar("a share such as 10%", r"(0?[0-9]{1,2}(\.[0-9]{1,6})?|100(\.0{1,6})?)%", ("10%",))
STATUS = Scalar(
    "a status such as 409, or a class such as 4xx", r"[1-5]([0-9]{2}|[xX]{2})", ("409", "4xx"), whole=(100, 599)
)
ONE_STATUS = Scalar("a status such as 404", r"[1-5][0-9]{2}", ("404",), whole=(100, 599))
CHARACTERS = Scalar("a text", r"[^\u0000-\u0008\u000b-\u001f\u007f]+", loose=True)
# Control characters, line ends, and what :data:`.spelling.HIDDEN` lists.
_UNSEEN = r"\u0000-\u001f\u007f\u0085\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
LINE = Scalar("a text on one line", rf"[^{_UNSEEN}]+", loose=True)
POINTER = Scalar(
    "a JSON Pointer such as /error/code",
    rf"(/([^~/{_UNSEEN}]|~[01])*)+",
    ("/error/code", "/data/*/code"),
)
HEADER = Scalar("a header name", _TOKEN, ("Content-Type",), loose=True)
HEADER_VALUE = Scalar("a header value", r"[\u0021-\u007e]+( +[\u0021-\u007e]+)*", loose=True)
LOCALE = Scalar("a locale such as en", r"[a-z]{2}(-[A-Za-z]{2,4})?", ("en", "zh"))
PATTERN = Scalar("a regular expression", LINE.pattern, ("^[A-Z0-9]{16,64}$",), loose=True)
DATE = Scalar("a date such as 2026-11-30", r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])", ("2026-11-30",))
URL = Scalar("an address such as https://example.com/help", r"https?://[^\s<>\"`]+", ("https://example.com/help",))
BASE_URL = Scalar(
    "an address such as https://api.example.com/v1", r"https?://[^\s<>\"`'\\]+", ("https://api.example.com/v1",)
)
MEDIA_TYPE = Scalar(
    "a media type", r"[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+", ("application/problem+json", "application/json")
)
TEMPLATE = Scalar(
    'a template with {placeholders}, as "checkout-{checkout_id}"',
    r"[ -z|~]*(\{[A-Za-z_][\w.]*\}[ -z|~]*)+",
    ("checkout-{checkout_id}",),
)
