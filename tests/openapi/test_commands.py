"""``idempact inject`` and ``idempact eject`` as a user runs them."""

from __future__ import annotations

import io
import itertools
import os
import shlex
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from ruamel.yaml import YAML

from idempact.cli import main
from idempact.render import replace as replacing

CONTRACT = """\
idempact: 1
written_by: observer
api: {name: Orders, base_url: https://api.orders.example, contact: https://orders.example/help}
key: {name: Idempotency-Key, required: true, length: {max: 99}}
scope: not-documented
fingerprint: not-documented
windows: {replay: 24h}
replay: {fidelity: not-documented}
stored_failures: not-documented
answers:
  mismatch: {status: 422, code: other_request}
  expired_key: not-documented
  in_flight: {status: 409, code: running}
operations: {POST /orders: keyed}
"""
API = """\
openapi: 3.1.0
info: {title: Orders, version: "1"}
paths:
  /orders:
    post:
      responses:
        '200': {description: ok}
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "contract").mkdir()
    (tmp_path / "contract/contract.yaml").write_text(CONTRACT)
    (tmp_path / "api.yaml").write_bytes(API.encode())
    return tmp_path


def _stdin(monkeypatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))


def test_inject_check_and_eject(place, capsys):
    assert main(["inject", "api.yaml"]) == 0
    out = capsys.readouterr()
    assert "written" in out.err
    assert "1 keyed" in out.err
    after = (place / "api.yaml").read_text()
    assert "#/components/responses/Idempotency422" in after
    assert main(["inject", "api.yaml", "--check"]) == 0
    assert main(["inject", "api.yaml"]) == 0
    assert "unchanged" in capsys.readouterr().err
    assert (place / "api.yaml").read_text() == after
    assert main(["eject", "api.yaml", "--check"]) == 1
    assert main(["eject", "api.yaml"]) == 0
    assert (place / "api.yaml").read_text() == API
    assert sorted(p.name for p in place.iterdir()) == ["api.yaml", "contract"]


def test_check_shows_the_difference_and_the_command(place, capsys):
    assert main(["inject", "api.yaml", "--check"]) == 1
    out = capsys.readouterr()
    assert "+++ b/api.yaml" in out.out
    assert "+          $ref: '#/components/responses/Idempotency409'" in out.out
    assert "idempact inject api.yaml --contract contract/contract.yaml" in out.err
    assert (place / "api.yaml").read_text() == API


FLAGS = ("--copy-shared", "--adopt", "--no-follow", "--force", "--with", "--contract", "--validate")
NEEDY = API.replace("'200': {description: ok}", "'409': {$ref: '#/components/responses/R'}") + (
    "      parameters: [{name: Idempotency-Key, in: header, schema: {maxLength: 9}}]\n"
    "components: {responses: {R: {description: r}}}\n"
)


@pytest.mark.parametrize("count", [0, 1, 2, len(FLAGS)])
def test_the_command_that_check_names_brings_the_file_up_to_date(place, capsys, count):
    """With whatever flags it was asked; a name may hold what a shell reads otherwise."""
    name = "my api's.yaml"
    (place / "c d.yaml").write_text(CONTRACT)
    values = {"--with": ["speakeasy, fern"], "--contract": ["c d.yaml"], "--validate": ["off"]}
    for chosen in itertools.combinations(FLAGS, count):
        words = [word for flag in chosen for word in (flag, *values.get(flag, ()))]
        (place / name).write_text(NEEDY)
        assert main(["inject", name, "--check", *words]) == 1
        told = capsys.readouterr().err.rpartition("; run: ")[2]
        program, *command = shlex.split(told)
        assert program == "idempact"
        assert main(command) == 0
        assert main(["inject", name, "--check", *words]) == 0, (chosen, capsys.readouterr().out)
        assert main(["eject", name, "--check"]) == 1
        assert main(shlex.split(capsys.readouterr().err.rpartition("; run: ")[2])[1:]) == 0
        assert (place / name).read_text() == NEEDY
        capsys.readouterr()


@pytest.mark.parametrize("flag", ["--copy-shared", "--adopt"])
def test_flags_that_are_left_out_the_next_time_are_called_to_mind(place, capsys, flag):
    (place / "api.yaml").write_text(NEEDY)
    assert main(["inject", "api.yaml"]) == 0
    assert main(["inject", "api.yaml", flag]) == 0
    assert main(["inject", "api.yaml", flag]) == 0
    assert "earlier run" not in capsys.readouterr().err
    assert main(["inject", "api.yaml", "--check"]) == 1
    assert flag in capsys.readouterr().err
    assert main(["inject", "api.yaml"]) == 0
    assert "earlier run" in capsys.readouterr().err
    assert main(["inject", "api.yaml"]) == 0
    assert "earlier run" not in capsys.readouterr().err


def test_what_is_kept_beside_the_file_is_compared_with_it(place, capsys):
    """`--check --output FILE` asks whether FILE is what would be written there."""
    words = ["inject", "api.yaml", "--output", "public/api.yaml"]
    assert main([*words, "--check"]) == 1
    assert not (place / "public").exists()
    told = shlex.split(capsys.readouterr().err.rpartition("; run: ")[2])
    assert main(told[1:]) == 0
    assert main([*words, "--check"]) == 0
    assert (place / "api.yaml").read_text() == API
    (place / "public" / "api.yaml").write_text(
        (place / "public" / "api.yaml").read_text().replace("title: O", "title: o")
    )
    capsys.readouterr()
    assert main([*words, "--check"]) == 1
    shown = capsys.readouterr()
    assert [line for line in shown.out.splitlines() if line[:1] == "-" and line[:3] != "---"] == [
        '-info: {title: orders, version: "1"}'
    ]
    assert "public/api.yaml is not up to date" in shown.err


def test_a_pipe_or_a_device_gets_the_bytes_and_stays_what_it_is(place, capsys):
    assert main(["inject", "api.yaml", "--output", "new.yaml"]) == 0
    wanted = (place / "new.yaml").read_bytes()
    pipe = place / "pipe"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as readers:
        read = readers.submit(pipe.read_bytes)
        assert main(["inject", "api.yaml", "--output", "pipe"]) == 0
        assert read.result() == wanted
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    words = ["-m", "idempact", "inject", "api.yaml", "--quiet", "--output", "/dev/stdout"]
    done = subprocess.run([sys.executable, *words], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(wanted)
    assert sorted(p.name for p in place.iterdir()) == ["api.yaml", "contract", "new.yaml", "pipe"]


def test_a_folder_in_the_place_of_the_output_is_named(place, capsys):
    (place / "out").mkdir()
    assert main(["inject", "api.yaml", "--output", "out"]) == 2
    err = capsys.readouterr().err
    assert f"{place / 'out'}: " in err
    assert ".tmp" not in err


def test_diff_writes_nothing(place, capsys):
    assert main(["inject", "api.yaml", "--diff"]) == 0
    assert "+++ b/api.yaml" in capsys.readouterr().out
    assert (place / "api.yaml").read_text() == API


@pytest.mark.parametrize("languages", [["shell"], ["ruby", "python"]])
def test_code_samples_are_in_the_languages_that_are_published(place, capsys, languages):
    (place / "contract/contract.yaml").write_text(f"{CONTRACT}publish: {{languages: [{', '.join(languages)}]}}\n")
    assert main(["inject", "api.yaml", "--with", "code-samples"]) == 0
    assert "publish.languages" in capsys.readouterr().err
    operations = YAML(typ="safe").load((place / "api.yaml").read_text())["paths"]["/orders"]
    assert [sample["label"].lower() for sample in operations["post"]["x-codeSamples"]] == languages
    assert main(["inject", "api.yaml", "--with", "code-samples"]) == 0
    assert "publish.languages" not in capsys.readouterr().err


def test_output_and_standard_streams(place, capsys, monkeypatch):
    assert main(["inject", "api.yaml", "--output", "new.yaml"]) == 0
    assert (place / "api.yaml").read_text() == API
    after = (place / "new.yaml").read_text()
    capsys.readouterr()
    _stdin(monkeypatch, API.encode())
    assert main(["inject", "-"]) == 0
    assert capsys.readouterr().out == after
    _stdin(monkeypatch, after.encode())
    assert main(["eject", "-"]) == 0
    assert capsys.readouterr().out == API


def test_the_contract_on_standard_input(place, capsys, monkeypatch):
    _stdin(monkeypatch, CONTRACT.encode())
    assert main(["inject", "api.yaml", "--contract", "-"]) == 0
    after = (place / "api.yaml").read_text()
    assert main(["inject", "api.yaml", "--check"]) == 0, "the same as from the file"
    _stdin(monkeypatch, CONTRACT.replace("99", "many").encode())
    assert main(["inject", "api.yaml", "--contract", "-"]) == 1
    assert "<stdin>:4" in capsys.readouterr().out
    for command in ("audit", "overlay"):
        _stdin(monkeypatch, CONTRACT.encode())
        assert main([command, "api.yaml", "--contract", "-"]) == (1 if command == "overlay" else 0)
    for command in ("inject", "audit", "overlay"):
        assert main([command, "-", "--contract", "-"]) == 2
        assert "not both" in capsys.readouterr().err
    assert (place / "api.yaml").read_text() == after


def test_mode_and_link_are_kept(place):
    target = place / "real.yaml"
    target.write_bytes(API.encode())
    target.chmod(0o640)
    link = place / "link.yaml"
    link.symlink_to("real.yaml")
    assert main(["inject", "link.yaml"]) == 0
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert "x-idempotency" in target.read_text()


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_crash_leaves_the_old_file(place, monkeypatch, step):
    def crash(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(replacing.os, step, crash)
    assert main(["inject", "api.yaml"]) == 2
    monkeypatch.undo()
    assert (place / "api.yaml").read_text() == API
    assert sorted(p for p in os.listdir(place) if p.startswith(".")) == []


def test_findings_stop_the_run_or_not(place, capsys):
    (place / "api.yaml").write_text(API + "  /more:\n    delete: {}\n")
    assert main(["inject", "api.yaml"]) == 1
    out = capsys.readouterr().out
    assert "api.yaml:9:5: error:" in out
    assert "openapi/unlisted-operation" in out
    assert "x-idempotency" not in (place / "api.yaml").read_text()
    contract = place / "contract/contract.yaml"
    contract.write_text(CONTRACT + "unlisted_operations: warning\n")
    assert main(["inject", "api.yaml"]) == 0
    assert main(["inject", "api.yaml", "--strict"]) == 1


@pytest.mark.parametrize(
    "argv",
    [
        ["inject", "absent.yaml"],
        ["eject", "absent.yaml"],
        ["inject", "api.yaml", "--contract", "absent.yaml"],
        ["inject", "."],
    ],
)
def test_what_cannot_be_read_is_wrong_use(place, capsys, argv):
    assert main(argv) == 2
    err = capsys.readouterr().err
    assert "our own fault" not in err
    assert "help:" in err


@pytest.mark.parametrize("command", ["inject", "audit", "overlay"])
def test_a_first_run_without_a_contract_is_told_where_one_comes_from(place, capsys, command):
    (place / "contract/contract.yaml").unlink()
    assert main([command, "api.yaml"]) == 2
    err = capsys.readouterr().err
    assert "--contract" in err
    assert "idempact new" in err


def test_the_last_line_tells_what_was_done(place, capsys):
    """Whether something was written, how much longer the file is, and that nothing was after an error."""
    before = (place / "api.yaml").stat().st_size
    assert main(["inject", "api.yaml"]) == 0
    more = (place / "api.yaml").stat().st_size - before
    assert f"api.yaml: written, {more:,} bytes more; " in capsys.readouterr().err
    assert main(["inject", "api.yaml"]) == 0
    assert "api.yaml: unchanged; " in capsys.readouterr().err
    assert main(["eject", "api.yaml"]) == 0
    assert f"api.yaml: written, {more:,} bytes less; nothing in it is ours" in capsys.readouterr().err
    (place / "api.yaml").write_text(API + "  /more:\n    delete: {}\n")
    assert main(["inject", "api.yaml"]) == 1
    out = capsys.readouterr()
    assert "api.yaml: nothing was written" in out.err
    assert "unlisted_operations: warning" in out.out


def test_a_broken_contract_stops_the_run(place, capsys):
    (place / "contract/contract.yaml").write_text(CONTRACT.replace("max: 99", "max: many"))
    assert main(["inject", "api.yaml"]) == 1
    assert "contract/contract.yaml:4" in capsys.readouterr().out
    assert (place / "api.yaml").read_text() == API


@pytest.mark.parametrize("data", [b"\xff\xfe\x00", b"a: [", b"swagger: '2.0'\n", b"{", b"\x00"])
def test_bytes_that_are_no_openapi_file_are_findings(place, capsys, data):
    (place / "api.yaml").write_bytes(data)
    assert main(["inject", "api.yaml"]) == 1
    assert "api.yaml:1" in capsys.readouterr().out
    assert main(["eject", "api.yaml"]) == 1
    assert (place / "api.yaml").read_bytes() == data


def test_an_invalid_result_is_not_written(place, capsys, monkeypatch):
    from idempact.openapi import validate

    monkeypatch.setattr(validate, "_NAME", validate.re.compile("none"))
    assert main(["inject", "api.yaml"]) == 1
    assert "openapi/invalid-result" in capsys.readouterr().out
    assert (place / "api.yaml").read_text() == API


def test_full_validation_looks_into_every_file_and_fetches_nothing(place, capsys, monkeypatch):
    """What an injection breaks in a file behind a reference is found there, by the name that the root gives it."""
    from idempact.openapi import weave

    (place / "paths").mkdir()
    item = "post:\n  parameters:\n    - {$ref: 'q.yaml#/Q'}\n  responses:\n    '200': {description: ok}\n"
    (place / "paths" / "a.yaml").write_text(item)
    (place / "paths" / "q.yaml").write_text("Q: {name: q, in: query, schema: {type: string}}\n")
    root = API[: API.index("    post:")] + "    $ref: paths/a.yaml\n"
    far = "  /far: {$ref: 'https://orders.example/far.yaml'}\n"
    for text, wanted in ((root, 0), (root + far, 0)):
        (place / "api.yaml").write_text(text)
        assert main(["inject", "api.yaml", "--validate", "full"]) == wanted, capsys.readouterr()
        assert "x-idempotency" in (place / "paths" / "a.yaml").read_text()
        assert main(["eject", "api.yaml"]) == 0
    assert (place / "paths" / "a.yaml").read_text() == item
    capsys.readouterr()

    def wrong(woven, operation, wanted):
        woven.take(weave.Spot(operation.file, (*operation.path, "security"), "x"), "nonsense")

    monkeypatch.setattr(weave, "add_others", wrong)
    (place / "api.yaml").write_text(root + far)
    assert main(["inject", "api.yaml"]) == 0, "the quick look is at what we know of"
    assert main(["eject", "api.yaml"]) == 0
    assert main(["inject", "api.yaml", "--validate", "full"]) == 1
    assert "nonsense" in capsys.readouterr().out
    assert (place / "paths" / "a.yaml").read_text() == item


def test_full_validation(place, capsys, monkeypatch):
    assert main(["inject", "api.yaml", "--validate", "full"]) == 0
    assert main(["eject", "api.yaml"]) == 0
    monkeypatch.setitem(sys.modules, "openapi_spec_validator.shortcuts", None)
    assert main(["inject", "api.yaml", "--validate", "full"]) == 2
    assert "idempact[validate]" in capsys.readouterr().err
    assert (place / "api.yaml").read_text() == API
    assert main(["inject", "api.yaml", "--validate", "off"]) == 0
