"""Retry loops from facts: one for each language folder, through its template."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from traceback import extract_tb

from jinja2 import TemplateSyntaxError

from idempact.facts.loop import LoopFacts
from idempact.render.environment import SUFFIX, environment, template_roots
from idempact.snippets.language import Language, Library, languages
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.span import Span

CARRIERS = frozenset({"header", "query", "body"})


@dataclass(frozen=True, slots=True)
class Snippet:
    """One rendered loop: the code as the reader sees it, under its file name."""

    language: str
    title: str
    fence: str
    file_name: str
    code: str
    libraries: tuple[Library, ...]
    budget: str


def render(loop: LoopFacts, templates_dirs: Sequence[Path] = ()) -> Checked[tuple[Snippet, ...]]:
    """The loop in every language, the user's *templates_dirs* before the shipped templates.

    Empty where these loops can't carry the key: in gRPC metadata, in a GraphQL directive, or under a name that nobody
    documents. A template that fails is a finding with its place, and the other languages are rendered all the same.
    """
    found = languages(template_roots(templates_dirs))
    if loop.key_carrier not in CARRIERS or not loop.key_name:
        return Checked((), found.diagnostics)
    snippets: list[Snippet] = []
    diagnostics = list(found.diagnostics)
    for language in found.value or ():
        try:
            snippets.append(render_one(loop, language, templates_dirs))
        except Exception as error:  # a user's template can raise anything
            diagnostics.append(_fault(language, error))
    return Checked(tuple(snippets), tuple(diagnostics))


def render_one(loop: LoopFacts, language: Language, templates_dirs: Sequence[Path] = ()) -> Snippet:
    """The loop in one language. Raises what its template raises."""
    template = environment(templates_dirs).get_template(language.template)
    code = template.render(loop=loop, language=language)
    return Snippet(
        language=language.id,
        title=language.title,
        fence=language.fence,
        file_name=language.file,
        code=code.strip("\n") + "\n",
        libraries=language.libraries,
        budget=language.budget,
    )


def _fault(language: Language, error: Exception) -> Diagnostic:
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
        f"the template of {language.title} failed: {error}",
        span,
        subject=language.template,
        hint="a loop's template sees the names `loop` and `language`, and nothing else",
    )
