"""Proposals are columns: parts of one, and several as one, keep their rows together."""

from __future__ import annotations

import numpy as np

from engine.search.breeding.mending import Mend
from engine.search.breeding.proposal import OPERATOR_NAMES, Proposal


def a_proposal(first: int, repairs: tuple[Mend | None, ...] = ()) -> Proposal:
    rows = np.arange(first, first + 3)
    men = np.repeat(rows[:, None], 15, axis=1)
    return Proposal(men, np.stack([rows, rows], axis=1), rows.astype(np.uint8), rows, men, men, repairs)


def test_joined_proposals_keep_every_row_and_its_repair() -> None:
    mend = Mend((1,), (2,), "the budget")
    both = Proposal.joined([a_proposal(0), a_proposal(3, (None, mend, None))])
    assert both.squads[:, 0].tolist() == [0, 1, 2, 3, 4, 5]
    assert both.repairs == (None, None, None, None, mend, None)
    assert len(both) == 6


def test_a_part_keeps_its_rows_together_and_takes_new_columns() -> None:
    part = a_proposal(0, (None, Mend((1,), (2,), "the budget"), None)).at(np.array([1]), archetype=np.array([9]))
    assert part.squads[:, 0].tolist() == [1]
    assert part.archetype.tolist() == [9]
    assert part.repairs[0] is not None


def test_operators_have_a_name_each() -> None:
    assert len(set(OPERATOR_NAMES)) == len(OPERATOR_NAMES)
