"""The guards that keep the scores of squads honest, and the laws that they obey."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import GameRules
from engine.fitness.judge import text_objective
from engine.fitness.objective import Theta
from engine.fitness.squad_scoring import ScoredSquads, carry_weight, score_squads, vocabulary_of
from engine.fitness.squad_view import SquadView
from engine.language.spec import shipped_spec
from models.armband.table import ArmbandTable
from models.players.points import GRID, PointDistributions
from models.signals import Signals
from tests.cases.chances_cases import covariance_of, matrix_of
from tests.cases.judged_worlds import world_cup_signals
from tests.cases.objectives.squad_scores import CUP, EXACT, LEAGUE, ROUNDS, cup_squads, scored, scored_by, some_squads
from tests.conftest import in_a_soak

SEEDS = st.integers(0, 2**32 - 1)


# Guards.


@pytest.fixture(scope="module", params=[1, 4, *in_a_soak([2, 3])])
def pool(request: pytest.FixtureRequest) -> tuple[SquadView, np.ndarray]:
    signals = world_cup_signals(request.param)
    return SquadView(signals), cup_squads(request.param)[:300]


def test_a_squad_scores_differently_for_a_leader_and_a_chaser(pool: tuple[SquadView, np.ndarray]) -> None:
    protect, gain = scored(*pool, Theta.PROTECT), scored(*pool, Theta.GAIN)
    assert (np.abs(protect.fitness - gain.fitness) > EXACT).all()
    assert np.ptp(protect.fitness - gain.fitness) > 1.0
    assert (protect.terms["variance_term"] < 0).all()
    assert (gain.terms["variance_term"] > 0).all()
    for term in ("variance_term", "ownership_leverage"):  # the same quantity, wanted and shunned, half as strongly
        assert protect.terms[term] == pytest.approx(-2 * gain.terms[term], rel=0, abs=EXACT)
    assert (protect.terms["ownership_leverage"] > 0).all()


def test_the_terms_of_the_rank_objective_sum_too(pool: tuple[SquadView, np.ndarray]) -> None:
    view, squads = pool
    score = score_squads(view, squads, shipped_spec("rank", vocabulary=vocabulary_of(view)), {"kappa": -0.03})
    assert sum(score.terms.values()) == pytest.approx(score.fitness, rel=0, abs=EXACT)
    assert score.terms["variance_term"] == pytest.approx(0.03 * score.figures["relative_variance"], rel=0, abs=EXACT)


@pytest.mark.parametrize("theta", Theta)
def test_the_terms_sum_to_the_fitness_which_is_never_raw_points(
    pool: tuple[SquadView, np.ndarray], theta: Theta
) -> None:
    score = scored(*pool, theta)
    assert sum(score.terms.values()) == pytest.approx(score.fitness, rel=0, abs=EXACT)
    points = score.terms["raw_xev"] + score.terms["captaincy_uplift"]
    assert (np.abs(score.fitness - score.terms["raw_xev"]) > EXACT).all()
    assert (np.abs(score.fitness - points) > EXACT).all()
    at_work = np.sum([np.abs(values) > EXACT for values in score.terms.values()], axis=0)
    assert (at_work >= 3).all()


def test_a_score_cannot_be_had_without_its_terms() -> None:
    required = {field.name for field in fields(ScoredSquads)}
    assert {"fitness", "terms", "disqualified", "parameters"} <= required
    with pytest.raises(TypeError, match="terms"):
        ScoredSquads(squads=np.zeros((1, 15)), fitness=np.zeros(1))  # type: ignore[call-arg]


@pytest.mark.parametrize("theta", Theta)
def test_a_squad_that_breaks_a_rule_scores_exactly_nothing_and_never_ranks(theta: Theta) -> None:
    signals = world_cup_signals(1)
    # So strong a pressure that legal squads fall below 0: the row of 0 must not lead them.
    squads = np.concatenate([some_squads(signals, 5), [beyond_budget(signals), beyond_cap(signals)]])
    score = scored(SquadView(signals), squads, theta, k=5.0)
    assert score.disqualified.tolist() == [False] * 5 + [True] * 2
    assert score.fitness[5:].tolist() == [0.0, 0.0]
    assert sum(values[5:] for values in score.terms.values()) == pytest.approx(np.zeros(2), rel=0, abs=EXACT)
    assert (score.terms["feasibility_penalty"][:5] == 0).all()
    assert sorted(score.ranking.tolist()) == [0, 1, 2, 3, 4]
    assert (np.diff(score.fitness[score.ranking]) <= 0).all()
    if theta != Theta.GAIN:
        assert (score.fitness[:5] < 0).all()


def beyond_budget(signals: Signals) -> np.ndarray:
    """Return a squad of the dearest players, at most one of a team and position."""
    squad = []
    for code, count in enumerate(signals.rules.squad.shape.values()):
        rows = np.flatnonzero(signals.position == code)
        dearest = rows[np.argsort(-signals.price[rows], kind="stable")]
        _, first = np.unique(signals.team[dearest], return_index=True)
        squad += dearest[np.sort(first)][:count].tolist()
    assert signals.price[squad].sum() > signals.rules.stage(signals.round).budget
    return np.array(squad)


def beyond_cap(signals: Signals) -> np.ndarray:
    """Return a squad with five defenders of one team, the others of any."""
    squad = some_squads(signals, 1)[0]
    squad[2:7] = np.flatnonzero((signals.position == 1) & (signals.codes == "ESP"))[:5]
    assert np.bincount(signals.team[squad]).max() > signals.rules.stage(signals.round).team_cap
    return squad


@pytest.mark.parametrize(
    ("rules", "number", "weight"),
    [
        *((CUP, number, weight) for number, weight in enumerate((0.10, 0.10, 0.0, 0.35, 0.35, 0.35, 0.35, 0.0), 1)),
        *((LEAGUE, number, weight) for number, weight in ((1, 0.10), (20, 0.10), (38, 0.0))),
    ],
)
def test_the_carry_weighs_by_stage(rules: GameRules, number: int, weight: float) -> None:
    assert carry_weight(rules, number) == weight


def test_the_carry_is_nothing_before_a_free_rebuild_and_something_else_where_a_squad_is_kept() -> None:
    for number in ROUNDS:
        signals = world_cup_signals(number)
        carry = scored(SquadView(signals), some_squads(signals, 20), Theta.NEUTRAL).terms["progression_carry"]
        assert (carry == 0).all() if number == 3 else (carry > 0).all()


@pytest.mark.parametrize("theta", Theta)
def test_the_strengths_of_the_objective_reach_the_terms(pool: tuple[SquadView, np.ndarray], theta: Theta) -> None:
    usual, strong = scored(*pool, theta), scored(*pool, theta, k=0.04, c=0.2)
    assert strong.parameters["k"] == 0.04
    times = 0.04 / usual.parameters["k"]
    assert strong.terms["variance_term"] == pytest.approx(times * usual.terms["variance_term"], rel=0, abs=EXACT)
    assert strong.terms["raw_xev"].tolist() == usual.terms["raw_xev"].tolist()
    assert strong.terms["progression_carry"] == pytest.approx(0.2 * strong.figures["progression_carry"])


def test_a_spec_of_the_users_own_scores_with_its_own_terms() -> None:
    view = SquadView(world_cup_signals(1))
    text = "fitness Mine { gate feasible maximize raw_xev: 1 penalize price: 0.1 as thrift }"
    spec = text_objective(text, "mine.fitness", view, {}).spec
    score = score_squads(view, some_squads(view.signals, 4), spec, {"k": 0.5})
    assert score.terms["thrift"] == pytest.approx(-0.1 * score.figures["price"])
    assert score.parameters == {}


# Laws.


def one_squad(number: int, seed: int) -> np.ndarray:
    return np.asarray(cup_squads(number)[seed % len(cup_squads(number))])


def terms_of(signals: Signals, squads: Sequence[np.ndarray], theta: Theta) -> list[dict[str, float]]:
    score = scored(SquadView(signals), np.array(squads), theta)
    return [{name: float(values[row]) for name, values in score.terms.items()} for row in range(len(squads))]


@given(number=st.sampled_from(ROUNDS), seed=SEEDS, theta=st.sampled_from(Theta))
def test_the_order_of_a_squad_changes_nothing(number: int, seed: int, theta: Theta) -> None:
    squad = one_squad(number, seed)
    shuffled = np.random.default_rng(seed).permutation(squad)
    one, other = terms_of(world_cup_signals(number), [squad, shuffled], theta)
    assert one == pytest.approx(other, rel=0, abs=EXACT)


@given(number=st.sampled_from(ROUNDS), seed=SEEDS, theta=st.sampled_from(Theta), column=st.integers(0, 14))
@pytest.mark.soak
def test_swapping_two_equal_players_changes_nothing(number: int, seed: int, theta: Theta, column: int) -> None:
    signals, squad = world_cup_signals(number), one_squad(number, seed)
    man = int(squad[column])
    mates = np.flatnonzero((signals.team == signals.team[man]) & (signals.position == signals.position[man]))
    twin = int(np.random.default_rng(seed).choice(mates[mates != man]))
    swapped = np.where(squad == man, twin, np.where(squad == twin, man, squad))
    one, other = terms_of(equalised(signals, man, twin), [squad, swapped], theta)
    assert one == pytest.approx(other, rel=0, abs=EXACT)


def equalised(signals: Signals, man: int, twin: int) -> Signals:
    """Return the beliefs with two men of one team and position made equal: each the mean of both."""
    pair = [man, twin]
    other = np.arange(len(signals))
    other[pair] = other[pair[::-1]]

    def level(values: np.ndarray) -> np.ndarray:
        return np.asarray((values + values[other]) / 2)

    exposure, matrix = signals.exposure, matrix_of(signals.covariance)
    points = PointDistributions(level(signals.points.mass), signals.points.lines)
    columns = ("price", "owned", "start", "p_play", "floor", "ceiling", "typical_xev", "plays", "clean_sheet")
    popular = exposure.template | exposure.template[other]
    return replace(
        signals,
        **{name: level(getattr(signals, name)) for name in columns},
        points=points,
        xev=points.mean,
        variance=points.variance,
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=level(signals.p_play), slot=signals.slot),
        covariance=covariance_of((matrix + matrix[np.ix_(other, other)]) / 2),
        exposure=replace(
            exposure,
            eo=level(exposure.eo),
            captained=level(exposure.captained),
            template=popular,
            differential=(exposure.differential | exposure.differential[other]) & ~popular,
        ),
    )


@given(number=st.sampled_from(ROUNDS), seed=SEEDS)
def test_by_the_seeds_letter_owning_a_missed_template_player_never_lowers_leverage(number: int, seed: int) -> None:
    signals, squad, rng = world_cup_signals(number), one_squad(number, seed), np.random.default_rng(seed)
    template = signals.exposure.template
    missed = int(rng.choice(np.setdiff1d(np.flatnonzero(template), squad)))
    given_up = squad[(signals.position[squad] == signals.position[missed]) & ~template[squad]]
    if not given_up.size:
        return
    owning = np.where(squad == rng.choice(given_up), missed, squad)
    both = scored_by(SquadView(signals), np.array([squad, owning]), "seed-protect")
    before, after = both.terms["ownership_leverage"]
    assert after > before


def test_owning_more_of_the_template_is_worth_more_to_a_leader() -> None:
    signals = world_cup_signals(1)
    squads = cup_squads(1)
    owned = signals.exposure.template[squads].sum(axis=1)
    leverage = scored(SquadView(signals), squads, Theta.PROTECT).terms["ownership_leverage"]
    assert leverage[owned >= 5].mean() > leverage[owned <= 2].mean()
