"""The compiled formula against the same formula in plain loops, and the guards that keep it honest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import CaptaincyMode, GameRules, load_rules
from engine.fitness.judge import named_objective, text_objective
from engine.fitness.objective import Dial, Theta
from engine.fitness.preferences import NO_PREFERENCES, Preferences
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import ScoredSquads, carry_weight, score_squads, spec_for, vocabulary_of
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.language.compiling import TERM_ORDER
from engine.language.spec import shipped_spec
from engine.rules.pool import pool_of
from models.armband.table import ArmbandTable
from models.players.points import GRID, PointDistributions
from models.signals import Signals
from tests.cases.chances_cases import covariance_of, matrix_of
from tests.cases.judged_worlds import league_signals, under, world_cup_signals
from tests.cases.objectives.plain_fitness import PlainRound, PlainSquad
from tests.cases.small_world import BLANK, DOUBLE
from tests.conftest import in_a_soak

EXACT = 1e-9
ROUNDS = (1, 2, 3, 4)
MODES = list(CaptaincyMode)
FEW, MANY = 1, 250
CUP, LEAGUE = load_rules("wc2026"), load_rules("fpl2024")
SEEDS = st.integers(0, 2**32 - 1)

WISHES = Preferences.model_validate(
    {
        "preference": [
            {"title": "sure midfielders", "points": 0.05, "position": "MID", "start_at_least": 0.8},
            {"title": "no Dutchman on the bench", "points": -0.4, "role": "bench", "team": "NED"},
            {"title": "Spaniards start", "points": 0.3, "role": "starter", "team": "ESP"},
        ]
    }
)
DESIRE = Preferences.model_validate({"preference": [{"title": "everybody", "points": 0.5}]})


@cache
def wide_league(gameweek: int) -> Signals:
    """Believe something about a gameweek of six clubs, under a budget and a cap that leave a choice of squads."""
    wide = tuple(stage.model_copy(update={"budget": 150.0, "team_cap": 6}) for stage in LEAGUE.stages)
    return replace(league_signals(gameweek), rules=LEAGUE.model_copy(update={"stages": wide}))


def some_squads(signals: Signals, count: int, seed: int = 0) -> np.ndarray:
    return random_squads(signals.xev, pool_of(signals), np.random.default_rng(seed), count)


@cache
def cup_squads(number: int) -> np.ndarray:
    return some_squads(world_cup_signals(number), 1_000, seed=number)


def scored(view: SquadView, squads: np.ndarray, theta: Theta, **strengths: float) -> ScoredSquads:
    return score_squads(view, squads, *spec_for(Dial(theta=theta, **strengths), view))


def scored_by(view: SquadView, squads: np.ndarray, name: str) -> ScoredSquads:
    """Score squads by a shipped spec at its own strengths."""
    objective = named_objective(str(name), view)
    return score_squads(view, squads, objective.spec, objective.parameters)


def assert_equal_to_plain(
    signals: Signals,
    squads: np.ndarray,
    *,
    current: Sequence[int] = (),
    free_transfers: int | None = None,
    wishes: Preferences = NO_PREFERENCES,
) -> None:
    """Compare line-ups, figures and every term of every θ with the plain implementation."""
    settings = SceneSettings(current=tuple(current), free_transfers=free_transfers, preferences=wishes)
    view, beliefs = SquadView(signals, settings), PlainRound(signals)
    compiled = {name: scored_by(view, squads, name) for name in (*Theta, "seed-protect", "seed-gain")}
    for row, squad in enumerate(squads):
        plain = PlainSquad(beliefs, squad)
        for theta, score in compiled.items():
            terms = plain.terms(str(theta), current=current, free_transfers=free_transfers, wishes=wishes)
            assert tuple(score.terms) == tuple(terms) == TERM_ORDER
            assert {name: values[row] for name, values in score.terms.items()} == pytest.approx(terms, rel=0, abs=EXACT)
            assert score.fitness[row] == pytest.approx(sum(terms.values()), rel=0, abs=EXACT)
        assert_same_figures(compiled[Theta.GAIN], row, plain, current)


def assert_same_figures(score: ScoredSquads, row: int, plain: PlainSquad, current: Sequence[int]) -> None:
    lineups, figures = score.lineups, score.figures
    assert (lineups.starters[row].tolist(), lineups.bench[row].tolist()) == (plain.eleven, plain.bench)
    assert lineups.captain[row] == plain.armband[1]
    assert bool(score.disqualified[row]) == (not plain.feasible())
    expected = {
        "variance": plain.variance,
        "relative_variance": plain.relative_variance,
        "cs_lift": plain.cs_lift,
        "price": plain.price,
        "changes": plain.changes(current),
    }
    assert {name: figures[name][row] for name in expected} == pytest.approx(expected, rel=0, abs=EXACT)


# The compiled formula is the plain one.


@pytest.mark.parametrize(
    ("number", "mode", "count"),
    [
        *((number, MODES[number % len(MODES)], FEW) for number in ROUNDS),
        *(pytest.param(*place, MANY, marks=pytest.mark.soak) for place in product(ROUNDS, MODES)),
    ],
)
def test_the_compiled_formula_equals_the_plain_one_term_by_term(number: int, mode: CaptaincyMode, count: int) -> None:
    signals = under(world_cup_signals(number), mode)
    assert_equal_to_plain(signals, some_squads(signals, count, seed=MODES.index(mode)))


@pytest.mark.parametrize(("number", "free"), [(1, None), (2, None), (2, 5), (4, None), (4, 0)])
@pytest.mark.daily("2-5", "4-0")
def test_transfers_beyond_the_free_ones_cost_what_plain_counting_says(number: int, free: int | None) -> None:
    signals = world_cup_signals(number)
    squads = some_squads(signals, 3, seed=7)
    assert_equal_to_plain(signals, squads, current=squads[0].tolist(), free_transfers=free)


@pytest.mark.parametrize("wishes", [WISHES, DESIRE])
@pytest.mark.daily("wishes0")
def test_preferences_equal_plain_counting(wishes: Preferences) -> None:
    signals = world_cup_signals(3)
    assert_equal_to_plain(signals, some_squads(signals, 3, seed=8), wishes=wishes)


@pytest.mark.parametrize("gameweek", [BLANK, DOUBLE])
def test_a_league_with_blanks_and_doubles_equals_the_plain_formula(gameweek: int) -> None:
    signals = wide_league(gameweek)
    squads = some_squads(signals, 3)
    assert signals.rules.captaincy.mode == "locked"
    assert_equal_to_plain(signals, squads, current=squads[1].tolist())


@pytest.mark.parametrize(
    ("captaincy", "autosubs"),
    [
        ({"multiplier": 3}, {}),
        ({"vice_covers": False}, {}),
        ({}, {"keeps_formation": False}),
        ({}, {"enabled": False}),
        ({"mode": CaptaincyMode.ONE_SWITCH}, {"manual_change_cancels_autosubs": False}),
    ],
)
@pytest.mark.daily("captaincy0", "captaincy2")
def test_other_rules_equal_the_plain_formula(captaincy: dict[str, object], autosubs: dict[str, object]) -> None:
    changed = {
        "captaincy": CUP.captaincy.model_copy(update=captaincy),
        "autosubs": CUP.autosubs.model_copy(update=autosubs),
    }
    signals = replace(world_cup_signals(3), rules=CUP.model_copy(update=changed))
    assert_equal_to_plain(signals, some_squads(signals, 2, seed=9))


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
