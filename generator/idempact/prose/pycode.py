"""Python code by its syntax tree: its retry loops, and what is called in them."""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from functools import lru_cache

from idempact.prose.fragment import Code

_LONGEST = 200_000
_PROMPT, _MORE = ">>> ", "... "
_RETRIER = re.compile(r"(?:\w+\.)?(?:Async)?Retrying")
_DECORATOR = re.compile(
    r"(?:\A|[._])(?:retry|retrying|retriable|retryable|retries|on_exception|on_predicate)(?:_\w+)?\Z"
)
_SENDS = re.compile(r"\btry:|\bpost\(|idempoten|attempt|retr(?:y|ies)|tries", re.IGNORECASE)
_GOOD = re.compile(r"\.ok\b|\bok\b|success|status(?:_code)? (?:==|in|<) ")
_ATTEMPTS = re.compile(r"attempt|retr(?:y|ies)|tries|backoff", re.IGNORECASE)


@lru_cache(maxsize=8)
def tree_of(code: Code) -> tuple[ast.Module, int] | None:
    """The syntax tree, and how many columns of indent every line had; none where it can't be parsed.

    A fragment may use ``await`` or ``return`` outside a function; neither keeps it from being parsed.
    """
    if code.language != "python" or len(code.text) > _LONGEST:
        return None
    if code.text.lstrip().startswith(_PROMPT):
        plain, indent = _without_prompts(code), len(_PROMPT)
    else:
        plain = textwrap.dedent(code.text)
        first = next((line for line in code.text.split("\n") if line.strip()), "")
        indent = len(first) - len(first.lstrip()) if plain != code.text else 0
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(plain), indent
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _without_prompts(code: Code) -> str:
    """A session with the interpreter without its prompts, every line in its place; what was printed is left out."""
    return "\n".join(line[len(_PROMPT) :] if line.startswith((_PROMPT, _MORE)) else "" for _, line in code.lines)


def place(code: Code, node: ast.expr | ast.stmt | ast.excepthandler, indent: int) -> tuple[int, int]:
    """The stretch of the code's text where *node* stands, to the end of its first line at most."""
    start = code.offset(node.lineno, 0) + indent + _characters(code, node.lineno, node.col_offset, indent)
    line_end = code.text.find("\n", start)
    line_end = line_end if line_end >= 0 else len(code.text)
    if node.end_lineno == node.lineno and node.end_col_offset is not None:
        end = code.offset(node.lineno, 0) + indent + _characters(code, node.lineno, node.end_col_offset, indent)
        return start, max(min(end, line_end), start + 1)
    return start, max(line_end, start + 1)


def _characters(code: Code, line: int, column: int, indent: int) -> int:
    """A column in bytes of UTF-8, as the parser counts, in characters."""
    text = code.lines[min(line - 1, len(code.lines) - 1)][1][indent:]
    return len(text.encode()[:column].decode("utf-8", "ignore"))


def name_of(node: ast.AST) -> str:
    """The dotted name that an expression is, or that it calls; empty for another."""
    match node:
        case ast.Call(func=func):
            return name_of(func)
        case ast.Attribute(value=value, attr=attr):
            inner = name_of(value)
            return f"{inner}.{attr}" if inner else attr
        case ast.Name(id=name):
            return name
    return ""


def calls(node: ast.AST) -> Iterator[ast.Call]:
    """Every call in *node*."""
    return (found for found in ast.walk(node) if isinstance(found, ast.Call))


def retry_loops(tree: ast.Module) -> Iterator[ast.For | ast.While | ast.AsyncFor]:
    """The loops that repeat one request: they count attempts or are endless, and catch an error, wait or end well.

    One that is endless and only waits asks again and again for what becomes of something, and is none.
    """
    for node in ast.walk(tree):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            head = f"{ast.unparse(node.target)} {ast.unparse(node.iter)}"
            counted = bool(_ATTEMPTS.search(head)) or name_of(node.iter) == "range"
            if _RETRIER.fullmatch(name_of(node.iter)):
                yield node
                continue
        elif isinstance(node, ast.While):
            endless = isinstance(node.test, ast.Constant) and bool(_SENDS.search(ast.unparse(node)))
            counted = endless or bool(_ATTEMPTS.search(ast.unparse(node.test)))
        else:
            continue
        tried = any(isinstance(n, ast.Try) or _ends_well(n) for n in ast.walk(node))
        if counted and (tried or _waits(node)):
            yield node


def retried_functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions that a decorator calls again when they fail."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(
            _DECORATOR.search(name_of(one)) for one in node.decorator_list
        ):
            yield node


def _ends_well(node: ast.AST) -> bool:
    """Whether this leaves a loop because an answer was good."""
    if not isinstance(node, ast.If) or isinstance(node.test, ast.UnaryOp) or not _GOOD.search(ast.unparse(node.test)):
        return False
    return any(isinstance(inner, (ast.Break, ast.Return)) for inner in node.body)


def _waits(node: ast.AST) -> bool:
    return any(name_of(call).rpartition(".")[2] == "sleep" for call in calls(node))
