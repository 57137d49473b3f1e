"""How long it takes to build every artifact of a contract: against the ``mkdocs build`` that follows.

Run by ``make bench``; prints one row per measure and exits 1 where the budget is missed.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from measures import ROOT, Rows, in_turn

_MOST = 0.5
_ROUNDS = 4


def main() -> int:
    """Measure, print, and compare with the budget."""
    rows = Rows()
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "docs"
        contract = ROOT / "contract" / "contract.yaml"
        ours, theirs = in_turn(
            [sys.executable, "-m", "idempact", "build", str(contract), "--out", str(out), "--quiet"],
            [sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", str(out.parent / "mkdocs.yml")],
            _ROUNDS,
        )
        files = sum(path.is_file() for path in out.rglob("*"))
    rows.tell("build of a contract", f"{files} files   {ours[0]:.3f} s wall   {ours[1]:.3f} s processor")
    rows.tell("mkdocs build", f"{theirs[0]:.3f} s wall   {theirs[1]:.3f} s processor")
    rows.budget("processor / mkdocs build", ours[1] / theirs[1], _MOST)
    return 1 if rows.missed else 0


if __name__ == "__main__":
    sys.exit(main())
