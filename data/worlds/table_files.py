"""A table as a file: written as Parquet, and read back only where it is what its manifest and the schema promise."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from data.errors import TableError
from data.storage.files import read_bounded
from data.tables import Kind, TableSchema
from data.worlds.manifest import MANIFEST, file_name

LARGEST_FILE = 50_000_000
"""Bytes of a table's file: the largest of a whole season has less than one megabyte."""

MOST_ROWS = 500_000
"""Of a table: ten times the goals of all international matches."""

LARGEST_TABLE = 200_000_000
"""Bytes of a table in memory. A file of some kilobytes can hold a table of any size."""

SHOWN = 200
"""Characters of a reason that are shown."""


def to_parquet(frame: pd.DataFrame) -> bytes:
    """Return a table as the content of its file."""
    buffer = io.BytesIO()
    frame.to_parquet(buffer, index=False, compression="zstd", compression_level=19)
    return buffer.getvalue()


def read_table(folder: Path, schema: TableSchema, digest: str) -> pd.DataFrame:
    """Return a table of a folder; a file that was changed or cut, or is no table of this world, is refused."""
    path = folder / file_name(schema.name, digest)
    try:
        content = read_bounded(path, LARGEST_FILE)
    except OSError as error:
        raise TableError(f"{path} cannot be read ({error.strerror}). Import the world again.") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise TableError(f"{path} was changed or cut: its checksum differs from {MANIFEST}. Import the world again.")
    try:
        return _decoded(content, schema)
    except (pa.ArrowException, OSError, ValueError, TableError) as error:
        reason = str(error).splitlines()[0][:SHOWN]
        raise TableError(f"{path} is no table of a world ({reason}). Import the world again.") from None


def _decoded(content: bytes, schema: TableSchema) -> pd.DataFrame:
    """Return the columns of a schema that a file has, after what they would fill is known to be bounded."""
    metadata = pq.read_metadata(io.BytesIO(content))
    _refuse_sizes(metadata.num_rows, sum(_group_sizes(metadata)))
    known = [field for field in metadata.schema.to_arrow_schema() if field.name in schema.column_names]
    names = [field.name for field in known]
    if len(set(names)) < len(names) or any(pa.types.is_nested(field.type) for field in known):
        raise TableError("a column stands there twice, or holds lists")
    texts = [name for name in names if schema.column(name).kind is Kind.TEXT]
    # Arrow's own threads gain nothing on tables this small, and one still starting as the process ends aborts it.
    with pq.ParquetFile(io.BytesIO(content), metadata=metadata, pre_buffer=False, read_dictionary=texts) as file:
        table = file.read(columns=names, use_threads=False)
    _refuse_sizes(table.num_rows, sum(_spelt_out(column) for column in table.columns))
    return table.to_pandas(use_threads=False)


def _group_sizes(metadata: pq.FileMetaData) -> Iterator[int]:
    for number in range(metadata.num_row_groups):
        yield metadata.row_group(number).total_byte_size


def _refuse_sizes(rows: int, size: int) -> None:
    if rows > MOST_ROWS:
        raise TableError(f"it has {rows:,} rows, and at most {MOST_ROWS:,} are read")
    if size > LARGEST_TABLE:
        raise TableError(f"it fills {size / 1e6:,.0f} MB, and at most {LARGEST_TABLE / 1e6:,.0f} are read")


def _spelt_out(column: pa.ChunkedArray) -> int:
    """Return the bytes of a column when each text is written out: a file names a text once, however often it stands."""
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    lengths = (pc.take(pc.binary_length(chunk.dictionary), chunk.indices) for chunk in column.chunks)
    return sum(pc.sum(pc.cast(length, pa.int64())).as_py() or 0 for length in lengths)


def has_digest(path: Path, digest: str) -> bool:
    """Return whether a file is there and holds what the digest stands for."""
    try:
        return hashlib.sha256(read_bounded(path, LARGEST_FILE)).hexdigest() == digest
    except OSError:
        return False
