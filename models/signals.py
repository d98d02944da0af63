"""All beliefs about the players of a round as aligned columns: the only door through which the engine sees models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

import numpy as np
import pandas as pd

from data.domain import POSITIONS, Crowd
from data.errors import InputError, ModelError
from data.rules import GameRules
from data.worlds.snapshot import Snapshot
from models.armband.table import ArmbandTable
from models.crowd.best_managers import best_owned
from models.crowd.eleven import fill_squads
from models.crowd.faults import crowd_flags
from models.crowd.field_view import FieldView
from models.crowd.ownership import Exposure, field_exposure
from models.forecast import ModelSettings, TeamForecast, forecast_teams
from models.notes import round_notes, stuck_notes
from models.players.chances import Chances
from models.players.matchday import round_chances
from models.players.minutes.later_minutes import Absences, Habits
from models.players.minutes.playing_time import RULED_OUT, UNAVAILABLE, Minutes, position_codes
from models.players.overrides import Overrides, chance_after, read_overrides, tilted
from models.players.places import chance_to_play, clean_sheets, place_players
from models.players.points import GRID, PointDistributions, point_distributions
from models.players.scorers import match_scorers
from models.players.shares.involvement import share_goals
from models.round_minutes import round_minutes
from models.teams.goals import score_grid
from models.together.covariance import Covariance, covariance

UNSEEN = 0.6
"""Confidence in minutes, as a factor, before a team has played: price and crowd name the right man six times in ten."""

SHOWN = ("price", "xev", "floor", "ceiling", "variance", "start", "owned")
"""Columns that people look at as they are."""


@dataclass(frozen=True, slots=True, eq=False)
class Signals:
    """Everything believed about the coming round: row i of every array is player i."""

    world: str
    round: int
    stage: str
    deadline: datetime
    checksum: str  # of the snapshot they were built from
    rules: GameRules
    teams: TeamForecast
    player_id: np.ndarray  # (n,)
    name: np.ndarray
    short: np.ndarray
    team: np.ndarray  # (n,) number of the team in `teams`
    position: np.ndarray  # (n,) 0 GK, 1 DEF, 2 MID, 3 FWD
    price: np.ndarray  # millions
    price_tonight: (
        np.ndarray
    )  # percent of the way to a rise, below 0 to a fall; NaN = not told; `data.domain.price_words`
    status: np.ndarray
    owned: np.ndarray  # share of managers
    start: np.ndarray  # P(starts his match)
    p_play: np.ndarray  # P(plays in the round at all)
    unavailable: np.ndarray  # (n,) whether he has no match, is ruled out or has left; not where the user starts him
    points: PointDistributions
    xev: np.ndarray  # expected points: the mean of the distribution
    variance: np.ndarray
    floor: np.ndarray  # P10
    ceiling: np.ndarray  # P90
    typical_xev: np.ndarray  # expected points against an average opponent, suspension served
    plays: np.ndarray  # (n, rounds) expected matches in each round of the competition
    clean_sheet: np.ndarray  # (n, most matches) P(his team concedes nothing), 0 for no match
    slot: np.ndarray  # kick-off slot of his last match in the round, 0 = first; 0 for no match
    kickoff: np.ndarray  # (n,) datetime64 of it, NaT for no match
    opponents: np.ndarray  # (n,) text such as "MEX (A)", "–" for no match
    exposure: Exposure  # of the field one plays against: all managers, unless another crowd was asked for
    best: Exposure | None  # of the best managers; None in a tournament, where nobody knows what they own
    covariance: Covariance
    armband: ArmbandTable
    chances: Chances
    habits: Habits
    confidence: np.ndarray  # 0..1: falls when minutes are unconfirmed
    overridden: Mapping[str, np.ndarray]  # column → (n,) whether the user gave it
    crowd: tuple[str, ...]  # where the field piles up or lags behind, as sentences
    provisional: tuple[str, ...]  # unconfirmed sections of the rulebook
    notes: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.player_id)

    @property
    def codes(self) -> np.ndarray:
        """(n,) team code of each player."""
        return np.asarray(np.array(self.teams.strengths.codes)[self.team])

    @property
    def rounds(self) -> tuple[int, ...]:
        """The rounds that `plays` has columns for."""
        return self.teams.progression.rounds

    @property
    def scoring_provisional(self) -> bool:
        """Whether a scoring line is unconfirmed, which makes every figure provisional."""
        return any(section.startswith(("scoring", "scouting")) for section in self.provisional)

    def against(self, crowd: Crowd) -> Signals:
        """Return the same beliefs with the exposure of a crowd; `owned` stays what all managers own."""
        if crowd is Crowd.ALL:
            return self
        if self.best is None:
            raise InputError(
                f"What the best managers own is not known in {self.world}: only in a league it can be told from how "
                f"ownership moves. Choose {Crowd.ALL} managers."
            )
        return replace(self, exposure=self.best)

    def row_of(self, player_id: int) -> int:
        """Return the row of a player."""
        rows = np.flatnonzero(self.player_id == player_id)
        if not rows.size:
            raise ModelError(f"Player {player_id} cannot be picked in round {self.round} of {self.world}.")
        return int(rows[0])

    def table(self) -> pd.DataFrame:
        """Return the columns people look at, one row per player."""
        return pd.DataFrame(
            {
                "player_id": self.player_id,
                "name": self.name,
                "team": self.codes,
                "position": np.array(POSITIONS)[self.position],
                "opponent": self.opponents,
                **{name: getattr(self, name) for name in SHOWN},
                "eo": self.exposure.eo,
                "confidence": self.confidence,
            }
        )


def build_signals(
    snapshot: Snapshot,
    rules: GameRules,
    settings: ModelSettings | None = None,
    rng: np.random.Generator | None = None,
    *,
    overrides: pd.DataFrame | None = None,
) -> Signals:
    """Turn what is known into what is believed.

    `overrides` is the user's own table, indexed by player_id, with any of xev, ceiling, floor, owned, captain_share,
    p_start. Without `rng` the simulation of the competition starts from seed 0.
    """
    settings = settings or ModelSettings.for_game(rules)
    _check_pool(snapshot, rules)
    players = snapshot.players
    given = read_overrides(overrides, players["player_id"].to_numpy())
    scorers = match_scorers(snapshot.goals, players, snapshot.teams)
    forecast = forecast_teams(snapshot, rules, settings, rng if rng is not None else np.random.default_rng(0))
    owned = given.over("owned", players["owned"].to_numpy(dtype=float))
    known = round_minutes(snapshot, forecast, settings, given)
    minutes = known.coming
    habits = Habits(
        minutes=minutes,
        usual=known.usual,
        shares=share_goals(snapshot, minutes, scorers, settings.involvement, settings.shares),
        absences=Absences.of(players, snapshot.deadline),
        standing=known.standing,
    )
    chances = round_chances(
        players, forecast.matches, forecast.match_rates, forecast.grid, minutes, habits.shares, settings.involvement
    )
    modelled = point_distributions(chances, rules, owned)
    points, stuck = tilted(modelled, given.columns["xev"]) if "xev" in given.columns else (modelled, None)
    playing = chance_after(modelled, points, chance_to_play(chances, len(players)))
    place = place_players(players, forecast.strengths.codes, forecast.matches)
    position = position_codes(players)
    ceiling = given.over("ceiling", points.ceiling.astype(float))
    start = np.where(place.matches > 0, minutes.start, 0.0)
    price = players["price"].to_numpy(dtype=float)
    view = FieldView(owned=owned, position=position, p_start=start, xev=points.mean, ceiling=ceiling, price=price)
    captains = given.over("captain_share", np.zeros(len(players))) if "captain_share" in given.columns else None
    field = partial(
        field_exposure,
        shape=rules.squad.places,
        lineups=rules.squad.lineups,
        settings=settings.ownership,
        captain_share=captains,
    )
    exposure, best = field(view), None
    if rules.kind == "league":
        ahead = best_owned(snapshot.market, players["player_id"].to_numpy(), owned)
        best = field(replace(view, owned=fill_squads(ahead, position, rules.squad.places)))
    notes = (*round_notes(snapshot, forecast, place, scorers), *given.notes, *stuck_notes(snapshot, stuck))
    return Signals(
        world=snapshot.world,
        round=snapshot.round,
        stage=snapshot.stage,
        deadline=snapshot.deadline,
        checksum=snapshot.checksum,
        rules=rules,
        teams=forecast,
        player_id=players["player_id"].to_numpy(),
        name=players["name"].to_numpy(dtype=str),
        short=players["short"].to_numpy(dtype=str),
        team=place.team,
        position=position,
        price=price,
        price_tonight=players["price_tonight"].fillna(0.0).to_numpy(dtype=float),
        status=players["status"].to_numpy(dtype=str),
        owned=exposure.owned,
        start=start,
        p_play=playing,
        unavailable=_unavailable(players["status"].to_numpy(), place.matches, playing, given),
        points=points,
        xev=points.mean,
        variance=points.variance,
        floor=given.over("floor", points.floor.astype(float)),
        ceiling=ceiling,
        typical_xev=_typical_xev(snapshot, rules, settings, forecast, habits, owned),
        plays=forecast.progression.plays[place.team],
        clean_sheet=clean_sheets(chances, len(players)),
        slot=place.slot,
        kickoff=place.kickoff,
        opponents=place.opponents,
        exposure=exposure,
        best=best,
        covariance=covariance(chances, rules, points.variance, owned=owned),
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=playing, slot=place.slot),
        chances=chances,
        habits=habits,
        confidence=confidence_in(minutes, place.matches),
        overridden={name: given.given(name) for name in given.columns},
        crowd=crowd_flags(exposure, view, players["team"].tolist(), players["name"].tolist(), settings.ownership),
        provisional=(*rules.unconfirmed(), *snapshot.differences["section"]),
        notes=(*notes, *exposure.notes),
    )


def _check_pool(snapshot: Snapshot, rules: GameRules) -> None:
    counts = snapshot.players[~snapshot.players["status"].isin(UNAVAILABLE)]["position"].value_counts()
    for position, needed in rules.squad.shape.items():
        if counts.get(position, 0) < needed:
            raise ModelError(
                f"Round {snapshot.round} of {snapshot.world} has {counts.get(position, 0)} {position} to choose from, "
                f"but a squad needs {needed}. Refresh or complete the players."
            )


def _unavailable(status: np.ndarray, matches: np.ndarray, playing: np.ndarray, given: Overrides) -> np.ndarray:
    """Return (n,) who cannot be counted on at all; a user who gives a man minutes or points knows better."""
    claimed = np.zeros(len(status), dtype=bool)
    for column in ("p_start", "xev"):
        if column in given.columns:
            claimed |= given.given(column) & (given.over(column, np.zeros(len(status))) > 0)
    return np.asarray((matches == 0) | (playing <= 0) | (np.isin(status, RULED_OUT) & ~claimed))


def _typical_xev(
    snapshot: Snapshot,
    rules: GameRules,
    settings: ModelSettings,
    forecast: TeamForecast,
    habits: Habits,
    owned: np.ndarray,
) -> np.ndarray:
    """Return what each player is expected to score against an average opponent still in the competition."""
    players = snapshot.players
    coming = forecast.progression.plays[:, forecast.progression.column(snapshot.round)] > 0
    alive = coming if coming.sum() > 1 else np.ones(len(coming), dtype=bool)
    others = alive[None, :] & ~np.eye(len(alive), dtype=bool)
    # A league's matches are played at home or away, half of them each; a tournament's on neutral ground.
    usual = forecast.rates[:, :, 1:].mean(axis=2) if rules.kind == "league" else forecast.rates[:, :, 0]
    scored = (usual * others).sum(axis=1) / others.sum(axis=1)
    conceded = (usual.T * others).sum(axis=1) / others.sum(axis=1)
    rates = np.stack([scored, conceded], axis=1)
    codes = list(forecast.strengths.codes)
    alone = pd.DataFrame({"home": codes, "away": [""] * len(codes)})
    grid = score_grid(rates[:, 0], rates[:, 1], forecast.strengths.rho)
    chances = round_chances(players, alone, rates, grid, habits.usual, habits.shares, settings.involvement)
    return point_distributions(chances, rules, owned).mean


def confidence_in(minutes: Minutes, matches: np.ndarray) -> np.ndarray:
    """Return the chance of his likeliest minutes state, less where price and crowd are all there is to go by."""
    likeliest = minutes.state.max(axis=1)
    return np.where(matches > 0, likeliest * (UNSEEN + (1 - UNSEEN) * minutes.evidence), 0.0)
