"""Every squad one swap away, and only legal ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.legality import legal
from engine.rules.neighbours import neighbours
from tests.cases.objectives.form_cases import a_form, all_squads


@given(st.integers(0, 10_000))
def test_the_neighbours_are_all_legal_squads_that_differ_by_one_man(seed: int) -> None:
    pool = a_form(seed).pool
    squads = all_squads(pool)
    if not len(squads):
        return
    squad = squads[0]
    near = neighbours(squad, pool, np.arange(len(pool.price)))
    assert legal(near.squads, pool).all()
    shared = [len(np.intersect1d(other, squad)) for other in squads]
    expected = {
        frozenset(other.tolist()) for other, count in zip(squads, shared, strict=True) if count == pool.size - 1
    }
    assert {frozenset(other.tolist()) for other in near.squads} == expected
    for other, out, into in zip(near.squads, near.out, near.into, strict=True):
        assert set(squad.tolist()) - set(other.tolist()) == {out}
        assert set(other.tolist()) - set(squad.tolist()) == {into}


def test_who_stays_never_leaves_and_only_the_men_named_come_in() -> None:
    pool = a_form(3).pool
    squad = all_squads(pool)[0]
    men = np.setdiff1d(np.arange(len(pool.price)), squad)[:4]
    near = neighbours(squad, pool, men, stay=(int(squad[0]), int(squad[1])))
    assert not set(near.out.tolist()) & set(squad[:2].tolist())
    assert set(near.into.tolist()) <= set(men.tolist())
