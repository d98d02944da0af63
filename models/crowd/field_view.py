"""What the field looks at, as columns whose units are checked aloud, and the settings of how it decides.

Percent taken for fractions is the commonest way to get ownership wrong unnoticed. So a column that does not sum to
what the game's rules say it must is refused with its sum and the way out; a small gap (entries without a full squad)
is closed and noted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field
from pydantic.dataclasses import dataclass as checked

from data.domain import POSITIONS
from data.errors import ModelError
from models.crowd.eleven import Floats, Ints, Lineup
from models.settings import Positive, Share

PERCENT = 100.0
ARMBANDS = 1.0
NO_GAP = 1e-6
"""A sum this near its total is right: nothing to tell the user."""
_COLUMNS = ("owned", "p_start", "xev", "ceiling", "price")
_PROBABILITIES = ("owned", "p_start")


@checked(frozen=True, slots=True, kw_only=True)
class OwnershipSettings:
    """How managers choose, what counts as popular and rare, and how far a sum may be off.

    A tournament's game does not publish who was started or captained by how many, so its slopes are judgements, chosen
    for plausible elevens. Those of a league's armbands were fitted, see `league`. A user's own captain shares replace
    what is said of armbands.
    """

    start_per_point: Positive = 0.8
    """Log-odds of being started for one more expected point: of two men a point apart 69 % prefer the better."""
    start_per_log_chance: Positive = 2.0
    """Log-odds for the log of the start probability: a coin-flip starter has a quarter of a certain one's odds."""
    captain_per_point: Positive = 1.0
    """Log-odds of the armband for one more point: of two starters a point apart 73 % captain the better."""
    ceiling_weight: Share = 0.25
    """How much of the captain's points is his ceiling (P90), the rest is his mean: managers chase a haul a little."""
    captain_per_million: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    """Log-odds of the armband for one more million: how much a name counts beside what is expected of him."""
    template_eo: Share = 0.15
    template_captained: Share = 0.05
    rare_eo: Share = 0.05
    likely_start: Share = 0.6
    ceiling_quantile: Share = 0.9
    """Among likely starters, so of men who have a match: the pool's many who never play would make it easy."""
    total_slack: Share = 0.10
    """How far, relatively, all shares may be from their total; the World Cup's are 0.4 % below (inactive entries)."""
    position_slack: Share = 0.25
    """The same within a position, where a user's own column moves the sum more easily."""

    @classmethod
    def league(cls) -> OwnershipSettings:
        """Return how managers of a league choose.

        The armbands were fitted to those of the best 10,000 of Fantasy Premier League 2025/26, gameweeks 2 to 19, by
        cross-entropy: a point counts .8, a million .5, and a ceiling beside them nothing. Left out in turn, three weeks
        are foretold nearly as well (mean error of the five most captained .077 instead of .076).
        """
        return cls(captain_per_point=0.8, ceiling_weight=0.0, captain_per_million=0.5)

    def __post_init__(self) -> None:
        if self.rare_eo > min(self.template_eo, self.template_captained):
            raise ModelError(
                f"rare_eo is {self.rare_eo}, above template_eo {self.template_eo} or template_captained "
                f"{self.template_captained}: a player would be rare and popular at once. Lower rare_eo."
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class FieldView:
    """What managers see of every player before the round: row i of every array is player i."""

    owned: Floats  # (n,) share of managers, 0..1; sums to about 15
    position: Ints  # (n,) 0..3 = GK DEF MID FWD
    p_start: Floats  # (n,) probability that he starts for his real team; 0 without a match
    xev: Floats  # (n,) expected points
    ceiling: Floats  # (n,) P90 of his points
    price: Floats  # (n,) millions

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.float64))
        object.__setattr__(self, "position", np.asarray(self.position, dtype=np.int64))
        shapes = {name: getattr(self, name).shape for name in (*_COLUMNS, "position")}
        if len(set(shapes.values())) != 1 or self.owned.ndim != 1 or self.owned.size == 0:
            raise ModelError(f"The field's columns need one entry per player each, not {shapes}.")
        for name in _COLUMNS:
            _check_finite(getattr(self, name), name)
        _check_in(self.position, "position", 0, len(POSITIONS) - 1, f"0..3 stand for {', '.join(POSITIONS)}")
        _check_owned_unit(self.owned)
        for name in _PROBABILITIES:
            _check_in(getattr(self, name), name, 0.0, 1.0, "a share lies between 0 and 1")

    def likely(self, settings: OwnershipSettings) -> np.ndarray:
        """Return who is likely to start (n,)."""
        return np.asarray(self.p_start >= settings.likely_start)


def check_owned_sums(view: FieldView, shape: Lineup, settings: OwnershipSettings) -> tuple[str, ...]:
    """Refuse ownership that sums to anything but full squads; return a note where a small gap will be closed."""
    total, due = float(view.owned.sum()), float(sum(shape))
    if abs(total - due) > settings.total_slack * due:
        raise ModelError(f"owned sums to {total:.4g}, but managers own {due:g} players each. {_way_out(total, due)}")
    by_position = np.bincount(view.position, view.owned, minlength=len(shape))
    for name, found, places in zip(POSITIONS, by_position, shape, strict=True):
        if abs(found - places) > settings.position_slack * places:
            raise ModelError(
                f"owned sums to {found:.4g} over {name}, but every squad has {places}. "
                "Give ownership for the whole pool, and check the positions."
            )
    if np.allclose(by_position, shape, rtol=0.0, atol=NO_GAP):
        return ()
    return (f"Ownership sums to {total:.2f} instead of {due:g}; every position is scaled to its places in a squad.",)


def checked_captain_share(given: Floats, players: int, settings: OwnershipSettings) -> tuple[Floats, tuple[str, ...]]:
    """Return the user's captain shares summing to exactly 1, with a note where they had to be scaled."""
    share = np.asarray(given, dtype=np.float64)
    if share.shape != (players,):
        raise ModelError(f"captain_share has shape {share.shape}; give one share for each of the {players} players.")
    _check_finite(share, "captain_share")
    _check_in(share, "captain_share", 0.0, np.inf, "nobody is captained by fewer than no managers")
    total = float(share.sum())
    if abs(total - ARMBANDS) > settings.total_slack:
        raise ModelError(
            f"captain_share sums to {total:.4g}, but every manager gives one armband: 1. {_way_out(total, ARMBANDS)}"
        )
    scaled = abs(total - ARMBANDS) > NO_GAP
    notes = (f"Captain shares sum to {total:.3f} instead of 1; they are scaled.",) if scaled else ()
    return share / total, notes


def _way_out(total: float, due: float) -> str:
    if total > due * np.sqrt(PERCENT):
        return "It looks like percent: divide by 100."
    return "Give the fraction of managers for every player of the pool, not for some of them."


def _check_owned_unit(owned: Floats) -> None:
    if owned.max() > 1.0:
        raise ModelError(
            f"owned reaches {owned.max():g} and sums to {owned.sum():.4g}; a fraction is at most 1. "
            "It looks like percent: divide by 100."
        )


def _check_finite(values: Floats, name: str) -> None:
    if not np.isfinite(values).all():
        row = int(np.argmin(np.isfinite(values)))
        raise ModelError(f"{name} of player row {row} is {values[row]}; every player needs a number.")


def _check_in(values: Floats | Ints, name: str, low: float, high: float, rule: str) -> None:
    wrong = (values < low) | (values > high)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise ModelError(f"{name} of player row {row} is {values[row]}; {rule}.")
