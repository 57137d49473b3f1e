"""``idempact inject``: the contract into an OpenAPI file, without touching a byte of what is there."""

from __future__ import annotations

import argparse
import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from idempact.cli.terminal import Terminal, WrongUse, apart, read_document
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.diagnostic import Checked, Diagnostic
from idempact.text.nodes import Mapping, compose, decode, unreadable
from idempact.text.span import Document

if TYPE_CHECKING:
    from pathlib import Path

    from idempact.contract.read import Read
    from idempact.facts.derive import Facts
    from idempact.openapi.ahead import Ahead
    from idempact.openapi.injected import Injected
    from idempact.openapi.locate import Opener
    from idempact.openapi.plan import Plan, Wishes
    from idempact.render.words import Words

CONTRACT = "contract/contract.yaml"
HELP = "put the contract's keys, answers and facts into an OpenAPI file; only inserted bytes differ"
EXAMPLE = "idempact inject openapi.yaml --contract contract/contract.yaml"


def arguments(parser: argparse.ArgumentParser) -> None:
    """See the command protocol in :mod:`idempact.cli`."""
    from idempact.openapi.vendors import NAMES

    parser.add_argument("openapi", metavar="OPENAPI", help="the file, YAML or JSON; - reads standard input")
    contract_argument(parser)
    writing_arguments(parser)
    parser.add_argument(
        "--with",
        dest="extras",
        metavar="NAMES",
        default="",
        help=f"write other tools' extensions, too: {', '.join(NAMES)}, separated by commas",
    )
    parser.add_argument("--copy-shared", action="store_true", help="copy shared responses and schemas that must change")
    parser.add_argument("--adopt", action="store_true", help="bring declarations that are there into line")
    parser.add_argument(
        "--validate",
        choices=("quick", "full", "off"),
        default="quick",
        help="check what was inserted (quick), or all with openapi-spec-validator (full)",
    )


def contract_argument(parser: argparse.ArgumentParser) -> None:
    """The contract, which `inject`, `audit` and `overlay` read."""
    parser.add_argument(
        "--contract",
        metavar="FILE",
        default=CONTRACT,
        help="%(default)s by default; - reads standard input",
    )
    parser.add_argument("--no-follow", action="store_true", help="don't open the files that the document refers to")


def one_input(args: argparse.Namespace) -> str:
    """The name of the contract. Raises WrongUse where it and the OpenAPI file are both on standard input."""
    if args.contract == args.openapi == "-":
        raise WrongUse("standard input holds one file, not both the contract and the API", "name one of them")
    return str(args.contract)


def writing_arguments(parser: argparse.ArgumentParser) -> None:
    """What `inject` and `eject` have in common."""
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 with the difference if any")
    parser.add_argument("--diff", action="store_true", help="write nothing; show the difference")
    parser.add_argument("--output", metavar="FILE", help="write to this file instead; - writes to standard output")
    parser.add_argument("--force", action="store_true", help="replace what was inserted even where somebody edited it")


def run(args: argparse.Namespace, terminal: Terminal) -> int:
    """Inject, prove, validate, write."""
    from idempact.openapi.ahead import Ahead
    from idempact.openapi.vendors import NAMES

    extras = tuple(name.strip() for name in args.extras.split(",") if name.strip())
    if unknown := [name for name in extras if name not in NAMES]:
        return terminal.fail(f"--with knows no {unknown[0]!r}", f"it is one of {', '.join(NAMES)}")
    contract = one_input(args)
    apart(args.output, contract)
    document = read_document(args.openapi)
    if document.value is None:
        return terminal.report(document.diagnostics, {})
    # A long file is looked over by another process while the contract is read.
    with without_collection(), Ahead(document.value) as ahead:
        documents = {document.value.path: document.value.text}
        plan = planned(contract, documents, extras)
        if plan.value is None:
            return terminal.report(plan.diagnostics, documents)
        return _run(args, terminal, ahead, plan, documents)


def _run(
    args: argparse.Namespace, terminal: Terminal, ahead: Ahead, plan: Checked[Plan], documents: dict[str, str]
) -> int:
    from idempact.cli.delivery import deliver
    from idempact.openapi.inject import inject
    from idempact.openapi.plan import Wishes

    document = ahead.document
    assert plan.value is not None, "without a plan nothing is run"
    wishes = Wishes(args.copy_shared, args.adopt, args.validate != "off")
    opener = None if args.no_follow else opener_of(args.openapi, documents)
    found = inject(document, plan.value, force=args.force, wishes=wishes, opener=opener, ahead=ahead)
    if found.value is not None and args.validate == "full":
        checked = _validated(document, found.value, opener)
        if checked is None:
            return terminal.fail(
                "--validate full needs openapi-spec-validator", "pip install 'idempact[validate]', or leave it at quick"
            )
        if checked:
            return terminal.report(checked, {document.path: found.value.after})
    code = deliver(args, terminal, Checked(found.value, (*plan.diagnostics, *found.diagnostics)), documents)
    if found.value is not None and found.value.changed and _drops(document, wishes):
        terminal.say(
            "this takes out what --copy-shared or --adopt did in an earlier run; name the flag again to keep it"
        )
    if found.value is not None and found.value.changed and "code-samples" in args.extras:
        terminal.say(
            "each keyed operation has whole loops in it now; where that is too much for the file, name fewer languages "
            "in the contract's publish.languages"
        )
    return code


def _drops(document: Document, wishes: Wishes) -> bool:
    """Whether an earlier run replaced something that this one was not asked to replace."""
    from idempact.openapi import record
    from idempact.openapi.locate import keep_record

    if wishes.copy_shared or wishes.adopt or record.OWNER not in document.text:
        return False
    tree = compose(document, keep_record).value
    owned = record.read(tree.root) if tree is not None and isinstance(tree.root, Mapping) else None
    return owned is not None and any(share.replaced for share in owned.shares.values())


@contextmanager
def without_collection() -> Iterator[None]:
    """Without garbage collection, which would scan the growing tree of a large file over and over."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            # What was read meanwhile would all be looked through at once, shortly before it is let go as a whole.
            gc.freeze()
            gc.enable()


def contract_of(name: str, documents: dict[str, str]) -> Checked[Read]:
    """The contract in the file *name*; none where it has errors. Its warnings are told by `check`."""
    from idempact.contract.check import checked

    if name == CONTRACT and not os.path.exists(name):
        hint = "name yours with --contract; `idempact new . --minimal` writes one to begin with"
        raise WrongUse(f"{name}: there is no contract here", hint)
    document = read_document(name)
    if document.value is None:
        return Checked(None, document.diagnostics)
    documents[document.value.path] = document.value.text
    tree = compose(document.value)
    if tree.value is None:
        return Checked(None, tree.diagnostics)
    contract = checked(tree.value, datetime.now(UTC).date())
    if contract.value is None or contract.broken:
        return Checked(None, contract.diagnostics)
    return Checked(contract.value)


def planned(name: str, documents: dict[str, str], extras: tuple[str, ...] = ()) -> Checked[Plan]:
    """The plan of the contract in the file *name*, with other tools' extensions as asked for."""
    from idempact.facts.derive import Facts
    from idempact.openapi.extension import plan_of
    from idempact.openapi.vendors import vendors

    contract = contract_of(name, documents)
    if contract.value is None:
        return Checked(None, contract.diagnostics)
    facts = Facts.of(contract.value.contract)
    samples = _samples(facts) if "code-samples" in extras else {}
    words = words_of(contract.value)
    return Checked(plan_of(facts, contract.value.source, words, vendors(facts, extras, samples)))


def words_of(contract: Read) -> Words:
    """The words of the contract's first locale. Raises WrongUse where there are none."""
    from idempact.render.environment import template_roots
    from idempact.render.words import UnknownWords, Words

    try:
        return Words.load(contract.contract.publish.locales[0], template_roots())
    except UnknownWords as error:
        raise WrongUse(str(error), "name a locale in publish.locales that has words, as en") from None


def _samples(facts: Facts) -> dict[str, tuple[tuple[str, str, str], ...]]:
    """Each keyed operation's loops, of each published language the first one: language, label and code."""
    from idempact.facts.loops import loop
    from idempact.snippets.render import render

    made: dict[str, tuple[tuple[str, str, str], ...]] = {}
    for operation in facts.operations:
        if operation.keyed:
            found = render(loop(facts.contract, operation.operation))
            first = {one.language: one for one in reversed(found.value or ())}
            asked = (first[name] for name in facts.contract.publish.languages if name in first)
            made[operation.name] = tuple((one.fence, one.title, one.code) for one in asked)
    return made


def opener_of(name: str, documents: dict[str, str]) -> Opener | None:
    """Opens the files that the document of that name refers to, noting their texts in *documents*."""
    if name == "-":
        return None
    from pathlib import Path

    folder = Path(name).parent
    known = {_identity(Path(name)): Path(name).name}

    def open_(reference: str) -> Checked[Document]:
        shown = str(folder / reference)
        try:
            # A pipe or a device might never end, and what is one file can't be edited as if it were two.
            if "\0" in shown or (Path(shown).exists() and not Path(shown).is_file()):
                raise OSError(f"{reference!r} names no file")
            first = known.setdefault(_identity(Path(shown)), reference)
            if first != reference:
                raise OSError(f"this is {first} by another name, and only one of the two can be followed")
            found = decode(shown, Path(shown).read_bytes())
        except OSError as error:
            return Checked(None, (unreadable(shown, error),))
        if found.value is not None:
            documents[shown] = found.value.text
        return found

    return open_


def _identity(path: Path) -> tuple[int, int]:
    """What a file is the same by, whatever its name: links, and letter case where that makes no difference."""
    found = path.stat()
    return found.st_dev, found.st_ino


def _validated(before: Document, result: Injected, opener: Opener | None) -> tuple[Diagnostic, ...] | None:
    from idempact.openapi.validate import ValidatorMissing, full

    others = {name: one.after for name, one in result.others}
    try:
        return full(before, Document(before.path, result.after), opener, others)
    except ValidatorMissing:
        return None
