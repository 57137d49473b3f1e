"""Retry loops in code that we have no parser for: where they stand, told by their heads and what is in them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.fragment import Code

_REACH = 4_000
"""How much of a loop is read; one that is longer is hardly a retry loop in documentation."""

# What makes a loop one of retries: its head counts attempts, or is endless, or it waits inside.
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
    "shell": r"\b(?:for|while|until)\b[^\n]{0,160}(?:\n[ \t]*)?\bdo\b",
}
_COMPILED = {language: re.compile(head) for language, head in _HEADS.items()}
_COUNTS = re.compile(r"attempt|retr(?:y|ies)|tries|\btry\b|backoff", re.IGNORECASE)
_WAITS = re.compile(r"\b(?:sleep|setTimeout|delay|usleep|time\.After|Thread\.sleep|retry)\b", re.IGNORECASE)
_ENDLESS = re.compile(r"while ?\(?(?:true|1|:)\)?|for ?\(;;\)|\bfor \{|\bloop\b|begin")


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
        if _keyed(code, found.group(), body) or (
            (counted or _COUNTS.search(body)) and (_WAITS.search(body) or _COUNTS.search(found.group()))
        ):
            yield found.end(), end
            at = end
        else:
            at = found.end()


_KEY = re.compile(r"idempotency-key", re.IGNORECASE)
_DONE = re.compile(r"&& ?(?:break|exit|return)\b|^\s*(?:break|exit|return)\b", re.MULTILINE)


def _keyed(code: Code, head: str, body: str) -> bool:
    """Whether a shell loop sends a key and ends as soon as that went well, whatever its counter is called."""
    return code.language == "shell" and bool(_KEY.search(body)) and (head[0] == "u" or bool(_DONE.search(body)))


def _end(code: Code, start: int, body: int) -> int:
    """Where the body that begins at *body* ends: at its brace, or at the line that is indented like the head."""
    text = code.text
    limit = min(len(text), body + _REACH)
    if code.language in ("ruby", "shell"):
        line = text.rfind("\n", 0, start) + 1
        indent = len(text[line:start]) - len(text[line:start].lstrip(" \t"))
        closing = re.compile(rf"^[ \t]{{0,{indent}}}(?:end|done)\b", re.MULTILINE).search(text, body, limit)
        return closing.start() if closing else limit
    depth = 1
    for found in re.finditer(r"[{}]", text[body:limit]):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return body + found.start()
    return limit
