"""Draw every match once, then deal points to all its players: team-mates share one score and its goals."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from data.errors import ModelError
from data.rules import GameRules
from data.scoring import line_points, lines_by_event, pay, scouted
from models.players.bonus import bonus_chances
from models.players.chances import ABSENT, FULL, SHORT, Chances
from models.players.payout import COUNTED, DEFENSIVE_SPREAD, RARE
from models.together.goal_credit import credit_goals, tally

AT_ONCE = 2_500
"""Simulations of a match held at once: its arrays (about 50 players) then fit the processor's cache."""

ALMOST_SURE = 1 - 1e-12
"""The likeliest event: certainty itself would need endlessly many tries."""


@dataclass(frozen=True, slots=True, eq=False)
class Deal:
    """Simulated rounds: row s of every array is simulation s; a player's matches of the round are summed."""

    points: np.ndarray  # (n, players) int16
    played: np.ndarray  # (n, players) bool: took the field in a match of the round
    full: np.ndarray  # (n, players) bool: 60 minutes or more in a match of the round
    scores: np.ndarray  # (n, matches, 2) int8: home goals, away goals

    def __post_init__(self) -> None:
        if not self.points.shape == self.played.shape == self.full.shape or len(self.scores) != len(self.points):
            shapes = [array.shape for array in (self.points, self.played, self.full, self.scores)]
            raise ModelError(f"A deal needs points, played, full and scores of the same simulations, not {shapes}.")
        for array in (self.points, self.played, self.full, self.scores):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.points)


def deal(
    chances: Chances,
    rules: GameRules,
    n: int,
    rng: np.random.Generator,
    *,
    owned: np.ndarray,
    wanted: np.ndarray | None = None,
) -> Deal:
    """Return `n` simulated rounds of all players; the same generator state gives the same bytes.

    `owned` (players,) decides who may earn the scouting bonus. Where only some players are `wanted` (rows), the others
    take their goals and assists and are left at nothing: less than half of the work, and other draws.
    """
    players = len(owned)
    asked = np.arange(players) if wanted is None else np.unique(wanted)
    scores = chances.grid.sample(rng, n).astype(np.int8)
    points = np.zeros((n, players), dtype=np.int16)
    played, full = np.zeros((n, players), dtype=bool), np.zeros((n, players), dtype=bool)
    open_to = scouted(owned, rules)
    for match in np.unique(chances.match):
        men = _Men.of(chances, np.flatnonzero(chances.match == match))
        places = np.flatnonzero(np.isin(chances.player[men.rows], asked))
        columns = chances.player[men.rows[places]]
        for start in range(0, n, AT_ONCE):
            part = slice(start, start + AT_ONCE)
            drawn = _draw(men, scores[part, match], rng).of(places)
            earned = _earned(drawn, rules, rng)
            earned += _paid_afterwards(drawn, earned, rules, open_to[columns], rng)
            points[part, columns] += earned.T
            played[part, columns] |= (drawn.state != ABSENT).T
            full[part, columns] |= (drawn.state == FULL).T
    return Deal(points=points, played=played, full=full, scores=scores)


@dataclass(frozen=True, slots=True, eq=False)
class _Men:
    """The players of one match; k of them."""

    rows: np.ndarray  # (k,) rows of the table of beliefs
    chances: Chances
    minutes: np.ndarray  # (k, 3) whole minutes

    @classmethod
    def of(cls, chances: Chances, rows: np.ndarray) -> _Men:
        return cls(rows, chances, chances.state_minutes[rows])

    def column(self, name: str) -> np.ndarray:
        return np.asarray(getattr(self.chances, name)[self.rows])


@dataclass(frozen=True, slots=True, eq=False)
class _Drawn:
    """What some simulations of a match brought its players: arrays (k, b)."""

    men: _Men
    state: np.ndarray
    minutes: np.ndarray  # whole
    share: np.ndarray  # of the 90 minutes
    against: np.ndarray  # goals the team let in
    goals: np.ndarray
    assists: np.ndarray

    def of(self, places: np.ndarray) -> _Drawn:
        """Return what they brought some of the players."""
        if len(places) == len(self.men.rows):
            return self
        men = _Men.of(self.men.chances, self.men.rows[places])
        return _Drawn(men, *(getattr(self, one.name)[places] for one in fields(self)[1:]))


def _draw(men: _Men, score: np.ndarray, rng: np.random.Generator) -> _Drawn:
    state = _states(men.column("state"), len(score), rng)
    away = men.column("away").astype(bool)
    goals, assists = np.zeros(state.shape, dtype=np.int16), np.zeros(state.shape, dtype=np.int16)
    for side in (0, 1):
        team = np.flatnonzero(away == bool(side))
        goal = _in_state(men.column("goal")[team], state[team])
        assist = _in_state(men.column("assist")[team], state[team])
        goals[team], assists[team] = credit_goals(goal, assist, score[:, side], rng)
    return _Drawn(
        men=men,
        state=state,
        minutes=_in_state(men.minutes, state),
        share=_in_state(men.column("minutes"), state),
        against=np.where(away[:, None], score[:, 0], score[:, 1]),
        goals=goals,
        assists=assists,
    )


def _states(probability: np.ndarray, count: int, rng: np.random.Generator) -> np.ndarray:
    chance = rng.random((len(probability), count))
    not_absent = chance >= probability[:, [ABSENT]]
    not_short = chance >= probability[:, [ABSENT]] + probability[:, [SHORT]]
    return np.asarray(not_absent.astype(np.int8) + (not_short & (probability[:, [FULL]] > 0)))


def _in_state(by_state: np.ndarray, state: np.ndarray) -> np.ndarray:
    return np.asarray(np.take_along_axis(by_state, state.astype(np.intp), axis=1))


def _earned(drawn: _Drawn, rules: GameRules, rng: np.random.Generator) -> np.ndarray:
    """Return the points of every line but those paid afterwards; an event is drawn once, for whom it pays."""
    points = np.zeros(drawn.state.shape, dtype=np.int16)
    position = drawn.men.column("position")
    for event, lines in lines_by_event(rules).items():
        paid = np.flatnonzero(np.any([pay(line, position) for line in lines], axis=0))
        if not paid.size:
            continue
        counts = _counts(event, drawn, paid, rng)
        for line in lines:
            points[paid] += line_points(line, counts, position[paid], drawn.minutes[paid]).astype(np.int16)
    return points


def _counts(event: str, drawn: _Drawn, rows: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw the counts of an event for some rows of the match."""

    def mean(name: str) -> np.ndarray:
        return np.asarray(drawn.men.column(name)[rows, None] * drawn.share[rows])

    match event:
        case "minutes":
            return np.asarray(drawn.minutes[rows])
        case "goals":
            return np.asarray(drawn.goals[rows])
        case "assists":
            return np.asarray(drawn.assists[rows])
        case "clean_sheet":
            return np.asarray((drawn.against[rows] == 0) & (drawn.state[rows] == FULL))
        case "goals_conceded":
            return np.asarray(rng.binomial(drawn.against[rows], drawn.share[rows].clip(max=1.0)))
        case "free_kick_goals":
            return np.asarray(rng.binomial(drawn.goals[rows], drawn.men.column("free_kick")[rows, None]))
        case "chances_created":
            return np.asarray(drawn.assists[rows] + rng.poisson(mean("chances")))
        case "shots_on_target":
            return np.asarray(drawn.goals[rows] + rng.poisson(mean("shots")))
        case "defensive_contributions":
            success = DEFENSIVE_SPREAD / (DEFENSIVE_SPREAD + mean("defensive"))
            return np.asarray(rng.negative_binomial(DEFENSIVE_SPREAD, success))
        case _ if event in RARE:
            return _at_most_once(drawn.men.column(RARE[event])[rows], drawn.share[rows], rng)
        case _ if event in COUNTED:
            return np.asarray(rng.poisson(mean(COUNTED[event])))
    raise ModelError(f"No belief says how often {event!r} happens, which the rulebook pays for.")


def _at_most_once(rate: np.ndarray, share: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Draw whether (k, b) an event of chance (k,) in a whole match happens in shares (k, b) of its minutes.

    Tries are scattered over the simulations, and those beyond a player's chance there are struck out: the work is
    that of the few events, not of the many simulations.
    """
    tries = _tries(rate * share.max(axis=1))
    row = np.repeat(np.arange(len(rate)), rng.poisson(tries * share.shape[1]))
    simulation = rng.integers(share.shape[1], size=len(row))
    kept = rng.random(len(row)) * tries[row] < _tries(rate[row] * share[row, simulation])
    return np.asarray(tally(row[kept], simulation[kept], share.shape) > 0)


def _tries(chance: np.ndarray) -> np.ndarray:
    """Return the mean of a Poisson count that is above 0 with this chance."""
    return np.asarray(-np.log1p(-np.minimum(chance, ALMOST_SURE)))


def _likely_bonus(drawn: _Drawn, rng: np.random.Generator) -> np.ndarray:
    """Draw the bonus of each player (k, b) by his goals, assists and clean sheet."""
    full, sheet = (drawn.state == FULL).astype(int), (drawn.against == 0).astype(int)
    chance = bonus_chances(drawn.men.column("position")[:, None], full, drawn.goals, drawn.assists, sheet)
    more = rng.random(drawn.state.shape)[..., None] >= chance.cumsum(axis=-1)[..., :-1]
    return np.asarray(more.sum(axis=-1) * (drawn.state != ABSENT))


def _paid_afterwards(
    drawn: _Drawn, earned: np.ndarray, rules: GameRules, open_to: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return the bonus and the scouting bonus, which hang on the points of all other lines."""
    extra = np.zeros_like(earned)
    position = drawn.men.column("position")
    for line in rules.scoring.values():
        if line.event == "bonus":
            counts = _likely_bonus(drawn, rng)
            extra += line_points(line, counts, position, drawn.minutes).astype(np.int16)
    if rules.scouting is not None:
        reached = open_to[:, None] & (earned + extra > rules.scouting.points_above)
        extra += (reached * rules.scouting.points).astype(np.int16)
    return extra
