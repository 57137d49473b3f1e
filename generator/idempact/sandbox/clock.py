"""The sandbox's clock: it goes with the time that it is given, and jumps when it is told to."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

EPOCH_MS = 1_796_040_000_000
"""Where a clock without a source stands: 2026-11-30, 12:00 UTC."""

LATEST_MS = 221_845_392_000_000
"""As far as a clock jumps: 9000-01-01, 00:00 UTC. Dates have four digits of a year (RFC 3339, section 5.6), and from
here the time goes on for centuries before they run out.
"""


class Clock:
    """Milliseconds since 1970, in UTC. Without a source of time it stands still until it is moved."""

    def __init__(self, source: Callable[[], int] | None = None) -> None:
        self._source = source
        self._ahead = 0
        self._moved = asyncio.Event()

    def now(self) -> int:
        """The time."""
        return (self._source() if self._source is not None else EPOCH_MS) + self._ahead

    def advance(self, ms: int) -> None:
        """Jumps ahead. Raises ValueError, and stays, for a jump back, which would make windows longer than promised,
        and for one beyond the times that can be written.
        """
        if ms < 0:
            raise ValueError("the clock goes ahead only")
        if self.now() + ms > LATEST_MS:
            raise ValueError("the clock goes on until the year 9000; POST /_sandbox/clock with a shorter time")
        self._ahead += ms
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def sleep(self, ms: int) -> None:
        """Returns *ms* later by this clock."""
        until = self.now() + ms
        while (left := until - self.now()) > 0:
            limit = None if self._source is None else left / 1000
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limit):
                    await self._moved.wait()
