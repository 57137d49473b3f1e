"""A scenario as its file says it: a rule in a sentence, what the contract must say for it to apply, and the steps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from idempact.resources import shipped
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.nodes import Mapping, Plain, load, plain

MOMENTS = ("before-lease", "lease", "before-window", "window", "longest-chain", "cleanup")
_STEP_FIELDS = frozenset(
    {"send", "get", "status", "effects", "as", "finish", "advance", "release", "recover", "store", "change"}
)
_SEND_FIELDS = frozenset(
    {"key", "content", "account", "keys", "safety", "hold", "fail", "during", "crash", "reset", "query", "alter"}
)
_CONTROLLED = ("advance", "release", "recover", "store", "finish", "change")
_CONTROLLED_SENDS = ("account", "hold", "fail", "crash", "reset")


@dataclass(frozen=True, slots=True)
class Step:
    """One step. ``send`` holds a request's peculiarities, empty for the usual one; None where nothing is sent.

    ``get`` is what the answer must be: ``done``, ``replayed``, ``repeated-failure``, ``failed``, ``nothing`` (the
    connection ends without an answer), or the name of one of the contract's answers. ``effects`` counts from the
    scenario's start.
    """

    send: dict[str, Plain] | None = None
    get: str | None = None
    status: int | None = None
    effects: int | None = None
    begin: str | None = None
    finish: str | None = None
    advance: str | None = None
    release: bool = False
    recover: str | None = None
    store: str | None = None
    change: str | None = None

    @property
    def controlled(self) -> bool:
        """Whether the step needs a server that can be told what to do, as the sandbox can."""
        told = any(getattr(self, name) for name in _CONTROLLED)
        return told or self.begin is not None or any(name in (self.send or {}) for name in _CONTROLLED_SENDS)


@dataclass(frozen=True, slots=True)
class Scenario:
    """``needs`` maps terms of :mod:`idempact.scenarios.terms` to the words of which the contract must say one."""

    id: str
    rule: str
    needs: tuple[tuple[str, tuple[str, ...]], ...]
    steps: tuple[Step, ...]

    @property
    def controlled(self) -> bool:
        """Whether any step needs a server that can be told what to do."""
        return any(step.controlled for step in self.steps)


def shipped_scenarios() -> Path:
    """The folder of the shipped scenarios, one file each."""
    return shipped("contract") / "scenarios"


def read_scenarios(folder: Path) -> Checked[tuple[Scenario, ...]]:
    """Every scenario of a folder, in order of name; whatever is wrong with one is found at once, with its file."""
    scenarios: list[Scenario] = []
    findings: list[Diagnostic] = []
    for path in sorted(folder.glob("*.yaml")):
        tree = load(path)
        if tree.value is None or not isinstance(tree.value.root, Mapping):
            findings += tree.diagnostics
            continue
        data = plain(tree.value.root)
        assert isinstance(data, dict), "a mapping is read as one"
        faults = tuple(_faults(data))
        span = tree.value.document.span(0)
        findings += (Diagnostic("scenarios/malformed-scenario", Severity.ERROR, fault, span) for fault in faults)
        if not faults:
            scenarios.append(_scenario(path.stem, data))
    return Checked(None if findings else tuple(scenarios), tuple(findings))


def _faults(data: dict[str, Plain]) -> Iterator[str]:
    yield from (f"unknown field {name!r}" for name in data if name not in ("rule", "needs", "steps"))
    if not isinstance(data.get("rule"), str):
        yield "'rule' is the rule in a sentence"
    if not isinstance(data.get("needs", {}), dict):
        yield "'needs' is a mapping from a term to a word, or a list of words"
    steps = data.get("steps")
    for step in steps if isinstance(steps, list) and steps else [None]:
        if not isinstance(step, dict):
            yield "'steps' is a list of mappings"
            continue
        yield from (f"unknown field {name!r} in a step" for name in step if name not in _STEP_FIELDS)
        send = step.get("send", {})
        if not isinstance(send, dict):
            yield "'send' in a step is a mapping, empty for the usual request"
        else:
            yield from (f"unknown field {name!r} in 'send'" for name in send if name not in _SEND_FIELDS)
        if step.get("advance", MOMENTS[0]) not in MOMENTS:
            yield f"'advance' in a step is one of {', '.join(MOMENTS)}"


def _scenario(name: str, data: dict[str, Plain]) -> Scenario:
    needs, steps = data.get("needs", {}), data["steps"]
    assert isinstance(needs, dict), "looked at before"
    assert isinstance(steps, list), "looked at before"
    return Scenario(
        name,
        str(data["rule"]),
        tuple((term, _words(word)) for term, word in needs.items()),
        tuple(_step(step) for step in steps if isinstance(step, dict)),
    )


def _words(word: Plain) -> tuple[str, ...]:
    return tuple(map(str, word)) if isinstance(word, list) else (str(word).lower() if word is True else str(word),)


def _step(step: dict[str, Plain]) -> Step:
    send = step.get("send")
    status, effects = step.get("status"), step.get("effects")
    return Step(
        send=send if isinstance(send, dict) else None,
        get=_text(step, "get"),
        status=status if isinstance(status, int) else None,
        effects=effects if isinstance(effects, int) else None,
        begin=_text(step, "as"),
        finish=_text(step, "finish"),
        advance=_text(step, "advance"),
        release=step.get("release") is True,
        recover=_text(step, "recover"),
        store=_text(step, "store"),
        change=_text(step, "change"),
    )


def _text(step: dict[str, Plain], name: str) -> str | None:
    value = step.get(name)
    return None if value is None else str(value)
