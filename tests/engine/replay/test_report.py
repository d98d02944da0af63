"""A replay on paper: tables that fit their heads, gains with intervals, caveats, a picture."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from data.errors import InputError
from engine.replay.hindsight import Hindsight
from engine.replay.ledger import TransferMode
from engine.replay.report import (
    GAIN_HEADS,
    caveats,
    gain_rows,
    markdown,
    replay_dict,
    save_replay_plot,
    table_heads,
    table_rows,
)
from tests.cases.replay_cases import league_replay


@pytest.mark.soak
def test_every_row_fits_the_heads_everybody_has_one_and_totals_are_the_sums_of_the_rounds() -> None:
    replay = league_replay()
    rows = table_rows(replay)
    assert {len(row) for row in rows} == {len(table_heads(replay))}
    assert [row[0] for row in rows] == [
        "max-EV", "random", "price", "crowd", "template", "field median", "field P90", "field P99", "hindsight",
    ]  # fmt: skip
    for row in rows[:5]:
        assert sum(map(float, row[1:3])) == pytest.approx(float(row[3]), abs=0.11)


def test_ours_is_held_against_every_simple_manager() -> None:
    rows = gain_rows(league_replay())
    assert [row[:2] for row in rows] == [("max-EV", other) for other in ("random", "price", "crowd", "template")]
    assert {len(row) for row in rows} == {len(GAIN_HEADS)}


def test_without_a_field_there_is_no_place_in_it() -> None:
    alone = replace(league_replay(), field=np.zeros((0, 2)))
    assert table_rows(alone)[0][5] == "–"
    assert "field" not in " ".join(row[0] for row in table_rows(alone))


def test_caveats_say_what_was_not_solved() -> None:
    replay = league_replay()
    assert any("Prices move" in line for line in caveats(replay))
    unsure = replace(replay, best=Hindsight((1, 2), False, TransferMode.REAL))
    assert any("not proved" in line for line in caveats(unsure))


def test_markdown_and_json_hold_the_same_totals() -> None:
    replay = league_replay()
    content = json.loads(json.dumps(replay_dict(replay), allow_nan=False))
    assert [one["policy"] for one in content["policies"]] == [track.name for track in replay.tracks]
    assert f"{content['policies'][0]['total']:.1f}" in markdown(replay)
    assert content["hindsight"]["points"] == list(replay.best.points)


def test_the_picture_is_drawn_with_and_without_a_field(tmp_path: Path) -> None:
    save_replay_plot(league_replay(), tmp_path / "deep" / "replay.png")
    assert (tmp_path / "deep" / "replay.png").read_bytes().startswith(b"\x89PNG")
    save_replay_plot(replace(league_replay(), field=np.zeros((0, 2))), tmp_path / "replay.svg")
    assert "<svg" in (tmp_path / "replay.svg").read_text(encoding="utf-8")


def test_a_picture_needs_a_known_ending_and_a_place(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"ends in \.png or \.svg"):
        save_replay_plot(league_replay(), tmp_path / "replay.gif")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        save_replay_plot(league_replay(), tmp_path / "file" / "replay.png")
