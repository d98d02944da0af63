"""Rules of the group tables: the official order of 2026, on groups made by hand and against a slow, plain ranking."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, groupby

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from models.competition.groups import (
    AT_HOME,
    AWAY,
    NEUTRAL,
    NOBODY,
    UNPLAYED,
    checked_rates,
    group_places,
    place_bounds,
    rank_groups,
    read_group_stage,
    separate,
    venue_of,
)
from tests.models.competition.test_bracket import KNOCKOUT, even_rates, group_fixtures, group_teams, with_results

Scores = dict[tuple[int, int], tuple[int, int]]  # (seat, seat) → goals
A, B, C, D = range(4)
EVEN_LOTS = (0.4, 0.3, 0.2, 0.1)


def a_table(scores: Scores, size: int = 4) -> np.ndarray:
    table = np.zeros((size, size, 1), dtype=np.int16)
    for (home, away), (scored, conceded) in scores.items():
        table[home, away], table[away, home] = scored, conceded
    return table


def ranking(scores: Scores, lots: Sequence[float] = EVEN_LOTS) -> list[int]:
    """Seats from first to last."""
    places = group_places(a_table(scores), np.array(lots)[:, None])[:, 0]
    return [int(seat) for seat in np.argsort(places)]


def overall_first(scores: Scores) -> list[int]:
    """The order of earlier World Cups: points, then goal difference and goals of all matches."""
    return sorted(range(4), key=lambda seat: tally(scores, seat, range(4)), reverse=True)


def tally(scores: Scores, seat: int, among: Sequence[int]) -> tuple[int, int, int]:
    """Points, goal difference and goals of a seat in the matches among some seats."""
    points = difference = goals = 0
    for pair, score in scores.items():
        if seat in pair and set(pair) <= set(among):
            own, other = score if pair[0] == seat else score[::-1]
            points += 3 if own > other else int(own == other)
            difference, goals = difference + own - other, goals + own
    return points, difference, goals


def split(seats: Sequence[int], key: Callable[[int], object]) -> list[list[int]]:
    ordered = sorted(seats, key=key, reverse=True)  # type: ignore[arg-type]
    return [list(level) for _, level in groupby(ordered, key=key)]


def plain_head_to_head(scores: Scores, level: list[int]) -> list[list[int]]:
    parts = split(level, lambda seat: tally(scores, seat, level))
    if len(parts) == 1:
        return parts
    return [finer for part in parts for finer in plain_head_to_head(scores, part)]


def plain_ranking(scores: Scores, lots: Sequence[float]) -> list[int]:
    """The regulations read aloud, one group at a time: the judge of the vectorised ranking."""
    by_points = split(range(4), lambda seat: tally(scores, seat, range(4))[0])
    level = [part for points in by_points for part in plain_head_to_head(scores, points)]
    last = [split(part, lambda seat: (*tally(scores, seat, range(4))[1:], lots[seat])) for part in level]
    return [seat for parts in last for part in parts for seat in part]


goals = st.integers(0, 2)
group_scores = st.fixed_dictionaries({pair: st.tuples(goals, goals) for pair in combinations(range(4), 2)})


@given(scores=group_scores, lots=st.permutations(EVEN_LOTS))
def test_the_ranking_is_the_regulations_read_aloud(scores: Scores, lots: list[float]) -> None:
    assert ranking(scores, lots) == plain_ranking(scores, lots)


def test_many_groups_at_once_rank_as_each_alone() -> None:
    rng = np.random.default_rng(5)
    tables = rng.integers(0, 3, (4, 4, 3, 500))
    tables[np.diag_indices(4)] = 0
    lots = rng.random((4, 3, 500))
    places = group_places(tables, lots)
    for group, simulation in [(0, 0), (1, 17), (2, 499)]:
        alone = group_places(tables[:, :, group, simulation, None], lots[:, group, simulation, None])
        assert (places[:, group, simulation] == alone[:, 0]).all()
    assert (np.sort(places, axis=0) == np.arange(4)[:, None, None]).all()


def test_of_two_level_teams_the_winner_of_their_match_is_ahead_whatever_the_goal_difference() -> None:
    scores = {(A, B): (1, 0), (A, C): (0, 1), (A, D): (1, 0), (B, C): (1, 0), (B, D): (9, 0), (C, D): (0, 0)}
    assert ranking(scores)[:2] == [A, B]
    assert overall_first(scores)[:2] == [B, A]


def test_of_three_level_teams_the_goals_among_them_decide_before_those_of_all_matches() -> None:
    scores = {(A, B): (2, 0), (B, C): (1, 0), (C, A): (1, 0), (A, D): (1, 0), (B, D): (7, 0), (C, D): (3, 0)}
    assert ranking(scores) == [A, C, B, D]
    assert overall_first(scores) == [B, C, A, D]


def test_two_who_stay_level_among_three_are_compared_again_by_their_own_match() -> None:
    # Among A, B, C: A +2, B and C both −1 with two goals; B beat C. All three beat D, C by most.
    scores = {(A, B): (3, 0), (B, C): (2, 0), (C, A): (2, 1), (A, D): (1, 0), (B, D): (1, 0), (C, D): (5, 0)}
    assert ranking(scores) == [A, B, C, D]
    assert overall_first(scores) == [C, A, B, D]


def test_four_level_teams_fall_apart_by_goals_and_then_by_the_match_of_those_still_level() -> None:
    # Everybody has four points; C and D both have a difference of 0 and two goals, and C beat D.
    scores = {(A, B): (2, 0), (A, C): (1, 1), (D, A): (1, 0), (B, C): (1, 0), (B, D): (1, 1), (C, D): (1, 0)}
    assert [tally(scores, seat, range(4)) for seat in range(4)] == [(4, 1, 3), (4, -1, 2), (4, 0, 2), (4, 0, 2)]
    assert ranking(scores, (0.1, 0.2, 0.3, 0.4)) == [A, C, D, B]


def test_all_draws_are_decided_by_goals_then_by_lots() -> None:
    scores = dict.fromkeys(combinations(range(4), 2), (0, 0)) | {(C, D): (2, 2)}
    assert ranking(scores, (0.1, 0.2, 0.3, 0.4)) == [D, C, B, A]
    assert ranking(scores, (0.2, 0.1, 0.4, 0.3)) == [C, D, A, B]


@given(scores=group_scores)
def test_no_goals_can_lift_or_sink_a_team_beyond_its_bounds(scores: Scores) -> None:
    best, worst = place_bounds(a_table(scores))
    for lots in ((0.1, 0.2, 0.3, 0.4), EVEN_LOTS):
        places = group_places(a_table(scores), np.array(lots)[:, None])
        assert ((best <= places) & (places <= worst)).all()


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_a_place_counts_those_with_a_larger_key(key: list[int]) -> None:
    places = separate(np.zeros((len(key), 1), dtype=np.int8), np.array(key)[:, None])[:, 0]
    assert places.tolist() == [sum(other > own for other in key) for own in key]


def test_thirds_are_ordered_by_points_then_difference_then_goals_then_lots() -> None:
    # In each group 1 and 2 win all else by 2–0, so its third comes from the match of 3 and 4.
    last_match = {"A": (0, 0), "B": (1, 1), "C": (1, 1), "D": (1, 0)}
    scores = {
        (f"{letter}{one}", f"{letter}{other}"): last_match[letter] if one == 3 else (2, 0)
        for letter in "ABCD"
        for one, other in combinations((1, 2, 3, 4), 2)
    }
    teams = group_teams("ABCD")
    stage = read_group_stage(teams, with_results(group_fixtures(teams), scores), KNOCKOUT)
    later_is_luckier = np.arange(16.0)[:, None]
    order, places = rank_groups(stage, stage.goals[..., None], later_is_luckier)
    assert teams["code"].to_numpy()[order[2, :, 0]].tolist() == ["A4", "B4", "C4", "D3"]
    assert places[:, 0].tolist() == [3, 2, 1, 0]


def test_known_results_stay_and_the_others_follow_their_rates() -> None:
    teams = group_teams("AB")
    fixtures = with_results(group_fixtures(teams), {("A1", "A2"): (7, 5)})
    stage = read_group_stage(teams, fixtures, KNOCKOUT)
    rates = even_rates(8)
    rates[0] = 2.5
    goals = stage.simulate(rates, 4000, np.random.default_rng(1))
    assert (goals[stage.played] == [[[7], [5]]]).all()
    assert stage.played.sum() == 1
    assert goals[~stage.played].mean(axis=2) == pytest.approx(stage.rates(rates)[~stage.played], abs=0.12)
    assert (goals >= 0).all()
    assert UNPLAYED not in stage.goals[stage.played]


def test_the_nominal_away_side_can_be_the_one_at_home() -> None:
    pairs, at_home = np.array([[0, 1], [0, 1], [0, 1]]), np.array([NOBODY, 0, 1])
    assert venue_of(pairs, at_home).tolist() == [[NEUTRAL, NEUTRAL], [AT_HOME, AWAY], [AWAY, AT_HOME]]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda fixtures: fixtures.iloc[1:], "A1–A2"),
        (lambda fixtures: pd.concat([fixtures, fixtures.iloc[[3]]]), "A2–A3"),
        (lambda fixtures: fixtures.replace({"away": {"B4": "A4"}}), "A4–B1"),
        (lambda fixtures: fixtures.replace({"away": {"B4": "XYZ"}}), "XYZ"),
        (lambda fixtures: fixtures.replace({"stage": {"GROUP_MD1": "GROUP_MD9"}}), "Did you mean GROUP_MD"),
    ],
)
def test_a_group_stage_that_is_no_round_robin_is_refused(
    damage: Callable[[pd.DataFrame], pd.DataFrame], message: str
) -> None:
    teams = group_teams("AB")
    with pytest.raises(ModelError, match=message):
        read_group_stage(teams, damage(group_fixtures(teams)), KNOCKOUT)


def test_groups_of_different_size_are_refused() -> None:
    teams = group_teams("AB").iloc[:-1]
    with pytest.raises(ModelError, match="A 4, B 3"):
        read_group_stage(teams, group_fixtures(group_teams("A")), KNOCKOUT)


def test_a_team_listed_twice_is_refused() -> None:
    teams = group_teams("AB").replace({"code": {"B4": "B3"}})
    with pytest.raises(ModelError, match="B3 is listed twice"):
        read_group_stage(teams, group_fixtures(group_teams("AB")), KNOCKOUT)


@pytest.mark.parametrize("bad", [0.0, -1.0, np.nan, np.inf])
def test_a_rate_that_is_no_positive_number_is_refused(bad: float) -> None:
    rates = even_rates(8)
    rates[2, 2] = bad  # nobody plays itself
    assert checked_rates(rates, 8) is rates
    rates[2, 3, AWAY] = bad
    with pytest.raises(ModelError, match="not a positive number"):
        checked_rates(rates, 8)
    with pytest.raises(ModelError, match=r"\(7, 7, 3\)"):
        checked_rates(rates, 7)
