"""An API's files without what the tool owns in them, and what can't be taken out because a file can't be read now."""

from __future__ import annotations

from collections.abc import Iterator

from idempact.openapi import record
from idempact.openapi.addresses import joined
from idempact.openapi.injected import Injected, still_used
from idempact.openapi.locate import Api
from idempact.openapi.openers import overlaid
from idempact.openapi.referred import parts
from idempact.openapi.strip import Stripped, strip
from idempact.openapi.whereabouts import held
from idempact.text.dataclass import dataclass, replace
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.nodes import Mapping, Scalar, walk
from idempact.text.span import Document


@dataclass(frozen=True, slots=True)
class Bared:
    """The files without anything of ours, by name; ``withheld`` are the shares of those that the API may still lead to
    and that could not be opened: what is in them may refer to any component of ours. ``complete`` says whether
    everything was found as it was put in.
    """

    files: dict[str, Stripped]
    withheld: dict[str, record.Share]
    diagnostics: tuple[Diagnostic, ...]
    complete: bool

    def used(self, api: Api, result: Injected | None, owned: record.Record) -> frozenset[str]:
        """The components that were ours, are gone from *result*, and are referred to, or may be."""

        def beside() -> Iterator[str]:
            """The texts of all files that the API leads to by whatever way, as they become."""
            if result is not None and api.opener is not None:
                made = {name: one.after for name, one in result.others}
                opener = overlaid(api.opener, made) or api.opener
                document = Document(api.main.document.path, result.after)
                yield from (one.text for one in parts(document, opener))

        return still_used(result, owned, beside, anyhow=bool(self.withheld))


def bared(api: Api, owned: record.Record, *, force: bool, spare: frozenset[str]) -> tuple[Bared, bool]:
    """Every file with something of ours, without it; and whether it could be taken out of all of them. The components
    of the root document that are in *spare* stay.
    """
    files: dict[str, Stripped] = {}
    withheld: dict[str, record.Share] = {}
    found: list[Diagnostic] = []
    complete = True
    for name, share in owned.shares.items():
        now = _name(api, owned, name)
        file = api.file(now)
        if file is None:
            found.append(_lost(api, owned, name))
            if api.opener is None or (not force and _referred(api, name)):
                withheld[name] = share
            elif (share.replaced or share.within) and not force:
                found[-1] = replace(found[-1], severity=Severity.ERROR, hint=_FOR_GOOD)
                return Bared(files, withheld, tuple(found), complete=False), False
            else:
                complete = False
            continue
        bare = strip(api, file, owned, share, force=force, spare=spare if not name else frozenset())
        found += bare.diagnostics
        if bare.value is None:
            return Bared(files, withheld, tuple(found), complete=False), False
        files[now] = bare.value
        found += (_gone(api, owned, now, at, told) for at, told in bare.value.lost)
        complete = complete and bare.value.complete and now == name
    return Bared(files, withheld, tuple(found), complete), True


# Only the record knows what stood there before.
_FOR_GOOD = "put the file back and run `idempact eject`; if it is gone for good, give up what was in it with --force"


def ejected(api: Api, files: dict[str, Stripped]) -> Injected:
    """What taking everything out makes of the files."""
    others: list[tuple[str, Injected]] = []
    main: Injected | None = None
    for name, one in files.items():
        file = api.file(name)
        assert file is not None
        made = Injected(file.document.text, one.text, tuple(one.kept), 0)
        if name:
            others.append((name, made))
        else:
            main = made
    assert main is not None
    return replace(main, others=tuple(others))


def _name(api: Api, owned: record.Record, name: str) -> str:
    """The file's name, or the one that it has now: that of the file in which most of its share stands."""
    if not name or api.file(name) is not None:
        return name
    best, most = name, 0
    for file in tuple(api.files.values()):
        if file is not None and file.name and file.name not in owned.shares:
            there, of = held(file.root, owned.shares[name])
            if there > most and there * 2 >= of:
                best, most = file.name, there
    return best


def _referred(api: Api, name: str) -> bool:
    """Whether something that was read of the API still refers to that file."""
    for file in (api.main, *api.files.values()):
        for node in walk(file.root) if file is not None else ():
            ref = node.get("$ref") if isinstance(node, Mapping) else None
            there = ref.value.partition("#")[0] if isinstance(ref, Scalar) else ""
            if there and file is not None and joined(file.name, there) == name:
                return True
    return False


def _lost(api: Api, owned: record.Record, name: str) -> Diagnostic:
    key = owned.entry.key
    if api.opener is None:
        message = f"idempact inserted something into {name}, which was not to be followed: it stays, with what it needs"
        hint = "let other files be followed: without --no-follow, and with the document's path instead of -"
    else:
        message = f"idempact inserted something into {name}, which can't be read now"
        hint = "put the file back and run again; if it is gone for good, take out what refers to it"
    span = api.main.document.span(key.start, key.end)
    return Diagnostic("openapi/lost-file", Severity.WARNING, message, span, subject=name, hint=hint)


def _gone(api: Api, owned: record.Record, name: str, at: str, told: str) -> Diagnostic:
    key = owned.entry.key
    return Diagnostic(
        "openapi/lost-parameter",
        Severity.NOTE,
        f"idempact wrote into the parameter {told or at}, which is gone: what is left of it is its author's",
        api.main.document.span(key.start, key.end),
        subject=(name and name + "#") + at,
        hint="look at its required, description and schema if it is elsewhere now",
    )
