"""What is worth keeping for later: a saved free transfer, and each booster, as measured by replay.

The table beside this module has, for every deadline of the seasons in it, what a booster played then would have added
to a good squad's plan and what one more free transfer had brought after so many rounds; `thetaxi fit-keeping` makes it.
A booster is kept for the best of the rounds that are left: with X the value of a round, drawn from those of the same
half of the season, V(0) = 0 and V(m) = E[max(X, V(m − 1))] is what m rounds more are worth to who decides as he goes.
So it falls towards the end of the booster's window by itself. A tournament has one row a round, and few rounds: there
a booster is worth its best round that is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import pandas as pd

from data.rules import UNLIMITED, BoosterEffect, GameRules
from engine.plan.fitness.rounds import PlanSettings

TABLE = Path(__file__).with_name("keeping.csv")
"""Shipped measurements: season, kind, round, one column for each effect, and transfer_1 to transfer_8."""

LEAGUE_EFFECTS = (
    BoosterEffect.WILDCARD,
    BoosterEffect.FREE_HIT,
    BoosterEffect.BENCH_BOOST,
    BoosterEffect.TRIPLE_CAPTAIN,
)
TRANSFER_ROUNDS = 8
"""Rounds that a manager with one transfer more was followed for."""

MOST_SAVED = 10
"""Free transfers that are told apart after a plan: no game lets as many be saved."""

DRAWS = 200
"""Seasons drawn again for a standard error."""


CUP_EFFECTS = (
    BoosterEffect.TWELFTH_MAN,
    BoosterEffect.MAXIMUM_CAPTAIN,
    BoosterEffect.QUALIFICATION,
    BoosterEffect.CLEAN_SHEET_SHIELD,
)


def transfer_column(rounds: int) -> str:
    """Return the column of what a transfer more has brought after so many rounds."""
    return f"transfer_{rounds}"


COLUMNS = (
    *("season", "kind", "round"),
    *(str(effect) for effect in (*LEAGUE_EFFECTS, *CUP_EFFECTS)),
    *(transfer_column(number) for number in range(1, TRANSFER_ROUNDS + 1)),
)
"""Of the table of measured weeks."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A value and its standard error, in points."""

    value: float
    error: float


@dataclass(frozen=True, eq=False)
class KeepingValues:
    """Measured weeks, and what follows from them."""

    weeks: pd.DataFrame

    @cached_property
    def _league(self) -> dict[str, np.ndarray]:
        """The weeks of leagues as columns: a plan asks for hundreds of samples, and a table answers slowly."""
        league = self.weeks[self.weeks["kind"] == "league"]
        return {name: league[name].to_numpy() for name in ("round", *LEAGUE_EFFECTS) if name in league}

    def booster(self, effect: BoosterEffect, rules: GameRules, rounds: Sequence[int]) -> float:
        """Return what a booster is worth that can still be played in these rounds, one of which decides at a time."""
        if rules.kind == "tournament":
            return max((self._tournament(effect, number) for number in rounds), default=0.0)
        value = 0.0
        for number in reversed(rounds):
            value = _better(self._sample(effect, rules, number), value)
        return value

    def booster_error(self, effect: BoosterEffect, rules: GameRules, rounds: Sequence[int]) -> float:
        """Return the standard error of it: the measured weeks drawn again and again."""
        rng, found = np.random.default_rng(0), []
        samples = [self._sample(effect, rules, number) for number in rounds]
        for _ in range(DRAWS if rules.kind == "league" else 0):
            value, again = 0.0, {len(one): rng.integers(len(one), size=len(one)) for one in samples if len(one)}
            for sample in reversed(samples):
                value = _better(sample[again[len(sample)]] if len(sample) else sample, value)
            found.append(value)
        return float(np.std(found)) if found else 0.0

    def transfer(self, rounds: int = 1) -> Measured:
        """Return what one free transfer more has brought after so many rounds."""
        gained = self.weeks[transfer_column(min(rounds, TRANSFER_ROUNDS))].dropna()
        return Measured(float(gained.mean()), float(gained.std(ddof=1) / np.sqrt(len(gained))))

    def saved_transfer(self) -> float:
        """Return what a saved free transfer is worth: what it brings until the next round grants one anyway.

        Who is one ahead stays ahead for some rounds (3.9 ± 0.5 points after six). But seasons walked with
        0 to 4 for it gave no figure that came to more expected points in all of them, so what is surely earned is used.
        """
        return max(0.0, self.transfer().value)

    def _sample(self, effect: BoosterEffect, rules: GameRules, number: int) -> np.ndarray:
        """Return the values of weeks near a round, in the same half of a season: a wildcard before the end is short."""
        if effect not in self._league:
            return np.zeros(0)
        week, value = self._league["round"], self._league[effect]
        here = number * HALF / rules.rounds
        near = ((week * 2 > HALF) == (here * 2 > HALF)) & (np.abs(week - here) <= NEAR)
        return np.asarray(value[near & ~np.isnan(value)])

    def _tournament(self, effect: BoosterEffect, number: int) -> float:
        rows = self.weeks[(self.weeks["kind"] == "tournament") & (self.weeks["round"] == number)]
        known = rows[effect].dropna() if effect in rows else rows["round"][:0]
        return max(0.0, float(known.mean())) if len(known) else 0.0


HALF, NEAR = 38, 6
"""Rounds of the league that was measured, whose second half begins after 19; rounds that count as near."""


def _better(sample: np.ndarray, value: float) -> float:
    """Return E[max(X, value)] for a round's value X drawn from a sample."""
    return float(np.maximum(sample, value).mean()) if len(sample) else value


@cache
def shipped_keeping() -> KeepingValues:
    """Return the measurements that come with the project."""
    return KeepingValues(pd.read_csv(TABLE))


def booster_keeping(
    rules: GameRules, boosters: Sequence[str], last_round: int, measured: KeepingValues | None = None
) -> dict[str, float]:
    """Return what each booster that is left is worth after a plan whose last round is given, by its key.

    A round has one booster, so they share the rounds: the one that is worth most takes its pick, the next one has a
    round less, and one that no round is left for is worth nothing.
    """
    known, found = measured or shipped_keeping(), dict[str, float]()
    legal = {
        key: [number for number in range(last_round + 1, rules.rounds + 1) if rules.boosters[key].legal_in(number)]
        for key in dict.fromkeys(boosters)
    }
    taken: list[int] = []
    while len(found) < len(legal):
        worth = {
            key: known.booster(rules.boosters[key].effect, rules, _free_rounds(rounds, taken))
            for key, rounds in legal.items()
            if key not in found
        }
        best = max(worth, key=lambda key: (worth[key], key))
        found[best] = worth[best]
        taken += _taken(known, rules, best, _free_rounds(legal[best], taken))
    return found


def _free_rounds(rounds: Sequence[int], taken: Sequence[int]) -> list[int]:
    return [number for number in rounds if number not in taken]


def _taken(known: KeepingValues, rules: GameRules, key: str, rounds: Sequence[int]) -> list[int]:
    """Return the round that a booster takes from the others: its best one, in a league the last of its window."""
    if not rounds:
        return []
    effect = rules.boosters[key].effect
    if rules.kind == "league":
        return [rounds[-1]]
    return [max(rounds, key=lambda number: (known.booster(effect, rules, [number]), -number))]


def spare_values(
    rules: GameRules, last_round: int, most: int, measured: KeepingValues | None = None
) -> tuple[float, ...]:
    """Return what 0, 1, …, `most` free transfers are worth after a plan whose last round is given.

    Beyond what the next round grants anyway, since a plan that saved nothing has those too; nothing where the next
    round starts afresh.
    """
    if last_round >= rules.rounds:
        return (0.0,) * (most + 1)
    stage = rules.stage(last_round + 1)
    if stage.free_transfers == UNLIMITED or not stage.carry_in:
        return (0.0,) * (most + 1)
    each = (measured or shipped_keeping()).saved_transfer()
    saved = (min(count - stage.free_transfers, stage.carry_in) for count in range(most + 1))
    return tuple(each * max(0, count) for count in saved)


def measured_settings(rules: GameRules, boosters: Sequence[str], rounds: Sequence[int]) -> PlanSettings:
    """Return the settings of a plan over some rounds with what is worth keeping after it, as measured."""
    kept = booster_keeping(rules, boosters, rounds[-1])
    return PlanSettings(
        spare=spare_values(rules, rounds[-1], MOST_SAVED),
        keeping={key: (value,) * len(rounds) for key, value in kept.items()},
    )
