"""A contract, checked: read from its nodes, with what is wrong in single fields and what is wrong between them."""

from __future__ import annotations

from datetime import date

from idempact.contract.read import Read, read
from idempact.contract.rules import check
from idempact.text.diagnostic import Checked, in_order
from idempact.text.nodes import Tree


def checked(tree: Tree, today: date | None = None) -> Checked[Read]:
    """The contract that the nodes hold, and every finding in order of place.

    The value is there with errors, too (``broken`` tells), so that findings can be told with it. *today* decides which
    of the announced changes are in force; without it a change that contradicts its field may pass.
    """
    found = read(tree)
    if found.value is None:
        return found
    return Checked(found.value, in_order((*found.diagnostics, *check(found.value, today, found.diagnostics))))
