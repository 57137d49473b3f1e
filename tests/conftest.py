"""What tests of several folders share: how properties are tried, and the OpenAPI linters, which are installed once."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Machines differ in speed, and several suites may share one: a slow example is no failure.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

# Pinned here as constraints.txt pins Python packages: raised by hand, after a look at what they find then.
LINTERS = ("@stoplight/spectral-cli@6.16.3", "@redocly/cli@2.77.0")


VALIDATORS = ("@microsoft/sarif-multitool@5.7.0",)
# A YAML reader and an applier of overlays that are written in another language and by others than ours.
READERS = ("yaml@2.9.1", "openapi-overlays-js@0.2.0")


@pytest.fixture(scope="session")
def linters() -> Path:
    """The folder of the commands ``spectral`` and ``redocly``; see :func:`installed`."""
    return installed("Spectral and Redocly", LINTERS) / ".bin"


@pytest.fixture(scope="session")
def node_tools() -> Path:
    """The folder that Node finds the packages of READERS from; see :func:`installed`."""
    return installed("a YAML reader and an applier of overlays for Node", READERS).parent


@pytest.fixture(scope="session")
def sarif_multitool() -> Path:
    """The folder of Microsoft's validator of SARIF, in which the standard's own schema lies; see :func:`installed`."""
    if sys.platform != "linux":
        pytest.skip("the validator of SARIF is taken for Linux only")
    folder = installed("the validator of SARIF", VALIDATORS) / "@microsoft" / "sarif-multitool-linux"
    # The package's own script would do this, and scripts of packages aren't run.
    (folder / "Sarif.Multitool").chmod(0o755)
    return folder


def installed(what: str, packages: tuple[str, ...]) -> Path:
    """The folder of npm's *packages*, installed once for each choice of versions.

    Skips where npm or the network is missing; under CI they must be there.
    """
    name = "-".join(part.strip("@").replace("/", "-") for part in packages)
    folder = Path(__file__).parents[1] / "build" / "workshops" / name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".prepared").exists():
            why = _install(folder, packages)
            if why:
                if os.environ.get("CI") == "true":
                    pytest.fail(f"CI must have {what}: {why}")
                pytest.skip(f"{what} can't be installed: {why}")
            (folder / ".prepared").touch()
    return folder / "node_modules"


def _install(folder: Path, packages: tuple[str, ...]) -> str:
    """Install them; why that failed, if so."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is missing"
    quietly = ("--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", ".")
    done = subprocess.run(
        [npm, "install", *quietly, *packages], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stderr[-300:] if done.returncode != 0 else ""
