"""The records of keys and the effects that were made, in SQLite.

A claim is one INSERT under a unique constraint, so of two requests with one key one wins, whatever processes they come
through. Every later change names the claim's token, which grows with each new owner (a fencing token): a run that lost
its claim changes nothing any more, and its effect is made in one transaction with the check.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum

from idempact.sandbox.exchange import Response
from idempact.text.dataclass import dataclass
from idempact.text.nodes import Plain

_SCHEMA = """
CREATE TABLE records (
  id INTEGER PRIMARY KEY AUTOINCREMENT, scope TEXT NOT NULL, key TEXT NOT NULL, content TEXT NOT NULL,
  operation TEXT NOT NULL, fingerprint TEXT NOT NULL, state TEXT NOT NULL, token INTEGER NOT NULL,
  lease_ends INTEGER NOT NULL, window_from INTEGER, points INTEGER NOT NULL DEFAULT 0, resource TEXT,
  status INTEGER, headers TEXT, body BLOB,
  UNIQUE (scope, key, content));
CREATE TABLE effects (
  id INTEGER PRIMARY KEY AUTOINCREMENT, record INTEGER, operation TEXT NOT NULL, point TEXT NOT NULL, resource TEXT);
CREATE TABLE resources (
  id TEXT PRIMARY KEY, path TEXT NOT NULL, body TEXT NOT NULL, ended_at INTEGER);
CREATE TABLE natural (caller TEXT, path TEXT, content TEXT, PRIMARY KEY (caller, path, content));
CREATE TABLE made_for (contract TEXT NOT NULL);
"""
# Written into the file's head (https://www.sqlite.org/pragma.html#pragma_application_id), so that no other program's
# database is written to, nor one with other tables.
_APPLICATION, _VERSION = 0x1DE39AC7, 1
_COLUMNS = "id, scope, key, content, operation, fingerprint, state, token, lease_ends, window_from, points, resource"
# A record that begins anew has forgotten everything but who owns it.
_ANEW = "fingerprint=?, operation=?, lease_ends=?, window_from=?, points=0, resource=NULL, status=NULL, body=NULL"


class Phase(StrEnum):
    """What is written in a record; what it means at a time follows from its times."""

    IN_PROGRESS = "in-progress"
    COMPLETED = "completed"
    FAILED = "failed"
    SPENT = "spent"
    PAUSED = "paused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Identity:
    """What a record is found by. ``content`` is empty unless key and content together are the identity."""

    scope: str
    key: str
    content: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """What a request claims its key with; times in milliseconds. ``window_from`` is None while no window runs."""

    identity: Identity
    operation: str
    fingerprint: str
    lease_ends: int
    window_from: int | None


@dataclass(frozen=True, slots=True)
class Record:
    """A key's record as it was read. ``points`` counts the effects that its run has made."""

    id: int
    identity: Identity
    operation: str
    fingerprint: str
    phase: Phase
    token: int
    lease_ends: int
    window_from: int | None
    points: int
    resource: str | None


class OtherStore(Exception):
    """The file is a database that this sandbox must not write to; its text says whose it is."""


class Store:
    """One database; ``:memory:`` or a file, which several processes may share. Raises sqlite3.Error as SQLite does.

    A new one is made for *contract*, any text that tells it from others. Opening a file that was made for another
    one, or by another program, raises OtherStore and changes nothing in it.
    """

    def __init__(self, path: str = ":memory:", contract: str = "") -> None:
        self._db = sqlite3.connect(path, isolation_level=None, timeout=10)
        try:
            with self._transaction():
                self._begin(contract)
        except BaseException:
            self._db.close()
            raise

    def _begin(self, contract: str) -> None:
        if self._one("SELECT count(*) FROM sqlite_master") == 0:
            for statement in _SCHEMA.split(";"):
                self._db.execute(statement)
            self._db.execute(f"PRAGMA application_id={_APPLICATION}")
            self._db.execute(f"PRAGMA user_version={_VERSION}")
            self._db.execute("INSERT INTO made_for VALUES (?)", (contract,))
        elif self._one("PRAGMA application_id") != _APPLICATION:
            raise OtherStore("it is a database, and no sandbox made it")
        elif self._one("PRAGMA user_version") != _VERSION:
            raise OtherStore("it was made by another version of the sandbox")
        elif self._one("SELECT contract FROM made_for") != contract:
            raise OtherStore("its records were made under another contract, or under this one before it changed")

    def _one(self, query: str) -> object:
        return self._db.execute(query).fetchone()[0]

    def close(self) -> None:
        """Closes the database."""
        self._db.close()

    def clear(self) -> None:
        """Forgets everything."""
        for table in ("records", "effects", "resources", "natural"):
            self._db.execute(f"DELETE FROM {table}")

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def claim(self, claim: Claim) -> Record | None:
        """The new record, or None where another request has it."""
        row = self._db.execute(
            "INSERT INTO records (scope, key, content, operation, fingerprint, state, token, lease_ends, window_from)"
            " VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?) ON CONFLICT (scope, key, content) DO NOTHING"
            f" RETURNING {_COLUMNS}",
            (
                claim.identity.scope,
                claim.identity.key,
                claim.identity.content,
                claim.operation,
                claim.fingerprint,
                Phase.IN_PROGRESS,
                claim.lease_ends,
                claim.window_from,
            ),
        ).fetchone()
        return _record(row) if row is not None else None

    def find(self, identity: Identity) -> Record | None:
        """The record of a key."""
        row = self._db.execute(
            f"SELECT {_COLUMNS} FROM records WHERE scope=? AND key=? AND content=?",
            (identity.scope, identity.key, identity.content),
        ).fetchone()
        return _record(row) if row is not None else None

    def records(self, key: str | None = None) -> tuple[Record, ...]:
        """Every record, or those of one key in all scopes, oldest first."""
        where, values = ("WHERE key=?", (key,)) if key is not None else ("", ())
        rows = self._db.execute(f"SELECT {_COLUMNS} FROM records {where} ORDER BY id", values).fetchall()
        return tuple(map(_record, rows))

    def take_over(self, record: Record, lease_ends: int) -> Record | None:
        """The record under a new owner, its effects kept; None where somebody else was faster."""
        return self._changed(record, "state=?, token=token+1, lease_ends=?", (Phase.IN_PROGRESS, lease_ends))

    def renew(self, record: Record, claim: Claim) -> Record | None:
        """The record begun anew, as if it had never been; None where somebody else was faster."""
        values = (claim.fingerprint, claim.operation, claim.lease_ends, claim.window_from)
        return self._changed(record, f"state=?, token=token+1, {_ANEW}", (Phase.IN_PROGRESS, *values))

    def remove(self, record: Record) -> bool:
        """Forgets the record; False where it is another's by now."""
        cursor = self._db.execute("DELETE FROM records WHERE id=? AND token=?", (record.id, record.token))
        return cursor.rowcount == 1

    def end(self, record: Record, phase: Phase, window_from: int | None, response: Response | None = None) -> bool:
        """Writes how the run ended, with the answer where it is kept; False where the record is another's by now."""
        stored = (None, None, None)
        if response is not None:
            stored = (response.status, json.dumps(response.headers), response.body)  # type: ignore[assignment]
        assignments = "state=?, window_from=?, status=?, headers=?, body=?"
        return self._changed(record, assignments, (phase, window_from, *stored)) is not None

    def stored(self, record: Record) -> Response:
        """The answer that was kept. Raises LookupError where there is none."""
        row = self._db.execute("SELECT status, headers, body FROM records WHERE id=?", (record.id,)).fetchone()
        if row is None or row[0] is None:
            raise LookupError(f"the record {record.id} has no answer")
        return Response(row[0], tuple((name, value) for name, value in json.loads(row[1])), row[2])

    def _changed(self, record: Record, assignments: str, values: tuple[object, ...]) -> Record | None:
        row = self._db.execute(
            f"UPDATE records SET {assignments} WHERE id=? AND token=? AND state=? RETURNING {_COLUMNS}",
            (*values, record.id, record.token, record.phase),
        ).fetchone()
        return _record(row) if row is not None else None

    def effect(self, record: Record | None, operation: str, point: str, path: str) -> str | None:
        """Makes an effect; the id of the resource that it made or went on with, or None where the claim is lost."""
        with self._transaction():
            resource = record.resource if record is not None else None
            if record is not None and not self._holds(record):
                return None
            cursor = self._db.execute(
                "INSERT INTO effects (record, operation, point) VALUES (?, ?, ?)",
                (record.id if record is not None else None, operation, point),
            )
            if resource is None:
                resource = f"res_{cursor.lastrowid}"
                body = json.dumps({"id": resource, "status": "created"})
                self._db.execute("INSERT INTO resources (id, path, body) VALUES (?, ?, ?)", (resource, path, body))
            self._db.execute("UPDATE effects SET resource=? WHERE id=?", (resource, cursor.lastrowid))
            if record is not None:
                change = "UPDATE records SET points=points+1, resource=? WHERE id=?"
                self._db.execute(change, (resource, record.id))
            return resource

    def _holds(self, record: Record) -> bool:
        query = "SELECT 1 FROM records WHERE id=? AND token=? AND state=?"
        return self._db.execute(query, (record.id, record.token, Phase.IN_PROGRESS)).fetchone() is not None

    def effects(self) -> tuple[tuple[str, str, int], ...]:
        """How often each effect of each operation was made: operation, effect, count."""
        query = "SELECT operation, point, count(*) FROM effects GROUP BY operation, point ORDER BY operation, min(id)"
        return tuple(self._db.execute(query).fetchall())

    def resource(self, name: str) -> tuple[str, dict[str, Plain], int | None] | None:
        """A resource by its id: path, members, and when it ended."""
        row = self._db.execute("SELECT path, body, ended_at FROM resources WHERE id=?", (name,)).fetchone()
        return (row[0], json.loads(row[1]), row[2]) if row is not None else None

    def change_resource(self, name: str, body: dict[str, Plain], ended_at: int | None) -> None:
        """Writes a resource's members and its end."""
        change = "UPDATE resources SET body=?, ended_at=? WHERE id=?"
        self._db.execute(change, (json.dumps(body), ended_at, name))

    def natural_change(self, caller: str, path: str, content: str, adds: bool) -> bool:
        """Whether a natural request changes anything: the same content again doesn't.

        With *adds* each content is a thing of its own; else the path has one content, which this one replaces.
        """
        with self._transaction():
            known = "SELECT 1 FROM natural WHERE caller=? AND path=? AND content=?"
            if self._db.execute(known, (caller, path, content)).fetchone() is not None:
                return False
            if not adds:
                self._db.execute("DELETE FROM natural WHERE caller=? AND path=?", (caller, path))
            self._db.execute("INSERT INTO natural VALUES (?, ?, ?)", (caller, path, content))
            return True


def _record(row: tuple[object, ...]) -> Record:
    number, scope, key, content, operation, fingerprint, state, token, lease_ends, window_from, points, resource = row
    return Record(
        id=int(str(number)),
        identity=Identity(str(scope), str(key), str(content)),
        operation=str(operation),
        fingerprint=str(fingerprint),
        phase=Phase(str(state)),
        token=int(str(token)),
        lease_ends=int(str(lease_ends)),
        window_from=None if window_from is None else int(str(window_from)),
        points=int(str(points)),
        resource=None if resource is None else str(resource),
    )
