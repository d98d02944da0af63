"""A search begins with convictions; a memory tilts them and silences none; a stop leaves something to begin with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from engine.rules.legality import legal
from engine.search.breeding.proposal import OPERATOR_NAMES, POLISHED
from engine.search.seeding.archetypes import ARCHETYPE_NAMES, SolvedSquads
from engine.search.seeding.memory import NullMemory
from engine.search.seeding.seeds import SEED_NAMES, first_children, gathered, latecomer, liking, solved
from tests.cases.judged_worlds import SOLVED, an_evolution, small_judge


@dataclass(frozen=True)
class Fond:
    """A memory that likes one archetype twice and the others half."""

    favourite: int

    def tilt(self, objective: str, archetypes: Sequence[str]) -> np.ndarray:
        """Return 2 for the favourite and ½ for the others."""
        return np.where(np.arange(len(archetypes)) == self.favourite, 2.0, 0.5)

    def learned(self, objective: str, occasion: str, archetypes: Sequence[str], wins: np.ndarray) -> Fond:
        """Return itself."""
        return self


def test_seeds_are_the_archetypes_each_under_its_name() -> None:
    evolution = an_evolution()
    seeds = gathered(evolution, small_judge().pool[-1], solved(evolution, SOLVED))
    assert [SEED_NAMES[code] for code in seeds.archetype] == list(ARCHETYPE_NAMES)
    assert legal(seeds.squads, small_judge().view.pool).all()


def test_a_stop_before_any_archetype_still_leaves_legal_squads() -> None:
    evolution, quick = an_evolution(), small_judge().pool[-1]
    evolution.stop = lambda: True
    seeds = gathered(evolution, quick, solved(evolution, SolvedSquads()))
    assert (seeds.squads == quick).all(axis=1).any()
    assert legal(seeds.squads, small_judge().view.pool).all()
    assert len(np.unique(seeds.squads, axis=0)) >= 2


def test_a_solver_that_finds_no_archetype_still_leaves_legal_squads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.search.seeding.archetypes.SECONDS", 1e-9)
    evolution, quick = an_evolution(), small_judge().pool[-1]
    archetypes = solved(evolution, SolvedSquads())
    seeds = gathered(evolution, quick, archetypes)
    assert len(archetypes) < len(ARCHETYPE_NAMES)
    assert (seeds.squads == quick).all(axis=1).any()
    assert legal(seeds.squads, small_judge().view.pool).all()


def test_nobody_is_favoured_without_a_memory() -> None:
    assert (liking(NullMemory(), "protect") == 1).all()


def test_a_memory_tilts_how_many_copies_are_made_and_silences_nobody() -> None:
    evolution = an_evolution()
    evolution.tilt = liking(Fond(2), "protect")
    children = first_children(evolution)
    copies = children.archetype[children.operator != OPERATOR_NAMES.index(POLISHED)]
    counts = np.bincount(copies, minlength=len(ARCHETYPE_NAMES))
    alive = np.unique(evolution.population.columns.archetype)
    assert counts[2] == 4
    assert (counts[np.setdiff1d(alive, [2])] == 1).all()


def test_the_first_children_are_made_of_seeds_and_say_how() -> None:
    evolution = an_evolution()
    children = first_children(evolution)
    assert (children.parent[:, 0] >= 0).all()
    assert OPERATOR_NAMES.index(POLISHED) in set(children.operator.tolist())
    assert legal(children.squads, small_judge().view.wished).all()


def test_a_latecomer_keeps_the_descent_of_what_was_bred_before() -> None:
    evolution = an_evolution()
    known = evolution.population.columns.squads[0]
    late = latecomer(evolution, known)
    evolution.tell(late, small_judge().score(late.squads, evolution.objective))
    assert SEED_NAMES[int(evolution.population.columns.archetype[0])] == ARCHETYPE_NAMES[0]
