"""One request and one answer, as the sandbox's rules see them: no sockets, no clock."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from idempact.text.dataclass import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class Request:
    """A request; header names in lower case, in the order in which they came."""

    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path of the target, as it was sent."""
        return urlsplit(self.target).path

    @property
    def query(self) -> tuple[tuple[str, str], ...]:
        """The parameters of the query, in order, empty ones included."""
        return tuple(parse_qsl(urlsplit(self.target).query, keep_blank_values=True))

    def every(self, name: str) -> Iterator[str]:
        """Each value of a header."""
        return (value for key, value in self.headers if key == name.lower())

    def header(self, name: str) -> str | None:
        """The first value of a header."""
        return next(self.every(name), None)


@dataclass(frozen=True, slots=True)
class Response:
    """An answer. ``outcome`` is what the sandbox calls it: ``done``, ``replayed``, or the contract's own answer."""

    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    outcome: str = field(default="done")

    def called(self, outcome: str) -> Response:
        """The same answer under another outcome."""
        return replace(self, outcome=outcome)
