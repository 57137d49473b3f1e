"""``idempact build``: all artifacts of a contract, into one folder."""

from __future__ import annotations

import argparse
import os
from datetime import UTC, date, datetime
from pathlib import Path

from idempact.cli.terminal import DONE, FOUND, Terminal, WrongUse, read_input
from idempact.pages.flavor import Flavor
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.diagnostic import Checked, Diagnostic, Severity

if TYPE_CHECKING:
    from idempact.build import Built
    from idempact.contract.read import Read
    from idempact.openapi.offer import ApiFile
    from idempact.parts.versions import Version

HELP = "make every page, loop and download from the contract"
_SITE, _TEMPLATES = "site_src/integrator", "site_src/templates"
EXAMPLE = "idempact build contract/contract.yaml --out build/docs"


def arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("contract", nargs="?", default="contract/contract.yaml", metavar="CONTRACT")
    parser.add_argument("--out", metavar="DIR", help="the output folder (default: build/docs; build/gfm for gfm)")
    parser.add_argument(
        "--flavor",
        choices=[flavor.value for flavor in Flavor],
        default=Flavor.MATERIAL.value,
        help="pages for MkDocs with Material, or plain Markdown for GitHub and Docusaurus (default: %(default)s)",
    )
    parser.add_argument("--site", metavar="DIR", help=f"your own pages and files (default: {_SITE}, if there)")
    parser.add_argument(
        "--templates",
        action="append",
        default=[],
        metavar="DIR",
        help=f"your templates and words, before ours (default: {_TEMPLATES}, if there)",
    )
    parser.add_argument("--into", metavar="FILE", help="the mkdocs.yml of a site that you have, DIR being in its pages")
    parser.add_argument(
        "--openapi", metavar="FILE", help="your OpenAPI file, for which the site then offers an overlay"
    )
    parser.add_argument(
        "--versions", metavar="DIR", help="earlier contracts, as 2026-11-01.yaml (default: versions beside CONTRACT)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something would change")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Check the contract, make its artifacts, and write what has changed."""
    from jinja2 import TemplateError

    from idempact.build import build
    from idempact.render.tree import plan

    flavor = _settled(args)
    documents: dict[str, str] = {}
    contract = _contract(args.contract, documents, datetime.now(UTC).date())
    if contract.value is None or contract.broken:
        return terminal.report(contract.diagnostics, documents)
    api = _api_file(args.openapi, documents) if args.openapi else None
    if api is not None and api.value is None:
        return terminal.report(api.diagnostics, documents)
    versions = _versions(args, documents)
    if versions.value is None:
        return terminal.report(versions.diagnostics, documents)
    try:
        built = build(
            contract.value,
            contract_name=Path(next(iter(documents))).name,
            site_sources=Path(args.site) if args.site else None,
            templates_dirs=tuple(Path(folder) for folder in args.templates),
            flavor=flavor,
            openapi=api.value if api else None,
            versions=versions.value,
        )
    except (TemplateError, LookupError, UnicodeDecodeError) as error:
        where = f"{getattr(error, 'name', None) or 'a template'}:{getattr(error, 'lineno', None) or '?'}"
        return terminal.fail(f"{where}: {error}", "compare with the shipped template of that name")
    lacking = _lacking(args, built.value, documents) if args.into and built.value else ()
    code = terminal.report((*contract.diagnostics, *built.diagnostics, *lacking), documents)
    if built.value is None or any(found.severity is Severity.ERROR for found in lacking):
        return code
    out = Path(args.out)
    planned = plan(out, built.value.artifacts)
    if planned.refusals:
        return terminal.report(planned.refusals, documents)
    return _finish(args, terminal, planned, built.value) or code


def _settled(args: argparse.Namespace) -> Flavor:
    """The flavor, and the folders of *args* with what holds where none is named. Raises WrongUse for what can't be."""
    flavor = Flavor(args.flavor)
    args.site = args.site or (_SITE if Path(_SITE).is_dir() else None)
    args.templates = args.templates or ([_TEMPLATES] if Path(_TEMPLATES).is_dir() else [])
    for folder in (*args.templates, *([args.site] if args.site else [])):
        if not Path(folder).is_dir():
            raise WrongUse(f"{folder} is no folder")
    if args.into and (flavor is not Flavor.MATERIAL or not args.out):
        raise WrongUse("--into needs --out, and pages for Material", "name a folder of that site's pages by --out")
    args.out = args.out or ("build/docs" if flavor is Flavor.MATERIAL else f"build/{flavor}")
    return flavor


def _versions(args: argparse.Namespace, documents: dict[str, str]) -> Checked[tuple[Version, ...]]:
    """The earlier contracts, newest first, each judged as of its own day; none where one has errors.

    Raises WrongUse for a folder that isn't there and for a file whose name is no date.
    """
    from idempact.parts.versions import Version

    folder = Path(args.versions) if args.versions else Path(args.contract).parent / "versions"
    if args.versions and not folder.is_dir():
        raise WrongUse(f"{folder} is no folder")
    found = []
    beside = args.versions or args.contract != "-"
    for path in sorted(folder.glob("*.y*ml"), reverse=True) if beside else ():
        try:
            day = date.fromisoformat(path.stem)
        except ValueError:
            raise WrongUse(
                f"{path}: its name is no date", "name it after a day on which it held: 2026-11-01.yaml"
            ) from None
        read = _contract(str(path), documents, day)
        if read.value is None or read.broken:
            return Checked(None, tuple(one for one in read.diagnostics if one.severity is Severity.ERROR))
        found.append(Version(day.isoformat(), read.value, path.name))
    return Checked(tuple(found))


def _contract(name: str, documents: dict[str, str], day: date) -> Checked[Read]:
    """The contract of that name as of *day*, noting its text in *documents*. Raises WrongUse where it can't be read."""
    from idempact.contract.check import checked
    from idempact.text.nodes import compose, decode

    shown, data = read_input(name)
    documents[shown] = data.decode("utf-8", "replace")
    document = decode(shown, data)
    tree = compose(document.value) if document.value is not None else Checked(None, document.diagnostics)
    return checked(tree.value, day) if tree.value is not None else Checked(None, tree.diagnostics)


def _api_file(name: str, documents: dict[str, str]) -> Checked[ApiFile]:
    """The OpenAPI file of that name, noting its text in *documents*. Raises WrongUse where it can't be read."""
    from idempact.cli.inject import opener_of
    from idempact.openapi.offer import ApiFile
    from idempact.text.nodes import decode

    shown, data = read_input(name)
    document = decode(shown, data)
    if document.value is None:
        return Checked(None, document.diagnostics)
    documents[shown] = document.value.text
    return Checked(ApiFile(document.value, data, opener_of(name, documents)))


def _lacking(args: argparse.Namespace, built: Built, documents: dict[str, str]) -> tuple[Diagnostic, ...]:
    """What the site at --into lacks for the pages. Raises WrongUse where --out is no folder of its pages."""
    from idempact.parts.existing import docs_folder, lacking, settings

    read_input(args.into)
    found = settings(Path(args.into))
    if found.value is None:
        return found.diagnostics
    documents.update({tree.document.path: tree.document.text for tree in found.value})
    docs = docs_folder(found.value).resolve()
    out = Path(args.out).resolve()
    if out == docs or not out.is_relative_to(docs):
        raise WrongUse(
            f"{args.out} is no folder below {docs}", f"that is where {args.into} has its pages: choose one there"
        )
    nav = tuple(entry for edition in built.editions for entry in edition.site.nav)
    scripts = any(edition.locale != "en" for edition in built.editions)
    return tuple(lacking(found.value, out.relative_to(docs).as_posix(), built.title, nav, scripts=scripts))


def _finish(args: argparse.Namespace, terminal: Terminal, planned: object, built: object) -> int:
    from idempact.build import MADE, NAVIGATION, Built, navigation
    from idempact.render.replace import replace_file
    from idempact.render.tree import Plan, write

    assert isinstance(planned, Plan)
    assert isinstance(built, Built)
    out = planned.folder
    settings = Path(NAVIGATION)
    inherit = os.path.relpath(settings, out.parent) if settings.is_file() else None
    nav = navigation(built, inherit, out.name)
    nav_path = out.parent / NAVIGATION
    own = args.flavor == Flavor.MATERIAL and not args.into and nav_path.resolve() != settings.resolve()
    if own and nav_path.is_file() and not nav_path.read_text(encoding="utf-8", errors="replace").startswith(MADE):
        return terminal.fail(f"{nav_path} is not ours to replace", "build into another folder, or --into that site")
    if args.check:
        differences = [f"{d.kind}: {d.path}" for d in planned.differences]
        if own and (not nav_path.is_file() or nav_path.read_text(encoding="utf-8") != nav):
            differences.append(f"changed: ../{NAVIGATION}")
        if not differences:
            return DONE
        terminal.out("\n".join(differences))
        terminal.say(f"{len(differences)} files differ; to write them: idempact build {args.contract} --out {args.out}")
        return FOUND
    write(planned)
    if own:
        replace_file(nav_path, nav.encode())
    changed = len(planned.differences)
    terminal.say(f"{out}: {len(planned.artifacts)} files, {changed} changed")
    return DONE
