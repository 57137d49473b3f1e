"""``idempact manual``: this project's own manual, staged as Markdown."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from pathlib import Path

from idempact.cli.terminal import DONE, Terminal
from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from idempact.contract.read import Read
    from idempact.manual.consumer import Reading
    from idempact.manual.render import Command
    from idempact.manual.vendors import Vendor
    from idempact.text.diagnostic import Checked

HELP = "stage Idempact's own manual, from a checkout of its sources"
EXAMPLE = "idempact manual --out build/manual/docs"
_SETTINGS = "mkdocs.yml"
_API = "openapi/payments.yaml"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    parser.add_argument("--out", default="build/manual/docs", metavar="DIR", help="default: build/manual/docs")
    parser.add_argument("--site", default="site_src/project", metavar="DIR", help="default: site_src/project")
    parser.add_argument("--vendors", default="contract/vendors", metavar="DIR", help="default: contract/vendors")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Gather, render and write what has changed; beside the folder, the settings that MkDocs builds with."""
    import idempact
    from idempact.manual import architecture
    from idempact.manual.render import manual, render, settings
    from idempact.render.replace import replace_file
    from idempact.render.tree import plan, write
    from idempact.resources import shipped

    sources, pyproject, out = Path(args.site), Path("pyproject.toml"), Path(args.out)
    if not sources.is_dir() or not pyproject.is_file():
        return terminal.fail(f"{sources} or pyproject.toml isn't here", "run this in a checkout of Idempact")
    try:
        layers = architecture.layers(pyproject.read_text(encoding="utf-8"), Path(idempact.__file__).parent)
    except ValueError as error:
        return terminal.fail(str(error))
    contracts = _contracts(Path(args.vendors))
    if contracts.value is None:
        return terminal.report(contracts.diagnostics, {})
    example = idempact.load(shipped("contract") / "contract.yaml")
    if example.value is None:
        return terminal.report(example.diagnostics, {})
    try:
        read = _reading(sources / _API, example.value)
    except (ValueError, OSError) as error:
        return terminal.fail(f"the manual can't show an injection: {error}")
    known = tuple(_commands())
    data = manual(
        sources, example=example.value, contracts=contracts.value, layers=layers, commands=known, reading=read
    )
    artifacts = render(sources, data)
    planned = plan(out, artifacts)
    if planned.refusals:
        return terminal.report(planned.refusals, {})
    write(planned)
    inherit = Path(os.path.relpath(sources / _SETTINGS, out.parent)).as_posix()
    replace_file(out.parent / _SETTINGS, settings(artifacts, inherit, out.name).encode())
    terminal.say(f"{out}: {len(artifacts)} files, {len(planned.differences)} changed")
    return DONE


def _reading(path: Path, contract: Read) -> Reading:
    """What an injection of the example contract into the file *path* means for callers."""
    from idempact.cli.inject import words_of
    from idempact.facts.derive import Facts
    from idempact.manual.consumer import reading
    from idempact.openapi.extension import plan_of
    from idempact.text.span import Document

    document = Document(path.name, path.read_text(encoding="utf-8"))
    return reading(document, plan_of(Facts.of(contract.contract), contract.source, words_of(contract)))


def _contracts(folder: Path) -> Checked[tuple[Vendor, ...]]:
    """The vendors' contracts; nothing where one of them has errors, which are then told."""
    from idempact import load
    from idempact.manual.vendors import vendor
    from idempact.text.diagnostic import Checked, Severity

    found: list[Vendor] = []
    for path in sorted(folder.glob("*.yaml")):
        read = load(path)
        if read.value is None or read.broken:
            return Checked(None, tuple(d for d in read.diagnostics if d.severity is Severity.ERROR))
        found.append(vendor(path.stem, read.value.contract))
    return Checked(tuple(found))


def _commands() -> Iterator[Command]:
    from idempact.cli import commands
    from idempact.manual.render import Command

    for name, module in commands().items():
        yield Command(name, module.HELP, module.EXAMPLE)
