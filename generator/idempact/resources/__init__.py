"""Where the shipped files live: inside the wheel, or at the repository's root in a checkout."""

from __future__ import annotations

import os

from idempact.resources.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def shipped(name: str) -> Path:
    """The shipped directory *name*: ``templates``, ``site_src`` or ``contract``.

    Wheels are installed unpacked, so a real path is promised (the templates' loader and the starter need one).
    """
    return _place(name)


def shipped_file(name: str) -> Path:
    """The shipped file *name* (``mkdocs.yml``)."""
    return _place(name)


def shipped_folders(name: str, below: str) -> tuple[str, ...]:
    """The names of the folders in the folder *below* of the shipped directory *name*, sorted."""
    with os.scandir(os.path.join(_named(name), below)) as entries:
        return tuple(sorted(entry.name for entry in entries if entry.is_dir()))


def _place(name: str) -> Path:
    # Most commands ask for no shipped file, and to load pathlib takes a twentieth of a check.
    from pathlib import Path

    return Path(_named(name))


def _named(name: str) -> str:
    here = os.path.dirname(__file__)
    inside = os.path.join(here, name)
    checkout = os.path.normpath(os.path.join(os.path.realpath(here), *[os.pardir] * 3, name))
    return inside if os.path.exists(inside) else checkout
