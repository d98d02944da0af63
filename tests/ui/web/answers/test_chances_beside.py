"""Whom one plays against: named rivals where their whole squads are known, else managers as observed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.rank.rivals import MANAGERS, Rival, opponents
from tests.cases.judged_worlds import cup_signals, small_board
from ui.web.answers.chances_beside import USUAL_DEFICIT, USUAL_LEAD, stated, whom
from ui.web.choice.plan import Plan
from ui.web.choice.rival_link import rivals_text


def a_rival(bench: bool) -> Rival:
    men = small_board().recommended.men
    ids = tuple(man.player_id for man in men)
    return Rival("Anna", ids[:11], ids[0], ids[11:] if bench else ())


def test_a_rival_with_a_bench_is_the_field() -> None:
    field = opponents(cup_signals(1), [a_rival(bench=True)], 0)
    assert whom(field.name) == field.name == "1 named rival: Anna"
    assert np.array_equal(np.sort(field.squads[0]), np.sort(small_board().recommended.rows))


def test_rivals_without_a_bench_leave_the_field_to_all_managers_and_it_is_called_so() -> None:
    field = opponents(cup_signals(1), [a_rival(bench=False)], 0)
    assert len(field) == MANAGERS
    assert whom(field.name) == "1,000 typical managers"


def test_a_standing_is_the_lead_to_hold_and_the_deficit_to_erase() -> None:
    assert stated(Plan()) == (USUAL_LEAD, USUAL_DEFICIT)
    assert stated(Plan(lead=-40.0)) == (40.0, 40.0)


def test_the_points_of_a_league_are_the_standing_of_their_round_until_another_is_told() -> None:
    rivals = rivals_text([replace(a_rival(bench=True), ahead=ahead) for ahead in (-12, 3, 40)])
    counted = Plan(round=4, rivals=rivals, counted=4)
    assert stated(counted) == (12.0, 12.0)  # to the next above
    assert stated(counted.with_changes(rival=2)) == (3.0, 3.0)
    assert stated(counted.with_changes(rival=1, lead=-7.0)) == (7.0, 7.0)
    assert stated(counted.with_changes(round=5)) == (USUAL_LEAD, USUAL_DEFICIT)


def test_a_rival_plays_the_eleven_and_the_captain_he_was_brought_with() -> None:
    signals, men = cup_signals(1), small_board().recommended.men
    ids = [man.player_id for man in men]
    swapped = next(n for n in range(11, 15) if men[n].position == men[9].position or men[n].position == men[5].position)
    place = next(n for n in (9, 5) if men[n].position == men[swapped].position)
    ids[place], ids[swapped] = ids[swapped], ids[place]
    worst = min(range(11), key=lambda n: men[n].xev if n != place else 99.0)
    field = opponents(signals, [Rival("Ben", tuple(ids[:11]), ids[worst], tuple(ids[11:]))], 0)
    assert int(signals.player_id[field.captain[0]]) == ids[worst]
    assert set(signals.player_id[field.starters[0]].tolist()) == set(ids[:11])
    assert (np.diff(signals.position[field.starters[0]]) >= 0).all()
    assert field.vice[0] != field.captain[0]
    assert signals.position[field.bench[0, -1]] == 0


def test_who_is_left_out_is_named() -> None:
    field = opponents(cup_signals(1), [a_rival(bench=True), a_rival(bench=False)], 0)
    assert len(field) == 1
    assert field.name.startswith("1 named rival: Anna (Anna left out")
