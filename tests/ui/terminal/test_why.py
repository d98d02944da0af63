"""What a player costs and what boosters are worth, on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.fitness.reference import linear_squad, pool_of
from tests.cases.judged_worlds import cup_signals, league_signals
from tests.cases.small_world import DOUBLE, player_of
from tests.tools.run_here import a_file, done

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

NAMED = ("--world", "cup", "--round", "2", "--theta", "gain")


def test_why_gives_cost_terms_and_a_sentence_for_each_player() -> None:
    answer = done("why", "First GK1 A4", "First FWD0 A1", *NAMED, "--json")
    players: list[dict[str, Any]] = answer.json["players"]
    assert [player["name"] for player in players] == ["First GK1 A4", "First FWD0 A1"]
    for player in players:
        assert sum(player["terms"].values()) == pytest.approx(-player["cost"], abs=1e-9)
        assert player["cost"] >= 0
    outsider = players[0]
    assert outsider["included"] is False
    ids = [man["player_id"] for man in outsider["other"]["men"]]
    assert outsider["player_id"] == player_of("A4", "GK", 1)
    assert outsider["player_id"] in ids


@pytest.mark.soak
def test_why_takes_the_managers_own_projections(tmp_path: Path) -> None:
    own = a_file(tmp_path / "own.csv", f"id,xev\n{player_of('A4', 'GK', 1)},25\n")
    answer = done("why", "First GK1 A4", *NAMED, "--projections", own, "--json")
    (player,) = answer.json["players"]
    assert player["included"] is True


def test_why_as_a_table_shows_every_term_zeros_included() -> None:
    answer = done("why", "First GK1 A4", *NAMED, "--captaincy", "locked")
    for word in ("expected points", "transfer cost", "fitness", "with him", "Who goes and who comes", "GK1 A4 costs"):
        assert word in answer.output


def test_boosters_of_the_squad_one_has_and_of_the_best_one(tmp_path: Path) -> None:
    signals = league_signals(DOUBLE)
    mine = linear_squad(signals, pool_of(signals))
    file = a_file(tmp_path / "mine.csv", "\n".join(str(signals.player_id[row]) for row in mine))
    named = ("--world", "league", "--round", str(DOUBLE), "--theta", "neutral", "--free-transfers", "1")
    answer = done("boosters", *named, "--from", file, "--json")
    assert sorted(answer.json["squad"]) == sorted(signals.name[mine])
    found = {booster["key"]: booster for booster in answer.json["boosters"]}
    assert found["bench_boost"]["points"] > 0
    assert found["free_hit"]["points"] >= 0
    assert (found["wildcard_2"]["legal"], found["wildcard_2"]["points"]) == (False, None)
    table = done("boosters", "--world", "cup", "--round", "2", "--theta", "protect")
    assert cup_signals(2).rules.boosters["twelfth_man"].title in table.output
    assert "no squad was given to make them from" in table.said
