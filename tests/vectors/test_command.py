"""``idempact vectors run`` against clients that anyone could have written."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

CLIENT = Path(__file__).with_name("client.py")
SCALED = ("Idempotency-Key", "409", "idempotency_request_in_progress", "idempotency_key_reused")
ONLY = ("v01", "v02-503", "v08", "v09", "v10", "v11", "v12", "v34")


def vectors(*words: str, action: str = "run") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "idempact", "vectors", *filter(None, [action]), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def against(client: tuple[str, ...], *words: str, only: tuple[str, ...] = ONLY) -> subprocess.CompletedProcess[str]:
    chosen = [word for start in only for word in ("--only", start)]
    return vectors("--command", " ".join((sys.executable, str(CLIENT), *client)), *chosen, *words)


def test_a_careful_client_passes() -> None:
    done = against(SCALED)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(ONLY)} vectors: {len(ONLY)} passed, 0 failed" in done.stdout
    assert "ok     v02-503-then-201  (2 requests, 1 effect" in done.stdout


def test_a_careless_client_is_told_what_it_did() -> None:
    done = against((*SCALED, "careless"), only=("v01", "v08"))
    assert done.returncode == 1
    assert "FAILED v08-reset-after-processing  (2 requests, 2 effects" in done.stdout
    assert "effects: wanted 1, found 2" in done.stdout
    assert "key on each attempt: wanted" in done.stdout
    assert "retry attempt=1 wait_ms=" in done.stdout
    assert "2 vectors: 0 passed, 2 failed" in done.stdout


def test_results_as_data() -> None:
    done = against(SCALED, "--format", "json", only=("v02-503",))
    told = json.loads(done.stdout)
    assert done.stderr.startswith("1 vector, 4 at once: ")
    assert (told["passed"], told["failed"]) == (1, 0)
    assert told["vectors"][0].items() >= {"id": "v02-503-then-201", "requests": 2, "status": 201, "retries": 1}.items()
    failed = json.loads(against((*SCALED, "careless"), "--format", "json", only=("v08",)).stdout)["vectors"][0]
    assert {"about": "effects", "wanted": "1", "found": "2"} in failed["complaints"]


OWN = """\
idempact: 1
api: {name: Own, base_url: "http://127.0.0.1", contact: "http://127.0.0.1/support"}
key: {name: X-Once, required: true, format: uuid-v4}
scope: [account]
fingerprint: {body: raw}
windows: {replay: 24h, retry_chains: [{name: one call, lasts: 5s}]}
replay: {fidelity: stored-response}
stored_failures: release
answers:
  expired_key: {answer: execute}
  malformed_key: {status: 422, code: bad_key}
  mismatch: {status: 400, code: other_request}
  in_flight: {status: 425, code: still_busy}
errors: {media_type: application/json, code_at: /error/code, example: {error: {code: "{code}"}}}
operations: {POST /payments: keyed}
"""


def test_the_server_speaks_the_words_of_a_contract(tmp_path: Path) -> None:
    contract = tmp_path / "own.yaml"
    contract.write_text(OWN, encoding="utf-8")
    own = ("X-Once", "425", "still_busy", "other_request")
    done = against(own, "--contract", str(contract), only=("v01", "v08", "v09", "v11"))
    assert done.returncode == 0, done.stdout + done.stderr
    left_out = next(line for line in done.stderr.splitlines() if line.startswith("left out"))
    assert {"v34", "v35", "v36", "v42", "v44"} <= set(re.findall(r"v\d\d", left_out))
    assert "v18" not in left_out
    foreign = against(SCALED, "--contract", str(contract), only=("v01", "v08", "v09", "v11"))
    assert foreign.returncode == 1
    assert foreign.stdout.count("FAILED") == 4


NO_BUDGET = "retry: {budget: none}\n"
RATIO = "retry: {backoff: {jitter: decorrelated, base: 1s, cap: 30s}, budget: {kind: ratio}}\n"


@pytest.mark.parametrize(
    ("retry", "out"),
    [("", {"v42", "v44"}), (NO_BUDGET, {"v18", "v40", "v41", "v42", "v44"}), (RATIO, {"v18", "v40", "v41", "v43"})],
)
def test_a_jitter_and_a_budget_that_a_contract_has_not_are_left_out(tmp_path: Path, retry: str, out: set[str]) -> None:
    contract = tmp_path / "own.yaml"
    contract.write_text(OWN.replace("format: uuid-v4", "format: visible-ascii") + retry, encoding="utf-8")
    done = against(("X-Once", "425", "still_busy", "other_request"), "--contract", str(contract), only=("v01",))
    left_out = next(line for line in done.stderr.splitlines() if line.startswith("left out"))
    assert set(re.findall(r"v\d\d", left_out)) == {"v35", "v36", *out}


def test_vectors_are_taken_out_and_each_result_is_shown_as_it_comes() -> None:
    done = against((*SCALED, "careless"), "--except", "v02", "--except", "v1", only=("v01", "v02", "v08", "v12"))
    assert done.stdout.count("FAILED") == 2
    assert "v02" not in done.stdout
    assert "\nFF\n" in done.stderr
    assert "F" not in against((*SCALED, "careless"), "--quiet", only=("v01",)).stderr


def test_the_scaled_contracts_are_written_for_every_profile(tmp_path: Path) -> None:
    shipped = CLIENT.parents[2] / "contract" / "vectors"
    profiles = {v.get("profile", "fast") for v in json.loads((shipped / "vectors.json").read_text("utf-8"))["vectors"]}
    for _ in range(2):
        assert vectors("contracts", "--out", str(tmp_path / "scaled"), action="").returncode == 0
    assert profiles <= {path.stem for path in (tmp_path / "scaled").iterdir()}
    (tmp_path / "scaled" / "fast.yaml").write_text("mine", encoding="utf-8")
    assert vectors("contracts", "--out", str(tmp_path / "scaled"), action="").returncode == 2
    assert (tmp_path / "scaled" / "fast.yaml").read_text(encoding="utf-8") == "mine"
    assert vectors("contracts", action="").returncode == 2


def test_wrong_use_is_told_in_a_line(tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"vectors": [{"id": "x", "stepz": []}]}', encoding="utf-8")
    graphql = CLIENT.parents[2] / "contract" / "vendors" / "shopify-graphql.yaml"
    for words, code, said in (
        (("--command", "no-such-program"), 2, "can't be run"),
        (("--command", "'unclosed"), 2, "can't be read"),
        (("--command", sys.executable, "--only", "v99"), 2, "begins with 'v99'"),
        (("--command", sys.executable, "--format", "sarif"), 2, "text or json"),
        (("--command", sys.executable, "--contract", str(graphql)), 2, "directive"),
        (("--command", sys.executable, "--contract", str(broken)), 2, "no contract"),
        (("--command", sys.executable, "--vectors", str(broken)), 1, "unknown field 'stepz'"),
        ((), 2, "--command"),
    ):
        done = vectors(*words)
        assert (done.returncode, said in done.stdout + done.stderr) == (code, True), (words, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("said", ["print('nothing')", "raise SystemExit(3)"])
def test_a_client_that_reports_nothing_fails(said: str) -> None:
    done = vectors("--command", f'{sys.executable} -c "{said}"', "--only", "v01")
    assert done.returncode == 1
    assert "report: wanted a report" in done.stdout
