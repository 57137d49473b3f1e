"""Which operation of a contract a request is, and which keys tie."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from idempact.contract.matching import best, common, matches, specificity
from idempact.contract.model.operations import OperationKey


def key(text: str) -> OperationKey:
    return OperationKey.parse(text)


@pytest.mark.parametrize(
    ("text", "method", "path", "expected"),
    [
        ("POST /payments", "post", "/payments", True),
        ("POST /payments", "POST", "/payments/", True),
        ("POST /payments", "PUT", "/payments", False),
        ("ANY /payments", "PUT", "/payments", True),
        ("POST /payments/{id}", "POST", "/payments/{payment_id}", True),
        ("POST /payments/{id}", "POST", "/payments/refunds", False),
        ("POST /payments/*", "POST", "/payments/{id}", True),
        ("POST /payments/*", "POST", "/payments/a/b", False),
        ("POST /payments/**", "POST", "/payments/a/b", True),
        ("POST /payments/**", "POST", "/payments", True),
        ("POST /**", "POST", "/", True),
        ("POST /a.b", "POST", "/aXb", False),
        ("POST /{a}.{b}", "POST", "/{x}.{y}", True),
    ],
)
def test_a_path_key_matches(text: str, method: str, path: str, expected: bool) -> None:
    assert matches(key(text), method, path, None, ()) is expected


def test_names_and_tags_match_exactly() -> None:
    assert matches(key("operation pay"), "POST", "/x", "pay", ())
    assert not matches(key("operation pay"), "POST", "/x", "Pay", ())
    assert matches(key("tag money"), "POST", "/x", None, ("money", "other"))
    assert not matches(key("tag money"), "POST", "/x", "money", ())


def test_the_most_specific_key_wins() -> None:
    ranked = [
        "operation pay",
        "POST /v1/payments/{id}/capture",
        "ANY /v1/payments/{id}/capture",
        "POST /v1/payments/*/capture",
        "POST /v1/*/*/capture",
        "POST /v1/payments/**",
        "POST /v1/**",
        "POST /**",
        "tag money",
    ]
    keys = [key(text) for text in ranked]
    assert all(matches(k, "POST", "/v1/payments/{id}/capture", "pay", ("money",)) for k in keys)
    assert [str(k) for k in sorted(keys, key=specificity, reverse=True)] == ranked
    for start in range(len(keys)):
        assert best(reversed(keys[start:])) == (keys[start],)


def test_equal_keys_tie() -> None:
    tied = best([key("POST /a/*"), key("POST /*/b"), key("POST /**")])
    assert {str(k) for k in tied} == {"POST /a/*", "POST /*/b"}
    assert best([]) == ()


_SEGMENTS = st.lists(st.sampled_from(("a", "b", "{id}", "{x}.{y}")), min_size=1, max_size=4)


@st.composite
def keys_of(draw: st.DrawFn, segments: list[str]) -> OperationKey:
    """A key that matches POST and the path of *segments*."""
    method = draw(st.sampled_from(("POST", "ANY")))
    kept = draw(st.integers(0, len(segments)))
    masked = [draw(st.sampled_from((segment, "*"))) for segment in segments[:kept]]
    return key(f"{method} /{'/'.join([*masked, *(['**'] if kept < len(segments) else [])])}")


@given(data=st.data(), segments=_SEGMENTS)
def test_two_keys_that_match_one_request_have_one_in_common(data: st.DataObject, segments: list[str]) -> None:
    one, other = data.draw(keys_of(segments)), data.draw(keys_of(segments))
    path = "/" + "/".join(segments)
    assert matches(one, "POST", path, None, ())
    assert matches(other, "POST", path, None, ())
    found = common(one, other)
    assert found is not None
    method, _, shared = found.partition(" ")
    assert method in ("POST", "ANY")
    assert matches(one, "POST", shared, None, ())
    assert matches(other, "POST", shared, None, ())


@given(data=st.data(), segments=_SEGMENTS, others=_SEGMENTS)
def test_two_keys_with_nothing_in_common_match_no_request_together(
    data: st.DataObject, segments: list[str], others: list[str]
) -> None:
    one, other = data.draw(keys_of(segments)), data.draw(keys_of(others))
    both = [
        path
        for path in ("/" + "/".join(segments), "/" + "/".join(others))
        if matches(one, "POST", path, None, ()) and matches(other, "POST", path, None, ())
    ]
    assert common(one, other) is not None or not both
    assert (common(one, other) is None) == (common(other, one) is None)
