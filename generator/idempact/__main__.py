"""``python -m idempact``."""

from __future__ import annotations

import sys

from idempact.cli import main

if __name__ == "__main__":
    sys.exit(main())
