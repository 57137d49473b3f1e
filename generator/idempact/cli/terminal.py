"""What a command may print with, and the exit code that follows from what it found."""

from __future__ import annotations

import argparse
import os
import stat
import sys
from collections.abc import Iterable, Mapping

from idempact.resources.typed import TYPE_CHECKING, TextIO
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity, in_order

if TYPE_CHECKING:
    from idempact.text.present import RuleText
    from idempact.text.span import Document

DONE, FOUND, WRONG_USE = 0, 1, 2


STDIN = "<stdin>"


class WrongUse(Exception):
    """The caller asked for something that can't be done as asked: a message, and what to do instead."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message, self.hint = message, hint


def read_input(name: str) -> tuple[str, bytes]:
    """What findings call the file *name* (``-`` is standard input), and its bytes.

    Raises WrongUse for what is missing, unreadable, a folder or a device.
    """
    if name == "-":
        if sys.stdin is None:
            raise WrongUse("standard input is closed", "name a file, or pipe one in")
        return STDIN, sys.stdin.buffer.read()
    try:
        mode = os.stat(name).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
            raise WrongUse(f"{name} is no file", "name a file that can be read")
        with open(name, "rb") as file:
            return name, file.read()
    except OSError as error:
        raise WrongUse(f"{name}: {error.strerror or error}", "name a file that can be read") from None


def read_document(name: str) -> Checked[Document]:
    """The file of that name, or standard input. Raises WrongUse where it can't be read."""
    from idempact.text.nodes import decode

    return decode(*read_input(name))


def apart(output: str | None, *inputs: str) -> None:
    """Raises WrongUse where *output* is one of the files that are read, by whatever name, and would be lost."""
    if output is None or output == "-":
        return
    from contextlib import suppress

    for name in inputs:
        with suppress(OSError):
            if os.path.samefile(output, name):
                raise WrongUse(f"{output} is read here, and would be overwritten", "write to another file")


@dataclass(frozen=True, slots=True)
class Terminal:
    """Standard output and error with the caller's wishes on format, colour and strictness."""

    stdout: TextIO
    stderr: TextIO
    format: str = "text"
    color: bool = False
    strict: bool = False
    quiet: bool = False

    @classmethod
    def of(cls, args: argparse.Namespace) -> Terminal:
        """The terminal for parsed common options; NO_COLOR (https://no-color.org) is respected."""
        color = args.color == "always" or (
            args.color == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR")
        )
        return cls(sys.stdout, sys.stderr, args.format, color, args.strict, args.quiet)

    @property
    def for_people(self) -> bool:
        """Whether findings are told as text, beside which other text may stand on the same stream."""
        return self.format == "text"

    def out(self, text: str) -> None:
        """Print the command's product on standard output, a line break added where it has none."""
        self.stdout.write(text if text.endswith("\n") or not text else text + "\n")

    def say(self, text: str) -> None:
        """Print a remark on standard error, unless the caller asked for quiet."""
        if not self.quiet:
            self.stderr.write(text.rstrip("\n") + "\n")

    def report(self, diagnostics: Iterable[Diagnostic], documents: Mapping[str, str], *, aside: bool = False) -> int:
        """Print the findings in order of place; the exit code that they mean.

        *documents* gives the text of each named file. With *aside* they go to standard error, where standard output
        carries a product.
        """
        found = in_order(diagnostics)
        # Of nothing, a format for people says nothing: what would say it isn't loaded.
        text = self._told(found, documents) if found or self.format not in ("text", "github") else ""
        if text:
            stream = self.stderr if aside else self.stdout
            stream.write(text if text.endswith("\n") else text + "\n")
        bad = {Severity.ERROR, Severity.WARNING} if self.strict else {Severity.ERROR}
        return FOUND if any(d.severity in bad for d in found) else DONE

    def _told(self, found: tuple[Diagnostic, ...], documents: Mapping[str, str]) -> str:
        from idempact.text.present import lists_rules, present

        return present(self.format, found, documents, self.color, _rules() if lists_rules(self.format) else None)

    def fail(self, message: str, hint: str = "") -> int:
        """Say that the command was used wrongly, or that we failed; always exit code 2."""
        self.stderr.write(f"idempact: {message}\n" + (f"  = help: {hint}\n" if hint else ""))
        return WRONG_USE


def _rules() -> dict[str, RuleText]:
    """What every rule says, by its id."""
    from idempact.manual.rules import all_rules
    from idempact.text.present import RuleText

    return {rule.id: RuleText(rule.title, rule.why, rule.instead) for rule in all_rules()}
