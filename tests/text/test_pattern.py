"""A pattern that is compiled on first use does what a compiled one does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.text.pattern import regex

TEXTS = st.text(st.sampled_from("aA1-.\n"), max_size=12)
PATTERNS = st.sampled_from(("a+", "(?P<letter>[a-z])|(?P<digit>[0-9])", "^-$", r"\.\Z", ""))


@given(PATTERNS, st.sampled_from((0, re.IGNORECASE, re.MULTILINE)), TEXTS)
def test_any_pattern_finds_the_same(text: str, flags: int, searched: str) -> None:
    late, compiled = regex(text, flags), re.compile(text, flags)
    for _ in range(2):  # the second time the method stands in its place
        assert [m.groupdict() for m in late.finditer(searched)] == [m.groupdict() for m in compiled.finditer(searched)]
        assert late.sub("x", searched) == compiled.sub("x", searched)
        assert (late.match(searched) is None) == (compiled.match(searched) is None)
    assert (late.pattern, late.flags, late.groups) == (compiled.pattern, compiled.flags, compiled.groups)


def test_a_fault_shows_when_it_is_first_used() -> None:
    broken = regex("(")
    with pytest.raises(re.error):
        broken.match("a")
