"""Why a score is what it is: the decomposition that ships with every score, its variance band, and the watch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from data.errors import ModelError
from engine.fitness.squad_scoring import ScoredSquads
from models.signals import Signals

SWAMPED = 0.55
"""Share of a squad's deviation from the pool above which one term does most of the work: 3 to 16 % of the pools of
rounds 1–4 under each θ, whatever their seed."""

BAND_QUANTILES = (1 / 3, 2 / 3)
UNCHANGED = 1e-9  # a term that is the same for all squads tells nothing
ROUNDING = 1e-9
FLOAT_ROUNDING = 1e-12
"""What the terms may miss their sum by: in points, or as a share of their size where a spec's weights are huge."""

LED = {
    "raw_xev": "this-round-led",
    "captaincy_uplift": "ceiling-led",
    "cs_corr_bonus": "spine-led",
    "progression_carry": "progression-led",
    "ownership_leverage": "ownership-led",
    "variance_term": "swing-led",
    "preferences": "taste-led",
    "transfer_cost": "transfer-led",
}
PLAIN = {
    "raw_xev": "expected points",
    "captaincy_uplift": "captaincy",
    "cs_corr_bonus": "clean-sheet correlation",
    "progression_carry": "progression carry",
    "ownership_leverage": "ownership leverage",
    "variance_term": "the variance term",
    "preferences": "your preferences",
    "transfer_cost": "transfer cost",
}
RULES_BEHIND = {
    "squad": ("feasibility_penalty", "raw_xev"),
    "stages": ("feasibility_penalty", "transfer_cost", "progression_carry"),
    "transfers": ("transfer_cost",),
    "captaincy": ("captaincy_uplift", "variance_term"),
    "autosubs": ("raw_xev", "captaincy_uplift"),
}
"""Which terms a section of the rulebook enters, besides scoring, which enters all."""


class Band(StrEnum):
    """How wide a squad swings, beside the reference pool."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


@dataclass(frozen=True, slots=True)
class Decomposition:
    """A fitness and the signed terms it is the sum of."""

    fitness: float
    terms: Mapping[str, float]  # in reading order
    variance: float
    band: Band
    spec: str  # "protect", or the name of a spec of the user's own
    parameters: Mapping[str, float]  # k, w and so on, as they were in force
    disqualified: bool
    provisional: tuple[str, ...]  # terms that rest on unconfirmed rules; all of them where scoring is unconfirmed
    watch: str  # the substitution watch in one line, empty when no term does most of the work

    def __post_init__(self) -> None:
        gap = abs(sum(self.terms.values()) - self.fitness)
        size = sum(abs(value) for value in self.terms.values())
        if not gap <= max(ROUNDING, FLOAT_ROUNDING * size):  # not "above": a gap that is no number is refused too
            raise ModelError(f"The terms of a decomposition miss its fitness by {gap:g}.")

    def to_dict(self) -> dict[str, object]:
        """Return plain values, in reading order."""
        return {
            "fitness": self.fitness,
            "decomposition": dict(self.terms),
            "variance": self.variance,
            "variance_band": str(self.band),
            "objective": {"spec": self.spec, **self.parameters},
            "disqualified": self.disqualified,
            "provisional": list(self.provisional),
            "substitution_watch": self.watch,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Yardstick:
    """The reference pool scored under one spec: what is usual, what spreads, and the best of each term."""

    medians: Mapping[str, float]
    spreads: Mapping[str, float]  # mean absolute deviation from the median
    best: Mapping[str, float]
    band_edges: tuple[float, float]  # variance between low and medium, medium and high

    @classmethod
    def of(cls, pool: ScoredSquads) -> Yardstick:
        """Read the yardstick off a scored pool."""
        rows = pool.ranking
        if not rows.size:
            raise ModelError(
                f"The spec disqualifies all {len(pool)} squads of the reference pool, so nothing can be compared with "
                "them. Loosen its gates."
            )
        terms = {name: values[rows] for name, values in pool.terms.items()}
        medians = {name: float(np.median(values)) for name, values in terms.items()}
        low, high = np.quantile(pool.figures["variance"][rows], BAND_QUANTILES)
        return cls(
            medians=medians,
            spreads={name: float(np.abs(values - medians[name]).mean()) for name, values in terms.items()},
            best={name: float(values.max()) for name, values in terms.items()},
            band_edges=(float(low), float(high)),
        )

    def bands(self, variance: np.ndarray) -> np.ndarray:
        """Return (p,) 0 low, 1 medium, 2 high."""
        return np.searchsorted(self.band_edges, variance, side="right")

    def shares(self, terms: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        """Return (p,) per term its share of a squad's deviation from the pool's median.

        Each deviation counts in units of that term's spread over the pool: unscaled, expected points alone would make
        up more than .6 for half of all squads, simply because they vary most.
        """
        names = [name for name, spread in self.spreads.items() if spread > UNCHANGED]
        scaled = {name: np.abs(terms[name] - self.medians[name]) / self.spreads[name] for name in names}
        total = np.sum(list(scaled.values()), axis=0) if scaled else np.zeros(0)
        return {name: np.divide(v, total, out=np.zeros_like(v), where=total > 0) for name, v in scaled.items()}

    def watch(self, terms: Mapping[str, float]) -> str:
        """Return the substitution watch of one squad: what does most of the work, and what was given up for it."""
        shares = {
            name: float(share[0]) for name, share in self.shares({n: np.array([v]) for n, v in terms.items()}).items()
        }
        leader = max(shares, key=lambda name: shares[name], default="")
        if not leader or shares[leader] <= SWAMPED:
            return ""
        given_up = {name: self.best[name] - terms[name] for name in shares if name != leader}
        neglected = max(given_up, key=lambda name: given_up[name], default="")
        if not neglected or given_up[neglected] <= 0:
            return ""
        led, whole = LED.get(leader, f"{leader}-led"), PLAIN.get(leader, leader)
        return (
            f"{led}: {shares[leader]:.0%} of what sets this squad apart is {whole}; check "
            f"{PLAIN.get(neglected, neglected)}, {given_up[neglected]:.1f} points below the best of the pool."
        )


def decompose(scored: ScoredSquads, row: int, spec: str, yardstick: Yardstick, signals: Signals) -> Decomposition:
    """Return the decomposition of one scored squad."""
    terms = {name: float(values[row]) for name, values in scored.terms.items()}
    variance = float(scored.figures["variance"][row])
    return Decomposition(
        fitness=float(scored.fitness[row]),
        terms=terms,
        variance=variance,
        band=list(Band)[int(yardstick.bands(np.array([variance]))[0])],
        spec=spec,
        parameters=dict(scored.parameters),
        disqualified=bool(scored.disqualified[row]),
        provisional=provisional_terms(signals, tuple(terms)),
        watch="" if scored.disqualified[row] else yardstick.watch(terms),
    )


def provisional_terms(signals: Signals, terms: tuple[str, ...]) -> tuple[str, ...]:
    """Return the terms that rest on unconfirmed rules; unconfirmed scoring makes all of them provisional."""
    if signals.scoring_provisional:
        return terms
    touched = {term for section in signals.provisional for term in RULES_BEHIND.get(section.partition(".")[0], ())}
    return tuple(term for term in terms if term in touched)
