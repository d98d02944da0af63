"""The group stage: its matches as columns, and who finishes where, for many simulated stages at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations
from types import MappingProxyType

import numpy as np
import pandas as pd

from data.errors import ModelError, did_you_mean

STAGE_ROUND: Mapping[str, int] = MappingProxyType(
    {
        **{"GROUP_MD1": 1, "GROUP_MD2": 2, "GROUP_MD3": 3},
        **{"R32": 4, "R16": 5, "QF": 6, "SF": 7, "THIRD": 8, "FINAL": 8},
    }
)
"""Fantasy round of each stage of the World Cup 2026; the third-place match shares the final's round."""

WIN_POINTS = 3
DRAW_POINTS = 1

NEUTRAL, AT_HOME, AWAY = 0, 1, 2
"""Venue as one side sees it, and the last axis of every array of rates: nobody's, its own, its opponent's."""
VENUES = 3

NOBODY = -1
"""Stands for the team at home where no team is."""
UNPLAYED = -1
"""Stands for the goals of a match to come."""


def team_numbers(teams: pd.DataFrame) -> dict[str, int]:
    """Return the row of every team code: the number that stands for it in all arrays here."""
    numbers = {str(code): row for row, code in enumerate(teams["code"])}
    if len(numbers) != len(teams):
        twice = teams["code"][teams["code"].duplicated()].iloc[0]
        raise ModelError(f"Team {twice} is listed twice. Keep one row per team.")
    return numbers


def number_of(code: str, numbers: Mapping[str, int]) -> int:
    """Return the number of one team, or say which code is unknown."""
    if code not in numbers:
        raise ModelError(f"No team has the code {code!r}. {did_you_mean(code, numbers)}")
    return numbers[code]


def paired_numbers(fixtures: pd.DataFrame, numbers: Mapping[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return (m, 2) home and away team of each fixture, and (m,) who is really at home or `NOBODY`."""
    pairs = [
        (number_of(home, numbers), number_of(away, numbers))
        for home, away in zip(fixtures["home"], fixtures["away"], strict=True)
    ]
    hosts = [number_of(code, numbers) if code else NOBODY for code in fixtures["at_home"]]
    return np.array(pairs, dtype=np.int16).reshape(-1, 2), np.array(hosts, dtype=np.int16)


def venue_of(pairs: np.ndarray, at_home: np.ndarray) -> np.ndarray:
    """Return the venue of both sides of (m, 2, ...) pairs, given who is at home in each match, (m,)."""
    host = at_home.reshape(-1, *[1] * (pairs.ndim - 1))
    return np.where(pairs == host, AT_HOME, np.where(pairs[:, ::-1] == host, AWAY, NEUTRAL)).astype(np.int8)


def checked_rates(rates: np.ndarray, teams: int) -> np.ndarray:
    """Return rates[team, opponent, venue] if all pairs of different teams have a positive one."""
    if rates.shape != (teams, teams, VENUES):
        due = (teams, teams, VENUES)
        raise ModelError(f"The rates have shape {rates.shape}; {teams} teams at {VENUES} venues need {due}.")
    pairs = rates[~np.eye(teams, dtype=bool)]
    if not (np.isfinite(pairs) & (pairs > 0)).all():
        raise ModelError("A rate of expected goals is not a positive number. Check the ratings of all teams.")
    return rates


@dataclass(frozen=True, slots=True, eq=False)
class GroupStage:
    """All group matches as columns: row i of every match array is match i. `read_group_stage` builds it."""

    letters: tuple[str, ...]  # (g,)
    members: np.ndarray  # (g, t) team numbers
    pairs: np.ndarray  # (m, 2) team numbers, nominal home side first
    at_home: np.ndarray  # (m,)   team really at home, or NOBODY
    goals: np.ndarray  # (m, 2) after 90 minutes, or UNPLAYED
    rounds: np.ndarray  # (m,)

    @property
    def venues(self) -> np.ndarray:
        """(m, 2) venue seen by the home and by the away side."""
        return venue_of(self.pairs, self.at_home)

    @property
    def played(self) -> np.ndarray:
        """(m,) whether the result is known."""
        return np.asarray((self.goals != UNPLAYED).all(axis=1))

    def rates(self, rates: np.ndarray) -> np.ndarray:
        """(m, 2) expected goals of both sides."""
        return np.asarray(rates[self.pairs, self.pairs[:, ::-1], self.venues])

    def simulate(self, rates: np.ndarray, simulations: int, rng: np.random.Generator) -> np.ndarray:
        """(m, 2, s) goals: the known ones as they are, the others drawn as independent Poisson counts.

        Independence is deliberate: the Dixon–Coles correction of international matches is about −.04, which
        moves a draw by one percentage point, less than what the ratings themselves leave open.
        """
        goals = np.repeat(self.goals[..., None].astype(np.int16), simulations, axis=2)
        coming = ~self.played
        expected = self.rates(rates)[coming, :, None]
        goals[coming] = rng.poisson(expected, (*expected.shape[:2], simulations))
        return goals

    def tables(self, goals: np.ndarray) -> np.ndarray:
        """(t, t, g, s) goals of seat i of a group against its seat j, from (m, 2, s) goals per match."""
        groups, seats = self._seats()
        size = self.members.shape[1]
        tables = np.zeros((size, size, len(self.letters), goals.shape[-1]), dtype=np.int16)
        group = groups[self.pairs[:, 0]]
        home, away = seats[self.pairs].T
        tables[home, away, group] = goals[:, 0]
        tables[away, home, group] = goals[:, 1]
        return tables

    def _seats(self) -> tuple[np.ndarray, np.ndarray]:
        """(n,) group and (n,) seat of every team."""
        groups, seats = np.empty((2, self.members.size), dtype=np.int16)
        groups[self.members], seats[self.members] = np.indices(self.members.shape)
        return groups, seats


def read_group_stage(teams: pd.DataFrame, fixtures: pd.DataFrame, knockout: Collection[str]) -> GroupStage:
    """Read the group matches: every fixture whose stage is not one of the knock-out stages."""
    numbers = team_numbers(teams)
    matches = fixtures[~fixtures["stage"].isin(list(knockout))]
    pairs, at_home = paired_numbers(matches, numbers)
    letters, members = _members(teams)
    _check_round_robin(members, pairs, tuple(numbers))
    goals = matches[["home_goals_90", "away_goals_90"]].fillna(UNPLAYED).to_numpy(dtype=np.int16)
    rounds = np.array([round_of(stage) for stage in matches["stage"]], dtype=np.int16)
    return GroupStage(letters, members, pairs, at_home, goals, rounds)


def round_of(stage: str) -> int:
    """Return the fantasy round in which a stage is played."""
    if stage not in STAGE_ROUND:
        raise ModelError(f"Stage {stage!r} has no round. {did_you_mean(stage, STAGE_ROUND)}")
    return STAGE_ROUND[stage]


def _members(teams: pd.DataFrame) -> tuple[tuple[str, ...], np.ndarray]:
    groups = teams["group"].to_numpy()
    letters = tuple(sorted({str(letter) for letter in groups}))
    members = [np.flatnonzero(groups == letter) for letter in letters]
    if len({len(group) for group in members}) != 1 or "" in letters:
        sizes = ", ".join(f"{x or 'none'} {len(group)}" for x, group in zip(letters, members, strict=True))
        raise ModelError(f"The groups must be of one size, every team in one; they have: {sizes}.")
    return letters, np.array(members, dtype=np.int16)


def _check_round_robin(members: np.ndarray, pairs: np.ndarray, codes: tuple[str, ...]) -> None:
    due = {frozenset(pair) for group in members.tolist() for pair in combinations(group, 2)}
    listed = [frozenset(pair) for pair in pairs.tolist()]
    wrong = due.symmetric_difference(listed) or {pair for pair in listed if listed.count(pair) > 1}
    if wrong:
        names = ", ".join(sorted("–".join(sorted(codes[team] for team in pair)) for pair in wrong)[:3])
        raise ModelError(f"Every pair of a group meets once; missing, twice or across groups: {names}.")


def rank_groups(stage: GroupStage, goals: np.ndarray, lots: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(t, g, s) teams by place and (g, s) places among the thirds, from (m, 2, s) goals and (n, s) lots."""
    tables = stage.tables(goals)
    seat_lots = lots[stage.members.T]
    places = group_places(tables, seat_lots)
    order = np.empty_like(places, dtype=np.int16)
    np.put_along_axis(order, places, stage.members.T[..., None], axis=0)
    return order, third_places(tables, places, seat_lots)


def match_points(tables: np.ndarray) -> np.ndarray:
    """(t, t, ...) points that seat i took from seat j."""
    against = tables.swapaxes(0, 1)
    points = (tables > against) * np.int8(WIN_POINTS) + (tables == against) * np.int8(DRAW_POINTS)
    points[np.diag_indices(len(points))] = 0
    return np.asarray(points)


def group_places(tables: np.ndarray, lots: np.ndarray) -> np.ndarray:
    """(t, ...) place of each seat, 0 = first, from (t, t, ...) goals; `lots` (t, ...) differ within a group.

    The order of the 2026 regulations: points; among the level teams points, goal difference, goals; then goal
    difference and goals of all matches. Conduct and world ranking, next in the order, are unknown here: lots.
    """
    size, shape = len(tables), tables.shape[2:]
    tables = tables.reshape(size, size, -1)
    points = match_points(tables)
    difference = tables - tables.swapaxes(0, 1)
    places = separate(np.zeros((size, tables.shape[2]), dtype=np.int8), points.sum(axis=1, dtype=np.int16))
    places = head_to_head(places, points, difference, tables)
    overall = (table.sum(axis=1, dtype=np.int16) for table in (difference, tables))
    return separate(places, *overall, lots.reshape(size, -1)).reshape(size, *shape)


def place_bounds(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(t, n) best and worst place when only who won, drew or lost is certain, not by how many goals."""
    points = match_points(tables)
    places = separate(np.zeros(points.shape[1:], dtype=np.int8), points.sum(axis=1, dtype=np.int16))
    best = head_to_head(places, points)
    level = (best[:, None] == best[None]).sum(axis=1, dtype=np.int8)
    return best, best + level - np.int8(1)


def head_to_head(places: np.ndarray, *criteria: np.ndarray) -> np.ndarray:
    """Split level places by the matches among the level teams; each criterion is (t, t, n), per opponent.

    All criteria are taken in turn over the teams that were level at first. Where that splits them but leaves
    some level, they are applied anew to the matches among those alone, as the regulations have it; they end
    where a pass splits nobody.
    """
    places = places.copy()
    tied = _tied(places)
    while tied.size:
        before = places[:, tied]
        level = before[:, None] == before[None]
        keys = [(criterion[:, :, tied] * level).sum(axis=1, dtype=np.int16) for criterion in criteria]
        places[:, tied] = separate(before, *keys)
        split = (places[:, tied] != before).any(axis=0)
        tied = tied[split & _is_tied(places[:, tied])]
    return places


def third_places(tables: np.ndarray, places: np.ndarray, lots: np.ndarray) -> np.ndarray:
    """(g, s) place of each group's third among all thirds, 0 = best: points, goal difference, goals, lots."""
    third = np.argmax(places == 2, axis=0)[None]
    scored, conceded = (tables.sum(axis=axis, dtype=np.int16) for axis in (1, 0))
    columns = (match_points(tables).sum(axis=1, dtype=np.int16), scored - conceded, scored, lots)
    keys = (np.take_along_axis(column, third, axis=0)[0] for column in columns)
    return separate(np.zeros(third.shape[1:], dtype=np.int8), *keys)


def separate(places: np.ndarray, *keys: np.ndarray) -> np.ndarray:
    """Split level places by each key in turn, the larger ahead. All (t, n); a place counts who is ahead."""
    places = places.copy()
    for key in keys:
        tied = _tied(places)
        before, value = places[:, tied], key[:, tied]
        after = before.copy()
        for one, other in combinations(range(len(places)), 2):
            level = before[one] == before[other]
            after[one] += level & (value[one] < value[other])
            after[other] += level & (value[other] < value[one])
        places[:, tied] = after
    return places


def _is_tied(places: np.ndarray) -> np.ndarray:
    """(n,) whether some place is shared: every shared pair lowers the sum 0 + 1 + … by one."""
    size = len(places)
    return np.asarray(places.sum(axis=0, dtype=np.int16) < size * (size - 1) // 2)


def _tied(places: np.ndarray) -> np.ndarray:
    return np.flatnonzero(_is_tied(places))
