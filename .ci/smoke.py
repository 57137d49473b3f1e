"""Open every page of the built site in headless Chromium, wide and as narrow as a phone.

Usage: smoke.py SITE_DIR [--shots DIR] [--axe axe.min.js]. Faults: a page without a heading, a request to another host,
an error on the console, a page that scrolls sideways on a phone, a link within a page that leads nowhere, a search that
doesn't find a machine code, a header or a status, tabs that don't stay in step, a copy button that copies something
else than is shown, a printed page without its text, and what axe-core (https://github.com/dequelabs/axe-core) calls
serious or critical. Chromium is driven by the DevTools protocol over its pipe
(https://chromedevtools.github.io/devtools-protocol/).
"""

from __future__ import annotations

import argparse
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
        result = self.call(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
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


# Anchors of the page's own that no element has.
LOST = """[...document.querySelectorAll('a[href^="#"]')].map(a => decodeURIComponent(a.hash.slice(1)))
  .filter(id => id && !document.getElementById(id))"""
AXE = """axe.run(document, {resultTypes: ['violations']}).then(found => found.violations
  .filter(v => ['serious', 'critical'].includes(v.impact))
  .map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(', ')))"""
# Chooses the second tab of the first set; the names that each set of tabs then shows.
TABS = """(() => {
  const sets = [...document.querySelectorAll('.tabbed-set')];
  const labels = set => [...set.querySelectorAll(':scope > .tabbed-labels > label')];
  const chosen = set => [...set.querySelectorAll(':scope > input')].findIndex(input => input.checked);
  const wanted = labels(sets[0])[1];
  wanted.click();
  return sets.filter(set => labels(set).some(l => l.textContent.trim() === wanted.textContent.trim()))
    .map(set => labels(set)[chosen(set)].textContent.trim() === wanted.textContent.trim());
})()"""
COPY = """(async () => {
  let copied = null;
  navigator.clipboard.writeText = async text => { copied = text; };
  document.addEventListener('copy', () => {
    const field = document.activeElement;
    copied = 'value' in field ? field.value : getSelection().toString();
  }, true);
  const button = document.querySelector('.md-code__button[data-md-type="copy"], .md-clipboard');
  if (!button) return 'there is no copy button';
  button.click();
  await new Promise(done => setTimeout(done, 200));
  const shown = button.closest('.highlight').querySelector('code').innerText.trimEnd();
  if (copied === null) return 'the copy button copies nothing';
  return copied.trimEnd() === shown ? '' : 'the copy button copies something else than is shown';
})()"""


def check_behaviour(browser: Browser, host: str) -> list[str]:
    """What the code page does: tabs of one name change together, a button copies its code, print shows the text."""
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    url = f"http://{host}/code/"
    browser.open(url, WIDE)
    faults = []
    if browser.value("document.querySelectorAll('.tabbed-set').length"):
        steps = browser.value(TABS)
        if not all(steps):
            faults.append(f"{url}: {steps.count(False)} of {len(steps)} sets of tabs don't change with the first")
        fault = browser.value(COPY)
        faults += [f"{url}: {fault}"] if fault else []
    browser.call("Emulation.setEmulatedMedia", media="print")
    hidden = browser.value("getComputedStyle(document.querySelector('.md-content')).display === 'none'")
    faults += [f"{url}: nothing is printed"] if hidden else []
    browser.call("Emulation.setEmulatedMedia", media="")
    return faults


def check(browser: Browser, host: str, pages: list[str], shots: Path | None, axe: str | None) -> tuple[list[str], int]:
    """The faults of all pages, and how many requests went to other hosts; *axe* is the library's own text."""
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
            faults += [f"{url}: the link to #{lost} leads nowhere" for lost in browser.value(LOST)]
            if axe is not None:
                browser.value(axe)
                faults += [f"{url} ({name}): {found}" for found in browser.value(AXE)]
            if shots is not None:
                browser.screenshot(shots / f"{(page.strip('/') or 'home').replace('/', '-')}-{name}.png")
    return faults, foreign


def check_search(browser: Browser, host: str, wanted: dict[str, str]) -> list[str]:
    """The words that the site's search doesn't find on the page where they belong."""
    faults = []
    for word, page in wanted.items():
        browser.open(f"http://{host}/", WIDE)
        found = browser.value(SEARCH % json.dumps(word))
        if not any(page in link for link in found):
            faults.append(f"the search for {word} finds {found or 'nothing'}")
    return faults


def searched(site: Path) -> dict[str, str]:
    """What an integrator types, from the contract beside the site, and the page that must answer."""
    contract = json.loads((site / "downloads" / "contract.json").read_text(encoding="utf-8"))
    codes = sorted(path.parent.name for path in (site / "errors").glob("*/index.html"))
    wanted = {code: f"/errors/{code}/" for code in codes[:1]}
    name, mismatch = contract["key"].get("name"), contract["answers"].get("mismatch")
    if isinstance(name, str):
        wanted[name] = "/keys/"
    if isinstance(mismatch, dict) and isinstance(mismatch.get("status"), int):
        wanted[str(mismatch["status"])] = "/errors/"
    return wanted


def main(site: Path, shots: Path | None, axe: Path | None) -> int:
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
    wanted = searched(site)
    library = axe.read_text(encoding="utf-8") if axe else None
    if shots is not None:
        shots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        try:
            faults, foreign = check(browser, host, pages, shots, library)
            faults += check_behaviour(browser, host)
            faults += check_search(browser, host, wanted)
        finally:
            browser.close()
    server.shutdown()
    server.server_close()
    if not pages:
        faults.append(f"{site} holds no pages")
    print("\n".join(faults) or f"{len(pages)} pages rendered, wide, dark and narrow; search finds {list(wanted)}")
    print(f"{foreign} requests to other hosts")
    return 1 if faults else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("site", type=Path)
    parser.add_argument("--shots", type=Path)
    parser.add_argument("--axe", type=Path)
    given = parser.parse_args()
    sys.exit(main(given.site, given.shots, given.axe))
