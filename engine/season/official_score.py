"""Official points of one round for a line-up as it was committed, with its booster, from what really happened."""

from __future__ import annotations

import numpy as np

from data.rules import BoosterEffect, GameRules
from data.worlds.world import World
from engine.fitness.rule_terms import sheet_pay
from engine.lineup.lineups import Lineups
from engine.rank.chances import entries_of
from engine.rank.scores import all_scores
from engine.replay.rounds import official_round
from models.signals import Signals

SHIELDED = 1
"""Goals conceded after which a shielded clean sheet still stands."""


def official_score(world: World, signals: Signals, lineups: Lineups, chip: str | None) -> int:
    """Return the points of the one line-up with its auto-subs, armband and booster; hits are not taken off."""
    rules = signals.rules
    effect = None if chip is None else rules.boosters[chip].effect
    held = _with_booster(rules, effect)
    official, entries = official_round(world, signals), entries_of(signals, lineups)
    total = int(all_scores(entries, official, held, signals.position)[0, 0])
    points, starters = official.points[0], lineups.starters[0]
    copies = rules.captaincy.multiplier - 1
    match effect:
        case BoosterEffect.BENCH_BOOST:
            return total + int(points[lineups.bench[0]].sum())
        case BoosterEffect.MAXIMUM_CAPTAIN:
            return total + copies * int(points[starters].max())
        case BoosterEffect.TWELFTH_MAN:
            outside = np.where(np.isin(np.arange(len(signals)), lineups.squads[0]), -np.inf, signals.xev)
            return total + int(points[int(outside.argmax())])
        case BoosterEffect.QUALIFICATION:
            here = official.played[0] & np.isin(signals.codes, _winners(world, signals.round))
            return total + rules.boosters[str(chip)].points * int(here[starters].sum())
        case BoosterEffect.CLEAN_SHEET_SHIELD:
            return total + _shielded(world, signals, starters, official.full[0])
    return total


def _with_booster(rules: GameRules, effect: BoosterEffect | None) -> GameRules:
    """Return the rules as a booster changes them: one more copy of the captain, none, or no auto-subs."""
    if effect is BoosterEffect.BENCH_BOOST:
        return rules.model_copy(update={"autosubs": rules.autosubs.model_copy(update={"enabled": False})})
    copies = {BoosterEffect.TRIPLE_CAPTAIN: rules.captaincy.multiplier + 1, BoosterEffect.MAXIMUM_CAPTAIN: 1}
    if effect not in copies:
        return rules
    return rules.model_copy(update={"captaincy": rules.captaincy.model_copy(update={"multiplier": copies[effect]})})


def _winners(world: World, round_number: int) -> np.ndarray:
    """Return the codes of teams that won a match of a round, by extra time or penalties where it came to them."""
    fixtures = world.tables["fixtures"]
    played = fixtures[(fixtures["round"] == round_number) & fixtures["home_goals_90"].notna()]
    home, away = (
        played[f"{side}_goals_aet"].fillna(played[f"{side}_goals_90"]).to_numpy(dtype=float)
        + played[f"{side}_pens"].fillna(0).to_numpy(dtype=float) / 100
        for side in ("home", "away")
    )
    return np.asarray(np.where(home > away, played["home"], played["away"])[home != away])


def _shielded(world: World, signals: Signals, starters: np.ndarray, full: np.ndarray) -> int:
    """Return what clean sheets lost by one goal would have paid; who played counts, since not all minutes are known."""
    fixtures = world.tables["fixtures"]
    played = fixtures[(fixtures["round"] == signals.round) & fixtures["home_goals_90"].notna()]
    once = [
        played.loc[played[f"{other}_goals_aet"].fillna(played[f"{other}_goals_90"]) == SHIELDED, side]
        for side, other in (("home", "away"), ("away", "home"))
    ]
    spared = np.isin(signals.codes[starters], np.concatenate(once)) & full[starters]
    return int(sheet_pay(signals.rules)[signals.position[starters]][spared].sum())
