"""The command: what it prints where, and its exit codes."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from idempact import load
from idempact.cli import main

HERE = Path(__file__).parent


@pytest.fixture
def broken(tmp_path: Path, base: str) -> Path:
    path = tmp_path / "contract.yaml"
    text = base.replace("replay: 24h", "replay: 12h").replace("fingerprint: {body: canonical}", "fingerprint: none")
    path.write_text(text, encoding="utf-8")
    return path


def test_a_sound_contract_is_said_to_be_one(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(shipped / "minimal.yaml")
    assert main(["check", path]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == f"{path}: no errors\n"


def test_findings_show_line_caret_and_remedy(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(broken)]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(i for i, line in enumerate(lines) if "[contract/window-shorter-than-chain]" in line)
    assert lines[at].startswith(
        f"{broken}:7:11: error: the replay window (12h) is shorter than the longest retry chain"
    )
    assert lines[at + 2] == "7 |   replay: 12h"
    assert lines[at + 3].strip(" |") == "^^^"
    assert lines[at + 4].strip().startswith("= longest chain: dead-letter queue replay: ")
    assert "= help: raise windows.replay to at least 20h" in lines[at + 5]
    assert lines[-1] == "1 error, 2 warnings"


def test_warnings_fail_under_strict_only(broken: Path, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = base.replace("fingerprint: {body: canonical}", "fingerprint: none")
    broken.write_text(text.replace("  mismatch: {status: 422, code: idempotency_key_reused}\n", ""), encoding="utf-8")
    assert main(["check", str(broken)]) == 0
    assert capsys.readouterr().err == f"{broken}: no errors, 1 warning\n"
    assert main(["check", "--strict", str(broken)]) == 1
    assert main(["check", "--quiet", str(broken)]) == 0
    assert capsys.readouterr().err.count("no errors") == 1


def test_several_contracts_are_told_together(broken: Path, shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(shipped / "contract.yaml"), str(broken), "--format", "json"]) == 1
    printed = capsys.readouterr()
    report = json.loads(printed.out)
    assert {finding["place"]["path"] for finding in report["findings"]} == {str(broken)}
    assert report["summary"]["errors"] == 1
    assert printed.err == f"{shipped / 'contract.yaml'}: no errors\n"


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch, base: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = base.replace("scope: [account, operation]", "scope: global").encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["check", "-"]) == 1
    assert capsys.readouterr().out.startswith("<stdin>:4:8: error: `scope: global` is refused")


def test_resolved_prints_every_default_with_a_mark(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--resolved", str(shipped / "minimal.yaml")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "  name: Idempotency-Key" in printed
    assert "  lease: 60s  # default" in printed
    assert "  cleanup: 72h  # default" in printed
    assert "  max_attempts: 5  # default" in printed
    assert "  business_rejection: replay" in printed
    assert "  before_execution: release  # default" in printed
    assert "  POST /payments: keyed" in printed
    assert "unlisted_operations: error  # default" in printed


def test_resolved_says_what_an_operation_has_from_above(shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--resolved", str(shipped / "contract.yaml")]) == 0
    text = capsys.readouterr().out
    refunds = text[text.index("  POST /refunds:") : text.index("  POST /emails:")].splitlines()
    assert "      replay: 7d" in refunds
    assert "      lease: 60s  # as above" in refunds
    assert "      name: Idempotency-Key  # as above" in refunds
    assert not any("retry" in line and line.startswith("    retry:") for line in refunds)


def test_resolved_is_a_contract_that_resolves_to_itself(
    shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    once = tmp_path / "once.yaml"
    assert main(["check", "--resolved", str(shipped / "contract.yaml")]) == 0
    once.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["check", "--resolved", str(once)]) == 0
    again = capsys.readouterr().out
    assert "# default" not in again
    assert [line.split("  #")[0] for line in once.read_text(encoding="utf-8").splitlines()] == again.splitlines()


def test_a_broken_contract_is_not_resolved(broken: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--resolved", str(broken)]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "window-shorter-than-chain" in printed.err


def test_wrong_use_is_told_in_a_line(tmp_path: Path, shipped: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "nothing.yaml"
    assert main(["check", str(missing)]) == 2
    assert capsys.readouterr().err.startswith(f"idempact: {missing}: No such file or directory\n")
    assert main(["check", str(tmp_path)]) == 2
    minimal = str(shipped / "minimal.yaml")
    assert main(["check", "--resolved", minimal, minimal]) == 2


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"a: \x00", b"a: [", b"", b"{", b"\xef\xbb\xbf"])
def test_any_bytes_are_answered_with_findings(data: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "contract.yaml"
    path.write_bytes(data)
    assert main(["check", str(path)]) == 1
    assert f"{path}:1:" in capsys.readouterr().out


def test_the_door_loads_a_contract(broken: Path, shipped: Path, tmp_path: Path) -> None:
    sound = load(shipped / "minimal.yaml")
    assert sound.value is not None
    assert not sound.broken
    found = load(broken)
    assert found.value is not None
    assert found.broken
    assert load(tmp_path / "none.yaml").value is None


def test_checking_starts_without_what_is_slow_to_load() -> None:
    slow = ("jinja2", "jsonschema_rs", "ruamel", "mkdocs", "typing", "json", "dataclasses", "inspect", "pathlib")
    code = (
        "import sys; before = set(sys.modules); from idempact.cli import main; "
        "main(['check', '--quiet', sys.argv[1]]); "
        f"print(sorted({set(slow)} & ({{m.split('.')[0] for m in sys.modules}} - before)))"
    )
    contract = HERE.parents[1] / "contract" / "contract.yaml"
    done = subprocess.run([sys.executable, "-c", code, str(contract)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
