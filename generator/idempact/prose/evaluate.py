"""How well the lint judges sentences whose verdicts people gave."""

from __future__ import annotations

from math import sqrt

from idempact.prose.lint import lint
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Checked, Diagnostic, Severity
from idempact.text.span import Document

_VERDICTS = ("flag", "ok")


@dataclass(frozen=True, slots=True)
class Tally:
    """One language's counts: ``found`` rightly, ``missed``, found ``wrong``ly, and let go rightly (``passed``)."""

    language: str
    found: int
    missed: int
    wrong: int
    passed: int

    @property
    def sentences(self) -> int:
        """How many sentences were judged."""
        return self.found + self.missed + self.wrong + self.passed

    @property
    def precision(self) -> float | None:
        """The share of findings that are right; none where nothing was found."""
        return self.found / (self.found + self.wrong) if self.found + self.wrong else None

    @property
    def recall(self) -> float | None:
        """The share of overclaims that were found; none where there are none."""
        return self.found / (self.found + self.missed) if self.found + self.missed else None

    @property
    def precision_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the precision; none where nothing was found."""
        return wilson(self.found, self.found + self.wrong)

    @property
    def recall_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the recall; none where there are no overclaims."""
        return wilson(self.found, self.found + self.missed)


def wilson(hits: int, trials: int) -> tuple[float, float] | None:
    """Wilson's score interval at 95 % for *hits* out of *trials* (E. B. Wilson, JASA 22, 1927); none for no trials."""
    if not trials:
        return None
    z = 1.959963984540054
    share = hits / trials
    middle = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    return max((middle - reach) / scale, 0.0), min((middle + reach) / scale, 1.0)


@dataclass(frozen=True, slots=True)
class Misjudged:
    """A sentence that the lint and the people judge differently."""

    line: int
    language: str
    wanted: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The counts per language, sorted, and every sentence that was misjudged."""

    tallies: tuple[Tally, ...]
    misjudged: tuple[Misjudged, ...]

    @property
    def total(self) -> Tally:
        """All languages together, under the name "all"."""
        sums = ((t.found, t.missed, t.wrong, t.passed) for t in self.tallies)
        return Tally("all", *(sum(column) for column in zip(*sums, strict=True))) if self.tallies else _NONE


_NONE = Tally("all", 0, 0, 0, 0)


def evaluate(document: Document) -> Checked[Evaluation]:
    """Judge a table of tab-separated verdict (flag or ok), language, sentence, and columns that don't count.

    The first line names the columns. A line of another form is an error at its place.
    """
    counts: dict[str, dict[tuple[str, str], int]] = {}
    misjudged: list[Misjudged] = []
    diagnostics: list[Diagnostic] = []
    for number in range(2, document.lines + 1):
        line = document.line(number)
        if not line.strip():
            continue
        cells = line.split("\t")
        if len(cells) < 3 or cells[0] not in _VERDICTS:
            start = document.offset(number)
            diagnostics.append(_malformed(document, start, start + len(line)))
            continue
        wanted, language, sentence = cells[:3]
        given = _VERDICTS[0] if lint(Document("sentence.md", sentence)) else _VERDICTS[1]
        tally = counts.setdefault(language, {})
        tally[wanted, given] = tally.get((wanted, given), 0) + 1
        if given != wanted:
            misjudged.append(Misjudged(number, language, wanted, sentence))
    if diagnostics:
        return Checked(None, tuple(diagnostics))
    tallies = tuple(_tally(language, counts[language]) for language in sorted(counts))
    return Checked(Evaluation(tallies, tuple(misjudged)))


def _tally(language: str, counts: dict[tuple[str, str], int]) -> Tally:
    flag, ok = _VERDICTS
    order = ((flag, flag), (flag, ok), (ok, flag), (ok, ok))
    return Tally(language, *(counts.get(pair, 0) for pair in order))


def _malformed(document: Document, start: int, end: int) -> Diagnostic:
    return Diagnostic(
        "prose/malformed-verdict",
        Severity.ERROR,
        "this line has no verdict (flag or ok), language and sentence, separated by tabs",
        document.span(start, end),
        hint="the first line names the columns: verdict, lang, sentence; further columns are free",
    )
