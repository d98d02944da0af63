"""The calibration's picture: its file, its shapes, and the files it cannot be."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError
from models.calibration.forecast_errors import reliability, transform_shares
from ui.terminal.records.reliability_plot import save_reliability


def some_rounds(rows: int = 200) -> pd.DataFrame:
    """Build player-rounds whose points scatter around what was expected; every fourth player is not relevant."""
    rng = np.random.default_rng(4)
    model = rng.gamma(2, 1.5, rows)
    columns = {"model": model, "points": rng.poisson(model), "pit": rng.uniform(size=rows)}
    return pd.DataFrame(columns).assign(relevant=np.arange(rows) % 4 > 0)


def draw(players: pd.DataFrame, path: Path) -> None:
    save_reliability(reliability(players), transform_shares(players), path)


def texts_of(path: Path) -> list[str]:
    return [element.text or "" for element in ElementTree.parse(path).iter() if element.tag.endswith("text")]


def test_a_png_is_drawn_into_a_folder_that_is_made(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "plot.png"
    draw(some_rounds(), path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_an_svg_says_what_both_pictures_show(tmp_path: Path) -> None:
    path = tmp_path / "plot.svg"
    draw(some_rounds(), path)
    said = " ".join(texts_of(path))
    for title in ("Tenths of the relevant players", "Expected points", "Official points", "Share of player-rounds"):
        assert title in said


def test_only_relevant_players_are_drawn(tmp_path: Path) -> None:
    players = some_rounds()
    odd = players.assign(points=players["points"].where(players["relevant"], 10_000))
    first, second = tmp_path / "first.svg", tmp_path / "second.svg"
    draw(players, first)
    draw(odd, second)
    assert texts_of(first) == texts_of(second)


def test_a_handful_of_players_is_drawn_on_a_whole_axis(tmp_path: Path) -> None:
    path = tmp_path / "few.svg"
    draw(some_rounds(12), path)
    said = texts_of(path)
    assert {"0", "1", "2"} <= set(said[: said.index("Expected points")])


@pytest.mark.parametrize("name", ["plot.gif", "plot", "plot.png.txt"])
def test_another_ending_is_refused_by_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=rf"{name} cannot be drawn: choose a file name that ends in \.png or \.svg"):
        draw(some_rounds(), tmp_path / name)
    assert not (tmp_path / name).exists()


def test_a_place_that_cannot_be_written_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    (tmp_path / "folder.png").mkdir()
    for path in (tmp_path / "file" / "plot.png", tmp_path / "folder.png"):
        with pytest.raises(InputError, match=f"{path.name} cannot be written"):
            draw(some_rounds(), path)
