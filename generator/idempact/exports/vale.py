"""A style for Vale, for teams that lint with it: one rule per phrase of ours and language.

Vale reads a style from a folder of YAML files (styles/Idempact/*.yml), and its engine looks behind by any length
(regexp2). So each pattern holds what makes a claim honest beside the claim: denials before and behind it within its
clause, questions, quotations, the excuses of its language, and a window with a key in the same paragraph. Vale joins
what one rule looks for into one expression, whose size its engine bounds: each language is a rule of its own for that.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from idempact.exports import OfFolder
from idempact.wording.phrasebook import Phrase, Tongue, Wordings, phrases, tongues
from idempact.wording.unfold import BORDER, alternatives, around_hit, unfolded

_CLAUSE, _SENTENCE = r"[^.;:!?|。；：！？]", r"[^.!?。！？]"
_OPENING, _CLOSING = '["\u201c\u201e\u00ab\u300c\u300e]', '["\u201c\u201d\u00bb\u300d\u300f]'
_UNQUOTED = '[^"\u201c\u201d\u00ab\u00bb\u300c\u300d.!?。]'
_WHOLE = r"[\s\S]{0,600}"
_REACH = 80
_HIT = r"\k<h>"


def render() -> Mapping[str, str]:
    """Each rule's file by its name; every pattern is in double quotes, which JSON shares with YAML."""
    return {
        f"{_name(phrase, wording)}.yml": _rule(phrase, wording) for phrase in phrases() for wording in phrase.wordings
    }


def _name(phrase: Phrase, wording: Wordings) -> str:
    """The rule's name as Vale's users write it: of prose/never-lost in German, Idempact.NeverLost-de."""
    return "".join(word.capitalize() for word in phrase.id.rpartition("/")[2].split("-")) + f"-{wording.language}"


def _rule(phrase: Phrase, wording: Wordings) -> str:
    message = phrase.message.replace("%", "%%").replace('"{words}"', "'%s'").replace("{words}", "%s")
    lines = [
        f"# {phrase.title}",
        f"# Made by `idempact export vale`; `idempact explain {phrase.id}` says why, and what to write instead.",
        "extends: existence",
        f"message: {json.dumps(f'{message}. See: idempact explain {phrase.id}', ensure_ascii=False)}",
        f"level: {phrase.severity}",
        "scope: text",
        "ignorecase: true",
        "nonword: true",
        "tokens:",
        f"  - {json.dumps(_pattern(phrase, wording), ensure_ascii=False)}",
    ]
    return "\n".join(lines) + "\n"


def _pattern(phrase: Phrase, wording: Wordings) -> str:
    """The phrase where nothing around it makes it honest. All looks follow it, so that none costs where it isn't."""
    words = unfolded(wording.pattern.pattern, wording.language)
    body = f"(?<h>(?>{words.replace(chr(92) + 'b', BORDER)}))"
    tongue = next((t for t in tongues() if t.language == wording.language), None)
    if tongue is None:
        return body
    before, behind = _denials(tongue)
    apart = [_inside(tongue), _quoted(tongue)]
    if "bounded" not in phrase.despite:
        apart.append(_bounded(tongue))
    excuses = (pattern for name, pattern in tongue.excuses if name not in phrase.despite)
    for front, back in (_around(tongue, one) for pattern in excuses for one in alternatives(pattern.pattern)):
        if front and back:
            apart.append(f"(?!(?<={front}{_HIT}){back})")
        elif front:
            before.append(front)
        else:
            behind.append(back)
    return f"{body}(?<!(?:{'|'.join(before)}){_HIT})(?!{'|'.join(behind)}){''.join(apart)}"


def _around(tongue: Tongue, excuse: str) -> tuple[str, str]:
    """What an excuse wants in front of the phrase and behind it; one that names no place is looked for in front."""
    front, back = around_hit(excuse) or (f"(?:{excuse}){_SENTENCE}{{0,200}}", "")
    return unfolded(front, tongue.language), unfolded(back, tongue.language)


def _any(tongue: Tongue, parts: Iterable[str]) -> str:
    return "|".join(unfolded(part, tongue.language) for part in parts)


def _denials(tongue: Tongue) -> tuple[list[str], list[str]]:
    """What denies a phrase in front of it, to its very place, and behind it, from its end; a question denies, too."""
    parts = alternatives(tongue.denials.pattern)
    harmless = _any(tongue, alternatives(tongue.not_denials.pattern))
    words = _any(tongue, (part for part in parts if not part.endswith(r"\Z")))
    denial = f"(?:{words})(?<!(?:{harmless}))(?<!(?={harmless}){_SENTENCE}{{1,20}})"
    before = [f"{denial}{_free(tongue, tongue.breaks_before.pattern)}(?<![,，]\\s?)"]
    before += (unfolded(part.removesuffix(r"\Z"), tongue.language) for part in parts if part.endswith(r"\Z"))
    later = _any(tongue, (part.removeprefix(r"\A") for part in alternatives(tongue.afterwards.pattern)))
    return before, [f"{_SENTENCE}{{0,200}}[?？]", f"{_free(tongue, tongue.breaks_after.pattern)}{denial}", later]


def _free(tongue: Tongue, breaks: str) -> str:
    """A stretch of a clause in which none of the *breaks* stands."""
    parts = _any(tongue, (part for part in alternatives(breaks) if not part.endswith(r"\Z")))
    return f"(?:(?!{parts}){_CLAUSE}){{0,{_REACH}}}"


def _inside(tongue: Tongue) -> str:
    """No denial within the phrase itself."""
    parts = _any(tongue, (part.replace(r"\A", "") for part in alternatives(tongue.denied_inside.pattern)))
    return f"(?<!(?={_SENTENCE}{{0,40}}(?:{parts})){_HIT})"


def _quoted(tongue: Tongue) -> str:
    """No quotation around the phrase, unless it is offered."""
    offers = _any(tongue, (part.removesuffix(r'"\Z') for part in alternatives(tongue.offers.pattern)))
    return f"(?!(?<=(?<!{offers}){_OPENING}{_UNQUOTED}{{0,80}}{_HIT}){_UNQUOTED}{{0,80}}{_CLOSING})"


def _bounded(tongue: Tongue) -> str:
    """No length of time with a key, before or behind, in the same paragraph."""
    looks = (
        f"(?:(?<=(?:{part}){_WHOLE})|(?={_WHOLE}(?:{part})))"
        for part in (_any(tongue, alternatives(p.pattern)) for p in (tongue.durations, tongue.keys))
    )
    return f"(?!{''.join(looks)})"


TARGET = OfFolder("vale", "a style for Vale, one rule per phrase and language, as a folder", render)
