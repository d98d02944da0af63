"""Looking back on a decision: luck, field and choice add up to what was gained, and what keeps leading is named."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from data.errors import InputError
from data.ledger.decision import Decision
from data.worlds.library import find_world
from engine.desk import Desk, open_desk, rules_for
from engine.replay.rounds import official_points
from engine.season.look_back import decision_of, look_back, watch_decisions
from tests.cases.league.decisions import a_decision

MADE = datetime(2025, 8, 29, 9, tzinfo=UTC)
ROUND = 3


@pytest.fixture(scope="module")
def desk() -> Desk:
    return open_desk("fpl2025-26", ROUND, seed=1)


@pytest.fixture(scope="module")
def decision(desk: Desk) -> Decision:
    board = desk.pick("protect", generations=1)
    objective = desk.objective("protect")
    return decision_of(board, desk.judge, objective, MADE, world="fpl2025-26", lead=10.0, chance=0.6)


def test_a_board_becomes_a_decision_with_everything_that_was_believed(desk: Desk, decision: Decision) -> None:
    assert (decision.round, decision.objective, decision.chance) == (ROUND, "protect", 0.6)
    assert len(decision.advised.eleven) == 11
    assert decision.alternatives
    assert decision.field_expected == pytest.approx(float(desk.signals.exposure.eo @ desk.signals.xev))
    assert sum(decision.shares.values()) == pytest.approx(1.0)


def test_what_was_gained_is_edge_luck_and_field(decision: Decision) -> None:
    world = find_world("fpl2025-26")
    found = look_back(world, rules_for(world.rulebook), decision)
    points = official_points(world, ROUND, np.array(decision.advised.eleven)).sum()
    leader = official_points(world, ROUND, np.array([decision.advised.captain])).sum()
    assert found.happened >= points + leader  # who does not play is replaced
    assert found.luck == pytest.approx(found.happened - decision.advised.expected)
    average = float(world.tables["rounds"].set_index("round")["average"][ROUND])
    assert found.gained == pytest.approx(found.happened - average)
    assert found.choice is not None
    assert found.took_advice


def test_the_line_up_that_was_taken_counts_and_the_advice_is_its_alternative(decision: Decision) -> None:
    world = find_world("fpl2025-26")
    other = decision.model_copy(update={"taken": decision.alternatives[0]})
    taken = look_back(world, rules_for(world.rulebook), other)
    assert not taken.took_advice
    assert taken.expected == decision.alternatives[0].expected
    best = max(one.expected for one in decision.lineups if one != other.taken)
    assert taken.chosen_for == pytest.approx(taken.expected - best)


def test_a_round_that_is_not_over_cannot_be_looked_back_on(decision: Decision) -> None:
    world = find_world("fpl2025-26")
    with pytest.raises(InputError, match="no official points yet"):
        look_back(world, rules_for(world.rulebook), decision.model_copy(update={"round": 20}))


def test_what_leads_decision_after_decision_is_named() -> None:
    led = {"variance_term": 0.8, "raw_xev": 0.2}
    made = [a_decision(number, shares=led) for number in (1, 2)]
    assert len(watch_decisions(made)) == 1
    assert "2 of 2 decisions" in watch_decisions(made)[0]
    assert watch_decisions(made[:1]) == ()
