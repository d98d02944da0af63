"""Whatever a manager asks under whatever rules: every squad he is given is legal and meets it, or none exists."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.board.board import Board
from engine.board.picking import pick
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import refuse_impossible
from engine.fitness.standard_form import standard_form
from engine.rules.legality import legal
from engine.rules.repair import repair
from engine.search.breeding.evolution import EvolutionSettings
from engine.search.breeding.mutation import mutate
from engine.search.climbing.limits import Limits
from engine.search.climbing.local_search import improve
from engine.search.population.blocks import tag_blocks
from engine.search.run import PickSettings
from engine.search.seeding.archetypes import SolvedSquads, SquadProblem, ev_maximiser, matchday_mechanic
from tests.cases.wish_cases import Case, a_case, plainly_possible
from tests.conftest import in_a_soak

TINY = EvolutionSettings(children=6, parents=12, generations=2, polished=1)
THETAS = ("protect", "neutral", "gain")
FEW, MANY, CHUNK = range(12), range(12, 2_000), 70
PICKED, PICKED_LONG = range(2), range(2, 204)


def check(case: Case, squads: np.ndarray) -> None:
    """Assert that squads keep the rules and everything the manager asked."""
    view = case.view
    assert legal(squads, view.pool).all()
    assert legal(squads, view.wished).all()
    for squad in squads:
        assert set(case.wanted) <= set(squad.tolist())
        assert not set(case.demands.never) & set(squad.tolist())
    lineups, captain = view.lineups(squads), view.settings.captain
    assert view.settings.formation is None or (lineups.formation == view.settings.formation).all()
    assert captain is None or (lineups.captain == captain).all()


def convinced(case: Case, number: int) -> np.ndarray:
    """Return the squad of a conviction, (1, s)."""
    believe = (ev_maximiser, matchday_mechanic)[number % 2]
    return SquadProblem.of(case.view, believe(case.view), case.demands).solve(20.0)[None, :]


def try_everything(seed: int) -> bool:
    """Seed, repair, mutate and climb for one manager; return whether he can be served at all."""
    case = a_case(seed)
    if not plainly_possible(case):
        for refusal in (lambda: refuse_impossible(case.view, case.demands), lambda: convinced(case, seed)):
            with pytest.raises(InfeasibleError, match="No legal squad: "):
                refusal()
        return False
    refuse_impossible(case.view, case.demands)
    best = convinced(case, seed)
    check(case, best)
    repaired = check_repair(case, best)
    form = standard_form(case.view, named_objective(THETAS[seed % 3], case.view))
    assert form is not None
    climbed = improve(form, repaired[None, :], case.rng, Limits(kicks=1), case.allowed, case.wanted).squads
    check(case, climbed)
    check_mutation(case, np.concatenate([best, climbed]))
    return True


def check_repair(case: Case, best: np.ndarray) -> np.ndarray:
    """Assert that repair serves any squad, changes nothing twice and leaves a legal one alone; return what it made."""
    asked, pool, worth = replace(case.demands, must=case.wanted), case.view.wished, case.view.signals.xev
    found = repair(case.a_squad(), pool, worth, asked)
    check(case, found.squad[None, :])
    assert repair(found.squad, pool, worth, asked).squad is found.squad
    assert repair(best[0], pool, worth, asked).squad.tolist() == best[0].tolist()
    return found.squad


def check_mutation(case: Case, squads: np.ndarray) -> None:
    """Assert that small changes keep everything."""
    view, parents = case.view, np.repeat(squads, 6, axis=0)
    tags = tag_blocks(view.signals, view.field_exposure, view.lineups(parents))
    locked = np.zeros(len(view.signals), dtype=bool)
    locked[list(case.wanted)] = True
    worth = view.signals.xev
    children = mutate(parents, tags, view, case.rng, 0.5, worth=worth, allowed=case.allowed, locked=locked)[0]
    check(case, children)


def test_every_squad_is_legal_and_as_asked_or_none_exists() -> None:
    served = [try_everything(seed) for seed in FEW]
    assert 0.3 < np.mean(served) < 0.9  # both kinds of managers are among them


@pytest.mark.soak
@pytest.mark.parametrize("first", range(MANY.start, MANY.stop, CHUNK))
def test_every_squad_is_legal_and_as_asked_or_none_exists_in_many_games(first: int) -> None:
    served = [try_everything(seed) for seed in range(first, min(first + CHUNK, MANY.stop))]
    assert any(served)


@pytest.mark.parametrize("seed", [*PICKED, *in_a_soak(PICKED_LONG)])
@pytest.mark.soak
def test_every_option_of_a_board_is_legal_and_as_asked(seed: int) -> None:
    case = a_case(seed, easy=True)
    judge = Judge(case.view, np.random.default_rng(seed), pool_size=30)
    objective = named_objective(THETAS[seed % 3], case.view)
    settings = PickSettings(evolution=TINY, demands=case.demands)
    if not plainly_possible(case):
        with pytest.raises(InfeasibleError, match=r"No legal squad: |cannot be captain"):
            list(pick(judge, objective, case.rng, settings, cache=SolvedSquads()))
        return
    *_, board = pick(judge, objective, case.rng, settings, cache=SolvedSquads())
    assert isinstance(board, Board)
    check(case, np.array([sorted(option.rows) for option in board.options]))
