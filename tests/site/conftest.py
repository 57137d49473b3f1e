"""What the tests of built sites share: commands as a user runs them, the browser, and sites served to it."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


def _run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1", "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture(scope="session")
def run() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command in a folder, with `idempact` and `mkdocs` on the path."""
    return _run


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's command; the test is skipped without one, and fails under CI."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("Chromium is missing, and CI must have it")
        pytest.skip("there is no Chromium on this machine")
    return found


@pytest.fixture(scope="session")
def smoke() -> ModuleType:
    """The checks that CI makes of a built site."""
    spec = importlib.util.spec_from_file_location("smoke", ROOT / ".ci" / "smoke.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


Visit = Callable[[Path], AbstractContextManager[tuple[Any, str]]]


@pytest.fixture
def visit(chromium: str, smoke: ModuleType, tmp_path: Path) -> Visit:
    """Serves a built site; gives a browser, and the host to ask."""

    @contextmanager
    def visited(site: Path) -> Iterator[tuple[Any, str]]:
        handler = functools.partial(smoke.Quiet, directory=str(site))
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            browser = smoke.Browser(chromium, str(tmp_path / "profile"))
            try:
                yield browser, f"127.0.0.1:{server.server_port}"
            finally:
                browser.close()
                server.shutdown()

    return visited
