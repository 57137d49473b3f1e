"""The command line: one module per command, found by scanning; only here is anything printed or an exit code chosen."""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from idempact.cli.terminal import Terminal, WrongUse
from idempact.resources.modules import module_names
from idempact.resources.typed import NoReturn

INTERRUPTED = 130
"""The exit code after an interrupt, as shells write it: 128 and the signal's number."""
_YOUNG = 50_000
"""After how many new objects garbage is looked for: what is loaded at the start is none, and is a tenth of a check."""


def commands() -> dict[str, ModuleType]:
    """Every command module by its name, in order of name. Raises AssertionError for a module without the protocol."""
    found: dict[str, ModuleType] = {}
    for command in _names():
        module = importlib.import_module(f"{__name__}.{command}")
        missing = [name for name in ("HELP", "EXAMPLE", "arguments", "run") if not hasattr(module, name)]
        assert not missing, f"the command module {command} lacks {', '.join(missing)}"
        found[command] = module
    return found


def _names() -> tuple[str, ...]:
    return tuple(name for name in module_names(__path__) if name not in ("delivery", "terminal"))


def _parser(only: str | None) -> argparse.ArgumentParser:
    """The parser; where *only* is a command, of that one alone (start-up time)."""
    from idempact.text.present import formats

    parser = argparse.ArgumentParser(
        prog="idempact",
        formatter_class=_Help,
        description="One contract for idempotency keys and retries, compiled into docs, OpenAPI, loops and lint rules.",
        epilog="Exit codes: 0 no error, 1 errors or a difference under --check, 2 wrong use or our own fault.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands_of = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    modules = {only: importlib.import_module(f"{__name__}.{only}")} if only in _names() else {}
    if only != "--version":
        modules = modules or commands()
    for name, module in modules.items():
        child = commands_of.add_parser(
            name,
            formatter_class=_Help,
            help=module.HELP,
            description=module.HELP,
            epilog=f"Example: {module.EXAMPLE}",
        )
        module.arguments(child)
        child.add_argument("--format", choices=formats(), default="text", help="how findings are told (default: text)")
        child.add_argument("--strict", action="store_true", help="warnings count as errors")
        child.add_argument("--quiet", action="store_true", help="print findings only")
        child.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="default: auto")
    return parser


class _Help(argparse.HelpFormatter):
    """The usual help, which doesn't load ``shutil`` and what that loads to learn how wide the terminal is."""

    def __init__(self, prog: str, indent_increment: int = 2, max_help_position: int = 24, width: int | None = None):
        super().__init__(prog, indent_increment, max_help_position, width or _columns() - 2)


def _columns() -> int:
    """How wide the terminal is: COLUMNS where it is set, what the terminal says, or else 80."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told):
        return int(told)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class _Version(argparse.Action):
    """Look the version up only when it is asked for: the look-up costs more than the rest of the parser."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("idempact")
        except PackageNotFoundError:
            found = "(not installed)"
        parser.exit(message=f"{parser.prog} {found}\n")


def entry() -> NoReturn:
    """:func:`main` as a whole process, which leaves at once where nobody waits for Python's own end: taking apart what
    was read takes a tenth of the time. After an interrupt it ends by that signal, so that a shell's loop ends, too.
    """
    try:
        code = main()
    except KeyboardInterrupt:
        # A second one, while the first was told.
        code = INTERRUPTED
    if code == INTERRUPTED:
        import signal

        signal.signal(signal.SIGINT, signal.SIG_DFL)
        signal.raise_signal(signal.SIGINT)
    threads = sys.modules.get("threading")
    watched = sys.flags.interactive or sys.gettrace() is not None or sys.getprofile() is not None
    if watched or (threads is not None and threads.active_count() > 1):
        sys.exit(code)
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except (AttributeError, OSError, ValueError):
        # Closed, or nobody reads there any more: Python says so in its own way.
        sys.exit(code)
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; what went wrong inside ourselves is said in one line (exit code 2)."""
    try:
        return _run(argv)
    except KeyboardInterrupt:
        sys.stderr.write("idempact: interrupted\n")
        return INTERRUPTED


def _run(argv: Sequence[str] | None) -> int:
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])
    arguments = list(sys.argv[1:] if argv is None else argv)
    named = next(iter(arguments), None)
    try:
        args = _parser(named).parse_args(arguments)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 2
    terminal = Terminal.of(args)
    try:
        code: int = importlib.import_module(f"{__name__}.{args.command}").run(args, terminal)
        return code
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except WrongUse as error:
        return terminal.fail(error.message, error.hint)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return terminal.fail(f"{where}{error.strerror or error}", "check the path and its permissions, then run again")
    except Exception as error:
        if os.environ.get("IDEMPACT_DEBUG"):
            raise
        return terminal.fail(
            f"our own fault: {type(error).__name__}: {error}".splitlines()[0],
            "please report this; IDEMPACT_DEBUG=1 shows where it happened",
        )
