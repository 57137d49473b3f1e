"""A rule for Vale, for teams that lint with it: our phrases in English and simplified Chinese, denials let go.

Vale reads a rule from one YAML file in a style's folder (styles/Idempact/Promises.yml). Its matching knows neither
paragraphs nor folding, so the rule is coarser than ``idempact lint``: a bound in the next sentence excuses nothing.
"""

from __future__ import annotations

import json

from idempact.exports import OfLanguage
from idempact.wording.phrasebook import phrases, tongues

_LANGUAGES = ("en", "zh")
# Vale's engine takes a look-behind of any length; a denial counts within the clause.
_BEFORE = r"(?<!(?:{denials})[^.;:!?,。]{{0,80}})"
_AFTER = r"(?![^.;:!?,。]{{0,60}}(?:{denials}))"


def render() -> str:
    """The rule as YAML; every pattern is in double quotes, which JSON shares."""
    lines = [
        "# Made by `idempact export vale`. Put it at styles/Idempact/Promises.yml, and Idempact into BasedOnStyles.",
        "extends: existence",
        "message: \"'%s' promises what a key can't keep: name the window and the key. See `idempact rules`.\"",
        "level: warning",
        "scope: text",
        "ignorecase: true",
        "nonword: true",
        "tokens:",
    ]
    for tongue in tongues():
        if tongue.language not in _LANGUAGES:
            continue
        denials = tongue.denials.pattern
        before, after = _BEFORE.format(denials=denials), _AFTER.format(denials=denials)
        for phrase in phrases():
            for wording in phrase.wordings:
                if wording.language == tongue.language:
                    lines.append(f"  # {phrase.id}: {phrase.title}")
                    lines.append(
                        "  - " + json.dumps(f"{before}(?:{wording.pattern.pattern}){after}", ensure_ascii=False)
                    )
    return "\n".join(lines) + "\n"


TARGET = OfLanguage("vale", "a rule for Vale: our phrases in English and simplified Chinese, as YAML", render)
