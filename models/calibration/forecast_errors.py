"""Errors of forecasts beside what happened: points, minutes, matches, coverage; and the baselines they must beat."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

from data.domain import POSITIONS
from models.players.chances import SIXTY

CONSTANT = "constant"
BASELINES = {CONSTANT: "one", "price": "paid", "crowd": "crowd_log"}
"""Forecasts to beat, and the one column each looks at."""

GAME = "ep_next"
"""The game's own forecast, where it publishes one."""

CARRIED = "carried"
"""The forecast to beat in later rounds: the minutes of the coming round carried on."""

MARKET_FIGURES = ("market_log_loss", "log_loss_there", "market_sheet_brier", "sheet_brier_there")

GROUPS = ("relevant", "all", "fit", "owned5")
"""Whose errors are told: relevant players, all, the relevant ones who were fit, and those whom 5 % own."""

RELEVANT_OWNED = 0.01
RELEVANT_DEAREST = 11
WIDELY_OWNED = 0.05
LEAST_CHANCE = 1e-6  # keeps the loss of what was held impossible finite
CENTRAL = (0.1, 0.9)
TOP = 20
BINS = 10  # of equal size, of the plot of expected against official points


def point_errors(players: pd.DataFrame) -> pd.DataFrame:
    """Return RMSE, rank correlation and mean absolute error of model and baselines for each group of player-rounds."""
    walked = "" if "round" not in players else f"{players['round'].min()}-{players['round'].max()}"
    rows = [
        {"players": name, "forecast": column, "rounds": walked, "horizon": 1, **_errors(part, column)}
        for name in GROUPS
        for part in [players[_group(players, name)]]
        for column in forecasts(players)
    ]
    return pd.DataFrame(rows)


def forecasts(players: pd.DataFrame) -> tuple[str, ...]:
    """Return the columns that forecast points: the model's, the baselines', and the game's own where it is known."""
    known = GAME in players and players[GAME].notna().any()
    return ("model", *BASELINES, *([GAME] if known else []))


def ranking_forecasts(players: pd.DataFrame) -> tuple[str, ...]:
    """Return the forecasts that tell players apart: not the one that expects the same of all."""
    return tuple(name for name in forecasts(players) if name != CONSTANT)


def top_points(players: pd.DataFrame) -> pd.DataFrame:
    """Return the mean official points of the twenty of whom each forecast expects the most in a round."""
    rows = []
    for column in ranking_forecasts(players):
        ranked = players.dropna(subset=[column]).sort_values([column, "player_id"], ascending=[False, True])
        best = ranked.groupby("round").head(TOP)
        rows.append({"forecast": column, "points": float(best["points"].mean()), "rows": len(best)})
    return pd.DataFrame(rows)


def errors_ahead(ahead: pd.DataFrame) -> pd.DataFrame:
    """Return the same by rounds ahead, the coming one being 1, of the model and of minutes carried on; and `slope`.

    The slope is that of official points on the forecast: below 1 the forecasts differ too much.
    """
    rows = [
        {"players": name, "forecast": column, "rounds": f"{part['round'].min()}-{part['round'].max()}"}
        | {"horizon": int(horizon), **_errors(part[_group(part, name)], column)}
        | {"slope": _slope(part[_group(part, name)], column)}
        for horizon, part in ahead.groupby("horizon")
        for name in GROUPS
        for column in ("model", CARRIED)
    ]
    return pd.DataFrame(rows)


def _slope(part: pd.DataFrame, column: str) -> float:
    if part[column].nunique() < 2:
        return float("nan")
    return float(np.polyfit(part[column], part["points"], 1)[0])


def relevant_players(players: pd.DataFrame) -> pd.Series:
    """Return who matters of one round's players: one manager in a hundred owns him, or few of his team cost more."""
    dearest = players.groupby("team")["paid"].rank(ascending=False, method="first") <= RELEVANT_DEAREST
    return (players["owned"] > RELEVANT_OWNED) | dearest


def _group(players: pd.DataFrame, name: str) -> pd.Series:
    """Return which player-rounds belong to a group; nobody does where nothing tells him apart."""
    everybody = pd.Series(True, index=players.index)
    if name == "owned5":
        return players["owned"] >= WIDELY_OWNED if "owned" in players else ~everybody
    if name == "fit":
        return players["relevant"] & players["fit"] if "fit" in players else ~everybody
    return players["relevant"] if name == "relevant" else everybody


def _errors(part: pd.DataFrame, column: str) -> dict[str, float]:
    part = part[part[column].notna()]
    error = part[column] - part["points"]
    rank = float("nan")
    if part[column].nunique() > 1 and part["points"].nunique() > 1:
        rank = float(spearmanr(part[column], part["points"]).statistic)
    return {
        "rmse": float(np.sqrt((error**2).mean())),
        "spearman": rank,
        "mae": float(error.abs().mean()),
        "rows": len(part),
    }


def minutes_errors(players: pd.DataFrame) -> dict[str, float]:
    """Return log-loss of the three minutes states, Brier score of an hour, and its largest gap in a tenth of the rows.

    NaN where no minutes are on record.
    """
    known = players[players["minutes"].notna()]
    if known.empty:
        return {"rows": 0.0, "log_loss": float("nan"), "sixty_brier": float("nan"), "sixty_gap": float("nan")}
    said = known[["absent", "short", "full"]].to_numpy()
    was = np.eye(3)[np.digitize(known["minutes"], (1, SIXTY))]
    happened = np.maximum((said * was).sum(axis=1), LEAST_CHANCE)
    tenths = minutes_tenths(players)
    return {
        "rows": float(len(known)),
        "log_loss": float(-np.log(happened).mean()),
        "sixty_brier": float(((said[:, 2] - was[:, 2]) ** 2).mean()),
        "sixty_gap": float((tenths["said"] - tenths["was"]).abs().max()),
    }


def minutes_groups(players: pd.DataFrame) -> pd.DataFrame:
    """Return log-loss of the minutes states and Brier score of an hour for each group of player-rounds."""
    rows = [{"players": name, **minutes_errors(players[_group(players, name)])} for name in GROUPS]
    return pd.DataFrame(rows).drop(columns="sixty_gap")


def minutes_tenths(players: pd.DataFrame) -> pd.DataFrame:
    """Return the chance of an hour as it was said and as often as it came, in tenths of equal size."""
    known = players[players["minutes"].notna()]
    if known.empty:
        return pd.DataFrame(columns=["said", "was", "rows"])
    told = pd.DataFrame({"said": known["full"], "was": (known["minutes"] >= SIXTY).astype(float)})
    parts = told.groupby(pd.qcut(known["full"].rank(method="first"), BINS, labels=False))
    return parts.mean().assign(rows=parts.size()).reset_index(drop=True)


def match_errors(matches: pd.DataFrame) -> dict[str, float]:
    """Return 1X2 log-loss, ranked probability score and clean-sheet Brier score beside that of the base rate.

    `market_log_loss` is that of bookmakers some days before, over the `market_matches` of which odds are on record, and
    `log_loss_there` ours over the same matches; likewise of clean sheets.
    """
    outcome = np.stack([matches["p_home"], matches["p_draw"], matches["p_away"]], axis=1)
    lead = np.sign(matches["home_goals"] - matches["away_goals"]).to_numpy(dtype=int)
    happened = np.eye(3)[1 - lead]
    kept = np.concatenate([matches["away_goals"] == 0, matches["home_goals"] == 0]).astype(float)
    return {
        "matches": float(len(matches)),
        "log_loss": float(-np.log((outcome * happened).sum(axis=1)).mean()),
        "rps": float(((outcome.cumsum(axis=1) - happened.cumsum(axis=1))[:, :2] ** 2).sum(axis=1).mean() / 2),
        "clean_sheet_brier": _sheet_brier(matches, "sheet"),
        "clean_sheet_base": float(kept.mean() * (1 - kept.mean())),
        **_market_errors(matches, outcome, happened),
    }


def _market_errors(matches: pd.DataFrame, outcome: np.ndarray, happened: np.ndarray) -> dict[str, float]:
    names = ["market_home", "market_draw", "market_away"]
    priced = (
        matches[names].notna().all(axis=1).to_numpy() if names[0] in matches else np.zeros(len(matches), dtype=bool)
    )
    if not priced.any():
        return {"market_matches": 0.0} | dict.fromkeys(MARKET_FIGURES, float("nan"))
    market, there = matches[names].to_numpy(dtype=float)[priced], matches[priced]
    figures = (
        float(-np.log((market * happened[priced]).sum(axis=1)).mean()),
        float(-np.log((outcome[priced] * happened[priced]).sum(axis=1)).mean()),
        _sheet_brier(there, "market_sheet"),
        _sheet_brier(there, "sheet"),
    )
    return {"market_matches": float(priced.sum())} | dict(zip(MARKET_FIGURES, figures, strict=True))


def _sheet_brier(matches: pd.DataFrame, prefix: str) -> float:
    """Return the Brier score of clean sheets, by the columns that begin with a prefix."""
    said = matches[[f"{prefix}_home", f"{prefix}_away"]].to_numpy(dtype=float)
    kept = matches[["away_goals", "home_goals"]].to_numpy() == 0
    return float(((said - kept) ** 2).mean())


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


def transform_shares(players: pd.DataFrame) -> list[float]:
    """Return the share of relevant player-rounds whose points fell into each tenth of their distribution."""
    relevant = players[players["relevant"]]
    counts, _ = np.histogram(relevant["pit"], BINS, (0, 1))
    return [float(share) for share in counts / len(relevant)]


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
