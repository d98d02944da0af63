"""Standing and the rank table on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.fitness.squad_view import SquadView
from engine.rank.recommendation import measured_objective
from tests.cases.judged_worlds import cup_signals
from tests.tools.run_here import done

pytestmark = pytest.mark.usefixtures("worlds_at_hand")

CUP = ("--world", "cup", "--round", "2")
SMALL = ("--managers", "120", "--simulations", "200")


def test_standing_gives_every_chance_with_its_interval(squad: Path) -> None:
    answer = done("standing", *CUP, "--squad", squad, "--theta", "rank", "--lead", "15", *SMALL, "--json")
    content = answer.json
    assert (content["lead"], content["deficit"], content["field"]) == (15.0, 25.0, "observed")
    squads: list[dict[str, Any]] = content["squads"]
    assert [one["name"] for one in squads] == ["mine", "rank"]
    for one in squads:
        for outlook in (one["round"], one["finish"]):
            for chance in ("hold", "erase", "percentile", "top"):
                figures = outlook[chance]
                assert 0.0 <= figures["low"] <= figures["value"] <= figures["high"] <= 1.0
        assert one["round"]["hold"]["value"] > one["round"]["erase"]["value"]


def test_a_rival_stands_in_for_the_field(squad: Path) -> None:
    answer = done("standing", *CUP, "--squad", squad, "--rival", squad, "--lead", "-5", *SMALL)
    assert "After this round, against mine" in answer.output
    assert "erase 5" in answer.output
    assert "top 1 %" in answer.output


def test_after_the_last_round_nothing_is_approximated(squad: Path) -> None:
    answer = done("standing", *CUP, "--squad", squad, "--rounds-left", "1", *SMALL)
    assert "After the last round, against" in answer.output
    assert "approximation" not in answer.output


@pytest.mark.parametrize("text", ["protect", "neutral", "gain", "rank", "max-EV"])
def test_the_last_round_pays_for_no_later_one(text: str) -> None:
    view = SquadView(cup_signals(2))
    assert measured_objective(text, view, later=True).parameters["c"] > 0
    assert measured_objective(text, view, later=False).parameters["c"] == 0.0


def test_the_most_points_are_looked_at_as_in_a_replay() -> None:
    answer = done("standing", *CUP, "--theta", "max-EV", "--theta", "neutral", *SMALL, "--json")
    assert [one["name"] for one in answer.json["squads"]] == ["max-EV", "neutral"]


@pytest.mark.soak
def test_the_rank_table_is_markdown_and_may_be_kept(tmp_path: Path) -> None:
    file = tmp_path / "table.md"
    answer = done("rank-table", "--world", "cup", "--rounds", "2", "--quick", "--out", file)
    assert "| goal | max-EV | protect | gain | rank |" in answer.output
    assert "Holm-corrected over 60 of them" in answer.output
    assert file.read_text(encoding="utf-8") == answer.output


@pytest.mark.soak
def test_two_squads_of_one_name_are_both_looked_at_and_rank_follows_the_standing(squad: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin" / "mine.csv"
    twin.parent.mkdir()
    twin.write_bytes(squad.read_bytes())
    files = ("--squad", squad, "--squad", twin)
    answer = done("standing", *CUP, *files, "--theta", "rank", "--lead", "-30", *SMALL, "--json")
    assert [one["name"] for one in answer.json["squads"]] == ["mine", "mine (2)", "rank"]
    assert "Searching a squad for rank with a strength of" in answer.notes
