"""All facts of one competition, and `at(round)`: the cut to what was known at that deadline."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType

import pandas as pd

from data.errors import InputError, TableError, UnknownError
from data.naming.names import full_names, short_names
from data.schema import GOAL_COLUMNS, LATER_TABLES, MARKET, ODDS, ROUNDS, WORLD_TABLES
from data.tables import TableSchema, typed
from data.worlds.checking import checked_tables
from data.worlds.generations import digests_of, save_state
from data.worlds.manifest import MANIFEST, manifest_text, new_manifest, parse_manifest, sources_of
from data.worlds.snapshot import Snapshot, silent_columns, table_digest
from data.worlds.table_files import read_table, to_parquet


@dataclass(frozen=True, slots=True)
class World:
    """Every known fact of a competition as tables in one schema (see `data.schema`)."""

    name: str
    title: str
    rulebook: str
    sources: str  # where the facts come from, in Markdown
    tables: Mapping[str, pd.DataFrame]

    @staticmethod
    def of(name: str, title: str, rulebook: str, sources: str, tables: Mapping[str, pd.DataFrame]) -> World:
        """Return a world of these tables after checking every cell and reference."""
        world = World(name, title, rulebook, sources, MappingProxyType(checked_tables(tables, origin=name)))
        if not world.rounds:
            raise TableError(f"{name}: a world needs at least one round with players on the market.")
        return world

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds that can be opened: a deadline is known and players have a price."""
        priced = self.tables["market"]["round"]
        known = self.tables["rounds"]["round"]
        return tuple(sorted({int(number) for number in known[known.isin(priced)]}))

    @property
    def coming(self) -> int:
        """The first round that can be opened and has no result; of a finished competition the first."""
        fixtures = self.tables["fixtures"]
        unplayed = set(fixtures["round"]) - set(fixtures.loc[fixtures["home_goals_90"].notna(), "round"])
        return next((number for number in self.rounds if number in unplayed), self.rounds[0])

    def checksum(self) -> str:
        """Return a fingerprint of all facts: equal checksums, equal worlds, whatever folder they are kept in.

        What only newer worlds have is left out where it says nothing.
        """
        known = {name: table for name, table in sorted(self.tables.items()) if len(table)}
        heard = {name: table.drop(columns=silent_columns(table)) for name, table in known.items()}
        told = [self.rulebook, *(f"{name} {table_digest(table.sort_index(axis=1))}" for name, table in heard.items())]
        return hashlib.sha256("\n".join(told).encode()).hexdigest()

    def at(self, round_number: int) -> Snapshot:
        """Return only what was known before the first kick-off of a round."""
        if round_number not in self.rounds:
            openable = ", ".join(str(number) for number in self.rounds)
            raise UnknownError(f"Round {round_number} of {self.name} cannot be opened. Choose one of {openable}.")
        rounds = self.tables["rounds"]
        stage, deadline = rounds.set_index("round").loc[round_number, ["stage", "deadline"]]
        earlier = {
            name: _before(self.tables[name], "round", round_number) for name in ("points", "appearances", "events")
        }
        day = deadline.tz_localize(None).normalize()
        dated = ("results", "goals", "shootouts", "past_matches")
        past = {name: _before(self.tables[name], "date", day) for name in dated}
        market, totals = self.tables["market"], self.tables["totals"]
        return Snapshot(
            world=self.name,
            rulebook=self.rulebook,
            round=round_number,
            stage=str(stage),
            deadline=deadline.to_pydatetime(),
            teams=self.tables["teams"],
            players=self._selectable(round_number),
            market=market[market["round"] <= round_number].reset_index(drop=True),
            fixtures=self._known_fixtures(round_number, day),
            bracket=self.tables["bracket"],
            best_thirds=self.tables["best_thirds"],
            totals=totals[totals["round"] == round_number].reset_index(drop=True),
            past_seasons=self.tables["past_seasons"],
            differences=self.tables["differences"],
            **earlier,
            **past,
        )

    def _selectable(self, round_number: int) -> pd.DataFrame:
        market = self.tables["market"]
        now = market[market["round"] == round_number].drop(columns="round")
        players = self.tables["players"].merge(now, on="player_id").sort_values("player_id", ignore_index=True)
        players.insert(1, "name", full_names(players))
        players.insert(2, "short", short_names(players))
        return players

    def _known_fixtures(self, round_number: int, day: pd.Timestamp) -> pd.DataFrame:
        fixtures = self.tables["fixtures"]
        known = fixtures[fixtures["announced"] <= round_number].sort_values(["kickoff", "match_id"], ignore_index=True)
        known.loc[known["round"] >= round_number, GOAL_COLUMNS] = pd.NA
        known.loc[known["odds_date"] > day, ["odds_date", *(column.name for column in ODDS)]] = None
        return known

    def save(self, folder: Path, doubts: Sequence[str] = ()) -> None:
        """Write the world to a folder and keep the one before it; a reader or a crash sees the old or the new.

        `doubts` are the sentences that tell why a world is held back.
        """
        contents = {name: to_parquet(frame) for name, frame in self.tables.items()}
        manifest = new_manifest(self.name, self.title, self.rulebook, self.sources, digests_of(contents), doubts)
        try:
            save_state(folder, manifest, contents)
        except OSError as error:
            raise InputError(
                f"The world cannot be written to {folder}: {error.strerror}. Choose another folder."
            ) from None


def open_world(folder: Path) -> World:
    """Open a world folder after checking its manifest, its checksums, and every cell and reference of its tables."""
    text = manifest_text(folder)
    while True:
        try:
            return open_state(folder, text)
        except TableError:
            renewed = manifest_text(folder)  # somebody may have saved newer worlds between the two reads
            if renewed == text:
                raise
            text = renewed


def open_state(folder: Path, text: str) -> World:
    """Return the world that a manifest describes, from the tables in a folder."""
    manifest = parse_manifest(text, folder)
    tables, sources = _read_tables(folder, manifest.tables), sources_of(folder, manifest)
    try:
        return World.of(manifest.name, manifest.title, manifest.rulebook, sources, tables)
    except TableError as error:
        raise TableError(f"{folder}: {error} Import the world again.") from None


def known_deadlines(folder: Path) -> tuple[datetime, ...]:
    """Return when the rounds of a world close that can be opened, by two of its tables alone.

    What stands in the others is not looked at, so the world may still be one that cannot be opened.
    """
    digests = parse_manifest(manifest_text(folder), folder).tables
    asked = (_part(MARKET, "round"), _part(ROUNDS, "round", "deadline"))
    if not all(schema.name in digests for schema in asked):
        return ()
    market, rounds = (typed(read_table(folder, one, digests[one.name]), one, f"{folder} {one.name}") for one in asked)
    return tuple(rounds.loc[rounds["round"].isin(market["round"]), "deadline"].dt.to_pydatetime())


def _part(schema: TableSchema, *names: str) -> TableSchema:
    return TableSchema(schema.name, tuple(schema.column(name) for name in names))


def world_title(folder: Path) -> str:
    """Return what a world calls itself, without opening its tables."""
    return parse_manifest(manifest_text(folder), folder).title


def _before(frame: pd.DataFrame, column: str, limit: object) -> pd.DataFrame:
    """Return the rows before a limit; a table that ends before it is not copied, for the past of a season is long."""
    earlier = frame[column] < limit
    return frame if earlier.all() else frame[earlier].reset_index(drop=True)


def _read_tables(folder: Path, digests: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    absent = [schema.name for schema in WORLD_TABLES if schema.name not in (*digests, *LATER_TABLES)]
    if absent:
        raise TableError(f"{folder}: the table {absent[0]} is missing from {MANIFEST}. Import the world again.")
    known = [schema for schema in WORLD_TABLES if schema.name in digests]
    return {schema.name: read_table(folder, schema, digests[schema.name]) for schema in known}
