"""The contract speaks of gRPC, but the API doesn't.

Why: pages and exports for gRPC are made only where it is among the protocols.
Instead: add grpc to api.protocols, or remove what is about it.
Source: api.protocols: [http, grpc].
"""

from __future__ import annotations

from collections.abc import Iterator

from idempact.contract.case import Case
from idempact.contract.model.contract import Protocol
from idempact.contract.model.key import Carrier
from idempact.text.diagnostic import Diagnostic, Severity

RULE = "contract/grpc-without-protocol"
SEVERITY = Severity.WARNING
DEPENDS = ("api.protocols", "key.in")


def check(case: Case) -> Iterator[Diagnostic]:
    """Look for metadata and service configs without the protocol."""
    if Protocol.GRPC in case.contract.api.protocols:
        return
    told = []
    if case.settings.key.carrier is Carrier.METADATA:
        told.append(("the key travels in metadata", ("key", "in")))
    if case.settings.retry.grpc is not None:
        told.append(("retry.grpc is written", ("retry", "grpc")))
    for what, path in told:
        yield case.finding(
            f"{what}, but grpc isn't among the protocols", *path, hint="add grpc to api.protocols, or remove it"
        )
