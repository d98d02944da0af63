"""Looking back on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from data.importing.season_facts import import_fpl_season
from engine.replay.walk import ReplaySettings
from tests.cases.replay_cases import replayed
from tests.tools.run_here import done, here

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

QUICK = ("--runs", "1", "--managers", "40", "--simulations", "40", "--cores", "1")


def test_a_replay_prints_one_object_and_keeps_tables_and_picture(tmp_path: Path) -> None:
    answer = done(
        "replay", "--world", "league", "--rounds", "1-2", "--theta", "max-EV", "--policy", "price", *QUICK,
        "--out", tmp_path / "replay.md", "--plot", tmp_path / "replay.png", "--json",
    )  # fmt: skip
    content: dict[str, Any] = answer.json
    assert [one["policy"] for one in content["policies"]] == ["max-EV", "price"]
    assert (content["transfers"], content["rounds"]) == ("real", [1, 2])
    assert content["gains"][0]["over"] == "price"
    assert "| policy | R1 | R2 | total |" in (tmp_path / "replay.md").read_text(encoding="utf-8")
    assert (tmp_path / "replay.png").exists()


def test_a_review_shows_what_was_said_and_what_happened(tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    league = ("--world", "league", "--theta", "gain")
    done("pick", *league, "--round", "1", "--generations", "1", "--no-prove", "--csv", file)
    again = ("--squad", file, "--round", "1")
    answer = done("review", *league, *again, *again, "--json")
    rounds: list[dict[str, Any]] = answer.json["rounds"]
    assert len(rounds) == 2
    assert {"name", "said", "happened"} == set(rounds[0]["terms"][0])
    shown = here("review", *league, *again)
    assert "By term" in shown.output
    assert "standard deviations" in shown.said


@pytest.mark.facts
@pytest.mark.soak
def test_a_premier_league_season_is_replayed_like_a_tournament(facts: Path) -> None:
    season = import_fpl_season(facts / "fpl" / "2024-25", name="season", title="Season", rulebook="fpl2024").world
    settings = ReplaySettings(rounds=(1, 2), policies=("price", "template"), runs=1, managers=0, simulations=20)
    replay = replayed(season, settings)
    assert all(track.mean > 0 for track in replay.tracks)
    assert (replay.track("price").changes[:, 1] <= 1).all()
