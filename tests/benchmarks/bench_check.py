"""How long a contract's check takes, as a whole process: against a Python that imports PyYAML and does nothing.

Run by ``make bench``; prints one row per measure and exits 1 where the budget is missed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from measures import ROOT, Rows, in_turn

_MOST = 3.0
_LINES = 300
_ROUNDS = 15


def contract() -> str:
    """Our example, which shows every field, with more operations up to the number of lines."""
    lines = (ROOT / "contract" / "contract.yaml").read_text(encoding="utf-8").splitlines()
    there = next(index for index, line in enumerate(lines) if line.strip() == "POST /payments:")
    more = [f"  POST /more/{number}: keyed" for number in range(_LINES - len(lines))]
    return "\n".join([*lines[:there], *more, *lines[there:]]) + "\n"


def main() -> int:
    """Measure, print, and compare with the budget."""
    rows = Rows()
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "contract.yaml"
        path.write_text(contract(), encoding="utf-8")
        ours, theirs = in_turn(
            [str(Path(sys.executable).with_name("idempact")), "check", "--quiet", str(path)],
            [sys.executable, "-c", "import yaml"],
            _ROUNDS,
        )
    rows.tell("check of a contract", f"{_LINES} lines   {ours[0]:.3f} s wall   {ours[1]:.3f} s processor")
    rows.tell("python -c 'import yaml'", f"{theirs[0]:.3f} s wall   {theirs[1]:.3f} s processor")
    rows.tell("processor / import yaml", f"{ours[1] / theirs[1]:8.2f}")
    rows.budget("wall / import yaml", ours[0] / theirs[0], _MOST)
    return 1 if rows.missed else 0


if __name__ == "__main__":
    sys.exit(main())
