"""A text is given per locale, but not in every locale that is published.

Why: a page in one language then shows a sentence in another, which its reader may not understand.
Instead: the text in each locale of publish.locales, or one text for all.
Source: pages take the text of their locale, then English, then the first one.
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.free_texts import free_texts
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/untranslated-text"
SEVERITY = Severity.WARNING
DEPENDS = ("publish.locales",)


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare each text's locales with the published ones."""
    for text, path in free_texts(case):
        there = [locale for locale, _ in text.locales]
        lacking = [locale for locale in case.contract.publish.locales if locale not in there]
        if lacking and there != [""]:
            yield case.finding(
                f"this text has no {' and no '.join(lacking)}, in which pages are published",
                *path,
                hint=f"add {', '.join(f'{locale}: …' for locale in lacking)}; or write one text for all locales",
                related=(case.related("the locales", "publish", "locales"),),
            )
