"""A key that is the time, or a number that is no UUID.

Why: Two clients act in the same millisecond, and a clock goes back. Two operations then share a key, and the second one
gets the first one's answer. A short random number collides as well, by the birthday problem.

Instead: Make a random UUID (RFC 9562, version 4 or 7), or name the key after a stable id of the operation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.prose.fragment import Code, Fault

RULE = "prose/code-key-from-clock"
PASSES = (
    '```python\nheaders = {"Idempotency-Key": str(uuid.uuid4()), "Date": str(time.time())}\n```\n',
    "```js\nconst startedAt = Date.now();\n```\n",
)
FAILS = (
    '```python\nheaders = {"Idempotency-Key": str(time.time())}\n```\n',
    '```js\nconst headers = { "Idempotency-Key": `order-${Date.now()}` };\n```\n',
    "```js\nconst idempotencyKey = Math.random().toString(36);\n```\n",
    '```go\nreq.Header.Set("Idempotency-Key", strconv.FormatInt(time.Now().UnixNano(), 10))\n```\n',
    '```bash\ncurl -H "Idempotency-Key: $(date +%s)" https://api.example/payments\n```\n',
    "```php\n$idempotencyKey = time();\n```\n",
    "```php\n$key = 'pay-'.time();\n$client->post($url, ['headers' => ['Idempotency-Key' => $key]]);\n```\n",
)
_SOURCE = (
    r"(?P<clock>(?<![\w])(?:time\.time(?:_ns)?\(|datetime\.(?:now|utcnow)\(|Date\.now\(|new Date\(|"
    r"performance\.now\(|Math\.random\(|"
    r"random\.random\(|"
    r"random\.randint\(|rand\.Int\w{0,4}\(|mt_rand\(|rand\(|microtime\(|(?<![\w)\]]\.)(?<!>)time\(|uniqid\(|System\.(?:currentTimeMillis|nanoTime)\(|Instant\.now\(|time\.Now\(|"
    r"Time\.now\b|\$\(date\b|`date\b|\$RANDOM\b|\bnow\(\)))"
)
_CLOCK = re.compile(
    r"(?:idempoten(?:cy|t)[_-]?(?:key|token|id))['\"]?\)?\]?[ ]{0,8}(?::|=>|=|,|\()[^,;\n}]{0,60}?" + _SOURCE,
    re.IGNORECASE,
)
_SETTER = re.compile(r"(?:set|with)_?idempoten(?:cy|t)_?(?:key|token|id)\([^;\n]{0,80}?" + _SOURCE, re.IGNORECASE)
# What the clock is put into; it is a key if it is sent as one further down.
_HELD = re.compile(r"(?<![\w.>])\$?(?P<name>[A-Za-z_]\w{0,40}) ?:?= ?(?P<before>[^\n;]{0,60}?)" + _SOURCE)
_SENT = r"(?:idempoten(?:cy|t)[_-]?(?:key|token|id))['\"]?\)?\]?[ ]{0,8}(?::|=>|=|,|\() ?[$\"]{0,2}"
_UNIQUE = re.compile(r"uuid|ulid|nanoid|random_bytes|token_hex|token_urlsafe", re.IGNORECASE)
_REACH = 3_000


def find(code: Code) -> Iterator[Fault]:
    """What takes the clock, or a small random number, for a key."""
    found = {m.span("clock") for pattern in (_CLOCK, _SETTER) for m in pattern.finditer(code.text)}
    for start, end in sorted(found | set(_held(code.text))):
        yield Fault(start, end, "this key meets others, and changes with every attempt")


def _held(text: str) -> Iterator[tuple[int, int]]:
    """The clock in a variable that is sent as the key, where nothing unique stands beside it."""
    for held in _HELD.finditer(text):
        line_end = text.find("\n", held.end())
        if _UNIQUE.search(text, held.start(), line_end if line_end >= 0 else len(text)):
            continue
        sent = re.compile(rf"{_SENT}{held['name']}\b(?![(.])", re.IGNORECASE)
        if sent.search(text, held.end(), held.end() + _REACH):
            yield held.span("clock")
