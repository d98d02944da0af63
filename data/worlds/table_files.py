"""A table as a file: written as Parquet, and read back only where it is what its manifest and the schema promise."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

import pandas as pd

from data.errors import TableError
from data.storage.files import read_regular
from data.worlds.manifest import MANIFEST, file_name

LARGEST_FILE = 50_000_000
"""Bytes of a table's file: the largest of a whole season has less than one megabyte."""


def to_parquet(frame: pd.DataFrame) -> bytes:
    """Return a table as the content of its file."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, compression="zstd", compression_level=19)
    return buffer.getvalue()


def read_table(folder: Path, table: str, digest: str) -> pd.DataFrame:
    """Return a table of a folder; a file that was changed or cut is refused."""
    path = folder / file_name(table, digest)
    try:
        content = read_regular(path, LARGEST_FILE)
    except OSError as error:
        raise TableError(f"{path} cannot be read ({error.strerror}). Import the world again.") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise TableError(f"{path} was changed or cut: its checksum differs from {MANIFEST}. Import the world again.")
    # Arrow's own threads gain nothing on tables this small, and one still starting as the process ends aborts it.
    return pd.read_parquet(io.BytesIO(content), use_threads=False, pre_buffer=False)


def has_digest(path: Path, digest: str) -> bool:
    """Return whether a file is there and holds what the digest stands for."""
    try:
        return hashlib.sha256(read_regular(path, LARGEST_FILE)).hexdigest() == digest
    except OSError:
        return False
