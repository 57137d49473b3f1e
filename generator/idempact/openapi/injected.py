"""What an injection makes of an API's files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from idempact.openapi.locate import Api
from idempact.openapi.pointers import path_of
from idempact.openapi.record import Record
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Plain


@dataclass(frozen=True, slots=True)
class Injected:
    """A text before and after; the pointers that the tool owns in it, and how many characters of it are inserted.

    ``counts`` says how many state-changing operations of the API are of which safety, or unlisted; ``record`` is the
    root extension as it is written; ``others`` holds the other files that hold something of ours, by name.
    """

    before: str
    after: str
    owned: tuple[str, ...]
    inserted: int
    counts: tuple[tuple[str, int], ...] = ()
    record: Plain = None
    others: tuple[tuple[str, Injected], ...] = ()

    @property
    def changed(self) -> bool:
        """Whether any file becomes another one."""
        return self.before != self.after or any(other.changed for _, other in self.others)

    @property
    def all_owned(self) -> int:
        """How many nodes are ours, over all files."""
        return len(self.owned) + sum(len(other.owned) for _, other in self.others)


def still_used(
    result: Injected | None, owned: Record, beside: Callable[[], Iterable[str]] = tuple, *, anyhow: bool = False
) -> frozenset[str]:
    """The components that were ours, are gone from the result, and are referred to in it or in the texts *beside* it,
    which are asked for where some are gone; *anyhow*, all that are gone.
    """
    if result is None:
        return frozenset()
    gone = {at for at in owned.shares[""].inserted if at.startswith("/components/") and at not in result.owned}
    texts = [result.after, *(other.after for _, other in result.others), *(beside() if gone else ())]
    return frozenset(
        at
        for at in gone
        if len(path_of(at)) == 3
        and (anyhow or any(re.search(re.escape("#" + at) + r"(?![A-Za-z0-9._-])", text) for text in texts))
    )


def unchanged(api: Api, value: Injected) -> Injected:
    """The same, with every file as it is."""
    others: list[tuple[str, Injected]] = []
    for name, other in value.others:
        file = api.file(name)
        text = file.document.text if file is not None else other.before
        others.append((name, replace(other, before=text, after=text, inserted=0)))
    text = api.main.document.text
    return replace(value, before=text, after=text, inserted=0, others=tuple(others))
