"""Fit what players do in a league on whole seasons: shares of goals and assists, and the bonus their events bring."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
import pandas as pd
from scipy.optimize import minimize
from scipy.special import expit, logit

from data.domain import POSITIONS
from data.errors import InputError
from data.rules import load_rules
from data.worlds.world import World
from models.forecast import ModelSettings, scaled_strengths
from models.players.bonus import EVENTS, STEPS, bonus_events, bonus_from_odds
from models.players.chances import SIXTY
from models.players.minutes.playing_time import MinutesSettings
from models.players.shares.league_shares import KINDS, ShareEvidence, ShareWeights
from models.teams.ratings import fixture_rates

COUNT_OF = {"goal": "goals", "assist": "assists"}

STARTS = {
    "goal": (
        (20.0, 0.0005, 0.0, 0.9, 1.0),
        (21.0, 0.03, 0.6, 0.9, 0.87),
        (7.0, 0.097, 1.2, 0.86, 1.0),
        (19.0, 0.24, 0.0, 0.7, 1.0),
    ),
    "assist": (
        (17.0, 0.005, 0.7, 0.86, 1.06),
        (8.0, 0.042, 0.4, 0.86, 1.12),
        (9.0, 0.107, 1.1, 0.86, 1.29),
        (23.0, 0.12, 0.35, 0.7, 1.2),
    ),
}
"""Where shares start by position, from an earlier study of the same seasons, and how far (SPREAD) they may be drawn:
logarithms of weight, prior and credit, the exponent of price, log odds of the share of expected goals."""

SPREAD = np.array([0.7, 0.3, 0.5, 1.0, 0.1])
LEAST_SHARE = 1e-5
BONUS_START = (5.0, -0.5, 0.0, 1.0, 4.0, 2.0, 2.0, 0.0, 0.0)
BONUS_RIDGE = 0.1
LEAST_CHANCE = 1e-9
DECIMALS = 4
OPTIONS = {"maxiter": 2000, "ftol": 1e-13, "gtol": 1e-7}


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """Coefficients of players' lines in a league."""

    shares: ShareWeights
    bonus: np.ndarray  # (positions, STEPS and EVENTS)

    def bonus_table(self) -> pd.DataFrame:
        """Return the bonus's weights as `bonus.csv` has them."""
        return pd.DataFrame(self.bonus, columns=[*STEPS, *EVENTS], index=pd.Index(POSITIONS, name="position"))


def fit_lines(worlds: Sequence[World]) -> Lines:
    """Return the coefficients that explain these seasons best, each deadline seen as it was."""
    seen = [_season_evidence(world) for world in worlds]
    evidence = _joined([part for part, _ in seen])
    outcome = pd.concat([part for _, part in seen], ignore_index=True)
    shares = [np.stack([_fit_share(evidence, outcome, kind, code) for code in range(len(POSITIONS))]) for kind in KINDS]
    played = pd.concat([_played(world) for world in worlds], ignore_index=True)
    bonus = [_fit_bonus(played[played["position"] == position]) for position in POSITIONS]
    return Lines(ShareWeights(*shares), np.stack(bonus))


def _season_evidence(world: World) -> tuple[ShareEvidence, pd.DataFrame]:
    """Return what was known of everybody who then played, and his goals, assists and `exposure` in that match."""
    rounds = sorted(set(world.rounds) & set(world.tables["events"]["round"]))
    if not rounds:
        raise InputError(f"{world.name} has no round with counts on record, so nothing can be fitted on it.")
    seen = [_deadline_evidence(world, number) for number in rounds]
    return _joined([part for part, _ in seen]), pd.concat([part for _, part in seen], ignore_index=True)


def _deadline_evidence(world: World, number: int) -> tuple[ShareEvidence, pd.DataFrame]:
    snapshot, rules = world.at(number), load_rules(world.rulebook)
    strengths = scaled_strengths(snapshot, rules, ModelSettings.for_game(rules))
    coming = snapshot.coming.sort_values(["kickoff", "match_id"], ignore_index=True)
    rates = fixture_rates(strengths, coming)
    sides = [
        pd.DataFrame({"team": coming[side], "match_id": coming["match_id"], "goals_expected": rates[:, column]})
        for column, side in enumerate(("home", "away"))
    ]
    first = pd.concat(sides).drop_duplicates("team")
    events = world.tables["events"][["player_id", "match_id", "minutes", "goals", "assists"]]
    rows = snapshot.players[["player_id", "team"]].reset_index(names="row").merge(first, on="team")
    rows = rows.merge(events[events["minutes"] > 0], on=["player_id", "match_id"])
    evidence = ShareEvidence.of(snapshot).take(rows["row"].to_numpy())
    return evidence, rows.assign(exposure=rows["goals_expected"] * _exposure(rows["minutes"], evidence.position))


def _exposure(minutes: pd.Series, position: np.ndarray) -> np.ndarray:
    """(k,) share of a match that a player of his minutes state is worth, substitutes more than their minutes."""
    usual = MinutesSettings()
    short = usual.minutes_short / 90 * ModelSettings.for_game(load_rules("fpl2025")).involvement.substitutes
    return np.where(minutes >= SIXTY, np.array(usual.minutes_full)[position] / 90, short)


def _joined(parts: Sequence[ShareEvidence]) -> ShareEvidence:
    names = [field.name for field in fields(ShareEvidence)]
    return ShareEvidence(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


def _fit_share(evidence: ShareEvidence, outcome: pd.DataFrame, kind: str, code: int) -> np.ndarray:
    """(PARAMETERS,) of one position: Poisson likelihood of the goals or assists, drawn to where it starts."""
    rows = np.flatnonzero(evidence.position == code)
    part, exposure = evidence.take(rows), outcome["exposure"].to_numpy()[rows]
    counted = outcome[COUNT_OF[kind]].to_numpy(dtype=float)[rows]
    start = _free(np.array(STARTS[kind][code]))

    def loss(free: np.ndarray) -> float:
        mean = exposure * np.maximum(part.share(kind, _bound(free)[None, :]), LEAST_SHARE)
        return float((mean - counted * np.log(mean)).sum() + 0.5 * (((free - start) / SPREAD) ** 2).sum())

    best = minimize(loss, start, method="L-BFGS-B", options=OPTIONS).x
    return np.round(_bound(best), DECIMALS)


def _free(parameters: np.ndarray) -> np.ndarray:
    weight, prior, price, expected, credit = parameters
    return np.array([np.log(weight), np.log(prior), price, logit(expected), np.log(credit)])


def _bound(free: np.ndarray) -> np.ndarray:
    return np.array([np.exp(free[0]), np.exp(free[1]), free[2], expit(free[3]), np.exp(free[4])])


def _played(world: World) -> pd.DataFrame:
    events = world.tables["events"]
    position = world.tables["players"].set_index("player_id")["position"]
    return events[events["minutes"] > 0].assign(position=lambda rows: rows["player_id"].map(position))


def _fit_bonus(played: pd.DataFrame) -> np.ndarray:
    """(STEPS and EVENTS,) ordered logits of the bonus of one position, drawn a little to no effect."""
    full = (played["minutes"] >= SIXTY).to_numpy(dtype=int)
    goals, assists, sheet = (played[name].to_numpy(dtype=int) for name in ("goals", "assists", "clean_sheet"))
    events, given = bonus_events(goals, assists, sheet, full), played["bonus"].to_numpy(dtype=int)
    size = len(STEPS)

    def loss(free: np.ndarray) -> float:
        chance = bonus_from_odds(events, _ordered(free))[np.arange(len(given)), given]
        return float(-np.log(np.maximum(chance, LEAST_CHANCE)).sum() + 0.5 * BONUS_RIDGE * (free[size:] ** 2).sum())

    return np.round(_ordered(minimize(loss, BONUS_START, method="L-BFGS-B", options=OPTIONS).x), DECIMALS)


def _ordered(free: np.ndarray) -> np.ndarray:
    """Return the weights whose steps rise, from the first step and the logarithms of the others' distances."""
    steps = free[0] + np.cumsum([0.0, *np.exp(free[1 : len(STEPS)])])
    return np.concatenate([steps, free[len(STEPS) :]])
