"""Machine codes: one fact for each code that a client may branch on, gathered over all profiles."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from idempact.contract.model.answers import ClientAction
from idempact.contract.model.contract import Contract
from idempact.contract.units import NotDocumented
from idempact.facts.outcomes import Outcome
from idempact.text.nodes import Plain


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One machine code: its page's name, the outcomes that carry it, and the operations (by key) that can answer it."""

    code: str
    slug: str
    outcomes: tuple[Outcome, ...]
    operations: tuple[str, ...]
    everywhere: bool
    media_type: str | None
    type: str | None
    bodies: tuple[tuple[int | None, Plain], ...]

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status with which it comes."""
        return tuple(dict.fromkeys(status for outcome in self.outcomes for status in outcome.statuses))

    @property
    def actions(self) -> tuple[ClientAction, ...]:
        """What the client does next; more than one where two outcomes share the code."""
        return tuple(dict.fromkeys(outcome.action for outcome in self.outcomes))


def error_codes(contract: Contract, answering: Iterable[tuple[str, tuple[Outcome, ...]]]) -> tuple[ErrorCode, ...]:
    """The codes in order of checking. *answering* gives the outcomes that each keyed operation (by key) can answer."""
    pairs = tuple(answering)
    every = tuple(name for name, _ in pairs)
    by_code: dict[str, list[Outcome]] = {}
    where: dict[str, list[str]] = {}
    for name, found in pairs:
        for outcome in found:
            if outcome.known_code is None:
                continue
            known = by_code.setdefault(outcome.known_code, [])
            if outcome not in known:
                known.append(outcome)
            if name not in where.setdefault(outcome.known_code, []):
                where[outcome.known_code].append(name)
    slugs = _slugs(by_code)
    errors = contract.settings.errors
    return tuple(
        ErrorCode(
            code=code,
            slug=slugs[code],
            outcomes=tuple(found),
            operations=tuple(where[code]),
            everywhere=set(where[code]) == set(every),
            media_type=None if isinstance(errors.media_type, NotDocumented) else errors.media_type,
            type=problem_type(contract, code),
            bodies=_bodies(contract, code, found),
        )
        for code, found in by_code.items()
    )


def problem_type(contract: Contract, code: str) -> str | None:
    """The problem type of *code* (RFC 9457, section 3.1.1), which is the address of its page; None without one."""
    template = contract.settings.errors.type
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


def _bodies(contract: Contract, code: str, found: Iterable[Outcome]) -> tuple[tuple[int | None, Plain], ...]:
    bodies: dict[int | None, Plain] = {}
    for outcome in found:
        for status in outcome.statuses or (None,):
            bodies.setdefault(status, body(contract, outcome, status, code))
    return tuple(bodies.items())


def body(contract: Contract, outcome: Outcome, status: int | None, code: str | None) -> Plain:
    """An error body as the contract shapes it; None where nothing is known of its form.

    ``errors.example`` is filled in; without one, problem+json has the members of RFC 9457 and the code where
    ``code_at`` puts it. ``{title}`` stays for the words to fill.
    """
    errors = contract.settings.errors
    if errors.example is not None:
        return _filled(
            errors.example.value, {"code": code or "", "status": str(status or ""), "title": "{title}"}, status
        )
    media_type = errors.media_type
    if isinstance(media_type, NotDocumented) or not media_type.endswith("json"):
        return None
    out: dict[str, Plain] = {}
    if media_type == "application/problem+json":
        if code is not None and (kind := problem_type(contract, code)):
            out["type"] = kind
        out["title"] = "{title}"
        if status is not None:
            out["status"] = status
    if code is not None and outcome.code_at is not None:
        _put(out, outcome.code_at, code)
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


def _put(body_: dict[str, Plain], pointer: str, code: str) -> None:
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
