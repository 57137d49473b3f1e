"""The descriptions that are written into an OpenAPI file, put together from a locale's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from idempact.contract.model.contract import Settings
from idempact.contract.model.key import Quoted, RequiredWhen, Session
from idempact.contract.model.windows import AtLeast, AtMost, Between, Exactly, Forever
from idempact.contract.units import NotDocumented
from idempact.facts.keys import named_key
from idempact.facts.messages import message
from idempact.facts.outcomes import Outcome
from idempact.openapi.plan import Window
from idempact.render.words import Words


def about_key(settings: Settings, words: Words) -> str:
    """The key's description: what it does, how to make it, for how long and within what it counts."""
    return " ".join(_about_key(settings, words))


def _about_key(settings: Settings, words: Words) -> Iterator[str]:
    yield words.say("openapi.parameter.what")
    yield words.say("openapi.parameter.how" if named_key(settings.key) else "openapi.parameter.how-random")
    required, quoted, windows = settings.key.required, settings.key.quoted, settings.windows
    if isinstance(required, RequiredWhen):
        yield words.say("openapi.parameter.when", when=required.when)
    elif required is True and settings.key.also and not isinstance(settings.key.also, NotDocumented):
        yield words.say("openapi.parameter.one-place")
    if quoted is Quoted.YES:
        yield words.say("openapi.parameter.quoted")
    elif quoted is Quoted.EITHER:
        yield words.say("openapi.parameter.quotes-allowed")
    if (window := about_window(settings, words)) is not None:
        yield window
    bounded = not isinstance(windows.replay, NotDocumented | Forever)
    if bounded and not isinstance(windows.counted_from, NotDocumented):
        yield words.say("openapi.counted", start=message(f"openapi.start.{windows.counted_from}"))
    if not isinstance(settings.scope, NotDocumented):
        parts = tuple(
            part.meaning if isinstance(part, Session) else message(f"openapi.scope.{part.value}")
            for part in settings.scope
        )
        yield words.say("openapi.scope.who", scope=parts)


def about_window(settings: Settings, words: Words) -> str | None:
    """The sentence on how long a repeat is recognised; none where that is not documented."""
    match settings.windows.replay:
        case Exactly(value=value):
            return words.say("openapi.window.exactly", window=value)
        case AtLeast(value=value):
            return words.say("openapi.window.at-least", window=value)
        case Between(least_value=least, most_value=most):
            return words.say("openapi.window.between", window=least, most=most)
        case AtMost(value=value):
            return words.say("openapi.window.at-most", window=value)
        case Forever():
            return words.say("openapi.window.forever")
        case _:
            return None


def window_of(settings: Settings, words: Words) -> Window | None:
    """The window as a description may tell it; none where it has no number."""
    replay, sentence = settings.windows.replay, about_window(settings, words)
    bounds = () if isinstance(replay, NotDocumented) else (replay.least, replay.most)
    known = tuple(dict.fromkeys(bound for bound in bounds if bound is not None and bound.ms > 0))
    if sentence is None or not known:
        return None
    return Window(tuple(bound.ms for bound in known), words.shown(known[0]), sentence)


def about_answers(found: Iterable[Outcome], words: Words) -> str:
    """The description of a response: what each outcome that it carries means, with its machine code."""
    return " ".join(_about_answer(outcome, words) for outcome in found)


def _about_answer(outcome: Outcome, words: Words) -> str:
    if outcome.status_url is not None:
        text = message("openapi.answer.accepted", address=outcome.status_url)
    else:
        text = message(f"openapi.answer.{outcome.name}")
    if outcome.known_code is None:
        return words.say(text)
    return words.say("openapi.answer.with-code", code=outcome.known_code, text=text)
