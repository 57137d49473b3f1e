"""The Jinja environment that every template runs in: strict, without globals, with one escaper per literal family."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from idempact.render import literals
from idempact.resources import shipped
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import BaseLoader, Environment
    from jinja2.runtime import Context

SUFFIX = ".jinja"


def template_roots(user: Sequence[Path] = ()) -> tuple[Path, ...]:
    """Where templates are looked for, in order: the user's folders, then the shipped one."""
    return (*user, shipped("templates"))


def environment(user: Sequence[Path] = ()) -> Environment:
    """An environment over the user's template folders and the shipped ones.

    A user's file replaces the shipped one of the same name, which stays within reach under ``shipped/``. An undefined
    name is an error, nothing is escaped by itself, and a block's own line leaves no trace. Compiled templates are kept
    between runs: so no filter is applied when one is compiled, since another environment's may say something else.
    """
    # Commands that only look for words come here, too, and start in less time without Jinja.
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PrefixLoader, StrictUndefined, pass_context

    from idempact.render.compiled import compiled_templates

    @pass_context
    def when_rendered(_context: Context, value: object) -> object:
        """No output that asks for a context can be worked out at compile time (Jinja, "Custom Filters")."""
        return value

    own: list[BaseLoader] = [FileSystemLoader(folder, encoding="utf-8") for folder in user]
    base = FileSystemLoader(shipped("templates"), encoding="utf-8")
    result = Environment(
        loader=ChoiceLoader([*own, base, PrefixLoader({"shipped": base})]),
        undefined=StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        optimized=False,
        finalize=when_rendered,
        bytecode_cache=compiled_templates(),
    )
    result.globals.clear()
    result.filters.update(literals.FAMILIES)
    result.filters.update(
        md_text=literals.md_text,
        md_cell=literals.md_cell,
        md_code=literals.md_code,
        comment=literals.comment,
        seconds=literals.seconds,
        jq_path=literals.jq_path,
    )
    return result
