"""Rules of the deal: one score per match, shared by all its players, paid by the rulebook."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from data.rules import GameRules, load_rules
from models.players.bonus import bonus_chances
from models.players.chances import Chances
from models.players.points import point_distributions
from models.teams.goals import score_grid
from models.together.deal import AT_ONCE, Deal, deal
from tests.cases.chances_cases import DEF, FWD, GK, MID, a_man, a_round, a_score, the_chances

POPULAR = 0.3
EVENTS = [  # position, score, what is certain, points of the World Cup for 90 minutes
    (FWD, (2, 1), {}, 2),
    (FWD, (2, 1), {"goal": 1.0}, 2 + 2 * 5 + 1),  # two goals are two shots on target
    (MID, (2, 1), {"goal": 1.0}, 2 + 2 * 6),
    (MID, (2, 1), {"assist": 1.0}, 2 + 2 * 3 + 1),  # two assists are two chances created
    (MID, (2, 1), {"goal": 1.0, "free_kick": 1.0}, 2 + 2 * 6 + 2),
    (DEF, (2, 1), {"goal": 1.0, "yellow": 1.0}, 2 + 2 * 7 - 1),
    (DEF, (2, 1), {"red": 1.0}, 2 - 2),
    (GK, (2, 1), {}, 2),  # the first goal conceded is free
    (DEF, (0, 0), {}, 7),  # a clean sheet needs zero conceded
    (DEF, (0, 1), {}, 2),
    (DEF, (0, 3), {}, 0),
    (DEF, (3, 0), {}, 7),
]
SHORT_TIME = (0.0, 1.0, 0.0)


NO_BONUS = load_rules("fpl2026").model_copy(
    update={"scoring": {name: line for name, line in load_rules("fpl2026").scoring.items() if line.event != "bonus"}}
)


def simulate(
    chances: Chances, n: int = 50, rules: str | GameRules = "wc2026", seed: int = 1, owned: np.ndarray | None = None
) -> Deal:
    owned = np.full(int(chances.player.max()) + 1, POPULAR) if owned is None else owned
    rulebook = load_rules(rules) if isinstance(rules, str) else rules
    return deal(chances, rulebook, n, np.random.default_rng(seed), owned=owned)


@pytest.mark.parametrize(("position", "score", "certain", "points"), EVENTS)
def test_what_is_certain_is_paid_by_the_rulebook(
    position: int, score: tuple[int, int], certain: dict[str, float], points: int
) -> None:
    assert set(simulate(the_chances([a_man(position, **certain)], a_score(*score))).points.ravel()) == {points}


def test_points_of_wanted_players_alone_are_like_theirs_among_all() -> None:
    team = [a_man(place, goal=0.2, assist=0.1) for place in (GK, DEF, MID, FWD)]
    chances, owned = the_chances(team, a_score(2, 1)), np.full(len(team), POPULAR)
    everybody, some = (
        deal(chances, load_rules("wc2026"), 4_000, np.random.default_rng(1), owned=owned, wanted=wanted)
        for wanted in (None, np.array([3, 1]))
    )
    assert not some.points[:, [0, 2]].any()
    assert not some.played[:, [0, 2]].any()
    spread = everybody.points.std(axis=0) / np.sqrt(len(everybody))
    gap = some.points.mean(axis=0) - everybody.points.mean(axis=0)
    assert (np.abs(gap) < 5 * spread)[[1, 3]].all()


def test_the_away_side_concedes_the_home_goals() -> None:
    dealt = simulate(the_chances([a_man(GK), a_man(GK, away=True)], a_score(3, 0)))
    assert dealt.points[0].tolist() == [7, 0]
    assert dealt.scores[0].tolist() == [[3, 0]]


def test_a_short_appearance_keeps_no_clean_sheet_and_bears_only_its_minutes() -> None:
    assert set(simulate(the_chances([a_man(DEF, state=SHORT_TIME)], a_score(0, 0))).points.ravel()) == {1}
    man = a_man(DEF, state=SHORT_TIME, minutes=(0.0, 0.5, 1.0))
    dealt = simulate(the_chances([man], a_score(0, 2)), n=20_000)
    assert dealt.points.mean() == pytest.approx(1 - 0.25, abs=0.02)  # both goals fall into his half with 1/4


def test_who_is_absent_gets_nothing_and_has_not_played() -> None:
    man = a_man(FWD, state=(1.0, 0.0, 0.0), goal=(0.0, 0.5, 0.5), yellow=1.0, penalty_won=3.0)
    dealt = simulate(the_chances([man], a_score(4, 0)))
    assert not dealt.points.any()
    assert not dealt.played.any()
    assert not dealt.full.any()


def test_states_come_as_often_as_believed() -> None:
    dealt = simulate(the_chances([a_man(state=(0.3, 0.2, 0.5))], a_score(0, 0)), n=20_000)
    assert dealt.played.mean() == pytest.approx(0.7, abs=0.015)
    assert dealt.full.mean() == pytest.approx(0.5, abs=0.015)
    assert (dealt.played | ~dealt.full).all()


@pytest.mark.parametrize(
    ("position", "name", "rate", "points"),
    [(MID, "penalty_won", 0.2, 2), (DEF, "own_goal", 0.3, -2), (GK, "penalty_saved", 0.9, 3), (FWD, "yellow", 0.4, -1)],
)
def test_events_come_at_their_rate_in_proportion_to_minutes(position: int, name: str, rate: float, points: int) -> None:
    man = a_man(position, state=(0.0, 0.5, 0.5), minutes=(0.0, 0.5, 1.0), **{name: rate})
    dealt = simulate(the_chances([man], a_score(0, 1)), n=40_000)
    assert dealt.points.mean() == pytest.approx(1.5 + 0.75 * rate * points, abs=0.03)


def test_an_own_goal_or_a_card_comes_at_most_once() -> None:
    men = [a_man(FWD, yellow=0.9), a_man(FWD, own_goal=0.9)]
    assert simulate(the_chances(men, a_score(0, 0)), n=5_000).points.min(axis=0).tolist() == [1, 0]


def test_saves_and_tackles_pay_in_steps() -> None:
    men = [a_man(GK, saves=3.0), a_man(MID, tackles=3.0)]
    points = simulate(the_chances(men, a_score(0, 1)), n=40_000).points - 2
    expected = sum(np.exp(-3.0) * 3.0**k / np.prod(np.arange(1.0, k + 1)) * (k // 3) for k in range(40))
    assert points.mean(axis=0) == pytest.approx([expected, expected], abs=0.02)


def test_defensive_contributions_pay_once_from_the_threshold_of_the_position() -> None:
    men = [a_man(DEF, defensive=400.0), a_man(GK, defensive=400.0), a_man(DEF, defensive=0.01)]
    assert simulate(the_chances(men, a_score(0, 1)), rules=NO_BONUS).points[0].tolist() == [4, 2, 2]


def test_team_mates_share_their_clean_sheet() -> None:
    men = [a_man(GK), a_man(DEF)]
    points = simulate(the_chances(men, score_grid([1.2], [1.1])), n=2_000).points
    assert (points[:, 0] == points[:, 1]).all()
    assert len(np.unique(points)) > 3


@pytest.mark.parametrize(("owned", "bonus"), [(0.01, 2), (0.05, 0), (0.5, 0)])
def test_the_scouting_bonus_is_for_points_of_players_few_own(owned: float, bonus: int) -> None:
    men = [a_man(DEF), a_man(FWD)]  # a clean sheet brings 7 points, a mere appearance 2
    assert simulate(the_chances(men, a_score(0, 0)), owned=np.full(2, owned)).points[0].tolist() == [7 + bonus, 2]


def test_exactly_the_limit_is_not_above_it() -> None:
    man = a_man(FWD, assist=(0.0, 1.0, 1.0), state=SHORT_TIME)  # 1 + 3 = 4 points
    assert simulate(the_chances([man], a_score(1, 0)), owned=np.zeros(1)).points[0, 0] == 4


def test_two_matches_in_a_round_add_up() -> None:
    grid = score_grid([1e-9, 1e-9], [1e-9, 1e-9])
    men = [a_man(DEF), a_man(DEF, player=0, match=1, away=True, state=SHORT_TIME), a_man(FWD, player=1, match=1)]
    dealt = simulate(the_chances(men, grid))
    assert dealt.points[0].tolist() == [8, 2]
    assert dealt.full.all()


def test_a_player_without_a_match_has_nothing() -> None:
    dealt = simulate(the_chances([a_man(DEF, player=2)], a_score(0, 0)))
    assert dealt.points[0].tolist() == [0, 0, 7]
    assert dealt.played[0].tolist() == [False, False, True]


@pytest.mark.parametrize("goals", [0, 1, 2, 3])
def test_the_likely_bonus_comes_as_often_as_goals_say(goals: int) -> None:
    chances = the_chances([a_man(FWD, goal=1.0)], a_score(goals, 1))
    bonus = simulate(chances, n=20_000, rules="fpl2026").points - (2 + 4 * goals)
    found = np.bincount(bonus.ravel(), minlength=4) / 20_000
    assert found == pytest.approx(bonus_chances(FWD, 1, goals, 0, 0), abs=0.015)


@pytest.mark.parametrize("rulebook", ["wc2026", "fpl2026"])
def test_the_deal_draws_from_the_point_distributions(rulebook: str) -> None:
    chances, n = a_round(1), 20_000
    owned = np.where(np.arange(len(chances)) % 3, 0.01, POPULAR)
    points = simulate(chances, n, rulebook, owned=owned).points
    believed = point_distributions(chances, load_rules(rulebook), owned)
    error = (points.mean(axis=0) - believed.mean) / np.sqrt(believed.variance / n)
    assert np.sqrt((error**2).mean()) < 1.5  # 1 for a perfect match
    often = believed.variance > 1
    assert (points.var(axis=0) / believed.variance)[often].mean() == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize("n", [1, 300, AT_ONCE + 7])
def test_the_same_seed_gives_the_same_bytes_whatever_the_global_generator_does(n: int) -> None:
    first = simulate(a_round(2), n=n)
    np.random.seed(99)
    again = simulate(a_round(2), n=n)
    for name in ("points", "played", "full", "scores"):
        assert getattr(first, name).tobytes() == getattr(again, name).tobytes()


def test_every_simulation_is_filled() -> None:
    dealt = simulate(the_chances([a_man()], a_score(0, 0)), n=2 * AT_ONCE + 1)
    assert dealt.points.shape == (2 * AT_ONCE + 1, 1)
    assert dealt.played.all()


@given(seed=st.integers(0, 2**32 - 1))
def test_a_teams_players_never_score_more_than_the_team(seed: int) -> None:
    # Five a goal for a popular forward and nothing else: points tell the goals.
    men = [a_man(FWD, goal=0.4, state=(0.2, 0.0, 0.8), minutes=(0.0, 0.3, 1.0)) for _ in range(4)]
    dealt = simulate(the_chances(men, score_grid([2.0], [1.0])), rules=NO_BONUS, seed=seed)
    goals = (dealt.points - 2 * dealt.played) / 4
    assert (goals.sum(axis=1) <= dealt.scores[:, 0, 0]).all()


def test_a_deal_of_unequal_arrays_is_refused() -> None:
    flags = np.zeros((2, 3), dtype=bool)
    with pytest.raises(ModelError, match="same simulations"):
        Deal(points=np.zeros((2, 4)), played=flags, full=flags, scores=np.zeros((2, 1, 2)))
