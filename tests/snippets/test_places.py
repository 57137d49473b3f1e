"""Where a loop looks for machine codes, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from idempact.facts.loop import CodeRule, LoopFacts, RetryClass

CLASSES = (RetryClass.MISMATCH, RetryClass.FINAL, RetryClass.TRANSIENT, RetryClass.IN_FLIGHT)
Changed = Callable[[str, Mapping[str, object]], LoopFacts]


def found_in(loop: LoopFacts) -> set[tuple[str, str, RetryClass]]:
    return {(rule.pointer, rule.code, rule.retry_class) for rule in loop.codes}


def test_each_code_is_looked_for_where_the_contract_puts_it(changed: Changed) -> None:
    loop = changed("vendors/stripe-v1.yaml", {"retry": {"final": {"codes": ["resource_missing"]}}})
    assert found_in(loop) == {
        ("/error/type", "idempotency_error", RetryClass.MISMATCH),
        ("/error/code", "idempotency_key_in_use", RetryClass.IN_FLIGHT),
        ("/error/code", "resource_missing", RetryClass.FINAL),
    }
    assert [(path, [rule.code for rule in rules]) for path, rules in loop.code_runs] == [
        (("error", "type"), ["idempotency_error"]),
        (("error", "code"), ["resource_missing", "idempotency_key_in_use"]),
    ]


def test_one_code_in_two_places_can_mean_two_things(changed: Changed) -> None:
    answers = {
        "mismatch": {"status": 409, "code": "conflict", "code_at": "/type"},
        "in_flight": {"status": 409, "code": "conflict"},
        "unknown_outcome": {"status": 409, "code": "unknown"},
    }
    assert found_in(changed("vectors/fast.yaml", {"answers": answers})) >= {
        ("/type", "conflict", RetryClass.MISMATCH),
        ("/code", "conflict", RetryClass.IN_FLIGHT),
    }


def test_where_no_code_can_be_read_the_status_tells(changed: Changed) -> None:
    for errors in ({"code_at": "none"}, {"media_type": "application/xml", "code_at": "/Error/Code"}):
        loop = changed("vectors/fast.yaml", {"errors": errors, "retry": {"throttled": {"codes": ["Throttling"]}}})
        assert loop.codes == ()
        assert loop.of_class(RetryClass.MISMATCH) == (422,)


def test_a_repeats_status_is_told_to_natural_loops_alone(changed: Changed) -> None:
    def loop(safety: str, status: int) -> LoopFacts:
        fields = {"safety": safety, "because": "gone stays gone", "repeat_status": status}
        return changed("vectors/fast.yaml", {"operations": {"DELETE /sessions/{id}": fields}})

    assert (loop("natural", 404).natural, loop("natural", 404).repeat_status) == (True, 404)
    assert loop("natural", 204).repeat_status is None
    assert loop("keyed", 404).repeat_status is None


@given(
    rules=st.lists(
        st.builds(
            CodeRule,
            st.sampled_from("abcdef"),
            st.just((409,)),
            st.sampled_from(CLASSES),
            st.sampled_from(("/a", "/b/c", "/b/*/c")),
        ),
        unique_by=lambda rule: (rule.code, rule.pointer),
    )
)
def test_no_code_hides_a_mismatch_and_none_is_lost(scaled: Mapping[str, LoopFacts], rules: list[CodeRule]) -> None:
    loop = replace(scaled["fast"], codes=tuple(rules))
    runs = [rule for path, run in loop.code_runs for rule in run if rule.path == path]
    assert sorted(runs, key=repr) == sorted(rules, key=repr)
    if len({rule.pointer for rule in rules}) <= 1:
        assert runs == rules
    else:
        assert [CLASSES.index(rule.retry_class) for rule in runs] == sorted(
            CLASSES.index(rule.retry_class) for rule in rules
        )
    assert all(one[0] != other[0] for one, other in zip(loop.code_runs, loop.code_runs[1:], strict=False))
