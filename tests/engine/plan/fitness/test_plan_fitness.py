"""Rules of a plan's fitness: a table that sums along both edges, θ in every round, and what is kept as lines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError, ModelError
from engine.board.boosters import booster_values
from engine.fitness.judge import Judge, Objective, named_objective, text_objective
from engine.plan.fitness.plan_fitness import LINES, PlanTable, score_plans
from engine.plan.fitness.rounds import PlanRounds, PlanSettings, plan_rounds
from engine.plan.fitness.values import plan_problem
from engine.plan.moves.moves import Plan
from engine.plan.moves.state import State
from tests.cases.objectives.plain_fitness import PlainRound, PlainSquad
from tests.cases.plans.planned_rounds import NOTHING_KEPT, a_swap, ahead, held, rounds_of
from tests.cases.small_world import BLANK
from tests.conftest import in_a_soak

THETAS = ("protect", "neutral", "gain", "rank")
KINDS = pytest.mark.parametrize("kind", ["league", "cup"])


def objective(rounds: PlanRounds, theta: str = "protect", **strengths: float) -> Objective:
    return named_objective(theta, rounds.views[0], **strengths)


def table_of(rounds: PlanRounds, plan: Plan, theta: str = "protect", **strengths: float) -> PlanTable:
    return score_plans(rounds, [plan], objective(rounds, theta, **strengths)).table(0)


@KINDS
@pytest.mark.parametrize("theta", THETAS)
def test_the_table_sums_along_both_edges(kind: str, theta: str) -> None:
    rounds = rounds_of(kind)
    plan = held(rounds, swap={rounds.rounds[-1]: a_swap(rounds)})
    table = table_of(rounds, plan, theta)
    assert table.rounds == rounds.rounds
    assert sum(table.by_round) + sum(table.lines.values()) == pytest.approx(table.total, abs=1e-9)
    assert sum(table.by_term.values()) + sum(table.lines.values()) == pytest.approx(table.total, abs=1e-9)
    assert tuple(table.lines) == LINES


def test_a_table_that_does_not_sum_is_refused() -> None:
    table = table_of(rounds_of("cup"), held(rounds_of("cup")))
    with pytest.raises(ModelError, match="misses its fitness"):
        replace(table, total=table.total + 1e-3)


@KINDS
def test_the_same_plan_scores_differently_under_protect_and_gain(kind: str) -> None:
    rounds = rounds_of(kind)
    protect, gain = (table_of(rounds, held(rounds), theta) for theta in ("protect", "gain"))
    assert protect.points == pytest.approx(gain.points)
    assert abs(protect.total - gain.total) > 1.0


@KINDS
@pytest.mark.parametrize("theta", ["protect", "gain", *in_a_soak(["neutral"])])
@pytest.mark.daily("gain-league")
def test_every_round_is_scored_as_a_squad_of_its_own(kind: str, theta: str) -> None:
    """The oracle: plain loops over each round's beliefs; nothing kept, nothing discounted, rounds apart."""
    rounds = rounds_of(kind, NOTHING_KEPT)
    plan = held(rounds, swap={rounds.rounds[-1]: a_swap(rounds)})
    table = table_of(rounds, plan, theta)
    for column, (signals, move) in enumerate(zip(rounds.signals, plan.moves, strict=True)):
        truth = PlainSquad(PlainRound(signals), move.squad).terms(theta)
        truth |= {"transfer_cost": -float(signals.rules.transfers.hit_cost * move.hits), "booster": 0.0}
        del truth["progression_carry"]
        assert table.row(column) == pytest.approx(truth, abs=1e-9)
    last = PlainSquad(PlainRound(rounds.signals[-1]), plan.moves[-1].kept)
    assert table.lines["carry_beyond"] == pytest.approx(last.terms(theta)["progression_carry"], abs=1e-9)


@pytest.mark.parametrize("theta", THETAS)
@pytest.mark.daily("protect")
def test_a_man_held_over_rounds_swings_more_than_the_rounds_apart(theta: str) -> None:
    """The oracle: ρ times the product of spreads for every man and every two rounds, each pair told half in either."""
    apart, together = rounds_of("league", NOTHING_KEPT), rounds_of("league", replace(NOTHING_KEPT, held=0.1))
    plan = held(apart, swap={apart.rounds[1]: a_swap(apart)})
    squads = [PlainSquad(PlainRound(s), m.squad) for s, m in zip(apart.signals, plan.moves, strict=True)]
    counted = [squad.counted for squad in squads]
    spread = [np.sqrt(signals.variance) for signals in apart.signals]
    own, field, both = 0.0, 0.0, 0.0
    for one in range(3):
        for other in range(3):
            for man in range(len(spread[0])) if one != other else ():
                x, y = counted[one].get(man, 0.0), counted[other].get(man, 0.0)
                e, f = (float(apart.signals[at].exposure.eo[man]) for at in (one, other))
                weight = 0.1 * float(spread[one][man] * spread[other][man])
                own, field, both = own + weight * x * y, field + weight * x * f, both + weight * (x - e) * (y - f)
    first, second = (table_of(rounds, plan, theta).total for rounds in (apart, together))
    k = objective(apart, theta).parameters
    change = {
        "protect": -0.02 * own + 2 * 0.02 * field,
        "neutral": -0.02 / 4 * own,
        "gain": 0.01 * own - 2 * 0.01 * field,
        "rank": -float(k.get("kappa", 0.02)) * both,
    }[theta]
    assert second - first == pytest.approx(change, abs=1e-9)


@KINDS
def test_over_one_round_it_is_the_board_s_score(kind: str) -> None:
    """Nothing is worth keeping, and the carry is the board's own: the same terms, the carry on its line."""
    signals = ahead(kind)[0]
    base = rounds_of(kind)
    rounds = plan_rounds((signals,), base.state, settings=PlanSettings(spare=()))
    plan = held(rounds, swap={signals.round: a_swap(rounds)})
    for theta in THETAS:
        asked = objective(rounds, theta)
        table = score_plans(rounds, [plan], asked).table(0)
        view = replace(
            rounds.last_view, settings=replace(rounds.scene, current=tuple(rounds.frame.start_squad.tolist()))
        )
        truth = Judge(view, np.random.default_rng(0)).score(np.array([plan.moves[0].squad]), asked)
        assert table.total == pytest.approx(float(truth.fitness[0]) + truth.figures["transfer_cost"][0], abs=1e-9)
        found = table.row(0) | {"progression_carry": table.lines["carry_beyond"]}
        for term, values in truth.terms.items():
            if term != "transfer_cost":  # one free transfer here, the stage's own there
                assert found[term] == pytest.approx(float(values[0]), abs=1e-9)


def test_what_is_kept_stands_on_lines_of_its_own() -> None:
    settings = PlanSettings(spare=(0.0, 1.0, 1.8), keeping={"bench_boost": (5.0, 5.0, 4.0)})
    rounds = rounds_of("league")
    rounds = replace(rounds, settings=settings)
    kept, played = held(rounds), held(rounds, chips={rounds.rounds[1]: "bench_boost"})
    quiet, loud = table_of(rounds, kept), table_of(rounds, played)
    assert quiet.lines["transfers_kept"] == 1.8
    assert quiet.lines["boosters_kept"] == 4.0
    assert loud.lines["boosters_kept"] == -1.0
    assert loud.row(1)["booster"] > 0
    spent = table_of(rounds, held(rounds, swap={rounds.rounds[-1]: a_swap(rounds)}))
    assert spent.lines["transfers_kept"] == pytest.approx(1.8)  # a bank of five: two are left all the same


def test_a_discount_leaves_hits_whole() -> None:
    rounds = replace(rounds_of("league"), settings=replace(NOTHING_KEPT, discount=0.5, carry=False))
    first, second = rounds.rounds[:2]
    out, into = a_swap(rounds)
    plan = held(rounds, swap={first: (out, into), second: (into, out)})
    plan = Plan((plan.moves[0], replace(plan.moves[1], hits=1), *plan.moves[2:]))
    whole = replace(rounds, settings=replace(rounds.settings, discount=1.0))
    half, full = table_of(rounds, plan), table_of(whole, plan)
    assert half.row(1)["transfer_cost"] == full.row(1)["transfer_cost"] == -4.0
    assert half.row(1)["raw_xev"] == pytest.approx(full.row(1)["raw_xev"] / 2)
    assert half.expected == pytest.approx(full.expected)


@KINDS
def test_a_booster_adds_what_it_is_worth_to_the_round(kind: str) -> None:
    """In points alone its term is what the booster is said to bring to this squad in this round."""
    rounds = replace(rounds_of(kind), settings=NOTHING_KEPT)
    squad, number = rounds.frame.start_squad, rounds.rounds[-1]
    strengths = {"k": 0.0, "w": 0.0, "c": 0.0}
    judge = Judge(rounds.views[-1], np.random.default_rng(0), pool_size=20)
    told = booster_values(judge, objective(rounds, "neutral", **strengths), squad, np.random.default_rng(1))
    known = {value.key: value.points for value in told if value.legal and value.points is not None}
    assert known
    for key, points in known.items():
        table = table_of(rounds, held(rounds, chips={number: key}), "neutral", **strengths)
        assert table.row(-1)["booster"] == pytest.approx(points, abs=1e-9), key


def test_a_third_copy_swings_more() -> None:
    rounds = replace(rounds_of("league"), settings=NOTHING_KEPT)
    plan = held(rounds, chips={rounds.rounds[0]: "triple_captain"})
    careful, bold = (table_of(rounds, plan, theta).row(0)["booster"] for theta in ("protect", "gain"))
    assert careful < bold


def test_a_spec_may_speak_of_the_plan() -> None:
    text = """fitness Calm {
      gate feasible
      maximize raw_xev: 1
      penalize plan.hits: 10
      penalize plan.transfers: 1
      reward plan.chips_kept: 0.5
    }"""
    rounds = replace(rounds_of("league"), settings=NOTHING_KEPT)
    calm = text_objective(text, "calm.fitness", rounds.views[0], {})
    number = rounds.rounds[1]
    plan = held(rounds, chips={rounds.rounds[0]: "bench_boost"}, swap={number: a_swap(rounds)})
    table = score_plans(rounds, [plan], calm).table(0)
    left = len(rounds.state.boosters)
    assert table.row(1)["plan.transfers"] == -1.0
    assert table.by_term["plan.hits"] == -10.0 * plan.hits
    assert [table.row(at)["plan.chips_kept"] for at in range(3)] == [0.5 * (left - 1)] * 3


def test_many_plans_are_scored_as_each_alone() -> None:
    rounds = rounds_of("league")
    plans = [
        held(rounds),
        held(rounds, chips={rounds.rounds[0]: "bench_boost"}),
        held(rounds, swap={BLANK: a_swap(rounds)}),
    ]
    asked = objective(rounds)
    together = score_plans(rounds, plans, asked)
    alone = [score_plans(rounds, [plan], asked).fitness[0] for plan in plans]
    np.testing.assert_allclose(together.fitness, alone, atol=1e-9)
    assert together.ranking.tolist() == np.argsort(-np.array(alone)).tolist()


def test_a_man_who_left_keeps_his_place_and_scores_nothing() -> None:
    signals = ahead("league")
    squad = rounds_of("league").state.squad
    gone, position = 999_999, "GK"
    keeper = next(man for man in squad if signals[0].position[signals[0].row_of(man)] == 0)
    kept = tuple(gone if man == keeper else man for man in squad)
    selling = {man: 4.0 if man == gone else float(signals[0].price[signals[0].row_of(man)]) for man in kept}
    state = State(squad=kept, selling=selling, bank=1.0, free=1, left={gone: position})
    rounds = plan_rounds(signals, state, settings=NOTHING_KEPT)
    row = len(signals[0])
    assert len(rounds.signals[1]) == row + 1
    plan = held(rounds)
    assert row in plan.moves[0].squad
    assert table_of(rounds, plan).points > 0
    assert rounds.signals[0].xev[row] == 0.0
    assert plan_problem(rounds, objective(rounds)).values.start[row].max() <= 0.0


@pytest.mark.parametrize(("name", "value"), [("discount", 0.0), ("discount", 1.2), ("held", -0.1)])
def test_settings_that_make_no_sense_are_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match="makes no sense"):
        PlanSettings(**{name: value})  # type: ignore[arg-type]
