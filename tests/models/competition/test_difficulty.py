"""Rules of difficulty: many goals to expect are easy for an attack, and a settled place makes a dead rubber."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from data.worlds.world import World
from models.competition.bracket import STAGE_ROUND
from models.competition.difficulty import (
    NO_MATCH,
    DifficultySettings,
    fixture_difficulty,
    mismatches,
    rotation_risk,
)
from models.competition.groups import AT_HOME, AWAY, NEUTRAL
from models.competition.tournament import Progression, TournamentSettings, league_matches, simulate_tournament
from models.teams.goals import score_grid
from tests.models.competition.test_bracket import (
    Results,
    a_fixture,
    a_small_cup,
    as_fixtures,
    even_rates,
    in_order_of_seats,
)

FIRST_TWO_ROUNDS = [("1", "2"), ("3", "4"), ("1", "3"), ("2", "4")]


def graded_rates(teams: int, home: float = 1.3) -> np.ndarray:
    """Team 0 is the strongest; every step down costs a seventh of the goals."""
    strength = -np.arange(teams) / 7
    rates = np.repeat(1.3 * np.exp(np.subtract.outer(strength, strength))[..., None], 3, axis=2)
    rates[..., AT_HOME] *= home
    rates[..., AWAY] /= home
    return rates


def simulated(results: Results, rates: np.ndarray) -> Progression:
    settings = TournamentSettings(simulations=500)
    return simulate_tournament(*a_small_cup(results).tables, rates, rng=np.random.default_rng(3), settings=settings)


@cache
def group_schedule() -> Progression:
    cup = a_small_cup()
    return league_matches(cup.fixtures, cup.teams, (1, 2, 3))


def test_a_known_opponent_gives_a_whole_class_between_one_and_five() -> None:
    difficulty = fixture_difficulty(simulated({}, graded_rates(8)), graded_rates(8))
    for side in (difficulty.attack, difficulty.defence):
        group_matches = side[:, :3]
        assert (group_matches == group_matches.round()).all()
        assert set(np.unique(group_matches)) <= {1, 2, 3, 4, 5}


def test_the_strongest_has_it_easy_and_the_weakest_hard_on_both_sides() -> None:
    difficulty = fixture_difficulty(simulated({}, graded_rates(8)), graded_rates(8))
    last_matches = 2  # the first of each group meets its last
    assert difficulty.attack[0, last_matches] < 3 < difficulty.attack[7, last_matches]
    assert difficulty.defence[0, last_matches] < 3 < difficulty.defence[7, last_matches]


def test_the_five_classes_hold_a_fifth_of_all_pairings_each() -> None:
    teams = pd.DataFrame({"code": [f"T{team:02}" for team in range(20)]})
    pairs = [(one, other) for one, other in product(range(20), range(20)) if one != other]
    rows = [
        {"home": f"T{one:02}", "away": f"T{other:02}", "at_home": "", "round": number}
        for number, (one, other) in enumerate(pairs)
    ]
    rates = np.random.default_rng(0).uniform(0.3, 3.0, (20, 20, 3))
    league = league_matches(pd.DataFrame(rows), teams, range(len(pairs)))
    attack = fixture_difficulty(league, rates).attack
    counts = np.bincount(attack[attack != NO_MATCH].astype(int), minlength=6)[1:]
    assert counts / counts.sum() == pytest.approx(0.2, abs=0.01)


@given(seed=st.integers(0, 2**32 - 1))
def test_more_goals_to_expect_are_never_harder_for_the_attack_nor_easier_for_the_other_defence(seed: int) -> None:
    rates = np.random.default_rng(seed).uniform(0.3, 3.0, (8, 8, 3))
    difficulty = fixture_difficulty(group_schedule(), rates)
    by_goals = np.argsort(difficulty.goals_for[:, 0])
    assert (np.diff(difficulty.attack[by_goals, 0]) <= 0).all()
    by_conceded = np.argsort(difficulty.goals_against[:, 0])
    assert (np.diff(difficulty.defence[by_conceded, 0]) >= 0).all()


def test_an_unknown_opponent_is_a_mean_over_those_who_may_come() -> None:
    rates = graded_rates(8)
    progression = simulated({}, rates)
    difficulty = fixture_difficulty(progression, rates)
    row, column = 0, progression.column(7)
    weight = progression.opponents[row, column]
    expected = weight @ rates[row, :, NEUTRAL] / weight.sum()
    assert difficulty.goals_for[row, column] == pytest.approx(expected, rel=1e-5)
    assert 1 <= difficulty.attack[row, column] <= 5


def test_a_team_without_a_match_is_below_the_scale_and_has_no_swing() -> None:
    difficulty = fixture_difficulty(simulated(in_order_of_seats(), even_rates(8)), even_rates(8))
    out = 3  # last of group A
    assert (difficulty.attack[out, 3:] == NO_MATCH).all()
    assert (difficulty.attack_swing[out, 2:] == 0).all()
    assert np.isfinite(difficulty.defence).all()


def test_playing_at_home_is_easier_than_playing_away() -> None:
    teams = pd.DataFrame({"code": list("VWXYZ")})
    fixtures = as_fixtures([a_fixture("V", "W", "", 1), a_fixture("V", "W", "", 2), a_fixture("V", "W", "", 3)])
    league = league_matches(fixtures.assign(at_home=["V", "", "W"]), teams, (1, 2, 3))
    difficulty = fixture_difficulty(league, graded_rates(5, home=2.0))
    assert difficulty.goals_for[0, 0] > difficulty.goals_for[0, 1] > difficulty.goals_for[0, 2]
    assert difficulty.attack_swing[0].sum() > 0
    assert difficulty.defence_swing[0].sum() > 0
    assert difficulty.goals_for[0] == pytest.approx(difficulty.goals_against[1])


def test_two_matches_in_a_round_count_as_their_mean() -> None:
    teams = pd.DataFrame({"code": list("VWXYZ")})
    fixtures = as_fixtures([a_fixture("V", "W", "", 1), a_fixture("Z", "V", "", 1)])
    rates = graded_rates(5)
    difficulty = fixture_difficulty(league_matches(fixtures, teams, (1,)), rates)
    assert difficulty.goals_for[0, 0] == pytest.approx((rates[0, 1, 0] + rates[0, 4, 0]) / 2)


def test_a_mismatch_names_its_favourite_even_when_it_is_the_nominal_away_side() -> None:
    teams = pd.DataFrame({"code": list("VWXYZ")})
    fixtures = as_fixtures([a_fixture("V", "W", "", 1), a_fixture("Z", "V", "", 1), a_fixture("V", "Y", "", 2)])
    rates = graded_rates(5)
    found = mismatches(teams, fixtures, rates, DifficultySettings(mismatch_ratio=2.0))
    assert found[["favourite", "underdog", "round"]].values.tolist() == [["V", "Z", 1], ["V", "Y", 2]]
    assert found["ratio"].is_monotonic_decreasing
    assert found["ratio"][0] == pytest.approx(rates[0, 4, 0] / rates[4, 0, 0])
    assert mismatches(teams, fixtures, even_rates(5)).empty


@pytest.mark.parametrize("wrong", [{"quantiles": (0.5,)}, {"quantiles": (0.8, 0.6, 0.4, 0.2)}, {"mismatch_ratio": 0.5}])
def test_settings_without_meaning_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ModelError, match=next(iter(wrong))):
        DifficultySettings(**wrong)  # type: ignore[arg-type]


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


def test_four_points_settle_nothing_while_two_behind_can_pass() -> None:
    risk = risk_after(group_a((1, 0), (1, 0), (0, 0), (1, 0)))
    assert risk.loc[["A1", "A2", "A3"], "rotation_risk"].tolist() == [0, 0, 0]


def test_all_draws_leave_everything_open() -> None:
    risk = risk_after(group_a((0, 0), (0, 0), (0, 0), (0, 0)))
    assert (risk.loc[["A1", "A2", "A3", "A4"], "rotation_risk"] == 0).all()


def test_the_last_match_itself_does_not_count() -> None:
    before = group_a((1, 0), (1, 0), (0, 0), (1, 0))
    after = {**before, ("A1", "A4"): (5, 0), ("A2", "A3"): (5, 0)}
    assert risk_after(after).loc["A1", "rotation_risk"] == 0


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


def test_who_is_settled_before_the_last_matches_of_2026(world_cup: World) -> None:
    known = world_cup.at(3)
    tables = (known.teams, known.fixtures, known.bracket, known.best_thirds)
    risk = rotation_risk(*tables, even_rates(48)).set_index("code")
    assert set(risk.index[risk["clinched_top"] == 1]) == {"ARG", "GER", "MEX", "USA"}
    assert set(risk.index[risk["qualified"] == 1]) == {"ARG", "GER", "MEX", "USA", "COL", "FRA", "NOR"}
    assert set(risk.index[risk["eliminated"] == 1]) == {"HAI", "JOR", "PAN", "TUN", "TUR"}
    assert set(np.unique(risk["rotation_risk"])) == {0, 1}


def test_whoever_is_settled_is_settled_in_every_simulation(world_cup: World) -> None:
    known = world_cup.at(3)
    tables = (known.teams, known.fixtures, known.bracket, known.best_thirds)
    settings = TournamentSettings(simulations=2000)
    played = simulate_tournament(*tables, even_rates(48), rng=np.random.default_rng(0), settings=settings)
    risk = rotation_risk(*tables, even_rates(48))
    assert (played.positions[risk["clinched_top"] == 1, 0] == 1).all()
    assert (played.advances[risk["qualified"] == 1, 0] == 1).all()
    assert (played.advances[risk["eliminated"] == 1, 0] == 0).all()


def test_a_group_too_large_to_enumerate_is_refused() -> None:
    teams = pd.DataFrame({"code": [f"A{seat}" for seat in range(6)], "group": "A"})
    pairs = [(one, other) for one, other in product(teams["code"], repeat=2) if one < other]
    fixtures = as_fixtures([a_fixture(one, other, "GROUP_MD1", 1) for one, other in pairs])
    bracket = pd.DataFrame({"official_no": [1], "stage": ["FINAL"], "slot_1": ["1A"], "slot_2": ["2A"]})
    with pytest.raises(ModelError, match="group of 6 has too many outcomes"):
        rotation_risk(teams, fixtures, bracket, a_small_cup().best_thirds, even_rates(6), STAGE_ROUND)
