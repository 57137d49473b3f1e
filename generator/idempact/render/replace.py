"""Replace files' bytes so that a crash at any point leaves either the old file or the new one."""

from __future__ import annotations

import os
import signal
import stat
import tempfile
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from idempact.resources.typed import NoReturn
from idempact.text.dataclass import dataclass

try:
    import fcntl
except ImportError:  # a system without advisory locks: the check for changes stands alone there
    fcntl = None  # type: ignore[assignment]


class ChangedMeanwhile(OSError):
    """Somebody else wrote the file since it was read."""


Content = bytes | str
"""What a file holds or is to hold: its bytes, or the text that they are in UTF-8."""


@dataclass(frozen=True, slots=True)
class NewFile:
    """What a file is to hold. ``old`` is what was read there, where that must still be so; none where it may be any."""

    path: Path
    data: Content
    old: Content | None = None


def replace_file(path: Path, data: Content) -> None:
    """Put *data* at *path*, as :func:`replace_files` does."""
    replace_files((NewFile(path, data),))


def replace_files(files: Iterable[NewFile], still: Iterable[tuple[Path, Content]] = ()) -> None:
    """Put each file's bytes in place, missing folders made. Modes (owners, where allowed) and symbolic links are kept.

    All are written to neighbours and flushed to the disk first, then renamed over their targets in the order given
    (POSIX rename is atomic). *still* are files that were read and stay, with what was read. Raises OSError,
    ChangedMeanwhile before anything is renamed where one of them, or an ``old``, is not there any more.

    What is no file (a pipe, a terminal, another device) stays what it is: the bytes are written to it, at the end.
    A request to end (SIGTERM, SIGHUP) raises SystemExit meanwhile, so that no neighbour is left.
    """
    given = tuple(files)
    wanted = tuple(file for file in given if not _is_device(file.path))
    targets = [file.path.resolve() for file in wanted]
    read = [(target, file.old) for target, file in zip(targets, wanted, strict=True) if file.old is not None]
    read += ((path.resolve(), data) for path, data in still)
    with _ended_in_order(), ExitStack() as staged:
        names = [
            staged.enter_context(_neighbour(target, file.data)) for target, file in zip(targets, wanted, strict=True)
        ]
        for folder in sorted({target.parent for target in (*targets, *(path for path, _ in read))}):
            staged.enter_context(_locked(folder))
        for path, data in read:
            if not path.exists() or not _holds(path, data):
                raise ChangedMeanwhile(None, "somebody else wrote this file meanwhile, so nothing was written", path)
        for name, target in zip(names, targets, strict=True):
            os.replace(name, target)
        for folder in sorted({target.parent for target in targets}):
            _flush(folder)
    for file in given:
        if file not in wanted:
            with file.path.open("wb") as device:
                device.writelines(_pieces(file.data))


@contextmanager
def _ended_in_order() -> Iterator[None]:
    """What would end the process at once raises instead; in the main thread, where alone that can be asked for."""
    names = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    main = threading.current_thread() is threading.main_thread()
    ours = [name for name in names if main and signal.getsignal(name) is signal.SIG_DFL]
    try:
        for name in ours:
            signal.signal(name, _end)
        yield
    finally:
        for name in ours:
            signal.signal(name, signal.SIG_DFL)


def _end(number: int, _: object) -> NoReturn:
    raise SystemExit(128 + number)


def _is_device(path: Path) -> bool:
    """Whether something stands there that takes bytes and is no file; a rename would put a file in its place."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


_PIECE = 1 << 20


def _pieces(content: Content) -> Iterator[bytes]:
    """The bytes, of which a part is in memory at a time beside a text."""
    for at in range(0, len(content), _PIECE):
        piece = content[at : at + _PIECE]
        yield piece if isinstance(piece, bytes) else piece.encode()


def _holds(path: Path, content: Content) -> bool:
    """Whether these are the file's bytes."""
    with path.open("rb") as file:
        return all(file.read(len(piece)) == piece for piece in _pieces(content)) and not file.read(1)


@contextmanager
def _neighbour(target: Path, data: Content) -> Iterator[str]:
    """A flushed file with *data* beside *target*; gone afterwards unless it was renamed."""
    target.parent.mkdir(parents=True, exist_ok=True)
    old = target.stat() if target.exists() else None
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(_pieces(data))
            file.flush()
            os.fchmod(file.fileno(), stat.S_IMODE(old.st_mode) if old else 0o666 & ~_umask())
            if old is not None:
                with suppress(PermissionError):
                    os.fchown(file.fileno(), old.st_uid, old.st_gid)
            os.fsync(file.fileno())
        yield name
    finally:
        with suppress(FileNotFoundError):
            os.unlink(name)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """The folder, with other runs of ours kept from renaming in it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        if fcntl is not None:
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _flush(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
