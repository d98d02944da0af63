"""Rules of rotation: a settled place makes a dead rubber."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from data.errors import ModelError
from data.worlds.world import World
from models.competition.rotation import rotation_risk
from models.competition.tournament import TournamentSettings, simulate_tournament
from models.teams.goals import score_grid
from tests.models.competition.test_bracket import Results, a_fixture, a_small_cup, as_cup, as_fixtures, even_rates

FIRST_TWO_ROUNDS = [("1", "2"), ("3", "4"), ("1", "3"), ("2", "4")]


def risk_after(results: Results) -> pd.DataFrame:
    return rotation_risk(*a_small_cup(results).tables, even_rates(8)).set_index("code")


def group_a(*scores: tuple[int, int]) -> Results:
    """Results of A1–A2, A3–A4, A1–A3, A2–A4, or the first of them: what comes before A1–A4 and A2–A3."""
    pairs = [(f"A{one}", f"A{other}") for one, other in FIRST_TWO_ROUNDS]
    return dict(zip(pairs, scores, strict=False))


def test_six_points_against_those_behind_clinch_the_group() -> None:
    # A1 beat A2 and A3; A2 and A3 have 3 and meet: at most one comes level, and lost to A1.
    risk = risk_after(group_a((1, 0), (1, 0), (1, 0), (1, 0)))
    assert risk.loc["A1", ["clinched_top", "qualified", "eliminated", "rotation_risk"]].tolist() == [1, 1, 0, 1]
    assert risk.loc["A4", ["clinched_top", "qualified", "eliminated", "rotation_risk"]].tolist() == [0, 0, 1, 1]
    assert risk.loc[["A2", "A3"], "rotation_risk"].tolist() == [0, 0]


def test_four_points_settle_nothing_while_two_behind_can_pass_and_the_last_match_itself_does_not_count() -> None:
    before = group_a((1, 0), (1, 0), (0, 0), (1, 0))
    assert risk_after(before).loc[["A1", "A2", "A3"], "rotation_risk"].tolist() == [0, 0, 0]
    after = {**before, ("A1", "A4"): (5, 0), ("A2", "A3"): (5, 0)}
    assert risk_after(after).loc["A1", "rotation_risk"] == 0


def test_all_draws_leave_everything_open() -> None:
    risk = risk_after(group_a((0, 0), (0, 0), (0, 0), (0, 0)))
    assert (risk.loc[["A1", "A2", "A3", "A4"], "rotation_risk"] == 0).all()


def test_ahead_of_time_the_risk_is_the_chance_of_every_settled_history() -> None:
    win, draw, loss = score_grid(1.3, 1.3).outcome()
    odds = {(1, 0): win, (0, 0): draw, (0, 1): loss}
    opened = ((1, 0), (0, 0))  # A1 beat A2; two matches remain before the last
    expected = sum(
        odds[one] * odds[other] * risk_after(group_a(*opened, one, other)).loc["A1", "rotation_risk"]
        for one, other in product(odds, repeat=2)
    )
    assert risk_after(group_a(*opened)).loc["A1", "rotation_risk"] == pytest.approx(expected)
    assert 0.1 < expected < 0.9


def test_before_the_first_match_equal_teams_run_an_equal_risk() -> None:
    risk = risk_after({})
    assert risk.loc["A1", "rotation_risk"] == pytest.approx(risk.loc["B4", "rotation_risk"])
    assert 0.1 < risk.loc["A1", "rotation_risk"] < 0.3


def test_who_is_settled_before_the_last_matches_of_2026_is_settled_in_every_simulation(world_cup: World) -> None:
    tables = as_cup(world_cup.at(3)).tables
    risk = rotation_risk(*tables, even_rates(48)).set_index("code")
    assert set(risk.index[risk["clinched_top"] == 1]) == {"ARG", "GER", "MEX", "USA"}
    assert set(risk.index[risk["qualified"] == 1]) == {"ARG", "GER", "MEX", "USA", "COL", "FRA", "NOR"}
    assert set(risk.index[risk["eliminated"] == 1]) == {"HAI", "JOR", "PAN", "TUN", "TUR"}
    assert set(np.unique(risk["rotation_risk"])) == {0, 1}
    settings = TournamentSettings(simulations=2000)
    played = simulate_tournament(*tables, even_rates(48), rng=np.random.default_rng(0), settings=settings)
    assert (played.advances[risk["qualified"] == 1, 0] == 1).all()
    assert (played.advances[risk["eliminated"] == 1, 0] == 0).all()


def test_a_group_too_large_to_enumerate_is_refused() -> None:
    teams = pd.DataFrame({"code": [f"A{seat}" for seat in range(6)], "group": "A"})
    pairs = [(one, other) for one, other in product(teams["code"], repeat=2) if one < other]
    fixtures = as_fixtures([a_fixture(one, other, "GROUP_MD1", 1) for one, other in pairs])
    bracket = pd.DataFrame({"official_no": [1], "stage": ["FINAL"], "slot_1": ["1A"], "slot_2": ["2A"]})
    with pytest.raises(ModelError, match="group of 6 has too many outcomes"):
        rotation_risk(teams, fixtures, bracket, a_small_cup().best_thirds, even_rates(6))
