"""Retry loops from facts: one for each language folder, through its template."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from traceback import extract_tb

from jinja2 import Environment, TemplateSyntaxError

from idempact.facts.loop import LoopFacts
from idempact.render.environment import SUFFIX, environment, template_roots
from idempact.snippets.language import Language, Library, Tool, Variant, languages
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.span import Span

CARRIERS = frozenset({"header", "query", "body"})


@dataclass(frozen=True, slots=True)
class Snippet:
    """One rendered loop: the code as the reader sees it, under its file name.

    ``title`` is the language's; ``variant`` and ``variant_title`` tell a language's loops apart.
    """

    language: str
    title: str
    fence: str
    variant: str
    variant_title: str
    file_name: str
    code: str
    tools: tuple[Tool, ...]
    libraries: tuple[Library, ...]
    budget: str

    @property
    def id(self) -> str:
        """The name of this loop among all of them: ``python-tenacity``."""
        return f"{self.language}-{self.variant}"


def render(loop: LoopFacts, templates_dirs: Sequence[Path] = ()) -> Checked[tuple[Snippet, ...]]:
    """The loop in every language and variant, the user's *templates_dirs* before the shipped templates.

    Empty where these loops can't carry the key: in gRPC metadata, in a GraphQL directive, or under a name that nobody
    documents. A template that fails is a finding with its place, and the others are rendered all the same.
    """
    found = languages(template_roots(templates_dirs))
    if loop.key_carrier not in CARRIERS or not loop.key_name:
        return Checked((), found.diagnostics)
    snippets: list[Snippet] = []
    diagnostics = list(found.diagnostics)
    for language in found.value or ():
        for variant in language.loops:
            try:
                snippets.append(render_one(loop, language, variant, templates_dirs))
            except Exception as error:  # a user's template can raise anything
                diagnostics.append(_fault(language, variant, error))
    return Checked(tuple(snippets), tuple(diagnostics))


def render_one(loop: LoopFacts, language: Language, variant: Variant, templates_dirs: Sequence[Path] = ()) -> Snippet:
    """The loop in one language, as one of its variants. Raises what its template raises."""
    template = _environment(tuple(templates_dirs)).get_template(variant.template)
    code = template.render(loop=loop, language=language)
    return Snippet(
        language=language.id,
        title=language.title,
        fence=language.fence,
        variant=variant.id,
        variant_title=variant.title,
        file_name=variant.file,
        code=code.strip("\n") + "\n",
        tools=language.tools,
        libraries=variant.libraries,
        budget=variant.budget,
    )


@lru_cache(maxsize=4)
def _environment(templates_dirs: tuple[Path, ...]) -> Environment:
    """One environment for all loops over the same folders: a template is compiled once, and again when it changes."""
    return environment(templates_dirs)


def _fault(language: Language, variant: Variant, error: Exception) -> Diagnostic:
    """The finding for a template that failed, at the innermost template line that took part in it."""
    place: tuple[str, int] | None = None
    if isinstance(error, TemplateSyntaxError) and error.filename:
        place = (error.filename, error.lineno)
    else:
        frames = extract_tb(error.__traceback__)
        place = next(((f.filename, f.lineno or 1) for f in reversed(frames) if f.filename.endswith(SUFFIX)), None)
    span = Span(place[0], place[1], 1, place[1], 1) if place else None
    return Diagnostic(
        "snippets/template-fault",
        Severity.ERROR,
        f"the template of {language.title} ({variant.title}) failed: {error}",
        span,
        subject=variant.template,
        hint="a loop's template sees the names `loop` and `language`, and nothing else",
    )
