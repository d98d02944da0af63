"""Doubts about a world just read: what a careful person would ask about before it takes the place of the last one.

A feed can keep every promise about its shape and still be wrong: one player, nobody's ownership, a match twice. Each
doubt is a sentence; none of them proves a fault, so it is the user who decides.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import chain

import pandas as pd

from data.domain import Status
from data.errors import ThetaXIError
from data.sources.report import listed
from data.worlds.snapshot import Snapshot
from data.worlds.world import World

Check = Callable[[World], object]
"""Raises what keeps the coming round of a world from being judged; given by a layer that can judge."""

LARGEST_LOSS = 0.2
"""Share of players or rows that may go from one fetch to the next: in a season of the games about 2 % did."""

OWNERSHIP_RATIO = 1.5
"""Between two sums of ownership: each squad has the same number of men, so the sum hardly moves."""

MOVED = 0.2
"""Share of players who may change teams, or of teams whose matches in a round may change, between two fetches."""

SAME_SEASON = timedelta(days=90)
"""Two worlds whose first deadlines lie further apart are of two seasons: nothing in them can be compared."""

PICKABLE = (Status.PLAYING.value, Status.DOUBTFUL.value)


def doubts_about(world: World, last: World | None, check: Check | None = None) -> tuple[str, ...]:
    """Return what is suspicious about a world, in itself, against the last one, and when its round is judged."""
    compared = _against(last, world) if last else iter(())
    return tuple(chain(_in_itself(world.at(world.rounds[-1])), compared, _unusable(world, check)))


def _in_itself(now: Snapshot) -> Iterator[str]:
    if pairs := _repeated(now.fixtures):
        yield f"A match stands there more than once, which would count its points twice: {listed(pairs)}."
    fielded = set(now.players.loc[now.players["status"].isin(PICKABLE), "team"])
    if idle := sorted({*now.coming["home"], *now.coming["away"]} - fielded):
        yield f"Round {now.round} is played by teams without a single man who can be picked: {listed(idle)}."
    if now.players["owned"].sum() <= 0:
        yield f"Nobody is owned by anybody in round {now.round}."


def _repeated(fixtures: pd.DataFrame) -> list[str]:
    """Return the matches that stand there again under another number: in the same round, or turned round on one day.

    Home and away in one gameweek are two matches, if on two days.
    """
    sides = fixtures[["home", "away"]]
    days = pd.DataFrame({"day": fixtures["kickoff"].dt.date, "one": sides.min(axis=1), "other": sides.max(axis=1)})
    again = fixtures[fixtures.duplicated(["round", "home", "away"]) | days.duplicated()]
    return [f"{row.home}–{row.away} in round {row.round} (match {row.match_id})" for row in again.itertuples()]


def _against(last: World, world: World) -> Iterator[str]:
    first, then = (each.tables["rounds"]["deadline"].min() for each in (world, last))
    if abs(first - then) > SAME_SEASON:
        yield f"The first deadline was {then:%d %b %Y} and is {first:%d %b %Y} now. Has a new season begun?"
        return
    before, now = last.at(last.rounds[-1]), world.at(world.rounds[-1])
    yield from _fewer_players(before, now)
    yield from _other_teams(before, now)
    yield from _lost_rounds(last, world)
    yield from _other_matches(before, now)
    sums = [float(each.players["owned"].sum()) for each in (before, now)]
    if min(sums) > 0 and max(sums) / min(sums) > OWNERSHIP_RATIO:
        yield f"Ownership summed to {sums[0]:.1f} and sums to {sums[1]:.1f} now."


def _fewer_players(before: Snapshot, now: Snapshot) -> Iterator[str]:
    if told := _fell("players", len(before.players), len(now.players)):
        yield told
    counts = [each.players["position"].value_counts() for each in (before, now)]
    for position, count in counts[0].items():
        if told := _fell(f"{position}s", int(count), int(counts[1].get(position, 0))):
            yield told


def _other_teams(before: Snapshot, now: Snapshot) -> Iterator[str]:
    if gone := sorted(set(before.teams["code"]) - set(now.teams["code"])):
        yield f"Teams are gone: {listed(gone)}."
    codes = [each.teams.set_index("team_id")["code"] for each in (before, now)]
    shared = codes[0].index.intersection(codes[1].index)
    reused = [number for number in shared if codes[0][number] != codes[1][number]]
    if reused:
        yield f"Team numbers mean other teams: {listed(f'{n} was {codes[0][n]}, is {codes[1][n]}' for n in reused)}."
    teams = [each.players.set_index("player_id")["team"] for each in (before, now)]
    both = teams[0].index.intersection(teams[1].index)
    moved = int((teams[0].loc[both].to_numpy() != teams[1].loc[both].to_numpy()).sum())
    if moved > MOVED * len(both):
        yield f"{moved} of {len(both)} players known before have another team."


def _lost_rounds(last: World, world: World) -> Iterator[str]:
    if lost := sorted(set(last.rounds) - set(world.rounds)):
        yield f"Rounds are gone: {listed(map(str, lost))}."
    rows = [each.tables["points"]["round"].value_counts() for each in (last, world)]
    for number, count in rows[0].sort_index().items():
        if told := _fell(f"players with points in round {number}", int(count), int(rows[1].get(number, 0))):
            yield told


def _other_matches(before: Snapshot, now: Snapshot) -> Iterator[str]:
    counts = [_matches_by_team(each.fixtures) for each in (before, now)]
    changed = int((counts[1].reindex(counts[0].index, fill_value=0) != counts[0]).sum())
    if changed > MOVED * len(counts[0]):
        yield f"In {changed} of {len(counts[0])} cases a team has another number of matches in a round than before."
    over = before.fixtures[before.fixtures["home_goals_90"].notna() | before.fixtures["home_goals_aet"].notna()]
    known = set(zip(now.fixtures["round"], now.fixtures["home"], now.fixtures["away"], strict=True))
    gone = [f"{r.home}–{r.away}" for r in over.itertuples() if (r.round, r.home, r.away) not in known]
    if gone:
        yield f"Matches that were played are gone: {listed(gone)}."


def _matches_by_team(fixtures: pd.DataFrame) -> pd.Series:
    sides = [fixtures[["round", side]].set_axis(["round", "team"], axis=1) for side in ("home", "away")]
    return pd.concat(sides).value_counts()


def _unusable(world: World, check: Check | None) -> Iterator[str]:
    if world.at(world.rounds[-1]).coming.empty:
        return  # before a calendar is out, and where everybody is idle, there is nothing to judge: the reading says so
    try:
        if check:
            check(world)
    except ThetaXIError as error:
        yield f"Round {world.rounds[-1]} cannot be judged: {error}"
    except Exception as error:  # whatever the models stumble over, the last good world must stay
        logging.getLogger("thetaxi").exception("A fetched world cannot be judged")
        yield f"Round {world.rounds[-1]} cannot be judged: {type(error).__name__}."


def _fell(what: str, before: int, now: int) -> str:
    """Return a sentence where a count fell by more than usual, else nothing."""
    return f"There were {before:,} {what} and are {now:,} now." if now < (1 - LARGEST_LOSS) * before else ""
