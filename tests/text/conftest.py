"""How the text layer's properties are tried."""

from __future__ import annotations

from hypothesis import settings

# Machines differ in speed, and several suites may share one: a slow example is no failure.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
