"""Eleven, bench and armband are chosen together, and nobody starts whom a manager would not send out."""

from __future__ import annotations

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.lineup.joint import _Case
from engine.lineup.lineups import best_lineups
from tests.cases.lineups.drawn_rounds import a_squad, drawn
from tests.cases.lineups.games import a_game

LOCKED = a_game(["4-4-2"]).with_captaincy(CaptaincyMode.LOCKED)
EVERYBODY = [list(range(15))]
FORWARDS = (12, 13, 14)


def sure(**changed: float) -> tuple[list[float], list[float]]:
    """Return fifteen men who play and bring 4 points; `xev14=6` or `play12=0` make one of them another."""
    xev, play = [4.0] * 15, [1.0] * 15
    for name, value in changed.items():
        column = xev if name.startswith("xev") else play
        column[int(name.removeprefix("xev").removeprefix("play"))] = value
    return xev, play


def test_a_man_who_cannot_play_does_not_keep_the_best_captain_on_the_bench() -> None:
    # By auto-subs alone it is all one: the best man comes in for whoever is absent. But he could not be captain.
    best = best_lineups(a_squad(LOCKED, *sure(xev12=0, play12=0, xev14=6.0)), EVERYBODY)
    assert 12 in best.bench[0]
    assert best.captain.tolist() == [14]
    assert best.expected[0] == pytest.approx(10 * 4 + 6 + 6)


def test_a_goalkeeper_who_hardly_plays_does_not_start_before_one_who_does() -> None:
    rules = a_game(["4-4-2"]).with_captaincy(CaptaincyMode.UNLIMITED)
    best = best_lineups(a_squad(rules, *sure(xev0=0.14, play0=0.04, xev1=4.28)), EVERYBODY)
    assert best.starters[0, 0] == 1


def test_half_a_point_is_what_it_takes_to_start_a_risky_man_before_a_fitter_one() -> None:
    for points, starts in ((0.65, False), (0.75, True)):
        # A man worth 1 takes his place whenever he is absent, so starting him brings 0.2 less than his own points.
        xev, play = sure(xev14=points, play14=0.2, xev12=1.0, xev13=1.0)
        best = best_lineups(a_squad(LOCKED, xev, play), EVERYBODY)
        benched = best_lineups(a_squad(LOCKED, xev, [*play[:14], 0.0]), EVERYBODY)
        assert (14 in best.starters[0]) is starts
        assert bool(best.expected[0] - benched.expected[0] >= 0.5) is starts


def test_whoever_is_unavailable_starts_only_where_every_eleven_has_such_a_man() -> None:
    beliefs = a_squad(LOCKED, *sure(xev14=9.0, xev13=9.0))
    beliefs.unavailable = np.isin(np.arange(15), [13, 14])
    best = best_lineups(beliefs, EVERYBODY)
    assert set(best.starters[0]) & set(FORWARDS) in ({12, 13}, {12, 14})


def test_of_line_ups_that_tie_the_surer_men_start() -> None:
    # The fourth defender and the fifth midfielder bring the same, and nobody comes in for either.
    rules = a_game(["4-4-2", "3-5-2"], autosubs={"enabled": False}).with_captaincy(CaptaincyMode.LOCKED)
    best = best_lineups(a_squad(rules, *sure(xev5=2.0, play5=0.5, xev6=0.0, xev11=2.0)), EVERYBODY)
    assert (5 in best.bench[0], 11 in best.starters[0]) == (True, True)


def test_few_line_ups_are_left_by_the_bound_when_men_are_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    beliefs, squads = drawn(5, 50, p_play=(0.9, 0.95, 1.0))
    counted: list[int] = []
    lineups = _Case.lineups

    def counting(case: _Case, squad: np.ndarray, eleven: np.ndarray) -> object:
        counted.append(len(squad))
        return lineups(case, squad, eleven)

    monkeypatch.setattr(_Case, "lineups", counting)
    best_lineups(beliefs, squads)
    assert sum(counted) < 50 * 20


def test_who_is_out_is_called_after_all_others_of_the_bench() -> None:
    beliefs = a_squad(LOCKED, *sure(play5=0.6, xev5=2.4, play12=0.6, xev12=2.4, play6=0.02, xev6=0.08, xev11=1.0))
    beliefs.unavailable = np.arange(15) == 6
    assert best_lineups(beliefs, EVERYBODY).bench[0].tolist()[2] == 6
