"""What the sandbox saw: one entry for each request to the API, the newest last; credentials aren't kept."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict
from datetime import UTC, datetime

from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain

MOST = 1000
_SHOWN_BODY = 2000


@dataclass(frozen=True, slots=True)
class Entry:
    """One request: when it came (by the sandbox's clock), what it carried, and what it got.

    ``status`` is None where the connection ended without an answer; ``fault`` says what was done on request.
    """

    number: int
    at: str
    method: str
    target: str
    operation: str | None
    key: str | None
    body: str
    outcome: str
    status: int | None
    effects: int
    fault: str = ""


class Journal:
    """The last entries; older ones are forgotten, their number stays."""

    def __init__(self) -> None:
        self._entries: deque[Entry] = deque(maxlen=MOST)
        self._count = 0

    def clear(self) -> None:
        """Forgets all entries."""
        self._entries.clear()
        self._count = 0

    def number(self) -> int:
        """The number of the request that has just come, counted from 1."""
        self._count += 1
        return self._count

    def add(self, entry: Entry) -> None:
        """Keeps an entry."""
        self._entries.append(entry)

    def entries(self) -> tuple[Entry, ...]:
        """All that are kept, by number."""
        return tuple(sorted(self._entries, key=lambda entry: entry.number))

    def plain(self) -> list[Plain]:
        """The entries as plain data."""
        return [asdict(entry) for entry in self.entries()]


def instant(ms: int) -> str:
    """A time as RFC 3339 writes it."""
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown(body: bytes) -> str:
    """A body as a person can read it, cut where it is long."""
    text = body[:_SHOWN_BODY].decode("utf-8", "replace")
    return f"{text} … ({len(body)} bytes)" if len(body) > _SHOWN_BODY else text
