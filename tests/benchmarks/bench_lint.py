"""How fast the lint reads Markdown: against markdown-it-py parsing the same text, and how its time grows.

Run by ``make bench``; prints one row per measure and exits 1 where a budget is missed. All numbers are from one run, in
processor time, each the best of several.
"""

from __future__ import annotations

import random
import sys
import time
from functools import partial

from markdown_it import MarkdownIt
from measures import ROOT, Rows, exponent, seconds

from idempact import load
from idempact.facts.derive import Facts
from idempact.prose.lint import lint
from idempact.text.span import Document

_TIMES_FASTER = 5.0
_MOST_GROWTH = 1.1
_SIZE = 1_500
"""Paragraphs in the text that is measured."""
_PAGES = ROOT / "site_src" / "project"
_ROUNDS = 5
_TURNS = 12
_FUZZED = 150
_MOST_SLOW = 1.3
"""The growth that no repeated piece may exceed; above the budget for noise, and far below a square."""
_PIECES = (
    *("` ", "``", "[a](", "](", "<a '", "<!--", "&amp", "> ", "- ", "| ", "*", "_", "\n", "\n\n", "```\n", "'''", "/*"),
    *(
        "Keys are kept for 9 hours. ",
        "the key answers 409, ",
        "`Idempotency-key` ",
        "POST /payments ",
        '"quoted words" ',
    ),
    *("exactly ", "once ", "we guarantee ", "only ", "not ", "never ", "twice, ", "key ", "24 hours ", "409; "),
    *("for (;;) { ", "sleep(", "uuid4() ", "if idempotency ", "select from idempotency ", "{{", "::\n", "----\n"),
    *("精确", "一次", "不", "garantiert ", "nur ", "no ", "sin ", "회 ", "한 번만 "),
)

_WORDS = """account balance update transfer settle read ledger endpoint access page load dashboard team review setting
region console customer object field list filter sort webhook event payload header response body client library version
merchant card bank country currency amount format report export invoice tax""".split()  # noqa: SIM905
# Words that phrases of ours hold, in sentences that break no rule; each time with other words, so that to remember
# sentences doesn't pay.
_SPOKEN = (
    "The key appears only once in the {} of the {}.",
    "Consumers of the {} must handle duplicates in the {}.",
    "Delivery of the {} takes two days after the {}.",
    "The deadline of the {} may be changed again by the {}.",
    "This lowers the risk of a delay of the {} in the {}.",
)


def text(paragraphs: int, seed: int = 7) -> str:
    """Documentation of so many paragraphs: headings, lists, code, links; a fifth of the paragraphs hold our words."""
    chance = random.Random(seed)
    out: list[str] = []
    for number in range(paragraphs):
        if number % 12 == 0:
            out.append("## " + " ".join(chance.choices(_WORDS, k=4)))
        words = chance.choices(_WORDS, k=45)
        words[7], words[21] = f"`{words[7]}.{words[8]}`", f"[{words[21]}](https://docs.example/{words[22]})"
        words[33] = f"**{words[33]}**"
        sentence = " ".join(words).capitalize()
        spoken = chance.choice(_SPOKEN).format(*chance.choices(_WORDS, k=2))
        out.append(f"{sentence}. {spoken}" if number % 5 == 0 else f"{sentence}.")
        if number % 9 == 0:
            out.append('```json\n{"amount": 100,\n "currency": "eur"}\n```')
        if number % 7 == 0:
            out.append("\n".join(f"- {' '.join(chance.choices(_WORDS, k=8))} `{number}`" for _ in range(3)))
    return "\n\n".join(out) + "\n"


def main() -> int:
    """Measure, print, and compare with the budgets."""
    document = Document("page.md", text(_SIZE))
    if lint(document):
        raise AssertionError("the text that is measured should give no findings")
    parser = MarkdownIt("commonmark")
    rows = Rows()
    ours, theirs = _both([document], parser)
    size = len(document.text.encode()) / 1e6
    rows.tell("lint", f"{ours * 1e3:8.1f} ms  {size / ours:6.1f} MB/s")
    rows.tell("markdown-it", f"{theirs * 1e3:8.1f} ms  {size / theirs:6.1f} MB/s")
    rows.at_least("lint, times faster", theirs / ours, _TIMES_FASTER)
    pages = [Document(path.name, path.read_text(encoding="utf-8")) for path in sorted(_PAGES.rglob("*.md"))]
    ours, theirs = _both(pages, parser)
    rows.tell("our own pages, times faster", f"{theirs / ours:8.2f}     they speak of little but keys and retries")
    documents = {n: Document("page.md", text(n)) for n in (_SIZE, 2 * _SIZE, 4 * _SIZE, 8 * _SIZE)}
    points = [(n, seconds(partial(lint, longer), _ROUNDS, collecting=True)) for n, longer in documents.items()]
    rows.budget("growth, lint", exponent(points), _MOST_GROWTH)
    slowest, piece, suffix = _slowest()
    rows.budget("growth, lint, slowest input", slowest, _MOST_SLOW, f"worst of {_FUZZED}: {suffix} {piece!r}")
    return 1 if rows.missed else 0


def _both(documents: list[Document], parser: MarkdownIt) -> tuple[float, float]:
    """The times of the lint and of the parser, in turn, so that what else the machine does falls on both."""
    works = (
        lambda: [lint(document) for document in documents],
        lambda: [parser.parse(document.text) for document in documents],
    )
    turns = [[seconds(work, 1, collecting=True) for work in works] for _ in range(_TURNS)]
    return min(turn[0] for turn in turns), min(turn[1] for turn in turns)


def _slowest(seed: int = 11) -> tuple[float, str, str]:
    """The greatest growth exponent over repeated pieces of marks and words, and the piece that it was found with.

    Every other piece is compared with our contract, too.
    """
    read = load(ROOT / "contract" / "contract.yaml").value
    facts = Facts.of(read.contract) if read is not None else None
    chance = random.Random(seed)
    worst = (0.0, "", "")
    for number in range(_FUZZED):
        piece = "".join(chance.choices(_PIECES, k=chance.randint(1, 4)))
        suffix = chance.choice((".md", ".html", ".rst", ".adoc", ".py", ".ts", ".sql", ".txt"))
        told = facts if number % 2 else None
        points = []
        for size in (20_000, 80_000):
            document = Document(f"a{suffix}", piece * (size // len(piece)))
            # What any run takes is added, so that times near nothing don't look like growth.
            points.append((size, min(_once(document, told), _once(document, told)) + 0.005))
        worst = max(worst, (exponent(points), piece, suffix))
    return worst


def _once(document: Document, facts: Facts | None) -> float:
    begin = time.process_time()
    lint(document, facts=facts)
    return time.process_time() - begin


if __name__ == "__main__":
    sys.exit(main())
