"""Machine codes: one fact for each code that a client may branch on, gathered over all profiles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from idempact.contract.model.answers import ClientAction
from idempact.contract.model.errors import Errors
from idempact.contract.units import NotDocumented
from idempact.facts.outcomes import Outcome
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Plain


@dataclass(frozen=True, slots=True)
class CodeForm:
    """How a code's answer looks for some operations (by key): media type, problem type, and a body for each status.

    ``outcomes`` are those of these operations alone.
    """

    media_type: str | None
    type: str | None
    bodies: tuple[tuple[int | None, Plain], ...]
    outcomes: tuple[Outcome, ...]
    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One machine code: its page's name, the outcomes that carry it, and the operations (by key) that can answer it.

    ``forms`` are the forms of its answer that differ, each with its operations.
    """

    code: str
    slug: str
    outcomes: tuple[Outcome, ...]
    operations: tuple[str, ...]
    everywhere: bool
    forms: tuple[CodeForm, ...]

    @property
    def types(self) -> tuple[str, ...]:
        """Its problem types; more than one where operations differ in them."""
        return tuple(dict.fromkeys(form.type for form in self.forms if form.type))

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status with which it comes."""
        return tuple(dict.fromkeys(status for outcome in self.outcomes for status in outcome.statuses))

    @property
    def actions(self) -> tuple[ClientAction, ...]:
        """What the client does next; more than one where two outcomes share the code."""
        return tuple(dict.fromkeys(outcome.action for outcome in self.outcomes))


def error_codes(answering: Iterable[tuple[str, Errors, tuple[Outcome, ...]]]) -> tuple[ErrorCode, ...]:
    """The codes in order of checking.

    *answering* gives for each keyed operation (by key) the form of its errors, and the outcomes that it can answer.
    """
    given = tuple(answering)
    every = {name for name, _, _ in given}
    by_code: dict[str, dict[str, tuple[Errors, list[Outcome]]]] = {}
    for name, errors, found in given:
        for outcome in found:
            if outcome.known_code is not None:
                by_code.setdefault(outcome.known_code, {}).setdefault(name, (errors, []))[1].append(outcome)
    slugs = _slugs(by_code)
    return tuple(
        ErrorCode(
            code=code,
            slug=slugs[code],
            outcomes=_told_apart(outcome for _, found in where.values() for outcome in found),
            operations=tuple(where),
            everywhere=where.keys() == every,
            forms=_forms(code, where),
        )
        for code, where in by_code.items()
    )


def _told_apart(found: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """The outcomes that differ for a client that has read the code; where it stood no longer matters."""
    return tuple({replace(outcome, code_at=None): outcome for outcome in found}.values())


def _forms(code: str, where: Mapping[str, tuple[Errors, list[Outcome]]]) -> tuple[CodeForm, ...]:
    """The forms that differ; operations whose answers look alike share one, whatever else their outcomes say."""
    shared: dict[Errors, tuple[list[str], list[Outcome]]] = {}
    for name, (errors, found) in where.items():
        names, outcomes = shared.setdefault(errors, ([], []))
        names.append(name)
        outcomes += (outcome for outcome in found if outcome not in outcomes)
    return tuple(
        CodeForm(
            media_type=None if isinstance(errors.media_type, NotDocumented) else errors.media_type,
            type=problem_type(errors, code),
            bodies=_bodies(errors, code, found),
            outcomes=tuple(found),
            operations=tuple(names),
        )
        for errors, (names, found) in shared.items()
    )


def problem_type(errors: Errors, code: str) -> str | None:
    """The problem type of *code* (RFC 9457, section 3.1.1), which is the address of its page; None without one."""
    template = errors.type
    return template.replace("{code}", code) if isinstance(template, str) else None


def _slugs(codes: Iterable[str]) -> dict[str, str]:
    """A page name for each code: the code itself where a file may have that name, apart from letter case too."""
    slugs: dict[str, str] = {}
    taken: set[str] = set()
    for code in codes:
        # A file name holds 255 bytes on the usual systems; the suffixes need their share.
        slug = re.sub(r"[^A-Za-z0-9_-]+", "-", code).strip("-")[:120] or "code"
        if slug.lower() == "index":
            slug = "code-index"
        unique, number = slug, 2
        while unique.lower() in taken:
            unique, number = f"{slug}-{number}", number + 1
        taken.add(unique.lower())
        slugs[code] = unique
    return slugs


def _bodies(errors: Errors, code: str, found: Iterable[Outcome]) -> tuple[tuple[int | None, Plain], ...]:
    bodies: dict[int | None, Plain] = {}
    for outcome in found:
        for status in outcome.statuses or (None,):
            bodies.setdefault(status, body(errors, outcome, status, code))
    return tuple(bodies.items())


def body(errors: Errors, outcome: Outcome, status: int | None, code: str | None) -> Plain:
    """An error body as an operation's *errors* shape it; None where nothing is known of its form.

    ``errors.example`` is filled in; without one, problem+json has the members of RFC 9457 and the code where
    ``code_at`` puts it. ``{title}`` stays for the words to fill.
    """
    if errors.example is not None:
        return _filled(
            errors.example.value, {"code": code or "", "status": str(status or ""), "title": "{title}"}, status
        )
    media_type = errors.media_type
    if isinstance(media_type, NotDocumented) or not media_type.endswith("json"):
        return None
    out: dict[str, Plain] = {}
    if media_type == "application/problem+json":
        if code is not None and (kind := problem_type(errors, code)):
            out["type"] = kind
        out["title"] = "{title}"
        if status is not None:
            out["status"] = status
    if code is not None and outcome.code_at is not None:
        put(out, outcome.code_at, code)
    return out or None


def _filled(example: Plain, values: dict[str, str], status: int | None) -> Plain:
    if isinstance(example, dict):
        return {key: _filled(value, values, status) for key, value in example.items()}
    if isinstance(example, list):
        return [_filled(value, values, status) for value in example]
    if not isinstance(example, str):
        return example
    if example == "{status}" and status is not None:
        return status
    return re.sub(r"\{(code|status|title)\}", lambda match: values[match[1]], example)


def put(body_: dict[str, Plain], pointer: str, code: str) -> None:
    """Put *code* into the body at *pointer*; ``*`` becomes the first item of a list, or a member ``…``."""
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    at: Plain = body_
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        following = parts[index + 1] if not last else ""
        new: Plain = code if last else [] if following == "*" else {}
        if isinstance(at, list):
            if not at:
                at.append(new)
            at = at[0]
        elif isinstance(at, dict):
            at = at.setdefault(part, new)
