"""The site read with one question each: from the home page at most two clicks to the anchor that answers.

The answers are written here by hand, so that they don't share a mistake with what renders them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import urljoin, urlsplit

import pytest

from idempact import load
from idempact.build import build

ROOT = Path(__file__).parents[2]
MOST_CLICKS = 2
CONTRACTS = sorted(
    path.relative_to(ROOT / "contract").as_posix()
    for path in (ROOT / "contract").rglob("*.yaml")
    if path.parent.name in ("contract", "vendors")
)
RETRY = "My request timed out. May I retry?"
ERROR = "I got an error code. Now what?"
WINDOW = "How long do I have?"
KEY = "Which key do I use?"
CRASH = "We crashed. Did it happen?"
# By contract: the question, the link that is clicked on the page that the question's first link opens (none where that
# page answers), and what the section then reads.
ANSWERS: dict[str, tuple[tuple[str, str | None, tuple[str, ...]], ...]] = {
    "contract.yaml": (
        (RETRY, None, ("no answer (read timeout, reset, closed, cut-off body) yes", "may have taken effect")),
        (ERROR, "idempotency_request_in_progress", ("409", "Wait, then repeat the same request with the same key")),
        (ERROR, "idempotency_outcome_unknown", ("409", "Look the outcome up, or ask", "https://acme.example/support")),
        (ERROR, "idempotency_key_reused", ("422", "Don't retry. Send the first request again")),
        (WINDOW, None, ("Within 24 hours after the first request", "Within 7 days after the first request")),
        (KEY, None, ("Named after the business event", "payment-{payment_attempt_id}", "refund-{refund_request_id}")),
        (CRASH, None, ("Repeat the same request with the key that you stored", "what comes back")),
    ),
    "vendors/stripe-v1.yaml": (
        (RETRY, None, ("no answer (read timeout, reset, closed, cut-off body) yes",)),
        (ERROR, "idempotency_key_in_use", ("409", "Wait, then repeat the same request with the same key")),
        (WINDOW, None, ("For at least 24 hours", "Some time after that, a reused key is a new request")),
        (KEY, None, ("Random, a UUID version 4",)),
        (CRASH, None, ("Repeat the same request with the key that you stored",)),
    ),
    "vendors/increase.yaml": (
        (RETRY, None, ("no answer (read timeout, reset, closed, cut-off body) yes",)),
        (ERROR, "idempotency_key_already_used_error", ("409", "Send the first request again")),
        (WINDOW, None, ("for how long, is not documented", "look the outcome up before a late retry")),
        (KEY, None, ("{invoice_id}",)),
        (CRASH, None, ("What a repeat with the same key gets is not documented",)),
    ),
    "vendors/rocket-rides.yaml": (
        (RETRY, None, ("no answer (read timeout, reset, closed, cut-off body) yes",)),
        (ERROR, None, ("409 First request still in progress Wait, then repeat the same request",)),
        (WINDOW, None, ("For at least 24 hours after the first request", "After 72 hours, a reused key")),
        (KEY, None, ("Made once, stored before the first attempt",)),
        (CRASH, None, ("Repeat the same request with the key that you stored",)),
    ),
    "vendors/telnyx.yaml": (
        # Two sets of advice: the second click chooses the operation.
        (RETRY, "What to retry", ("no answer (read timeout, reset, closed, cut-off body) yes",)),
        (ERROR, "request_in_progress", ("409", "Wait, then repeat the same request with the same key")),
        (WINDOW, None, ("kept for 24 hours at most", "Within 24 hours")),
        (KEY, None, ("Random, a UUID version 4",)),
        (CRASH, None, ("Repeat the same request with the key that you stored",)),
    ),
}
# The first link in the row of a question; the link of a name in the page's text or table of contents; the text of the
# section that an address names (a whole page, if it names none).
LINK = """((question) => {
  const row = [...document.querySelectorAll('.md-content tr')].find(row => row.cells[0].innerText.trim() === question);
  const link = row && row.querySelector('a:not(.headerlink)');
  return link ? link.href : null;
})(%s)"""
NAMED = """((name) => {
  const links = [...document.querySelectorAll('.md-content a, .md-sidebar--secondary a')];
  const link = links.find(link => link.textContent.trim() === name);
  return link ? link.href : null;
})(%s)"""
CLICK = "[...document.querySelectorAll('a')].find(link => link.href === %s).click()"
SECTION = """(() => {
  const tidy = text => text.replace(/\\u00b6/g, ' ').replace(/\\s+/g, ' ');
  const id = decodeURIComponent(location.hash.slice(1));
  if (!id) return tidy(document.querySelector('.md-content').innerText);
  const start = document.getElementById(id);
  if (!start || !start.offsetParent) return null;
  let text = start.innerText;
  for (let next = start.nextElementSibling; next && next.tagName !== start.tagName; next = next.nextElementSibling)
    text += '\\n' + next.innerText;
  return tidy(text);
})()"""


@pytest.fixture(scope="module")
def browser(smoke: ModuleType, chromium: str) -> Iterator[Any]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        started = smoke.Browser(chromium, profile)
        yield started
        started.close()


def run(folder: Path, *words: str) -> None:
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr


def clicked(browser: Any, link: str) -> None:
    """Click the link to an address, and wait until the page is there: a link within the page loads none."""
    here = browser.value("location.href").partition("#")[0]
    browser.events.clear()
    browser.value(CLICK % json.dumps(link))
    if link.partition("#")[0] != here:
        browser.until(lambda event: event.get("method") == "Page.loadEventFired")
    assert browser.value("location.href") == link


@pytest.mark.parametrize("name", ANSWERS)
def test_each_question_is_answered_within_two_clicks(
    tmp_path: Path, smoke: ModuleType, browser: Any, name: str
) -> None:
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    sources = ("--site", str(ROOT / "site_src" / "integrator"))
    run(tmp_path, "idempact", "build", str(ROOT / "contract" / name), "--out", "build/docs", *sources)
    run(tmp_path, "mkdocs", "build", "--strict", "--quiet", "--config-file", "build/mkdocs.yml")
    site = str(tmp_path / "build" / "site")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(smoke.Quiet, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        for question, follow, answers in ANSWERS[name]:
            browser.open(f"http://127.0.0.1:{server.server_port}/", smoke.WIDE)
            clicks = 0
            for find, wanted in ((LINK, question), (NAMED, follow)):
                if wanted is not None:
                    link = browser.value(find % json.dumps(wanted))
                    assert link, f"{question}: no link {wanted} on {browser.value('location.href')}"
                    clicked(browser, link)
                    clicks += 1
            assert clicks <= MOST_CLICKS
            section = browser.value(SECTION)
            assert section, f"{question}: {browser.value('location.href')} leads nowhere"
            for answer in answers:
                assert answer in section, (question, browser.value("location.href"), section)
    finally:
        server.shutdown()
        server.server_close()


def rows(page: str) -> list[list[str]]:
    """The links of each row of the home page's table of questions."""
    table = next(block for block in page.split("\n\n") if "#after-a-crash" in block)
    return [re.findall(r"\]\(([^)]*)\)", line) for line in table.splitlines()[2:]]


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_questions_links_lead_to_places_that_are_there_for_every_contract(name: str) -> None:
    found = load(ROOT / "contract" / name)
    assert found.value is not None
    contract = found.value.contract
    both = replace(contract, publish=replace(contract.publish, locales=("en", "zh"), languages=("shell",)))
    made = build(replace(found.value, contract=both), contract_name=name)
    assert made.value is not None
    pages = {artifact.path: artifact.text for artifact in made.value.artifacts if artifact.path.endswith(".md")}
    for home in ("index.md", "zh/index.md"):
        links = rows(pages[home])
        assert len(links) == 5
        for row in links:
            for link in row:
                address = urlsplit(urljoin(home, link))
                assert address.path in pages, link
                if address.fragment:
                    assert re.search(rf"^#+ .*\{{ #{address.fragment} \}}$", pages[address.path], re.M), link
