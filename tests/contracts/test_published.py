"""What a contract keeps back is in no published form of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from idempact.build import build
from idempact.contract.published import published
from idempact.contract.read import Read, read
from idempact.contract.write import resolved
from idempact.text.diagnostic import Severity
from idempact.text.nodes import compose
from idempact.text.span import Document

EXAMPLE = (Path(__file__).parents[2] / "contract" / "contract.yaml").read_text(encoding="utf-8")
SECRETS = {
    "store: postgresql": "sqlite",
    "recovery_point: charge_recorded": "the_hidden_point",
    'downstream_key: "acme-{record_id}"': "hidden-{record_id}",
    "lease: 60s": "61001ms",
    "slowest_handler: none": "60999ms",
    "completer_after: 5m": "4999s",
    "reaper_batch: 1000": "31337",
}


def contract(provider: str) -> Read:
    text = EXAMPLE.replace("provider: false", f"provider: {provider}")
    for line, value in SECRETS.items():
        assert text.count(line) == 1, line
        text = text.replace(line, f"{line.partition(':')[0]}: {value if value.isdigit() else json.dumps(value)}")
    text = text.replace("\nnotes:", "\nnotes:\n  - {at: windows.lease, text: a hidden note}\n", 1)
    text = text.replace(
        "\nchanges:", "\nchanges:\n  - {date: 2026-10-01, at: server.regions, text: a hidden change}\n", 1
    )
    tree = compose(Document("contract.yaml", text)).value
    assert tree is not None
    found = read(tree)
    assert found.value is not None
    assert not [d for d in found.diagnostics if d.severity is Severity.ERROR]
    return found.value


def test_everything_is_published_where_the_contract_says_so() -> None:
    own = contract("true").contract
    assert published(own) == resolved(own)
    told = json.dumps(published(own))
    for secret in (*SECRETS.values(), "a hidden note", "a hidden change"):
        assert secret in told, secret


@pytest.mark.parametrize("secret", [*SECRETS.values(), "a hidden note", "a hidden change"])
def test_what_is_kept_back_is_nowhere_in_the_site(secret: str) -> None:
    made = build(contract("false"), contract_name="contract.yaml").value
    assert made is not None
    assert [a.path for a in made.artifacts if secret in a.text] == [], secret


def test_the_site_has_the_contract_as_data() -> None:
    own = contract("false")
    made = build(own, contract_name="contract.yaml").value
    assert made is not None
    (data,) = [json.loads(a.text) for a in made.artifacts if a.path == "downloads/contract.json"]
    assert data["windows"]["replay"] == "24h"
    assert data == published(own.contract)


def test_a_word_may_stand_in_quotes_where_nothing_but_a_word_can_stand() -> None:
    text = EXAMPLE.replace("store: postgresql ", 'store: "postgresql" ').replace("jitter: full,", "jitter: 'full',")
    trees = [compose(Document("contract.yaml", t)).value for t in (EXAMPLE, text)]
    plain, quoted = (read(tree) for tree in trees if tree is not None)
    assert quoted.value is not None
    assert plain.value is not None
    assert [d.message for d in quoted.diagnostics] == [d.message for d in plain.diagnostics]
    assert quoted.value.contract == plain.value.contract


@pytest.mark.parametrize(("provider", "told"), [("true", True), ("false", False)])
def test_the_listing_and_the_sources_tell_of_the_provider_only_where_it_is_published(provider: str, told: bool) -> None:
    made = build(contract(provider), contract_name="contract.yaml").value
    assert made is not None
    files = {artifact.path: artifact.text for artifact in made.artifacts}
    assert ("implementers.md.txt" in files["llms.txt"]) is told
    sources = "\n".join(text for path, text in files.items() if path.endswith(".txt"))
    assert ("the_hidden_point" in sources) is told
    assert ("reaper" in sources) is told
