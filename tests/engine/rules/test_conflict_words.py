"""Thirty impossible requests: each names exactly what conflicts, by its values, and a way out that works."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from data.errors import InfeasibleError
from engine.fitness.squad_view import SceneSettings, SquadView, refuse_impossible
from engine.rules.conflict_words import STILL_MORE, conflict_error
from engine.rules.conflicts import COUNTED, Demands, Names, Request, possible, smallest_conflict
from engine.rules.pool import CAP_WORDS, CHANGE_WORDS, Pool, TeamLimit
from engine.rules.pool_rows import Key, RowKind
from models.signals import Signals
from tests.engine.rules.test_conflicts import a_pool

NAMES = Names(tuple(f"m{row}" for row in range(24)), ("ESP", "FRA", "GER", "USA"))
OWN = (0, 7, 13, 9, 15, 23)
ESP, FRA, GER, USA = range(4)
NOTHING = Demands()
RULES = ("cap", "shape", "budget")


@dataclass(frozen=True, slots=True)
class Case:
    """A request that cannot be met, and what is told: what of it conflicts, and the way out."""

    told: str
    demands: Demands = NOTHING
    budget: float = 100.0
    cap: int = 3
    limits: tuple[TeamLimit, ...] = ()
    most_changes: int | None = None
    own: tuple[int, ...] = OWN

    @property
    def said(self) -> str:
        """The whole sentence."""
        return f"No legal squad: {self.told}"

    @property
    def named(self) -> list[str]:
        """What conflicts, rules aside."""
        found = smallest_conflict(Request(self.pool, self.demands))
        named = [spelled(key, self.pool) for group in found for key in group]
        return [name for name in named if name.split()[0] not in RULES]

    @property
    def pool(self) -> Pool:
        """Four teams of six under the limits of the request."""
        current = () if self.most_changes is None else self.own
        pool = a_pool(self.budget, self.cap)
        return replace(pool, limits=self.limits, current=current, most_changes=self.most_changes)


CASES = {
    "four locked of a team": Case(
        "4 locked players (m0, m1, m2, m3) do not fit at most 3 from ESP. Unlock one of m0, m1, m2, m3.",
        demands=Demands(must=(0, 1, 2, 3, 10)),
    ),
    "five locked of a team": Case(
        "4 locked players (m0, m1, m2, m3) do not fit at most 3 from ESP. "
        "Unlock one of m0, m1, m2, m3. Other demands conflict as well.",
        demands=Demands(must=(0, 1, 2, 3, 4)),
    ),
    "two goalkeepers": Case(
        "2 locked players (m0, m6) do not fit 1 GK. Unlock one of m0, m6.",
        demands=Demands(must=(0, 6, 8)),
    ),
    "three defenders": Case(
        "3 locked players (m1, m8, m13) do not fit 2 DEF. Unlock one of m1, m8, m13.",
        demands=Demands(must=(1, 8, 13)),
    ),
    "a poor manager": Case("the cheapest squad costs 37.0, the budget is 30. Raise the budget by 7.0.", budget=30.0),
    "a poor manager with locks": Case(
        "the cheapest squad costs 37.0, the budget is 36. Raise the budget by 1.0.",
        budget=36.0,
        demands=Demands(must=(5,)),
    ),
    "dear locks": Case(
        "the cheapest squad with 2 locked players (m2, m8) costs 39.0, the budget is 38. "
        "Unlock one of m2, m8, or raise the budget by 1.0.",
        budget=38.0,
        demands=Demands(must=(2, 8)),
    ),
    "a dear captain": Case(
        "the cheapest squad with captain m4 costs 38.0, the budget is 37. "
        "Choose another captain than m4, or raise the budget by 1.0.",
        budget=37.0,
        demands=Demands(captain=4),
    ),
    "no forward": Case(
        "4 players ruled out (m5, m11, m17, m23) do not fit 1 FWD. Allow one of m5, m11, m17, m23.",
        demands=Demands(never=(5, 11, 17, 23)),
    ),
    "no forward and a few others": Case(
        "4 players ruled out (m5, m11, m17, m23) do not fit 1 FWD. Allow one of m5, m11, m17, m23.",
        demands=Demands(never=(4, 5, 11, 12, 17, 23)),
    ),
    "cheap men ruled out": Case(
        "4 players ruled out (m0, m6, m12, m18) do not fit 1 GK. Allow one of m0, m6, m12, m18.",
        budget=37.0,
        demands=Demands(never=(0, 6, 12, 18)),
    ),
    "a ban for the budget": Case(
        "the cheapest squad with 3 players ruled out (m1, m7, m13) costs 38.0, the budget is 37. "
        "Allow one of m1, m7, m13, or raise the budget by 1.0.",
        budget=37.0,
        demands=Demands(never=(1, 7, 13)),
    ),
    "a cap of one": Case("too few players for at most 1 per team, 1 GK, 2 DEF and 2 MID. Refresh the players.", cap=1),
    "more of a team than allowed": Case(
        "at least 4 from ESP does not fit at most 3 from ESP. Ask for 3 from ESP.",
        limits=(TeamLimit(ESP, 4),),
    ),
    "three teams in force": Case(
        "at least 3 from ESP, at least 3 from FRA and at least 1 from GER do not fit a squad of 6. "
        "Ask for 2 from ESP, or ask for 2 from FRA, or ask for none from GER.",
        limits=(TeamLimit(ESP, 3), TeamLimit(FRA, 3), TeamLimit(GER, 1)),
    ),
    "one of every team": Case(
        "at most 1 from ESP, at most 1 from FRA, at most 1 from GER and at most 1 from USA do not fit "
        "1 GK, 2 DEF and 2 MID. Allow more from one of ESP, FRA, GER, USA.",
        limits=tuple(TeamLimit(team, 0, 1) for team in range(4)),
    ),
    "at least and at most": Case(
        "at least 2 from ESP and at most 1 from ESP do not fit together. Ask for 1 from ESP, or allow 2 from ESP.",
        limits=(TeamLimit(ESP, 2), TeamLimit(ESP, 0, 1)),
    ),
    "locks of a team one wants few of": Case(
        "2 locked players (m0, m1) and at most 1 from ESP do not fit together. "
        "Unlock one of m0, m1, or allow 2 from ESP.",
        limits=(TeamLimit(ESP, 0, 1),),
        demands=Demands(must=(0, 1)),
    ),
    "a dear team": Case(
        "the cheapest squad with 2 players ruled out (m0, m1) and at least 3 from ESP costs 38.0, the budget is 37.5. "
        "Allow one of m0, m1, or ask for 2 from ESP, or raise the budget by 0.5.",
        limits=(TeamLimit(ESP, 3),),
        demands=Demands(never=(0, 1, 2)),
        budget=37.5,
    ),
    "bans that leave a team short": Case(
        "5 players ruled out (m0, m1, m2, m3, m4) and at least 2 from ESP do not fit together. "
        "Allow one of m0, m1, m2, m3, m4, or ask for 1 from ESP.",
        limits=(TeamLimit(ESP, 2),),
        demands=Demands(never=(0, 1, 2, 3, 4)),
    ),
    "two locks and one change": Case(
        "2 locked players (m6, m8) and at most 1 change do not fit together. Unlock one of m6, m8, or allow 2 changes.",
        most_changes=1,
        demands=Demands(must=(6, 8)),
    ),
    "no change and a ban": Case(
        "1 player ruled out (m0) and at most 0 changes do not fit 1 GK. Allow m0, or allow 1 change.",
        most_changes=0,
        demands=Demands(never=(0,)),
    ),
    "few changes and little money": Case(
        "the cheapest squad with at most 0 changes costs 39.0, the budget is 38. "
        "Allow 1 change, or raise the budget by 1.0.",
        most_changes=0,
        budget=38.0,
        own=(0, 8, 14, 9, 15, 23),
    ),
    "changes and a team": Case(
        "at least 3 from ESP and at most 1 change do not fit together. Ask for 2 from ESP, or allow 2 changes.",
        most_changes=1,
        limits=(TeamLimit(ESP, 3),),
    ),
    "changes and a captain": Case(
        "captain m5 and at most 0 changes do not fit together. Choose another captain than m5, or allow 1 change.",
        most_changes=0,
        demands=Demands(captain=5),
    ),
    "a captain ruled out": Case(
        "captain m5 and 1 player ruled out (m5) do not fit together. Allow m5, or choose another captain than m5.",
        demands=Demands(captain=5, never=(5,)),
    ),
    "a captain of a team one wants none of": Case(
        "captain m5 and at most 0 from ESP do not fit together. Choose another captain than m5, or allow 1 from ESP.",
        demands=Demands(captain=5),
        limits=(TeamLimit(ESP, 0, 0),),
    ),
    "a captain without a place": Case(
        "captain m5 is a FWD, and 2-2-0 has none. Choose another captain than m5, or another formation.",
        demands=Demands(captain=5, lineups=((1, 2, 2, 0),)),
    ),
    "a captain beside a locked rival": Case(
        "1 locked player (m11) and captain m5 do not fit 1 FWD. Unlock m11, or choose another captain than m5.",
        demands=Demands(captain=5, must=(11,)),
    ),
    "everything at once": Case(
        "1 locked player (m5), at least 2 from USA and at most 2 changes do not fit 1 FWD. "
        "Unlock m5, or ask for none from USA, or allow 4 changes.",
        budget=41.0,
        most_changes=2,
        limits=(TeamLimit(USA, 2),),
        demands=Demands(must=(5,), never=(18,), captain=4),
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
@pytest.mark.daily("a ban for", "a captain ruled", "five locked", "locks of", "no forward", "two locks")
def test_the_conflict_and_the_way_out_are_told(case: Case) -> None:
    assert not possible(case.pool, case.demands)
    error = conflict_error(case.pool, case.demands, NAMES)
    assert str(error) == case.said
    told = {f"must {man}" for man in error.must} | {f"never {man}" for man in error.never}
    assert told == {name for name in case.named if name.startswith(("must ", "never "))}


def spelled(key: Key, pool: Pool) -> str:
    """Return a row in short, as the cases name it."""
    if key.kind in COUNTED:
        words = pool.rules[key.rule].words
        kind = "cap" if words is CAP_WORDS else key.kind.name.lower()
        return "changes" if words is CHANGE_WORDS else f"{kind} {key.number}"
    return key.kind.name.lower() + f" {key.number}" * (key.kind in (RowKind.SHAPE, RowKind.MUST, RowKind.NEVER))


def without(case: Case, name: str) -> tuple[Pool, Demands]:
    """Return a request with one of its demands dropped."""
    kind, _, number = name.partition(" ")
    pool, demands = case.pool, case.demands
    if kind in ("must", "never"):
        return pool, replace(demands, **{kind: tuple(row for row in getattr(demands, kind) if row != int(number))})
    if kind in ("captain", "formation"):
        return pool, replace(demands, captain=None) if kind == "captain" else replace(demands, lineups=())
    if kind == "changes":
        return replace(pool, most_changes=None), demands
    kept = tuple(
        limit for limit in pool.limits if limit.team != int(number) or (kind == "least") == (limit.most is not None)
    )
    return replace(pool, limits=kept), demands


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_without_any_one_demand_that_is_named_a_squad_exists_unless_it_says_that_more_conflicts(case: Case) -> None:
    enough = [possible(*without(case, name)) for name in case.named]
    assert all(enough) or case.said.endswith(STILL_MORE) == (not any(enough))


def test_thirty_requests_are_told_apart() -> None:
    assert len(CASES) == 30
    assert len({(case.said, case.budget) for case in CASES.values()}) >= 28


def refused(signals: Signals, settings: SceneSettings, demands: Demands) -> str:
    with pytest.raises(InfeasibleError) as caught:
        refuse_impossible(SquadView(signals, settings), demands)
    return str(caught.value)


def test_a_round_calls_players_and_teams_by_their_names(signals: Signals) -> None:
    brazil = list(signals.teams.strengths.codes).index("BRA")
    men = np.flatnonzero(signals.team == brazil)[:4]
    said = refused(signals, SceneSettings(), Demands(must=tuple(men.tolist())))
    assert f"do not fit at most 3 from BRA. Unlock one of {', '.join(signals.name[men])}." in said
    assert "Ask for 3 from BRA." in refused(signals, SceneSettings(teams=(TeamLimit(brazil, 4),)), Demands())


def test_a_captain_who_is_ruled_out_is_named(signals: Signals) -> None:
    star = int(signals.xev.argmax())
    said = refused(signals, SceneSettings(captain=star), Demands(never=(star,)))
    assert said.endswith(f"Allow {signals.name[star]}, or choose another captain than {signals.name[star]}.")


def test_all_goalkeepers_ruled_out_are_counted_not_listed(signals: Signals) -> None:
    keepers = np.flatnonzero(signals.position == 0)
    said = refused(signals, SceneSettings(), Demands(never=tuple(keepers.tolist())))
    assert f"{len(keepers)} players ruled out" in said
    assert f"and {len(keepers) - 12} more) do not fit 2 GK" in said


def test_whoever_asks_for_nothing_is_not_refused(signals: Signals) -> None:
    star = int(signals.xev.argmax())
    refuse_impossible(SquadView(signals), Demands())
    refuse_impossible(SquadView(signals, SceneSettings(captain=star)), Demands(must=(star,)))
