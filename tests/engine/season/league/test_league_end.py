"""Rules of a league to its last round: chances follow the points, nobody has an edge his points do not show."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError
from engine.desk import Desk
from engine.plan.planner import PlanOrder
from engine.rank.field import observed_field
from engine.rank.field_draw import Tastes
from engine.rank.intervals import Difference, Estimate
from engine.rank.rivals import Rival
from engine.season.league.behaviour import rival_paths
from engine.season.league.league_end import LaterRounds, LeagueEnd, LeaguePlan
from engine.season.standing_kappa import LASTING, WEEK
from tests.engine.plan.test_planner import desk_of

ORDER = PlanOrder(horizon=2)
LEADS = (-300, -5, 5, 300)


def desk_with_rivals() -> Desk:
    desk = desk_of("league")
    signals, field = desk.signals, observed_field(desk.signals, len(LEADS), Tastes(1))

    def ids(rows: np.ndarray) -> tuple[int, ...]:
        return tuple(int(signals.player_id[row]) for row in rows)

    rivals = tuple(
        Rival(
            f"Rival {at}", ids(field.starters[at]), ids(field.captain[at : at + 1])[0], ids(field.bench[at]), ahead=lead
        )
        for at, lead in enumerate(LEADS)
    )
    return replace(desk, rivals=rivals)


@pytest.fixture(scope="module")
def end() -> LeagueEnd:
    return desk_with_rivals().league_end(ORDER, rounds_left=4, simulations=160)


def test_who_is_far_behind_is_beaten_and_who_is_far_ahead_is_not(end: LeagueEnd) -> None:
    for plan in end.plans:
        chances = [one.behind.value for one in plan.rivals]
        assert chances == sorted(chances)
        assert chances[0] == 0.0
        assert chances[-1] == 1.0


def test_winning_the_league_is_never_likelier_than_beating_one_of_it(end: LeagueEnd) -> None:
    for plan in end.plans:
        assert plan.win.value <= min(one.behind.value for one in plan.rivals)
        assert plan.place == pytest.approx(1 + sum(1 - one.behind.value for one in plan.rivals))


def test_just_points_come_first_and_the_others_are_told_beside_them(end: LeagueEnd) -> None:
    assert [one.objective for one in end.plans] == ["neutral", "protect", "gain"]
    assert end.plans[0].more_wins is None
    assert all(one.more_wins is not None for one in end.plans[1:])
    assert (end.rounds_left, end.planned, end.left_out) == (4, 2, ())


@pytest.mark.soak
def test_the_same_seed_gives_the_same_end() -> None:
    first, second = (desk_with_rivals().league_end(ORDER, rounds_left=3, simulations=40) for _ in range(2))
    assert first == second


def test_a_rival_without_a_bench_is_left_out_by_name_and_nobody_at_all_is_refused() -> None:
    desk = desk_with_rivals()
    halved = replace(desk, rivals=(replace(desk.rivals[0], bench=()), *desk.rivals[1:]))
    assert halved.league_end(ORDER, rounds_left=2, simulations=16).left_out == ("Rival 0",)
    with pytest.raises(InputError, match="No rival's whole squad"):
        replace(desk, rivals=()).league_end(ORDER)


def told(win: float, more: Difference | None, places: Difference | None) -> LeaguePlan:
    return LeaguePlan("protect" if more else "neutral", Estimate(win, win, win), 3.0, (), 50.0, more, places)


def test_a_difference_within_luck_or_too_small_to_matter_is_none() -> None:
    none = Difference(0.0, 0.0, 0.0, 1.0)
    luck, small = Difference(0.02, -0.01, 0.05, 0.2), Difference(0.001, 0.0005, 0.002, 0.01)
    for gap in (luck, small):
        end = LeagueEnd(10, 5, (told(0.2, None, None), told(0.22, gap, none)), ())
        assert end.advice.startswith("Just points")
    sure = LeagueEnd(10, 5, (told(0.2, None, None), told(0.25, Difference(0.05, 0.02, 0.08, 0.0), none)), ())
    assert sure.advice == "Protect: +5.0% to win the league (+2.0% to +8.0%)."


def test_a_rival_who_moves_keeps_his_positions_and_nobody_stands_twice() -> None:
    desk = desk_of("league")
    signals, field = desk.signals, observed_field(desk.signals, 6, Tastes(2))
    paths = rival_paths([signals, signals], field.squads, 4, np.random.default_rng(5))
    squads = paths.squads.reshape(-1, paths.squads.shape[-1])
    assert all(len(set(squad)) == len(squad) for squad in squads.tolist())
    before = np.repeat(field.squads[None, :, None], 4, axis=0)
    assert (signals.position[paths.squads] == signals.position[before]).all()
    cap = signals.rules.stage(signals.round).team_cap
    assert max(int(np.bincount(signals.team[squad]).max()) for squad in squads) <= max(
        cap, *(int(np.bincount(signals.team[squad]).max()) for squad in field.squads)
    )
    assert (paths.squads != before).any()


def test_spread_of_later_rounds_is_that_of_real_managers() -> None:
    later = LaterRounds.of(np.zeros(1), 0, 10)
    mine, theirs = later.drawn(40_000, np.random.default_rng(1))
    expected = np.sqrt(2 * (10 * WEEK**2 + (10 * LASTING) ** 2))
    assert (mine - theirs[0]).std() == pytest.approx(expected, rel=0.02)
