"""A look-up of the key, and an insert if it wasn't found.

Why: Two requests with the same key can both look, both find nothing, and both go on. The time between the look and the
insert is what a claim must close.

Instead: Insert first, under a unique constraint, and look only when the insert was refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.fragment import Code, Fault

RULE = "prose/code-lookup-then-insert"
PASSES = (
    "```sql\nINSERT INTO idempotency_keys (key) VALUES ($1) ON CONFLICT (key) DO NOTHING;\n"
    "SELECT response FROM idempotency_keys WHERE key = $1;\n```\n",
    "```sql\nSELECT * FROM orders WHERE id = 1;\nINSERT INTO orders (id) VALUES (2);\n```\n",
)
FAILS = (
    "```sql\nSELECT response FROM idempotency_keys WHERE key = $1;\n"
    "INSERT INTO idempotency_keys (key) VALUES ($1);\n```\n",
    "```python\nif not IdempotencyKey.objects.filter(key=key).exists():\n"
    "    IdempotencyKey.objects.create(key=key)\n    charge()\n```\n",
    "```ruby\nrec = IdempotencyKey.find_by(key: key)\nIdempotencyKey.create!(key: key) unless rec\n```\n",
    "```java\nif (!repo.existsByIdempotencyKey(key)) { repo.save(new IdempotencyRecord(key)); }\n```\n",
    "```ruby\nunless IdempotencyKey.exists?(key: key)\n  IdempotencyKey.create!(key: key)\nend\n```\n",
)
_TABLE = r"(?P<table>[\w.\"`\[]{0,40}idempoten[\w.\"`\]]{0,40})"
_SELECT = re.compile(rf"\bselect\b[^;]{{0,300}}?\bfrom\s{{1,8}}{_TABLE}", re.IGNORECASE)
_INSERT = re.compile(r"\binsert\s{1,8}into\s{1,8}[\w.\"`\[]{0,40}idempoten[^;]{0,600}", re.IGNORECASE)
_SAFE = re.compile(
    r"on conflict|on duplicate|for update|insert ignore|or ignore|merge into|serializable|where not exists"
    r"|insert_?or_?ignore|lock_?for_?update|with_for_update|unique\w{0,20}(?:violation|exception|error)|notunique"
    r"|integrityerror|duplicatekey|e11000",
    re.IGNORECASE,
)
# A record that is looked up into a variable, which then decides.
_FOUND = re.compile(
    r"(?<![$\w])(?P<name>[$\w]{1,40}) ?:?= ?[^\n]{0,120}?idempoten[^\n]{0,80}?\b(?:first|find\w{0,30}|get\w{0,12}|where"
    r"|filter\w{0,4}|one_or_none|scalar\w{0,8}|exists\??)\b",
    re.IGNORECASE,
)
_FINDER = re.compile(
    r"(?<![$\w])(?P<name>[$\w]{1,40})(?:, ?\w{1,20})? ?:?= ?"
    r"[^\n]{0,120}?\b(?:find|get|load|fetch|look_?up)\w{0,16}idempoten",
    re.IGNORECASE,
)
_WRITTEN = re.compile(
    r"idempoten\w{0,30}(?:\.|::|->)(?:create|insert|save|add|put|store)\w{0,8}!?\("
    r"|(?:\.|::|->)(?:create|insert|save|add|put|store|persist)\w{0,8}!?\((?:new |&)?\w{0,30}idempoten"
    r"|\b(?:create|insert|save|add|put|store|persist)\w{0,12}idempoten\w{0,30}\(",
    re.IGNORECASE,
)
_LOOK = re.compile(
    r"\b(?:if|unless)\b[^\n]{0,40}?\b\w{0,30}idempoten\w{0,30}[^\n]{0,80}?\b(?:exists\??|find\w{0,12}|filter|get|has|contains\w{0,6}|includes|where)\b"
    r"[^\n]{0,120}\n(?:[^\n]{0,200}\n){0,4}?[^\n]{0,80}?\b\w{0,30}idempoten\w{0,30}[^\n]{0,40}?\.(?:create|insert|save|add|put|set)\w{0,8}[!(]",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"\b(?:if|unless)\b[ (!]{0,4}(?:not )?[^\n;{}]{0,40}?"
    r"(?:\b(?:exists|find|get|has|contains)\w{0,8}By\w{0,10}idempoten\w{0,20}"
    r"|\bidempoten\w{0,20}(?:::|\.)(?:where|filter|objects|exists)[^\n;{}]{0,80}?\b(?:exists|first|count|doesntExist))\b\(",
    re.IGNORECASE,
)
_REACH, _NEAR = 2_000, 300
_MESSAGE = "two requests can both look here and find nothing; insert first, under a unique constraint"


def find(code: Code) -> Iterator[Fault]:
    """The look-ups of a key that decide about an insert."""
    yield from _in_questions(code.text)
    yield from _in_sql(code)
    yield from _in_variables(code)


def _in_questions(text: str) -> Iterator[Fault]:
    """A look-up that is itself the question, and the insert in what it decides about."""
    seen = {found.start() for found in _LOOK.finditer(text)}
    for asked in _ASKED.finditer(text):
        written = _WRITTEN.search(text, asked.end(), asked.end() + _NEAR)
        if written and not _SAFE.search(text, asked.start(), written.end() + _NEAR):
            seen.add(asked.start())
    for start in sorted(seen):
        end = text.find("\n", start)
        yield Fault(start, end if end >= 0 else len(text), _MESSAGE)


def _in_sql(code: Code) -> Iterator[Fault]:
    for select in _SELECT.finditer(code.text):
        insert = _INSERT.search(code.text, select.end(), select.end() + _REACH)
        if insert and not _SAFE.search(code.text, select.start(), insert.end()):
            yield Fault(select.start(), select.end("table"), _MESSAGE)


def _in_variables(code: Code) -> Iterator[Fault]:
    """A look-up whose result is asked for right behind it, and an insert that comes later, where none came first."""
    text = code.text
    for pattern in (_FOUND, _FINDER):
        for found in pattern.finditer(text):
            name = re.escape(found["name"].lstrip("$"))
            asked = re.compile(rf"\b(?:if|unless)\b[^\n]{{0,20}}\b{name}\b").search(
                text, found.end(), found.end() + 400
            )
            # In Ruby the question stands behind what it decides about, in the same line.
            first = text.rfind("\n", 0, asked.start()) + 1 if asked else 0
            written = _WRITTEN.search(text, first, asked.end() + _REACH) if asked else None
            if written is None or _WRITTEN.search(text, max(found.start() - _REACH, 0), found.start()):
                continue
            if not _SAFE.search(text, found.start(), min(written.end() + _REACH, len(text))):
                end = text.find("\n", found.start())
                yield Fault(found.start(), end if end >= 0 else len(text), _MESSAGE)
