"""What is read of a document beside what every run reads, and what of that is looked at for its style."""

from __future__ import annotations

from collections.abc import Iterable

from idempact.openapi.locate import keep, keep_all, keep_bodies, keep_named
from idempact.openapi.members import may_hold
from idempact.openapi.parameter_lists import lists_parameters
from idempact.openapi.plan import Plan, Wishes
from idempact.openapi.pointers import Path
from idempact.text.nodes import Keep


def keep_for(text: str, plan: Plan, wishes: Wishes, *, followed: bool, mentioned: bool | None = None) -> Keep:
    """What has to be read of the document *text* to weave *plan* into it, other files *followed* or not; *mentioned* is
    what :func:`idempact.openapi.members.mentions` says, where that is known.
    """
    if wishes.adopt:
        return keep_all
    bodies = wishes.copy_shared or plan.bodies
    return keep_bodies if bodies or may_hold(text, plan.names, followed=followed, mentioned=mentioned) else keep


def keep_shown(path: tuple[str, ...]) -> bool:
    """The same as :func:`keep` without single parameters: what shows the style of a long file."""
    return keep(path) and not (path[-1].isdecimal() and lists_parameters(path[:-1]))


def keep_named_bodies(path: tuple[str, ...]) -> bool:
    """The same as :func:`keep_named`, and request bodies and schemas."""
    return keep_named(path) or keep_bodies(path)


def keep_also(wanted: Keep | None, places: Iterable[Path]) -> Keep | None:
    """The same as *wanted*, and what stands at *places*, whatever their path template is."""
    if wanted is None:
        return None
    base = wanted
    known = {_any_template(place) for place in places}
    ways = {place[:end] for place in known for end in range(1, len(place) + 1)}

    def wider(path: tuple[str, ...]) -> bool:
        if base(path):
            return True
        path = _any_template(path)
        return path in ways or any(path[:end] in known for end in range(1, len(path)))

    return wider


def _any_template(path: Path) -> Path:
    return (path[0], "*", *path[2:]) if path[0] == "paths" and len(path) > 1 else path
