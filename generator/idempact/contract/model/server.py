"""Server: the provider's side, for the implementer's pages."""

from __future__ import annotations

from enum import StrEnum

from idempact.contract.records import Record, advice, decision
from idempact.contract.shapes import DURATION, Count, Words
from idempact.contract.units import Documented, Duration
from idempact.text.dataclass import dataclass


class Store(StrEnum):
    """Where the record of a key lives."""

    POSTGRESQL = "postgresql"
    MYSQL = "mysql"
    SQLITE = "sqlite"
    DYNAMODB = "dynamodb"
    REDIS = "redis"


class Claim(StrEnum):
    """How one of two concurrent requests wins the key."""

    BY_STORE = "by-store"
    UNIQUE_CONSTRAINT = "unique-constraint"
    ROW_LOCK = "row-lock-serializable"
    CONDITIONAL_WRITE = "conditional-write"
    FENCING_TOKEN = "fencing-token"


class Regions(StrEnum):
    """How the record is shared between regions."""

    ONE = "one"
    HOME_REGION = "home-region"
    SHARED_STORE = "shared-store"


_SETNX = "a claim that doesn't commit with the change is lost, or kept, when the process dies"
_REFUSED_CLAIMS = (
    ("check-then-insert", "refused-claim", "two requests can both find nothing and both run"),
    ("setnx", "refused-claim", _SETNX),
    ("bare-setnx", "refused-claim", _SETNX),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What the provider runs. Claim and change commit as one."""

    store: Documented[Store] = decision(
        "store", Words(Store), "Where does the record of a key live?", "Claim and change must commit as one."
    )
    claim: Claim = advice("claim", Words(Claim, _REFUSED_CLAIMS), Claim.BY_STORE, "how one of two requests wins")
    regions: Regions = advice("regions", Words(Regions), Regions.ONE, "how regions share the record")
    completer_after: Duration = advice(
        "completer_after", DURATION, Duration.parse("5m"), "then a job finishes what a dead run left"
    )
    reaper_batch: int = advice("reaper_batch", Count(1), 1000, "rows that one run of the reaper removes")


SERVER: Record[Server] = Record(Server)
