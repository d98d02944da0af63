"""Team strength: results give attack, defence and Elo; with the price of the dearest they give goals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np
import pandas as pd
from scipy.linalg import solve
from scipy.sparse import csr_array, diags_array

from data.domain import Status
from data.errors import ModelError, UnknownError, did_you_mean
from models.teams.elo import elo_edge, elo_log_rate, fit_level, play_elo
from models.teams.goals import dixon_coles
from models.teams.past_matches import PastMatches, day_of, read_matches
from models.teams.rating_settings import RatingSettings

ELEVEN = 11

VENUES: tuple[int, ...] = (0, 1, -1)
"""The last axis of a rate matrix: neutral ground, the team at home, the opponent at home."""

NEWTON_STEPS = 50  # six suffice on internationals; capped steps on wild data need more
LARGEST_STEP = 2.0  # log goals a parameter may move at once: a full step from far away can overflow
CONVERGED = 1e-9
TINY_FACTOR = 1e-9  # keeps the logarithm finite where ρ makes a low score impossible


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """What results say: log goals of a against b = base + attack[a] − defence[b] (+ home if a is at home)."""

    teams: tuple[str, ...]
    attack: np.ndarray  # (n,) log goals above the average
    defence: np.ndarray  # (n,) log goals taken from an opponent
    elo: np.ndarray  # (n,) rating points
    matches: np.ndarray  # (n,) matches that attack and defence rest on
    base: float
    home: float
    rho: float
    elo_level: float  # log goals between equals on the Elo curve
    settings: RatingSettings


@dataclass(frozen=True, slots=True, eq=False)
class TeamStrengths:
    """The teams of a world in its own order, ready to give the expected goals of any pairing."""

    ratings: Ratings  # teams are the world's codes
    price: np.ndarray | None = None  # (n,) mean price of the eleven dearest, millions; None = not known
    scale: float = 1.0  # goals of this tournament over the ratings' expectation

    @property
    def codes(self) -> tuple[str, ...]:
        """The team codes; a team's number is its place here."""
        return self.ratings.teams

    @property
    def rho(self) -> float:
        """The low-score correction for a `ScoreGrid`."""
        return self.ratings.rho


def fit_ratings(
    results: pd.DataFrame, *, before: date | str, settings: RatingSettings, priors: pd.DataFrame | None = None
) -> Ratings:
    """Rate every team on the results dated strictly before the day of `before`.

    Needs the columns date, home_team, away_team, home_score, away_score; `tournament` tells friendlies, and
    without `neutral` every home side is at home. No result at all gives the starting values. `priors` are what attack
    and defence (columns) of a team (index) are drawn to, else 0.
    """
    named = () if priors is None else tuple(priors.index)
    history = read_matches(results, day_of(before), settings, named)
    recent = history.recent()
    elo = play_elo(
        history.home, history.away, history.goals @ [1, -1], history.hosted, len(history.teams), settings.elo
    )
    edge = elo.edge[history.weight > 0]
    goals = np.minimum(recent.goals, settings.goal_cap)
    level = fit_level(np.stack([edge, -edge], axis=1), goals, recent.weight[:, None], settings.elo)
    beta, rates = _fit_attack_and_defence(recent, _start(history.teams, priors, settings), settings)
    n = len(history.teams)
    return Ratings(
        teams=history.teams,
        attack=beta[2 : 2 + n],
        defence=beta[2 + n :],
        elo=elo.rating,
        matches=np.bincount(np.concatenate([recent.home, recent.away]), minlength=n),
        base=float(beta[0]),
        home=float(beta[1]),
        rho=_fit_rho(recent, rates, settings),
        elo_level=level,
        settings=settings,
    )


def _start(teams: Sequence[str], priors: pd.DataFrame | None, settings: RatingSettings) -> np.ndarray:
    """Return base, home, attacks and defences before any result."""
    known = pd.DataFrame(columns=["attack", "defence"], dtype=float) if priors is None else priors
    drawn = known.reindex(list(teams))[["attack", "defence"]].fillna(0.0).to_numpy(dtype=float)
    return np.concatenate([[settings.base_start, settings.home_start], drawn.T.ravel()])


def price_of_eleven(players: pd.DataFrame, codes: Sequence[str]) -> np.ndarray:
    """Return the mean price of each team's eleven dearest, in millions; who left the squad does not count."""
    squads = dearest_eleven(players, codes)
    if (squads["size"] < ELEVEN).any():
        short = ", ".join(f"{code} has {count:g}" for code, count in squads["size"].items() if count < ELEVEN)
        raise ModelError(f"Too few players to price an eleven: {short}. Complete the squads or rate without prices.")
    return np.asarray(squads["mean"], dtype=float)


def dearest_eleven(players: pd.DataFrame, codes: Sequence[str]) -> pd.DataFrame:
    """Return by team the `mean` price and the number (`size`) of its eleven dearest who have not left."""
    players = players[players["status"] != Status.TRANSFERRED]
    dearest = players.sort_values("price", ascending=False).groupby("team").head(ELEVEN).groupby("team")["price"]
    return dearest.agg(["mean", "size"]).reindex(list(codes)).fillna({"size": 0})


def team_strengths(ratings: Ratings, teams: pd.DataFrame, prices: np.ndarray | None = None) -> TeamStrengths:
    """Return the strengths of a world's teams (columns code and results_name), in the frame's order.

    `prices` is aligned with the teams, as `price_of_eleven` gives it; None rates on results alone.
    """
    rated = ratings.matches > (-1 if ratings.settings.newcomers else 0)
    known = {name: row for row, name in enumerate(ratings.teams) if rated[row]}
    names = list(teams["results_name"])
    for code, name in zip(teams["code"], names, strict=True):
        if name not in known and not ratings.settings.newcomers:
            raise UnknownError(
                f"{code} is called {name!r} in the results, where no such team has a recent match. "
                f"{did_you_mean(str(name), known)} Correct its results_name."
            )
    # One more row stands for a newcomer without a prior: average attack and defence, a fresh Elo.
    rows = np.array([known.get(name, -1) for name in names], dtype=int)
    newcomer = {"attack": 0.0, "defence": 0.0, "elo": ratings.settings.elo.start, "matches": 0}
    columns = {name: np.append(getattr(ratings, name), value)[rows] for name, value in newcomer.items()}
    return TeamStrengths(replace(ratings, teams=tuple(teams["code"]), **columns), prices)


def match_rates(strengths: TeamStrengths, team: np.ndarray, opponent: np.ndarray, at_home: np.ndarray) -> np.ndarray:
    """Return the goals `team` can expect in 90 minutes against `opponent`; arrays of team numbers broadcast.

    `at_home` is 1 where the team is really at home, −1 where the opponent is, 0 on neutral ground.
    """
    settings = strengths.ratings.settings
    own = _log_rate(strengths.ratings, team, opponent, at_home)
    other = _log_rate(strengths.ratings, opponent, team, -at_home)
    ratio = own - other
    if strengths.price is not None:
        gap = strengths.price[team] - strengths.price[opponent]
        priced = settings.price_slope * gap + settings.price_home * at_home
        ratio = (1 - settings.price_share) * ratio + settings.price_share * priced
    return np.asarray(strengths.scale * np.exp((own + other + ratio) / 2))


def rate_matrix(strengths: TeamStrengths) -> np.ndarray:
    """Return the rates of all pairings at all venues, shape (n, n, 3): team, opponent, `VENUES`.

    The diagonal, a team against itself, is never played.
    """
    team = np.arange(len(strengths.codes))
    return match_rates(strengths, team[:, None, None], team[None, :, None], np.array(VENUES))


def fixture_rates(strengths: TeamStrengths, fixtures: pd.DataFrame) -> np.ndarray:
    """Return the rates of both sides of each fixture (columns home, away, at_home), shape (m, 2)."""
    number = {code: row for row, code in enumerate(strengths.codes)}
    home, away = (fixtures[side].map(number).to_numpy(dtype=int) for side in ("home", "away"))
    host = fixtures["at_home"].to_numpy()
    at_home = np.where(host == fixtures["home"], 1, 0) - np.where(host == fixtures["away"], 1, 0)
    rates = match_rates(strengths, home, away, at_home), match_rates(strengths, away, home, -at_home)
    return np.stack(rates, axis=-1)


def scale_to_tournament(goals_seen: float, rate_seen: float, settings: RatingSettings) -> float:
    """Return the factor on all rates once a tournament has seen these goals and these unscaled rates."""
    return (settings.scale_goals + goals_seen) / (settings.scale_rate + rate_seen)


def _design(matches: PastMatches) -> csr_array:
    """Rows: all home goals, then all away goals. Columns: base, home, attacks, defences (negative)."""
    m, n = len(matches.home), len(matches.teams)
    one, zero = np.ones(m), np.zeros(m, dtype=int)
    attack, defence = 2, 2 + n
    home_columns = [zero, zero + 1, attack + matches.home, defence + matches.away]
    away_columns = [zero, zero + 1, attack + matches.away, defence + matches.home]
    values = [np.stack([one, hosted, one, -one], axis=1) for hosted in (matches.hosted, zero)]
    columns = np.concatenate([np.stack(side, axis=1) for side in (home_columns, away_columns)])
    starts = 4 * np.arange(2 * m + 1)
    return csr_array((np.concatenate(values).ravel(), columns.ravel(), starts), shape=(2 * m, 2 + 2 * n))


def _fit_attack_and_defence(
    matches: PastMatches, start: np.ndarray, settings: RatingSettings
) -> tuple[np.ndarray, np.ndarray]:
    """Return parameters and rates (m, 2): weighted Poisson likelihood less the ridge, by Newton's method."""
    design = _design(matches)
    scored = matches.scored.T.ravel()
    weight = np.tile(matches.weight, 2)
    ridge = np.full(design.shape[1], settings.ridge)
    ridge[:2] = settings.level_weight
    beta = start.copy()
    for _ in range(NEWTON_STEPS):
        expected = weight * np.exp(design @ beta)
        gradient = design.T @ (weight * scored - expected) - ridge * (beta - start)
        curvature = (design.T @ diags_array(expected) @ design).toarray() + np.diag(ridge)
        step = solve(curvature, gradient, assume_a="pos")
        size = float(np.abs(step).max())
        beta = beta + step * min(1.0, LARGEST_STEP / max(size, CONVERGED))
        if size < CONVERGED:
            return beta, np.exp(design @ beta).reshape(2, -1).T
    raise ModelError(f"Attack and defence did not settle in {NEWTON_STEPS} steps. Raise ridge ({settings.ridge:g}).")


def _fit_rho(matches: PastMatches, rates: np.ndarray, settings: RatingSettings) -> float:
    from scipy.optimize import minimize_scalar  # takes as long to load as all of this room: the page is drawn before

    low = (matches.goals <= 1).all(axis=1)
    home, away = matches.goals[low].astype(int).T
    rate, weight, row = rates[low], matches.weight[low], np.arange(np.count_nonzero(low))

    def loss(rho: float) -> float:
        factor = dixon_coles(rate[:, 0], rate[:, 1], np.array(rho))[row, home, away]
        surprise = -np.sum(weight * np.log(np.maximum(factor, TINY_FACTOR)))
        return float(surprise + ((rho - settings.rho_start) / settings.rho_sd) ** 2 / 2)

    limits = (-settings.rho_limit, settings.rho_limit)
    return float(minimize_scalar(loss, bounds=limits, method="bounded").x)


def _log_rate(ratings: Ratings, team: np.ndarray, opponent: np.ndarray, at_home: np.ndarray) -> np.ndarray:
    settings = ratings.settings
    results = ratings.base + ratings.attack[team] - ratings.defence[opponent] + ratings.home * (at_home == 1)
    edge = elo_edge(ratings.elo[team] - ratings.elo[opponent], at_home, settings.elo)
    elo = elo_log_rate(edge, ratings.elo_level, settings.elo)
    return np.asarray((1 - settings.elo_share) * results + settings.elo_share * elo)
