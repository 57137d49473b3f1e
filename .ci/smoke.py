"""Open every page of the built site in headless Chromium, wide and as narrow as a phone.

Usage: smoke.py SITE_DIR [SCREENSHOT_DIR]. Faults: a page without a heading, a request to another host, an error on the
console, a page that scrolls sideways on a phone, a search that doesn't find a machine code. Chromium is driven by the
DevTools protocol over its pipe (https://chromedevtools.github.io/devtools-protocol/).
"""

from __future__ import annotations

import base64
import functools
import http.server
import itertools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)
WIDE, PHONE = (1280, 900), (390, 844)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """The site's files, without a line for each request."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Browser:
    """One Chromium with one page, driven by its pipe."""

    def __init__(self, chromium: str, profile: str) -> None:
        to_child, self._write = os.pipe()
        self._read, from_child = os.pipe()

        def fds() -> None:
            # The protocol's pipe is file descriptor 3 for reading and 4 for writing. Both ends are moved out of the
            # way first, so that neither dup2 overwrites the other's source.
            reading, writing = os.dup(to_child), os.dup(from_child)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        command = [chromium, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self.process = subprocess.Popen(
            command, preexec_fn=fds, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(to_child)
        os.close(from_child)
        self._numbers = itertools.count(1)
        self._buffer = b""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session: str | None = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        # The theme remembers the palette of an earlier visit, which is none of this one's business.
        self.call("Page.addScriptToEvaluateOnNewDocument", source="try { localStorage.clear() } catch {}")

    session = None

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """One command's result; events that come meanwhile are kept."""
        number = next(self._numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
            self.events.append(answer)

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            chunk = os.read(self._read, 65536)
            if not chunk:
                raise RuntimeError("Chromium went away")
            self._buffer += chunk
        raw, self._buffer = self._buffer.split(b"\0", 1)
        message: dict[str, Any] = json.loads(raw)
        return message

    def until(self, wanted: Callable[[dict[str, Any]], bool]) -> None:
        """Read events until one is wanted; those that came already count."""
        while not any(wanted(event) for event in self.events):
            self.events.append(self._next())

    def open(self, url: str, size: tuple[int, int], dark: bool = False) -> None:
        """Load a page at a size, and wait until it has loaded."""
        width, height = size
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.until(lambda event: event.get("method") == "Page.loadEventFired")

    def value(self, expression: str) -> Any:
        """What an expression (a promise is awaited) gives in the page."""
        result = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"]))
        return result["result"].get("value")

    def screenshot(self, path: Path) -> None:
        """The whole page as a PNG."""
        image = self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"]
        path.write_bytes(base64.b64decode(image))

    def close(self) -> None:
        """End Chromium."""
        self.process.terminate()
        self.process.wait(timeout=20)
        os.close(self._write)
        os.close(self._read)


def console_faults(events: list[dict[str, Any]]) -> list[str]:
    """The errors among the events, as texts."""
    out = []
    for event in events:
        params = event.get("params", {})
        if event.get("method") == "Runtime.exceptionThrown":
            out.append(str(params["exceptionDetails"].get("text")))
        if event.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            out.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
    return out


def other_hosts(events: list[dict[str, Any]], host: str) -> set[str]:
    """The hosts beside *host* that the page asked."""
    urls = [e["params"]["request"]["url"] for e in events if e.get("method") == "Network.requestWillBeSent"]
    return {urlsplit(url).netloc for url in urls if url.startswith(("http", "ws"))} - {host}


SEARCH = """
(async () => {
  const field = document.querySelector('input.md-search__input');
  field.focus();
  field.value = %s;
  field.dispatchEvent(new Event('keyup', {bubbles: true}));
  field.dispatchEvent(new Event('input', {bubbles: true}));
  for (let turn = 0; turn < 100; turn++) {
    const links = [...document.querySelectorAll('.md-search-result__link')].map(a => a.href);
    if (links.length) return links;
    await new Promise(done => setTimeout(done, 100));
  }
  return [];
})()
"""


def check(browser: Browser, host: str, pages: list[str], shots: Path | None) -> tuple[list[str], int]:
    """The faults of all pages, and how many requests went to other hosts."""
    faults: list[str] = []
    foreign = 0
    for page in pages:
        url = f"http://{host}/{page}" if page else f"http://{host}/"
        for name, size, dark in (("light", WIDE, False), ("dark", WIDE, True), ("phone", PHONE, False)):
            browser.open(url, size, dark)
            if not browser.value("document.querySelector('h1')?.textContent.trim().length > 0"):
                faults.append(f"{url}: no heading was rendered")
            scheme = browser.value("document.body.getAttribute('data-md-color-scheme')")
            if scheme != ("slate" if dark else "default"):
                faults.append(f"{url}: the colours are {scheme} where {name} was asked for")
            others = other_hosts(browser.events, host)
            foreign += len(others)
            faults += [f"{url}: asked another host: {other}" for other in sorted(others)]
            faults += [f"{url}: {fault}" for fault in console_faults(browser.events)]
            width = browser.value("document.documentElement.scrollWidth")
            if width > size[0]:
                faults.append(f"{url}: {width} pixels wide in a window of {size[0]}")
            if shots is not None:
                browser.screenshot(shots / f"{(page.strip('/') or 'home').replace('/', '-')}-{name}.png")
    return faults, foreign


def check_search(browser: Browser, host: str, codes: list[str]) -> list[str]:
    """The machine codes that the site's search doesn't find on their own page."""
    faults = []
    for code in codes:
        browser.open(f"http://{host}/", WIDE)
        found = browser.value(SEARCH % json.dumps(code))
        if not any(f"/errors/{code}/" in link for link in found):
            faults.append(f"the search for {code} finds {found or 'nothing'}")
    return faults


def main(site: Path, shots: Path | None) -> int:
    """Visit every page; 0 if nothing is wrong."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        print("no Chromium on this machine")
        return 1
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    host = f"127.0.0.1:{server.server_port}"
    indexes = (path.parent.relative_to(site).as_posix() for path in site.rglob("index.html"))
    pages = sorted("" if name == "." else f"{name}/" for name in indexes)
    codes = sorted(path.parent.name for path in (site / "errors").glob("*/index.html"))
    if shots is not None:
        shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        try:
            faults, foreign = check(browser, host, pages, shots)
            faults += check_search(browser, host, codes[:1])
        finally:
            browser.close()
    server.shutdown()
    server.server_close()
    if not pages:
        faults.append(f"{site} holds no pages")
    print("\n".join(faults) or f"{len(pages)} pages rendered, wide, dark and narrow; search finds {codes[:1]}")
    print(f"{foreign} requests to other hosts")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
