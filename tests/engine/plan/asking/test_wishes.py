"""Wishes over rounds become locks; sets that no plan can meet name the smallest conflict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest

from data.errors import InfeasibleError, InputError, UnknownError
from engine.plan.asking.conflicts import WishedProblem
from engine.plan.asking.wishes import ChipAt, Have, PlanWishes, WishKind, rows_by_id, with_wishes
from engine.plan.linear.problem import NOBODY
from tests.cases.plans.gameweek_plans import GAMEWEEK, PlanCase, gameweek_case

NOW, LATER, LAST = GAMEWEEK, GAMEWEEK + 1, GAMEWEEK + 2


@dataclass(frozen=True, slots=True, eq=False)
class Men:
    """Whom the cases speak of, by id."""

    own: list[int]
    dear: list[int]  # not his, the dearest first
    keepers: list[int]
    forwards: list[int]
    rich: list[int]  # the dearest who fit into one squad by position
    club: list[int]  # outfield players of one club, nobody his


@pytest.fixture(scope="module")
def case() -> PlanCase:
    return gameweek_case(horizon=3)


@pytest.fixture(scope="module")
def wished(case: PlanCase) -> WishedProblem:
    rows = rows_by_id(case.signals, case.state)
    return WishedProblem(case.problem, rows, case.signals.rules, case.signals.short)


@pytest.fixture(scope="module")
def men(case: PlanCase) -> Men:
    signals, owned = case.signals, case.problem.frame.owned
    order = [row for row in np.argsort(-signals.price, kind="stable").tolist() if not owned[row]]
    ids = {row: int(signals.player_id[row]) for row in order}
    quiet = [team for team in np.unique(signals.team) if not (owned & (signals.team == team)).any()]
    club = [ids[row] for row in order if signals.team[row] == quiet[0] and signals.position[row] > 0]
    place = [[ids[row] for row in order if signals.position[row] == number] for number in range(4)]
    rich = [man for man in ids.values() if man in (*place[1][:2], *place[2][:5], *place[3][:3])]
    return Men(list(case.state.squad), list(ids.values()), place[0], place[3], rich, club)


Case = tuple[str, Callable[[Men], PlanWishes], tuple[str, ...]]

IMPOSSIBLE: tuple[Case, ...] = (
    ("had and banned", lambda m: PlanWishes(have=(Have(m.dear[0]),), never=(m.dear[0],)), ("on", "never bought")),
    ("kept and banned", lambda m: PlanWishes(keep=(m.own[5],), never=(m.own[5],)), ("never sold", "never bought")),
    ("captain and banned", lambda m: PlanWishes(captain={NOW: m.own[9]}, never=(m.own[9],)), ("as captain",)),
    ("a booster of the other half", lambda m: PlanWishes(chips=(ChipAt("bench_boost_2", 13),)), ("Gameweek 20 to",)),
    (
        "a booster before its first round",
        lambda m: PlanWishes(chips=(ChipAt("free_hit_2", LAST),)),
        ("Free Hit 2 in Gameweek 14",),
    ),
    (
        "two boosters in one round",
        lambda m: PlanWishes(chips=(ChipAt("wildcard_1", 13), ChipAt("bench_boost_1", 13))),
        ("a round has one booster",),
    ),
    (
        "one booster twice",
        lambda m: PlanWishes(chips=(ChipAt("wildcard_1", 13), ChipAt("wildcard_1", 14))),
        ("not left so often",),
    ),
    (
        "a booster and none at all",
        lambda m: PlanWishes(chips=(ChipAt("wildcard_1", 13),), no_chips=True),
        ("Wildcard 1 in Gameweek 13", "no booster"),
    ),
    (
        "a booster that is kept",
        lambda m: PlanWishes(chips=(ChipAt("free_hit_1", 14),), chips_kept=("free_hit_1",)),
        ("Free Hit 1 in Gameweek 14", "no Free Hit 1"),
    ),
    (
        "a booster that is ruled out in its round",
        lambda m: PlanWishes(chips=(ChipAt("triple_captain_1", 14),), chips_out=(ChipAt("triple_captain_1", 14),)),
        ("no Triple Captain 1 in Gameweek 14",),
    ),
    ("more in the bank than there is", lambda m: PlanWishes(bank=60.0), ("60.0 in the bank", "the money is")),
    ("everything in the bank", lambda m: PlanWishes(bank=500.0), ("500.0 in the bank",)),
    (
        "three goalkeepers",
        lambda m: PlanWishes(have=tuple(map(Have, m.keepers[:3]))),
        ("a squad has 2 GK",),
    ),
    (
        "four forwards",
        lambda m: PlanWishes(have=tuple(Have(man, LATER) for man in m.forwards[:4])),
        ("a squad has 3 FWD", "from Gameweek 13 on"),
    ),
    ("four of a club", lambda m: PlanWishes(have=tuple(map(Have, m.club[:4]))), ("3 of a team are allowed",)),
    (
        "four of a club, one as captain",
        lambda m: PlanWishes(have=tuple(Have(man, LAST) for man in m.club[:3]), captain={LAST: m.club[3]}),
        ("as captain in Gameweek 14", "3 of a team"),
    ),
    ("the ten dearest", lambda m: PlanWishes(have=tuple(map(Have, m.rich))), ("the money is",)),
    (
        "two dear men and a full bank",
        lambda m: PlanWishes(have=(Have(m.dear[0], LAST), Have(m.dear[1], LAST)), bank=30.0),
        ("30.0 in the bank", "the money is"),
    ),
    (
        "three men at once without hits",
        lambda m: PlanWishes(have=tuple(map(Have, m.dear[:3])), no_hits=True, no_chips=True),
        ("no hits", "2 free transfers to begin with"),
    ),
    (
        "a man without a transfer",
        lambda m: PlanWishes(have=(Have(m.dear[2]),), most_transfers={NOW: 0}, no_chips=True),
        ("at most 0 transfers in Gameweek 12",),
    ),
    (
        "a captain without a transfer",
        lambda m: PlanWishes(captain={NOW: m.dear[2]}, most_transfers={NOW: 0}, no_chips=True),
        ("as captain in Gameweek 12",),
    ),
    (
        "a man later without any transfer",
        lambda m: PlanWishes(have=(Have(m.dear[2], LAST),), in_all=0, no_chips=True),
        ("at most 0 transfers in all",),
    ),
    (
        "three men with two transfers",
        lambda m: PlanWishes(have=tuple(Have(man, LAST) for man in m.dear[:3]), in_all=2, no_chips=True),
        ("at most 2 transfers in all",),
    ),
    (
        "no transfer in any round",
        lambda m: PlanWishes(have=(Have(m.dear[4], LAST),), each_round=0, no_chips=True),
        ("at most 0 transfers a round",),
    ),
    (
        "all forwards stay and another comes",
        lambda m: PlanWishes(keep=tuple(m.own[12:]), have=(Have(m.forwards[0], LATER),)),
        ("never sold",),
    ),
    (
        "everybody stays and one goes",
        lambda m: PlanWishes(keep=tuple(m.own), never=(m.own[0],)),
        ("never bought or kept", "never sold"),
    ),
    (
        "both goalkeepers stay and another comes",
        lambda m: PlanWishes(keep=tuple(m.own[:2]), have=(Have(m.keepers[0], LATER),)),
        ("a squad has 2 GK",),
    ),
    (
        "a wildcard that is ruled out is needed",
        lambda m: PlanWishes(have=tuple(map(Have, m.dear[:4])), no_hits=True, chips_kept=("wildcard_1", "free_hit_1")),
        ("no Wildcard 1",),
    ),
    (
        "a booster takes the round of the wildcard",
        lambda m: PlanWishes(have=tuple(map(Have, m.dear[:4])), no_hits=True, chips=(ChipAt("bench_boost_1", NOW),)),
        ("Bench Boost 1 in Gameweek 12", "no hits"),
    ),
    (
        "a man before and after he is banned",
        lambda m: PlanWishes(have=(Have(m.own[7], NOW, NOW),), never=(m.own[7],)),
        ("in Gameweek 12", "never bought"),
    ),
)


@pytest.mark.parametrize(("name", "asked", "said"), IMPOSSIBLE, ids=[one[0] for one in IMPOSSIBLE])
@pytest.mark.daily("a booster takes", "had and banned", "four of a club", "a man later", "one booster twice")
def test_an_impossible_set_names_its_conflict(
    name: str, asked: Callable[[Men], PlanWishes], said: tuple[str, ...], wished: WishedProblem, men: Men
) -> None:
    parts = asked(men).parts()
    with pytest.raises(InfeasibleError) as caught:
        wished.met(parts)
    assert all(words in str(caught.value) for words in said), str(caught.value)


def test_thirty_impossible_sets_are_tried() -> None:
    assert len({name for name, _, _ in IMPOSSIBLE}) == 30


def test_none_of_a_smallest_conflict_can_be_spared(wished: WishedProblem, men: Men) -> None:
    asked = PlanWishes(have=tuple(map(Have, men.dear[:3])), keep=(men.own[0],), no_hits=True, no_chips=True, bank=0.5)
    clash = wished.conflict(asked.parts()).wishes
    assert not wished.holds(clash)
    for left_out in clash:
        assert wished.holds([wish for wish in clash if wish != left_out])


def test_wishes_that_contradict_nothing_become_locks(wished: WishedProblem, men: Men) -> None:
    asked = PlanWishes(
        have=(Have(men.dear[3], LATER),),
        keep=(men.own[0],),
        never=(men.dear[0],),
        no_hits=True,
        most_transfers={NOW: 1},
        in_all=4,
        chips=(ChipAt("bench_boost_1", LATER),),
        chips_kept=("wildcard_1",),
        bank=0.2,
        captain={LAST: men.own[10]},
    )
    problem = wished.met(asked.parts())
    rows, locks = wished.rows, problem.locks
    assert locks.must[rows[men.dear[3]]].tolist() == [False, True, True]
    assert locks.never[rows[men.dear[0]]].all()
    assert np.flatnonzero(locks.never_sell).tolist() == [rows[men.own[0]]]
    assert locks.most_hits.tolist() == [0] * 3
    assert (int(locks.most_transfers[0]), locks.most_in_all) == (1, 4)
    assert locks.least_bank.tolist() == [0.2] * 3
    assert locks.captain.tolist() == [NOBODY] * 2 + [rows[men.own[10]]]
    assert locks.chip_in == (None, "bench_boost_1", None)
    assert not problem.chip("wildcard_1").allowed.any()


def test_many_men_at_once_lift_the_search_s_own_limit_of_hits(wished: WishedProblem, men: Men) -> None:
    cheap = [man for man in men.dear[::-1] if wished.problem.frame.buyable[wished.rows[man]]]
    place = wished.problem.frame.position
    defenders = [man for man in cheap if place[wished.rows[man]] == 1][:5]
    midfielders = [man for man in cheap if place[wished.rows[man]] == 2][:2]
    asked = PlanWishes(have=tuple(map(Have, [*defenders, *midfielders])), no_chips=True)
    teams = wished.problem.frame.team[[wished.rows[one.player] for one in asked.have]]
    if np.bincount(teams).max() <= 3:
        assert wished.met(asked.parts()).locks.most_hits.max() >= 4


def test_a_booster_for_a_round_beyond_the_horizon_is_kept(wished: WishedProblem) -> None:
    problem = with_wishes(wished.problem, PlanWishes(chips=(ChipAt("bench_boost_1", 19),)).parts(), wished.rows)
    assert not problem.chip("bench_boost_1").allowed.any()
    assert problem.chip("wildcard_1").allowed.any()


def test_rules_that_leave_no_plan_blame_no_wish(wished: WishedProblem, men: Men) -> None:
    frame = replace(wished.problem.frame, wealth=np.full(3, 50.0))
    poor = replace(wished, problem=replace(wished.problem, frame=frame))
    found = poor.conflict(PlanWishes(keep=(men.own[0],)).parts())
    assert found.wishes == ()
    assert "Correct the squad" in poor.words(found)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (PlanWishes(keep=(10**9,)), "Player 1000000000 is not"),
        (PlanWishes(chips=(ChipAt("benchboost", 13),)), "no booster 'benchboost'"),
        (PlanWishes(captain={99: 1}), "rounds 1 to 38"),
    ],
)
def test_wishes_about_what_does_not_exist_are_refused(wished: WishedProblem, asked: PlanWishes, said: str) -> None:
    if asked.captain:
        asked = replace(asked, captain=dict.fromkeys(asked.captain, next(iter(wished.rows))))
    with pytest.raises(UnknownError, match=said):
        wished.met(asked.parts())


@pytest.mark.parametrize("bad", [{"in_all": -1}, {"bank": -2.0}, {"bank": float("nan")}, {"each_round": 1_000}])
def test_senseless_numbers_are_refused_at_birth(bad: dict[str, float]) -> None:
    with pytest.raises(InputError, match="makes no sense"):
        PlanWishes(**bad)  # type: ignore[arg-type]
    assert PlanWishes().parts() == ()
    assert WishKind("have") is WishKind.HAVE
