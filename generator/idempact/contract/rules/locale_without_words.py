"""Pages are to be published in a locale for which we have no words.

Why: a build stops there.
Instead: a locale that we have words for, or a folder of templates with words of your own (`--templates`).
Source: the folders of templates/locales.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.resources import shipped_folders
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/locale-without-words"
SEVERITY = Severity.WARNING
ONCE = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for the locales' folders."""
    known = shipped_folders("templates", "locales")
    for index, locale in enumerate(case.contract.publish.locales):
        if locale not in known:
            yield case.finding(
                f"there are no words for the locale {locale}; we have {', '.join(known)}",
                *case.item("publish", "locales", str(index)),
                hint=f"take one of those, or build with --templates and a folder locales/{locale} in it",
            )
