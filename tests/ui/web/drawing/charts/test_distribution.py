"""The bars of a distribution show every score worth showing."""

from __future__ import annotations

import numpy as np
import pytest

from models.players.points import GRID
from ui.web.drawing.charts.distribution import distribution_table, draw_distribution


def a_mass(**points: float) -> np.ndarray:
    mass = np.zeros(len(GRID))
    for name, probability in points.items():
        mass[int(name.removeprefix("p").replace("m", "-")) - GRID[0]] = probability
    return mass


def test_scores_run_from_the_first_to_the_last_worth_showing() -> None:
    table = distribution_table(a_mass(pm1=0.1, p2=0.6, p5=0.2999, p40=0.0001))
    assert list(table["points"]) == [-1, 0, 1, 2, 3, 4, 5]
    assert table["probability"].sum() == pytest.approx(0.9999)


def test_floor_expectation_and_ceiling_are_named() -> None:
    chart = draw_distribution(a_mass(p0=0.5, p2=0.5), 0, 1.0, 2).to_dict()
    marks = {row["mark"] for rows in chart["datasets"].values() for row in rows if "mark" in row}
    assert marks == {"floor", "expected", "ceiling"}
