"""Children that break a rule are repaired at once and written down, or dropped with the reason."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.search.breeding.mending import MOST_SOLVED, Dropped, Mend, Mended, Mender
from engine.search.population.blocks import BENCH, BLOCK_NAMES, CORE, ENGINE, SPINE
from tests.cases.judged_worlds import NO_DEMANDS, small_judge
from tests.cases.objectives.form_cases import top_squad


def never() -> bool:
    return False


def dear_squad() -> np.ndarray:
    """Return a squad of the dearest men: far above the budget."""
    return top_squad(small_judge().view.pool, small_judge().view.pool.price)


def a_mender(demands: Demands = NO_DEMANDS) -> Mender:
    return Mender(small_judge().view.wished, demands, small_judge().view.signals.xev)


def mended(squad: np.ndarray, tag: int, demands: Demands = NO_DEMANDS) -> Mended:
    return a_mender(demands).mend(squad[None, :], np.full((1, len(squad)), tag), never)


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
    squads = np.stack([small_judge().pool[0], dear_squad()])
    done = a_mender().mend(squads, np.full(squads.shape, BENCH), lambda: True)
    assert done.kept.tolist() == [0]
    assert done.dropped == (Dropped(1, "the search was stopped"),)


def children_that_greed_drops(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return squads of good men with a spine and a core that greed breaks for the budget, and their blocks."""
    pool, rng = small_judge().view.pool, np.random.default_rng(0)
    places = [np.flatnonzero(pool.position == place) for place in range(4)]
    best = [men[np.argsort(-pool.price[men], kind="stable")[:8]] for men in places]
    greed, found = a_mender(), []
    while len(found) < count:
        squad = np.concatenate([rng.choice(men, n, replace=False) for men, n in zip(best, pool.shape, strict=True)])
        tags = np.full(len(squad), ENGINE)
        tags[rng.permutation(len(squad))[:6]] = rng.choice([CORE, SPINE])
        wrong = not legal(squad[None, :], pool)[0]
        if wrong and greed._has_hope(squad, tags) and isinstance(greed._fix(squad[None, :].copy(), 0, tags), Dropped):
            found.append((squad, tags))
    return np.stack([squad for squad, _ in found]), np.stack([tags for _, tags in found])


def test_where_greed_would_break_a_value_block_the_solver_keeps_it_whole_for_a_few_children() -> None:
    squads, tags = children_that_greed_drops(MOST_SOLVED + 2)
    done = a_mender().mend(squads, tags, never)
    assert 0 < len(done.kept) <= MOST_SOLVED
    assert legal(done.squads, small_judge().view.wished).all()
    assert all(mend is not None and mend.solved for mend in done.repairs)
    for child, squad in zip(done.kept, done.squads, strict=True):
        assert np.isin(squads[child][np.isin(tags[child], [CORE, SPINE])], squad).all()
    assert len(done.dropped) == len(squads) - len(done.kept)


def test_the_solver_is_not_asked_where_a_block_itself_breaks_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mender, "_solve", None)
    pool = small_judge().view.wished
    mates = np.argsort(pool.team, kind="stable")[: pool.size]
    done = mended(mates, SPINE)
    assert "its clean-sheet spine would break" in done.dropped[0].reason
