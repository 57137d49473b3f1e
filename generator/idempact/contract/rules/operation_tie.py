"""Two operation keys of equal rank name the same request.

Why: nobody can tell which one holds, so the tools refuse to choose.
Instead: one more specific key, or a third one for what both name.
Source: the most specific key wins: fewer ** first, then more fixed segments, then fewer *, then a method over ANY.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from idempact.contract.case import Case
from idempact.contract.matching import common, matches, shape, specificity
from idempact.contract.model.operations import OperationKey, OperationKind
from idempact.text.dataclass import replace
from idempact.text.diagnostic import Diagnostic, Related, Severity

RULE = "contract/operation-tie"
SEVERITY = Severity.ERROR
ONCE = True


def check(case: Case) -> Iterator[Diagnostic]:
    """Compare the keys of equal rank with each other."""
    keys = [operation.key for operation in case.contract.operations]
    groups: dict[tuple[object, ...], list[OperationKey]] = {}
    for key in keys:
        # Without a wildcard two keys meet only in the same path, which spares comparing every two of many.
        groups.setdefault((specificity(key), "*" if "*" in key.name else shape(key.name)), []).append(key)
    for group in groups.values():
        for one, other in combinations(group, 2):
            request = common(one, other)
            if request is not None and not _settled(request, keys, one):
                yield _tie(case, one, other, request)


def _tie(case: Case, one: OperationKey, other: OperationKey, request: str) -> Diagnostic:
    found = case.finding(
        f"{one} and {other} both name {request}, and none of them is more specific",
        "operations",
        str(other),
        hint="remove one of them" + ("" if request == str(one) else f", or add `{request}`"),
        related=(Related(str(one), case.source.key("operations", str(one))),),
    )
    return replace(found, span=case.source.key("operations", str(other)))


def _settled(request: str, keys: list[OperationKey], one: OperationKey) -> bool:
    """Whether a third key, more specific than the two, names the request that they share."""
    if one.kind is not OperationKind.PATH:
        return False
    method, _, path = request.partition(" ")
    return any(specificity(key) > specificity(one) and matches(key, method, path, None, ()) for key in keys)
