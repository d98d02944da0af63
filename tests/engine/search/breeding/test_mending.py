"""Children that break a rule are repaired at once and written down, or dropped with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.breeding.mending import Dropped, Mend, Mended, Mender
from engine.search.population.blocks import BENCH, BLOCK_NAMES, CORE, ENGINE, SPINE
from tests.cases.judged_worlds import small_judge


def never() -> bool:
    return False


def dear_squad() -> np.ndarray:
    """Return a squad of the dearest men: far above the budget."""
    pool = small_judge().view.pool
    dearest = np.lexsort((-pool.price, pool.position))
    first = np.searchsorted(pool.position[dearest], np.arange(4))
    return np.concatenate([dearest[at : at + count] for at, count in zip(first, pool.shape, strict=True)])


def mended(squad: np.ndarray, tag: int, demands: Demands | None = None) -> Mended:
    view = small_judge().view
    mender = Mender(view.wished, demands or Demands(), view.signals.xev)
    return mender.mend(squad[None, :], np.full((1, len(squad)), tag), never)


def test_a_legal_child_is_left_alone() -> None:
    squad = small_judge().pool[0]
    done = mended(squad, ENGINE)
    assert done.squads.tolist() == [squad.tolist()]
    assert done.repairs == (None,)


def test_a_child_above_the_budget_is_repaired_and_the_log_says_why() -> None:
    squad = dear_squad()
    done = mended(squad, BENCH)
    assert legal(done.squads, small_judge().view.pool).all()
    mend = done.repairs[0]
    assert isinstance(mend, Mend)
    assert mend.reason == "the budget"
    assert set(mend.out) == set(squad.tolist()) - set(done.squads[0].tolist())
    assert set(mend.into) == set(done.squads[0].tolist()) - set(squad.tolist())


@pytest.mark.parametrize("block", [CORE, SPINE])
def test_a_child_whose_value_block_would_break_is_dropped_with_the_reason(block: int) -> None:
    done = mended(dear_squad(), block)
    assert not len(done.squads)
    assert done.dropped == (Dropped(0, f"its {BLOCK_NAMES[block]} would break for the budget"),)


def test_a_man_who_is_ruled_out_breaks_no_block() -> None:
    squad = small_judge().pool[0]
    done = mended(squad, CORE, Demands(never=(int(squad[5]),)))
    assert not done.dropped or "your wishes" in done.dropped[0].reason
    assert not (done.squads == squad[5]).any()


def test_after_a_stop_request_nothing_is_repaired() -> None:
    view = small_judge().view
    squads = np.stack([small_judge().pool[0], dear_squad()])
    mender = Mender(view.wished, Demands(), view.signals.xev)
    done = mender.mend(squads, np.full(squads.shape, BENCH), lambda: True)
    assert done.kept.tolist() == [0]
    assert done.dropped == (Dropped(1, "the search was stopped"),)
