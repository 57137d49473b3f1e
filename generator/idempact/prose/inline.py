"""Inside a Markdown block: code, addresses, link targets, tags and attributes out, the words that are read in.

CommonMark 0.31.2, section 6, as far as it decides what is prose; emphasis and entities are left to the fold.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from idempact.prose.passage import OPAQUE, STOP, Builder, Passage

# Every alternative stops at a character that it could begin with, or is bounded: none reads the block again and again.
_TOKEN = re.compile(
    r"""
      (?P<escape>\\[!-/:-@\[-`{-~])
    | (?P<ticks>`+)
    | (?P<comment><!--)
    | (?P<address><[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>)
    | (?P<break><br[ ]?/?>)
    | (?P<cell></?(?:td|th|dd|p|div|li)(?=[\s/>])(?:[^<>"']|"[^"<]{0,500}"|'[^'<]{0,500}')*+>)
    | (?P<apart></?(?:text|desc|title|tr|dt|summary|figcaption|h[1-6])(?=[\s/>])
        (?:[^<>"']|"[^"<]{0,500}"|'[^'<]{0,500}')*+>)
    | (?P<tag></?[A-Za-z](?:[^<>"']|"[^"<]{0,500}"|'[^'<]{0,500}')*+>)
    | (?P<target>\]\([^()\s]*+(?:\([^()\s]*\)[^()\s]*)?(?:\s{1,8}(?:"[^"]{0,500}"|'[^']{0,500}'))?[ ]?\))
    | (?P<reference>\]\[[^\[\]]*\])
    | (?P<bracket>!?\[|\])
    | (?P<attributes>\{[ ]?[:\#.%][^{}\n]*\}|\{\{[^{}\n]*\}\})
    | (?P<url>(?:https?://|www\.)[!-;=?-\[\]-_a-z~]*)
    """,
    re.VERBOSE,
)


# Without one of these, a block holds nothing that isn't prose.
_MARKED = re.compile(r"[\\`<\[\]{!]|https?://|www\.")


def passage(lines: Iterable[tuple[int, str]], *, code: bool = False) -> tuple[Passage, tuple[tuple[int, int], ...]]:
    """The prose of a block given as its lines, each with its place in the source, markers of the block cut off.

    Beside it the stretches of the source that hold the block's HTML comments. With *code* the words of code spans stay.
    """
    joined = Builder()
    for place, line in lines:
        if joined.length:
            joined.add("\n", place - 1)
        joined.add(line, place)
    raw = joined.passage()
    return _read(raw, code) if _MARKED.search(raw.text) else (raw, ())


def _read(raw: Passage, code: bool) -> tuple[Passage, tuple[tuple[int, int], ...]]:
    text = raw.text
    out = Builder()
    row = text.startswith("|")
    comments: list[tuple[int, int]] = []
    last_comment_end = text.rfind("-->")
    closing = _closings(text)
    at = 0
    while True:
        token = _next_token(text, at)
        if token is None:
            break
        start, end = token.span()
        copied(out, raw, at, start)
        match token.lastgroup:
            case "escape":
                copied(out, raw, start + 1, end)
            case "ticks":
                close = closing.get(start)
                if close is not None and code:
                    ticks = end - start
                    copied(out, raw, start + ticks, close - ticks)
                    end = close
                elif close is not None:
                    end = close
                    _stand_in(out, raw, OPAQUE, start, end)
                else:
                    copied(out, raw, start, end)
            case "comment":
                if end > last_comment_end:
                    copied(out, raw, start, end)
                else:
                    end = text.find("-->", end) + 3
                    comments.append(raw.origin(start, end))
            case "address" | "url" | "attributes":
                _stand_in(out, raw, OPAQUE, start, end)
            case "cell":
                _stand_in(out, raw, "|", start, end)
            case "apart":
                _stand_in(out, raw, STOP, start, end)
            case "break":
                _stand_in(out, raw, STOP if row and code else "\n", start, end)
        at = end
    copied(out, raw, at, len(text))
    return out.passage(), tuple(comments)


def _next_token(text: str, at: int) -> re.Match[str] | None:
    """The first token from *at* on."""
    while mark := _MARKED.search(text, at):
        token = _TOKEN.match(text, mark.start())
        if token:
            return token
        at = mark.start() + 1
    return None


def _closings(text: str) -> dict[int, int]:
    """For each run of backticks that opens a code span where it stands: the end of the run that closes it."""
    if "`" not in text:
        return {}
    runs = [match.span() for match in re.finditer("`+", text)]
    upcoming: dict[int, int] = {}
    closing: dict[int, int] = {}
    for start, end in reversed(runs):
        if end - start in upcoming:
            closing[start] = upcoming[end - start]
        upcoming[end - start] = end
    return closing


def _stand_in(out: Builder, raw: Passage, character: str, start: int, end: int) -> None:
    first, last = raw.origin(start, end)
    out.add(character, first, max(last - first, 1))


def copied(out: Builder, raw: Passage, start: int, end: int) -> None:
    """Put a stretch of *raw* behind *out* with its places: one piece per piece of *raw* that it touches."""
    n = bisect_right(raw.at, start) - 1
    while start < end:
        stop = min(raw.at[n + 1] if n + 1 < len(raw.at) else len(raw.text), end)
        out.add(raw.text[start:stop], raw.source[n] + (start - raw.at[n]), raw.width[n])
        start = stop
        n += 1
