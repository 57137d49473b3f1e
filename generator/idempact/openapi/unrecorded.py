"""What looks like ours in an API's files and stands in no record: somebody copied it, or the record was lost."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Lookup

from idempact.openapi.locate import Api, Operation
from idempact.openapi.plan import EXTENSION
from idempact.openapi.pointers import pointer
from idempact.text.diagnostic import Diagnostic, Related, Severity
from idempact.text.nodes import Entry, Mapping

_SHOWN = 3


def unrecorded(api: Api, recorded: Lookup[str, frozenset[str]] | None) -> tuple[Diagnostic, ...]:
    """One finding for the extensions of operations that stay when what is *recorded*, by file and pointer, is taken
    out: a warning where there is no record at all.
    """
    found = list(_left(api, recorded or {}))
    if not found:
        return ()
    operation, entry = found[0]
    labels = ", ".join(one.label for one, _ in found[:_SHOWN])
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    record = (
        "no record of what idempact inserted is in this file" if recorded is None else "this file's record lacks it"
    )
    lost = "restore the root extension from version control and run again, or remove it by hand"
    hint = lost if recorded is None else "remove it by hand if it is not wanted any more"
    places = [one.file.document.span(at.key.start, at.key.end) for one, at in found]
    return (
        Diagnostic(
            "openapi/unrecorded",
            Severity.WARNING if recorded is None else Severity.NOTE,
            f"{entry.key.value} stands at {labels}{more}, and {record}: it stays, with what it came with",
            places[0],
            subject=operation.label,
            hint=hint,
            related=tuple(
                Related(f"{at.key.value} of {one.label}", place)
                for (one, at), place in zip(found[1:_SHOWN], places[1:], strict=False)
            ),
        ),
    )


def _left(api: Api, recorded: Lookup[str, frozenset[str]]) -> Iterator[tuple[Operation, Entry]]:
    """The extensions that have the form of ours and are not recorded, by operation."""
    for operation in api.operations:
        known = recorded.get(operation.file.name, frozenset())
        for entry in operation.node.entries:
            name = entry.key.value
            ours = name.startswith(EXTENSION) and isinstance(entry.value, Mapping) and entry.value.get("safety")
            if ours and pointer((*operation.path, name)) not in known:
                yield operation, entry
