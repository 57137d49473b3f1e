"""Overrides: a section as it holds for one operation, merged from the section above and what stands under it."""

from __future__ import annotations

from bisect import bisect_right

from idempact.contract.dotted import parse_dotted
from idempact.contract.model.answers import ANSWERS, AnswerShape
from idempact.contract.model.contract import Head
from idempact.contract.model.retry import BudgetKind
from idempact.contract.records import Spec, read_field, specs, unknown
from idempact.contract.shapes import UNKNOWN, Path, Reading, Unreadable, dotted, said, word
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Diagnostic, Related
from idempact.text.nodes import Alias, Entry, Mapping, Node, resolve, walk

_MISSING = ("contract/missing-decision", "contract/missing-field")
_DISCRIMINATORS = ("kind", "answer")
WHOLE = frozenset({"example", "when"})
"""Values that are one, be they mappings: what an operation says replaces them."""
_HEAD = {spec.key: spec for _, spec in specs(Head)}


def _default_words() -> dict[Path, str]:
    """What a left-out ``kind`` or ``answer`` means, by the path of its mapping."""
    words: dict[Path, str] = {("retry", "budget"): BudgetKind.TOKEN_BUCKET.value}
    for _, spec in specs(type_of_answers()):
        assert isinstance(spec.shape, AnswerShape), "every answer has the answers' shape"
        words[("answers", spec.key)] = spec.shape.verbs[0].value
    return words


def type_of_answers() -> type:
    """The record that the answers' mapping is read into."""
    record = ANSWERS.record
    assert isinstance(record, type), "a record is read into a class"
    return record


DEFAULT_WORDS = _default_words()


def merge(above: Node, override: Node, path: Path = ()) -> Node:
    """*override* merged into *above* (the section at *path*): mappings key by key, anything else replaces.

    A mapping whose ``kind`` or ``answer`` differs from the one above replaces it, since its other fields mean
    something else; so does an example body or a text, which is one value.
    """
    one, other = resolve(above), resolve(override)
    if not (isinstance(one, Mapping) and isinstance(other, Mapping)) or (path and path[-1] in WHOLE):
        return override
    for discriminator in _DISCRIMINATORS:
        ours, theirs = other.get(discriminator), one.get(discriminator)
        default = DEFAULT_WORDS.get(path)
        if ours is not None and said(ours) != (said(theirs) if theirs is not None else default):
            return override
    changed = {entry.key.value: entry for entry in other.entries}
    entries = []
    for entry in one.entries:
        new = changed.pop(entry.key.value, None)
        if new is not None:
            entry = Entry(new.key, merge(entry.value, new.value, (*path, new.key.value)))
        entries.append(entry)
    return Mapping(other.start, other.end, (*entries, *changed.values()), other.flow)


def read_override(node: Node, path: Path, root: Mapping, reading: Reading) -> object:
    """The section ``path[-1]`` of the operation at *path*, read as a whole; only what is wrong in *node* is told.

    What the section above lacks or says wrong is told there, once.
    """
    name = path[-1]
    above = root.get(name)
    merged = merge(above, node, (name,)) if above is not None else node
    inner = Reading(reading.document, reading.observer)
    spec: Spec = _HEAD[name]
    try:
        value: object = read_field(spec, merged, path, inner)
    except Unreadable:
        inner.unread.add(path)
        value = unknown(spec.shape)
    own = _Stretches(node)
    told = _ToldAbove(reading, root, path)
    into = _IntoWord(reading, above, node, path)
    reading.found += [into(d) for d in inner.found if _place(d, reading) in own and not told(d)]
    reading.places.update({p: place for p, place in inner.places.items() if place[0] in own})
    reading.keys.update({p: place for p, place in inner.keys.items() if place[0] in own})
    reading.extensions += [(p, v) for p, v in inner.extensions if p in reading.places]
    reading.unread |= inner.unread
    return value


def _place(diagnostic: Diagnostic, reading: Reading) -> int:
    span = diagnostic.span
    return -1 if span is None else reading.document.offset(span.line, span.column)


class _Stretches:
    """The stretches of the document that a node takes, those of the anchors that it uses included."""

    def __init__(self, node: Node) -> None:
        found: dict[int, int] = {}
        stack: list[Node] = [node]
        while stack:
            current = stack.pop()
            if found.get(current.start, -1) >= current.end:
                continue
            found[current.start] = current.end
            stack += [below.target for below in walk(current) if isinstance(below, Alias)]
        self.starts = sorted(found)
        ends = [found[start] for start in self.starts]
        self.reach = [max(ends[: i + 1]) for i in range(len(ends))]

    def __contains__(self, place: int) -> bool:
        index = bisect_right(self.starts, place) - 1
        return index >= 0 and place <= self.reach[index]


class _IntoWord:
    """Says of what is missing in an override that it stands over a word above, into which no mapping merges."""

    def __init__(self, reading: Reading, above: Node | None, node: Node, path: Path) -> None:
        self.reading, self.above, self.node, self.path = reading, above, node, path

    def __call__(self, diagnostic: Diagnostic) -> Diagnostic:
        if diagnostic.rule not in _MISSING:
            return diagnostic
        above, own = self.above, self.node
        for part in parse_dotted(diagnostic.subject)[len(self.path) :]:
            word_above = said(above)
            if word_above and isinstance(resolve(own), Mapping):
                assert above is not None, "a word stands at a node"
                related = Related("the word stands here", self.reading.document.span(above.start, above.end))
                what, _, why = diagnostic.message.partition(": ")
                message = f"{what}, as a mapping can't be merged into the word `{word_above}` above: {why}"
                hint = f"{diagnostic.hint}; or write one word here, too"
                return replace(diagnostic, message=message, hint=hint, related=(*diagnostic.related, related))
            above, own = _below(above, part), _below(own, part) or own
        return diagnostic


def _below(node: Node | None, key: str) -> Node | None:
    target = resolve(node) if node is not None else None
    return target.get(key) if isinstance(target, Mapping) else None


class _ToldAbove:
    """Whether a missing decision is missing in the section above as well, or unreadable or not documented there."""

    def __init__(self, reading: Reading, root: Mapping, path: Path) -> None:
        self.prefix = dotted(path[:2]) + "."
        self.root = root
        self.unread = reading.unread

    def __call__(self, diagnostic: Diagnostic) -> bool:
        if diagnostic.rule not in _MISSING:
            return False
        above = parse_dotted(diagnostic.subject.removeprefix(self.prefix))
        return any(above[:length] in self.unread for length in range(1, len(above) + 1)) or self._not_documented(above)

    def _not_documented(self, above: Path) -> bool:
        node: Node | None = self.root
        for part in above:
            target = resolve(node) if node is not None else None
            node = target.get(part) if isinstance(target, Mapping) else None
            if node is None:
                return False
            if word(node) == UNKNOWN:
                return True
        return False
