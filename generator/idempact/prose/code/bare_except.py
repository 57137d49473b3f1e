"""A retry that swallows every error there is.

Why: It repeats a fault of one's own code, a cancelled task and the key that interrupts the program, and hides what it
was. Only errors that another attempt can heal may be caught.

Instead: Catch the errors of the connection, and decide about answers by their status and code.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from idempact.prose.fragment import Code, Fault
from idempact.prose.loops import retry_loops
from idempact.prose.pycode import place, tree_of
from idempact.prose.pycode import retry_loops as python_loops

RULE = "prose/code-bare-except"
PASSES = (
    "```python\nfor attempt in range(5):\n    try:\n        return call()\n"
    "    except (Timeout, ConnectionError):\n        continue\n```\n",
    "```python\ntry:\n    call()\nexcept:\n    pass\n```\n",
    "```php\nfor ($attempt = 1; $attempt < 5; $attempt++) {\n"
    "    try { return call(); } catch (Throwable $e) { if (sent()) { log($e); } throw new OutcomeUnknown($e); }\n"
    "    sleep(backoff($attempt));\n}\n```\n",
)
FAILS = (
    "```python\nfor attempt in range(5):\n    try:\n        return call()\n    except:\n        continue\n```\n",
    "```python\nwhile True:\n    try:\n        return call()\n    except BaseException:\n        pass\n```\n",
    "```java\nfor (int attempt = 0; attempt < 5; attempt++) {\n"
    "  try { return call(); } catch (Throwable t) { sleep(backoff(attempt)); }\n}\n```\n",
    "```ruby\n5.times do |attempt|\n  begin\n    return call\n  rescue Exception\n    sleep backoff(attempt)\n"
    "  end\nend\n```\n",
)
_BARE = {
    "java": re.compile(r"\bcatch ?\((?:final )?(?:Throwable|java\.lang\.Throwable)\b"),
    "php": re.compile(r"\bcatch ?\(\\?Throwable\b"),
    "ruby": re.compile(r"\brescue (?:Exception|::Exception)\b"),
}
_MESSAGE = "this retries every error there is, also those that no attempt can heal"


def find(code: Code) -> Iterator[Fault]:
    """The handlers in retry loops that catch everything and go on."""
    parsed = tree_of(code)
    if parsed is not None:
        tree, indent = parsed
        seen: set[ast.ExceptHandler] = set()
        for loop in python_loops(tree):
            for node in ast.walk(loop):
                if isinstance(node, ast.ExceptHandler) and node not in seen and _swallows(node):
                    seen.add(node)
                    yield Fault(*place(code, node, indent), _MESSAGE)
        return
    pattern = _BARE.get(code.language)
    if pattern is None:
        return
    for start, end in retry_loops(code):
        for found in pattern.finditer(code.text, start, end):
            if not _RAISES.search(_handler(code, found.end(), end)):
                yield Fault(*found.span(), _MESSAGE)


_RAISES = re.compile(r"\b(?:throw|raise)\b")


def _handler(code: Code, start: int, end: int) -> str:
    """The text of the handler that begins at *start*: to its closing brace, in Ruby to the next ``end``."""
    if code.language == "ruby":
        closing = re.compile(r"\bend\b").search(code.text, start, end)
        return code.text[start : closing.start() if closing else end]
    depth = 0
    for brace in re.compile(r"[{}]").finditer(code.text, start, end):
        depth += 1 if brace[0] == "{" else -1
        if depth <= 0:
            return code.text[start : brace.start()]
    return code.text[start:end]


def _swallows(handler: ast.ExceptHandler) -> bool:
    bare = handler.type is None or (isinstance(handler.type, ast.Name) and handler.type.id == "BaseException")
    return bare and not any(isinstance(node, ast.Raise) for node in ast.walk(handler))
