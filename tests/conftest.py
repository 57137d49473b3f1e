"""What tests of several folders share: how properties are tried, and the OpenAPI linters, which are installed once."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Machines differ in speed, and several suites may share one: a slow example is no failure.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# Pinned here as constraints.txt pins Python packages: raised by hand, after a look at what they find then.
LINTERS = ("@stoplight/spectral-cli@6.16.3", "@redocly/cli@2.77.0")


@pytest.fixture(scope="session")
def linters() -> Path:
    """The folder of the commands ``spectral`` and ``redocly``, installed once for each choice of versions.

    Skips where npm or the network is missing; under CI they must be there.
    """
    name = "-".join(part.strip("@").replace("/", "-") for part in LINTERS)
    folder = Path(__file__).parents[1] / "build" / "workshops" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".prepared").exists():
            why = _install(folder)
            if why:
                if os.environ.get("CI") == "true":
                    pytest.fail(f"CI must have Spectral and Redocly: {why}")
                pytest.skip(f"Spectral and Redocly can't be installed: {why}")
            (folder / ".prepared").touch()
    return folder / "node_modules" / ".bin"


def _install(folder: Path) -> str:
    """Install them; why that failed, if so."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is missing"
    quietly = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", ".")
    done = subprocess.run([npm, "install", *quietly, *LINTERS], cwd=folder, capture_output=True, text=True, check=False)
    return done.stderr[-300:] if done.returncode != 0 else ""
