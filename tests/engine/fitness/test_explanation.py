"""Every score ships with its terms, its band, what is provisional, and a word when one term does most of the work."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import ModelError
from data.rules import GameRules
from engine.fitness.explanation import (
    LED,
    PLAIN,
    RULES_BEHIND,
    SWAMPED,
    Band,
    Decomposition,
    Yardstick,
    decompose,
    provisional_terms,
)
from engine.fitness.judge import text_objective
from engine.fitness.objective import Dial, Theta
from engine.fitness.reference import reference_pool
from engine.fitness.squad_scoring import ScoredSquads, score_squads, spec_for
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.language.compiling import TERM_ORDER
from models.signals import Signals
from tests.cases.judged_worlds import world_cup_signals
from tests.conftest import in_a_soak

TERMS = {"raw_xev": 60.5, "captaincy_uplift": 9.25, "ownership_leverage": -18.0, "feasibility_penalty": 0.0}
ROUNDS = (1, 2, 3, 4)
SELDOM, OFTEN = 0.02, 0.20
LIMIT = 60.0 + 4.0 * 2 * SWAMPED / (1 - SWAMPED)
"""Expected points that, beside an armband 2 spreads off the median of `a_yardstick`, are just the watch's share."""


def a_decomposition(**changes: Any) -> Decomposition:
    strengths, unsure = {"k": 0.02, "w": 0.3}, ("captaincy_uplift",)
    whole = Decomposition(51.75, TERMS, 344.4, Band.MEDIUM, "protect", strengths, False, unsure, "")
    return replace(whole, **changes)


def a_yardstick(**best: float) -> Yardstick:
    """Build a pool around 60, 10 and −20 points whose terms spread by 4, 1 and 2 points."""
    return Yardstick(a_squad(), a_squad(4.0, 1.0, 2.0), a_squad(70.0, 13.0, -12.0) | best, (300.0, 400.0))


def a_squad(
    raw_xev: float = 60.0, captaincy_uplift: float = 10.0, ownership_leverage: float = -20.0
) -> dict[str, float]:
    return {"raw_xev": raw_xev, "captaincy_uplift": captaincy_uplift, "ownership_leverage": ownership_leverage}


def scored(
    terms: Mapping[str, Sequence[float]], variance: Sequence[float], out: Sequence[bool] | None = None
) -> ScoredSquads:
    """Build scored squads by hand: their terms, and no more than a yardstick reads."""
    columns = {name: np.array(values, dtype=float) for name, values in terms.items()}
    return ScoredSquads(
        squads=np.zeros((len(variance), 15), dtype=int),
        fitness=np.sum(list(columns.values()), axis=0),
        terms=columns,
        disqualified=np.array(out if out is not None else [False] * len(variance)),
        figures={"variance": np.array(variance, dtype=float)},
        lineups=cast(Any, None),
        parameters={},
    )


@pytest.fixture(scope="module")
def small_pool(beliefs: Signals) -> np.ndarray:
    return reference_pool(beliefs, np.random.default_rng(2), 200)


def scored_pool(view: SquadView, theta: Theta, squads: np.ndarray) -> ScoredSquads:
    return score_squads(view, squads, *spec_for(Dial(theta=theta), view))


def row_terms(pool: ScoredSquads, row: int) -> dict[str, float]:
    return {name: float(values[row]) for name, values in pool.terms.items()}


# The decomposition.


@given(st.dictionaries(st.sampled_from(TERM_ORDER), st.floats(-1e3, 1e3), min_size=1), st.floats(1e-6, 1e3))
def test_terms_that_do_not_sum_to_the_fitness_are_refused(terms: dict[str, float], off: float) -> None:
    total = sum(terms.values())
    assert a_decomposition(terms=terms, fitness=total).fitness == total
    with pytest.raises(ModelError, match="miss its fitness by"):
        a_decomposition(terms=terms, fitness=total + off)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_term_that_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ModelError):
        a_decomposition(terms=TERMS | {"raw_xev": value}, fitness=value)


def test_huge_weights_are_allowed_their_rounding() -> None:
    terms = {"one": 1e15, "other": 0.3, "feasibility_penalty": -1e15}
    assert a_decomposition(terms=terms, fitness=0.3).terms == terms


def test_it_reads_the_same_as_object_dict_and_json() -> None:
    whole = a_decomposition()
    assert whole.to_dict() == {
        "fitness": 51.75,
        "decomposition": TERMS,
        "variance": 344.4,
        "variance_band": "medium",
        "objective": {"spec": "protect", "k": 0.02, "w": 0.3},
        "disqualified": False,
        "provisional": ["captaincy_uplift"],
        "substitution_watch": "",
    }
    read = json.loads(json.dumps(whole.to_dict(), allow_nan=False))
    assert read == whole.to_dict()
    assert list(read["decomposition"]) == list(TERMS)


# The band.


def test_the_edges_of_the_bands_are_the_thirds_of_the_pool() -> None:
    pool = scored({"raw_xev": [1.0] * 7}, variance=[700, 100, 300, 400, 200, 600, 500])
    assert Yardstick.of(pool).band_edges == pytest.approx((300.0, 500.0))


def test_a_variance_on_an_edge_belongs_to_the_band_above() -> None:
    bands = a_yardstick().bands(np.array([0.0, 299.9, 300.0, 399.9, 400.0, 9e9]))
    assert [list(Band)[band] for band in bands] == [Band.LOW, Band.LOW, Band.MEDIUM, Band.MEDIUM, Band.HIGH, Band.HIGH]


# The yardstick.


def test_a_yardstick_reads_median_spread_and_best_of_the_squads_that_rank() -> None:
    pool = scored(
        {"raw_xev": [50, 60, 64, 999], "transfer_cost": [0, 0, -3, 0]}, variance=[1, 2, 3, 99], out=[False] * 3 + [True]
    )
    yardstick = Yardstick.of(pool)
    assert yardstick.medians == {"raw_xev": 60.0, "transfer_cost": 0.0}
    assert yardstick.spreads == pytest.approx({"raw_xev": 14 / 3, "transfer_cost": 1.0})
    assert yardstick.best == {"raw_xev": 64.0, "transfer_cost": 0.0}
    assert yardstick.band_edges[1] < 3


def test_a_spec_that_disqualifies_the_whole_pool_is_told_to_loosen_its_gates(
    beliefs: Signals, small_pool: np.ndarray
) -> None:
    view = SquadView(beliefs)
    spec = text_objective("fitness Never { gate changes maximize raw_xev: 1 }", "never.fitness", view, {}).spec
    with pytest.raises(ModelError, match=r"disqualifies all 201 squads of the reference pool.*Loosen its gates"):
        Yardstick.of(score_squads(view, small_pool, spec, {}))


@given(st.floats(40, 80), st.floats(0, 20), st.floats(-40, 0))
def test_shares_are_deviations_in_spreads_and_sum_to_one(raw: float, captaincy: float, leverage: float) -> None:
    shares = a_yardstick().shares(
        {name: np.array([value]) for name, value in a_squad(raw, captaincy, leverage).items()}
    )
    scaled = [abs(raw - 60) / 4, abs(captaincy - 10), abs(leverage + 20) / 2]
    expected = [value / sum(scaled) for value in scaled] if sum(scaled) else [0.0] * 3
    assert [float(share[0]) for share in shares.values()] == pytest.approx(expected)


# The substitution watch.


def test_the_watch_names_the_leader_and_what_was_given_up_in_points() -> None:
    # Scaled deviations 0.5, 0.5 and 4: leverage is 80 % of them; the best eleven of the pool expects 12 points more.
    assert a_yardstick().watch(a_squad(58.0, 9.5, -12.0)) == (
        "ownership-led: 80% of what sets this squad apart is ownership leverage; "
        "check expected points, 12.0 points below the best of the pool."
    )


def test_the_watch_on_expected_points_looks_at_what_else_was_there() -> None:
    said = a_yardstick().watch(a_squad(76.0, ownership_leverage=-20.5))
    assert said.startswith("this-round-led: 94% of")
    assert said.endswith("check ownership leverage, 8.5 points below the best of the pool.")


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        pytest.param((), "", id="the median of everything"),
        pytest.param((64.0, 11.0, -18.0), "", id="as far off in every term"),
        pytest.param((LIMIT - 0.01, 12.0), "", id="just below the limit"),
        pytest.param((LIMIT + 0.01, 12.0), f"this-round-led: {SWAMPED:.0%}", id="just above the limit"),
    ],
)
def test_the_watch_is_silent_while_the_work_is_shared(terms: tuple[float, ...], said: str) -> None:
    assert a_yardstick().watch(a_squad(*terms))[: len(said) or None] == said


def test_a_squad_better_than_the_whole_pool_and_a_lone_term_gave_nothing_up() -> None:
    below = a_yardstick(captaincy_uplift=9.0, ownership_leverage=-21.0)
    assert below.watch(a_squad(raw_xev=90.0)) == ""
    pool = scored({"raw_xev": [50, 60, 70], "captaincy_uplift": [10, 10, 10]}, variance=[1, 2, 3])
    assert Yardstick.of(pool).watch({"raw_xev": 90.0, "captaincy_uplift": 10.0}) == ""


def test_a_term_of_a_users_own_is_watched_under_its_own_name() -> None:
    pool = scored({"raw_xev": [58, 60, 62], "derby_love": [0, 1, 2]}, variance=[1, 2, 3])
    assert Yardstick.of(pool).watch({"raw_xev": 60.0, "derby_love": 9.0}) == (
        "derby_love-led: 100% of what sets this squad apart is derby_love; "
        "check expected points, 2.0 points below the best of the pool."
    )


def test_every_term_of_the_formula_that_can_lead_has_its_words() -> None:
    assert set(LED) == set(PLAIN) == set(TERM_ORDER) - {"feasibility_penalty"}


def test_a_disqualified_squad_is_not_watched(beliefs: Signals, small_pool: np.ndarray) -> None:
    view = SquadView(beliefs)
    pool = scored_pool(view, Theta.PROTECT, small_pool)
    poor = SquadView(beliefs, SceneSettings(budget=50.0))
    shown = decompose(scored_pool(poor, Theta.PROTECT, small_pool), 0, "protect", Yardstick.of(pool), beliefs)
    assert shown.disqualified
    assert (shown.fitness, shown.watch) == (0.0, "")


# Scored squads of a real round.


@pytest.mark.parametrize("theta", Theta)
def test_a_scored_squad_ships_with_all_that_explains_it(beliefs: Signals, small_pool: np.ndarray, theta: Theta) -> None:
    pool = scored_pool(SquadView(beliefs), theta, small_pool)
    yardstick = Yardstick.of(pool)
    shown = [decompose(pool, row, str(theta), yardstick, beliefs) for row in range(len(pool))]
    assert [whole.fitness for whole in shown] == pool.fitness.tolist()
    assert list(shown[0].terms) == [*TERM_ORDER]
    assert shown[0].parameters == pool.parameters
    assert [[whole.band for whole in shown].count(band) for band in Band] == pytest.approx([len(pool) / 3] * 3, abs=1.5)
    assert beliefs.provisional == ("captaincy",)
    assert shown[0].provisional == ("captaincy_uplift", "variance_term")
    assert all(json.loads(json.dumps(whole.to_dict(), allow_nan=False)) == whole.to_dict() for whole in shown)


# What is provisional.


@pytest.mark.parametrize(
    ("sections", "terms"),
    [
        pytest.param(["scoring.assists"], TERM_ORDER, id="scoring marks every term"),
        pytest.param(["scouting"], TERM_ORDER, id="and so does scouting"),
        pytest.param([], (), id="confirmed rules mark nothing"),
        pytest.param(
            ["stages.GROUP_MD1", "boosters.wildcard"],
            ("progression_carry", "feasibility_penalty", "transfer_cost"),
            id="a stage marks what its budget and transfers enter",
        ),
        pytest.param(["boosters.wildcard"], (), id="a booster marks nothing"),
    ],
)
def test_an_unconfirmed_section_marks_the_terms_it_enters(
    beliefs: Signals, sections: list[str], terms: tuple[str, ...]
) -> None:
    assert provisional_terms(replace(beliefs, provisional=tuple(sections)), TERM_ORDER) == terms


def test_the_sections_that_mark_terms_are_sections_of_a_rulebook_and_their_terms_are_terms() -> None:
    assert set(RULES_BEHIND) <= set(GameRules.model_fields)
    assert {term for terms in RULES_BEHIND.values() for term in terms} <= set(TERM_ORDER)


# The strengths over the real rounds.


@pytest.mark.parametrize("seed", [0, *in_a_soak(range(1, 6))])
@pytest.mark.parametrize("theta", Theta)
@pytest.mark.parametrize("number", ROUNDS)
@pytest.mark.daily("1-protect", "4-gain")
def test_at_default_strengths_the_watch_fires_now_and_then_and_no_term_outweighs_expected_points_whatever_the_seed(
    number: int, theta: Theta, seed: int
) -> None:
    view = SquadView(world_cup_signals(number))
    pool = scored_pool(view, theta, reference_pool(view.signals, np.random.default_rng(seed)))
    yardstick = Yardstick.of(pool)
    fired = np.mean([yardstick.watch(row_terms(pool, row)) != "" for row in range(len(pool))])
    assert SELDOM <= fired <= OFTEN
    sizes = {name: float(np.median(np.abs(values))) for name, values in pool.terms.items()}
    assert max(sizes, key=lambda name: sizes[name]) == "raw_xev"
