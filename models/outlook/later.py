"""Signals of later rounds: what is believed now of each, in the very columns of the coming one.

So whatever looks at the coming round (line-ups, armband, fitness, boosters, draws) looks at a later one unchanged. Of a
match whose opponent is open, points are the mean over possible opponents, and team-mates share whether it takes place.
Kick-offs that are not announced are one slot, so there an armband is worth what it is when it cannot move.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import numpy as np
import pandas as pd

from models.armband.table import ArmbandTable
from models.forecast import ModelSettings, TeamForecast
from models.outlook.build import HORIZON, LaterBeliefs, later_beliefs, later_exposures, rounds_ahead
from models.players.chances import ABSENT, Chances
from models.players.minutes.playing_time import Minutes
from models.players.overrides import chance_after, read_overrides, tilted
from models.players.places import clean_sheets, place_players
from models.players.points import GRID, PointDistributions
from models.signals import Signals, confidence_in
from models.teams.goals import ScoreGrid
from models.together.covariance import Block, Covariance, covariance


def signals_ahead(
    signals: Signals,
    horizon: int = HORIZON,
    settings: ModelSettings | None = None,
    own: Mapping[int, pd.DataFrame] | None = None,
) -> tuple[Signals, ...]:
    """Return the signals of the coming round and of those after it, as far as the horizon or the competition goes.

    `own` are a manager's projections of later rounds: frames indexed by player id with a column xev.
    """
    settings = settings or ModelSettings.for_game(signals.rules)
    rounds = rounds_ahead(signals, horizon)[1:]
    if not rounds:
        return (signals,)
    beliefs, given = later_beliefs(signals, rounds, settings), own or {}
    parts = [_Part(signals, beliefs, turn) for turn in range(len(rounds))]
    return (
        signals,
        *(_signals(part, number, settings, given.get(number)) for part, number in zip(parts, rounds, strict=True)),
    )


class _Part:
    """The beliefs of one later round, cut out of those of all."""

    def __init__(self, signals: Signals, beliefs: LaterBeliefs, turn: int) -> None:
        self.signals, self.beliefs = signals, beliefs
        self.rows = slice(turn * len(signals), (turn + 1) * len(signals))
        self.taking_place = beliefs.taking_place[self.rows]
        self.start, self.p_play = beliefs.start[self.rows], beliefs.p_play[self.rows]
        self.points, self.given_match = self._cut(beliefs.points), self._cut(beliefs.given_match)
        self.chances = self._chances(turn)
        sides = len(signals.teams.strengths.codes)
        self.opponents = beliefs.legs.opponents[turn * sides : (turn + 1) * sides][signals.team]

    @property
    def minutes(self) -> Minutes:
        given = self.beliefs.minutes
        return Minutes(*(column[self.rows] for column in (given.start, given.state, given.share, given.evidence)))

    def _cut(self, points: PointDistributions) -> PointDistributions:
        return PointDistributions(
            points.mass[self.rows], {name: line[self.rows] for name, line in points.lines.items()}
        )

    def _chances(self, turn: int) -> Chances:
        """Return the chances of the round, should its matches take place, by player row and by match of the round."""
        legs, chances = self.beliefs.legs, self.beliefs.chances
        here = np.flatnonzero((chances.player >= self.rows.start) & (chances.player < self.rows.stop))
        matches = np.flatnonzero(legs.home // len(self.signals.teams.strengths.codes) == turn)
        columns = {name: getattr(chances, name)[here] for name in chances.__slots__ if name != "grid"}
        columns |= {"player": columns["player"] - self.rows.start, "match": np.searchsorted(matches, columns["match"])}
        return Chances(**columns, grid=ScoreGrid(legs.grid.probability[matches]))


def _signals(part: _Part, number: int, settings: ModelSettings, own: pd.DataFrame | None) -> Signals:
    now = part.signals
    given = read_overrides(own, now.player_id)
    points, playing = part.points, part.p_play
    if "xev" in given.columns:
        points, _ = tilted(part.points, given.columns["xev"])
        playing = chance_after(part.points, points, playing)
    teams = _teams(now.teams, number)
    place = place_players(pd.DataFrame({"team": now.codes}), teams.strengths.codes, teams.matches)
    xev, ceiling = points.mean, points.ceiling.astype(float)
    exposure = later_exposures(now, xev, ceiling, part.start, settings)[0]
    return replace(
        now,
        round=number,
        stage=now.rules.stage(number).name,
        deadline=_deadline(now, teams),
        teams=teams,
        start=part.start,
        p_play=playing,
        unavailable=np.asarray(playing <= 0),
        points=points,
        xev=xev,
        variance=points.variance,
        floor=points.floor.astype(float),
        ceiling=ceiling,
        clean_sheet=clean_sheets(part.chances, len(now)) * part.taking_place[:, None],
        slot=place.slot,
        kickoff=place.kickoff,
        opponents=part.opponents,
        exposure=exposure,
        best=None,
        covariance=_covariance(part, points.variance),
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=playing, slot=place.slot),
        chances=_perhaps(part.chances, part.taking_place),
        confidence=confidence_in(part.minutes, place.matches + (part.taking_place > 0)),
        overridden={name: given.given(name) for name in given.columns},
        crowd=(),
        notes=given.notes,
    )


def _teams(teams: TeamForecast, number: int) -> TeamForecast:
    """Return the forecast with the announced matches of a later round in the place of the coming ones."""
    fixtures = teams.calendar
    matches = fixtures[fixtures["round"] == number].reset_index(drop=True)
    later = fixtures[fixtures["round"] > number].reset_index(drop=True)
    return replace(teams, matches=matches, calendar=later, rotation=np.zeros_like(teams.rotation))


def _deadline(now: Signals, teams: TeamForecast) -> datetime:
    """Return when a later round closes; where no kick-off is announced, the deadline that all beliefs are of."""
    if teams.matches.empty:
        return now.deadline
    first: datetime = teams.matches["kickoff"].min().to_pydatetime()
    return first - timedelta(minutes=now.rules.deadline_minutes_before)


def _covariance(part: _Part, variance: np.ndarray) -> Covariance:
    """Return how players move together: as in their match, should it take place, and by whether it does at all."""
    mean, chance = part.given_match.mean, part.taking_place
    sure = chance >= 1
    match_variance = np.where(sure, variance, part.given_match.variance)
    held = covariance(part.chances, part.signals.rules, match_variance, owned=part.signals.owned)
    blocks = [block if sure[block.rows].all() else _perhaps_block(block, mean, chance) for block in held.blocks]
    return Covariance(tuple(blocks), len(variance))


def _perhaps_block(block: Block, mean: np.ndarray, chance: np.ndarray) -> Block:
    """Return the block of a team whose match takes place with a chance: the mean over it, and what the chance adds."""
    likely, given = chance[block.rows], mean[block.rows]
    root = np.sqrt(np.outer(likely, likely))  # one team, one chance: its root twice is the chance itself
    return Block(block.rows, root * (block.values + (1 - root) * np.outer(given, given)))


def _perhaps(chances: Chances, taking_place: np.ndarray) -> Chances:
    """Return the chances with absence wherever a match does not take place; drawn apart for every man."""
    likely = taking_place[chances.player][:, None]
    state = chances.state * likely
    state[:, ABSENT] += 1 - likely[:, 0]
    return replace(chances, state=state)
