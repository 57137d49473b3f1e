"""The contract's own history as phrases: from when on a change is in force, and what changed."""

from __future__ import annotations

from idempact.contract.model.contract import Change
from idempact.contract.units import NotDocumented
from idempact.facts.messages import Message, message


def change_date(change: Change) -> Message:
    """From when on a change is in force."""
    if isinstance(change.date, NotDocumented):
        return message("changelog.undated")
    return message("changelog.from", date=change.date)


def change_values(change: Change) -> Message:
    """What changed."""
    if change.before is not None and change.after is not None:
        return message("changelog.from-to", at=change.at, before=str(change.before), after=str(change.after))
    if change.after is not None:
        return message("changelog.to", at=change.at, after=str(change.after))
    return message("changelog.at", at=change.at)
