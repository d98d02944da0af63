"""Points of line-ups in simulated rounds, against playing every round out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from data.rules import GameRules
from engine.rank.scores import Entries, all_scores, follow, score_entries
from models.armband.ladder import Ladder, Rung
from models.together.deal import Deal
from tests.cases.lineups.games import a_game, games

SIMULATIONS = 12


def a_deal(points: np.ndarray, played: np.ndarray) -> Deal:
    """Simulated rounds (n, players) with no more to them than points and who played."""
    clean = np.where(played, points, 0).astype(np.int16)
    return Deal(clean, played.copy(), played.copy(), np.zeros((len(points), 1, 2), dtype=np.int8))


def positions(rules: GameRules) -> np.ndarray:
    """Players of exactly one squad, by position."""
    return np.repeat(np.arange(4), list(rules.squad.shape.values()))


def an_entry(rules: GameRules, rng: np.random.Generator, vice: bool = True) -> Entries:
    """One line-up of the only squad there is: a formation, a bench order and an armband at random."""
    position = positions(rules)
    lineup = rules.squad.lineups[rng.integers(len(rules.squad.lineups))]
    men = [rng.permutation(np.flatnonzero(position == place)) for place in range(4)]
    starters = np.concatenate([rows[:count] for rows, count in zip(men, lineup, strict=True)])
    waiting = rng.permutation(np.concatenate([men[place][lineup[place] :] for place in (1, 2, 3)]))
    bench = np.concatenate([waiting, men[0][1:]]).astype(np.int64)
    captain, deputy = rng.choice(starters, 2, replace=False)
    return Entries(starters[None], bench[None], np.array([captain]), np.array([deputy if vice else -1]))


def by_hand(entry: Entries, rules: GameRules, points: np.ndarray, played: np.ndarray) -> int:
    """Play one round out as the rule is printed: call the bench in order, replace the first starter one may."""
    position, subs = positions(rules), rules.autosubs
    allowed = {lineup[1:] for lineup in rules.squad.lineups}
    eleven = sorted(entry.starters[0].tolist(), key=lambda man: position[man])
    fixed: set[int] = set()
    for man in entry.bench[0].tolist() if subs.enabled else []:
        for out in eleven:
            if not played[man] or played[out] or out in fixed or (position[man] == 0) != (position[out] == 0):
                continue
            after = [man if starter == out else starter for starter in eleven]
            counts = tuple(int((position[after] == place).sum()) for place in (1, 2, 3))
            if position[man] == 0 or counts in allowed or not subs.keeps_formation:
                eleven = sorted(after, key=lambda man: position[man])
                fixed.add(man)
                break
    captain, vice = int(entry.captain[0]), int(entry.vice[0])
    worn = points[captain] if played[captain] else points[vice] if vice >= 0 and rules.captaincy.vice_covers else 0
    return int(points[eleven].sum() + (rules.captaincy.multiplier - 1) * worn)


@given(rules=games(), seed=st.integers(0, 2**32 - 1), chance=st.sampled_from([0.2, 0.5, 0.9]))
def test_every_round_scores_as_played_out_by_hand(rules: GameRules, seed: int, chance: float) -> None:
    rng = np.random.default_rng(seed)
    players = len(positions(rules))
    played = rng.random((SIMULATIONS, players)) < chance
    drawn = a_deal(rng.integers(-3, 20, (SIMULATIONS, players)), played)
    entry = an_entry(rules, rng, vice=bool(seed % 2))
    found = all_scores(entry, drawn, rules, positions(rules))[0]
    wanted = [by_hand(entry, rules, drawn.points[row], played[row]) for row in range(SIMULATIONS)]
    assert found.tolist() == wanted


def test_an_eleven_of_one_position_may_be_absent_as_a_whole() -> None:
    rules, rng = a_game(("0-9-1", "1-8-1"), (1, 3, 9, 1), {"keeps_formation": False}), np.random.default_rng(0)
    entry = an_entry(rules, rng)
    played = np.zeros((1, 14), dtype=bool)
    played[0, entry.bench[0]] = True
    drawn = a_deal(np.full((1, 14), 3), played)
    found = all_scores(entry, drawn, rules, positions(rules))[0, 0]
    assert found == by_hand(entry, rules, drawn.points[0], played[0]) > 0


def test_without_auto_subs_an_absent_starter_is_not_replaced() -> None:
    rules = a_game(autosubs={"enabled": False})
    entry = an_entry(rules, np.random.default_rng(0))
    played = np.zeros((1, 15), dtype=bool)
    played[0, entry.bench[0]] = True
    assert all_scores(entry, a_deal(np.full((1, 15), 5), played), rules, positions(rules))[0, 0] == 0


def test_many_entries_score_as_each_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, rng = a_game(), np.random.default_rng(3)
    entries = [an_entry(rules, rng) for _ in range(40)]
    starters, bench, captain, vice = (
        np.concatenate([getattr(entry, name) for entry in entries]) for name in ("starters", "bench", "captain", "vice")
    )
    drawn = a_deal(rng.integers(0, 15, (30, 15)), rng.random((30, 15)) < 0.6)
    monkeypatch.setattr("engine.rank.scores.CELLS", 280)  # seven simulations at once
    parts = list(score_entries(Entries(starters, bench, captain, vice), drawn, rules, positions(rules)))
    assert [part.stop - part.start for part, _ in parts] == [7, 7, 7, 7, 2]
    alone = np.concatenate([all_scores(entry, drawn, rules, positions(rules)) for entry in entries])
    np.testing.assert_array_equal(np.concatenate([points for _, points in parts], axis=1), alone)


def a_rung(player: int, keep: int | None = None, move: int | None = None) -> Rung:
    return Rung(player=player, slot=player, onward=0.0, keep_from=keep, move_to=move)


def a_ladder(captain: Rung, vice: Rung, *later: Rung) -> Ladder:
    return Ladder(
        setting="unlimited", value=0.0, held=0.0, forfeit=0.0, p_absent=0.1, captain=captain, vice=vice, later=later
    )


LADDER = a_ladder(a_rung(0, 6, 2), a_rung(1, 5, 2), a_rung(2, 4, 3), a_rung(3))
"""Captain 0, kept from 6 points, else 2, kept from 4, else 3; vice 1, kept from 5."""


@pytest.mark.parametrize(
    ("points", "absent", "worn", "moved"),
    [
        ((6, 9, 9, 9), (), 6, False),
        ((5, 9, 4, 9), (), 4, True),
        ((5, 9, 3, 1), (), 1, True),
        ((0, 5, 9, 9), (0,), 5, False),
        ((0, 4, 3, 7), (0,), 7, True),
    ],
)
def test_the_ladder_is_followed_rung_by_rung(
    points: tuple[int, ...], absent: tuple[int, ...], worn: int, moved: bool
) -> None:
    played = np.array([[0.0 if man in absent else 1.0] for man in range(4)])
    armband, changed = follow(LADDER, np.array(points, dtype=float)[:, None], played)
    assert (armband[0], changed[0]) == (worn, moved)


@pytest.mark.parametrize(("cancels", "points"), [(True, 9 * 2 + 1 + 1), (False, 10 * 2 + 1 + 1)])
def test_a_moved_armband_forfeits_the_auto_subs(cancels: bool, points: int) -> None:
    rules = a_game(autosubs={"manual_change_cancels_autosubs": cancels})
    starters = np.array([[0, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13]])
    bench = np.array([[6, 11, 14, 1]])
    ladder = a_ladder(a_rung(0, 9, 2), a_rung(3), a_rung(2))
    entry = Entries(starters, bench, np.array([0]), np.array([3]), (ladder,))
    scores, played = np.full((1, 15), 2), np.ones((1, 15), dtype=bool)
    scores[0, 2], played[0, 13] = 1, False  # the new captain scores 1, a forward is absent
    assert all_scores(entry, a_deal(scores, played), rules, positions(rules))[0, 0] == points


def test_ladders_are_one_for_each_entry() -> None:
    entry = an_entry(a_game(), np.random.default_rng(1))
    with pytest.raises(InputError, match="1 entries need a ladder each, not 2"):
        Entries(entry.starters, entry.bench, entry.captain, entry.vice, (LADDER, LADDER))
