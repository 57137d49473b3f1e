"""Put a plan into an OpenAPI text: only inserted bytes differ, and that is proven before the text is handed out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from idempact.openapi import events, proof, record
from idempact.openapi.locate import Api, read
from idempact.openapi.plan import Plan
from idempact.openapi.pointers import path_of
from idempact.openapi.splice import NoPlace, Surface, insertions
from idempact.openapi.strip import Stripped, not_proven, strip
from idempact.openapi.style import notation_of
from idempact.openapi.wants import Gathered
from idempact.openapi.weave import Woven, weave
from idempact.text.diagnostic import Checked, Diagnostic, Severity, in_order
from idempact.text.edit import Insertion, insert
from idempact.text.nodes import Plain, plain
from idempact.text.span import Document


@dataclass(frozen=True, slots=True)
class Injected:
    """A text before and after; the pointers that the tool owns in it, and how many characters of it are inserted.

    ``counts`` says how many state-changing operations of the file are of which safety, or unlisted; ``record`` is the
    root extension as it is written.
    """

    before: str
    after: str
    owned: tuple[str, ...]
    inserted: int
    counts: tuple[tuple[str, int], ...] = ()
    record: Plain = None


def inject(document: Document, plan: Plan, *, force: bool = False) -> Checked[Injected]:
    """*document* with what *plan* wants, in place of what an earlier run put in.

    A second run gives the same text. Where an error is found, there is no text. Nodes of ours that somebody edited stay
    and are reported, unless *force*.
    """
    found = read(document)
    if found.value is None:
        return Checked(None, found.diagnostics)
    owned = record.read(found.value.root)
    if owned is None:
        return _put(document, found, Stripped(document.text), plan)
    spare: frozenset[str] = frozenset()
    while True:
        bare = strip(found.value, owned, force=force, spare=spare)
        if bare.value is None:
            return Checked(None, bare.diagnostics)
        result = _put(document, read(Document(document.path, bare.value.text)), bare.value, plan)
        used = _still_used(result.value, owned) - spare
        if not used:
            value = result.value
            if value is not None and bare.value.complete and value.record == plain(owned.entry.value):
                # Nothing is to be said otherwise: ours stays where it is, though a fresh run might order it anew.
                value = replace(value, after=document.text, inserted=0)
            return Checked(value, in_order((*bare.diagnostics, *result.diagnostics)))
        # Somebody refers to a component of ours that the contract no longer wants: it stays.
        spare |= used


def eject(document: Document, *, force: bool = False) -> Checked[Injected]:
    """*document* without anything that :func:`inject` put there; the same text where there is nothing of ours."""
    found = read(document)
    if found.value is None:
        return Checked(None, found.diagnostics)
    owned = record.read(found.value.root)
    if owned is None:
        return Checked(Injected(document.text, document.text, (), 0))
    spare: frozenset[str] = frozenset()
    while True:
        bare = strip(found.value, owned, force=force, spare=spare)
        if bare.value is None:
            return Checked(None, bare.diagnostics)
        result = Injected(document.text, bare.value.text, tuple(bare.value.kept), 0)
        used = _still_used(result, owned) - spare
        if not used:
            return Checked(result, bare.diagnostics)
        spare |= used


def _still_used(result: Injected | None, owned: record.Record) -> frozenset[str]:
    """The components that were ours, are gone from the result, and are referred to in it."""
    if result is None:
        return frozenset()
    components = {at: path_of(at) for at in owned.inserted if at.startswith("/components/") and at not in result.owned}
    return frozenset(
        at
        for at, path in components.items()
        if re.search(re.escape("#" + at) + r"(?![A-Za-z0-9._-])", result.after) and len(path) == 3
    )


def _put(original: Document, found: Checked[Api], bare: Stripped, plan: Plan) -> Checked[Injected]:
    """Put the plan into what *found* has read, the text without anything of ours."""
    if found.value is None:
        return Checked(None, found.diagnostics)
    api = found.value
    woven = weave(api, plan, frozenset(bare.kept))
    known = (*found.diagnostics, *plan.diagnostics)
    if any(d.severity is Severity.ERROR for d in (*known, *woven.diagnostics)):
        return Checked(None, in_order((*known, *woven.diagnostics)))
    made = _splice(original.text, api, woven, bare, plan)
    return Checked(made.value, in_order((*known, *woven.diagnostics, *made.diagnostics)))


def _splice(before: str, api: Api, woven: Woven, bare: Stripped, plan: Plan) -> Checked[Injected]:
    document = api.tree.document
    gathering = woven.gathering
    if not gathering.result.owned and not bare.kept:
        return Checked(Injected(before, document.text, (), 0, woven.counted))
    inserted = {at: record.digest(value) for at, value in gathering.result.owned.items()} | bare.kept
    created = sorted({*bare.created, *gathering.result.created})
    root = record.written(plan.extension, dict(sorted(inserted.items())), created)
    woven.add_root(root)
    marks = () if api.json else events.marks(document)
    surface = Surface(api.tree, notation_of(api.tree, api.json), events.true_ends(document.text, marks))
    try:
        edits = insertions(surface, gathering.result.additions.values())
        after, ranges = insert(document.text, edits)
        _prove(api, gathering.result, marks, Document(document.path, after), edits, ranges)
    except NoPlace as failed:
        return Checked(None, (_no_place(document, failed),))
    except proof.NotProven as failed:
        return Checked(None, (not_proven(Document(document.path, after), failed),))
    return Checked(
        Injected(before, after, tuple(inserted), sum(end - start for start, end in ranges), woven.counted, root)
    )


def _prove(
    api: Api,
    gathered: Gathered,
    marks: tuple[events.Mark, ...],
    after: Document,
    edits: tuple[Insertion, ...],
    ranges: proof.Ranges,
) -> None:
    again = read(after)
    if again.value is None:
        raise proof.NotProven("the result can't be read any more", 0)
    proof.prove_values(again.value.root, gathered.owned)
    if api.json:
        proof.prove_json(api.tree.document.text, after.text, ranges, gathered.owned, gathered.created)
        return
    new = events.marks(after)
    proof.prove_events(marks, new, edits, ranges)
    members = [member for addition in gathered.additions.values() for member in addition.members]
    proof.prove_count(marks, new, members)


def _no_place(document: Document, failed: NoPlace) -> Diagnostic:
    return Diagnostic(
        "openapi/no-place",
        Severity.ERROR,
        "nothing can be put behind this without changing it: a block text ends the file without a line break",
        document.span(failed.offset),
        hint="end the file with a line break, then run again",
    )
