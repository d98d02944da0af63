"""All facts of one competition, and `at(round)`: the cut to what was known at that deadline."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import pandas as pd
from pydantic import BaseModel, Field

from data.errors import InputError, TableError, UnknownError
from data.naming.names import full_names, short_names
from data.schema import GOAL_COLUMNS, LATER_TABLES, ODDS, WORLD_TABLES, checked_tables, completed
from data.storage.files import replace_file
from data.tables import TableSchema
from data.toml_text import read_toml
from data.worlds.snapshot import Snapshot

MANIFEST = "world.toml"


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
        clean = checked_tables(tables, origin=name)
        if clean["rounds"].empty or clean["market"].empty:
            raise TableError(f"{name}: a world needs at least one round with players on the market.")
        return World(name, title, rulebook, sources, MappingProxyType(clean))

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds that can be opened: a deadline is known and players have a price."""
        priced = self.tables["market"]["round"]
        known = self.tables["rounds"]["round"]
        return tuple(sorted({int(number) for number in known[known.isin(priced)]}))

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

    def save(self, folder: Path) -> None:
        """Write the world to a folder. The manifest comes last: a reader or a crash sees the old world or the new."""
        try:
            self._write(folder)
        except OSError as error:
            raise InputError(
                f"The world cannot be written to {folder}: {error.strerror}. Choose another folder."
            ) from None

    def _write(self, folder: Path) -> None:
        if folder.exists() and any(folder.iterdir()) and not (folder / MANIFEST).exists():
            raise InputError(f"{folder} holds other files than a world. Choose a new or empty folder.")
        contents = {name: _parquet(frame) for name, frame in self.tables.items()}
        digests = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
        for name, content in contents.items():
            replace_file(folder / _file_name(name, digests[name]), content)
        replace_file(folder / "SOURCES.md", self.sources.encode())
        replace_file(folder / MANIFEST, _manifest(self, digests).encode())
        current = {_file_name(name, digest) for name, digest in digests.items()}
        for stale in set(folder.glob("*.parquet")) - {folder / name for name in current}:
            stale.unlink(missing_ok=True)


def open_world(folder: Path) -> World:
    """Open a world folder after checking its manifest and checksums."""
    manifest = _read_manifest(folder)
    try:
        tables = _read_tables(folder, manifest.tables)
    except TableError:
        renewed = _read_manifest(folder)  # somebody may have saved a newer world between the two reads
        if renewed == manifest:
            raise
        manifest, tables = renewed, _read_tables(folder, renewed.tables)
    sources = folder / "SOURCES.md"
    text = sources.read_text(encoding="utf-8", errors="replace") if sources.exists() else ""
    return World(manifest.name, manifest.title, manifest.rulebook, text, MappingProxyType(tables))


class _Manifest(BaseModel):
    name: Annotated[str, Field(min_length=1)]
    title: Annotated[str, Field(min_length=1)]
    rulebook: Annotated[str, Field(min_length=1)]
    tables: dict[str, str]  # table name → SHA-256 of its file


def _before(frame: pd.DataFrame, column: str, limit: object) -> pd.DataFrame:
    """Return the rows before a limit; a table that ends before it is not copied, for the past of a season is long."""
    earlier = frame[column] < limit
    return frame if earlier.all() else frame[earlier].reset_index(drop=True)


def _parquet(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, compression="zstd", compression_level=19)
    return buffer.getvalue()


def _file_name(table: str, digest: str) -> str:
    return f"{table}-{digest[:8]}.parquet"


def _manifest(world: World, digests: Mapping[str, str]) -> str:
    head = {"name": world.name, "title": world.title, "rulebook": world.rulebook}
    lines = [f"{key} = {_quoted(value)}" for key, value in head.items()]
    lines += ["", "[tables]  # SHA-256 of each table's file: a changed or cut file is refused"]
    lines += [f'{name} = "{digest}"' for name, digest in digests.items()]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    plain = "".join(letter for letter in text if letter.isprintable())
    return '"' + plain.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _read_manifest(folder: Path) -> _Manifest:
    path = folder / MANIFEST
    if not path.exists():
        raise UnknownError(f"{folder} is not a world: it has no {MANIFEST}. Make one with `thetaxi import-world`.")
    try:
        return read_toml(path, _Manifest, TableError)
    except TableError as error:
        raise TableError(f"{folder}: {error} Import the world again.") from None


def _read_tables(folder: Path, digests: Mapping[str, str]) -> dict[str, pd.DataFrame]:
    absent = [schema.name for schema in WORLD_TABLES if schema.name not in (*digests, *LATER_TABLES)]
    if absent:
        raise TableError(f"{folder}: the table {absent[0]} is missing from {MANIFEST}. Import the world again.")
    return {schema.name: _whole_table(folder, schema, digests.get(schema.name)) for schema in WORLD_TABLES}


def _whole_table(folder: Path, schema: TableSchema, digest: str | None) -> pd.DataFrame:
    """Return a table with all its columns; a world that was written before there was such a table has no rows of it."""
    return completed(_read_table(folder, schema.name, digest), schema) if digest else schema.none()


def _read_table(folder: Path, table: str, digest: str) -> pd.DataFrame:
    path = folder / _file_name(table, digest)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TableError(f"{path} cannot be read ({error.strerror}). Import the world again.") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise TableError(f"{path} was changed or cut: its checksum differs from {MANIFEST}. Import the world again.")
    # Arrow's own threads gain nothing on tables this small, and one still starting as the process ends aborts it.
    return pd.read_parquet(io.BytesIO(content), use_threads=False, pre_buffer=False)
