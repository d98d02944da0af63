"""P(hold), P(erase), percentile and P(top 1 %), this round and at the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.rank.chances import (
    GRID,
    HIGHEST,
    LOWEST,
    Crowd,
    Simulation,
    ahead_at_the_end,
    chances,
    entries_of,
    field_entries,
    later_edges,
    simulate,
    top_at_the_end,
)
from engine.rank.draws import draw_rounds
from engine.rank.field import Field, observed_field, rivals_field
from engine.rank.field_draw import Tastes
from engine.rank.kept_edge import EDGE_KEPT
from engine.rank.scores import all_scores
from tests.cases.judged_worlds import a_judge, cup_signals, league_signals
from tests.cases.small_world import BLANK, DOUBLE
from tests.tools.dask_cluster import local_cluster

SIMULATIONS = 400


def a_crowd(points: np.ndarray) -> Crowd:
    """The crowd of managers with these points (n, m)."""
    below = [np.searchsorted(row, np.arange(LOWEST, HIGHEST + 2)) for row in np.sort(points, axis=1)]
    return Crowd(points.shape[1], np.array(below))


@pytest.fixture(scope="module")
def field() -> Field:
    return observed_field(cup_signals(), 150, Tastes(2))


@given(
    points=st.lists(st.integers(0, 120), min_size=1, max_size=12),
    own=st.integers(0, 120),
    lead=st.sampled_from([0.0, 10.0, -25.0, 2.5, -0.5]),
)
def test_the_share_beaten_counts_who_is_level_half(points: list[int], own: int, lead: float) -> None:
    crowd, others = a_crowd(np.array([points])), np.array(points)
    wanted = np.mean((others < own + lead) + 0.5 * (others == own + lead))
    assert crowd.beaten(np.array([own + lead]))[0] == pytest.approx(wanted)


def test_a_crowd_knows_its_mean_and_spread() -> None:
    points = np.random.default_rng(0).integers(20, 90, (5, 40))
    crowd = a_crowd(points)
    np.testing.assert_allclose(crowd.mean, points.mean(axis=1))
    np.testing.assert_allclose(crowd.variance, points.var(axis=1))
    np.testing.assert_allclose(crowd.shares.sum(axis=1), 1.0)


def test_a_simulation_is_every_manager_scored_in_the_same_matches(field: Field) -> None:
    signals = cup_signals()
    found = simulate(signals, field.squads[:3], field, 60, np.random.default_rng(4))
    drawn = draw_rounds(signals, 60, np.random.default_rng(4).spawn(1)[0])
    points = all_scores(field_entries(signals, field), drawn, signals.rules, signals.position)
    np.testing.assert_array_equal(found.crowd.below, a_crowd(points.T).below)
    own = entries_of(signals, SquadView(signals).lineups(field.squads[:3]))
    np.testing.assert_array_equal(found.points, all_scores(own, drawn, signals.rules, signals.position))


def test_the_same_seed_gives_the_same_bytes_on_any_number_of_cores(
    field: Field, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = []
    for cores in (1, 4):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        runs.append(simulate(cup_signals(), field.squads[:2], field, 1500, np.random.default_rng(4)))
    assert runs[0].points.tobytes() == runs[1].points.tobytes()
    assert runs[0].crowd.below.tobytes() == runs[1].crowd.below.tobytes()


def test_simulated_means_are_the_expected_points() -> None:
    judge = a_judge(cup_signals())
    squads = judge.pool[-3:]
    lined = judge.view.lineups(squads)
    rivals = rivals_field(judge.view.signals, squads[:1])
    found = simulate(judge.view.signals, squads, rivals, 4000, np.random.default_rng(5))
    error = found.points.std(axis=1) / np.sqrt(4000)
    assert (np.abs(found.points.mean(axis=1) - lined.raw_xev - lined.captaincy_uplift) < 5 * error + 0.4).all()


def test_a_larger_lead_is_safer_and_a_larger_deficit_harder(field: Field) -> None:
    judge = a_judge(cup_signals())
    squads = judge.pool[-2:]
    found = simulate(judge.view.signals, squads, field, SIMULATIONS, np.random.default_rng(6))
    held = [found.ahead(0, lead) for lead in (-50, -25, 0, 10, 25)]
    for less, more in pairwise(held):
        assert (less <= more).all()
    ends = [ahead_at_the_end(found, 0, lead, 3, 0.0) for lead in (-50, -25, 0, 10, 25)]
    for less, more in pairwise(ends):
        assert (less < more).all()


def test_a_copy_of_the_rival_holds_any_lead_and_erases_nothing() -> None:
    signals = cup_signals()
    judge = a_judge(signals)
    squad = judge.pool[-1:]
    rival = replace(rivals_field(signals, squad), ladder=True)
    (found,) = chances(judge, squad, rival, np.random.default_rng(7), lead=1, deficit=1, n=SIMULATIONS, rounds_left=1)
    assert found.round.hold.value == 1.0
    assert found.round.erase.value == 0.0
    assert found.round.percentile.value == 0.5
    assert found.round.top is None
    assert found.finish == found.round


def test_later_rounds_bring_every_chance_nearer_to_even(field: Field) -> None:
    judge = a_judge(cup_signals())
    few, many = (
        chances(judge, judge.pool[-2:], field, np.random.default_rng(8), lead=15, n=SIMULATIONS, rounds_left=left)
        for left in (2, 8)
    )
    for soon, late in zip(few, many, strict=True):
        assert soon.round == late.round
        assert soon.finish.hold.value > late.finish.hold.value > 0.5
        assert soon.rounds_left == 2


def test_the_edge_is_that_of_the_rounds_that_are_left_and_counts_by_the_share_that_comes(field: Field) -> None:
    judge = a_judge(cup_signals())
    starters, carry = judge.view.lineups(judge.pool[-2:]).starters, judge.view.carry
    for rounds in (0, 1, 2):
        later = carry[:, :rounds].sum(axis=1)
        forecast = later[starters].sum(axis=1) - later[field.starters].sum(axis=1).mean()
        wanted = np.where(forecast > 0, EDGE_KEPT * forecast, forecast)
        np.testing.assert_allclose(later_edges(judge.view, starters, field, rounds), wanted)
    assert not later_edges(judge.view, starters, field, 0).any()


def test_an_edge_raises_every_chance_at_the_end_which_after_the_last_round_is_the_round_itself() -> None:
    rng = np.random.default_rng(9)
    simulation = Simulation(rng.integers(50, 80, (1, 200)), a_crowd(rng.integers(50, 80, (200, 120))))
    for ends in (
        [ahead_at_the_end(simulation, 0, 5.0, 2, edge) for edge in (0.0, 6.0)],
        [top_at_the_end(simulation, 0, 2, edge) for edge in (0.0, 6.0)],
    ):
        assert (ends[0] < ends[1]).all()
    np.testing.assert_array_equal(ahead_at_the_end(simulation, 0, 5.0, 0, 3.0), simulation.ahead(0, 5.0))
    np.testing.assert_array_equal(top_at_the_end(simulation, 0, 0, 3.0), simulation.top(0))


def test_the_normal_approximation_meets_rounds_played_one_after_the_other() -> None:
    rng = np.random.default_rng(10)
    own, others = rng.normal(62, 15, (3, 4000)), rng.normal(58, 15, (3, 4000, 1))
    simulation = Simulation(own[:1].round().astype(int), a_crowd(others[0].round().astype(int)))
    found = ahead_at_the_end(simulation, 0, 10.0, 2, 8.0).mean()
    played = np.mean(own.sum(axis=0) + 10 > others.sum(axis=(0, 2)))
    assert found == pytest.approx(played, abs=0.02)


@pytest.mark.parametrize("round_number", [BLANK, DOUBLE])
def test_a_blank_and_a_double_gameweek_simulate_too(round_number: int) -> None:
    signals = league_signals(round_number)
    field = observed_field(signals, 60, Tastes(2))
    found = simulate(signals, field.squads[:1], field, 100, np.random.default_rng(1))
    assert 0 < found.crowd.mean.mean() < GRID[-1]


def test_a_ladder_starts_with_the_captain_whom_the_manager_holds(field: Field) -> None:
    signals = cup_signals()
    squad = field.squads[:1]
    free = SquadView(signals).lineups(squad)
    other = next(int(man) for man in free.starters[0] if man != free.captain[0])
    lined = SquadView(signals, SceneSettings(captain=other)).lineups(squad)
    (ladder,) = entries_of(signals, lined).ladders
    assert ladder is not None
    assert ladder.captain.player == other
    assert ladder.value == pytest.approx(lined.captaincy_uplift[0])
    expected = float(lined.raw_xev[0] + lined.captaincy_uplift[0])
    simulated = simulate(signals, squad, field, 4_000, np.random.default_rng(1), lineups=lined).points[0]
    assert simulated.mean() == pytest.approx(expected, abs=5 * simulated.std() / 4_000**0.5 + 0.3)


def test_no_simulation_is_refused(field: Field) -> None:
    with pytest.raises(InputError, match="0 simulations say nothing"):
        simulate(cup_signals(), field.squads[:1], field, 0, np.random.default_rng(0))


@pytest.mark.soak
def test_a_cluster_simulates_what_this_machine_does(field: Field, tmp_path: Path) -> None:
    signals, squads = cup_signals(), field.squads[:2]
    here = simulate(signals, squads, field, 1_500, np.random.default_rng(3))
    with local_cluster(tmp_path) as cluster:
        there = simulate(signals, squads, field, 1_500, np.random.default_rng(3), cluster=cluster.address)
    assert here.points.tobytes() == there.points.tobytes()
    assert here.crowd.below.tobytes() == there.crowd.below.tobytes()
