"""Retry loops in code that we have no parser for: where they stand, told by their heads and what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.fragment import Code

_REACH = 4_000
"""How much of a loop is read; one that is longer is hardly a retry loop in documentation."""

# What makes a loop one of retries: its head counts attempts, or is endless, or it waits inside.
# Python has a parser of its own; what it can't parse is read by these.
_HEADS = {
    "javascript": r"\b(?:for|while|do)\b[^\n{]{0,160}\{",
    "go": r"\bfor\b[^\n{]{0,160}\{",
    "java": r"\b(?:for|while|do|repeat)\b[^\n{]{0,160}\{",
    "php": r"\b(?:for|while|do|foreach)\b[^\n{]{0,160}\{",
    "rust": r"\b(?:for|while|loop)\b[^\n{]{0,160}\{",
    "ruby": (
        r"\b(?:loop|until|while|for)\b[^\n]{0,160}\bdo\b|\bbegin\b|\b(?:while|until) [^\n]{0,160}"
        r"|\.(?:times|upto|each)\b[^\n]{0,60}\bdo\b(?: ?\|[^|\n]{0,40}\|)?"
    ),
    "python": r"^[^\n]{0,80}\b(?:for|while)\b[^\n]{0,160}:[ \t]{0,8}(?=\n)",
    "shell": r"\b(?:for|while|until)\b[^\n]{0,160}(?:\n[ \t]*)?\bdo\b",
}
_COMPILED = {language: re.compile(head, re.MULTILINE) for language, head in _HEADS.items()}
_COUNTS = re.compile(r"attempt|retr(?:y|ies)|tries|\btry\b|backoff", re.IGNORECASE)
_WAITS = re.compile(r"\b(?:sleep|setTimeout|delay|usleep|time\.After|Thread\.sleep|retry)\b", re.IGNORECASE)
_ENDLESS = re.compile(r"while ?\(?(?:[Tt]rue|1|:)\)?|for ?\(;;\)|\bfor \{|\bloop\b|begin")


def retry_loops(code: Code) -> Iterator[tuple[int, int]]:
    """Where the bodies of retry loops begin and end in the code's text; of loops inside one another the outer one."""
    head = _COMPILED.get(code.language)
    if head is None:
        return
    at = 0
    while found := head.search(code.text, at):
        end = _end(code, found.start(), found.end())
        body = code.text[found.end() : end]
        counted = _COUNTS.search(found.group()) or _ENDLESS.search(found.group()) or found.group().startswith("do")
        waits = (counted or _COUNTS.search(body)) and (_WAITS.search(body) or _COUNTS.search(found.group()))
        if (
            _keyed(code, found.group(), body)
            or (waits and not _polls(found.group(), body))
            or _ends_well(code, found.group(), body)
        ):
            yield found.end(), end
            at = end
        else:
            at = found.end()


# What calls a function again when it fails, up to where that function begins.
_WRAPPED = {
    "javascript": re.compile(
        r"(?<![\w.$])(?:retry|pRetry|asyncRetry|promiseRetry|retryAsync|withRetr(?:y|ies)|retryWithBackoff|backOff)(?P<open>\()"
        r"\s{0,20}(?:async ?)?(?:\([^()\n]{0,40}\) ?=>|\w{1,20} ?=>|function\b)"
    ),
    "go": re.compile(
        r"\b(?:retry\.\w{1,20}|backoff\.Retry\w{0,20}|[Ww]ith[Rr]etr(?:y|ies))(?P<open>\()[^\n]{0,60}?\bfunc\("
    ),
    "java": re.compile(
        r"@Retry\w{0,10}(?:\([^\n]{0,160}\))?\s[^{};]{0,200}(?P<open>\{)"
        r"|\bretry\w{0,20}\.(?:execute|call|run)\w{0,12}(?P<call>\()[^\n]{0,40}->"
    ),
    "php": re.compile(r"(?<![>\w:$])retry(?P<open>\()[^\n]{0,40}?(?:function ?\(|fn ?\()"),
}


def retried_calls(code: Code) -> Iterator[tuple[int, int]]:
    """Where a function that something calls again when it fails begins and ends, in the code's text."""
    pattern = _WRAPPED.get(code.language)
    for found in pattern.finditer(code.text) if pattern else ():
        start = max(found.start(name) for name in found.groupdict())
        yield found.end(), _closing(code.text, start, found.end())


def _closing(text: str, start: int, body: int) -> int:
    """Where the bracket that opens at *start* is closed; where nothing closes it, how far is read."""
    limit = min(len(text), body + _REACH)
    pair = "{}" if text[start] == "{" else "()"
    depth = 0
    for found in re.compile(f"[{re.escape(pair)}]").finditer(text, start, limit):
        depth += 1 if found.group() == pair[0] else -1
        if depth == 0:
            return found.start()
    return limit


_KEY = re.compile(r"idempotency-key", re.IGNORECASE)
_DONE = re.compile(r"&& ?(?:break|exit|return)\b|^\s*(?:break|exit|return)\b", re.MULTILINE)


def _keyed(code: Code, head: str, body: str) -> bool:
    """Whether a shell loop sends a key and ends as soon as that went well, whatever its counter is called."""
    return code.language == "shell" and bool(_KEY.search(body)) and (head[0] == "u" or bool(_DONE.search(body)))


_ASKS = re.compile(r"catch|rescue|except|idempoten|\bpost\b|\berr\w{0,4}\b|\|\||&&|\bok\b|\bretry\b", re.IGNORECASE)
_WELL = re.compile(
    r"\bif\b[^\n{!>]{0,60}\b(?:ok|status\w{0,8}|success\w{0,4}|getStatusCode\(\)|err == nil)\b[^\n!>]{0,40}?"
    r"[\s{]{1,20}(?:return|break)\b",
    re.IGNORECASE,
)


def _polls(head: str, body: str) -> bool:
    """Whether an endless loop only asks what becomes of something: it meets no error, and sends no key."""
    return bool(_ENDLESS.search(head)) and not _COUNTS.search(f"{head}{body}") and not _ASKS.search(body)


def _ends_well(code: Code, head: str, body: str) -> bool:
    """Whether a loop sends a key and ends as soon as the answer is good, whatever its counter is called."""
    counted = _COUNTED.search(head) and not _MANY.search(head)
    return bool(counted) and code.language != "shell" and bool(_KEYS.search(body)) and bool(_WELL.search(body))


# What counts to a number, and what goes through a list.
_COUNTED = re.compile(r"[<;]|\brange\(|\.times\b|\.upto\b")
_MANY = re.compile(r"length|size|count|\blen\b", re.IGNORECASE)
_KEYS = re.compile(r"idempotency_?-?key", re.IGNORECASE)


def _end(code: Code, start: int, body: int) -> int:
    """Where the body that begins at *body* ends: at its brace, or at the line that is indented like the head."""
    text = code.text
    limit = min(len(text), body + _REACH)
    if code.language in ("ruby", "shell"):
        line = text.rfind("\n", 0, start) + 1
        indent = len(text[line:start]) - len(text[line:start].lstrip(" \t"))
        closing = re.compile(rf"^[ \t]{{0,{indent}}}(?:end|done)\b", re.MULTILINE).search(text, body, limit)
        return closing.start() if closing else limit
    if code.language == "python":
        line = text.rfind("\n", 0, start) + 1
        indent = len(text[line:]) - len(text[line:].lstrip(" \t"))
        closing = re.compile(rf"^[ \t]{{0,{indent}}}[^ \t\n]", re.MULTILINE).search(text, body + 1, limit)
        return closing.start() if closing else limit
    depth = 1
    for found in re.finditer(r"[{}]", text[body:limit]):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return body + found.start()
    return limit
