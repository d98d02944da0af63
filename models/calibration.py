"""How good the beliefs are: walk the known rounds forward, without looking ahead, and compare with simple baselines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from data.domain import POSITIONS
from data.errors import InputError
from data.rules import GameRules
from data.worlds.world import World
from models.players.minutes import UNAVAILABLE
from models.players.points import GRID
from models.signals import Signals, build_signals

BASELINES = {"constant": "one", "price": "paid", "crowd": "crowd_log"}
"""Forecasts to beat, and the one column each looks at."""

RELEVANT_OWNED = 0.01
RELEVANT_DEAREST = 11
LEAST_OWNED = 0.0005  # ownership below this tells nothing apart
CENTRAL = (0.1, 0.9)
BINS = 10  # of equal size, of the plot of expected against official points
ADVANCE = ["code", "p_advance", "advanced"]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """What was believed at each deadline beside what happened."""

    # one row per player-round: round, player_id, team, position, owned, relevant, points, model, baselines, pit
    players: pd.DataFrame
    # one row per match: round, home_goals, away_goals, p_home, p_draw, p_away, sheet_home, sheet_away
    matches: pd.DataFrame
    # per team before the first round walked: code, p_advance, advanced; empty where it is not known or not open
    advance: pd.DataFrame


def known_rounds(world: World) -> tuple[int, ...]:
    """Return the rounds whose official points are known."""
    scored = set(world.tables["points"]["round"])
    return tuple(number for number in world.rounds if number in scored)


def walk_forward(world: World, rules: GameRules, rounds: tuple[int, ...], seed: int) -> Iterator[Walk]:
    """Yield the walk as it grows, round after round in the order of play; the last one is complete."""
    _check_rounds(world, rounds)
    players: list[pd.DataFrame] = []
    matches: list[pd.DataFrame] = []
    advance = pd.DataFrame(columns=ADVANCE)
    for number in sorted(set(rounds)):
        model_rng, pit_rng = np.random.default_rng([seed, number]).spawn(2)
        signals = build_signals(world.at(number), rules, rng=model_rng)
        players.append(_player_rounds(world, signals, pd.concat(players) if players else None, pit_rng))
        matches.append(_match_rounds(world, signals))
        if number == min(rounds) and rules.kind == "tournament":
            advance = _advance(world, signals)
        yield Walk(pd.concat(players, ignore_index=True), pd.concat(matches, ignore_index=True), advance)


def point_errors(players: pd.DataFrame) -> pd.DataFrame:
    """Return RMSE and rank correlation of model and baselines, for the relevant player-rounds and for all."""
    rows = []
    for name, part in (("relevant", players[players["relevant"]]), ("all", players)):
        for column in ("model", *BASELINES):
            error = float(np.sqrt(((part[column] - part["points"]) ** 2).mean()))
            constant = part[column].nunique() < 2
            rank = float("nan") if constant else float(spearmanr(part[column], part["points"]).statistic)
            rows.append({"players": name, "forecast": column, "rmse": error, "spearman": rank, "rows": len(part)})
    return pd.DataFrame(rows)


def match_errors(matches: pd.DataFrame) -> dict[str, float]:
    """Return 1X2 log-loss, ranked probability score and clean-sheet Brier score beside that of the base rate."""
    outcome = np.stack([matches["p_home"], matches["p_draw"], matches["p_away"]], axis=1)
    lead = np.sign(matches["home_goals"] - matches["away_goals"]).to_numpy(dtype=int)
    happened = np.eye(3)[1 - lead]
    sheets = np.concatenate([matches["sheet_home"], matches["sheet_away"]])
    kept = np.concatenate([matches["away_goals"] == 0, matches["home_goals"] == 0]).astype(float)
    return {
        "matches": float(len(matches)),
        "log_loss": float(-np.log((outcome * happened).sum(axis=1)).mean()),
        "rps": float(((outcome.cumsum(axis=1) - happened.cumsum(axis=1))[:, :2] ** 2).sum(axis=1).mean() / 2),
        "clean_sheet_brier": float(((sheets - kept) ** 2).mean()),
        "clean_sheet_base": float(kept.mean() * (1 - kept.mean())),
    }


def central_coverage(players: pd.DataFrame) -> pd.DataFrame:
    """Return by position how often the points fell into the central 80 % of the distributions.

    Columns: position, `all` counted players, the `relevant` ones; NaN where there is none. Points are whole numbers,
    so the integral transform is randomised between the two sides of the step.
    """
    inside = players["pit"].between(*CENTRAL)
    by_position = {
        "all": inside.groupby(players["position"]).mean(),
        "relevant": inside[players["relevant"]].groupby(players["position"]).mean(),
    }
    return pd.DataFrame(by_position).reindex(list(POSITIONS)).rename_axis("position").reset_index()


def advance_brier(advance: pd.DataFrame) -> float:
    """Return the Brier score of the probability to leave the groups; NaN where it is not known yet."""
    return float(((advance["p_advance"] - advance["advanced"]) ** 2).mean()) if len(advance) else float("nan")


def reliability(players: pd.DataFrame) -> pd.DataFrame:
    """Return expected and official points in bins of equal size of the relevant player-rounds."""
    part = players[players["relevant"]]
    cut = pd.qcut(part["model"].rank(method="first"), BINS, labels=False)
    grouped = part.groupby(cut)
    return pd.DataFrame(
        {
            "expected": grouped["model"].mean(),
            "official": grouped["points"].mean(),
            "error": grouped["points"].std() / np.sqrt(grouped.size()),
            "rows": grouped.size(),
        }
    ).reset_index(drop=True)


def _check_rounds(world: World, rounds: tuple[int, ...]) -> None:
    known = known_rounds(world)
    stray = sorted(set(rounds) - set(known))
    listed = ", ".join(str(number) for number in known) or "none"
    if stray:
        raise InputError(f"Official points of round {stray[0]} are not known. Known rounds: {listed}.")
    if not rounds:
        raise InputError(f"No round to walk over was given. Known rounds: {listed}.")


def _player_rounds(
    world: World, signals: Signals, earlier: pd.DataFrame | None, rng: np.random.Generator
) -> pd.DataFrame:
    official = world.tables["points"]
    official = official[official["round"] == signals.round].set_index("player_id")["points"]
    points = pd.Series(signals.player_id).map(official).fillna(0.0).to_numpy(dtype=float)
    counted = ~np.isin(signals.status, list(UNAVAILABLE)) & ~np.isnat(signals.kickoff)
    frame = pd.DataFrame(
        {
            "round": signals.round,
            "player_id": signals.player_id,
            "team": signals.codes,
            "position": np.array(POSITIONS)[signals.position],
            "points": points,
            "model": signals.xev,
            "pit": randomised_pit(signals.points.mass, points, rng),
            "paid": signals.price,
            "crowd_log": np.log(np.maximum(signals.owned, LEAST_OWNED) / LEAST_OWNED),
            "one": 1.0,
            "owned": signals.owned,
        }
    )[counted].reset_index(drop=True)
    dearest = frame.groupby("team")["paid"].rank(ascending=False, method="first") <= RELEVANT_DEAREST
    frame["relevant"] = (frame["owned"] > RELEVANT_OWNED) | dearest
    for name in BASELINES:
        frame[name] = baseline_forecast(frame, earlier, BASELINES[name])
    return frame


def baseline_forecast(now: pd.DataFrame, earlier: pd.DataFrame | None, column: str) -> np.ndarray:
    """Return a straight line on one column, fitted on the relevant players of earlier rounds.

    Before the first round there is nothing to fit on: the column in proportion, scaled to the model's mean over the
    relevant players. A column without spread gives the mean of earlier points.
    """
    if earlier is None:
        mean = now.loc[now["relevant"], ["model", column]].mean()
        return np.asarray(now[column] * mean["model"] / mean[column])
    past = earlier[earlier["relevant"]]
    if past[column].nunique() < 2:
        return np.full(len(now), past["points"].mean())
    slope, intercept = np.polyfit(past[column], past["points"], 1)
    return np.asarray(intercept + slope * now[column])


def randomised_pit(mass: np.ndarray, points: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return where the points fell in their mass function (n, k): uniform on 0..1 if the beliefs are right.

    Within the step at the points themselves the place is drawn.
    """
    cumulative = np.concatenate([np.zeros((len(mass), 1)), np.cumsum(mass, axis=1)], axis=1)
    column = np.clip(points - GRID[0], 0, len(GRID) - 1).astype(int)
    row = np.arange(len(mass))
    low, high = cumulative[row, column], cumulative[row, column + 1]
    return np.asarray(low + rng.random(len(mass)) * (high - low))


def _match_rounds(world: World, signals: Signals) -> pd.DataFrame:
    """Return what was believed of those matches of the round whose result after 90 minutes is known."""
    played = world.tables["fixtures"].set_index("match_id").loc[signals.teams.matches["match_id"]]
    grid = signals.teams.ninety
    outcome = grid.outcome()
    frame = pd.DataFrame(
        {
            "round": signals.round,
            "home_goals": played["home_goals_90"].to_numpy(),
            "away_goals": played["away_goals_90"].to_numpy(),
            "p_home": outcome[:, 0],
            "p_draw": outcome[:, 1],
            "p_away": outcome[:, 2],
            "sheet_home": grid.clean_sheet("home"),
            "sheet_away": grid.clean_sheet("away"),
        }
    )
    return frame.dropna().astype({"home_goals": int, "away_goals": int})


def _advance(world: World, signals: Signals) -> pd.DataFrame:
    fixtures, bracket = world.tables["fixtures"], world.tables["bracket"]
    first = fixtures[fixtures["stage"].isin(bracket["stage"])]["round"].min()
    through = fixtures[fixtures["round"] == first]
    if through.empty or signals.round >= first:  # not known yet, or decided already
        return pd.DataFrame(columns=ADVANCE)
    progression = signals.teams.progression
    codes = np.array(progression.codes)
    advanced = np.isin(codes, pd.concat([through["home"], through["away"]]))
    chance = progression.advances[:, progression.column(signals.round)]
    return pd.DataFrame({"code": codes, "p_advance": chance, "advanced": advanced.astype(float)})
