"""The one writer of generated trees: compares, writes and prunes, and keeps its hands off what it didn't make."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from idempact.render.artifact import Artifact
from idempact.render.replace import replace_file
from idempact.text.dataclass import dataclass
from idempact.text.diagnostic import Diagnostic, Severity

MANIFEST = ".idempact.json"


@dataclass(frozen=True, slots=True)
class Difference:
    """One file that a write would change: ``added``, ``changed`` or ``removed``."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a write into one folder would do, and why it must not be done."""

    folder: Path
    artifacts: tuple[Artifact, ...]
    differences: tuple[Difference, ...]
    refusals: tuple[Diagnostic, ...]


def plan(folder: Path, artifacts: Iterable[Artifact]) -> Plan:
    """Compare *artifacts* with the folder.

    Refused: two artifacts of one path (letter case apart too), a path that leaves the folder, and a file at an
    artifact's path that an earlier write didn't make. Files of an earlier write that are no longer made are removed.
    """
    wanted = tuple(sorted(artifacts))
    refusals = [_refusal("build/colliding-artifact", a.path, "two outputs have this path") for a in _twice(wanted)]
    refusals += [
        _refusal("build/escaping-path", a.path, "the path leaves the output folder") for a in wanted if _escapes(a)
    ]
    made = manifest(folder)
    differences: list[Difference] = []
    if not refusals:
        for artifact in wanted:
            path = folder / artifact.path
            if not path.exists():
                differences.append(Difference("added", artifact.path))
            elif path.read_bytes() != artifact.content:
                if artifact.path not in made:
                    refusals.append(_foreign(path))
                    continue
                differences.append(Difference("changed", artifact.path))
        kept = {artifact.path for artifact in wanted}
        differences += [Difference("removed", p) for p in sorted(set(made) - kept) if (folder / p).is_file()]
    return Plan(folder, wanted, tuple(differences), tuple(refusals))


def _refusal(rule: str, path: str, message: str) -> Diagnostic:
    return Diagnostic(rule, Severity.ERROR, f"{path}: {message}", None, subject=path, hint="rename one of the sources")


def _foreign(path: Path) -> Diagnostic:
    return Diagnostic(
        "build/foreign-file",
        Severity.ERROR,
        f"{path}: a file that we didn't make stands where an output belongs",
        None,
        subject=str(path),
        hint="move it away, or build into another folder with --out",
    )


def _twice(artifacts: tuple[Artifact, ...]) -> list[Artifact]:
    seen: set[str] = set()
    return [a for a in artifacts if a.path.casefold() in seen or seen.add(a.path.casefold())]  # type: ignore[func-returns-value]


def _escapes(artifact: Artifact) -> bool:
    parts = artifact.path.split("/")
    return artifact.path.startswith("/") or any(part in ("", ".", "..") or "\\" in part for part in parts)


def manifest(folder: Path) -> dict[str, str]:
    """The files that the last write made, each with the SHA-256 of its bytes; empty where there was none."""
    try:
        data = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        files = data["files"]
        return {str(path): str(digest) for path, digest in files.items() if not _escapes(Artifact(str(path), ""))}
    except (OSError, ValueError, KeyError, AttributeError, TypeError):
        return {}


def write(planned: Plan) -> None:
    """Carry out a plan without refusals: each file by a temporary file and a rename, the manifest last."""
    assert not planned.refusals
    for difference in planned.differences:
        path = planned.folder / difference.path
        if difference.kind == "removed":
            path.unlink()
            _remove_empty(path.parent, planned.folder)
    contents = {artifact.path: artifact.content for artifact in planned.artifacts}
    for difference in planned.differences:
        if difference.kind != "removed":
            replace_file(planned.folder / difference.path, contents[difference.path])
    digests = {path: hashlib.sha256(data).hexdigest() for path, data in contents.items()}
    text = json.dumps({"made_by": "idempact build", "files": digests}, indent=1, ensure_ascii=False) + "\n"
    replace_file(planned.folder / MANIFEST, text.encode())


def _remove_empty(folder: Path, top: Path) -> None:
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
