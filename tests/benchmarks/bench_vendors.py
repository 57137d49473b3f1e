"""Every vendor's site, from the contract to HTML: that each builds without a warning, and how long it takes.

Run by ``make bench``; prints one row per site and exits 1 where one doesn't build, where its pages overclaim, or where
building all of them takes more than its budget: a share of what MkDocs takes for the same sites, in processor time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from measures import ROOT, Rows

_MOST = 0.5
_TIMED = """
import json, resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, text=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps([done.returncode, done.stdout + done.stderr, used.ru_utime + used.ru_stime]))
"""


def main() -> int:
    """Build each, print, and compare with the budget."""
    rows = Rows()
    os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")
    ours = theirs = 0.0
    contracts = sorted((ROOT / "contract" / "vendors").glob("*.yaml"))
    for contract in contracts:
        with tempfile.TemporaryDirectory() as name:
            out = Path(name) / "docs"
            mine, failed = _timed("idempact", "build", str(contract), "--out", str(out))
            _, overclaimed = _timed("idempact", "lint", "--strict", str(out))
            settings = str(out.parent / "mkdocs.yml")
            built, unbuilt = _timed("mkdocs", "build", "--strict", "--quiet", "--config-file", settings)
            pages = len(list((out.parent / "site").rglob("index.html")))
        fault = failed or overclaimed or unbuilt
        rows.missed += bool(fault) or not pages
        rows.tell(contract.stem, fault or f"{pages:3} pages   {mine:.2f} s   mkdocs {built:.2f} s processor")
        ours, theirs = ours + mine, theirs + built
    rows.tell("sites", f"{len(contracts)}   {ours:.1f} s   mkdocs {theirs:.1f} s processor")
    rows.budget("processor / mkdocs build, all", ours / theirs, _MOST)
    return 1 if rows.missed or not contracts else 0


def _timed(*words: str) -> tuple[float, str]:
    """The processor time of a command, and what it said if it failed."""
    command = [sys.executable, "-c", _TIMED, sys.executable, "-m", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    code, said, used = json.loads(done.stdout)
    return used, said if code else ""


if __name__ == "__main__":
    sys.exit(main())
