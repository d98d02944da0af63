"""What the manager wants: θ and how strongly, stated or derived from a standing. Never chosen silently."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from data.errors import InputError

MEANINGS = {
    "protect": "you are ahead: stay close to what rivals own and keep the swing small",
    "neutral": "you want the most points and leave rank aside",
    "gain": "you are behind: back strong players few rivals own",
}
RANK = "rank"
"""The fourth objective: the chance to be ahead of a rival, by a spec of its own; its strength is κ, not k."""

STRONGEST_K = 0.05
"""The slider's end: beyond, variance swamps expected points (k = .1 under protect gives up 11 % of them)."""

DEFAULT_K = 0.02
DEFAULT_W = {"protect": 0.3, "neutral": 0.3, "gain": 0.04}
HIGHEST_W = {"protect": 1.0, "neutral": 1.0, "gain": 0.10}
ROUND_SPREAD = 15.0
"""Standard deviation of the points between two managers in one round, in points: squads differ by about 15."""


class Theta(StrEnum):
    """The rank objective."""

    PROTECT = "protect"
    NEUTRAL = "neutral"
    GAIN = "gain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """θ, the strength k of the variance term, and the weight w of ownership leverage."""

    theta: Theta
    k: float = DEFAULT_K
    w: float | None = None  # None = the default of θ
    c: float | None = None  # weight of progression carry; None = by stage

    def __post_init__(self) -> None:
        for name in ("k", "w", "c"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and 0 <= value <= 10):
                raise InputError(f"{name} is {value!r}; it must be a number from 0 up, usually below 1.")

    @property
    def leverage(self) -> float:
        """The weight of ownership leverage in force."""
        return DEFAULT_W[self.theta] if self.w is None else self.w

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about strengths beyond the range where the terms stay balanced."""
        said = []
        if self.k > STRONGEST_K:
            said.append(f"k = {self.k:g} is above {STRONGEST_K:g}: the variance term may swamp expected points.")
        if self.leverage > HIGHEST_W[self.theta]:
            said.append(f"w = {self.leverage:g} is above {HIGHEST_W[self.theta]:g}: it may swamp expected points.")
        return tuple(said)


@dataclass(frozen=True, slots=True)
class DerivedObjective:
    """An objective read off a standing, with the working in one sentence; the manager confirms or overrides it."""

    dial: Dial
    z: float  # how many standard deviations ahead (behind if negative) at the end
    working: str


def parse_theta(text: str | None) -> Theta:
    """Return θ, or an error that asks for it and says what each means."""
    try:
        return Theta(str(text).strip().lower())
    except ValueError:
        given = f"{text!r} is not an objective" if text else "The objective θ is missing"
        choices = "; ".join(f"{name} ({meaning})" for name, meaning in MEANINGS.items())
        raise InputError(f"{given}. State one of: {choices}.") from None


def objective_from_standing(lead: float, rounds_left: int, *, spread: float = ROUND_SPREAD) -> DerivedObjective:
    """Derive θ and k from a lead (a deficit is negative) and the rounds left, this one included.

    P(finish ahead) ≈ Φ(z) with z = lead / σ, σ = spread · √rounds. Its gradient in the variance of the lead is
    −z/(2σ): so the sign of z is θ and κ = |z|/(2σ) is k, kept within the slider. `spread` is the standard deviation of
    one round's difference.
    """
    _check_standing(lead, rounds_left, spread)
    sigma = spread * math.sqrt(rounds_left)
    z = lead / sigma
    theta = Theta.NEUTRAL if z == 0 else Theta.PROTECT if z > 0 else Theta.GAIN
    wanted = abs(z) / (2 * sigma)
    k = min(wanted, STRONGEST_K)
    place = "level" if lead == 0 else f"{abs(lead):g} points {'ahead' if lead > 0 else 'behind'}"
    rounds = "1 round" if rounds_left == 1 else f"{rounds_left} rounds"
    capped = f", cut to {STRONGEST_K:g}" if wanted > STRONGEST_K else ""
    working = (
        f"{place.capitalize()} with {rounds} left and about {sigma:.0f} points of spread is z = {z:+.2f}, "
        f"so θ is {theta} with k = |z|/(2σ) = {wanted:.3f}{capped}."
    )
    return DerivedObjective(Dial(theta=theta, k=k), z, working)


def rank_strength(lead: float, rounds_left: int) -> float:
    """Return κ of the rank objective for a standing: above 0 to hold a lead, below to chase, kept within the slider."""
    derived = objective_from_standing(lead, rounds_left)
    return math.copysign(derived.dial.k, derived.z)


def _check_standing(lead: float, rounds_left: int, spread: float) -> None:
    if not math.isfinite(lead) or abs(lead) > 100_000:
        raise InputError(f"A lead of {lead!r} points makes no sense. Give your points minus your rival's.")
    if not 1 <= rounds_left <= 60:
        raise InputError(f"{rounds_left!r} rounds left makes no sense. Count this round: at least 1.")
    if not (math.isfinite(spread) and 0 < spread <= 1000):
        raise InputError(f"A spread of {spread!r} points a round must be above 0.")
