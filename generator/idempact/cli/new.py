"""``idempact new``: a starter folder."""

from __future__ import annotations

import argparse
import re
from pathlib import Path

from idempact.cli.terminal import DONE, Terminal

HELP = "start a project: a contract, mkdocs.yml, a Makefile, and a place for your own pages"
EXAMPLE = "idempact new my-api --minimal"

_WORKFLOW = ".github/workflows/pages.yml"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("dir", nargs="?", default=".", metavar="DIR")
    parser.add_argument("--minimal", action="store_true", help="the minimal contract instead of the full example")
    parser.add_argument("--github", action="store_true", help=f"{_WORKFLOW}, too, which publishes on GitHub Pages")
    parser.add_argument("--force", action="store_true", help="overwrite files that are there")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Copy the starter; never over a file that is there, unless forced."""
    from idempact.render.replace import replace_file
    from idempact.resources import shipped, shipped_file

    target = Path(args.dir)
    contract = "minimal.yaml" if args.minimal else "contract.yaml"
    sources = {target / "contract" / "contract.yaml": shipped("contract") / contract}
    sources[target / "contract" / "contract.schema.json"] = shipped("contract") / "contract.schema.json"
    sources[target / "mkdocs.yml"] = shipped_file("mkdocs.yml")
    starter = shipped("site_src") / "starter"
    for path in sorted(p for p in starter.rglob("*") if p.is_file()):
        # A name that begins with a dot would be left out of some archives, so it is shipped as dot-….
        parts = [re.sub("^dot-", ".", part) for part in path.relative_to(starter).parts]
        if args.github or "/".join(parts) != _WORKFLOW:
            sources[target.joinpath(*parts)] = path
    taken = [path for path in sources if path.exists()]
    if taken and not args.force:
        return terminal.fail(f"{taken[0]} is there already", "choose an empty folder, or overwrite with --force")
    for path, source in sources.items():
        replace_file(path, source.read_bytes())
    terminal.say(f"{target}: {len(sources)} files. Edit contract/contract.yaml, then run: idempact build")
    return DONE
