"""All beliefs about the coming rounds as aligned columns: what a plan over rounds looks at."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.domain import POSITIONS
from data.errors import ModelError
from models.crowd.field_view import FieldView
from models.crowd.ownership import field_exposure
from models.forecast import ModelSettings
from models.outlook.legs import Legs, coming_legs, later_legs
from models.players.chances import Chances
from models.players.involvement import Involvement
from models.players.later_minutes import FIT
from models.players.matchday import round_chances
from models.players.minutes import UNAVAILABLE, Minutes
from models.players.places import chance_to_play
from models.players.points import GRID, PointDistributions, point_distributions
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
    if not 1 <= horizon <= HORIZON:
        raise ModelError(f"An outlook over {horizon} rounds cannot be built. Choose 1 to {HORIZON}.")
    settings = settings or ModelSettings.for_game(signals.rules)
    rounds = tuple(number for number in signals.rounds if signals.round <= number < signals.round + horizon)
    columns = _columns(signals, coming_legs(signals.teams), rounds[:1]) | _coming(signals)
    if len(rounds) > 1:
        legs = later_legs(signals.teams, rounds[1:])
        later = _columns(signals, legs, rounds[1:]) | _later(signals, legs, rounds[1:], settings)
        columns = {name: np.concatenate([column, later[name]], axis=1) for name, column in columns.items()}
    return Outlook(rounds=rounds, player_id=signals.player_id, **columns)


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


def _later(signals: Signals, legs: Legs, rounds: tuple[int, ...], settings: ModelSettings) -> dict[str, np.ndarray]:
    """Return the beliefs of later rounds, all in one go: row of a player in a round = number of it × n + player."""
    minutes = _later_minutes(signals, legs, rounds, settings)
    chances = _later_chances(signals, legs, minutes, settings)
    size = len(minutes.start)
    taking_place = legs.chance[_sides(signals, len(rounds))]
    points = _perhaps(point_distributions(chances, signals.rules, np.tile(signals.owned, len(rounds))), taking_place)
    start = minutes.start * taking_place
    found = {
        "xev": points.mean,
        "variance": points.variance,
        "p_play": taking_place * chance_to_play(chances, size),
        "eo": _exposure(signals, points, start, len(rounds), settings),
    }
    return {name: column.reshape(len(rounds), -1).T for name, column in found.items()}


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
        states.append(settings.later_minutes.state(base, keeper, kind, number - signals.round))
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


def _exposure(
    signals: Signals, points: PointDistributions, start: np.ndarray, rounds: int, settings: ModelSettings
) -> np.ndarray:
    """(rounds × n,) the exposure of a field that keeps its squads and starts and captains whom the round favours."""
    squad, found = signals.rules.squad, []
    for rows in np.arange(len(start)).reshape(rounds, -1):
        view = FieldView(
            owned=signals.owned,
            position=signals.position,
            p_start=start[rows],
            xev=points.mean[rows],
            ceiling=points.ceiling[rows].astype(float),
            price=signals.price,
        )
        found.append(field_exposure(view, squad.places, squad.lineups, settings.ownership).eo)
    return np.concatenate(found)
