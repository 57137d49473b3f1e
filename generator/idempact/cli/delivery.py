"""What `inject` and `eject` do with a result: write it, print it, or tell how it differs from what is there."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator
from pathlib import Path

from idempact.cli.terminal import DONE, FOUND, Terminal, read_document
from idempact.resources.typed import TYPE_CHECKING
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.node import Mapping, Scalar, walk
from idempact.text.nodes import compose
from idempact.text.span import Document, Span

if TYPE_CHECKING:
    from idempact.openapi.injected import Injected
    from idempact.render.replace import NewFile


def again(args: argparse.Namespace) -> str:
    """The command that writes what was only compared, for a shell: the same one without `--check`."""
    words = ["idempact", args.command, args.openapi]
    for name, value in vars(args).items():
        if name in ("contract", "output") and value is not None:
            words += [f"--{name}", value]
        elif name == "extras" and value:
            words += ["--with", value]
        elif name in ("no_follow", "copy_shared", "adopt", "force") and value:
            words.append(f"--{name.replace('_', '-')}")
    return shlex.join(words)


def deliver(args: argparse.Namespace, terminal: Terminal, found: Checked[Injected], documents: dict[str, str]) -> int:
    """Report the findings, and write the result or show its difference, as the arguments want it."""
    result = found.value
    to_stdout = (args.output or args.openapi) == "-" and not (args.check or args.diff)
    writes = result is not None and not (to_stdout or args.check or args.diff)
    told = [*found.diagnostics]
    if result is not None:
        told += _linked(args, result) if writes else ()
        told += _moved(args, result) if args.output else ()
    compared = _compared(args, result) if result is not None and args.check else None
    if compared is not None and not terminal.for_people and compared[1].changed:
        told.append(_behind(args, *compared))
        documents = {**documents, compared[0]: compared[1].before}
    code = terminal.report(told, documents, aside=to_stdout or args.diff)
    if result is None:
        terminal.say(f"{args.openapi}: nothing was written; see the errors")
        return code
    if args.check or args.diff:
        target, result = compared or (args.openapi, result)
        shown = "".join(difference(target, result))
        # A document of findings is one for programs, and a difference after it would spoil it.
        terminal.out(shown) if args.diff or terminal.for_people else terminal.say(shown)
        if args.check and result.changed:
            terminal.say(f"{target} is not up to date; run: {again(args)}")
            return FOUND
        return code
    if args.output and any(other.changed for _, other in result.others):
        names = ", ".join(name for name, other in result.others if other.changed)
        return terminal.fail(f"--output writes one file, and these change, too: {names}", "bundle the API first")
    if to_stdout:
        terminal.stdout.write(result.after)
        return code
    return max(code, _write(args, terminal, result))


def _compared(args: argparse.Namespace, result: Injected) -> tuple[str, Injected]:
    """What `--check` compares: with `--output` what is kept there, not the file that it is made from."""
    if args.output and args.output != "-":
        return args.output, replace(result, before=_present(args.output))
    return args.openapi, result


def _behind(args: argparse.Namespace, target: str, result: Injected) -> Diagnostic:
    """The finding that a file is not up to date, at the first line that would change."""
    names = [(target, result), *((str(Path(target).parent / name), one) for name, one in result.others)]
    name, one = next((name, one) for name, one in names if one.before != one.after)
    before, after = one.before.splitlines(), one.after.splitlines()
    same = next((n for n, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(before))
    line = max(1, min(same + 1, len(before)))
    return Diagnostic(
        "openapi/not-current",
        Severity.ERROR,
        "what `inject` put into this file is in it still"
        if args.command == "eject"
        else "this file is not what the contract makes of it",
        Span(name, line, 1, line, len(before[line - 1]) + 1 if before else 1),
        hint=f"run: {again(args)}",
    )


def _moved(args: argparse.Namespace, result: Injected) -> Iterator[Diagnostic]:
    """A warning where the result is written into another folder than its relative references are meant from."""
    if args.output == "-" or Path(args.output).resolve().parent == Path(args.openapi).resolve().parent:
        return
    document = Document(args.output, result.after)
    tree = compose(document).value
    found = [one for node in walk(tree.root if tree else None) if isinstance(node, Mapping) if (one := _relative(node))]
    if found:
        yield Diagnostic(
            "openapi/moved-reference",
            Severity.WARNING,
            f"references are relative to the folder of {args.openapi} and lead elsewhere from here "
            f"({len(found)} of them, the first to {found[0].value!r})",
            document.span(found[0].start, found[0].end),
            hint="write the result into the folder that it was read from, or bundle the API first",
        )


def _relative(node: Mapping) -> Scalar | None:
    reference = node.get("$ref")
    if not isinstance(reference, Scalar) or reference.value.startswith(("#", "/")) or ":" in reference.value:
        return None
    return reference


def _linked(args: argparse.Namespace, result: Injected) -> Iterator[Diagnostic]:
    """A warning for each file that will be written under one of its names only."""
    for path in _targets(args, result):
        names = path.stat().st_nlink if path.is_file() else 1
        if names > 1:
            others = "1 other name" if names == 2 else f"{names - 1} other names"
            yield Diagnostic(
                "openapi/hard-link",
                Severity.WARNING,
                f"{others} of this file (hard links) will keep the old text",
                Span(str(path), 1, 1, 1, 1),
                hint="link them to the file again, or make them symbolic links, which are kept",
            )


def _present(name: str) -> str:
    """The text of a file; none where there is no such file yet. Raises WrongUse where it can't be read."""
    found = read_document(name) if Path(name).exists() else None
    return found.value.text if found is not None and found.value is not None else ""


def _write(args: argparse.Namespace, terminal: Terminal, result: Injected) -> int:
    from idempact.render.replace import replace_files

    target = args.output or args.openapi
    files, still = list(_files(args, result)), list(_still(args, result))
    if args.command == "eject":
        # The root document names what is ours in the others, so it goes first into them and last out of them.
        files.reverse()
    try:
        replace_files(files, still if files else ())
    except OSError as error:
        # A file is renamed to its name at the end: that name is the one to tell, not that of the file beside it.
        name = error.filename2 or error.filename or target
        return terminal.fail(f"{name}: {error.strerror or error}", "check the path and its permissions, then run again")
    count = result.all_owned
    what = [f"{count} nodes in it are ours" if count else "nothing in it is ours"]
    what += [f"{count} {safety}" for safety, count in result.counts]
    terminal.say(f"{target}: {_grown(result) if files else 'unchanged'}; {', '.join(what)}")
    for name, other in result.others:
        if other.changed:
            terminal.say(f"{Path(args.openapi).parent / name}: {_grown(other)}")
    return DONE


def _grown(result: Injected) -> str:
    more = _bytes(result.after) - _bytes(result.before)
    return f"written, {abs(more):,} bytes {'more' if more >= 0 else 'less'}"


def _bytes(text: str) -> int:
    """The length of a text in UTF-8; a copy of a large file's is made only where it has other characters than ASCII."""
    return len(text) if text.isascii() else len(text.encode())


def _still(args: argparse.Namespace, result: Injected) -> Iterator[tuple[Path, str]]:
    """What was read and stays: where another run has written it meanwhile, the result fits together no more."""
    if not args.output:
        documents = ((Path(args.openapi), result), *((Path(args.openapi).parent / n, one) for n, one in result.others))
        yield from ((path, one.before) for path, one in documents if one.before == one.after)


def _targets(args: argparse.Namespace, result: Injected) -> dict[Path, Injected]:
    """What is written, by its file."""
    targets = {Path(args.output or args.openapi): result} if args.output or result.before != result.after else {}
    folder = Path(args.openapi).parent
    return targets | {folder / name: other for name, other in result.others if other.changed}


def _files(args: argparse.Namespace, result: Injected) -> Iterator[NewFile]:
    from idempact.render.replace import NewFile

    for path, one in _targets(args, result).items():
        # What --output names was not read, so nothing of it has to be as it was.
        unread = args.output and one is result
        yield NewFile(path, one.after, None if unread else one.before)


def difference(name: str, result: Injected) -> Iterator[str]:
    """The unified differences of all files, with the usual remark where a last line has no line break."""
    import difflib

    before, after = (text.splitlines(keepends=True) for text in (result.before, result.after))
    for line in difflib.unified_diff(before, after, f"a/{name}", f"b/{name}"):
        yield line if line.endswith("\n") else line + "\n\\ No newline at end of file\n"
    for other, one in result.others:
        yield from difference(str(Path(name).parent / other), one)
