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
    "```ruby\nunless IdempotencyKey.exists?(key: key)\n  IdempotencyKey.create!(key: key)\nend\n```\n",
)
_TABLE = r"(?P<table>[\w.\"`]{0,40}idempoten[\w.\"`]{0,40})"
_SELECT = re.compile(rf"\bselect\b[^;]{{0,300}}?\bfrom\s{{1,8}}{_TABLE}[^;]{{0,300}}", re.IGNORECASE)
_INSERT = re.compile(r"\binsert\s{1,8}into\s{1,8}[\w.\"`]{0,40}idempoten[^;]{0,600}", re.IGNORECASE)
_SAFE = re.compile(
    r"on conflict|on duplicate|for update|insert ignore|or ignore|merge into|serializable|where not exists",
    re.IGNORECASE,
)
_LOOK = re.compile(
    r"\b(?:if|unless)\b[^\n]{0,40}?\b\w{0,30}idempoten\w{0,30}[^\n]{0,80}?\b(?:exists\??|find\w{0,12}|filter|get|has|contains\w{0,6}|includes|where)\b"
    r"[^\n]{0,120}\n(?:[^\n]{0,200}\n){0,4}?[^\n]{0,80}?\b\w{0,30}idempoten\w{0,30}[^\n]{0,40}?\.(?:create|insert|save|add|put|set)\w{0,8}[!(]",
    re.IGNORECASE,
)
_MESSAGE = "two requests can both look here and find nothing; insert first, under a unique constraint"


def find(code: Code) -> Iterator[Fault]:
    """The look-ups of a key that decide about an insert."""
    for found in _LOOK.finditer(code.text):
        end = code.text.find("\n", found.start())
        yield Fault(found.start(), end if end >= 0 else found.end(), _MESSAGE)
    for select in _SELECT.finditer(code.text):
        insert = _INSERT.search(code.text, select.end(), select.end() + 2_000)
        if insert and not _SAFE.search(select.group()) and not _SAFE.search(insert.group()):
            yield Fault(select.start(), select.end("table"), _MESSAGE)
