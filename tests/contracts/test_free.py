"""Values of the author's own: the same whether their JSON was written at once or is written when somebody asks."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.units import Free

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(PLAIN, PLAIN)
def test_any_value_is_its_json(one: object, other: object) -> None:
    written = {id(value): json.dumps(value, ensure_ascii=False) for value in (one, other)}
    for ask in (lambda found: found.json, lambda found: found.value, hash, str, repr):
        later, now = Free.of(one), Free(written[id(one)])
        assert ask(later) == ask(now)
        assert later == now
        assert later.value == one
    assert (Free.of(one) == Free.of(other)) is (written[id(one)] == written[id(other)])
    assert Free.of(one) != written[id(one)]
