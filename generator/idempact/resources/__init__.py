"""Where the shipped files live: inside the wheel, or at the repository's root in a checkout."""

from __future__ import annotations

from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[3]


def shipped(name: str) -> Path:
    """The shipped directory *name*: ``templates``, ``site_src`` or ``contract``.

    Wheels are installed unpacked, so a real path is promised (the templates' loader and the starter need one).
    """
    inside = Path(__file__).with_name(name)
    return inside if inside.is_dir() else _CHECKOUT / name


def shipped_file(name: str) -> Path:
    """The shipped file *name* (``mkdocs.yml``)."""
    inside = Path(__file__).with_name(name)
    return inside if inside.is_file() else _CHECKOUT / name
