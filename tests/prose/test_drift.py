"""Prose compared with the contract: what disagrees, and what is replaced."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from idempact.cli import main
from idempact.contract.units import Duration, NotDocumented
from idempact.facts.derive import Facts
from idempact.prose.finding import Finding
from idempact.prose.fix import fixed
from idempact.prose.lint import findings, lint
from idempact.text.diagnostic import Severity
from idempact.text.span import Document
from idempact.wording.fold import fold
from idempact.wording.measure import measures

HERE = Path(__file__).parent


def test_drift(drift_case: Any, contract_facts: Facts) -> None:
    found = lint(Document(drift_case.title.partition(":")[0], drift_case.text), facts=contract_facts)
    told = [f"{s.line}:{s.column}-{s.end_line}:{s.end_column} {d.rule}" for d in found if (s := d.span)]
    assert told == list(drift_case.findings)


@pytest.mark.parametrize(
    ("table", "least"),
    [("drift.tsv", 56), ("drift_second.tsv", 24), ("drift_third.tsv", 117), ("drift_fourth.tsv", 33)],
)
def test_passages_are_compared_as_people_do(table: str, least: int, contract_facts: Facts) -> None:
    rows = [row.split("\t") for row in (HERE / table).read_text(encoding="utf-8").splitlines()[1:]]
    wrong: list[tuple[str, set[str]]] = []
    for _, wanted, passage in rows:
        found = {d.rule for d in lint(Document("a.md", passage), facts=contract_facts) if "drift" in d.rule}
        if found != ({wanted} - {"-"}):
            wrong.append((passage, found))
    assert len(rows) - len(wrong) >= least, wrong


def test_a_language_is_silent_where_the_sentence_shows_another(contract_facts: Facts) -> None:
    # "h" and "idempoten" are words of five of our languages, but only one of them knows what waiting is here.
    text = "Wait 5 h before you send the idempotency key again; it is still valid then."
    text += "\n\n请等待 2 秒后使用同一个幂等键重试。\n"
    assert lint(Document("a.md", text), facts=contract_facts) == ()


def test_both_ends_of_a_range_are_compared(contract_facts: Facts) -> None:
    found = lint(Document("a.md", "Keys have between 8 and 64 characters.\n"), facts=contract_facts)
    assert [(d.span.column, d.span.end_column, "minimum" in d.message) for d in found if d.span] == [
        (19, 20, True),
        (25, 38, False),
    ]


def test_without_a_contract_nothing_is_compared_and_allowances_are_not_in_vain() -> None:
    text = "<!-- idempact: allow prose/drift-window because the old API had it -->\nKeys were kept for 12 hours.\n"
    assert lint(Document("a.md", text)) == ()


@pytest.mark.parametrize(
    ("language", "text", "hours"),
    [
        ("en", "for a day", 24),
        ("en", "for 86,400 seconds", 24),
        ("en", "for 24h, not 24hz", 24),
        ("en", "for half an hour", 0.5),
        ("zh", "保留七天", 168),
        ("zh", "保留 24 個小時", 24),
        ("de", "zwei Wochen", 336),
        ("fr", "pendant 48 heures", 48),
        ("es", "durante siete días", 168),
        ("pt", "por três dias", 72),
        ("ja", "24時間", 24),
        ("ko", "24시간 동안", 24),
    ],
)
def test_durations_are_understood(language: str, text: str, hours: float) -> None:
    (measure,) = (m for m in measures() if m.language == language)
    assert [amount.value / 3_600_000 for amount in measure.durations(fold(text).text)] == [hours]


@given(st.integers(1, 9_999), st.sampled_from([("hours", 1), ("days", 24), ("h", 1), ("minutes", 1 / 60)]))
def test_any_window_but_the_contracts_is_found(count: int, unit: tuple[str, float]) -> None:
    name, hours = unit
    text = f"Idempotency keys are kept for {count} {name}."
    (measure,) = (m for m in measures() if m.language == "en")
    (amount,) = measure.durations(fold(text).text)
    assert amount.value == pytest.approx(count * hours * 3_600_000)


def test_fix_writes_names_and_nothing_else(contract_facts: Facts) -> None:
    text = "Send `X-Idempotency-Key`.\r\n\r\nThe error `idempotency_key_reuse` says so. Keys live 12 hours.\r\n"
    found = [f for f in findings(Document("a.md", text), facts=contract_facts) if isinstance(f, Finding)]
    assert fixed(text, found) == (
        "Send `Idempotency-Key`.\r\n\r\nThe error `idempotency_key_reused` says so. Keys live 12 hours.\r\n",
        2,
    )


_PARTS = st.lists(st.tuples(st.text("abc", max_size=5), st.one_of(st.none(), st.text("XY", max_size=3))), max_size=8)


@given(_PARTS)
def test_fixing_replaces_the_stretches_and_keeps_the_rest(parts: list[tuple[str, str | None]]) -> None:
    found, at = [], 0
    for words, replacement in parts:
        found.append(Finding("rule", Severity.WARNING, "", at, at + len(words), replacement=replacement))
        at += len(words)
    wanted = "".join(words if replacement is None else replacement for words, replacement in parts)
    assert fixed("".join(words for words, _ in parts), found)[0] == wanted


_SENTENCES = st.lists(
    st.sampled_from(
        [
            "Send `X-Idempotency-Key` with it.",
            "The *Idempotency-Token* header is required.",
            "The error `idempotency_key_reuse` says so.",
            "Keys live 12 hours.",
            "Payments run exactly once.",
            "同一个幂等键放在 `X-Idempotency-Key` 请求头中。",
            "Nothing to see.",
        ]
    ),
    min_size=1,
    max_size=6,
)
_FRAMES = {
    "a.md": "{}\r\n",
    "a.html": "<p>{}</p>\n",
    "a.rst": "{}\n",
    "a.txt": "{}",
    "a.yaml": "openapi: 3.1.0\ninfo:\n  description: |\n    {}\n",
    "a.json": '{{"openapi": "3.1.0", "info": {{"description": "\\u00e9 {}"}}}}',
    "a.py": "# {}\n",
}


@settings(max_examples=60, deadline=None)
@given(_SENTENCES, st.sampled_from(sorted(_FRAMES)))
def test_what_was_fixed_is_found_no_more_and_all_else_as_before(
    contract_facts: Facts, sentences: list[str], name: str
) -> None:
    def found(text: str) -> list[Finding]:
        return [f for f in findings(Document(name, text), facts=contract_facts) if isinstance(f, Finding)]

    text = _FRAMES[name].format(" ".join(sentences))
    before = found(text)
    after, count = fixed(text, before)
    assert count == sum(f.replacement is not None for f in before)
    left = [(f.rule, after[f.start : f.end]) for f in found(after)]
    assert left == [(f.rule, text[f.start : f.end]) for f in before if f.replacement is None]
    assert fixed(after, found(after)) == (after, 0)


def test_the_command_compares_and_fixes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = next(p for p in Path(__file__).resolve().parents if (p / "pyproject.toml").is_file())
    contract = str(root / "contract" / "contract.yaml")
    page = tmp_path / "a.md"
    page.write_bytes(b"\xef\xbb\xbfSend `X-Idempotency-Key`.\r\n")
    assert main(["lint", "--strict", "--contract", contract, str(page)]) == 1
    assert "prose/drift-header" in capsys.readouterr().out
    assert main(["lint", "--strict", "--contract", contract, "--fix", str(page)]) == 0
    assert page.read_bytes() == b"\xef\xbb\xbfSend `Idempotency-Key`.\r\n"
    assert main(["lint", "--contract", str(tmp_path / "missing.yaml"), str(page)]) == 1


def test_folders_are_searched_for_sources_and_templates_when_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a.py", "b.md.jinja", "c.rst", "d.html"):
        (tmp_path / name).write_text("# exactly once\n" if name != "d.html" else "<p>exactly once", encoding="utf-8")
    counts = []
    for options in ([], ["--sources"], ["--templates"], ["--sources", "--templates"]):
        main(["lint", *options, "--format", "github", str(tmp_path)])
        counts.append(capsys.readouterr().out.count("prose/exactly-once"))
    assert counts == [2, 3, 3, 4]


@pytest.mark.parametrize(
    "text",
    [
        "The window is 24 hours. (`POST /payments`) The window is 7 days. (`POST /refunds`)",
        "| A | Keys are kept for 24 hours. (`POST /payments`)<br>Keys are kept for 7 days. (`POST /refunds`) |",
        "Their page says “a key is kept for 12 hours and not longer”, which was years ago.",
        "<p>The code is `idempotency_key_reused`</p><p>the answer to another request</p>",
    ],
)
def test_what_belongs_to_another_sentence_or_to_others_words_is_no_difference(text: str, contract_facts: Facts) -> None:
    assert lint(Document("a.md", text), facts=contract_facts) == ()


def test_a_heading_names_what_its_first_sentence_is_about(contract_facts: Facts) -> None:
    for heading, told in (("Idempotency keys", 1), ("API keys", 0), ("Uploads", 0)):
        text = f"## {heading}\n\nMaximum length: 64 characters.\n"
        assert len(lint(Document("a.md", text), facts=contract_facts)) == told, heading


def test_how_long_keys_are_kept_is_the_contracts_to_say(contract_facts: Facts) -> None:
    document = Document("a.md", "Idempotency keys are kept for good.\n")
    assert [d.rule for d in lint(document)] == []
    assert [d.rule for d in lint(document, facts=contract_facts)] == ["prose/drift-window"]


def test_the_last_digit_of_a_number_counts_nothing() -> None:
    assert lint(Document("a.md", "没有预算 932 次，有预算 881 次。\n")) == ()


_REPEATED = (
    "Keys are kept for 24 hours. ",
    "Keys are kept for 9 hours. ",
    "Keys 9 hours ",
    "keys 9 hours, ",
    '"They keep keys 9 hours long." Keys live 9 hours. ',
    "The key answers 409 and 422, ",
    "`X-Idempotency-Key` may have 900 characters; ",
    "멱등성 키는 24시간. ",
    "键保留 9 小时。",
    "the idempotency key | ",
    "the idempotency key is 409 | ",
)


@pytest.mark.parametrize("piece", _REPEATED)
def test_eight_times_the_paragraph_takes_little_more_than_eight_times_the_work(
    piece: str, contract_facts: Facts
) -> None:
    def took(size: int) -> float:
        document = Document("a.md", piece * (size // len(piece)))
        times = []
        for _ in range(3):
            begin = time.process_time()
            findings(document, facts=contract_facts)
            times.append(time.process_time() - begin)
        return min(times)

    # Work in proportion to the square would take 64 times as long; the first part is what any run takes.
    assert took(48_000) < 24 * (took(6_000) + 0.002)


@pytest.mark.parametrize(
    ("head", "cell", "told"),
    [
        ("Operation | Replay window", "`POST /payments` | 36 hours", "prose/drift-window"),
        ("Operation | Replay window", "`POST /refunds` | 7 days", ""),
        ("Operation | Replay window", "`POST /payments` | 24 hours", ""),
        ("Operation | Timeout", "`POST /payments` | 36 hours", ""),
        ("接口 | 幂等窗口", "`POST /payments` | 36 小时", "prose/drift-window"),
        ("接口 | 幂等窗口", "`POST /refunds` | 7 天", ""),
        ("API | Maximum key length", "payments | 64 characters", "prose/drift-length"),
        ("Key | Type | Limit", "`note` | string | 64 characters", ""),
        ("Case | Another request with key K", "expired | 412: the key has expired", ""),
    ],
)
def test_a_cell_is_read_under_its_columns_head(head: str, cell: str, told: str, contract_facts: Facts) -> None:
    rule = "|".join("---" for _ in head.split("|"))
    page = f"| {head} |\n|{rule}|\n| {cell} |\n"
    assert "".join(d.rule for d in lint(Document("a.md", page), facts=contract_facts)) == told
    names, values = ("".join(f"<{t}>{c}</{t}>" for c in row.split("|")) for t, row in (("th", head), ("td", cell)))
    table = f"<table><tr>{names}</tr><tr>{values.replace('`', '')}</tr></table>"
    assert "".join(d.rule for d in lint(Document("a.html", table), facts=contract_facts)) == told


_DESCRIBED = """openapi: 3.1.0
info: {{title: Payments, version: "1"}}
paths:
  /payments:
    post:
      parameters:
        - name: {header}
          in: header
          description: {told}
          schema: {{type: string}}
      responses:
        "{status}": {{description: {meant}}}
"""


@pytest.mark.parametrize(
    ("header", "told", "status", "meant", "rules"),
    [
        ("Idempotency-Key", "Up to 64 characters. Valid for 5 days.", 201, "Paid.", ["length", "window"]),
        ("Idempotency-Key", "最长 64 个字符。有效期为 5 天。", 201, "已支付。", ["length", "window"]),
        ("Idempotency-Key", "Up to 255 characters. Valid for 24 hours.", 201, "Paid.", []),
        ("X-Note", "Up to 64 characters. Valid for 5 days.", 201, "Paid.", []),
        ("A", "B", 409, "The idempotency key was reused with a different body.", ["status"]),
        ("A", "B", 409, "使用相同幂等键的请求内容不同。", ["status"]),
        ("A", "B", 422, "The idempotency key was reused with a different body.", []),
        ("A", "B", 423, "A request with this idempotency key is still in progress.", ["status"]),
        ("A", "B", 409, "A request with this idempotency key is still in progress.", []),
        ("A", "B", 404, "No such account.", []),
    ],
)
def test_a_description_is_about_what_it_stands_at(
    header: str, told: str, status: int, meant: str, rules: list[str], contract_facts: Facts
) -> None:
    text = _DESCRIBED.format(header=header, told=told, status=status, meant=meant)
    found = lint(Document("a.yaml", text), facts=contract_facts)
    assert [d.rule.removeprefix("prose/drift-") for d in found] == rules


# One sentence of an old name, and one of another product's, in each language.
_BYGONE = (
    "Until version 1 we read `{wrong}`; today we read `{right}`.",
    "Also accepted for older clients: idempotency keys in `{wrong}`. Prefer `{right}`.",
    "`{wrong}` is deprecated; rename it to `{right}`.",
    "Rename `{wrong}` to `{right}` in your client.",
    "Stripe calls the header `{right}`, others `{wrong}`.",
    "## Migration from v1\n\nReplace the `{wrong}` header.",
    "旧版使用请求头 `{wrong}` 传递幂等键。",
    "Früher hieß der Header für den Schlüssel `{wrong}`.",
    "L'ancien en-tête de la clé était `{wrong}`.",
    "La cabecera antigua de la clave era `{wrong}`.",
    "O cabeçalho antigo da chave era `{wrong}`.",
    "以前は冪等キーを `{wrong}` ヘッダーで送りました。",
    "이전 버전에서는 멱등성 키를 `{wrong}` 헤더로 보냈습니다.",
)


@pytest.mark.parametrize("sentence", _BYGONE)
def test_an_old_name_and_another_products_are_left_as_they_are(sentence: str, contract_facts: Facts) -> None:
    text = sentence.format(wrong="X-Idempotency-Key", right="Idempotency-Key")
    assert lint(Document("a.md", text), facts=contract_facts) == ()


def test_an_old_code_is_left_as_it_is(contract_facts: Facts) -> None:
    text = "The error `idempotency_key_reuse` was renamed to `idempotency_key_reused`."
    assert lint(Document("a.md", text), facts=contract_facts) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Send `Idempotency-Key` or the `X-Idempotency-Key` header.",
        "Send the `X-Idempotency-Key` header. We answer where `Idempotency-Key` is missing.",
        "Send `Idempotency-Key`. Hello. Send the `X-Idempotency-Key` header.",
        "The error `idempotency_key_reuse` or `idempotency_key_reused` tells that.",
        "The old API is gone. Send the `X-Idempotency-Key` header.",
    ],
)
def test_beside_the_right_name_a_wrong_one_is_told_and_not_replaced(text: str, contract_facts: Facts) -> None:
    found = [f for f in findings(Document("a.md", text), facts=contract_facts) if isinstance(f, Finding)]
    assert [f.replacement for f in found if f.rule in ("prose/drift-header", "prose/drift-code")] == [None]


@pytest.mark.parametrize(
    "text",
    [
        "Idempotency keys are remembered for {}.",
        "Idempotency keys are valid for {}.",
        "Idempotency keys are stored for {}.",
        "幂等键的有效期为 {}。",
        "幂等键会被记住 {}。",
        "Der Idempotenz-Schlüssel ist {} gültig.",
    ],
)
@pytest.mark.parametrize("time", ["cleanup", "lease", "chain"])
def test_another_time_of_the_contract_is_no_window(text: str, time: str, contract_facts: Facts) -> None:
    windows = contract_facts.profiles[0].settings.windows
    chains = [] if isinstance(windows.retry_chains, NotDocumented) else windows.retry_chains
    values = {"cleanup": windows.cleanup, "lease": windows.lease, "chain": chains[0].lasts}
    value = values[time]
    assert isinstance(value, Duration)
    seconds = f"{value.ms // 1000} " + ("秒" if "幂" in text else "Sekunden" if "Der" in text else "seconds")
    found = lint(Document("a.md", text.format(seconds)), facts=contract_facts)
    assert [d.rule for d in found] == ["prose/drift-window"]


@pytest.mark.parametrize(
    "text",
    [
        "Call `POST /v1/payments` with the `X-Idempotency-Key` header.",
        "In API v2, send the `X-Idempotency-Key` header.",
        "Most clients use the `X-Idempotency-Key` header for idempotency.",
        "If the body changes compared to before, send a new `X-Idempotency-Key`.",
        "Requests without the legacy flag need the `X-Idempotency-Key` header.",
    ],
)
def test_a_version_in_a_path_and_other_old_things_excuse_no_wrong_name(text: str, contract_facts: Facts) -> None:
    assert [d.rule for d in lint(Document("a.md", text), facts=contract_facts)] == ["prose/drift-header"]
