"""A player's whole distribution: it sums to 1, and its lines, mean, variance and quantiles tell one story."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import ModelError
from data.rules import load_rules, shipped_rulebooks
from models.players.chances import ABSENT, FULL, SHORT, Chances
from models.players.payout import LOWEST, WIDTH, match_distributions
from models.players.points import GRID, PointDistributions, point_distributions
from models.teams.goals import ScoreGrid, score_grid
from tests.cases.chances_cases import ASSIST_SHARE, DEF, FWD, GK, GOAL_SHARE, MID, RATES, a_man, a_score, the_chances

PLAYERS, MATCHES = 12, 3
RULEBOOKS = pytest.mark.parametrize("rulebook", shipped_rulebooks())
SEEDS = st.integers(0, 2**32 - 1)
FEW = settings(max_examples=settings().max_examples // 6)
"""A round holds many players already."""


def any_chances(seed: int) -> Chances:
    """Build a round of nobody in particular: each player has 0, 1 or 2 of three matches."""
    rng = np.random.default_rng(seed)
    player = np.repeat(np.arange(PLAYERS), rng.integers(0, 3, PLAYERS))
    rows = len(player)
    position = rng.integers(0, 4, rows)
    share = np.sort(rng.uniform(0.02, 1.05, (rows, 2)), axis=1)
    return Chances(
        player=player,
        match=rng.integers(0, MATCHES, rows),
        away=rng.random(rows) < 0.5,
        position=position,
        state=rng.dirichlet(np.full(3, 0.7), rows),
        minutes=np.concatenate([np.zeros((rows, 1)), share], axis=1),
        goal=GOAL_SHARE[position, None] * rng.uniform(0, 2, (rows, 3)),
        assist=ASSIST_SHARE[position, None] * rng.uniform(0, 2, (rows, 3)),
        grid=score_grid(rng.uniform(0.1, 4, MATCHES), rng.uniform(0.1, 4, MATCHES), -0.04),
        **{name: np.array(rate)[position] * rng.uniform(0, 2, rows) for name, rate in RATES.items()},
    )


def any_points(seed: int, rulebook: str) -> PointDistributions:
    owned = np.random.default_rng(seed).choice([0.001, 0.04, 0.06, 0.5], PLAYERS)
    return point_distributions(any_chances(seed), load_rules(rulebook), owned)


def on_grid(chances: dict[int, float]) -> np.ndarray:
    mass = np.zeros(WIDTH)
    for points, chance in chances.items():
        mass[points - LOWEST] = chance
    return mass


@RULEBOOKS
@FEW
@given(seed=SEEDS)
def test_a_mass_function_sums_to_one_its_lines_to_the_mean_and_has_that_mean_and_variance(
    rulebook: str, seed: int
) -> None:
    points = any_points(seed, rulebook)
    assert (points.mass >= 0).all()
    assert points.mass.sum(axis=1) == pytest.approx(1.0, abs=1e-9)
    assert np.abs(sum(points.lines.values()) - points.mean).max() <= 1e-9
    for player, mass in enumerate(points.mass):
        mean = sum(chance * value for value, chance in zip(GRID.tolist(), mass, strict=True))
        square = sum(chance * (value - mean) ** 2 for value, chance in zip(GRID.tolist(), mass, strict=True))
        assert points.mean[player] == pytest.approx(mean, abs=1e-9)
        assert points.variance[player] == pytest.approx(square, abs=1e-9)


@RULEBOOKS
@FEW
@given(seed=SEEDS)
@pytest.mark.daily("fpl2026", "wc2026")
def test_further_matches_of_a_round_are_added_by_convolution(rulebook: str, seed: int) -> None:
    chances, owned = any_chances(seed), np.full(PLAYERS, 0.2)
    rules = load_rules(rulebook)
    points = point_distributions(chances, rules, owned)
    by_match, _ = match_distributions(chances, rules, owned[chances.player])
    for player in range(PLAYERS):
        total, low = np.ones(1), 0
        for mass in by_match[chances.player == player]:
            total, low = np.convolve(total, mass), low + LOWEST
        first = LOWEST - low
        expected = np.pad(total, (max(-first, 0), WIDTH))[max(first, 0) :][:WIDTH]
        assert points.mass[player] == pytest.approx(expected, abs=1e-9)


def test_a_player_without_a_match_scores_nothing_for_sure() -> None:
    points = point_distributions(the_chances([a_man(player=1)], a_score(0, 0)), load_rules("wc2026"), np.zeros(3))
    assert points.mass[[0, 2], -LOWEST].tolist() == [1.0, 1.0]
    assert points.mean.tolist() == [0.0, 2.0, 0.0]


def test_a_round_without_any_match_is_all_zeros() -> None:
    some = the_chances([a_man()], a_score(0, 0))
    nobody = Chances(**{name: getattr(some, name)[:0] for name in Chances.__slots__ if name != "grid"}, grid=some.grid)
    assert point_distributions(nobody, load_rules("wc2026"), np.zeros(2)).mean.tolist() == [0.0, 0.0]


@FEW
@given(seed=SEEDS)
def test_the_order_of_the_rows_does_not_matter(seed: int) -> None:
    chances = any_chances(seed)
    order = np.random.default_rng(seed).permutation(len(chances))
    columns = {name: getattr(chances, name)[order] for name in Chances.__slots__ if name != "grid"}
    mixed = point_distributions(Chances(**columns, grid=chances.grid), load_rules("wc2026"), np.full(PLAYERS, 0.2))
    straight = point_distributions(chances, load_rules("wc2026"), np.full(PLAYERS, 0.2))
    assert mixed.mass == pytest.approx(straight.mass, abs=1e-12)


@RULEBOOKS
@FEW
@given(seed=SEEDS)
def test_appearance_is_paid_for_playing_and_for_the_hour(rulebook: str, seed: int) -> None:
    chances = any_chances(seed)
    _, lines = match_distributions(chances, load_rules(rulebook), np.full(len(chances), 0.2))
    assert lines["appearance"] == pytest.approx(1 - chances.state[:, ABSENT], abs=1e-12)
    assert lines["sixty_minutes"] == pytest.approx(chances.state[:, FULL], abs=1e-12)


@given(absent=st.floats(0, 1), full=st.floats(0, 1), more=st.floats(0, 1), to=st.sampled_from([SHORT, FULL]))
def test_more_minutes_never_lower_the_chance_of_an_appearance(absent: float, full: float, more: float, to: int) -> None:
    before = np.array([absent, (1 - absent) * (1 - full), (1 - absent) * full])
    after = before.copy()
    after[ABSENT] -= more * absent
    after[to] += more * absent
    men = [a_man(MID, state=tuple(state)) for state in (before, after)]
    points = point_distributions(the_chances(men, a_score(0, 1)), load_rules("wc2026"), np.full(2, 0.2))
    assert np.diff(points.lines["appearance"])[0] >= -1e-12
    assert np.diff(points.lines["sixty_minutes"])[0] >= -1e-12


def test_floor_and_ceiling_are_the_tenth_and_the_ninetieth_percentile() -> None:
    mass = on_grid({-1: 0.05, 0: 0.05, 2: 0.5, 6: 0.3, 9: 0.05, 12: 0.05})
    points = PointDistributions(mass[None, :], {})
    assert (points.floor[0], points.ceiling[0]) == (0, 6)
    assert [points.quantile(level)[0] for level in (0.01, 0.11, 0.5, 0.6, 0.61, 0.96, 1.0)] == [-1, 2, 2, 2, 6, 12, 12]


@FEW
@given(seed=SEEDS)
def test_floor_and_ceiling_keep_at_most_a_tenth_on_either_side(seed: int) -> None:
    points = any_points(seed, "wc2026")
    for player, mass in enumerate(points.mass):
        floor, ceiling = points.floor[player] - LOWEST, points.ceiling[player] - LOWEST
        assert mass[:floor].sum() <= 0.1 <= mass[: floor + 1].sum() + 1e-9
        assert mass[ceiling + 1 :].sum() <= 0.1 + 1e-9
        assert floor <= ceiling


def test_a_certain_score_has_no_variance_and_one_quantile() -> None:
    points = point_distributions(the_chances([a_man(FWD)], a_score(0, 1)), load_rules("wc2026"), np.ones(1))
    assert points.variance.tolist() == [0.0]
    assert points.floor.tolist() == points.ceiling.tolist() == [2]


def test_points_beyond_the_grid_are_counted_at_its_edge() -> None:
    lost = ScoreGrid(np.repeat(a_score(0, 10).probability, 3, axis=0))
    unlucky = the_chances([a_man(GK, red=1.0, own_goal=1.0, match=n, player=0) for n in (0, 1, 2)], lost)
    points = point_distributions(unlucky, load_rules("wc2026"), np.ones(1))
    assert points.mass[0, 0] == pytest.approx(1.0)  # three times 2 − 9 − 2 − 2


@pytest.mark.parametrize(
    ("mass", "message"),
    [
        (on_grid({0: 0.9}), "does not sum to 1"),
        (on_grid({0: np.nan, 1: 1.0}), "does not sum to 1"),
        (on_grid({0: 1.5, 1: -0.5}), "probability of -0.5, below 0"),
    ],
)
def test_what_is_no_distribution_is_refused(mass: np.ndarray, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        PointDistributions(mass[None, :], {})


def test_a_defenders_clean_sheet_is_his_likeliest_gain() -> None:
    man = a_man(DEF, yellow=0.1)
    points = point_distributions(the_chances([man], score_grid([1.5], [0.7])), load_rules("wc2026"), np.ones(1))
    assert points.lines["clean_sheet"][0] == pytest.approx(5 * np.exp(-0.7), abs=1e-3)
    assert max(points.lines, key=lambda name: float(points.lines[name][0])) == "clean_sheet"
