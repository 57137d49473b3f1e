"""Processes that die in earnest: by a signal before or in the middle of each step of a write, for want of room, for
want of permission, and several at once. Whatever happens, each file is the old one or the new one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

CONTRACTS = Path(__file__).parent / "contracts"
ROOT = 'openapi: 3.1.0\ninfo: {title: t, version: "1"}\npaths:\n  /a: {$ref: paths/a.yaml}\n  /b:\n    post: {}\n'
ITEM = "post:\n  responses: {}\n"
# Runs a command in forked children, so that each needs no start of its own, and prints what became of the files.
RUNNER = '''
import contextlib, fcntl, json, os, resource, shutil, signal, sys, tempfile
from pathlib import Path
from idempact.cli import main
import idempact.render.replace

plan = json.loads(sys.argv[1])
folder = Path(plan["folder"])
real = {name: getattr(os, name) for name in ("fdopen", "kill", "getpid")}
left = -1


def step():
    global left
    left -= 1
    return left == -1


def die():
    real["kill"](real["getpid"](), plan.get("signal", signal.SIGKILL))


def before(module, name):
    function = getattr(module, name)
    def stop(*args, **more):
        if step():
            die()
        return function(*args, **more)
    setattr(module, name, stop)


class Half:
    """A file that is killed in the middle of a write: half of the bytes are there."""
    def __init__(self, file):
        self.file = file
    def __enter__(self):
        return self
    def __exit__(self, *_):
        self.file.close()
    def __getattr__(self, name):
        return getattr(self.file, name)
    def write(self, data):
        if step():
            self.file.write(data[: len(data) // 2])
            self.file.flush()
            die()
        return self.file.write(data)


def kill_at(count):
    global left
    left = count
    os.fdopen = lambda *args, **more: Half(real["fdopen"](*args, **more))
    for module, names in ((os, ("replace", "fsync", "fchmod", "fchown", "unlink")), (fcntl, ("flock",)),
                          (tempfile, ("mkstemp",))):
        for name in names:
            before(module, name)


def fresh():
    shutil.rmtree(folder, ignore_errors=True)
    for name, text in plan["files"].items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    os.chdir(folder)


def files():
    return {str(path.relative_to(folder)): path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}


def quietly(command):
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
        return main(command)


def child(command, prepare):
    pid = os.fork()
    if not pid:
        try:
            prepare()
            code = quietly(command)
        except SystemExit as stop:
            code = stop.code
        except BaseException:
            code = 99
        os._exit(code)
    return pid


def ended(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def nothing():
    pass


fresh()
quietly(plan["commands"][0])  # everything is imported now
fresh()
done = []
if plan["kind"] == "kills":
    for count in range(200):
        fresh()
        code = ended(child(plan["commands"][0], lambda: kill_at(count)))
        here = files()
        healed = ended(child(plan["commands"][0], nothing))
        done.append([code, here, healed, files()])
        if not code:
            break
elif plan["kind"] == "no room":
    def prepare():
        resource.setrlimit(resource.RLIMIT_FSIZE, (plan["room"], plan["room"]))
    done.append([ended(child(plan["commands"][0], prepare)), files()])
elif plan["kind"] == "no permission":
    (folder / "paths").chmod(0o555)
    def prepare():
        if os.geteuid() == 0:
            os.setgid(65534)
            os.setuid(65534)
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, 65534, 65534)
    done.append([ended(child(plan["commands"][0], prepare)), files()])
    (folder / "paths").chmod(0o755)
elif plan["kind"] == "together":
    for _ in range(plan["rounds"]):
        fresh()
        pids = [child(command, nothing) for command in plan["commands"]]
        done.append([[ended(pid) for pid in pids], files()])
print(json.dumps(done))
'''


def _command(verb: str, contract: str = "") -> list[str]:
    more = ["--contract", str(CONTRACTS / contract)] if contract else []
    return [verb, "api.yaml", *more, "--quiet"]


INJECT, OTHER = _command("inject", "every-write.yaml"), _command("inject", "changed.yaml")


@pytest.fixture
def world():
    """A folder that other users can reach, too."""
    with tempfile.TemporaryDirectory() as name:
        os.chmod(name, 0o755)
        yield Path(name) / "api"


@pytest.fixture
def run(world):
    def runner(kind, *commands, files=None, **more):
        plan = {"kind": kind, "commands": commands, "folder": str(world), **more}
        plan["files"] = files or {"api.yaml": ROOT, "paths/a.yaml": ITEM}
        done = subprocess.run(
            [sys.executable, "-c", RUNNER, json.dumps(plan)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return runner


def _known(files):
    """The files without what a killed process left beside them."""
    return {name: text for name, text in files.items() if not name.rpartition("/")[2].startswith(".")}


BEFORE = {"api.yaml": ROOT, "paths/a.yaml": ITEM}


@pytest.fixture
def after(run):
    """What the two files become by each contract."""
    return {name: run("together", command, rounds=1)[0][1] for name, command in (("one", INJECT), ("other", OTHER))}


def test_a_kill_at_each_step_of_an_injection(run, after):
    rounds = run("kills", INJECT)
    assert [code for code, *_ in rounds[:-1]] == [-signal.SIGKILL] * (len(rounds) - 1)
    assert rounds[-1][0] == 0
    # Two files: each is made, written, given its mode and flushed; two folders locked; two renames, and two flushes.
    assert len(rounds) > 12
    seen = set()
    for _, here, healed, now in rounds:
        for name, text in _known(here).items():
            assert text in (BEFORE[name], after["one"][name])
        seen.add(tuple(text == BEFORE[name] for name, text in _known(here).items()))
        assert healed == 0
        assert _known(now) == after["one"]
    # There were kills before, between and after the renames.
    assert len(seen) == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_request_to_end_at_each_step_leaves_nothing_beside_the_files(number, run, after):
    rounds = run("kills", INJECT, signal=number)
    assert [code for code, *_ in rounds[:-1]] == [128 + number] * (len(rounds) - 1)
    assert len(rounds) > 12
    for _, here, healed, now in rounds:
        for name, text in here.items():
            assert text in (BEFORE[name], after["one"][name])
        assert healed == 0
        assert now == after["one"]


def test_a_kill_at_each_step_of_an_ejection(run, after):
    rounds = run("kills", _command("eject"), files=after["one"])
    assert rounds[-1][0] == 0
    assert len(rounds) > 12
    for _, here, healed, now in rounds:
        for name, text in _known(here).items():
            assert text in (BEFORE[name], after["one"][name])
        assert healed == 0
        assert _known(now) == BEFORE


@pytest.mark.parametrize("room", [0, 1, 1000, 4000])
def test_a_system_that_gives_no_more_room(room, run):
    """The kernel itself refuses to write beyond so many bytes (setrlimit, RLIMIT_FSIZE)."""
    ((code, files),) = run("no room", INJECT, room=room)
    assert code == 2
    assert files == BEFORE


def test_a_folder_that_this_user_can_not_write(run):
    ((code, files),) = run("no permission", INJECT)
    assert code == 2
    assert files == BEFORE


def test_several_runs_with_different_wishes_at_once(run, after):
    """Whoever comes last, what stands there is one run's whole result, never one file of each."""
    for codes, files in run("together", INJECT, OTHER, INJECT, OTHER, rounds=6):
        assert set(codes) <= {0, 2}
        assert 0 in codes
        assert files in after.values()


def test_an_ejection_beside_an_injection(run, after):
    for codes, files in run("together", _command("eject"), OTHER, rounds=6, files=after["one"]):
        assert set(codes) <= {0, 2}
        assert files in (BEFORE, after["other"])


FULL = """
set -e
mount -t tmpfs -o size=96k none "$1"
cd "$1"
cp "$2" api.yaml
head -c 1000000 /dev/zero > filler 2>/dev/null || true
"$3" -m idempact inject api.yaml --contract "$4" --quiet && exit 90
test "$(ls -A | tr '\\n' ' ')" = 'api.yaml filler '
cmp api.yaml "$2"
"""


def test_a_disk_that_is_full(tmp_path):
    """A file system without a free block, in a mount namespace of its own; only where that is allowed."""
    probe = subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False) if os.geteuid() == 0 else None
    if probe is None or probe.returncode != 0:
        pytest.skip("mounting is not allowed here; the tests with RLIMIT_FSIZE stand in for this one")
    (tmp_path / "disk").mkdir()
    (tmp_path / "api.yaml").write_text(ROOT.replace("{$ref: paths/a.yaml}", "{post: {}}"))
    words = [tmp_path / "disk", tmp_path / "api.yaml", sys.executable, CONTRACTS / "every-write.yaml"]
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", FULL, "sh", *map(str, words)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "No space left on device" in done.stderr
