"""A path that holds something of ours is a reference now: what was put into it went elsewhere with it.

Why: the record names places, and what stood there before; without it nobody knows what is ours at the new place.
Instead: undo the move, run `idempact eject`, move the path, and run again. With --force, it is its author's.
Source: the ownership record.
"""

from __future__ import annotations

from idempact.text.diagnostic import Severity

RULE = "openapi/moved-path"
SEVERITY = Severity.ERROR
