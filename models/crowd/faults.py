"""Where the field errs: it piles onto a team or a player beyond what the points justify, or reacts too late.

Two yardsticks, both over likely starters. A replacement is the median man of a position: points above it are what
owning a team's men brings, and a team's share of them is the share of exposure it deserves (the share of plain xEV
would call every favourite crowded, because the field leaves most players alone). The price line is the
straight line of xEV on price within a position: a player above it brings more than his price buys. The flags are for
reading; no score depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from data.domain import POSITIONS
from data.errors import ModelError
from models.crowd.eleven import Floats
from models.crowd.ownership import EXPOSURE, Exposure, Flags
from models.crowd.view import FieldView, OwnershipSettings


class CrowdFault(StrEnum):
    """What the field does wrong."""

    OVER_CONCENTRATION = "over-concentration"
    UNDER_REACTION = "under-reaction"


@dataclass(frozen=True, slots=True)
class CrowdFlag:
    """One finding about the field, as a sentence."""

    kind: CrowdFault
    subject: str  # team or player
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdSettings:
    """From where on the field's habits are worth a sentence."""

    team_share: float = 0.08
    """Least share of all exposure: of a World Cup's 48 teams about six reach it."""
    team_ratio: float = 2.0
    """Exposure over deserved share; favourites usually stand between 1 and 1.9, since the best men cost the rest."""
    player_eo: float = 0.30
    below_price_line: float = 0.5  # points a popular player lacks to what his price buys
    above_price_line: float = 1.0  # points an overlooked player brings beyond it
    xev_quantile: float = 0.9  # an overlooked player's xEV is at least this quantile of the likely starters
    xev_rise: float = 1.0  # points since the round before
    owned_rise: float = 0.02  # a field that reacts moves at least so much

    def __post_init__(self) -> None:
        for name in self.__slots__:
            if not 0 < getattr(self, name) < np.inf:
                raise ModelError(f"{name} is {getattr(self, name)}; a threshold of the crowd is above 0.")
        if self.xev_quantile >= 1:
            raise ModelError(f"xev_quantile is {self.xev_quantile}; give a share below 1, such as 0.9.")


@dataclass(frozen=True, slots=True, eq=False)
class RoundBefore:
    """The same players a round earlier; NaN for who was not selectable or had no match then."""

    owned: Floats  # (n,)
    xev: Floats  # (n,)


def crowd_flags(
    exposure: Exposure,
    view: FieldView,
    team: Sequence[str],
    name: Sequence[str],
    before: RoundBefore | None = None,
    settings: CrowdSettings | None = None,
    ownership: OwnershipSettings | None = None,
) -> tuple[CrowdFlag, ...]:
    """Return what stands out in the field, the most crowded and the most overlooked first within each kind.

    `team` and `name` (n,) label the players. Without the round before only levels are judged, not changes.
    """
    settings, ownership = settings or CrowdSettings(), ownership or OwnershipSettings()
    _check_lengths(view, team, name, before)
    likely = view.likely(ownership)
    if not likely.any():
        return ()
    teams, names = np.asarray(team), np.asarray(name)
    margin = view.xev - price_line(view, likely)
    flags = [*_crowded_teams(exposure, view, likely, teams, settings)]
    flags += _crowded_players(exposure, margin, names, settings)
    high = likely & (view.xev >= np.quantile(view.xev[likely], settings.xev_quantile))
    rare = exposure.eo < ownership.rare_eo
    flags += _overlooked(high & rare, exposure, view, margin, names, settings)
    if before is not None:
        # A man nobody needs may rise unnoticed, and whom everybody owns already cannot rise.
        flags += _unmoved(high & ~exposure.template, view, before, names, settings)
    return tuple(flags)


def points_above_replacement(view: FieldView, likely: Flags) -> Floats:
    """Return what each likely starter brings beyond the median one of his position (n,); 0 for all others."""
    worth = np.zeros_like(view.xev)
    for of_position in _likely_by_position(view, likely):
        if of_position.any():
            worth[of_position] = view.xev[of_position] - np.median(view.xev[of_position])
    return np.maximum(worth, 0.0)


def price_line(view: FieldView, likely: Flags) -> Floats:
    """Return the xEV that each player's price buys in his position (n,), fitted to likely starters by least squares.

    Where nobody of a position is likely to start, his own xEV: there is nothing to compare it with.
    """
    line = view.xev.copy()
    for code, of_position in enumerate(_likely_by_position(view, likely)):
        if of_position.any():
            price, xev = view.price[of_position], view.xev[of_position]
            spread = float(np.square(price - price.mean()).sum())
            slope = float((price - price.mean()) @ xev) / spread if spread > 0 else 0.0
            everyone = view.position == code
            line[everyone] = xev.mean() + slope * (view.price[everyone] - price.mean())
    return line


def _likely_by_position(view: FieldView, likely: Flags) -> Iterator[Flags]:
    return ((view.position == code) & likely for code in range(len(POSITIONS)))


def _crowded_teams(
    exposure: Exposure, view: FieldView, likely: Flags, teams: np.ndarray, settings: CrowdSettings
) -> Iterator[CrowdFlag]:
    codes, number = np.unique(teams, return_inverse=True)
    worth = points_above_replacement(view, likely)
    share = np.bincount(number, exposure.eo) / EXPOSURE
    deserved = np.bincount(number, worth) / worth.sum() if worth.any() else np.full(len(codes), 1.0 / len(codes))
    crowded = (share >= settings.team_share) & (share >= settings.team_ratio * deserved)
    for row in _largest_first(crowded, share - deserved):
        yield CrowdFlag(
            CrowdFault.OVER_CONCENTRATION,
            str(codes[row]),
            f"{codes[row]}: {share[row]:.0%} of the field's exposure, but {deserved[row]:.0%} of the points "
            "above replacement.",
        )


def _crowded_players(
    exposure: Exposure, margin: Floats, names: np.ndarray, settings: CrowdSettings
) -> Iterator[CrowdFlag]:
    crowded = (exposure.eo >= settings.player_eo) & (margin <= -settings.below_price_line)
    for row in _largest_first(crowded, -margin * exposure.eo):
        yield CrowdFlag(
            CrowdFault.OVER_CONCENTRATION,
            str(names[row]),
            f"{names[row]}: exposure {exposure.eo[row]:.0%}, but {-margin[row]:.1f} points fewer than his price buys.",
        )


def _overlooked(
    among: Flags, exposure: Exposure, view: FieldView, margin: Floats, names: np.ndarray, settings: CrowdSettings
) -> Iterator[CrowdFlag]:
    for row in _largest_first(among & (margin >= settings.above_price_line), margin):
        yield CrowdFlag(
            CrowdFault.UNDER_REACTION,
            str(names[row]),
            f"{names[row]}: {view.xev[row]:.1f} expected points, {margin[row]:.1f} more than his price buys, but "
            f"exposure only {exposure.eo[row]:.1%}.",
        )


def _unmoved(
    among: Flags, view: FieldView, before: RoundBefore, names: np.ndarray, settings: CrowdSettings
) -> Iterator[CrowdFlag]:
    rise, moved = view.xev - before.xev, view.owned - before.owned
    for row in _largest_first(among & (rise >= settings.xev_rise) & (moved < settings.owned_rise), rise):
        yield CrowdFlag(
            CrowdFault.UNDER_REACTION,
            str(names[row]),
            f"{names[row]}: expected points up by {rise[row]:.1f} since the round before, ownership by "
            f"{100 * moved[row]:+.1f} percentage points.",
        )


def _largest_first(chosen: Flags, size: Floats) -> list[int]:
    rows = np.flatnonzero(chosen)
    return [int(row) for row in rows[np.argsort(-size[rows], kind="stable")]]


def _check_lengths(view: FieldView, team: Sequence[str], name: Sequence[str], before: RoundBefore | None) -> None:
    lengths = {"team": len(team), "name": len(name)}
    if before is not None:
        lengths |= {"owned before": len(before.owned), "xev before": len(before.xev)}
    wrong = {column: length for column, length in lengths.items() if length != len(view.owned)}
    if wrong:
        raise ModelError(f"The field has {len(view.owned)} players, but these columns have another length: {wrong}.")
