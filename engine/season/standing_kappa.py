"""Strength of the rank objective for a standing, as it is measured on real managers: how far weeks lie apart.

z is the lead in standard deviations of what is still to come, κ = z / 2σ. Real managers of a league of 72 over 19
gameweeks of 2025/26: a week lies 11.6 points about the league's mean, and managers differ for good by 2.2 a week.
"""

from __future__ import annotations

import numpy as np

WEEK = 11.6
"""Standard deviation of a manager's points of a week about the league's mean."""

LASTING = 2.2
"""Standard deviation between managers of what they make a week in the long run, beside the league's mean."""

WEAKEST, STRONGEST = -0.02, 0.06
"""Strengths beyond which a plan sheds more points than its swing, or its cover, is worth."""


def spread_of_the_rest(rounds: int) -> float:
    """Return the standard deviation of two managers' difference over so many rounds, nothing known of either."""
    return float(np.sqrt(2.0 * (rounds * WEEK**2 + (rounds * LASTING) ** 2)))


def standing_kappa(lead: float, rounds_left: int) -> float:
    """Return κ for a lead (a deficit is negative) on another manager with so many rounds to come."""
    spread = spread_of_the_rest(max(rounds_left, 1))
    return float(np.clip(lead / (2.0 * spread**2), WEAKEST, STRONGEST))
