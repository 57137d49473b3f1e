"""How pages show a key: the forms that they advise, and where it travels."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from idempact.build import Built

MINIMAL = (Path(__file__).parents[2] / "contract" / "minimal.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("form", "template"),
    [
        ("uuid-v5", "payment/{payment_id}"),
        ('{pattern: "payment-[0-9]{6,12}"}', "payment-{payment_id}"),
        ("visible-ascii", "payment-{payment_id}"),
    ],
)
def test_the_keys_page_advises_no_key_that_the_form_refuses(
    form: str, template: str, built: Callable[[str], Built]
) -> None:
    text = MINIMAL.replace("required: true", f"required: true, format: {form}").replace("  POST /refunds: keyed\n", "")
    own = f'POST /payments: {{safety: keyed, key: {{derivation: {{event: "{template}"}}}}}}'
    text = re.sub("POST /payments: keyed", lambda _: own, text)
    files = {artifact.path: artifact.text for artifact in built(text).artifacts}
    page = files["keys.md"]
    assert ("UUID version 4" in page) == (form == "visible-ascii")
    assert f"`{template}` as `" in page
    assert ("or random" in files["operations.md"]) is False


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
def test_no_key_is_named_after_an_event_where_only_random_ones_are_accepted(
    form: str, named: bool, pages_of: Callable[[str], dict[str, str]]
) -> None:
    random = ", derivation: {random: uuid-v7}" if form == "uuid-v7" else ""
    pages = pages_of(MINIMAL.replace("required: true", f"required: true, format: {form}{random}"))
    assert ("Named after the business event" in pages["keys.md"]) is named
    assert ("from its event" in pages["operations.md"]) is named
    assert ("1. **Random" in pages["keys.md"]) is not named


def test_a_key_in_quotes_is_encoded_in_a_query(pages_of: Callable[[str], dict[str, str]]) -> None:
    text = re.sub(r"(?m)^key: \{.*\}", "key: {name: idempotency_key, in: query, quoted: true, required: true}", MINIMAL)
    requests = re.findall(r"^POST .*HTTP/1.1$", pages_of(text)["keys.md"], re.MULTILINE)
    assert requests
    for line in requests:
        assert re.fullmatch(r"POST [!#-~]+\?idempotency_key=%22[^\"]+%22 HTTP/1.1", line)


def test_a_key_in_the_body_has_an_example(pages_of: Callable[[str], dict[str, str]]) -> None:
    text = re.sub(r"(?m)^key: \{.*\}", "key: {name: /meta/key, in: body, required: true}", MINIMAL)
    page = pages_of(text)["keys.md"]
    body = re.findall(r"Content-Type: application/json\n\n(\{.*?\n\})\n```", page, re.DOTALL)
    assert body
    assert all(json.loads(found)["meta"]["key"] for found in body)
