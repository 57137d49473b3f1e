"""A key that is made inside the retry loop, so that every attempt has another one.

Why: The server takes an attempt with a new key for a new request. The loop that was to repeat one payment makes as many
payments as it has attempts.

Instead: Make the key before the loop, keep it until the outcome is known, and send it with every attempt.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from idempact.prose.fragment import Code, Fault
from idempact.prose.loops import retried_calls, retry_loops
from idempact.prose.pycode import calls, name_of, place, retried_functions, tree_of
from idempact.prose.pycode import retry_loops as python_loops

RULE = "prose/code-key-per-attempt"
PASSES = (
    "```python\nkey = str(uuid.uuid4())\nfor attempt in range(5):\n    try:\n"
    '        post("/payments", headers={"Idempotency-Key": key})\n        break\n    except Timeout:\n'
    "        pass\n```\n",
    "```python\nfor order in orders:\n    key = str(uuid.uuid4())\n    pay(order, key)\n```\n",
    "```ts\nconst key = crypto.randomUUID();\nfor (let attempt = 0; attempt < 5; attempt++) {\n"
    '  await post("/payments", { headers: { "Idempotency-Key": key } });\n}\n```\n',
)
FAILS = (
    "```python\nfor attempt in range(5):\n    try:\n"
    '        post("/payments", headers={"Idempotency-Key": str(uuid.uuid4())})\n        break\n'
    "    except Timeout:\n        pass\n```\n",
    "```python\nwhile True:\n    idempotency_key = uuid4().hex\n    try:\n        return pay(idempotency_key)\n"
    "    except Timeout:\n        continue\n```\n",
    "```ts\nfor (let attempt = 0; attempt < 5; attempt++) {\n  const idempotencyKey = crypto.randomUUID();\n"
    "  await pay(idempotencyKey);\n}\n```\n",
    '```go\nfor attempt := 0; attempt < 5; attempt++ {\n\treq.Header.Set("Idempotency-Key", uuid.NewString())\n'
    "}\n```\n",
    "```python\n@retry(stop=stop_after_attempt(3))\ndef pay(body):\n"
    '    return post("/payments", json=body, headers={"Idempotency-Key": str(uuid4())})\n```\n',
    '```ts\nretry(() => axios.post(url, body, { headers: { "Idempotency-Key": uuidv4() } }), { retries: 3 });\n```\n',
    "```ruby\n5.times do |attempt|\n  headers['Idempotency-Key'] = SecureRandom.uuid\n"
    "  retry_later unless post(headers)\nend\n```\n",
    '```bash\nfor attempt in 1 2 3; do\n  curl -H "Idempotency-Key: $(uuidgen)" "$URL" && break\ndone\n```\n',
)
_FRESH = re.compile(
    r"(?:randomUUID|uuid\.New(?:String)?|uuidv?[1-7]|uuid_create|SecureRandom\.(?:uuid|hex)|Uuid::(?:uuid|new_v)[1-7]|uniqid|uuidgen|"
    r"UUID\.randomUUID|Guid\.NewGuid|nanoid|ulid|random_bytes|bin2hex|token_hex|Str::uuid|random/uuid)\b ?\(?"
)
_ABOUT_KEYS = re.compile(r"idempoten|(?:request|dedup)[_-]?(?:id|key)|\bkey\b", re.IGNORECASE)
_MAKERS = frozenset(
    {"uuid1", "uuid4", "uuid7", "uuid6", "token_hex", "token_urlsafe", "token_bytes", "getrandbits", "urandom"}
)
_MESSAGE = "this makes another key for every attempt, so each attempt is a new request"


def find(code: Code) -> Iterator[Fault]:
    """What makes a fresh key inside a retry loop."""
    parsed = tree_of(code)
    if parsed is not None:
        yield from _in_python(code, *parsed)
        return
    seen: set[int] = set()
    for start, end in sorted({*retry_loops(code), *retried_calls(code)}):
        for found in _FRESH.finditer(code.text, start, end):
            if found.start() in seen:
                continue
            seen.add(found.start())
            line = code.text.rfind("\n", 0, found.start()) + 1
            stop = code.text.find("\n", found.end())
            if _ABOUT_KEYS.search(code.text, line, stop if stop >= 0 else len(code.text)):
                yield Fault(found.start(), found.end(), _MESSAGE)


def _in_python(code: Code, tree: ast.Module, indent: int) -> Iterator[Fault]:
    seen: set[ast.Call] = set()
    for loop in (*python_loops(tree), *retried_functions(tree)):
        for statement in ast.walk(loop):
            if not isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr, ast.Return, ast.Dict, ast.keyword)):
                continue
            for call in calls(statement):
                fresh = name_of(call).rpartition(".")[2] in _MAKERS
                if fresh and call not in seen and _ABOUT_KEYS.search(ast.unparse(statement)):
                    seen.add(call)
                    yield Fault(*place(code, call, indent), _MESSAGE)
