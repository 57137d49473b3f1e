"""An operation is called natural, but its reason says that it adds or counts.

Why: "natural" means that a repeat changes nothing. A PUT that appends, a PATCH that increments or a DELETE that counts
has its effect once more with each retry, and no key stops it.
Instead: safety: keyed, or unsafe with what to do instead; or a reason that says what a repeat finds.
Source: idempotent methods, RFC 9110, section 9.2.2: it is the effect that counts, not the method's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.operations import Safety
from idempact.text.diagnostic import Diagnostic, Severity
from idempact.text.pattern import regex

RULE = "contract/natural-that-adds"
SEVERITY = Severity.WARNING
ONCE = True
DEPENDS = ("operation.safety",)
_ADDS = regex(
    r"\b(?:append(?:s|ed|ing)?|adds?|added|adding|increment(?:s|ed|ing)?|count(?:s|ed|ing)?|accumulat(?:es?|ed|ing)"
    r"|increas(?:es?|ed|ing)|one more)\b|追加|累加|累计|递增|增加|新增|计数",
    re.IGNORECASE,
)
# A sentence that also says what a repeat finds (adds nothing, only if absent, replaces) is no admission.
_EXCUSED = regex(
    r"\b(?:not?|nothing|never|neither|nor|cannot|without|already|same|once|only|if|unless|replac\w*|overwrit\w*)\b"
    r"|n['’]t\b|不|没|无|未|已|替换|覆盖",
    re.IGNORECASE,
)
_SENTENCES = regex(r"[.;!?](?=\s|\Z)|[。；！？\n]")


def check(case: Case) -> Iterator[Diagnostic]:
    """Read the reasons of natural operations, in each language, sentence by sentence."""
    for operation in case.contract.operations:
        if operation.safety is not Safety.NATURAL or operation.because is None:
            continue
        name = str(operation.key)
        for locale, text in operation.because.locales:
            said = _SENTENCES.split(text) if _ADDS.search(text) else ()
            found = next((hit for one in said if (hit := _admitted(one))), None)
            if found:
                place = ("operations", name, "because")
                yield case.finding(
                    f"{name} is called natural, but its reason says {found!r}: then each retry has its effect again",
                    *((*place, locale) if locale else place),
                    hint="write safety: keyed (or unsafe), or say what a repeat finds",
                )


def _admitted(sentence: str) -> str:
    hit = _ADDS.search(sentence)
    return hit[0] if hit and not _EXCUSED.search(sentence) else ""
