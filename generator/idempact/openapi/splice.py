"""Where an addition goes in the text and how it reads there, and which text a removal takes away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Mapping as Lookup

from idempact.openapi.edits import Edit
from idempact.openapi.notation import Notation
from idempact.openapi.style import column, indent_of, line_end, line_start, quote_of_status, starts_line
from idempact.openapi.wants import Addition, Gathered, Replacement
from idempact.text.dataclass import dataclass, field, replace
from idempact.text.nodes import Entry, Mapping, Plain, Scalar, Sequence, Style, Tree


@dataclass(frozen=True, slots=True)
class Surface:
    """A file to be edited: its tree, its notation, and the true ends of block scalars whose blank lines count.

    ``written`` remembers what was written, for most operations get the same: by what stands before each member and what
    it was made from, of values their identities, for all of them live as long as the edits do.
    """

    tree: Tree
    notation: Notation
    scalar_ends: Lookup[int, int]
    variants: dict[tuple[str, int], Notation] = field(default_factory=dict)
    written: dict[tuple[object, ...], str] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The file's text."""
        return self.tree.document.text


class NoPlace(Exception):
    """There is no place at which the text could be put without changing what stands there; ``offset`` says where."""

    def __init__(self, offset: int) -> None:
        self.offset = offset


def edits(surface: Surface, gathered: Gathered) -> tuple[tuple[Edit, Addition | Replacement], ...]:
    """The edits that make what was *gathered*, each with what it makes, in order of place, those of inner containers
    first on one place.

    Raises NoPlace where there is no safe place for one.
    """
    made: list[tuple[int, int, int, Edit, Addition | Replacement]] = []
    for addition in gathered.additions.values():
        edit = _flow(surface, addition) if addition.node.flow else _block(surface, addition)
        made.append((edit.start, edit.end, -len(addition.container), edit, addition))
    for replacement in gathered.replacements.values():
        edit = _replacing(surface, replacement.node, replacement.value)
        made.append((edit.start, edit.end, 0, edit, replacement))
    return tuple((edit, what) for _, _, _, edit, what in sorted(made, key=lambda item: item[:3]))


def _replacing(surface: Surface, node: Scalar, value: Plain) -> Edit:
    """The scalar with another value, in the quotes that it has."""
    quote = {Style.SINGLE: "'", Style.DOUBLE: '"'}.get(node.style)
    notation = surface.notation
    if quote is not None:
        notation = replace(notation, quote=quote)
    if quote is not None and not notation.json and isinstance(value, str):
        return Edit(node.start, node.end, notation.quoted(value))
    return Edit(node.start, node.end, notation.inline(value))


def _size(node: Mapping | Sequence) -> int:
    return len(node.entries if isinstance(node, Mapping) else node.items)


def _end(node: Mapping | Sequence, index: int) -> int:
    """Where a child ends."""
    return node.entries[index].value.end if isinstance(node, Mapping) else node.items[index].end


def _start(node: Mapping | Sequence, index: int) -> int:
    """Where a child begins: its key, or the item itself."""
    return node.entries[index].key.start if isinstance(node, Mapping) else node.items[index].start


def _put(offset: int, text: str) -> Edit:
    return Edit(offset, offset, text)


# --- block YAML ---


def _block(surface: Surface, addition: Addition) -> Edit:
    node, text, notation = addition.node, surface.text, _local(surface, addition.node)
    indent = _column(text, node)
    at = addition.at
    while at > 0:
        end = _end(node, at - 1)
        offset = surface.scalar_ends.get(end) or line_end(text, end)
        if offset is None:
            lines = _lines(surface, notation, addition, indent)
            return _put(len(text), notation.newline + lines.removesuffix(notation.newline))
        if offset < len(text) or text[-1] in "\r\n":
            return _put(offset, _lines(surface, notation, addition, indent))
        # A block scalar ends the file without a line break, and one that we add would become part of it: go in front.
        at -= 1
    first = _start(node, 0)
    if not starts_line(text, first):
        raise NoPlace(first)
    return _put(line_start(text, first), _lines(surface, notation, addition, indent))


def _lines(surface: Surface, notation: Notation, addition: Addition, indent: int) -> str:
    """The members of an addition as whole lines, each with its line break."""
    made = (id(notation), indent, *[(key, id(value)) for key, value in addition.members])
    known = surface.written.get(made)
    if known is None:
        lines: list[str] = []
        for key, value in addition.members:
            lines += notation.item(value, indent) if key is None else notation.member(key, value, indent)
        known = surface.written[made] = "".join([line + notation.newline for line in lines])
    return known


def _column(text: str, node: Mapping | Sequence) -> int:
    """The column of a block collection's keys or dashes; of the ``?`` where the first key is a complex one."""
    if isinstance(node, Sequence):
        return column(text, node.start)
    start = node.entries[0].key.start
    before = text[line_start(text, start) : start].rstrip(" ")
    return len(before) - 1 if before.endswith("?") else column(text, start)


def _local(surface: Surface, node: Mapping | Sequence) -> Notation:
    """The notation, corrected by what the siblings show: quoted statuses, wide dashes."""
    notation, text = surface.notation, surface.text
    if isinstance(node, Sequence):
        lead = node.items[0].start - node.start
        wide = 1 < lead < 9 and not text[node.start + 1 : node.items[0].start].strip(" ")
        return _variant(surface, notation.status_quote, lead) if wide else notation
    return _variant(surface, _status_quote(node.entries, notation.status_quote), notation.lead)


def _variant(surface: Surface, status_quote: str, lead: int) -> Notation:
    notation = surface.notation
    if (status_quote, lead) == (notation.status_quote, notation.lead):
        return notation
    known = surface.variants.get((status_quote, lead))
    if known is None:
        known = surface.variants[status_quote, lead] = replace(notation, status_quote=status_quote, lead=lead)
    return known


def _status_quote(entries: Iterable[Entry], otherwise: str) -> str:
    written = [quote for entry in entries if (quote := quote_of_status(entry.key)) is not None]
    return written[-1] if written else otherwise


# --- JSON, and YAML in brackets ---


def _flow(surface: Surface, addition: Addition) -> Edit:
    node, text, notation = addition.node, surface.text, surface.notation
    if not notation.json and isinstance(node, Mapping):
        notation = _variant(surface, _status_quote(node.entries, notation.status_quote), notation.lead)
    if not _size(node):
        return _into_empty(surface, notation, addition)
    first, end = _start(node, 0), _end(node, max(addition.at, 1) - 1)
    start = line_start(text, first) if notation.json else first
    indent = text[start:first]
    if notation.json and not indent.strip(" \t"):
        return _put(end, _spread_lines(surface, addition, text[line_break_before(text, start) : start], indent))
    comma = notation.comma if notation.json else ", "
    # Not every reader takes a comma right behind a colon.
    apart = " " if text.endswith(":", 0, end) and not notation.json else ""
    return _put(end, apart + "".join(comma + _inline(notation, key, value) for key, value in addition.members))


def _spread_lines(surface: Surface, addition: Addition, line_break: str, indent: str) -> str:
    """JSON members over several lines behind another one, each behind its comma."""
    made = (line_break, indent, *[(key, id(value)) for key, value in addition.members])
    known = surface.written.get(made)
    if known is None:
        opening = "," + line_break + indent
        known = surface.written[made] = "".join(
            opening + _spread(surface.notation, key, value, indent) for key, value in addition.members
        )
    return known


def line_break_before(text: str, offset: int) -> int:
    """Where the line break in front of the line of *offset* begins."""
    start = line_start(text, offset)
    return start - (2 if text.endswith("\r\n", 0, start) else 1)


def _into_empty(surface: Surface, notation: Notation, addition: Addition) -> Edit:
    """Into ``{}`` over several lines where the file does so, into ``{ }`` on one: a removal can tell the two."""
    node, text = addition.node, surface.text
    bare = node.end - node.start == 2
    if not notation.json or not notation.multiline or not bare:
        parts = (_inline(notation, key, value) for key, value in addition.members)
        return _put(node.start + 1, notation.comma.join(parts))
    outer = indent_of(text, node.start)
    inner = notation.newline + outer + notation.step
    parts = (inner + _spread(notation, key, value, outer + notation.step) for key, value in addition.members)
    return _put(node.start + 1, ",".join(parts) + notation.newline + outer)


def _spread(notation: Notation, key: str | None, value: Plain, indent: str) -> str:
    return notation.spread(value, indent) if key is None else notation.spread_member(key, value, indent)


def _inline(notation: Notation, key: str | None, value: Plain) -> str:
    return notation.inline(value) if key is None else notation.inline_member(key, value)


# --- removal ---


def removed(surface: Surface, node: Mapping | Sequence, gone: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """The ranges that take away the children of *node* at the indexes *gone*; inverts :func:`edits`.

    In block style these are whole lines, and where all children go, the caller has to take the container or fill it.
    Raises NoPlace where a child shares its line with something else.
    """
    return _removed_flow(surface, node, gone) if node.flow else _removed_block(surface, node, gone)


def _removed_block(surface: Surface, node: Mapping | Sequence, gone: frozenset[int]) -> tuple[tuple[int, int], ...]:
    text = surface.text
    ranges = list(_behind_dash(text, node, gone)) if isinstance(node, Mapping) and 0 in gone else []
    for index in sorted(gone):
        start = _start(node, index)
        if any(first <= start < end for first, end in ranges):
            continue
        start = line_start(text, start)
        between = text[start : _start(node, index)].strip(" ")
        if between != ("" if isinstance(node, Mapping) else "-"):
            raise NoPlace(_start(node, index))
        end = line_end(text, _end(node, index))
        ranges.append((start, len(text) if end is None else end))
    return tuple(ranges)


def _behind_dash(text: str, node: Mapping, gone: frozenset[int]) -> Iterator[tuple[int, int]]:
    """What takes the first keys of an item away, whose line begins with its dash: up to the first key that stays, or
    up to the line's end where comments or empty lines stand before that.
    """
    start = _start(node, 0)
    dashes = text[line_start(text, start) : start].replace(" ", "")
    stays = next((index for index in range(_size(node)) if index not in gone), None)
    if stays is None or not dashes or dashes.strip("-"):
        return
    ends = [line_end(text, _end(node, index)) for index in range(stays)]
    near = all(end is not None and not text[end : _start(node, index + 1)].strip(" ") for index, end in enumerate(ends))
    if near:
        yield start, _start(node, stays)
    elif ends[0] is not None:
        yield start, ends[0]


def _removed_flow(surface: Surface, node: Mapping | Sequence, gone: frozenset[int]) -> tuple[tuple[int, int], ...]:
    count = _size(node)
    if len(gone) == count:
        first, end = _start(node, 0), _end(node, count - 1)
        if surface.text[node.start + 1 : first].strip() or first == node.start + 1:
            return ((first, end),)
        return ((node.start + 1, node.end - 1),)
    ranges: list[tuple[int, int]] = []
    survivor = False
    for index in range(count):
        if index not in gone:
            survivor = True
        elif survivor:
            ranges.append((_end(node, index - 1), _end(node, index)))
        else:
            ranges.append((_start(node, index), _start(node, index + 1)))
    return tuple(ranges)


def joined(surface: Surface, ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """The ranges, joined where they touch; one that ends a last line without a break takes the break before it."""
    text = surface.text
    out: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    if out and not surface.notation.json:
        start, end = out[-1]
        if end == len(text) and start > 0 and line_start(text, start) == start and text[-1] not in "\r\n":
            out[-1] = (line_break_before(text, start), end)
    return tuple(out)
