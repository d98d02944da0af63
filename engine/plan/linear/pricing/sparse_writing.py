"""Sparse programmes as they are written down: blocks of columns, of rows, and of entries between them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csc_matrix

from engine.rules.solver import SparseProgram

NO_COLUMN = -1
"""Stands for a column, or a row, that is not there."""


@dataclass(slots=True)
class SparseWriting:
    """Columns and rows as they are written down, in blocks."""

    value: list[np.ndarray] = field(default_factory=list)
    least: list[np.ndarray] = field(default_factory=list)
    most: list[np.ndarray] = field(default_factory=list)
    whole: list[np.ndarray] = field(default_factory=list)
    row: list[np.ndarray] = field(default_factory=list)
    column: list[np.ndarray] = field(default_factory=list)
    factor: list[np.ndarray] = field(default_factory=list)
    low: list[np.ndarray] = field(default_factory=list)
    high: list[np.ndarray] = field(default_factory=list)
    columns: int = 0
    rows: int = 0

    def add_columns(
        self, value: np.ndarray, *, least: np.ndarray | float = 0.0, most: np.ndarray | float = 1.0, whole: bool = False
    ) -> np.ndarray:
        """Add columns of these values and return their numbers."""
        size = len(value)
        self.value.append(np.asarray(value, dtype=float))
        self.least.append(np.broadcast_to(least, size).astype(float))
        self.most.append(np.broadcast_to(most, size).astype(float))
        self.whole.append(np.full(size, whole))
        self.columns += size
        return np.arange(self.columns - size, self.columns)

    def add_rows(self, size: int, low: np.ndarray | float, high: np.ndarray | float) -> np.ndarray:
        """Add rows between low and high and return their numbers."""
        self.low.append(np.broadcast_to(low, size).astype(float))
        self.high.append(np.broadcast_to(high, size).astype(float))
        self.rows += size
        return np.arange(self.rows - size, self.rows)

    def put(self, rows: np.ndarray | int, columns: np.ndarray, factor: np.ndarray | float = 1.0) -> None:
        """Enter columns into rows; who has no column is passed over."""
        there = columns != NO_COLUMN
        size = len(columns)
        self.row.append(np.broadcast_to(rows, size)[there])
        self.column.append(columns[there])
        self.factor.append(np.broadcast_to(factor, size)[there].astype(float))

    def program(self) -> SparseProgram:
        """Return all that was written."""
        row, column, factor = (np.concatenate(part) for part in (self.row, self.column, self.factor))
        table = csc_matrix((factor, (row, column)), shape=(self.rows, self.columns))
        join = np.concatenate
        return SparseProgram(
            join(self.value),
            table,
            join(self.low),
            join(self.high),
            join(self.least),
            join(self.most),
            join(self.whole),
        )
