"""Regular expressions that are compiled when they are first used: most runs use few of those of their modules."""

from __future__ import annotations

import re

from idempact.resources.typed import Any, cast


def regex(text: str, flags: int = 0) -> re.Pattern[str]:
    """What ``re.compile`` gives, compiled when it is first asked for anything; only then does a fault in it show."""
    return cast("re.Pattern[str]", _Later(text, flags))


class _Later:
    def __init__(self, text: str, flags: int) -> None:
        self._told = text, flags

    def __getattr__(self, name: str) -> Any:
        # Each method stands in the instance from then on, so that it is found as fast as the compiled one's.
        found = self.__dict__[name] = getattr(re.compile(*self._told), name)
        return found
