"""What the ratings of teams assume, for nations and for clubs."""

from __future__ import annotations

from dataclasses import field

from pydantic.dataclasses import dataclass as checked

from models.settings import Positive, Share
from models.teams.elo import EloSettings


@checked(frozen=True, slots=True, kw_only=True)
class RatingSettings:
    """Everything the ratings assume. The defaults serve national teams; `league()` serves a club season."""

    half_life_days: Positive = 1095.0
    years: Positive = 8.0  # older results are left out of attack and defence; Elo reads them all
    friendly_weight: Share = 0.8
    ridge: Positive = 3.0  # pulls each attack and defence to 0, in units of goals seen
    goal_cap: Positive = 8  # a 15–0 says no more than an 8–0
    base_start: float = 0.17  # log goals between equals on neutral ground, before any result
    home_start: float = 0.25  # log goals of playing at home, before any result
    level_weight: Positive = 10.0  # ridge of base and home towards their starts
    rho_start: float = -0.04  # Dixon–Coles correction before any result
    rho_sd: Positive = 0.05  # how far results may move it
    rho_limit: Positive = 0.2
    elo_share: Share = 0.5  # of the log rates; the rest is attack and defence
    price_share: Share = 0.5  # of the log ratio of the two rates; their product stays the model's
    price_slope: float = 0.668  # log ratio per million of difference in mean price of the eleven dearest
    price_home: float = 0.25  # log ratio of playing at home, beside the price
    scale_goals: Positive = 63.0  # goals and expected goals before a tournament's first match: a World Cup sees
    scale_rate: Positive = 60.0  # 5 % more than ratings expect, until its own matches say otherwise
    newcomers: bool = False  # rate a team without results by its prior, instead of refusing it
    expected_share: Share = 0.0  # of expected goals in what attack and defence explain; the rest is goals
    priced_attack: float = 0.0  # log goals of attack per log of the eleven dearest's mean price, before any result
    priced_defence: float = 0.0
    promoted_attack: float = 0.0  # and of a club that was not in the league the season before, or has left it
    promoted_defence: float = 0.0
    elo: EloSettings = field(default_factory=EloSettings)

    @classmethod
    def league(cls) -> RatingSettings:
        """Return settings for clubs: expected goals tell more than goals, and price and promotion come before both.

        Walked forward over 1X2 log-loss less the market's: 2023-24 +.014, 2024-25 −.002, first half of 2025-26 +.013;
        with Elo and goals alone +.033, +.019, −.006. Without the promoted clubs' prior it is .003 worse over all of
        them, without prices .002, with goals alone .004.
        """
        return cls(
            half_life_days=300.0,
            ridge=4.0,
            base_start=0.30,
            home_start=0.15,
            elo_share=0.0,
            scale_goals=60.0,
            newcomers=True,
            expected_share=0.75,
            priced_attack=1.0,
            priced_defence=0.6,
            promoted_attack=-0.30,
            promoted_defence=-0.25,
        )
