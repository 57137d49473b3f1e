"""Idempact: one contract for idempotency keys and retries, compiled into docs, OpenAPI, retry loops and lint rules."""

from __future__ import annotations

from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import date
    from pathlib import Path

    from idempact.contract.read import Read
    from idempact.text.diagnostic import Checked

__all__ = ["load"]


def load(path: Path, today: date | None = None) -> Checked[Read]:
    """The contract in the file at *path*, and everything that is wrong with it, in order of place.

    With errors the value is there as far as it could be read (``broken`` tells); there is none where the file can't
    be read as a contract at all. *today* decides which of the announced changes are in force.
    """
    from idempact.contract.check import checked
    from idempact.text.diagnostic import Checked
    from idempact.text.nodes import load as load_nodes

    tree = load_nodes(path)
    if tree.value is None:
        return Checked(None, tree.diagnostics)
    found = checked(tree.value, today)
    return Checked(found.value, (*tree.diagnostics, *found.diagnostics))
