"""The table of the dial as it was measured at full size, kept as a file: written by `rank-table`, read by the page."""

from __future__ import annotations

import csv
import io
from functools import cache
from pathlib import Path

from engine.rank.intervals import Difference, Estimate
from engine.rank.rank_table import Cell

PUBLISHED = Path(__file__).parent / "dial.csv"
PLACE = ("round", "field", "rounds_left", "goal", "objective", "column")
FIGURES = ("chance", "chance_low", "chance_high", "gain", "gain_low", "gain_high", "gain_p", "p", "kappa")


def table_csv(cells: tuple[Cell, ...]) -> str:
    """Return the cells of a table as CSV, one row each; figures to six digits."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*PLACE, *FIGURES])
    for cell in cells:
        gain = [""] * 4 if cell.gain is None else [cell.gain.value, cell.gain.low, cell.gain.high, cell.gain.p]
        figures = [cell.chance.value, cell.chance.low, cell.chance.high, *gain, cell.p, cell.kappa]
        place = [getattr(cell, name) for name in PLACE]
        writer.writerow([*place, *(value if value == "" else f"{value:.6g}" for value in figures)])
    return text.getvalue()


def read_table(text: str) -> tuple[Cell, ...]:
    """Return the cells that `table_csv` wrote."""
    return tuple(_cell(row) for row in csv.DictReader(io.StringIO(text)))


@cache
def published_table() -> tuple[Cell, ...]:
    """Return the table that ships: rounds 1, 2, 4 and 6 of the World Cup at full size."""
    return read_table(PUBLISHED.read_text(encoding="utf-8"))


def _cell(row: dict[str, str]) -> Cell:
    figures = {name: float(row[name]) for name in FIGURES if row[name]}
    chance = Estimate(*(figures[name] for name in FIGURES[:3]))
    gain = Difference(*(figures[name] for name in FIGURES[3:7])) if "gain" in figures else None
    place = int(row["round"]), row["field"], int(row["rounds_left"]), row["goal"], row["objective"], row["column"]
    return Cell(*place, chance, gain, figures["p"], figures["kappa"])
