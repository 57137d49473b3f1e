"""SETNX taken for the claim on a key.

Why: The claim and the work it protects live in two systems: after a crash between the two, or a failover that loses the
newest writes, the key is claimed and nothing was done, or the work is done and the claim is gone. SETNX by itself sets
no expiry either, so that a crash leaves the claim for good.

Instead: Insert the claim into the database of the effect, in the same transaction, under a unique constraint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.fragment import Code, Fault

RULE = "prose/code-setnx-claim"
PASSES = (
    '```python\nredis.setnx("lock:report", 1)\n```\n',
    "```sql\nINSERT INTO idempotency_keys (key) VALUES ($1) ON CONFLICT DO NOTHING;\n```\n",
)
FAILS = (
    '```ruby\nredis.setnx("idem:#{key}", 1)\n```\n',
    '```python\nif redis.setnx(f"idempotency:{key}", "in-flight"):\n    charge()\n```\n',
    '```python\nclaimed = redis.set(f"idempotency:{key}", "1", nx=True)\n```\n',
    "```js\nawait redis.set(`idempotency:${key}`, '1', 'NX');\n```\n",
    "```redis\nSET idempotency:8e03978e claimed NX\n```\n",
    '```go\nok, err := rdb.SetNX(ctx, "idempotency:"+key, "1", 0).Result()\n```\n',
)
_SETNX = re.compile(
    r"\bsetnx\b[ (][^\n;]{0,120}|\bset(?:Nx|IfAbsent)\b ?\([^\n;]{0,120}"
    r"|\bset[ (][^\n;]{0,120}?(?:\bnx ?= ?true\b|\bnx ?: ?true\b|['\"]nx['\"]|[ ,]nx\b(?!\w))",
    re.IGNORECASE,
)
_ABOUT_KEYS = re.compile(r"idempoten|(?<![a-z])idem[_:-]|idem-?key|dedup", re.IGNORECASE)


def find(code: Code) -> Iterator[Fault]:
    """The commands that claim an idempotency key by "set if not there"."""
    for found in _SETNX.finditer(code.text):
        if _ABOUT_KEYS.search(found.group()):
            word = re.match(r"\w+", found.group())
            end = found.start() + (len(word.group()) if word else 1)
            yield Fault(found.start(), end, "this claim does not commit with the work that it protects")
