"""Plans are bred legally: whatever is crossed and changed, every child keeps every rule of every round."""

from __future__ import annotations

import numpy as np
import pytest

from data.errors import InputError
from engine.plan.breeding.breeder import NEWCOMER, PlanBreeder, lineage_words
from engine.plan.breeding.intents import Carrier, Intent, intents_of
from engine.plan.breeding.variation import cross
from engine.plan.linear.plans import plan_value
from engine.plan.moves.legality import breaches
from engine.search.population.population import Cost
from tests.cases.plans.gameweek_plans import PlanCase, gameweek_case

ROLL = (Intent(), Intent(), Intent())


@pytest.fixture(scope="module")
def case() -> PlanCase:
    return gameweek_case(horizon=3)


@pytest.fixture(scope="module")
def bred(case: PlanCase) -> PlanBreeder:
    return breed(case, 7)


def breed(case: PlanCase, seed: int) -> PlanBreeder:
    breeder = PlanBreeder(case.problem, np.random.default_rng(seed))
    done = breeder.carrier.carry_out(ROLL)
    assert done is not None
    asked = breeder.seeds([("roll", done.plan)])
    for _ in range(4):
        breeder.tell(asked, np.array([plan_value(case.problem, one.plan) for one in asked]))
        asked = breeder.ask(12)
    return breeder


def test_every_child_is_legal(bred: PlanBreeder, case: PlanCase) -> None:
    assert len(bred.plans) > 30
    for one in bred.plans:
        assert breaches(one.plan, case.state, case.signals) == ()


def test_breeding_improves_on_its_seeds(bred: PlanBreeder) -> None:
    score = bred.population.columns.score
    assert score.max() > score[0]
    assert bred.best()[0] == int(score.argmax())


def test_the_same_seed_breeds_the_same_plans(bred: PlanBreeder, case: PlanCase) -> None:
    np.random.seed(99)
    assert [one.plan.key() for one in breed(case, 7).plans] == [one.plan.key() for one in bred.plans]


def test_no_plan_is_asked_for_twice(bred: PlanBreeder) -> None:
    keys = [one.plan.key() for one in bred.plans]
    assert len(set(keys)) == len(keys)


def test_a_lineage_says_which_rounds_come_from_which_seed(bred: PlanBreeder) -> None:
    titles = ["Gameweek 12", "Gameweek 13", "Gameweek 14"]
    assert lineage_words(bred, 0, titles) == "Gameweek 12 to Gameweek 14: roll"
    assert any(NEWCOMER in one.origin and 0 in one.origin for one in bred.plans)
    genome = bred.genome(bred.best()[0], "a plan")
    assert genome.lineage.startswith("g000000")
    assert genome.fitness == bred.population.columns.score.max()


def test_the_frontier_weighs_score_against_transfers(bred: PlanBreeder) -> None:
    rows = bred.frontier(Cost.CHANGES)
    transfers = [bred.plans[row].plan.transfers for row in rows]
    assert transfers == sorted(transfers, reverse=True)
    assert rows[0] == bred.best()[0]


def test_intentions_of_a_plan_carried_out_give_the_plan(bred: PlanBreeder) -> None:
    for one in bred.plans[:20]:
        again = bred.carrier.carry_out(intents_of(one.plan))
        assert again is not None
        assert again.plan.key() == one.plan.key()
        assert again.repairs == ()


def test_a_child_has_the_first_rounds_of_one_parent(case: PlanCase) -> None:
    first, second = ROLL, tuple(Intent(((1, 2),)) for _ in ROLL)
    children = [cross(first, second, case.problem.frame.position, np.random.default_rng(seed)) for seed in range(30)]
    cut = [one for one in children if one.how == "crossover: first rounds"]
    assert cut
    for one in cut:
        given = one.giver.index(1)
        assert one.intents == first[:given] + second[given:]


def test_too_many_transfers_are_repaired(case: PlanCase) -> None:
    carrier, frame = Carrier.of(case.problem), case.problem.frame
    own = frame.start_squad.tolist()
    dear = [row for row in np.argsort(-frame.price).tolist() if not frame.owned[row]]
    swaps = []
    for out in own:
        into = next(row for row in dear if frame.position[row] == frame.position[out])
        dear.remove(into)
        swaps.append((out, into))
    done = carrier.carry_out((Intent(tuple(swaps)), Intent(), Intent()))
    assert done is not None
    assert done.repairs[0].round == frame.rounds[0]
    assert done.plan.moves[0].transfers <= 5  # two free, three hits at most
    assert breaches(done.plan, case.state, case.signals) == ()


def test_nothing_is_bred_before_anything_was_told(case: PlanCase) -> None:
    with pytest.raises(InputError, match="Tell the seeds"):
        PlanBreeder(case.problem, np.random.default_rng(0)).ask(1)
