"""Where the places of an ownership record are now: under other names, behind other items of their list."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Iterable, Iterator
from urllib.parse import unquote

from idempact.openapi import record
from idempact.openapi.addresses import joined
from idempact.openapi.locate import REMOTE, Api, File
from idempact.openapi.pointers import Path, find, path_of, pointer
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Mapping, Node, Scalar, Sequence, plain

# A parameter in a list or among the components, and that something follows below it.
_PARAMETER = re.compile(r"(.*?/parameters/[^/]+)/.")
_COMPONENTS = "#/components/parameters/"


@dataclass(frozen=True, slots=True)
class Followed:
    """A share with each place where it is now. At those in ``unsure``, another value stands that may be somebody
    else's; ``lost`` are the parameters that aren't to be found, as ``within`` tells them, by their old pointers.
    """

    share: record.Share
    unsure: frozenset[str] = frozenset()
    lost: tuple[tuple[str, str], ...] = ()


def followed(root: Mapping, share: record.Share) -> Followed:
    """Where what *share* names is now in the document *root*.

    Path templates and components that somebody renamed are known by half of what we put there, so that the other half
    may be of another origin. Parameters are known by what ``within`` tells of them, and references that were replaced
    by what they were replaced with. What stands in a parameter that isn't there any more is left out, for another one
    may have the same values of its own.
    """
    unsure: set[str] = set()
    for base in _collections(share):
        share = _renamed(root, share, base, unsure)
    places = _Items(root, share)
    lost = [(at, share.within.get(at, "")) for at, now in places.known.items() if now is None]
    share = share if places.still else share.moved(places.place)
    return Followed(share, frozenset(at for at in unsure if _PARAMETER.match(at) is None), tuple(lost))


def within(root: Mapping, pointers: Iterable[str]) -> dict[str, str]:
    """Which parameter it is that each of *pointers* leads into, by the pointer of the parameter."""
    found: dict[str, str] = {}
    for at in pointers:
        leads = _PARAMETER.match(at)
        if leads is not None and leads[1] not in found:
            told = _told(find(root, path_of(leads[1])))
            if told:
                found[leads[1]] = told
    return found


def led_to(api: Api, file: File, at: str, node: Scalar) -> str:
    """What tells the component of the root document that the reference at *at* of *file* leads to: of a parameter its
    place and name, of all else the digest. An empty text of what is no such reference.
    """
    path = _component(api.main, file, node.value) if at.endswith("/$ref") else ()
    there = find(api.main.root, path) if path else None
    return (_told(there) or digested(there) or "") if there is not None else ""


def led_back(api: Api, file: File, was: str, to: str, ours: Container[Path]) -> str | None:
    """The reference *was* of *file* as it has to be now, where *to* tells what it led to in the root document: under
    another name, if somebody gave it one, and none if it isn't to be found. *ours* are places that are none of its
    author's.
    """
    main, (name, _, _) = api.main, was.partition("#")
    path = _component(main, file, was)
    if name and not path and not REMOTE.match(was) and api.opener is not None:
        return was if api.file(joined(file.name, name)) is not None else None
    there = find(main.root, path) if path else None
    if not path or (there is not None and (record.is_digest(to) or not _other(main.root, path, to))):
        return was
    section = find(main.root, path[:-1])
    for entry in section.entries if isinstance(section, Mapping) and to else ():
        now = (*path[:-1], entry.key.value)
        if now not in ours and to in (_told(entry.value), digested(entry.value)):
            return was.partition("#")[0] + "#" + pointer(now)
    return None


def _component(main: File, file: File, ref: str) -> Path:
    """The place of the parameter, response or header of the root document *main* that a reference of *file* names; of
    all else an empty one, for it may not have been read.
    """
    name, _, fragment = ref.partition("#")
    root = posixpath.basename(main.document.path)
    if not fragment.startswith("/components/") or (joined(file.name, name) != root if name else file.name):
        return ()
    path = path_of(unquote(fragment))
    return path if len(path) == 3 and path[1] in ("parameters", "responses", "headers") else ()


def holds(root: Mapping, path: Path, digest: str) -> bool:
    """Whether the value with that *digest* stands at *path*."""
    node = find(root, path)
    return node is not None and digested(node) == digest


def digested(node: Node) -> str | None:
    """The digest of a value; none where not all of it was read."""
    try:
        return record.digest(plain(node))
    except ValueError:
        return None


def held(root: Mapping, share: record.Share) -> tuple[int, int]:
    """How much of *share* stands at its place in another document, and how much of it there is."""
    parts = [(path_of(at), digest) for at, digest in _digests(share)]
    return sum(holds(root, path, digest) for path, digest in parts), len(parts)


def _digests(share: record.Share) -> Iterator[tuple[str, str]]:
    yield from share.inserted.items()
    yield from ((at, one.now) for at, one in share.replaced.items())


def _told(node: Node | None) -> str:
    """Which parameter it is: its place and its name, a header's in lower case (RFC 9110, section 5.1)."""
    name, place = (node.get("name"), node.get("in")) if isinstance(node, Mapping) else (None, None)
    if not isinstance(name, Scalar) or not isinstance(place, Scalar):
        return ""
    return f"{place.value} {name.value.lower() if place.value == 'header' else name.value}"


def _collections(share: record.Share) -> tuple[Path, ...]:
    """The mappings whose keys are their author's to choose, as far as ours stands below them."""
    found: dict[Path, None] = {}
    for at, _ in _digests(share):
        path = path_of(at)
        if path[0] == "components" and len(path) > 3:
            found[path[:2]] = None
        elif path[0] == "paths" and len(path) > 2:
            found[path[:1]] = None
        elif path[0].startswith("/") and len(path) > 1:
            found[()] = None
    return tuple(found)


def _renamed(root: Mapping, share: record.Share, base: Path, unsure: set[str]) -> record.Share:
    """The share with the keys below *base* that somebody renamed since; adds what isn't there as we put it to *unsure*,
    but for what is told by other means than the key.
    """
    depth = len(base)
    node = find(root, base)
    there = [entry.key.value for entry in node.entries] if isinstance(node, Mapping) else []
    parts: dict[str, list[tuple[Path, str]]] = {}
    own: set[str] = set()
    for at, digest in _digests(share):
        path = path_of(at)
        if path[:depth] == base and len(path) > depth + 1:
            parts.setdefault(path[depth], []).append((path[depth + 1 :], digest))
        elif path[:depth] == base:
            own.add(path[-1])
    told = {name: share.within.get(pointer((*base, name)), "") for name in parts}
    lost = [name for name in parts if name not in there or _other(root, (*base, name), told[name])]
    if not lost:
        return share
    free = [name for name in there if name not in own and (name not in parts or name in lost)]
    new: dict[str, str] = {}
    for old in lost:
        best = _best(root, base, free, parts[old], told[old])
        if best is not None:
            free.remove(best)
            new[old] = best
            here = [((*base, best, *rest), digest) for rest, digest in parts[old] if not told[old]]
            unsure |= {pointer(path) for path, digest in here if not holds(root, path, digest)}

    def place(at: str) -> str | None:
        path = path_of(at)
        if path[:depth] != base or len(path) <= depth or path[depth] not in lost:
            return at
        if path[depth] not in new:
            return None if told[path[depth]] else at
        return pointer((*base, new[path[depth]], *path[depth + 1 :]))

    return share.moved(place)


def _other(root: Mapping, path: Path, told: str) -> bool:
    """Whether another parameter stands at *path* than the one that was told."""
    return bool(told) and _told(find(root, path)) != told


def _best(root: Mapping, base: Path, free: list[str], parts: list[tuple[Path, str]], told: str) -> str | None:
    """The name under which something stands now: of a parameter, that of the same one; else the one below which most
    of ours is, half of it at least.
    """
    if told:
        return next((name for name in free if _told(find(root, (*base, name))) == told), None)
    # What stands in a parameter of a list is told by that parameter, wherever in the list it is.
    telling = [(rest, digest) for rest, digest in parts if _PARAMETER.match(pointer(rest)) is None]
    hits = {name: sum(holds(root, (*base, name, *rest), digest) for rest, digest in telling) for name in free}
    best = max(hits, key=lambda name: hits[name], default=None)
    return best if best is not None and hits[best] and hits[best] * 2 >= len(telling) else None


class _Items:
    """The parameters in lists that something of ours stands in, and where they are now."""

    def __init__(self, root: Mapping, share: record.Share) -> None:
        self.root, self.share = root, share
        self.known: dict[str, str | None] = {}
        for at, _ in _digests(share):
            leads = _PARAMETER.match(at)
            if leads is not None and leads[1] not in self.known and not leads[1].startswith("/components/parameters/"):
                self.known[leads[1]] = self._now(leads[1], at)
        self.still = all(at == now for at, now in self.known.items())

    def place(self, at: str) -> str | None:
        """Where the place is now, if it is there."""
        leads = _PARAMETER.match(at)
        item = leads[1] if leads is not None else at
        if item not in self.known:
            return at
        now = self.known[item]
        return now + at[len(item) :] if now is not None else None

    def _now(self, item: str, at: str) -> str | None:
        path = path_of(item)
        holder = find(self.root, path[:-1])
        if not isinstance(holder, Sequence):
            # No list any more, or never one: a member that is called like that.
            return item if isinstance(holder, Mapping) else None
        told, instead = self.share.within.get(item, ""), self.share.replaced.get(f"{item}/$ref")
        taken = set(self.known.values())
        for index in sorted(range(len(holder.items)), key=lambda index: (str(index) != path[-1], index)):
            here = (*path[:-1], str(index))
            if pointer(here) in taken:
                continue
            same = bool(told) and _told(holder.items[index]) == told
            if same or (instead is not None and holds(self.root, (*here, "$ref"), instead.now)):
                return pointer(here)
        return self._extracted(holder, told) if told else None

    def _extracted(self, holder: Sequence, told: str) -> str | None:
        """The component that somebody made of the parameter, to which the list refers now."""
        for item in holder.items:
            ref = item.get("$ref") if isinstance(item, Mapping) else None
            path = path_of(ref.value[1:]) if isinstance(ref, Scalar) and ref.value.startswith(_COMPONENTS) else ()
            if path and _told(find(self.root, path)) == told:
                return pointer(path)
        return None
