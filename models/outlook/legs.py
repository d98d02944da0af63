"""The matches of later rounds: those that are announced, and for the others the opponents a team may meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from models.competition.groups import AT_HOME, AWAY, NEUTRAL, NOBODY
from models.forecast import TeamForecast
from models.players.matchday import played_grid
from models.players.places import place_players
from models.teams.goals import ScoreGrid
from models.teams.ratings import fixture_rates

OPPOSITE = np.array([NEUTRAL, AWAY, AT_HOME])
"""The venue of one side as the other sees it."""

NAMED = 3
"""Opponents named at most where the fixture is open."""


@dataclass(frozen=True, slots=True, eq=False)
class Legs:
    """Matches of some rounds as columns. A side is a team in a round: number of the round × teams + team."""

    home: np.ndarray  # (k,) side
    away: np.ndarray  # (k,) side, or NOBODY where the opponent is open
    rates: np.ndarray  # (k, 2) expected goals of 90 minutes
    grid: ScoreGrid  # (k,) the score that points are paid for
    chance: np.ndarray  # (sides,) P(its match takes place), 0 without one
    opponents: np.ndarray  # (sides,) text such as "MEX (A)" or "MEX 60%, ESP 40%"
    day: np.ndarray  # (sides,) datetime64 of its last announced match, NaT without one

    def by_side(self, home: np.ndarray, away: np.ndarray) -> np.ndarray:
        """(sides,) mean over its matches of a figure that home and away sides (k,) have; 0 without one."""
        known = self.away != NOBODY
        side = np.concatenate([self.home, self.away[known]])
        size = len(self.chance)
        total = np.bincount(side, np.concatenate([home, away[known]]), size)
        return np.asarray(total / np.maximum(np.bincount(side, minlength=size), 1))

    @property
    def goals(self) -> tuple[np.ndarray, np.ndarray]:
        """(sides,) expected goals of a match for and against."""
        return self.by_side(*self.rates.T), self.by_side(*self.rates.T[::-1])

    @property
    def clean_sheet(self) -> np.ndarray:
        """(sides,) P(concedes nothing) in a match."""
        return self.by_side(self.grid.clean_sheet("home"), self.grid.clean_sheet("away"))


def coming_legs(teams: TeamForecast) -> Legs:
    """Return the matches of the coming round."""
    return _announced(teams, teams.matches, teams.match_rates, np.zeros(len(teams.matches), dtype=int), 1)


def later_legs(teams: TeamForecast, rounds: Sequence[int]) -> Legs:
    """Return the matches of later rounds, as far as they are announced, else the mean over possible opponents."""
    fixtures = teams.calendar[teams.calendar["round"].isin(list(rounds))].reset_index(drop=True)
    rates = fixture_rates(teams.strengths, fixtures)
    known = _announced(teams, fixtures, rates, np.searchsorted(rounds, fixtures["round"]), len(rounds))
    return _joined(known, *_open(teams, rounds, known.chance == 0), teams.strengths.codes)


def _announced(teams: TeamForecast, fixtures: pd.DataFrame, rates: np.ndarray, turn: np.ndarray, rounds: int) -> Legs:
    codes = teams.strengths.codes
    number = {code: row for row, code in enumerate(codes)}
    home, away = (turn * len(codes) + fixtures[side].map(number).to_numpy(dtype=int) for side in ("home", "away"))
    everybody = pd.DataFrame({"team": codes})
    places = [place_players(everybody, codes, fixtures[turn == number]) for number in range(rounds)]
    return Legs(
        home=home,
        away=away,
        rates=rates,
        grid=played_grid(rates, teams.strengths.rho, fixtures["stage"].isin(teams.knockouts).to_numpy()),
        chance=np.concatenate([place.matches > 0 for place in places]).astype(float),
        opponents=np.concatenate([place.opponents for place in places]).astype(object),
        day=np.concatenate([place.kickoff for place in places]).astype("datetime64[D]"),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Meetings:
    """Possible matches of sides without a fixture, in order of the side: row i of every array is the same pairing."""

    side: np.ndarray  # (k,)
    opponent: np.ndarray  # (k,) team
    weight: np.ndarray  # (k,) probability
    rates: np.ndarray  # (k, 2) of the side and of its opponent

    @property
    def first(self) -> np.ndarray:
        """Rows at which a new side begins."""
        return np.flatnonzero(np.diff(self.side, prepend=-1))

    def mean(self, values: np.ndarray) -> np.ndarray:
        """Return a figure (k, …) of each side, its possible matches weighted by their probability."""
        weight = self.weight.reshape(-1, *[1] * (values.ndim - 1))
        total = np.add.reduceat(values * weight, self.first, axis=0)
        return np.asarray(total / np.add.reduceat(weight, self.first, axis=0))


def _open(teams: TeamForecast, rounds: Sequence[int], free: np.ndarray) -> tuple[_Meetings, ScoreGrid]:
    """Return whom the sides without a fixture may meet, and the score grid of every such meeting."""
    progression = teams.progression
    columns = [progression.column(number) for number in rounds]
    meets = np.moveaxis(progression.meets[..., columns], -1, 0) * free.reshape(len(rounds), -1, 1, 1)
    turn, team, opponent, venue = np.nonzero(meets)
    rates = np.stack([teams.rates[team, opponent, venue], teams.rates[opponent, team, OPPOSITE[venue]]], axis=1)
    meetings = _Meetings(
        side=turn * len(progression.codes) + team,
        opponent=opponent,
        weight=meets[turn, team, opponent, venue],
        rates=rates,
    )
    return meetings, played_grid(rates, teams.strengths.rho, np.ones(len(rates), dtype=bool))


def _joined(known: Legs, open_: _Meetings, grid: ScoreGrid, codes: Sequence[str]) -> Legs:
    if not len(open_.side):
        return known
    side = open_.side[open_.first]
    chance, opponents = known.chance.copy(), known.opponents.copy()
    chance[side] = np.add.reduceat(open_.weight, open_.first)
    opponents[side] = [_likeliest(open_, number, codes) for number in side]
    mixed = np.concatenate([known.grid.probability, open_.mean(grid.probability)])
    return Legs(
        home=np.concatenate([known.home, side]),
        away=np.concatenate([known.away, np.full(len(side), NOBODY)]),
        rates=np.concatenate([known.rates, open_.mean(open_.rates)]),
        grid=ScoreGrid(mixed),
        chance=chance,
        opponents=opponents,
        day=known.day,
    )


def _likeliest(open_: _Meetings, side: int, codes: Sequence[str]) -> str:
    """Return the likeliest opponents of a side with their shares, should it play."""
    rows = open_.side == side
    chance = np.bincount(open_.opponent[rows], open_.weight[rows], len(codes))
    order = np.argsort(-chance, kind="stable")[: min(NAMED, np.count_nonzero(chance))]
    named = ", ".join(f"{codes[team]} {chance[team] / chance.sum():.0%}" for team in order)
    return f"{named}, …" if np.count_nonzero(chance) > NAMED else named
