"""The ledger file: decisions in one SQLite database that outlives a crash at any moment.

Whatever `record` or `take` has returned for is on the disk: SQLite writes ahead of itself into a journal, and with
`synchronous = EXTRA` the folder too is known to the disk before a commit counts.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from data.errors import InputError
from data.ledger.decision import Decision, KeptLineup, read_decision
from data.storage.files import make_folder, user_folder

FILE = "ledger.sqlite"
APPLICATION = 0x78691  # tells our file from any other database
VERSION = 1
PATIENCE = 10.0
"""Seconds to wait for another process that writes a decision: it takes some milliseconds."""

MOST_DECISIONS = 100_000
LARGEST_IMPORT = 50_000_000  # bytes

_TABLE = """
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  world TEXT NOT NULL,
  round INTEGER NOT NULL,
  made_at TEXT NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (world, round, made_at)
) STRICT
"""


class DecisionLedger:
    """A ledger of decisions in one file; every call opens it, writes or reads, and leaves it whole."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of_user(cls) -> DecisionLedger:
        """Return the ledger in the user's own folder."""
        return cls(user_folder() / FILE)

    def record(self, decision: Decision) -> None:
        """Keep a decision; one of the same world, round and moment is replaced."""
        self._keep((decision,))

    def take(self, world: str, round_number: int, lineup: KeptLineup) -> Decision:
        """Write what the manager took into his last decision of a round, and return it."""
        with self._opened() as connection:
            row = connection.execute(
                "SELECT id, body FROM decisions WHERE world = ? AND round = ? ORDER BY made_at DESC LIMIT 1",
                (world, round_number),
            ).fetchone()
            if row is None:
                raise InputError(f"No advice for round {round_number} of {world} is kept, so nothing can be taken.")
            before = read_decision(row[1], str(self.path))
            decision = Decision.model_validate(before.model_dump() | {"taken": lineup.model_dump()})
            connection.execute("UPDATE decisions SET body = ? WHERE id = ?", (decision.model_dump_json(), row[0]))
        return decision

    def decisions(self, world: str | None = None) -> Iterator[Decision]:
        """Yield the decisions by world and round, the earlier moment first."""
        if not self.path.exists():
            return
        with self._opened() as connection:
            rows = connection.execute(
                "SELECT body FROM decisions WHERE ?1 IS NULL OR world = ?1 ORDER BY world, round, made_at", (world,)
            ).fetchall()
        yield from (read_decision(body, str(self.path)) for (body,) in rows)

    def last_of_each_round(self, world: str) -> tuple[Decision, ...]:
        """Return the decision that counts of every round of a world: the last one made."""
        return tuple({decision.round: decision for decision in self.decisions(world)}.values())

    def export(self) -> str:
        """Return all decisions as text, one JSON document a line."""
        return "".join(f"{decision.model_dump_json()}\n" for decision in self.decisions())

    def import_(self, text: str) -> int:
        """Add decisions exported from another ledger, all or none, and return how many lines were read."""
        if len(text) > LARGEST_IMPORT:
            raise InputError(f"The file has {len(text):,} characters; {LARGEST_IMPORT:,} is the limit.")
        lines = [line for line in text.splitlines() if line.strip()]
        self._keep([read_decision(line, f"line {number}") for number, line in enumerate(lines, start=1)])
        return len(lines)

    def _keep(self, decisions: Iterable[Decision]) -> None:
        rows = [(one.world, one.round, one.made_at.isoformat(), one.model_dump_json()) for one in decisions]
        with self._opened() as connection:
            (held,) = connection.execute("SELECT count(*) FROM decisions").fetchone()
            if held + len(rows) > MOST_DECISIONS:
                raise InputError(f"{self.path} holds {held:,} decisions; export it and begin a new one.")
            connection.executemany(
                "INSERT OR REPLACE INTO decisions (world, round, made_at, body) VALUES (?, ?, ?, ?)", rows
            )

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Hold the file for one transaction: committed at the end, taken back after an error."""
        try:
            make_folder(self.path.parent)
            with closing(sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)) as connection:
                connection.execute("PRAGMA synchronous = EXTRA")
                connection.execute("BEGIN IMMEDIATE")
                try:
                    _prepare(connection, self.path)
                    yield connection
                    connection.execute("COMMIT")
                finally:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
        except (sqlite3.Error, OSError) as error:
            raise InputError(
                f"The ledger {self.path} cannot be used: {error}. Move it away to begin a new one."
            ) from None


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Make a new file ours, bring an earlier version up to date, refuse what is neither."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if not tables and not version:
        connection.execute(_TABLE)
    elif application != APPLICATION:
        raise InputError(f"{path} is a database of another program. Name another file for the ledger.")
    elif version != VERSION:
        raise InputError(f"{path} has version {version} of the ledger; this program reads {VERSION}. Update ThetaXI.")
    if not version:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute(f"PRAGMA user_version = {VERSION}")
