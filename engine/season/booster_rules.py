"""Boosters by fixed rules: what a cautious manager plays them for, as a baseline of boosters that are planned.

A booster is played in the best round in sight once it brings so many points there; towards the end of its window less
and less is asked, so that none is left over.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from data.errors import UnknownError
from data.rules import BoosterEffect, GameRules
from engine.plan.fitness.keeping import measured_settings
from engine.plan.fitness.rounds import PlanSettings

WORTH_PLAYING = {
    BoosterEffect.TRIPLE_CAPTAIN: 8.0,
    BoosterEffect.BENCH_BOOST: 13.0,
    BoosterEffect.FREE_HIT: 14.0,
    BoosterEffect.WILDCARD: 14.0,
}
"""Points that a booster of a league has to bring: single gains of real squads reach them in about one week of ten."""

FADING = 7
"""Last rounds of a window over which that falls to nothing."""


class BoosterChoice(StrEnum):
    """Who decides when boosters are played."""

    PLAN = "plan"  # placed with the transfers, against what keeping them is measured to be worth
    RULES = "rules"
    NONE = "none"


def named_choice(name: str) -> BoosterChoice:
    """Return who decides, by name."""
    try:
        return BoosterChoice(name)
    except ValueError:
        known = ", ".join(BoosterChoice)
        raise UnknownError(f"When to play boosters cannot be {name!r}. Say {known}.") from None


def worth_playing(rules: GameRules, booster: str, last_round: int) -> float | None:
    """Return what the rules ask of a booster before a plan's last round is over; None for one they do not know."""
    asked = WORTH_PLAYING.get(rules.boosters[booster].effect)
    if asked is None:
        return None
    legal = rules.boosters[booster].legal_in
    left = sum(legal(number) for number in range(last_round + 1, rules.rounds + 1))
    return asked * min(1.0, left / FADING)


def settings_by_rules(rules: GameRules, boosters: Sequence[str], rounds: Sequence[int]) -> PlanSettings:
    """Return the settings of a plan that plays boosters by the rules; what they do not know is kept as measured."""
    measured = measured_settings(rules, boosters, rounds)
    asked = {booster: worth_playing(rules, booster, rounds[-1]) for booster in measured.keeping}
    known = {booster: (points,) * len(rounds) for booster, points in asked.items() if points is not None}
    return PlanSettings(spare=measured.spare, keeping={**measured.keeping, **known})
