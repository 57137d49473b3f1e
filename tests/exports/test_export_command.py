"""``idempact export``: each format printed, written, and compared."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from idempact.cli import main
from idempact.exports import OfContract, targets
from idempact.text.nodes import Tree, plain

ROOT = Path(__file__).parents[2]


def test_every_module_of_the_room_is_a_format() -> None:
    modules = {p.stem.replace("_", "-") for p in (ROOT / "generator/idempact/exports").glob("*.py")} - {"--init--"}
    assert set(targets()) == modules
    assert all(target.summary for target in targets().values())


@pytest.mark.parametrize("name", sorted(targets()))
def test_each_format_can_be_read_and_ends_with_a_line_break(
    name: str, capsys: pytest.CaptureFixture[str], root: Path
) -> None:
    assert main(["export", name, str(root / "contract" / "contract.yaml"), "--quiet"]) == 0
    told = capsys.readouterr().out
    assert told.endswith("\n")
    assert len(told) > 20
    if told.startswith("{"):
        assert json.loads(told)


def test_the_contract_as_json_is_the_resolved_contract_and_valid(
    capsys: pytest.CaptureFixture[str], root: Path, validator: Any, tree_of: Callable[[str], Tree]
) -> None:
    path = str(root / "contract" / "minimal.yaml")
    assert main(["check", path, "--resolved", "--quiet"]) == 0
    resolved = plain(tree_of(capsys.readouterr().out).root)
    assert main(["export", "contract-json", path]) == 0
    exported = json.loads(capsys.readouterr().out)
    assert exported == resolved
    assert exported["retry"]["max_attempts"] == 5
    assert validator.is_valid(exported)


def test_the_vectors_are_the_shipped_ones(capsys: pytest.CaptureFixture[str], root: Path) -> None:
    assert main(["export", "vectors"]) == 0
    assert capsys.readouterr().out == (root / "contract" / "vectors" / "vectors.json").read_text(encoding="utf-8")


def test_check_tells_whether_a_file_is_current(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "schemas" / "contract.json"
    words = ["export", "contract-schema", "--out", str(out)]
    assert main([*words, "--check"]) == 1
    assert "to write it: idempact export contract-schema" in capsys.readouterr().err
    assert not out.exists()
    assert main(words) == 0
    assert main([*words, "--check"]) == 0
    out.write_text("{}", encoding="utf-8")
    assert main([*words, "--check"]) == 1
    assert out.read_text(encoding="utf-8") == "{}"


@pytest.mark.parametrize("target", targets())
@pytest.mark.parametrize("contract", [None, "my contract's.yaml"])
def test_what_check_says_to_run_makes_it_current(
    target: str,
    contract: str | None,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "contract").mkdir()
    for name in ("contract/contract.yaml", *([contract] if contract else ())):
        (tmp_path / name).write_bytes((root / "contract" / "contract.yaml").read_bytes())
    monkeypatch.chdir(tmp_path)
    words = ["export", target, *([contract] if contract else ()), "--out", "its out"]
    assert main([*words, "--check"]) == 1
    said = capsys.readouterr().err
    (told,) = (line.partition("to write it: ")[2] for line in said.splitlines() if "to write it" in line)
    program, *command = shlex.split(told)
    assert program == "idempact"
    assert main(command) == 0
    assert main([*words, "--check"]) == 0


def test_a_format_of_several_files_is_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "styles" / "Idempact"
    words = ["export", "vale", "--out", str(out)]
    assert main([*words, "--check"]) == 1
    assert not out.exists()
    assert main(words) == 0
    (out / "Own.yml").write_text("extends: existence\n", encoding="utf-8")
    assert main([*words, "--check"]) == 0
    changed = next(path for path in sorted(out.iterdir()) if path.name != "Own.yml")
    changed.write_text("", encoding="utf-8")
    assert main([*words, "--check"]) == 1
    assert changed.read_bytes() == b""
    assert main(words) == 0
    assert "1 of " in capsys.readouterr().err
    assert changed.read_bytes()
    assert (out / "Own.yml").exists()


def test_wrong_use_and_broken_contracts_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "contract-schema", "--check"]) == 2
    assert main(["export", "no-such-format"]) == 2
    assert main(["export", "contract-schema", "--out", str(tmp_path)]) == 2
    broken = tmp_path / "contract.yaml"
    broken.write_text("idempact: 1\n", encoding="utf-8")
    out = tmp_path / "contract.json"
    assert main(["export", "contract-json", str(broken), "--out", str(out)]) == 1
    assert main(["export", "contract-json", str(tmp_path / "none.yaml"), "--out", str(out)]) == 1
    assert not out.exists()
    told = capsys.readouterr()
    assert told.out == ""
    assert "missing-decision" in told.err


def test_a_module_without_a_target_is_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from idempact.exports import contract_json

    monkeypatch.setattr(contract_json, "TARGET", OfContract("other-name", "x", contract_json.render))
    with pytest.raises(TypeError, match="contract_json needs a TARGET"):
        targets()
