"""Put a plan into an API's files: only inserted bytes differ, and that is proven before a text is handed out."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Lookup

from idempact.openapi import events, proof, proof_json, record, style
from idempact.openapi.ahead import LONG, Ahead
from idempact.openapi.bared import bared, ejected
from idempact.openapi.beside import Beside
from idempact.openapi.edits import Edit, Ranges, apply, relocated
from idempact.openapi.injected import Injected, still_used, unchanged
from idempact.openapi.keeping import keep_also, keep_for, keep_shown
from idempact.openapi.locate import Api, File, Opener, keep, keep_all, keep_record, read
from idempact.openapi.members import mentions
from idempact.openapi.openers import overlaid
from idempact.openapi.outline import Outline, outline
from idempact.openapi.parameter_lists import bystanders, folded
from idempact.openapi.parts import proven_in_parts
from idempact.openapi.plan import Plan, Section, Wishes
from idempact.openapi.pointers import path_of
from idempact.openapi.splice import NoPlace, Surface, edits
from idempact.openapi.strip import Stripped, not_proven
from idempact.openapi.style import notation_of
from idempact.openapi.takes import Unread
from idempact.openapi.unrecorded import unrecorded
from idempact.openapi.validate import quick
from idempact.openapi.wants import Addition, Gathered, Gathering, Replacement
from idempact.openapi.weave import weave
from idempact.openapi.whereabouts import led_to, within
from idempact.openapi.woven import Woven
from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Checked, Diagnostic, Severity, in_order
from idempact.text.nodes import Keep, Mapping, Plain, compose, plain
from idempact.text.span import Document
from idempact.text.yaml_nodes import Unreadable, marks


def inject(
    document: Document,
    plan: Plan,
    *,
    force: bool = False,
    wishes: Wishes | None = None,
    opener: Opener | None = None,
    ahead: Ahead | None = None,
) -> Checked[Injected]:
    """*document* with what *plan* wants, in place of what an earlier run put in; the files that hold its operations
    too, where *opener* gives them.

    A second run gives the same text. Where an error is found, there is no text. Nodes of ours that somebody edited stay
    and are reported, unless *force*. *ahead* is what was begun with the document before.
    """
    wished = wishes or Wishes()
    mentioned = mentions(document.text)
    wanted = keep_for(document.text, plan, wished, followed=opener is not None, mentioned=mentioned)
    run = _Run(plan, wished, force, opener, _with_ours(document, wanted) if mentioned else wanted, len(document.text))
    try:
        return _by_outline(document, opener, run.wanted, run.inject, ahead, plan.parameters)
    except Unread:
        run = replace(run, wanted=keep_all)
        return _by_outline(document, opener, run.wanted, run.inject)


def eject(document: Document, *, force: bool = False, opener: Opener | None = None) -> Checked[Injected]:
    """*document* without anything that :func:`inject` put there; the same text where there is nothing of ours."""
    wanted = _with_ours(document, keep)
    return _by_outline(document, opener, wanted, lambda found: _eject(found, force))


def _by_outline(
    document: Document,
    opener: Opener | None,
    wanted: Keep,
    work: Callable[[Checked[Api]], Checked[Injected]],
    ahead: Ahead | None = None,
    named: frozenset[str] | None = None,
) -> Checked[Injected]:
    """*work* on the outline where that does, else on the whole file. No parameter is *named* otherwise for the sake of
    keys; none where all are read.
    """
    short, check = _outlined(document, wanted, ahead, named)
    if short is not None:
        # What is left out is looked at beside the work; a process of its own pays in long files only.
        with check or Beside(short.sound, worth=len(document.text) > LONG) as sound:
            made = None if sound.failed else _in_outline(short, opener, wanted, work)
            if made is not None and made.value is not None and sound.holds():
                return made
    less = bystanders(named) if named is not None and wanted is keep else None
    return work(read(document, opener, wanted, marked=True, less=less))


def _outlined(
    document: Document, wanted: Keep, ahead: Ahead | None, named: frozenset[str] | None
) -> tuple[Outline | None, Beside | None]:
    """The outline, none where there is none, and the check of what it leaves out, where that has begun."""
    taken = ahead.taken() if ahead is not None and ahead.begun and wanted is keep else None
    less = named is not None and wanted is keep
    short, check = taken if taken is not None else (outline(document, wanted, parameters=less), None)
    if short is None or {folded(name) for name in named or ()}.isdisjoint(map(folded, short.names)):
        return short, check
    # What was left out may be a contract's key.
    if check is not None:
        with check:
            pass
    return outline(document, wanted), None


def _in_outline(
    short: Outline, opener: Opener | None, wanted: Keep, work: Callable[[Checked[Api]], Checked[Injected]]
) -> Checked[Injected]:
    """*work* on the outline, for the whole file; without a value where the whole has to be read."""
    found = read(short.document, opener, wanted, marked=True)
    if found.value is None or found.value.astray or not short.holds(found.value.main.root):
        return Checked(None)
    owned = record.read(found.value.main.root)
    made = work(found)
    # What was read of a large file takes as much memory as its text, which comes back now.
    del found
    made = _restored(short, made)
    # What is left out may refer to a component of ours that would be gone.
    if made.value is not None and owned is not None and still_used(made.value, owned):
        return Checked(None)
    return made


def _with_ours(document: Document, wanted: Keep) -> Keep:
    """What is read of a document: what is wanted, and everything that is ours by its record."""
    if record.OWNER not in document.text:
        return wanted
    short = outline(document, keep_record)
    tree = compose(short.document if short is not None else document, keep_record).value
    owned = record.read(tree.root) if tree is not None and isinstance(tree.root, Mapping) else None
    if owned is None:
        return wanted
    share = owned.shares[""]
    places = [path_of(at) for at in (*share.inserted, *share.replaced, *share.created)]
    return keep_also(wanted, places) or wanted


def _eject(found: Checked[Api], force: bool) -> Checked[Injected]:
    if found.value is None:
        return Checked(None, found.diagnostics)
    text = found.value.main.document.text
    owned = record.read(found.value.main.root)
    if owned is None:
        return Checked(Injected(text, text, (), 0), unrecorded(found.value, None))
    spare: frozenset[str] = frozenset()
    while True:
        bare, whole = bared(found.value, owned, force=force, spare=spare)
        if bare.withheld:
            # Without the record, nobody would know any more what is ours there.
            return Checked(None, tuple(_stopping(one) for one in bare.diagnostics))
        if not whole:
            return Checked(None, bare.diagnostics)
        result = ejected(found.value, bare.files)
        used = bare.used(found.value, result, owned) - spare
        if not used:
            recorded = {name: frozenset((*one.gone, *one.kept)) for name, one in bare.files.items()}
            return Checked(result, (*bare.diagnostics, *unrecorded(found.value, recorded)))
        spare |= used


def _stopping(finding: Diagnostic) -> Diagnostic:
    """The finding as the reason why nothing is taken out, where it is that."""
    return replace(finding, severity=Severity.ERROR) if finding.rule == "openapi/lost-file" else finding


@dataclass(slots=True)
class _Run:
    """One injection: what is wanted, and how."""

    plan: Plan
    wishes: Wishes
    force: bool
    opener: Opener | None
    wanted: Keep
    length: int

    def inject(self, found: Checked[Api]) -> Checked[Injected]:
        if found.value is None:
            return Checked(None, found.diagnostics)
        owned = record.read(found.value.main.root)
        if owned is None:
            return self._put(found.value, found, {"": Stripped(found.value.main.document.text)})
        return self._update(found.value, owned)

    def _update(self, api: Api, owned: record.Record) -> Checked[Injected]:
        spare: frozenset[str] = frozenset()
        while True:
            found, whole = bared(api, owned, force=self.force, spare=spare)
            if not whole:
                return Checked(None, found.diagnostics)
            bare = found.files
            texts = {name: one.text for name, one in bare.items()}
            document = Document(api.main.document.path, texts[""])
            again = read(document, overlaid(self.opener, texts), self.wanted, marked=True)
            if again.value is None:
                return Checked(None, (*found.diagnostics, _nothing_left(api, owned)))
            _recall(again.value, api.main, bare[""].gone)
            result = self._put(api, again, bare, found.withheld)
            result = Checked(result.value, _placed(api, texts, bare, result.diagnostics))
            used = found.used(api, result.value, owned) - spare
            if used:
                # Somebody refers to a component of ours that the contract no longer wants: it stays.
                spare |= used
                continue
            value = result.value
            if value is not None and found.complete and value.record == plain(owned.entry.value):
                # Nothing is to be said otherwise: ours stays where it is, though a fresh run might order it anew.
                value = unchanged(api, value)
            return Checked(value, in_order((*found.diagnostics, *result.diagnostics)))

    def _put(
        self,
        original: Api,
        found: Checked[Api],
        bare: Lookup[str, Stripped],
        withheld: Lookup[str, record.Share] | None = None,
    ) -> Checked[Injected]:
        """Put the plan into what *found* has read, the files without anything of ours, but for those *withheld*."""
        if found.value is None:
            return Checked(None, found.diagnostics)
        api = found.value
        kept = {name: frozenset((*one.kept, *one.replaced)) for name, one in bare.items()}
        woven = weave(api, self.plan, self.wishes, kept)
        known = (*found.diagnostics, *self.plan.diagnostics)
        if any(d.severity is Severity.ERROR for d in (*known, *woven.diagnostics)):
            return Checked(None, in_order((*known, *woven.diagnostics)))
        made = self._write(original, api, woven, bare, withheld or {})
        return Checked(made.value, in_order((*known, *woven.diagnostics, *made.diagnostics)))

    def _write(
        self,
        original: Api,
        api: Api,
        woven: Woven,
        bare: Lookup[str, Stripped],
        withheld: Lookup[str, record.Share],
    ) -> Checked[Injected]:
        shares = {
            name: _share(api, woven.gathering(name), bare.get(name, Stripped("")))
            for name in dict.fromkeys(("", *bare, *woven.touched))
        }
        root: dict[str, Plain] | None = None
        if any(shares.values()) or withheld or woven.alike:
            root = record.written(self.plan.extension, {**withheld, **shares})
            woven.add_root(root)
        diagnostics: tuple[Diagnostic, ...] = ()
        if self.wishes.check:
            diagnostics = quick(api, {name: woven.gathering(name).result for name in shares})
        results: dict[str, Injected] = {}
        for name, share in shares.items():
            before = original.file(name)
            assert before is not None
            made = _splice(before.document.text, woven.gathering(name), share, self._shown(original, api, name))
            diagnostics = (*diagnostics, *made.diagnostics)
            if made.value is not None:
                results[name] = made.value
        if any(d.severity is Severity.ERROR for d in diagnostics):
            return Checked(None, diagnostics)
        others = tuple((name, one) for name, one in results.items() if name)
        return Checked(replace(results[""], counts=woven.counted, record=root, others=others), diagnostics)

    def _shown(self, original: Api, api: Api, name: str) -> Keep | None:
        """What of a file shows its style: what every run reads of it. None where all that was read does.

        Where it is long without what is ours, parameters may have been left out.
        """
        file = api.file(name)
        if file is None or file.wanted is None:
            return None
        ours = len(original.main.document.text) - len(api.main.document.text)
        return keep_shown if self.length - ours >= style.LONG else keep if file.wanted is not keep else None


def _nothing_left(api: Api, owned: record.Record) -> Diagnostic:
    key = owned.entry.key
    return Diagnostic(
        "openapi/edited-record",
        Severity.ERROR,
        "without what this record names, the file is no OpenAPI document",
        api.main.document.span(key.start, key.end),
        subject=key.value,
        hint="bring the record back from version control, or remove it by hand and run again",
    )


def _recall(api: Api, former: File, gone: tuple[str, ...]) -> None:
    """Let references to our components that are left in the files of *api* lead to what was taken out of *former*."""
    sections = [section.value for section in (Section.PARAMETERS, Section.RESPONSES, Section.HEADERS)]
    paths = {at: path_of(at) for at in gone if at.startswith("/components/")}
    texts = [file.document.text for file in (api.main, *api.files.values()) if file is not None]
    left = [at for at, path in paths.items() if len(path) == 3 and any(f"#{at}" in text for text in texts)]
    api.taken = frozenset(paths[at] for at in left if paths[at][1] in sections)
    api.former = former if api.taken else None


def _placed(
    api: Api, texts: Lookup[str, str], bare: Lookup[str, Stripped], diagnostics: tuple[Diagnostic, ...]
) -> tuple[Diagnostic, ...]:
    """The findings about files without ours, at their places in the files as they are."""
    for name, one in bare.items():
        file = api.file(name)
        if file is not None:
            there = Document(file.document.path, texts[name])
            diagnostics = relocated(diagnostics, there, file.document, one.back)
    return diagnostics


def _restored(short: Outline, found: Checked[Injected]) -> Checked[Injected]:
    """What was found in the outline, for the whole file; without a value where the two don't agree."""
    value = found.value
    if value is None:
        return Checked(None)
    after = short.restored(value.after)
    if after is None:
        return Checked(None)
    return Checked(replace(value, before=short.whole.text, after=after), short.relocated(found.diagnostics))


def _share(api: Api, gathering: Gathering, bare: Stripped) -> record.Share:
    """What is ours in a file: what is put in now, and what was there before and stays."""
    gathered, file = gathering.result, gathering.file
    text = file.document.text
    # Most operations get the very same values.
    digests = {id(value): value for value in gathered.owned.values()}
    known = {key: record.digest(value) for key, value in digests.items()}
    inserted = {at: known[id(value)] for at, value in gathered.owned.items()} | bare.kept
    replaced = {
        at: record.Replaced(
            text[one.node.start : one.node.end], record.digest(one.value), led_to(api, file, at, one.node)
        )
        for at, one in gathered.replacements.items()
    }
    replaced |= bare.replaced
    created = tuple(sorted({*bare.created, *gathered.created}))
    return record.Share(inserted, created, replaced, within(file.root, (*inserted, *replaced)))


def _splice(before: str, gathering: Gathering, share: record.Share, shown: Keep | None) -> Checked[Injected]:
    """The file with what was gathered for it, proven. Its style is that of what is *shown*, all where it is none."""
    file, gathered = gathering.file, gathering.result
    document = file.document
    if not gathered:
        return Checked(Injected(before, document.text, tuple(share.inserted), 0))
    notation = notation_of(file.tree, file.json, shown)
    surface = Surface(file.tree, notation, events.true_ends(document.text, file.marks))
    try:
        made = edits(surface, gathered)
        after, ranges = apply(document.text, [edit for edit, _ in made])
        _prove(file, gathered, Document(document.path, after), made, ranges)
    except NoPlace as failed:
        return Checked(None, (_no_place(document, failed),))
    except proof.NotProven as failed:
        return Checked(None, (not_proven(Document(document.path, after), failed),))
    inserted = sum(len(edit.text) for edit, _ in made if edit.inserts)
    return Checked(Injected(before, after, tuple(share.inserted), inserted))


def _prove(
    file: File,
    gathered: Gathered,
    after: Document,
    made: tuple[tuple[Edit, Addition | Replacement], ...],
    ranges: Ranges,
) -> None:
    """Both proofs: what was there is there, and what is new is what was meant."""
    changes = tuple(edit for edit, _ in made)
    if not file.json:
        if proven_in_parts(file, after, made, ranges):
            return
        members = [member for _, what in made if isinstance(what, Addition) for member in what.members]
        values = {edit.start: what.value for edit, what in made if isinstance(what, Replacement)}
        try:
            proof.prove_events(file.marks, marks(after), changes, ranges, proof.tokens(members), values)
        except Unreadable:
            raise proof.NotProven("the result can't be read any more", 0) from None
        return
    proof_json.prove_bytes(file.document.text, after.text, changes, ranges)
    proof_json.prove_members(file.document.text, file.root, after.text, made, ranges, gathered.owned)


def _no_place(document: Document, failed: NoPlace) -> Diagnostic:
    return Diagnostic(
        "openapi/no-place",
        Severity.ERROR,
        "nothing can be put behind this without changing it: a block text ends the file without a line break",
        document.span(failed.offset),
        hint="end the file with a line break, then run again",
    )
