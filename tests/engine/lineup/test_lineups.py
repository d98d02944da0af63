"""The best eleven, bench and armband against a manager who tries every line-up and plays every round out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from data.errors import InputError
from data.rules import CaptaincyMode, GameRules, load_rules
from engine.lineup import lineups as lineup
from engine.lineup.lineups import Lineups, best_lineups
from models.armband.captaincy import best_armbands
from models.armband.table import ArmbandTable
from tests.cases.lineups.armband_cases import GRID
from tests.cases.lineups.drawn_rounds import SEEDS, USUAL, a_round, a_squad, a_sure_squad, a_world, drawn
from tests.cases.lineups.games import a_game, games
from tests.cases.objectives.plain_fitness import above, best_armband, best_line_up, forfeit_of, passed_over


def copied(beliefs: SimpleNamespace, mine: int, twin: int) -> SimpleNamespace:
    """Return the round with one player made equal to another in all but his row."""
    rows, table = np.arange(beliefs.position.size), beliefs.armband
    rows[twin] = mine
    armband = ArmbandTable(pmf=table.pmf[rows], grid=GRID, p_play=table.p_play[rows], slot=table.slot[rows])
    return a_world(beliefs.rules, beliefs.position[rows], armband)


def same(one: Lineups, other: Lineups, *, but: Sequence[str] = ()) -> bool:
    names = [field.name for field in fields(Lineups) if field.name not in but]
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


def plainly(beliefs: SimpleNamespace) -> Any:
    """Return the round as the lists that the plain judge reads."""
    table, columns = beliefs.armband, ("position", "xev", "unavailable")
    return SimpleNamespace(
        rules=beliefs.rules,
        formations=[tuple(counts) for _, *counts in beliefs.rules.squad.lineups],
        play=beliefs.p_play.tolist(),
        slot=table.slot.tolist(),
        above=[above(chances, table.grid.tolist()) for chances in table.pmf.tolist()],
        scores=table.grid.tolist(),
        **{name: getattr(beliefs, name).tolist() for name in columns},
    )


def assert_best_of_all(beliefs: SimpleNamespace, squads: np.ndarray) -> None:
    """Compare the line-up of a squad with every one it might have, valued by a judge who shares no code with it."""
    best, plain = best_lineups(beliefs, squads), plainly(beliefs)
    starters, bench, role = best_line_up(plain, squads[0].tolist())
    uplift, _ = best_armband(plain, starters, forfeit_of(plain, bench, role))
    total = sum(role[row] * plain.xev[row] for row in starters + bench) + uplift - passed_over(plain, starters, bench)
    mine = best.starters[0].tolist(), best.bench[0].tolist()
    assert best.expected[0] - passed_over(plain, *mine) == pytest.approx(total, abs=1e-8)
    assert sum(plain.play[row] for row in mine[0]) == pytest.approx(sum(plain.play[row] for row in starters))


@settings(max_examples=12)
@given(seed=SEEDS, rules=games(most_outfield=12))
def test_the_line_up_equals_trying_every_one_under_any_rulebook(seed: int, rules: GameRules) -> None:
    assert_best_of_all(*drawn(seed, 1, rules, p_play=(1.0, 1.0, 0.6, 0.0)))


@pytest.mark.parametrize("seed", range(3))
def test_the_line_up_equals_trying_every_one_in_the_world_cup(seed: int) -> None:
    assert_best_of_all(*drawn(seed, 1, load_rules("wc2026"), p_play=(1.0, 1.0, 1.0, 0.5)))


def test_a_risky_man_starts_when_a_sure_one_stands_behind_him() -> None:
    rules = a_game(["4-4-2"], shape=(1, 4, 4, 3))
    certain = [3.0] * 9
    best = best_lineups(a_squad(rules, [*certain, 3.0, 2.9, 3.1], [1.0] * 10 + [0.5, 1.0]), [list(range(12))])
    assert best.bench.tolist() == [[9]]
    assert best.raw_xev[0] == pytest.approx(9 * 3 + 3.1 + 2.9 + 0.5 * 3.0)
    assert best.come_in[0].tolist() == [0.5]


def test_a_sure_eleven_is_the_one_with_the_highest_xev() -> None:
    beliefs, squads = drawn(4, 30, USUAL.with_captaincy(CaptaincyMode.LOCKED), p_play=(1.0,))
    best = best_lineups(beliefs, squads)
    for squad, total in zip(squads, best.raw_xev, strict=True):
        by_position = [sorted(beliefs.xev[squad[beliefs.position[squad] == code]])[::-1] for code in range(4)]
        tried = [sum(sum(by_position[code][: counts[code]]) for code in range(4)) for counts in USUAL.squad.lineups]
        assert total == pytest.approx(max(tried), abs=1e-9)
    assert not best.come_in.any()


@given(seed=SEEDS, rules=games())
def test_every_column_fits_the_others(seed: int, rules: GameRules) -> None:
    beliefs, squads = drawn(seed, 20, rules)
    best = best_lineups(beliefs, squads)
    assert np.array_equal(np.sort(np.hstack([best.starters, best.bench]), axis=1), np.sort(squads, axis=1))
    counts = [np.bincount(beliefs.position[eleven], minlength=4).tolist() for eleven in best.starters]
    assert counts == [list(rules.squad.lineups[number]) for number in best.formation]
    keys = [[(beliefs.position[row], -beliefs.xev[row]) for row in eleven] for eleven in best.starters]
    assert keys == [sorted(key) for key in keys]
    assert (best.weight * beliefs.xev[squads]).sum(axis=1) == pytest.approx(best.raw_xev, abs=1e-9)
    for squad, weight, bench, chance in zip(squads, best.weight, best.bench, best.come_in, strict=True):
        by_row = dict(zip(squad.tolist(), weight, strict=True))
        assert [by_row[row] * beliefs.p_play[row] for row in bench.tolist()] == pytest.approx(chance, abs=1e-12)
    assert (best.starters == best.captain[:, None]).any(axis=1).all()
    assert (best.starters == best.vice[:, None]).any(axis=1).all()


@given(seed=SEEDS)
def test_the_order_a_squad_is_written_in_changes_nothing(seed: int) -> None:
    beliefs, squads = drawn(seed, 10)
    order = np.random.default_rng(seed).permutation(squads.shape[1])
    one, other = best_lineups(beliefs, squads), best_lineups(beliefs, squads[:, order])
    assert same(one, other, but=("squads", "weight"))
    assert np.array_equal(one.weight[:, order], other.weight)


@given(seed=SEEDS)
def test_swapping_two_equal_players_changes_no_figure(seed: int) -> None:
    beliefs, squads = drawn(seed, 1)
    mine = squads[0, 0]
    of_position = np.flatnonzero(beliefs.position == beliefs.position[mine])
    twin = of_position[~np.isin(of_position, squads)][0]
    alike = copied(beliefs, mine, twin)
    one, other = (best_lineups(alike, which) for which in (squads, np.where(squads == mine, twin, squads)))
    for name in ("raw_xev", "captaincy_uplift", "forfeit"):
        assert getattr(one, name) == pytest.approx(getattr(other, name), abs=1e-9)


def test_squads_valued_together_or_apart_come_out_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    beliefs, squads = drawn(6, 40)
    together = best_lineups(beliefs, squads)
    monkeypatch.setattr(lineup, "SQUADS_AT_ONCE", 1)
    apart = best_lineups(beliefs, squads)
    for field in fields(Lineups):
        assert getattr(together, field.name) == pytest.approx(getattr(apart, field.name), abs=1e-9)


def test_equal_men_are_ranked_by_their_row() -> None:
    best = best_lineups(a_sure_squad(["4-4-2", "3-5-2"]), [list(range(15))[::-1]])
    assert best.formation.tolist() == [0]
    assert best.starters.tolist() == [[0, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13]]
    assert best.bench.tolist() == [[6, 11, 14, 1]]


def test_men_without_a_match_stay_on_the_bench() -> None:
    xev = [3.0, 0, 4, 4, 4, 4, 0, 5, 5, 5, 5, 0, 6, 6, 0]
    best = best_lineups(a_squad(USUAL, xev, [0.8 if x else 0.0 for x in xev]), [list(range(15))])
    assert sorted(best.bench[0].tolist()) == [1, 6, 11, 14]
    assert best.come_in[0].tolist() == [0, 0, 0, 0]
    assert best.raw_xev[0] == pytest.approx(sum(xev))


def test_a_squad_nobody_of_which_plays_is_worth_nothing() -> None:
    best = best_lineups(a_squad(USUAL, [0.0] * 15, [0.0] * 15), [list(range(15))])
    assert best.raw_xev.tolist() == [0]
    assert best.captaincy_uplift.tolist() == [0]


def test_the_surer_goalkeeper_may_wait_behind_the_riskier_one() -> None:
    beliefs = a_squad(USUAL, [3.0, 2.9, *[4.0] * 13], [1.0, 0.5, *[1.0] * 13])
    best = best_lineups(beliefs, [list(range(15))])
    assert best.starters[0, 0] == 1
    assert (best.bench[0, -1], best.come_in[0, -1]) == (0, 0.5)


def test_without_auto_subs_only_starters_count() -> None:
    beliefs, squads = drawn(7, 20, a_game(autosubs={"enabled": False}))
    best = best_lineups(beliefs, squads)
    assert not best.come_in.any()
    assert best.raw_xev == pytest.approx(beliefs.xev[best.starters].sum(axis=1))
    assert not best.forfeit.any()


@pytest.mark.parametrize("cancels", [True, False])
def test_a_manual_change_forfeits_what_the_bench_brings(cancels: bool) -> None:
    beliefs, squads = drawn(8, 20, a_game(autosubs={"manual_change_cancels_autosubs": cancels}))
    best = best_lineups(beliefs, squads)
    brought = best.raw_xev - beliefs.xev[best.starters].sum(axis=1)
    assert best.forfeit == pytest.approx(brought if cancels else np.zeros(20), abs=1e-9)
    armbands = best_armbands(beliefs.armband, best.starters, "unlimited", best.forfeit)
    assert best.captaincy_uplift == pytest.approx(armbands.value)
    assert np.array_equal(best.captain, armbands.captain)
    assert np.array_equal(best.vice, armbands.vice)


def test_no_squads_give_no_line_ups() -> None:
    beliefs = a_round(np.random.default_rng(15), USUAL)
    assert len(best_lineups(beliefs, np.empty((0, 15), dtype=int))) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda squad: squad[:14], "whole player rows"),
        (lambda squad: [float(row) for row in squad], "whole player rows"),
        (lambda squad: [*squad[:14], 999], "999"),
        (lambda squad: [*squad[:14], squad[0]], "twice"),
        (lambda squad: [*squad[1:], 15], "1 GK, 6 DEF"),
    ],
)
def test_what_is_no_squad_is_refused(change: object, message: str) -> None:
    beliefs = a_round(np.random.default_rng(16), USUAL)
    beliefs.position = np.append(np.repeat(np.arange(4), [2, 5, 5, 3]), np.full(beliefs.position.size - 15, 1))
    with pytest.raises(InputError, match=message):
        best_lineups(beliefs, [change(list(range(15)))])
