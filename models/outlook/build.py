"""All beliefs about the coming rounds as aligned columns: what a plan over rounds looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.errors import ModelError
from models.crowd.field_view import FieldView
from models.crowd.ownership import Exposure, field_exposure
from models.forecast import ModelSettings
from models.outlook.legs import Legs, coming_legs, later_legs
from models.players.chances import Chances
from models.players.matchday import round_chances
from models.players.minutes.later_minutes import FIT
from models.players.minutes.playing_time import UNAVAILABLE, Minutes
from models.players.places import chance_to_play
from models.players.points import GRID, PointDistributions, point_distributions
from models.players.shares.involvement import Involvement
from models.signals import Signals

HORIZON = 8
"""Rounds an outlook sees at most, the coming one among them: minutes were fitted that far."""

NO_SIDE = -2
"""Stands for the team of who has left: he has no match."""


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """Everything believed of the coming rounds: row i of every array is player i, column j the round `rounds[j]`.

    The first column is the coming round as the signals have it.
    """

    rounds: tuple[int, ...]
    player_id: np.ndarray  # (n,)
    xev: np.ndarray  # (n, r) and so on: expected points
    variance: np.ndarray
    p_play: np.ndarray  # P(plays at all), and that his team does
    matches: np.ndarray  # expected matches of his team
    opponents: np.ndarray  # text such as "MEX (A)", "MEX 60%, ESP 40%" where it is open, "–" for no match
    goals_for: np.ndarray  # expected goals of his team in a match, mean over its matches; 0 without one
    goals_against: np.ndarray  # the same of its opponents: how difficult it is
    clean_sheet: np.ndarray  # P(his team concedes nothing) in a match, mean over its matches; 0 without one
    eo: np.ndarray  # the field's exposure, were it to keep its squads; sums to 12 in each round

    def __len__(self) -> int:
        return len(self.player_id)


def build_outlook(signals: Signals, horizon: int = HORIZON, settings: ModelSettings | None = None) -> Outlook:
    """Return what is believed now of the next rounds, up to the horizon or the end of the competition.

    Minutes are drawn to the typical and injuries heal as measured; ratings and shares stay what they are.
    """
    settings = settings or ModelSettings.for_game(signals.rules)
    rounds = rounds_ahead(signals, horizon)
    columns = _columns(signals, coming_legs(signals.teams), rounds[:1]) | _coming(signals)
    if len(rounds) > 1:
        beliefs = later_beliefs(signals, rounds[1:], settings)
        found = _later(signals, beliefs, len(rounds) - 1, settings)
        later = _columns(signals, beliefs.legs, rounds[1:]) | found
        columns = {name: np.concatenate([column, later[name]], axis=1) for name, column in columns.items()}
    return Outlook(rounds=rounds, player_id=signals.player_id, **columns)


def rounds_ahead(signals: Signals, horizon: int) -> tuple[int, ...]:
    """Return the coming round and those after it, up to the horizon or the end of the competition."""
    if not 1 <= horizon <= HORIZON:
        raise ModelError(f"An outlook over {horizon} rounds cannot be built. Choose 1 to {HORIZON}.")
    return tuple(number for number in signals.rounds if signals.round <= number < signals.round + horizon)


def _columns(signals: Signals, legs: Legs, rounds: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Return what a player's team tells of him."""
    scored, conceded = legs.goals
    by_side = {
        "opponents": legs.opponents,
        "goals_for": scored,
        "goals_against": conceded,
        "clean_sheet": legs.clean_sheet,
    }
    columns = {name: side.reshape(len(rounds), -1).T[signals.team] for name, side in by_side.items()}
    return columns | {"matches": signals.plays[:, [signals.rounds.index(number) for number in rounds]]}


def _coming(signals: Signals) -> dict[str, np.ndarray]:
    found = {
        "xev": signals.xev,
        "variance": signals.variance,
        "p_play": signals.p_play,
        "eo": signals.exposure.eo,
    }
    return {name: column[:, None] for name, column in found.items()}


@dataclass(frozen=True, slots=True, eq=False)
class LaterBeliefs:
    """Beliefs of later rounds, all in one go: row of a player in a round = number of it × n + player."""

    legs: Legs
    minutes: Minutes
    chances: Chances  # should the match take place
    taking_place: np.ndarray  # P(his team plays)
    given_match: PointDistributions  # points, should it
    points: PointDistributions
    start: np.ndarray  # P(starts)
    p_play: np.ndarray  # P(plays at all)


def later_beliefs(signals: Signals, rounds: tuple[int, ...], settings: ModelSettings) -> LaterBeliefs:
    """Return what is believed now of some later rounds."""
    legs = later_legs(signals.teams, rounds)
    minutes = _later_minutes(signals, legs, rounds, settings)
    chances = _later_chances(signals, legs, minutes, settings)
    taking_place = legs.chance[_sides(signals, len(rounds))]
    given_match = point_distributions(chances, signals.rules, np.tile(signals.owned, len(rounds)))
    return LaterBeliefs(
        legs=legs,
        minutes=minutes,
        chances=chances,
        taking_place=taking_place,
        given_match=given_match,
        points=_perhaps(given_match, taking_place),
        start=minutes.start * taking_place,
        p_play=taking_place * chance_to_play(chances, len(minutes.start)),
    )


def _later(signals: Signals, beliefs: LaterBeliefs, rounds: int, settings: ModelSettings) -> dict[str, np.ndarray]:
    points = beliefs.points
    exposures = later_exposures(signals, points.mean, points.ceiling.astype(float), beliefs.start, settings)
    found = {
        "xev": points.mean,
        "variance": points.variance,
        "p_play": beliefs.p_play,
        "eo": np.concatenate([exposure.eo for exposure in exposures]),
    }
    return {name: column.reshape(rounds, -1).T for name, column in found.items()}


def _sides(signals: Signals, rounds: int) -> np.ndarray:
    """(rounds × n,) the side that each player belongs to in each round."""
    teams = len(signals.teams.strengths.codes)
    return np.asarray((np.arange(rounds)[:, None] * teams + signals.team).ravel())


def _later_minutes(signals: Signals, legs: Legs, rounds: tuple[int, ...], settings: ModelSettings) -> Minutes:
    habits, keeper = signals.habits, signals.position == 0
    claimed = signals.overridden.get("p_start", np.zeros(len(signals), dtype=bool))  # the user knows better
    rested = signals.teams.rotation[signals.team] > 0
    days = legs.day[_sides(signals, len(rounds))].reshape(len(rounds), -1)
    states = []
    for number, day in zip(rounds, days, strict=True):
        kind = np.where(claimed, FIT, habits.absences.kinds(day))
        now = claimed | ((kind == FIT) & ~rested)
        base = np.where(now[:, None], habits.minutes.state, habits.usual.state)
        states.append(settings.later_minutes.state(base, keeper, kind, habits.standing, number - signals.round))
    state = np.concatenate(states)
    sixty = np.tile(np.array(settings.minutes.sixty_if_started)[signals.position], len(rounds))
    share = np.tile(habits.minutes.share, (len(rounds), 1))
    evidence = np.tile(habits.minutes.evidence, len(rounds))
    return Minutes(np.minimum(state[:, 2] / sixty, 1 - state[:, 0]), state, share, evidence)


def _later_chances(signals: Signals, legs: Legs, minutes: Minutes, settings: ModelSettings) -> Chances:
    rounds = len(minutes.start) // len(signals)
    left = np.tile(np.isin(signals.status, UNAVAILABLE), rounds)
    players = pd.DataFrame(
        {
            "team": np.where(left, NO_SIDE, _sides(signals, rounds)),
            "position": np.tile(np.array(POSITIONS)[signals.position], rounds),
        }
    )
    shares = signals.habits.shares
    tiled = Involvement(
        goal=np.tile(shares.goal, rounds),
        assist=np.tile(shares.assist, rounds),
        rates={name: np.tile(rate, rounds) for name, rate in shares.rates.items()},
    )
    matches = pd.DataFrame({"home": legs.home, "away": legs.away})
    return round_chances(players, matches, legs.rates, legs.grid, minutes, tiled, settings.involvement)


def _perhaps(points: PointDistributions, chance: np.ndarray) -> PointDistributions:
    """Return the distributions of matches that take place with a chance (n,) only."""
    mass = points.mass * chance[:, None]
    mass[:, GRID == 0] += 1 - chance[:, None]
    return PointDistributions(mass, {name: line * chance for name, line in points.lines.items()})


def later_exposures(
    signals: Signals, xev: np.ndarray, ceiling: np.ndarray, start: np.ndarray, settings: ModelSettings
) -> list[Exposure]:
    """Return by round the exposure of a field that keeps its squads and starts and captains whom the round favours.

    Expected points, ceilings and chances to start (rounds × n,) are those of some rounds, one after the other.
    """
    squad = signals.rules.squad
    found = []
    for rows in np.arange(len(start)).reshape(-1, len(signals)):
        view = FieldView(
            owned=signals.exposure.owned,
            position=signals.position,
            p_start=start[rows],
            xev=xev[rows],
            ceiling=ceiling[rows],
            price=signals.price,
        )
        found.append(field_exposure(view, squad.places, squad.lineups, settings.ownership))
    return found
