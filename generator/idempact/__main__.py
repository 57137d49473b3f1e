"""``python -m idempact``."""

from __future__ import annotations

from idempact.cli import entry

if __name__ == "__main__":
    entry()
