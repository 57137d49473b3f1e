"""Stores for the statements: SQLite in a file, and a PostgreSQL that the tests start."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

Row = dict[str, Any]


class Database:
    """One store: runs statements with named parameters, each in a transaction of its own."""

    def __init__(self, name: str, connect: Callable[[], Any]) -> None:
        self.name, self.connect = name, connect

    @contextmanager
    def session(self) -> Iterator[Callable[[str, Mapping[str, object]], list[Row]]]:
        connection = self.connect()

        def run(text: str, values: Mapping[str, object]) -> list[Row]:
            named = {name: self.value(value) for name, value in values.items() if f":{name}" in text}
            if self.name == "sqlite":
                cursor = connection.execute(text, named)
            else:
                cursor = connection.execute(re.sub(r"(?<!:):([a-z_]+)", r"%(\1)s", text), named)
            rows = cursor.fetchall() if cursor.description else []
            names = [column[0] for column in cursor.description or ()]
            return [dict(zip(names, row, strict=True)) for row in rows]

        try:
            yield run
        finally:
            connection.close()

    def value(self, value: object) -> object:
        """A time, given as seconds, in the store's own type."""
        if not isinstance(value, float):
            return value
        if self.name == "sqlite":
            return int(1000 * value)
        from datetime import UTC, datetime

        return datetime.fromtimestamp(value, UTC)

    def create(self, schema: str) -> None:
        with self.session() as run:
            run("DROP TABLE IF EXISTS idempotency_records", {})
            for statement in re.sub(r"--[^\n]*", "", schema).split(";"):
                if statement.strip():
                    run(statement, {})


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The socket folder of a PostgreSQL that lives as long as the tests; skips where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin")) if shutil.which("initdb") is None else []
    path = os.pathsep.join([*map(str, reversed(found)), os.environ.get("PATH", "")])
    if shutil.which("initdb", path=path) is None:
        if os.environ.get("CI") == "true":
            pytest.fail("PostgreSQL is missing, and CI must have it")
        pytest.skip("PostgreSQL is not installed here")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    # PostgreSQL doesn't run as root.
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    if as_user:
        shutil.chown(folder, "postgres")
    environment = {**os.environ, "PATH": path}

    def run(*words: str) -> None:
        # Without pipes: the server would keep them open.
        with open(os.devnull, "w") as nowhere:
            subprocess.run([*as_user, *words], check=True, env=environment, cwd=folder, stdout=nowhere, stderr=nowhere)

    data = str(folder / "data")
    run("initdb", "--auth", "trust", "--username", "postgres", "--no-sync", "-D", data)
    settings = f"-k {folder} -c listen_addresses='' -c fsync=off -c max_connections=40"
    run("pg_ctl", "-D", data, "-l", str(folder / "log"), "-w", "-o", settings, "start")
    try:
        yield str(folder)
    finally:
        run("pg_ctl", "-D", data, "-m", "immediate", "stop")
        shutil.rmtree(folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """One store after the other, empty."""
    if request.param == "sqlite":
        path = tmp_path / "records.db"
        return Database("sqlite", lambda: sqlite3.connect(path, isolation_level=None, timeout=30))
    import psycopg

    socket: str = request.getfixturevalue("postgresql")
    return Database(
        "postgresql", lambda: psycopg.connect(host=socket, user="postgres", dbname="postgres", autocommit=True)
    )
