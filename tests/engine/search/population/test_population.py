"""A population only grows, turns away what failed, stores a squad once, and always knows its frontier."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.search.population.candidates import Candidates, candidates
from engine.search.population.population import FIRST_ROOM, Cost, Population

SIZE = 4

Points = list[tuple[int, int]]
"""Score and cost; whole numbers from a small range, so that ties of every kind abound."""

POINTS = st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 6)), max_size=60)
CUTS = st.lists(st.integers(1, 9), min_size=60, max_size=60)


def sorted_sweep(points: Points) -> list[int]:
    """Order by score, cost and arrival; keep whoever costs at most the lowest so far."""
    kept, lowest = [], float("inf")
    for _, cost, index in sorted((-score, cost, index) for index, (score, cost) in enumerate(points)):
        if cost <= lowest:
            kept.append(index)
            lowest = cost
    return kept


def distinct(many: int, start: int = 0) -> np.ndarray:
    """Squads no two of which are alike."""
    return (np.arange(start, start + many)[:, None] * SIZE + np.arange(SIZE)).astype(np.int32)


def ranked(scores: list[float], **columns: object) -> Population:
    """Build a population of distinct squads with these scores."""
    population = Population(SIZE)
    population.add(candidates(distinct(len(scores)), scores, **columns))  # type: ignore[arg-type]
    return population


def in_batches(made: Candidates, sizes: list[int]) -> Population:
    population, start = Population(SIZE), 0
    for size in sizes:
        population.add(made.at(slice(start, start + size)))
        start += size
    return population


# What enters


def test_a_failed_candidate_is_turned_away_and_changes_nothing_but_a_score_of_zero_alone_is_no_failure() -> None:
    population = ranked([3.0])
    verdict = population.add(candidates(distinct(2, start=1), [0.0, np.nan], disqualified=[True, False]))
    assert verdict.eval_failed.tolist() == [True, True]
    assert verdict.admitted.tolist() == verdict.duplicate.tolist() == [False, False]
    assert verdict.row.tolist() == [-1, -1]
    assert (len(population), population.frontier().tolist()) == (1, [0])
    assert (population.rows_of(distinct(2, start=1)) < 0).all()
    assert population.add(candidates(distinct(1, start=1), 0.0)).admitted.all()


def test_the_very_first_enters_whatever_it_is_worth_and_an_empty_batch_is_not_the_first() -> None:
    population = Population(SIZE)
    empty = population.add(candidates(np.empty((0, SIZE), dtype=int), []))
    assert (len(population), empty.row.shape) == (0, (0,))
    verdict = population.add(candidates(distinct(2), [np.nan, 7.0], disqualified=[False, True]))
    assert verdict.admitted.tolist() == [True, False]
    assert verdict.eval_failed.tolist() == [False, True]
    assert (len(population), population.columns.score.tolist()) == (1, [0.0])
    assert population.all().tolist() == [0]


def test_a_disqualified_first_is_never_ranked_even_beside_scores_below_its_zero() -> None:
    population = Population(SIZE)
    population.add(candidates(distinct(1), 0.0, disqualified=True))
    assert population.best() is None
    assert population.query().size == population.query(frontier=True).size == 0
    population.add(candidates(distinct(2, start=1), [-8.0, -5.0]))
    assert population.best() == 2
    assert population.query().tolist() == [2, 1]
    assert population.all().tolist() == [0, 1, 2]
    assert population.columns.disqualified.tolist() == [True, False, False]


def test_the_same_squad_in_any_order_or_twice_in_a_batch_is_stored_once_and_keeps_its_first_parents() -> None:
    population = ranked([1.0, 2.0])
    first = population.add(candidates([[90, 91, 92, 93]], 5.0, parent=[[0, 1]]))
    again = population.add(candidates([[93, 91, 90, 92], [91, 90, 93, 92]], 6.0, parent=[[1, -1]]))
    assert (first.row.tolist(), again.row.tolist()) == ([2], [2, 2])
    assert again.duplicate.tolist() == [True, True]
    assert not again.admitted.any()
    assert (len(population), population.columns.parent[2].tolist()) == (3, [0, 1])
    assert population.columns.score[2] == 5.0
    twice = population.add(candidates([[80, 81, 82, 83], [84, 85, 86, 87], [83, 82, 81, 80]], 1.0))
    assert (twice.row.tolist(), twice.duplicate.tolist()) == ([3, 4, 3], [False, False, True])


def test_rows_of_finds_squads_whatever_their_order_and_type() -> None:
    population = ranked([1.0, 2.0])
    asked = np.array([[7, 6, 5, 4], [7, 6, 5, 3]], dtype=np.int64)
    assert population.rows_of(asked).tolist() == [1, -1]


@given(
    st.lists(st.tuples(st.sets(st.integers(0, 6), min_size=SIZE, max_size=SIZE), st.booleans()), max_size=40),
    st.lists(st.integers(1, 7), min_size=40, max_size=40),
)
def test_each_distinct_valid_squad_is_stored_once_in_order_of_arrival(
    proposals: list[tuple[set[int], bool]], sizes: list[int]
) -> None:
    squads = np.array([sorted(men) for men, _ in proposals], dtype=int).reshape(-1, SIZE)
    population = in_batches(candidates(squads, 1.0, disqualified=[bad for _, bad in proposals]), sizes)
    valid = [tuple(sorted(men)) for place, (men, bad) in enumerate(proposals) if not bad or place == 0]
    assert [tuple(squad) for squad in population.columns.squads.tolist()] == list(dict.fromkeys(valid))


# How it grows


def test_nothing_stored_ever_changes_while_the_room_doubles() -> None:
    population = ranked([1.0, 2.0, 3.0], generation=[4, 5, 6])
    early = population.columns
    many = 3 * FIRST_ROOM
    population.add(candidates(distinct(many, start=3), np.arange(many) / 7))
    late = population.columns
    assert (len(early), len(late), len(population)) == (3, many + 3, many + 3)
    for name, column in early.columns().items():
        assert column.tobytes() == late.columns()[name][:3].tobytes()
    assert (population.rows_of(distinct(many + 3)) == np.arange(many + 3)).all()


def test_two_hundred_thousand_candidates_fit_in_two_hundred_megabytes() -> None:
    many, bar = 20_000, 200e6 / 200_000
    squads = np.arange(many)[:, None] * 15 + np.arange(15)
    tracemalloc.start()
    population = Population(15)
    population.add(candidates(squads, np.arange(many)))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(population.frontier(Cost.CHANGES)) == len(population) == many  # all change nobody: the longest frontier
    assert held / many < bar


def test_the_columns_cannot_be_written_to() -> None:
    population = ranked([1.0])
    with pytest.raises(ValueError, match="read-only"):
        population.columns.score[0] = 9.0
    population.add(candidates(distinct(1, start=1), 2.0))
    assert population.columns.score.tolist() == [1.0, 2.0]


def test_the_same_candidates_give_the_same_bytes_in_any_batches() -> None:
    rng = np.random.default_rng(4)
    made = candidates(rng.integers(0, 9, (300, SIZE)), rng.integers(0, 5, 300), variance=rng.integers(0, 5, 300))
    whole, parts = in_batches(made, [300]), in_batches(made, [1, 99, 50, 150])
    for name, column in whole.columns.columns().items():
        assert column.tobytes() == parts.columns.columns()[name].tobytes()
    assert whole.frontier().tobytes() == parts.frontier().tobytes()


# What it answers


@given(POINTS, CUTS, st.sampled_from(list(Cost)))
def test_the_frontier_of_each_cost_is_the_sorted_sweep_of_all(points: Points, sizes: list[int], cost: Cost) -> None:
    score, costs = [point[0] for point in points], [float(point[1]) for point in points]
    made = candidates(distinct(len(points)), score, **{cost.value: costs})  # type: ignore[arg-type]
    population = in_batches(made, sizes)
    assert population.frontier(cost).tolist() == sorted_sweep(points)
    assert population.best(cost) == (sorted_sweep(points) or [None])[0]


@pytest.mark.parametrize(
    ("points", "kept"),
    [
        ([(5, 3), (5, 3)], [0, 1]),
        ([(5, 3), (5, 4)], [0]),
        ([(5, 4), (5, 3)], [1]),
        ([(5, 3), (4, 3)], [0, 1]),
        ([(4, 3), (5, 3)], [1, 0]),
        ([(5, 3), (4, 4)], [0]),
        ([(5, 3), (4, 2)], [0, 1]),
        ([(4, 4), (5, 3)], [1]),
        ([(-1, 0), (-2, 0), (-1, 0)], [0, 2, 1]),
        ([(3, 0), (9, 0), (3, 0), (7, 0)], [1, 3, 0, 2]),
    ],
    ids=[
        "equal points are all kept",
        "of equal scores the costlier is dropped",
        "and drops out when the cheaper comes later",
        "an equal cost is kept at a lower score",
        "and stands behind the higher score",
        "less for more is dropped",
        "less for less is a trade-off",
        "the better newcomer drops the old one",
        "scores below zero count alike",
        "where all cost the same all are kept by score",
    ],
)
def test_ties_and_dominance_follow_the_sweep(points: Points, kept: list[int]) -> None:
    score, costs = ([float(point[part]) for point in points] for part in (0, 1))
    assert sorted_sweep(points) == kept == ranked(score, variance=costs).frontier().tolist()


@given(st.lists(st.integers(-3, 3), max_size=40), st.integers(1, 50))
def test_a_query_ranks_by_score_and_the_earlier_of_equals_first(scores: list[int], top: int) -> None:
    population = ranked([float(score) for score in scores])
    expected = sorted(range(len(scores)), key=lambda row: scores[row], reverse=True)
    assert population.query().tolist() == expected
    assert population.query(top=top).tolist() == expected[:top]


def test_a_query_of_the_frontier_may_be_cut_and_take_another_cost() -> None:
    population = ranked([9.0, 7.0, 5.0], variance=[3.0, 2.0, 1.0], price=[98.0, 99.0, 97.0])
    assert population.query(frontier=True).tolist() == [0, 1, 2]
    assert population.query(frontier=True, top=2).tolist() == [0, 1]
    assert population.query(frontier=True, cost=Cost.PRICE).tolist() == [0, 2]


def test_the_best_is_the_highest_score_then_the_cheaper_then_the_earlier() -> None:
    assert ranked([9.0, 9.0, 9.0, 1.0], variance=[3.0, 2.0, 2.0, 0.0]).best() == 1
    assert Population(SIZE).best() is None


def test_an_answer_is_the_askers_own() -> None:
    population = ranked([9.0, 7.0], variance=[3.0, 2.0])
    population.frontier()[:] = -1
    assert population.frontier().tolist() == [0, 1]


@pytest.mark.parametrize("top", [0, -3])
def test_asking_for_none_or_fewer_is_refused(top: int) -> None:
    with pytest.raises(InputError, match=f"best {top} were asked for"):
        ranked([1.0]).query(top=top)


# Where candidates come from


def family() -> Population:
    """Two seeds, their child, and the child's own."""
    population = Population(SIZE)
    population.add(candidates([[0, 1, 2, 3], [4, 1, 5, 3]], [60.0, 61.0], archetype=[0, 1], band=[0, 2], captain=3))
    population.add(candidates([[4, 1, 2, 3]], 62.0, parent=[[1, 0]], operator=1, generation=1, archetype=1, captain=2))
    population.add(candidates([[0, 1, 5, 3]], 63.5, variance=350.0, price=97.5, parent=[[2, -1]], generation=2))
    return population


def test_ancestors_follow_the_first_parents_from_the_seed_on() -> None:
    population = family()
    assert population.ancestors(3) == [1, 2]
    assert population.ancestors(0) == []


# What is refused


@pytest.mark.parametrize(
    ("parent", "said"),
    [([[2, -1]], "Row 2 was named as a parent, but only 2"), ([[-2, -1]], "Row -2"), ([[-1, 0]], "second parent")],
)
def test_parents_must_have_come_before_and_the_lone_one_first(parent: list[list[int]], said: str) -> None:
    population = ranked([1.0, 2.0])
    with pytest.raises(InputError, match=said):
        population.add(candidates(distinct(1, start=2), 1.0, parent=parent))
    assert len(population) == 2


def test_squads_of_another_size_are_refused() -> None:
    with pytest.raises(InputError, match="Squads of 3 came to a population of squads of 4"):
        Population(SIZE).add(candidates([[0, 1, 2]], 1.0))


@pytest.mark.parametrize("row", [-1, 4])
def test_a_row_that_is_not_there_is_refused(row: int) -> None:
    with pytest.raises(InputError, match=f"no candidate {row}; rows run from 0 to 3"):
        family().ancestors(row)
