"""What is said of a line-up: who is kept although he cannot play, and why an unlikely man starts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.rules import CaptaincyMode
from engine.board.remarks import lineup_remarks
from engine.board.weak_links import weak_links
from engine.desk import open_desk
from engine.fitness.judge import named_objective
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.fitness.wishes import Wishes
from engine.lineup.lineups import Lineups
from engine.rules.conflicts import Demands
from engine.rules.legality import legal
from engine.rules.pool import wished
from models.signals import Signals
from tests.cases.judged_worlds import a_judge, league_signals, under, world_cup_signals

ROUND_OF_32 = 4


def a_squad_with(signals: Signals, men: list[int]) -> np.ndarray:
    """Return a squad of the rulebook's shape that has some men, the others the dearest that the cap allows."""
    rows, cap = list(men), signals.rules.stage(signals.round).team_cap
    left = [places - (signals.position[men] == code).sum() for code, places in enumerate(signals.rules.squad.places)]
    for row in np.argsort(-signals.price, kind="stable").tolist():
        mates = sum(signals.team[man] == signals.team[row] for man in rows)
        if left[signals.position[row]] and row not in rows and not signals.unavailable[row] and mates < cap:
            rows.append(row)
            left[signals.position[row]] -= 1
    return np.array(rows)


def sent_out(
    signals: Signals, squad: np.ndarray, settings: SceneSettings | None = None
) -> tuple[Lineups, tuple[str, ...]]:
    """Return how neutral sends a squad out that may cost what it likes, and what is said of it."""
    free = replace(settings or SceneSettings(), budget=1_000.0)
    judge = a_judge(signals, free)
    objective = named_objective("neutral", judge.view)
    scored = judge.sent_out(squad[None, :], objective)
    return scored.lineups, lineup_remarks(judge, objective, scored, 0)


def eliminated(signals: Signals, code: int, count: int = 1) -> list[int]:
    return np.flatnonzero((signals.status == "eliminated") & (signals.position == code))[:count].tolist()


def test_who_is_kept_though_his_team_is_out_is_named_and_sits() -> None:
    signals = world_cup_signals(ROUND_OF_32)
    gone = eliminated(signals, 2)
    squad = a_squad_with(signals, gone)
    lineups, remarks = sent_out(signals, squad, SceneSettings(current=tuple(squad.tolist())))
    assert gone[0] in lineups.bench[0]
    assert f"You keep {signals.short[gone[0]]} (his team is out)." in remarks


def test_where_no_eleven_is_without_such_a_man_he_starts_and_it_is_said() -> None:
    signals = world_cup_signals(ROUND_OF_32)
    gone = eliminated(signals, 0, 2)
    squad = a_squad_with(signals, gone)
    lineups, remarks = sent_out(signals, squad, SceneSettings(current=tuple(squad.tolist())))
    said = " ".join(remarks)
    assert lineups.starters[0, 0] in gone
    assert f"{signals.short[lineups.starters[0, 0]]} (his team is out). He starts, since no legal eleven" in said


def test_an_unlikely_man_starts_with_a_reason_in_points() -> None:
    signals = under(world_cup_signals(1), CaptaincyMode.LOCKED)
    squad = a_squad_with(signals, [])
    forward = int(squad[signals.position[squad] == 3][0])
    # Worth ten points when he plays, one time in five, and men of no worth stand beside him.
    weak = np.isin(np.arange(len(signals)), squad[(signals.position[squad] == 3) & (squad != forward)])
    xev = np.where(weak, 0.1, signals.xev)
    play = np.where(np.arange(len(signals)) == forward, 0.2, signals.p_play)
    _, (remark,) = sent_out(replace(signals, xev=xev, p_play=play), squad)
    assert remark.startswith(f"{signals.short[forward]} starts because that is worth ")
    assert remark.endswith("although he plays only 20% of the time.")


def test_a_line_up_that_speaks_for_itself_has_no_remarks() -> None:
    signals = world_cup_signals(1)
    assert sent_out(signals, a_squad_with(signals, []))[1] == ()


@pytest.mark.soak
def test_nobody_who_cannot_play_is_bought_unless_he_is_asked_for() -> None:
    desk = open_desk("wc2026", ROUND_OF_32, seed=1)
    signals = desk.signals
    for theta in ("protect", "gain"):
        board = desk.pick(theta, generations=2)
        assert not signals.unavailable[[man.row for option in board.options for man in option.men]].any()
    gone = eliminated(signals, 1)
    asked = desk.with_wishes(Wishes(locks=(int(signals.player_id[gone[0]]),))).pick("neutral", generations=1)
    assert gone[0] in asked.recommended.rows
    assert any(remark.startswith(f"You asked for {signals.short[gone[0]]}") for remark in asked.recommended.remarks)


def test_the_best_replacement_is_never_somebody_who_cannot_play() -> None:
    signals = world_cup_signals(ROUND_OF_32)
    judge = a_judge(signals)
    links = weak_links(judge, named_objective("gain", judge.view), judge.pool[0], count=15)
    assert not signals.unavailable[[link.into for link in links]].any()


@pytest.mark.parametrize("asked", ["must", "captain"])
def test_who_is_asked_for_is_not_barred(asked: str) -> None:
    view = SquadView(world_cup_signals(ROUND_OF_32))
    man = eliminated(view.signals, 2)[0]
    assert man in view.available(Demands()).out
    wanted = Demands(must=(man,)) if asked == "must" else Demands(captain=man)
    assert man not in view.available(wanted).out


def a_squad_of_four(signals: Signals) -> np.ndarray:
    """Return an affordable squad with four men of a club, as a real transfer may leave one."""
    judge = a_judge(signals)
    squad = judge.pool[0]
    codes, counts = np.unique(signals.team[squad], return_counts=True)
    club = int(codes[counts.argmax()])
    for man in squad[signals.team[squad] != club]:
        if (signals.team[squad] == club).sum() > signals.rules.stage(signals.round).team_cap:
            break
        others = np.flatnonzero((signals.team == club) & (signals.position == signals.position[man]))
        others = np.setdiff1d(others, squad)
        squad = np.where(squad == man, others[0], squad) if len(others) else squad
    return squad


def test_four_men_of_a_club_are_legal_until_the_next_move_and_the_cap_binds_that() -> None:
    signals = league_signals(4)
    squad, cap = a_squad_of_four(signals), signals.rules.stage(4).team_cap
    current, money = tuple(squad.tolist()), float(signals.price[squad].sum()) + 5.0
    judge = a_judge(signals, SceneSettings(current=current, free_transfers=1, budget=money))
    objective = named_objective("neutral", judge.view)
    assert not judge.score(squad[None, :], objective).disqualified[0]
    (said, *_) = lineup_remarks(judge, objective, judge.sent_out(squad[None, :], objective), 0)
    assert said.endswith(f": legal until your next transfer, which has to bring them down to {cap}.")
    for link in weak_links(judge, objective, squad):
        after = np.where(squad == link.out, link.into, squad)
        assert np.bincount(signals.team[after]).max() <= cap
    kept = wished(judge.view.pool, current=current, most_changes=0)
    one = wished(judge.view.pool, current=current, most_changes=1)
    assert legal(squad[None, :], kept)[0]
    assert not legal(squad[None, :], one)[0]
    assert not legal(squad[None, :], judge.view.pool)[0]
    other = a_judge(signals, SceneSettings(budget=money))
    assert other.score(squad[None, :], objective).disqualified[0]  # a new squad has no such excuse
