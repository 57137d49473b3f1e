"""A wait between attempts that is the same for every client.

Why: Clients that failed together wait together and come back together, again and again; the server that had recovered
falls over. Only a random part spreads them.

Instead: Wait a random time between nothing and the backoff (full jitter), capped: random(0, min(cap, base * 2^n)).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from idempact.prose.fragment import Code, Fault
from idempact.prose.loops import retry_loops
from idempact.prose.pycode import calls, name_of, place, tree_of
from idempact.prose.pycode import retry_loops as python_loops

RULE = "prose/code-retry-without-jitter"
PASSES = (
    "```python\nfor attempt in range(5):\n    try:\n        return call()\n    except Timeout:\n"
    "        time.sleep(random.uniform(0, min(30, 2**attempt)))\n```\n",
    "```python\nfor attempt in range(5):\n    try:\n        return call()\n    except Busy as busy:\n"
    "        time.sleep(wait_for(busy, attempt))\n```\n",
    "```js\nfor (let attempt = 0; attempt < 5; attempt++) {\n"
    "  await sleep(Math.random() * Math.min(30000, 1000 * 2 ** attempt));\n}\n```\n",
)
FAILS = (
    "```python\nfor attempt in range(5):\n    try:\n        return call()\n    except Timeout:\n"
    "        time.sleep(2**attempt)\n```\n",
    "```python\nwhile True:\n    try:\n        return call()\n    except Timeout:\n        time.sleep(1)\n```\n",
    "```js\nfor (let attempt = 0; attempt < 5; attempt++) {\n  await sleep(1000 * 2 ** attempt);\n}\n```\n",
    "```go\nfor attempt := 0; attempt < 5; attempt++ {\n\ttime.Sleep(time.Second * time.Duration(1<<attempt))\n"
    "}\n```\n",
    "```ts\nfor (let attempt = 0; attempt < 5; attempt++) {\n"
    "  await new Promise(r => setTimeout(r, 1000 * 2 ** attempt));\n}\n```\n",
    '```bash\nfor attempt in 1 2 3; do\n  curl "$URL" && break\n  sleep 5\ndone\n```\n',
)
_MESSAGE = "every client waits this long, so that they come back together; add jitter"
_SLEEP = re.compile(
    r"\b(?:sleep|usleep|time\.Sleep|Thread\.sleep|delay)\b[ (]{1,2}(?P<wait>[^\n;]{1,160})", re.IGNORECASE
)
# A timer that does nothing but end a wait; one that aborts a request is a deadline.
_TIMER = re.compile(
    r"\bnew Promise\(\s{0,20}(?:async )?(?:function ?)?\(?(?P<done>\w{1,20})\)? ?(?:=>)?[\s{]{0,20}"
    r"setTimeout\((?P=done), ?(?P<wait>[^\n;]{1,160})"
)
# Numbers, arithmetic, units, the attempt's number and the usual powers: a wait of these alone is the same everywhere.
_FIXED = re.compile(
    r"(?:[0-9._]++[Ll]?+|[-+*/%()<>,^ $]|\b(?:attempts?|retries|retry|tries|i|n|j|time|Duration|Second|Millisecond|"
    r"Seconds|Milliseconds|Math|math|pow|Pow|min|Min|exp2|TimeUnit|of|from|ofMillis|ofSeconds|from_millis|from_secs|float64|int|await|backoff|base|delay|cap)\b|\.)+"
)
_AMOUNT = re.compile(r"[0-9]|\btime\.(?:Second|Minute)\b")
_NAME = re.compile(r"[A-Za-z_]\w{0,40}")
# A random key is no random wait.
_RANDOM = re.compile(r"rand(?!omUUID|om_bytes|om/uuid|om\.(?:uuid|hex))|jitter|uniform|RANDOM|shuf", re.IGNORECASE)


def find(code: Code) -> Iterator[Fault]:
    """The waits in retry loops that hold no random part, judged where they are computed in place."""
    parsed = tree_of(code)
    if parsed is not None:
        yield from _in_python(code, *parsed)
        return
    for start, end in retry_loops(code):
        if _RANDOM.search(code.text, start, end):
            continue
        for found in (*_SLEEP.finditer(code.text, start, end), *_TIMER.finditer(code.text, start, end)):
            wait = found["wait"].rstrip().rstrip(")};").rstrip()
            if _is_same(code, wait):
                yield Fault(found.start(), found.start("wait") + len(wait), _MESSAGE)


def _is_same(code: Code, wait: str) -> bool:
    """Whether a wait is made of numbers, or is a variable that nothing but numbers is ever put into."""
    if _FIXED.fullmatch(wait) and _AMOUNT.search(wait):
        return True
    name = wait.lstrip("$").strip("\"'{}")
    if not _NAME.fullmatch(name) or _RANDOM.search(code.text):
        return False
    put = re.compile(rf"(?<![\w.>])\$?{name} ?(?::=|[-+*]?=|<<=)(?!=)(?P<value>[^\n;]{{1,120}})").finditer(code.text)
    values = [found["value"].strip() for found in put]
    fixed = (_FIXED.fullmatch(re.sub(rf"\$?\b{name}\b", "0", value)) for value in values)
    return all(fixed) and any(c.isdigit() for value in values for c in value)


def _in_python(code: Code, tree: ast.Module, indent: int) -> Iterator[Fault]:
    seen: set[ast.Call] = set()
    for loop in python_loops(tree):
        if _RANDOM.search(ast.unparse(loop)):
            continue
        for call in calls(loop):
            waits = name_of(call).rpartition(".")[2] == "sleep" and len(call.args) == 1
            if waits and call not in seen and (_is_fixed(call.args[0]) or _holds_fixed(tree, call.args[0])):
                seen.add(call)
                yield Fault(*place(code, call, indent), _MESSAGE)


def _holds_fixed(tree: ast.Module, wait: ast.expr) -> bool:
    """Whether a wait is a variable that nothing but numbers and arithmetic is ever put into."""
    if not isinstance(wait, ast.Name) or _RANDOM.search(ast.unparse(tree)):
        return False
    values: list[ast.expr] = []
    for node in ast.walk(tree):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, _PUTS) else []
        if any(isinstance(inner, ast.Name) and inner.id == wait.id for t in targets for inner in ast.walk(t)):
            value = getattr(node, "value", None)
            if not isinstance(value, ast.expr) or not isinstance(targets[0], ast.Name):
                return False
            values.append(value)
    return bool(values) and all(map(_is_fixed, values))


_PUTS = (ast.AugAssign, ast.AnnAssign, ast.NamedExpr, ast.For, ast.AsyncFor)


def _is_fixed(wait: ast.expr) -> bool:
    """Whether a wait is made of numbers, names and arithmetic; a function that we don't know may add the jitter."""
    inner = [name_of(call) for call in calls(wait)]
    return all(name in ("min", "max", "pow", "math.pow", "float", "int") for name in inner) and any(
        isinstance(node, ast.Constant) for node in ast.walk(wait)
    )
