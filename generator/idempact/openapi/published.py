"""The contract's facts as the plain data of `x-idempotency`: what isn't documented, or isn't public, is left out."""

from __future__ import annotations

from idempact.contract.model.answers import Answer, Verb
from idempact.contract.model.errors import Errors
from idempact.contract.model.key import FINGERPRINT, KEY, SCOPE, Fingerprint, Key
from idempact.contract.model.replay import REPLAY, STORED_FAILURES, Replay
from idempact.contract.model.windows import WINDOWS
from idempact.contract.published import PROVIDER_WINDOWS
from idempact.contract.records import specs
from idempact.contract.units import NOT_DOCUMENTED, NotDocumented
from idempact.facts.derive import Facts, OperationFacts, Profile
from idempact.facts.outcomes import Outcome
from idempact.text.nodes import Plain

_GOES_ON = (Verb.EXECUTE, Verb.IGNORE, Verb.RESUME)
# What a client of the API file can't use: the provider's own, when records go, and what the window was sized by.
_LEFT_OUT = (*PROVIDER_WINDOWS, "cleanup", "retry_chains")


def root(facts: Facts) -> dict[str, Plain]:
    """What holds for the whole API: an entry of ``profiles`` for each set of settings, numbered from 1."""
    provider = facts.contract.publish.provider
    profiles: list[Plain] = [_profile(profile, provider) for profile in facts.profiles]
    value: dict[str, Plain] = {"language": facts.contract.version, "written_by": facts.contract.written_by.value}
    if provider and facts.contract.server is not None:
        value["store"] = facts.contract.server.store.value
    return {**value, "profiles": profiles}


def operation(facts: Facts, found: OperationFacts, profile: Profile | None, locale: str) -> dict[str, Plain]:
    """What holds for one operation: its safety with the reason, its profile, the name its key is made from."""
    source = found.operation
    value: dict[str, Plain] = {"safety": str(found.safety)}
    for name, text in (("because", source.because), ("instead", source.instead)):
        if text is not None:
            value[name] = text.for_locale(locale)
    if profile is not None:
        value["profile"] = profile.number
    if found.keyed and found.key_template:
        value["key_template"] = found.key_template
    if source.repeat_status is not None:
        value["repeat_status"] = source.repeat_status
    if source.lookup is not None:
        value["lookup"] = source.lookup
    keys = [effect.downstream_key for effect in source.external_effects if effect.downstream_key]
    if keys and facts.contract.publish.provider:
        value["downstream_keys"] = list(keys)
    return value


def _profile(profile: Profile, provider: bool) -> dict[str, Plain]:
    settings = profile.settings
    windows = WINDOWS.write(settings.windows)
    if isinstance(windows, dict) and not provider:
        windows = {key: value for key, value in windows.items() if key not in _LEFT_OUT}
    key = KEY.write(settings.key)
    if isinstance(key, dict):
        # Advice, and each operation's own: `key_template` stands there.
        key.pop("derivation", None)
        if settings.key.first_sent is None:
            key.pop("first_sent", None)
    sections: dict[str, Plain] = {
        "key": _filled(key, settings.key),
        "scope": None if isinstance(settings.scope, NotDocumented) else SCOPE.write(settings.scope),
        "fingerprint": "none"
        if settings.fingerprint is None
        else _filled(FINGERPRINT.write(settings.fingerprint), settings.fingerprint),
        "windows": windows,
        "replay": _filled(REPLAY.write(settings.replay), settings.replay),
        "stored_failures": STORED_FAILURES.write(settings.stored_failures),
        "answers": _answers(profile),
        "errors": _errors(settings.errors),
    }
    return {key: value for key, section in sections.items() if (value := _stated(section)) not in (None, {}, [])}


def _filled(section: Plain, record: Key | Fingerprint | Replay) -> Plain:
    """The section without the empty lists of what most APIs have none of: other carriers, members that don't count."""
    if not isinstance(section, dict):
        return section
    optional = {spec.key for _, spec in specs(type(record)) if spec.default == ()}
    return {name: value for name, value in section.items() if value != [] or name not in optional}


def _errors(errors: Errors) -> dict[str, Plain]:
    """The form of error answers. Without the example, which stands in the responses."""
    stated = {"media_type": errors.media_type, "code_at": errors.code_at, "type": errors.type}
    return {name: value for name, value in stated.items() if isinstance(value, str)}


def _answers(profile: Profile) -> dict[str, Plain]:
    """Every answer in the order of checking: with status, code and wait where it is one, else what the server does."""
    answers: dict[str, Plain] = {}
    for name, answer in profile.settings.answers.each():
        outcome = profile.outcome(name)
        if outcome is not None:
            answers[name] = _answer(outcome, own=isinstance(answer, Answer) and answer.client is not None)
        elif not isinstance(answer, NotDocumented) and _silent(name, answer):
            answers[name] = {"answer": answer.answer.value}
    return answers


def _silent(name: str, answer: Answer) -> bool:
    """Whether what the server does is all that there is to say: the request goes on, or its claim stays in flight."""
    return answer.answer in _GOES_ON or (name == "stale" and isinstance(answer.answer, Verb))


def _answer(outcome: Outcome, own: bool) -> dict[str, Plain]:
    statuses = list(outcome.statuses)
    value: dict[str, Plain] = {}
    if not isinstance(outcome.verb, NotDocumented):
        value["answer"] = outcome.verb.value
    if statuses:
        value["status"] = statuses[0] if len(statuses) == 1 else list(statuses)
    if outcome.known_code is not None:
        value["code"] = outcome.known_code
    if outcome.code_at is not None and outcome.known_code is not None:
        value["code_at"] = outcome.code_at
    if outcome.waits:
        value["retry_after"] = "varies" if outcome.retry_after_s is None else f"{outcome.retry_after_s}s"
    if outcome.verb is Verb.WAIT and outcome.at_most is not None:
        value["at_most"] = str(outcome.at_most)
    for name, stated in (
        ("grpc", outcome.grpc),
        ("status_url", outcome.status_url),
        ("resource_at", outcome.resource_at),
    ):
        if stated is not None:
            value[name] = stated
    if own:
        value["client"] = outcome.action.value
    return value


def _stated(value: Plain) -> Plain:
    """The value without members that say "not documented", and without what is empty then."""
    if isinstance(value, dict):
        kept: dict[str, Plain] = {key: stated for key, item in value.items() if (stated := _stated(item)) is not None}
        return kept or None
    if value == NOT_DOCUMENTED.value:
        return None
    return value
