"""Tools of others agree: another language's YAML reader on what is ours, another applier on what an overlay does.

Small files always; ``EVERY_FILE=1`` takes every file in ``../shared/specs`` as well.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from idempact.openapi.inject import inject
from idempact.openapi.overlay import overlay
from idempact.openapi.plan import Wishes
from idempact.text.diagnostic import Checked
from idempact.text.nodes import compose, decode, plain
from idempact.text.span import Document

HERE = Path(__file__).parent
FULL = Wishes(copy_shared=True, adopt=True)
RUNS = [("every-write", Wishes()), ("hostile", Wishes()), ("every-write", FULL), ("hostile", FULL)]

# Reads both texts, takes out of the second what its record says is ours, and tells the first place where the two
# differ, in values or in the order of keys.
READ = """
import fs from 'node:fs';
import { parseDocument } from 'yaml';
const read = text => {
  const document = parseDocument(text, { version: '1.2', schema: 'core', logLevel: 'silent' });
  if (document.errors.length) throw document.errors[0];
  return document.toJS({ mapAsMap: true, maxAliasCount: -1 });
};
const keyOf = (holder, key) => [...holder.keys()].find(one => String(one) === key);
const step = (holder, key) => holder instanceof Map ? holder.get(keyOf(holder, key)) : holder[Number(key)];
const pathOf = pointer => pointer.split('/').slice(1).map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'));
const strip = (root, share) => {
  for (const [pointer, was] of share.replaced) {
    const path = pathOf(pointer), last = path.pop();
    const holder = path.reduce(step, root);
    holder.set(keyOf(holder, last), read(was));
  }
  const deep = pointer => pathOf(pointer).map(part => part.padStart(12, '0')).join('/');
  for (const pointer of share.gone.toSorted((a, b) => deep(a) < deep(b) ? 1 : -1)) {
    const path = pathOf(pointer), last = path.pop();
    const holder = path.reduce(step, root);
    if (holder instanceof Map) holder.delete(keyOf(holder, last)); else holder.splice(Number(last), 1);
  }
  return root;
};
const differ = (one, other, at) => {
  if (one instanceof Map && other instanceof Map) {
    const keys = [...one.keys()], others = [...other.keys()];
    const same = keys.length === others.length && keys.every((key, n) => key === others[n]);
    if (!same) return `${at}: ${keys} / ${others}`;
    for (const key of keys) {
      const found = differ(one.get(key), other.get(key), `${at}/${key}`);
      if (found) return found;
    }
    return null;
  }
  if (Array.isArray(one) && Array.isArray(other)) {
    if (one.length !== other.length) return `${at}: ${one.length} / ${other.length} items`;
    for (const n in one) { const found = differ(one[n], other[n], `${at}/${n}`); if (found) return found; }
    return null;
  }
  return Object.is(one, other) ? null : `${at}: ${one} / ${other}`;
};
for (const job of JSON.parse(fs.readFileSync(0, 'utf8'))) {
  const before = read(job.before), after = read(job.after);
  console.log(JSON.stringify(differ(before, strip(after, job.share), '')));
}
"""
APPLY = """
import fs from 'node:fs';
import { applyOverlay } from 'openapi-overlays-js/src/overlay.js';
for (const job of JSON.parse(fs.readFileSync(0, 'utf8')))
  console.log(JSON.stringify(applyOverlay(job.document, job.overlay)));
"""


def _node(folder: Path, script: str, jobs: list) -> list:
    words = ["node", "--input-type=module", "--max-old-space-size=6000", "-e", script]
    done = subprocess.run(words, cwd=folder, input=json.dumps(jobs), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def _texts(request) -> dict[str, str]:
    texts = {}
    for path in sorted(HERE.glob("*/before.*")):
        texts[path.parent.name + path.suffix] = decode(path.name, path.read_bytes()).value.text
    if os.environ.get("EVERY_FILE") == "1":
        for path in sorted(request.getfixturevalue("shared").glob("specs/*.*")):
            if path.suffix in (".yaml", ".yml", ".json"):
                texts[path.name] = decode(path.name, path.read_bytes()).value.text
    return texts


def _share(record, root=None):
    gone = [*record["inserted"], *record.get("created", ()), *([root] if root else ())]
    return {"gone": gone, "replaced": [[at, one["was"]] for at, one in record.get("replaced", {}).items()]}


def _value(name, text):
    return plain(compose(Document(name, text)).value.root)


@pytest.mark.parametrize(("contract", "wishes"), RUNS)
def test_another_reader_finds_what_was_there_as_it_was(contract, wishes, request, node_tools, contracted):
    jobs, names = [], []
    for name, text in _texts(request).items():
        found = inject(Document(name, text), contracted(f"{contract}.yaml"), wishes=wishes)
        assert found.value is not None, found.diagnostics
        after, record = found.value.after, found.value.record
        (root,) = (key for key, value in _value(name, after).items() if isinstance(value, dict) and value == record)
        jobs.append({"before": text, "after": after, "share": _share(record["generated_by"], f"/{root}")})
        names.append(name)
    assert {name: said for name, said in zip(names, _node(node_tools, READ, jobs), strict=True) if said} == {}
    assert len(names) >= 15
    # It would tell: what is left of ours is another value.
    jobs[0]["share"]["gone"].pop()
    (said,) = _node(node_tools, READ, jobs[:1])
    assert said


def test_another_reader_finds_every_file_of_several_as_it_was(node_tools, contracted, shared):
    folder, opened = shared / "specs" / "conekta-multifile", {}

    def opener(name):
        opened[name] = (folder / name).read_bytes().decode()
        return Checked(Document(name, opened[name]))

    text = (folder / "api.yaml").read_bytes().decode()
    found = inject(Document("api.yaml", text), contracted("every-write.yaml"), opener=opener)
    owner = found.value.record["generated_by"]
    jobs = [{"before": text, "after": found.value.after, "share": _share(owner, "/x-idempotency")}]
    for name, one in found.value.others:
        jobs.append({"before": opened[name], "after": one.after, "share": _share(owner["files"][name])})
    assert len(jobs) > 5
    assert set(_node(node_tools, READ, jobs)) == {None}


@pytest.mark.parametrize("contract", ["every-write", "hostile"])
def test_another_applier_makes_of_an_overlay_what_an_injection_makes(contract, request, node_tools, contracted):
    plan, jobs, expected = contracted(f"{contract}.yaml"), [], []
    for name, text in _texts(request).items():
        made = overlay(Document(name, text), text.encode(), plan, Wishes())
        after = _value(name, inject(Document(name, text), plan).value.after)
        for value in after.values():
            if isinstance(value, dict):
                value.pop("generated_by", None)
        jobs.append({"document": _value(name, text), "overlay": made.value.value})
        expected.append((name, after))
    results = _node(node_tools, APPLY, jobs)
    # JSON has one kind of number in JavaScript.
    wrong = [name for (name, after), result in zip(expected, results, strict=True) if result != after]
    assert wrong == []
