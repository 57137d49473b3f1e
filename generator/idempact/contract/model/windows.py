"""Windows: how long a repeat is recognised, how late it may come, and how long a claim counts as in flight."""

from __future__ import annotations

from enum import StrEnum

from idempact.contract.form import OneOf, either
from idempact.contract.records import Record, Spec, advice, decision, fact, part
from idempact.contract.shapes import (
    DURATION,
    ListOf,
    OrNone,
    Path,
    Reading,
    Shape,
    Texts,
    Words,
    dotted,
    inherited,
    said,
    word,
)
from idempact.contract.units import NOT_DOCUMENTED, Documented, Duration, NotDocumented, Text
from idempact.resources.typed import Any, TypeAlias
from idempact.text.dataclass import dataclass, replace
from idempact.text.nodes import Mapping, Node, Plain, Scalar, resolve


@dataclass(frozen=True, slots=True)
class Exactly:
    """The window lasts this long."""

    value: Duration
    advertised: Text | None = None

    @property
    def least(self) -> Duration | None:
        """How long repeats are recognised in any case; None is forever."""
        return self.value

    @property
    def most(self) -> Duration | None:
        """After how long a repeat is certainly not recognised; None is never, or not documented."""
        return self.value

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class AtLeast:
    """The window lasts at least this long; its end is open."""

    value: Duration
    advertised: Text | None = None

    @property
    def least(self) -> Duration | None:
        """See :attr:`Exactly.least`."""
        return self.value

    @property
    def most(self) -> Duration | None:
        """See :attr:`Exactly.most`."""
        return None

    def __str__(self) -> str:
        return f"at least {self.value}"


@dataclass(frozen=True, slots=True)
class Between:
    """The window ends somewhere between the two."""

    least_value: Duration
    most_value: Duration
    advertised: Text | None = None

    @property
    def least(self) -> Duration | None:
        """See :attr:`Exactly.least`."""
        return self.least_value

    @property
    def most(self) -> Duration | None:
        """See :attr:`Exactly.most`."""
        return self.most_value

    def __str__(self) -> str:
        return f"{self.least_value} to {self.most_value}"


@dataclass(frozen=True, slots=True)
class AtMost:
    """The window may end at any time, and has ended after this long: nothing is promised."""

    value: Duration
    advertised: Text | None = None

    @property
    def least(self) -> Duration | None:
        """See :attr:`Exactly.least`; no time at all."""
        return Duration.parse("0s")

    @property
    def most(self) -> Duration | None:
        """See :attr:`Exactly.most`."""
        return self.value

    def __str__(self) -> str:
        return f"at most {self.value}"


@dataclass(frozen=True, slots=True)
class Forever:
    """The key is never forgotten."""

    advertised: Text | None = None

    @property
    def least(self) -> Duration | None:
        """See :attr:`Exactly.least`."""
        return None

    @property
    def most(self) -> Duration | None:
        """See :attr:`Exactly.most`."""
        return None

    def __str__(self) -> str:
        return "forever"


Window: TypeAlias = Exactly | AtLeast | Between | AtMost | Forever


class CountedFrom(StrEnum):
    """When the window begins."""

    FIRST_REQUEST = "first-request"
    COMPLETION = "completion"
    FIRST_SENT = "first-sent"
    RESOURCE_END = "resource-end"


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryChain:
    """One way in which a retry can come late."""

    name: Text = part("name", Texts(), "what repeats the request")
    lasts: Duration = part("lasts", DURATION, "after how long it may still do so")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bounds:
    at_least: Duration = part("at_least", DURATION, "how long a repeat is recognised at least")
    at_most: Duration | None = advice("at_most", OrNone(DURATION), None, "after how long no repeat is recognised")
    advertised: Text | None = advice("advertised", OrNone(Texts()), None, "where the server tells it at run time")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upper:
    at_most: Duration = part("at_most", DURATION, "after how long no repeat is recognised")
    at_least: Duration | None = advice("at_least", OrNone(DURATION), None, "how long a repeat is recognised at least")
    advertised: Text | None = advice("advertised", OrNone(Texts()), None, "where the server tells it at run time")


_LONGEST = Duration.parse("36500d")
_ENDLESS = frozenset({"never", "none", "null", "infinite", "infinity", "unlimited", "always", "permanent"})
_FOREVER = OneOf(("forever",))


class _Window(Shape[Window]):
    expected = "a duration such as 24h, {at_least: …}, {at_least: …, at_most: …}, {at_most: …} or forever"
    form = either(_FOREVER, DURATION.form, Record(_Bounds).form, Record(_Upper).form)
    records = (_Bounds, _Upper)

    def read(self, node: Node, path: Path, reading: Reading) -> Window:
        if word(node) == "forever":
            return Forever()
        target = resolve(node)
        if (word(node) or "").lower() in _ENDLESS:
            raise self.wrong(node, path, reading, hint="write forever, if keys are never forgotten")
        if isinstance(target, Scalar):
            value = DURATION.read(node, path, reading)
            _positive(value, node, path, reading)
            return Exactly(value)
        if not isinstance(target, Mapping):
            raise self.wrong(node, path, reading)
        if _only_upper(target):
            upper = Record(_Upper).read(node, path, reading)
            _positive(upper.at_most, target.get("at_most") or node, (*path, "at_most"), reading)
            return AtMost(upper.at_most, upper.advertised)
        bounds = Record(_Bounds).read(node, path, reading)
        _positive(bounds.at_least, target.get("at_least") or node, (*path, "at_least"), reading)
        if bounds.at_most is None:
            return AtLeast(bounds.at_least, bounds.advertised)
        if bounds.at_most < bounds.at_least:
            above = inherited(target, "at_least", "at_most")
            hint = "swap them: promises use at_least, and `afterwards` begins at at_most"
            if above is not None:
                hint = f"`{above.key.value}: none` takes back what stands above, or write both here"
            raise reading.refuse(
                "contradictory-window",
                f"`{dotted(path)}`: at_most ({bounds.at_most}) is shorter than at_least ({bounds.at_least})",
                node,
                path,
                hint,
                reading.from_above(above),
            )
        if bounds.at_most == bounds.at_least:
            return Exactly(bounds.at_least, bounds.advertised)
        return Between(bounds.at_least, bounds.at_most, bounds.advertised)

    def write(self, value: Window) -> Plain:
        if isinstance(value, Forever):
            return "forever"
        advertised: dict[str, Plain] = {"advertised": Texts().write(value.advertised)} if value.advertised else {}
        match value:
            case Exactly(duration) if not advertised:
                return str(duration)
            case Exactly(duration):
                return {"at_least": str(duration), "at_most": str(duration), **advertised}
            case AtLeast(duration):
                return {"at_least": str(duration), **advertised}
            case AtMost(duration):
                return {"at_most": str(duration), **advertised}
            case Between(least, most):
                return {"at_least": str(least), "at_most": str(most), **advertised}


def _positive(value: Duration, node: Node, path: Path, reading: Reading) -> None:
    if value.ms == 0:
        message = f"`{dotted(path)}` is {value}, and a window of no length recognises no repeat"
        raise reading.refuse("wrong-type", message, node, path, "write a duration such as 24h")
    if value > _LONGEST:
        message = f"`{dotted(path)}` is {value}, which nobody can keep"
        raise reading.refuse("wrong-type", message, node, path, f"write forever, or {_LONGEST} at most")


def _only_upper(bounds: Mapping) -> bool:
    least, most = bounds.get("at_least"), bounds.get("at_most")
    return (least is None or said(least) == "none") and most is not None and said(most) != "none"


class _Cleanup(Shape[Duration | None]):
    expected = "a duration such as 72h, or forever"
    form = either(_FOREVER, DURATION.form)

    def read(self, node: Node, path: Path, reading: Reading) -> Duration | None:
        return None if word(node) == "forever" else DURATION.read(node, path, reading)

    def write(self, value: Duration | None) -> Plain:
        return "forever" if value is None else str(value)


class Computed(StrEnum):
    """A default that follows from another field of the same operation."""

    COMPUTED = "computed"


class _ComputedCleanup(Shape["Duration | None | Computed"]):
    expected = _Cleanup.expected
    form = _Cleanup.form
    writes_none = True

    def read(self, node: Node, path: Path, reading: Reading) -> Duration | Computed | None:
        return _Cleanup().read(node, path, reading)

    def write(self, value: Duration | Computed | None) -> Plain:
        return Computed.COMPUTED.value if isinstance(value, Computed) else _Cleanup().write(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Windows:
    """How long things last."""

    section = True

    replay: Documented[Window] = decision(
        "replay",
        _Window(),
        "For how long is a repeat recognised?",
        "A retry that comes later runs the operation again.",
    )
    counted_from: Documented[CountedFrom] = fact(
        "counted_from", Words(CountedFrom), CountedFrom.FIRST_REQUEST, "when the replay window begins"
    )
    retry_chains: Documented[tuple[RetryChain, ...]] = decision(
        "retry_chains",
        ListOf(Record(RetryChain), least=1),
        "Which ways are there in which a retry can come late?",
        "The longest one sizes the replay window: queues, offline apps, dead-letter replays, people.",
    )
    lease: Documented[Duration] = fact("lease", DURATION, Duration.parse("60s"), "how long a claim counts as in flight")
    slowest_handler: Documented[Duration | None] = fact("slowest_handler", OrNone(DURATION), None, "measured")
    cleanup: Documented[Duration | Computed | None] = fact(
        "cleanup", _ComputedCleanup(), Computed.COMPUTED, "how long the record stays"
    )


class _Windows(Record[Windows]):
    """The windows' mapping: cleanup follows from the replay window, and an observer may have no retry chains."""

    observed = ("retry_chains",)

    def read(self, node: Node, path: Path, reading: Reading) -> Windows:
        windows = super().read(node, path, reading)
        return replace(windows, cleanup=_cleanup(windows)) if windows.cleanup is Computed.COMPUTED else windows

    def _left_out(self, spec: Spec, target: Mapping, place: Path, reading: Reading) -> Any:
        if spec.key in self.observed and reading.observer:
            return NOT_DOCUMENTED
        return super()._left_out(spec, target, place, reading)


def _cleanup(windows: Windows) -> Documented[Duration | None]:
    """The default: three times the replay window, or its at_most; forever stays forever."""
    replay = windows.replay
    if isinstance(replay, NotDocumented):
        return NOT_DOCUMENTED
    if isinstance(replay, Forever):
        return None
    if isinstance(replay, Between | AtMost):
        return replay.most
    return Duration(3 * replay.value.ms)


WINDOWS: Record[Windows] = _Windows(Windows)
