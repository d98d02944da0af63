"""A board's options are genuinely different, or the governor says in which way they are not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError
from engine.fitness.explanation import Band, Yardstick
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView
from engine.search.breeding.diversity import (
    LEAST_DIFFERENT,
    MOST_OPTIONS,
    MOST_OVERLAP,
    mean_overlap,
    measure_diversity,
    pick_diverse,
)

OBJECTIVES = ("protect", "neutral", "gain")


@pytest.fixture(scope="module", params=OBJECTIVES)
def scored(judge: Judge, request: pytest.FixtureRequest) -> ScoredSquads:
    return judge.score(judge.pool, named_objective(request.param, judge.view))


def some_of(scored: ScoredSquads, rows: np.ndarray) -> ScoredSquads:
    """Return the scores of some rows only."""
    lineups = replace(
        scored.lineups, **{name: getattr(scored.lineups, name)[rows] for name in scored.lineups.__dataclass_fields__}
    )
    return replace(
        scored,
        squads=scored.squads[rows],
        fitness=scored.fitness[rows],
        terms={name: values[rows] for name, values in scored.terms.items()},
        disqualified=scored.disqualified[rows],
        figures={name: values[rows] for name, values in scored.figures.items()},
        lineups=lineups,
    )


def shared(one: np.ndarray, other: np.ndarray) -> int:
    return len(set(one.tolist()) & set(other.tolist()))


def test_options_differ_and_the_best_comes_first(view: SquadView, scored: ScoredSquads) -> None:
    rows = pick_diverse(scored, scored, Yardstick.of(scored), view)
    assert len(rows) == MOST_OPTIONS
    assert rows[0] == scored.ranking[0]
    assert (np.diff(scored.fitness[rows]) <= 0).all()
    for place, row in enumerate(rows):
        for other in rows[:place]:
            assert shared(scored.squads[row], scored.squads[other]) <= 15 - LEAST_DIFFERENT


def test_four_options_of_a_wide_pool_meet_all_floors(view: SquadView, scored: ScoredSquads) -> None:
    rows = pick_diverse(scored, scored, Yardstick.of(scored), view)
    bands = Yardstick.of(scored).bands(scored.figures["variance"])[rows]
    assert mean_overlap(scored.squads[rows]) < MOST_OVERLAP
    assert len(np.unique(scored.lineups.captain[rows])) >= 2
    assert {0, len(Band) - 1} <= set(bands.tolist())
    found = measure_diversity(some_of(scored, rows), scored, Yardstick.of(scored), view)
    assert found.met
    assert found.missing == ()
    assert found.flag == ""


def test_the_mean_overlap_is_that_of_all_pairs(scored: ScoredSquads) -> None:
    rows = scored.ranking[:12]
    pairs = [shared(scored.squads[a], scored.squads[b]) for n, a in enumerate(rows) for b in rows[:n]]
    assert mean_overlap(scored.squads[rows]) == pytest.approx(np.mean(pairs) / 15)
    assert mean_overlap(scored.squads[rows[:1]]) == 1.0


def test_a_single_squad_meets_no_floor_of_variety(view: SquadView, scored: ScoredSquads) -> None:
    found = measure_diversity(some_of(scored, scored.ranking[:1]), scored, Yardstick.of(scored), view)
    assert not found.met
    assert "all have the same captain" in found.missing
    assert found.flag.startswith("The options are close: they share 100% of their men")


def test_one_leaning_cannot_be_both(view: SquadView, scored: ScoredSquads) -> None:
    for row in scored.ranking[:50]:
        alone = measure_diversity(some_of(scored, np.array([row])), scored, Yardstick.of(scored), view)
        assert {"none leans to cover", "none leans to differentials"} & set(alone.missing)


def test_twins_are_no_options(view: SquadView, scored: ScoredSquads) -> None:
    twins = some_of(scored, np.repeat(scored.ranking[:1], 5))
    rows = pick_diverse(twins, twins, Yardstick.of(scored), view)
    assert rows.tolist() == [0]
    assert not measure_diversity(some_of(twins, rows), twins, Yardstick.of(scored), view).met


def test_a_disqualified_squad_is_never_an_option(view: SquadView, scored: ScoredSquads) -> None:
    banned = replace(scored, disqualified=np.isin(np.arange(len(scored)), scored.ranking[:20]))
    rows = pick_diverse(banned, banned, Yardstick.of(scored), view)
    assert rows[0] == scored.ranking[20]
    assert not banned.disqualified[rows].any()


def test_picking_among_none_is_refused(view: SquadView, scored: ScoredSquads) -> None:
    nobody = replace(scored, disqualified=np.ones(len(scored), dtype=bool))
    with pytest.raises(InputError, match="no option to pick"):
        pick_diverse(nobody, nobody, Yardstick.of(scored), view)
