"""``idempact new``: a starter folder."""

from __future__ import annotations

import argparse
from pathlib import Path

from idempact.cli.terminal import DONE, Terminal

HELP = "start a project: a contract, the site's sources, mkdocs.yml and a Makefile"
EXAMPLE = "idempact new my-api --minimal"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("dir", nargs="?", default=".", metavar="DIR")
    parser.add_argument("--minimal", action="store_true", help="the minimal contract instead of the full example")
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
    for name in ("integrator", "starter"):
        folder = shipped("site_src") / name
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            inside = path.relative_to(folder)
            # A name that begins with a dot would be left out of some archives, so it is shipped as dot-….
            inside = inside.with_name(inside.name.replace("dot-", ".", 1)) if inside.name.startswith("dot-") else inside
            sources[target / (inside if name == "starter" else Path("site_src") / name / inside)] = path
    taken = [path for path in sources if path.exists()]
    if taken and not args.force:
        return terminal.fail(f"{taken[0]} is there already", "choose an empty folder, or overwrite with --force")
    for path, source in sources.items():
        replace_file(path, source.read_bytes())
    terminal.say(f"{target}: {len(sources)} files. Edit contract/contract.yaml, then run: idempact build")
    return DONE
