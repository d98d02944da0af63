"""What the manager wants: θ and how strongly. Never chosen silently; `engine.rank` measures what serves a standing."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

from data.errors import InputError

MEANINGS = {
    "protect": "you are ahead: stay close to what rivals own and keep the swing small",
    "neutral": "you want the most points in the long run and leave rank aside",
    "gain": "you are behind: back strong players few rivals own",
}
RANK = "rank"
"""What protect and gain are the two sides of: the chance to be ahead, with a strength κ above 0 or below."""

STRONGEST_K = 0.05
"""The slider's end: beyond, variance swamps expected points (k = .1 under protect gives up 11 % of them)."""

DEFAULT_K = {"protect": 0.02, "neutral": 0.02, "gain": 0.01}
DEFAULT_W = {"protect": 1.0, "neutral": 0.3, "gain": 1.0}
HIGHEST_W = {"protect": 2.0, "neutral": 1.0, "gain": 2.0}
"""Strengths where no standing is stated: settled by what protect and gain do for their own goals (`rank_table`)."""


class Theta(StrEnum):
    """The rank objective."""

    PROTECT = "protect"
    NEUTRAL = "neutral"
    GAIN = "gain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Dial:
    """θ, the strength k of the variance term, and the weight w of ownership leverage."""

    theta: Theta
    k: float | None = None  # None = the default of θ
    w: float | None = None  # likewise
    c: float | None = None  # weight of progression carry; None = by stage

    def __post_init__(self) -> None:
        for name in ("k", "w", "c"):
            value = getattr(self, name)
            if value is not None and not (math.isfinite(value) and 0 <= value <= 10):
                raise InputError(f"{name} is {value!r}; it must be a number from 0 up, usually below 1.")

    @property
    def strength(self) -> float:
        """The strength of the variance term in force."""
        return DEFAULT_K[self.theta] if self.k is None else self.k

    @property
    def leverage(self) -> float:
        """The weight of ownership leverage in force."""
        return DEFAULT_W[self.theta] if self.w is None else self.w

    @property
    def warnings(self) -> tuple[str, ...]:
        """Sentences about strengths beyond the range where the terms stay balanced."""
        said = []
        if self.strength > STRONGEST_K:
            said.append(f"k = {self.strength:g} is above {STRONGEST_K:g}: the variance term may swamp expected points.")
        if self.leverage > HIGHEST_W[self.theta]:
            said.append(f"w = {self.leverage:g} is above {HIGHEST_W[self.theta]:g}: it may swamp expected points.")
        return tuple(said)


def parse_theta(text: str | None) -> Theta:
    """Return θ, or an error that asks for it and says what each means."""
    try:
        return Theta(str(text).strip().lower())
    except ValueError:
        given = f"{text!r} is not an objective" if text else "The objective θ is missing"
        choices = "; ".join(f"{name} ({meaning})" for name, meaning in MEANINGS.items())
        raise InputError(f"{given}. State one of: {choices}.") from None
