"""Who comes in from the bench, and how likely: every chance against playing the round out by hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError
from data.rules import GameRules, load_rules
from engine.lineup import autosubs
from engine.lineup.autosubs import BenchTable, absent_by_subset, bench_tables, keepers_needed
from tests.cases.lineups.games import a_game, games

CHANCES = st.sampled_from([0.0, 0.25, 0.6, 0.9, 1.0])


def outcomes(chances: Sequence[float]) -> Iterator[tuple[float, tuple[bool, ...]]]:
    """Yield every way men may play or not, with its probability."""
    if not chances:
        yield 1.0, ()
        return
    for probability, later in outcomes(chances[1:]):
        if chances[0] > 0:
            yield probability * chances[0], (True, *later)
        if chances[0] < 1:
            yield probability * (1 - chances[0]), (False, *later)


def comers(
    rules: GameRules, eleven: Sequence[int], plays: Sequence[bool], bench: Sequence[int], bench_plays: Sequence[bool]
) -> list[bool]:
    """Play the end of a round out: positions of the outfield starters in line-up order, of the bench as called."""
    on_pitch, to_replace = list(eleven), [not here for here in plays]
    came = [False] * len(bench)
    for place, position in enumerate(bench):
        for spot in range(len(on_pitch)):
            if bench_plays[place] and to_replace[spot] and not came[place]:
                swapped = [*on_pitch[:spot], position, *on_pitch[spot + 1 :]]
                formation = f"{swapped.count(1)}-{swapped.count(2)}-{swapped.count(3)}"
                if not rules.autosubs.keeps_formation or formation in rules.squad.formations:
                    on_pitch, to_replace[spot], came[place] = swapped, False, True
    return came


def chances_by_hand(
    rules: GameRules, eleven: Sequence[int], play: Sequence[float], bench: Sequence[int], bench_play: Sequence[float]
) -> list[float]:
    """Return P(comes in | he plays) of each man of the bench, as called."""
    chances = []
    for man in range(len(bench)):
        given_he_plays = [1.0 if place == man else p for place, p in enumerate(bench_play)]
        chances.append(
            sum(
                probability * comers(rules, eleven, way[: len(eleven)], bench, way[len(eleven) :])[man]
                for probability, way in outcomes([*play, *given_he_plays])
            )
        )
    return chances


def eleven_of(table: BenchTable) -> list[int]:
    return [code for code in (1, 2, 3) for _ in range(table.lineup[code])]


def absences(play: np.ndarray, most: int) -> np.ndarray:
    """Return how many of all the men (n,) do not play."""
    return absent_by_subset(play[:, None], most)[-1, :, 0]


def needed(table: BenchTable, play: Sequence[float], order: Sequence[int], bench_play: Sequence[float]) -> list[float]:
    """Return what the table says of one eleven; `bench_play` is by place, the answer as called."""
    chance, eleven = np.array(play, dtype=float), np.array(eleven_of(table))
    sides = [absences(chance[eleven == code], len(table.bench)) for code in (1, 2, 3)]
    called = tuple(table.column)
    cells = np.einsum("d,m,f->dmf", *sides).reshape(1, -1)
    reached = dict(zip(called, (cells @ table.comes_in(called)).T, strict=True))
    rows = autosubs.needed(reached, np.array(bench_play, dtype=float)[:, None])
    return [float(rows[tuple(order[: turn + 1])][0]) for turn in range(len(order))]


@settings(max_examples=40)
@given(data=st.data(), rules=games())
def test_chances_equal_playing_every_round_out(data: st.DataObject, rules: GameRules) -> None:
    table = data.draw(st.sampled_from(bench_tables(rules)))
    order = data.draw(st.permutations(range(len(table.bench))))
    surest = st.sampled_from([1.0, 1.0, 0.7, 0.0])
    play = data.draw(st.lists(surest, min_size=10, max_size=10))
    bench_play = data.draw(st.lists(CHANCES, min_size=len(order), max_size=len(order)))
    called, called_play = [table.bench[man] for man in order], [bench_play[man] for man in order]
    expected = chances_by_hand(rules, eleven_of(table), play, called, called_play)
    assert needed(table, play, order, bench_play) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("number", range(7))
def test_ten_doubtful_starters_equal_playing_every_round_out(number: int) -> None:
    rules = load_rules("wc2026")
    table = bench_tables(rules)[number]
    rng = np.random.default_rng(number)
    play, bench_play = rng.uniform(0.2, 1, 10).tolist(), rng.uniform(0.2, 1, 3).tolist()
    order = rng.permutation(3).tolist()
    called, called_play = [table.bench[man] for man in order], [bench_play[man] for man in order]
    expected = chances_by_hand(rules, eleven_of(table), play, called, called_play)
    assert needed(table, play, order, bench_play) == pytest.approx(expected, abs=1e-12)


def certain(
    table: BenchTable, order: Sequence[int], absent: Sequence[int], bench_play: Sequence[float] = (1, 1, 1)
) -> list[float]:
    """Return who comes in, as called, when exactly the starters in these spots are absent."""
    play = [0.0 if spot in absent else 1.0 for spot in range(10)]
    return [chance * bench_play[man] for man, chance in zip(order, needed(table, play, order, bench_play), strict=True)]


def test_nobody_comes_in_when_everybody_plays() -> None:
    table = bench_tables(a_game())[0]
    assert certain(table, (0, 1, 2), absent=()) == [0, 0, 0]


def test_the_first_on_the_bench_who_played_comes_in() -> None:
    table = bench_tables(a_game())[0]
    assert certain(table, (2, 0, 1), absent=(5,), bench_play=(1, 1, 0)) == [0, 1, 0]


def test_a_back_three_lets_only_a_defender_in() -> None:
    table = bench_tables(a_game(["3-4-3", "4-4-2"]))[0]
    assert table.bench == (1, 1, 2)
    assert certain(table, (2, 0, 1), absent=(0,)) == [0, 1, 0]


def test_without_the_formation_rule_anybody_replaces_anybody() -> None:
    table = bench_tables(a_game(["3-4-3", "4-4-2"], autosubs={"keeps_formation": False}))[0]
    assert certain(table, (2, 0, 1), absent=(0,)) == [1, 0, 0]


def test_a_man_who_could_not_come_in_is_not_called_again() -> None:
    # Two of five defenders are absent. 4-4-2 is not allowed, so the midfielder may come in only after the forward.
    table = bench_tables(a_game(["5-3-2", "4-3-3", "3-4-3"], shape=(2, 5, 4, 3)))[0]
    assert table.bench == (2, 3)
    assert certain(table, (1, 0), absent=(0, 1), bench_play=(1, 1)) == [1, 1]
    assert certain(table, (0, 1), absent=(0, 1), bench_play=(1, 1)) == [0, 1]


def test_the_first_absent_starter_of_the_line_up_is_replaced() -> None:
    # The midfielder replaces the defender, which makes 3-5-2; for another midfielder the forward would make 3-4-3.
    # Had he replaced a midfielder, the forward could have come in for the other one, as 4-3-3.
    table = bench_tables(a_game(["4-4-2", "3-5-2", "4-3-3"], shape=(2, 4, 5, 3)))[0]
    assert table.bench == (2, 3)
    assert certain(table, (0, 1), absent=(0, 4, 5), bench_play=(1, 1)) == [1, 0]
    assert certain(table, (0, 1), absent=(4, 5), bench_play=(1, 1)) == [1, 1]


def test_switched_off_auto_subs_let_nobody_in() -> None:
    for table in bench_tables(a_game(autosubs={"enabled": False})):
        for order in permutations(range(3)):
            assert certain(table, order, absent=range(10)) == [0, 0, 0]


@given(play=st.lists(CHANCES, min_size=1, max_size=6), most=st.integers(0, 6))
def test_absences_count_the_men_who_do_not_play(play: list[float], most: int) -> None:
    expected = np.zeros(most + 1)
    for probability, way in outcomes(play):
        expected[min(way.count(False), most)] += probability
    assert absences(np.array(play), most) == pytest.approx(expected, abs=1e-12)


def test_every_subset_of_men_has_its_own_absences() -> None:
    play, most = np.array([[0.9], [0.5], [0.2]]), 2
    found = absent_by_subset(play, most)
    for subset in range(8):
        men = [man for man in range(3) if subset >> man & 1]
        assert found[subset, :, 0] == pytest.approx(absences(play[men, 0], most), abs=1e-12)


def test_a_goalkeeper_comes_in_when_all_before_him_are_absent() -> None:
    play = np.array([0.8, 0.5, 0.9])
    assert keepers_needed(play, enabled=True) == pytest.approx([1, 0.2, 0.1])
    assert keepers_needed(play, enabled=False) == pytest.approx([1, 0, 0])


@given(rules=games(), data=st.data())
def test_no_more_men_come_in_than_are_absent(rules: GameRules, data: st.DataObject) -> None:
    table = data.draw(st.sampled_from(bench_tables(rules)))
    size = len(table.bench)
    play = data.draw(st.lists(CHANCES, min_size=10, max_size=10))
    bench_play = data.draw(st.lists(CHANCES, min_size=size, max_size=size))
    chances = needed(table, play, range(size), bench_play)
    assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in chances)
    came = sum(chance * here for chance, here in zip(chances, bench_play, strict=True))
    assert came <= min(10 - sum(play), sum(bench_play)) + 1e-9


def test_a_bench_too_long_to_try_is_refused() -> None:
    with pytest.raises(InputError, match="7 outfield men"):
        bench_tables(a_game(["4-4-2"], shape=(2, 7, 7, 3)))
    with pytest.raises(InputError, match="7 GK"):
        bench_tables(a_game(["4-4-2"], shape=(8, 5, 5, 3)))


def test_a_squad_without_a_bench_has_empty_tables() -> None:
    (table,) = bench_tables(a_game(["4-4-2"], shape=(1, 4, 4, 2)))
    assert table.bench == ()
    assert needed(table, [0.5] * 10, (), []) == []
