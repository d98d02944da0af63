"""What a player costs: two best squads that differ by having him, and a sentence that says so."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InfeasibleError, InputError
from engine.board.why import Why, why
from engine.fitness.judge import Judge, named_objective
from engine.rules.conflicts import Demands
from engine.search.quick import quick_best
from tests.cases.judged_worlds import a_judge, cup_signals, world_cup_signals


@pytest.fixture(scope="module")
def judge() -> Judge:
    return a_judge(cup_signals())


@pytest.fixture(scope="module")
def best(judge: Judge) -> np.ndarray:
    return quick_best(judge, named_objective("gain", judge.view), np.random.default_rng(0))


def asked(judge: Judge, row: int, demands: Demands | None = None, theta: str = "gain", base: object = None) -> Why:
    objective = named_objective(theta, judge.view)
    return why(judge, objective, row, np.random.default_rng(0), demands=demands or Demands(), base=base)  # type: ignore[arg-type]


def outsiders(judge: Judge, best: np.ndarray) -> list[int]:
    xev = judge.view.signals.xev
    return [int(row) for row in np.argsort(xev) if row not in best]


def test_an_outsider_is_forced_in_and_costs_what_the_terms_say(judge: Judge, best: np.ndarray) -> None:
    row = outsiders(judge, best)[0]
    answer = asked(judge, row)
    assert not answer.included
    assert row in answer.other.rows
    assert row not in answer.best.rows
    assert answer.cost > 0
    assert sum(answer.terms.values()) == pytest.approx(-answer.cost, abs=1e-9)
    assert set(answer.terms) == set(answer.best.decomposition.terms)
    assert answer.sentence.startswith(f"{answer.man.short} costs {answer.cost:.1f}: ")
    assert "room" in answer.sentence


@pytest.mark.soak
def test_who_is_in_the_best_squad_already_is_left_out_instead(judge: Judge, best: np.ndarray) -> None:
    row = int(best[np.argmax(judge.view.signals.xev[best])])
    answer = asked(judge, row)
    assert answer.included
    assert row in answer.best.rows
    assert row not in answer.other.rows
    assert answer.cost >= 0
    assert "is in the best squad already. Leaving him out costs" in answer.sentence
    assert asked(judge, row, Demands(must=(row,))).included


def test_nobody_is_worth_a_negative_cost_and_swaps_lead_from_one_squad_to_the_other(
    judge: Judge, best: np.ndarray
) -> None:
    for row in outsiders(judge, best)[-3:]:
        answer = asked(judge, row, theta="protect")
        assert answer.cost >= 0
        out, into = {swap.first.row for swap in answer.swaps}, {swap.second.row for swap in answer.swaps}
        assert set(answer.best.rows) - out | into == set(answer.other.rows)


def test_other_demands_hold_on_both_sides(judge: Judge, best: np.ndarray) -> None:
    row, locked = outsiders(judge, best)[0], outsiders(judge, best)[-1]
    answer = asked(judge, row, Demands(must=(locked,), never=(int(best[2]),)))
    for option in (answer.best, answer.other):
        assert locked in option.rows
        assert int(best[2]) not in option.rows


@pytest.mark.soak
def test_a_known_squad_is_never_forgotten(judge: Judge, best: np.ndarray) -> None:
    answer = asked(judge, outsiders(judge, best)[0], base=best.tolist())
    known = float(judge.score(best[None, :], named_objective("gain", judge.view)).fitness[0])
    assert answer.best.decomposition.fitness >= known - 1e-9


def test_a_man_who_is_ruled_out_or_does_not_fit_is_an_error_that_names_him(judge: Judge, best: np.ndarray) -> None:
    signals = judge.view.signals
    row = outsiders(judge, best)[0]
    with pytest.raises(InputError, match=f"{signals.name[row]} is ruled out"):
        asked(judge, row, Demands(never=(row,)))
    keepers = np.flatnonzero(signals.position == 0)[:3].tolist()
    with pytest.raises(InfeasibleError, match=str(signals.name[keepers[2]])):
        asked(judge, keepers[2], Demands(must=tuple(keepers[:2])))


@pytest.mark.soak
def test_the_same_seed_gives_the_same_answer(judge: Judge, best: np.ndarray) -> None:
    row = outsiders(judge, best)[1]
    first = asked(judge, row)
    np.random.seed(99)
    assert asked(judge, row).sentence == first.sentence


def test_a_man_who_cannot_play_is_said_to_be_out_with_what_he_costs() -> None:
    judge = a_judge(world_cup_signals(8))
    out = int(np.flatnonzero(judge.view.signals.status == "eliminated")[0])
    answer = asked(judge, out, judge.view.available(Demands()))
    assert answer.sentence.startswith(f"{answer.man.short} cannot be counted on this round (his team is out). ")
    assert out in answer.other.rows
