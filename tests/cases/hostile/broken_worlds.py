"""Worlds that are broken in every way we know of: each made from a good one."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from data.worlds.manifest import FORMAT, MANIFEST, file_name, manifest_text, parse_manifest
from data.worlds.table_files import LARGEST_FILE, MOST_ROWS, to_parquet
from tests.cases.league.live_worlds import small_league
from tests.tools.disk_faults import save_league

Damage = Callable[[Path], object]


def broken_world(folder: Path, damage: str) -> None:
    """Write a good world and break it."""
    save_league(1, folder)
    BROKEN[damage][0](folder)


def table_file(folder: Path, table: str) -> Path:
    return folder / file_name(table, parse_manifest(manifest_text(folder), folder).tables[table])


def with_content(folder: Path, table: str, content: bytes) -> None:
    """Replace a table's file by any content, with the checksum that belongs to it."""
    old, text = table_file(folder, table), manifest_text(folder)
    digest, before = hashlib.sha256(content).hexdigest(), parse_manifest(text, folder).tables[table]
    old.unlink()
    (folder / file_name(table, digest)).write_bytes(content)
    (folder / MANIFEST).write_text(text.replace(before, digest))


def with_table(table: str, change: Callable[[pd.DataFrame], pd.DataFrame]) -> Damage:
    return lambda folder: with_content(folder, table, to_parquet(change(small_league().tables[table])))


def with_manifest(change: Callable[[str], str]) -> Damage:
    return lambda folder: (folder / MANIFEST).write_text(change(manifest_text(folder)))


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def as_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def parquet(columns: dict[str, pa.Array]) -> bytes:
    buffer = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), buffer, compression="zstd")
    return buffer.getvalue().to_pybytes()


def repeated(word: str, rows: int) -> pa.Array:
    """A text that stands in a file once and in a table so often."""
    return pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), rows), pa.array([word]))


def many_rows(folder: Path) -> None:
    with_content(folder, "points", parquet({"player_id": pa.repeat(pa.scalar(1, pa.int64()), MOST_ROWS + 1)}))


def long_texts(folder: Path) -> None:
    with_content(folder, "goals", parquet({"scorer": repeated("x" * 1_000_000, 100_000)}))


def lists(folder: Path) -> None:
    with_content(folder, "teams", parquet({"code": pa.array([["ARS"] * 1000] * 1000)}))


BROKEN: dict[str, tuple[Damage, str]] = {
    "an empty manifest": (lambda folder: (folder / MANIFEST).write_text(""), "key name"),
    "no TOML": (lambda folder: (folder / MANIFEST).write_text("[[["), "is not valid TOML"),
    "binary manifest": (lambda folder: (folder / MANIFEST).write_bytes(b"\xff\xfe\x00"), "is not UTF-8"),
    "huge manifest": (lambda folder: (folder / MANIFEST).write_text("#" * 2_000_000), "more than 1,000,000 bytes"),
    "manifest a pipe": (lambda folder: as_pipe(folder / MANIFEST), "not a regular file"),
    "manifest a folder": (lambda folder: as_folder(folder / MANIFEST), "not a regular file"),
    "manifest a loop": (
        lambda folder: ((folder / MANIFEST).unlink(), (folder / MANIFEST).symlink_to(MANIFEST)),
        "link",
    ),
    "manifest lost": (lambda folder: (save_league(2, folder), (folder / MANIFEST).unlink()), "has no world.toml"),
    "later format": (with_manifest(lambda text: text.replace(f"format = {FORMAT}", "format = 99")), "format 99"),
    "digest that leaves the folder": (
        with_manifest(lambda text: text.replace('teams = "', 'teams = "../../')),
        "key tables.teams",
    ),
    "table not named": (with_manifest(lambda text: text.replace("\nmarket = ", "\nmarked = ")), "the table market"),
    "table lost": (lambda folder: table_file(folder, "rounds").unlink(), "cannot be read"),
    "table a pipe": (lambda folder: as_pipe(table_file(folder, "rounds")), "not a regular file"),
    "table cut": (
        lambda folder: table_file(folder, "market").write_bytes(table_file(folder, "market").read_bytes()[:-9]),
        "was changed or cut",
    ),
    "no Parquet": (lambda folder: with_content(folder, "teams", b"PAR1 and then nothing of the kind"), "no table"),
    "huge file": (
        lambda folder: os.truncate(table_file(folder, "teams"), LARGEST_FILE + 1),
        "more than 50,",
    ),
    "too many rows": (many_rows, "rows, and at most"),
    "too long texts": (long_texts, "MB, and at most"),
    "lists in a column": (lists, "holds lists"),
    "column lost": (with_table("players", lambda frame: frame.drop(columns="position")), "'position' is missing"),
    "column of another kind": (
        with_table("market", lambda frame: frame.assign(price="dear")),
        "column 'price': 'dear' is not a number",
    ),
    "price below all bounds": (with_table("market", lambda frame: frame.assign(price=-1.0)), "is below 0.1"),
    "player of nowhere": (with_table("market", lambda frame: frame.assign(team="XXX")), "there is no team XXX"),
    "player twice": (with_table("players", lambda frame: pd.concat([frame, frame])), "a second time"),
    "no round": (with_table("rounds", lambda frame: frame.head(0)), "at least one round"),
    "no round with prices": (with_table("rounds", lambda frame: frame.assign(round=frame["round"] + 50)), "one round"),
    "unknown rulebook": (with_manifest(lambda text: text.replace('"fpl2026"', '"chess"')), "chess"),
}
"""How to break it → what is said of it."""
