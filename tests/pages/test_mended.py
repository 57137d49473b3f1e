"""Faults that a fresh pair of eyes found, each as a test of its kind."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from idempact.build import Built, build, navigation
from idempact.contract.check import checked
from idempact.contract.read import Read
from idempact.contract.write import write
from idempact.facts import Facts
from idempact.facts.checklist import checklist
from idempact.facts.verdicts import Result, ResultKind, State, verdicts_of_record
from idempact.pages.render import front_matter
from idempact.text.nodes import compose
from idempact.text.span import Document

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


def read(text: str) -> Read:
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    found = checked(tree)
    assert found.value is not None
    assert not found.broken, found.diagnostics
    return found.value


def built(text: str) -> Built:
    made = build(read(text), contract_name="contract.yaml").value
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("window", "kinds"),
    [
        ("24h", [ResultKind.EXECUTE]),
        ("{at_least: 24h}", [ResultKind.REPLAY, ResultKind.EXECUTE]),
        ("{at_least: 24h, at_most: 48h}", [ResultKind.REPLAY, ResultKind.EXECUTE]),
    ],
)
def test_past_a_window_without_a_fixed_end_either_can_happen(window: str, kinds: list[ResultKind]) -> None:
    facts = Facts.of(read(MINIMAL.replace("  replay: 24h", f"  replay: {window}")).contract)
    row = next(row for row in facts.base.verdicts if row.state is State.EXPIRED)
    assert [result.kind for result in row.same] == kinds


def test_the_sites_name_is_no_markup() -> None:
    made = built(MINIMAL.replace("name: Acme Payments API", "name: \"</title><script>alert('x')</script>\""))
    settings = navigation(made, None, "docs")
    assert "<" not in settings
    assert "&lt;script&gt;" in settings


def test_a_code_in_a_pages_title_is_no_markup_and_a_long_one_has_a_short_file_name() -> None:
    code = "<b>reused</b>" + "x" * 300
    made = built(MINIMAL.replace("code: idempotency_key_reused", f'code: "{code}"'))
    (page,) = [a for a in made.artifacts if a.path.startswith("errors/b-reused") and a.path.endswith(".md")]
    assert len(page.path.encode()) < 200
    assert front_matter(page.text)["title"].startswith("&lt;b&gt;reused")


def test_a_cautious_retry_is_none_by_default_where_its_failure_is_kept() -> None:
    assert "stored_failures: replay" in MINIMAL
    kept, freed = (
        read(MINIMAL.replace("stored_failures: replay", f"stored_failures: {w}")) for w in ("replay", "release")
    )
    assert kept.contract.settings.retry.cautious.retries == 0
    assert {op.settings.retry.cautious.retries for op in kept.contract.operations} == {0}
    assert freed.contract.settings.retry.cautious.retries == 1


def home(overrides: str) -> str:
    operations = MINIMAL[: MINIMAL.index("operations:")] + f"operations:\n{overrides}"
    (page,) = [a for a in built(operations).artifacts if a.path == "index.md"]
    return page.text


def test_the_home_page_tells_each_window_with_the_operations_that_have_it() -> None:
    page = home("""\
  POST /a: {safety: keyed, windows: {replay: 3d}}
  POST /b: {safety: keyed, windows: {replay: 5d}}
  POST /c: {safety: keyed, windows: {replay: 5d}}
""")
    assert "24 hours" not in page
    assert "3 days (`POST /a`)<br>5 days (`POST /b`, `POST /c`)" in page
    assert "For `POST /a`:\n" in page
    assert "- `POST /b`, `POST /c`: Within 5 days" in page


def test_one_window_is_told_without_operations() -> None:
    page = home(
        "  POST /a: {safety: keyed, windows: {replay: 3d}}\n  POST /b: {safety: keyed, windows: {replay: 3d}}\n"
    )
    assert "| 3 days |" in page
    assert "POST /a" not in page


def test_the_home_page_promises_no_number_of_attempts_that_one_operation_does_not_keep() -> None:
    page = home("  POST /a: {safety: keyed, retry: {max_attempts: 2}}\n  POST /b: keyed\n")
    assert "up to" not in page.split("## Three steps")[1].split("##")[0]
    assert "2 (`POST /a`)" in page


def test_no_page_tells_the_first_operations_settings_as_those_of_all() -> None:
    """``facts.base`` is one profile of several; what may name it is an example, or the same in all of them."""
    allowed = {"index.md.jinja": 1, "retries.md.jinja": 1}
    folder = Path(__file__).parents[2] / "templates" / "pages"
    found = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8").count("facts.base")
        for path in folder.rglob("*.jinja")
    }
    assert {name: count for name, count in found.items() if count} == allowed


@pytest.mark.parametrize(
    ("override", "page", "both"),
    [
        ("answers: {unknown_outcome: {status: 410, code: gone}}", "failures.md", "410"),
        ("errors: {code_at: /reason}", "errors/index.md", "/reason"),
        ("scope: [path]", "no-promise.md", "path"),
        ("windows: {replay: 3d}", "no-promise.md", "3 days"),
    ],
)
def test_a_second_operations_own_fact_is_told_with_its_name(override: str, page: str, both: str) -> None:
    text = (
        MINIMAL[: MINIMAL.index("operations:")]
        + f"""\
operations:
  POST /a: keyed
  POST /b: {{safety: keyed, {override}}}
"""
    )
    (found,) = [a.text for a in built(text).artifacts if a.path == page]
    line = next(line for line in found.splitlines() if both in line and "POST /b" in line)
    assert "POST /a" in found.replace(line, "") or "POST /a" in line


@pytest.mark.parametrize(
    ("form", "template"),
    [
        ("uuid-v5", "payment/{payment_id}"),
        ('{pattern: "payment-[0-9]{6,12}"}', "payment-{payment_id}"),
        ("visible-ascii", "payment-{payment_id}"),
    ],
)
def test_the_keys_page_advises_no_key_that_the_form_refuses(form: str, template: str) -> None:
    text = MINIMAL.replace("required: true", f"required: true, format: {form}").replace("  POST /refunds: keyed\n", "")
    own = f'POST /payments: {{safety: keyed, key: {{derivation: {{event: "{template}"}}}}}}'
    text = re.sub("POST /payments: keyed", lambda _: own, text)
    files = {artifact.path: artifact.text for artifact in built(text).artifacts}
    page = files["keys.md"]
    assert ("UUID version 4" in page) == (form == "visible-ascii")
    assert f"`{template}` as `" in page
    assert ("or random" in files["operations.md"]) is False


KEYED = MINIMAL[: MINIMAL.index("operations:")] + "operations:\n  POST /things: keyed\n"


def test_natural_operations_have_loops_of_their_own_that_send_no_key() -> None:
    text = (
        KEYED
        + """\
  DELETE /sessions/{id}: {safety: natural, because: gone stays gone, repeat_status: 404}
  PUT /a: {safety: natural, because: replaces the whole}
  PUT /b: {safety: natural, because: replaces the whole}
"""
    )
    artifacts = {a.path: a.text for a in built(text).artifacts}
    section = artifacts["code.md"].split("## Without a key")[1]
    headings = [line for line in section.splitlines() if line.startswith("### ")]
    assert headings == ["### `DELETE /sessions/{id}`", "### `PUT /a`, `PUT /b`"]
    assert "answers 404" in section.split("### `PUT")[0]
    links = re.findall(r"\]\((downloads/[^)]+)\)", section)
    assert len(links) == len(set(links)) >= 6
    for link in links:
        assert artifacts[link] not in {a for path, a in artifacts.items() if path != link}


def test_a_contract_without_natural_operations_has_no_such_section() -> None:
    assert "## Without a key" not in {a.path: a.text for a in built(KEYED).artifacts}["code.md"]


@pytest.mark.parametrize(("status", "proves"), [(400, False), (409, True), (422, True)])
def test_a_bare_400_is_no_proof_of_a_mismatch(status: int, proves: bool) -> None:
    text = re.sub(r"( *)mismatch:.*", rf"\1mismatch: {{answer: reject, status: {status}, code: none}}", MINIMAL)
    rules = {rule.status: rule.retry_class.value for rule in Facts.of(read(text).contract).base.loop.statuses}
    assert (rules.get(status) == "mismatch") is proves


WITHOUT_OPERATIONS = MINIMAL.split("operations:")[0]
"""The minimal contract without its operations."""


def pages_of(text: str) -> dict[str, str]:
    return {artifact.path: artifact.text for artifact in built(text).artifacts}


OWN_ERRORS = """\
errors: {media_type: application/json, code_at: /error/code, example: {error: {code: "{code}"}}}
operations:
  POST /payments:
    safety: keyed
    answers: {mismatch: {status: 422, code: pay_reused}}
    errors: {media_type: application/vnd.pay+json, code_at: /pay/code, example: {pay: {code: "{code}"}}}
  POST /refunds: keyed
"""


def test_an_error_page_shows_the_form_of_the_operations_that_answer_it() -> None:
    pages = pages_of(WITHOUT_OPERATIONS + OWN_ERRORS)
    own = pages["errors/pay_reused.md"]
    assert '"pay": {' in own
    assert "application/vnd.pay+json" in own
    assert "application/json" not in own
    general = pages["errors/idempotency_key_reused.md"]
    assert '"error": {' in general
    assert "vnd.pay" not in general
    shared = pages["errors/idempotency_request_in_progress.md"]
    blocks = shared.split("## The response")[1].split("**`")[1:]
    assert [("POST /payments" in block, '"pay": {' in block, '"error": {' in block) for block in blocks] == [
        (True, True, False),
        (False, False, True),
    ]
    assert len(re.findall(r"\| Retry-After \|", shared)) == 1
    assert len(re.findall("^## First request", shared, re.MULTILINE)) == 1


GRPC = """\
idempact: 1
api: {name: Orders, base_url: https://g.example, contact: https://g.example/s, protocols: [grpc]}
key: {name: idempotency-key, required: true}
scope: [account, operation]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: queue, lasts: 20h}]}
replay: {fidelity: stored-response}
stored_failures: {business_rejection: replay, server_error: replay}
answers:
  expired_key: {answer: execute}
  mismatch: {grpc: FAILED_PRECONDITION, status: none, code: REUSED}
  in_flight: {status: none, grpc: ABORTED, code: BUSY, retry_after: 1s}
  malformed_key: {status: none, grpc: INVALID_ARGUMENT, code: BAD}
  missing_key: {status: none, grpc: INVALID_ARGUMENT, code: none}
  unknown_outcome: {status: none, grpc: UNKNOWN, code: UNK}
  store_unavailable: {status: none, grpc: UNAVAILABLE, code: UNAV}
retry: {grpc: {codes: [UNAVAILABLE, RESOURCE_EXHAUSTED], max_tokens: 10, token_ratio: 0.1}}
operations:
  operation pkg.Orders/Create: keyed
publish: {provider: true, locales: [en, zh]}
server: {store: mysql, regions: home-region}
"""


@pytest.mark.parametrize("folder", ["", "zh/"])
def test_the_pages_of_a_grpc_api_speak_of_grpc(folder: str) -> None:
    pages = {path.removeprefix(folder): text for path, text in pages_of(GRPC).items() if path.startswith(folder)}
    busy = pages["errors/BUSY.md"]
    assert "gRPC `ABORTED`" in busy
    assert "grpc-status: 10" in busy
    assert "```http" not in busy
    assert "application/problem+json" not in busy + pages["errors/index.md"]
    assert "gRPC `INVALID_ARGUMENT`" in pages["errors/index.md"]
    assert "ABORTED" in pages["retry-outcomes.md"].replace("\\", "")
    table = pages["retries.md"].split("## ")[1]
    assert "gRPC `UNAVAILABLE`" in table
    assert "`RESOURCE_EXHAUSTED`" in table
    assert not re.search(r"\| (4|5)\d\d", table)
    assert "`idempotency-key`" in pages["keys.md"]
    assert "`Location`" not in pages["retry-outcomes.md"]


@pytest.mark.parametrize(
    ("protocols", "written", "carrier"),
    [
        ("[grpc]", "", "metadata"),
        ("[grpc]", "in: body, name: /key, ", "body"),
        ("[http, grpc]", "", "header"),
        ("[http]", "", "header"),
    ],
)
def test_in_grpc_alone_a_key_travels_in_metadata_unless_the_contract_says_where(
    protocols: str, written: str, carrier: str
) -> None:
    own = written or "name: idempotency-key, "
    text = GRPC.replace("[grpc]", protocols).replace("key: {name: idempotency-key, ", f"key: {{{own}")
    if "grpc" not in protocols:
        text = re.sub("retry:.*\n", "", text)
    found = read(text).contract
    assert found.settings.key.carrier.value == carrier
    assert {op.settings.key.carrier.value for op in found.operations} == {carrier}


def test_http_and_grpc_statuses_stand_side_by_side() -> None:
    text = GRPC.replace("[grpc]", "[http, grpc]").replace("status: none, grpc: ABORTED", "status: 409, grpc: ABORTED")
    pages = pages_of(text)
    assert "| 409, gRPC `ABORTED` |" in pages["errors/BUSY.md"]
    assert "HTTP/1.1 409 Conflict" in pages["errors/BUSY.md"]
    assert "grpc-status: 10" in pages["errors/BUSY.md"]


def test_documented_to_have_no_status_is_not_the_same_as_not_documented() -> None:
    text = re.sub("mismatch:.*", "mismatch: {status: none, code: gone}", MINIMAL)
    text = text.replace("api: {", "api: {protocols: [graphql], ")
    assert "| Status | none |" in pages_of(text)["errors/gone.md"]


REJECTING = "expired_key: {answer: reject, status: 410, code: key_expired}"


@pytest.mark.parametrize("window", ["{at_least: 7d, at_most: 14d}", "{at_least: 7d}"])
@pytest.mark.parametrize("mismatch", ["{status: 422, code: reused}", "{answer: execute}"])
@pytest.mark.parametrize("expired", [REJECTING, "expired_key: {answer: execute}"])
def test_another_request_is_never_replayed_the_first_ones_result(window: str, mismatch: str, expired: str) -> None:
    text = MINIMAL.replace("  replay: 24h", f"  replay: {window}\n  cleanup: 20d")
    text = re.sub("  mismatch:.*", f"  mismatch: {mismatch}", re.sub(r"  expired_key:.*", f"  {expired}", text))
    facts = Facts.of(read(text).contract)
    row = next(row for row in facts.base.verdicts if row.state is State.EXPIRED)
    completed = next(row for row in facts.base.verdicts if row.state is State.COMPLETED)
    after = verdicts_of_record(facts.base.settings)[list(State).index(State.EXPIRED)].same
    assert ResultKind.REPLAY not in {result.kind for result in row.other}
    assert row.other == tuple(dict.fromkeys((*completed.other, *after)))
    assert row.same == (*completed.same, *after)
    assert after == ((Result(ResultKind.EXECUTE),) if "execute" in expired else (row.same[-1],))


def test_who_keeps_the_record_sees_the_windows_end() -> None:
    text = MINIMAL.replace("  replay: 24h", "  replay: {at_least: 7d, at_most: 14d}\n  cleanup: 20d")
    text = re.sub(r"  expired_key:.*", f"  {REJECTING}", text)
    page = pages_of(text + "publish: {provider: true}\nserver: {store: mysql, regions: home-region}\n")
    (row,) = [line for line in page["implementers.md"].splitlines() if "window_ends <= now" in line and "|" in line]
    assert "key_expired" in row
    assert "The replay" not in row


@pytest.mark.parametrize("carrier", ["not-documented", "{name: Idempotency-Key, required: true}"])
def test_the_home_page_says_how_a_key_is_sent_only_where_that_is_known(carrier: str) -> None:
    page = pages_of(OBSERVED.replace("key: not-documented", f"key: {carrier}"))["index.md"]
    (step,) = [line for line in page.splitlines() if line.startswith("2. ")]
    assert ("not documented" in step) is False
    assert ("`Idempotency-Key`" in step) is (carrier != "not-documented")


OBSERVED = """\
idempact: 1
written_by: observer
api: {name: Obs API, base_url: not-documented, contact: https://a.example/s}
key: not-documented
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
errors: not-documented
operations: {POST /payments: keyed, "PUT /x": {safety: not-documented}, "PUT /y": not-documented}
publish: {provider: true, locales: [en, zh]}
"""


def test_a_safety_that_nobody_documents_is_no_claim() -> None:
    found = read(OBSERVED)
    kinds = {str(op.key): (str(op.safety), op.unsafe) for op in found.contract.operations}
    assert kinds == {
        "POST /payments": ("keyed", False),
        "PUT /x": ("not-documented", True),
        "PUT /y": ("not-documented", True),
    }
    again = read(write(found.contract))
    assert again.contract == found.contract
    page = pages_of(OBSERVED)["operations.md"]
    assert "acts again" not in page
    assert "takes no key" not in page
    assert "treat it as **not safe**" in page


def test_keys_that_are_kept_for_good_have_no_moment_after_their_window() -> None:
    forever = pages_of(MINIMAL.replace("  replay: 24h", "  replay: forever"))["index.md"]
    assert "after its window" not in forever
    assert "after its window" in pages_of(MINIMAL)["index.md"]


@pytest.mark.parametrize(
    ("form", "named"),
    [
        ("uuid", True),
        ("uuid-v4", False),
        ("uuid-v5", True),
        ("uuid-v7", False),
        ("visible-ascii", True),
        ('{pattern: "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"}', False),
        ('{pattern: "[A-Za-z0-9_-]{8,64}"}', True),
    ],
)
def test_no_key_is_named_after_an_event_where_only_random_ones_are_accepted(form: str, named: bool) -> None:
    random = ", derivation: {random: uuid-v7}" if form == "uuid-v7" else ""
    pages = pages_of(MINIMAL.replace("required: true", f"required: true, format: {form}{random}"))
    assert ("Named after the business event" in pages["keys.md"]) is named
    assert ("from its event" in pages["operations.md"]) is named
    assert ("1. **Random" in pages["keys.md"]) is not named


def test_a_key_in_quotes_is_encoded_in_a_query() -> None:
    text = re.sub(r"(?m)^key: \{.*\}", "key: {name: idempotency_key, in: query, quoted: true, required: true}", MINIMAL)
    requests = re.findall(r"^POST .*HTTP/1.1$", pages_of(text)["keys.md"], re.MULTILINE)
    assert requests
    for line in requests:
        assert re.fullmatch(r"POST [!#-~]+\?idempotency_key=%22[^\"]+%22 HTTP/1.1", line)


def test_a_key_in_the_body_has_an_example() -> None:
    text = re.sub(r"(?m)^key: \{.*\}", "key: {name: /meta/key, in: body, required: true}", MINIMAL)
    page = pages_of(text)["keys.md"]
    body = re.findall(r"Content-Type: application/json\n\n(\{.*?\n\})\n```", page, re.DOTALL)
    assert body
    assert all(json.loads(found)["meta"]["key"] for found in body)


@pytest.mark.parametrize(("cleanup", "rejected"), [("20d", True), ("14d", False)])
def test_a_key_is_rejected_only_where_its_record_outlives_its_window(cleanup: str, rejected: bool) -> None:
    text = MINIMAL.replace("  replay: 24h", f"  replay: {{at_least: 7d, at_most: 14d}}\n  cleanup: {cleanup}")
    page = pages_of(re.sub(r"  expired_key:.*", f"  {REJECTING}", text))["index.md"]
    assert ("rejected while its record is kept" in page) is rejected


def test_the_checklist_says_equal_things_once() -> None:
    text = MINIMAL + "publish: {provider: true}\nserver: {store: mysql, regions: home-region}\n"
    (row,) = [a for a in checklist(Facts.of(read(text).contract)) if a.name.key.endswith("undecided-failures")]
    words = dict(row.said[0].value.values)["words"]
    assert len(set(words)) == len(words)


QUIET = """\
idempact: 1
written_by: observer
api: {name: Quiet API, base_url: none, contact: not-documented}
key: {name: Idempotency-Key, required: not-documented}
scope: not-documented
fingerprint: not-documented
windows: not-documented
replay: not-documented
stored_failures: not-documented
answers: not-documented
operations: {POST /a: keyed}
"""


def test_where_nothing_is_documented_no_page_calls_a_repeat_safe_or_speaks_of_a_window() -> None:
    pages = pages_of(QUIET)
    assert "| `POST /a` | not documented, though it takes a key |" in pages["operations.md"]
    assert "don't count on a repeat to tell" in pages["failures.md"]
    assert "No request for that is named here" in pages["failures.md"]
    assert "No window is documented, so look the outcome up" in pages["windows.md"]
    for path, page in pages.items():
        assert "safe with its key" not in page, path
        assert "makes the repeat safe" not in page, path
        assert "gets after that" not in page, path
        assert "In it a repeat is recognised" not in page, path
        assert "What a fleet does" not in page, path


@pytest.mark.parametrize(
    ("replay", "means"),
    [
        ("24h", "In it a repeat is recognised. It begins with the first request."),
        ("forever", "A repeat is recognised however late it comes."),
    ],
)
def test_the_windows_meaning_is_of_its_kind(replay: str, means: str) -> None:
    changed = MINIMAL.replace("replay: 24h", f"replay: {replay}")
    page = pages_of(changed)["windows.md"]
    assert means in page
    assert ("after the replay window, look the outcome up" in page) is (replay == "24h")
    assert ("It begins" in page) is (replay == "24h")


def test_an_unknown_begin_is_said_as_a_sentence() -> None:
    observed = QUIET.replace("windows: not-documented", "windows: {replay: 24h}")
    assert "In it a repeat is recognised. When it begins is not documented." in pages_of(observed)["windows.md"]


def test_one_of_several_statuses_is_an_or() -> None:
    open_ones = "expired_key: not-documented, mismatch: not-documented"
    busy = "in_flight: {status: [409, 422, 423], code: busy}"
    observed = QUIET.replace("answers: not-documented", f"answers: {{{open_ones}, {busy}}}")
    assert "409 or 422 or 423 [`busy`]" in pages_of(observed)["retry-outcomes.md"]


def test_facts_at_a_glance_keep_their_order_where_some_operations_alone_have_one() -> None:
    own = "{safety: keyed, answers: {in_flight: {status: 409, code: busy}}}"
    page = pages_of(QUIET.replace("POST /a: keyed", f"POST /a: keyed, POST /b: {own}"))["index.md"]
    facts = [line.split("|")[1].strip() for line in page.splitlines() if line.startswith("| ")]
    at = facts.index
    assert at("Replay window") < at("First request still in progress") < at("Attempts, the first included")


def test_without_a_loop_no_page_says_that_code_does_it() -> None:
    directive = "{in: directive, name: idempotent.key, required: true}"
    pages = pages_of(QUIET.replace("{name: Idempotency-Key, required: not-documented}", directive))
    assert "There is no loop" in pages["code.md"]
    assert "Copy it" not in pages["code.md"]
    assert "does this for you" not in pages["index.md"]
    assert "does this for you" in pages_of(QUIET)["index.md"]


def test_an_accepted_request_tells_where_its_result_comes() -> None:
    accept = 'in_flight: {answer: accept, status: 202, status_url: "/operations/{id}"}'
    pages = pages_of(re.sub(r"in_flight: \{.*\}", accept, MINIMAL))
    assert "accepted, and `/operations/{id}` tells the result" in pages["retry-outcomes.md"]
    assert "with the same key. Ask for the result at `/operations/{id}`. |" in pages["errors/index.md"]


def test_a_least_wait_stands_beside_the_jitter_that_it_cuts() -> None:
    page = pages_of(MINIMAL + "retry: {least_wait: 30s, deadline: 5m}\n")["retries.md"]
    assert "No wait is shorter than 30 seconds." in page
    assert "No wait is shorter" not in pages_of(MINIMAL)["retries.md"]
