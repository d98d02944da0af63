"""Where the field errs: it piles onto a team or a player beyond what the points justify, or reacts too late.

Two yardsticks, both over likely starters. A replacement is the median man of a position: points above it are what
owning a team's men brings, and a team's share of them is the share of exposure it deserves (the share of plain xEV
would call every favourite crowded, because the field leaves most players alone). The price line is the
straight line of xEV on price within a position: a player above it brings more than his price buys. The flags are for
reading; no score depends on them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from data.domain import POSITIONS
from models.crowd.eleven import Floats
from models.crowd.field_view import FieldView, OwnershipSettings
from models.crowd.ownership import EXPOSURE, Exposure, Flags

TEAM_SHARE = 0.08
"""Least share of all exposure that makes a team worth a sentence: of a World Cup's 48 about six reach it."""
TEAM_RATIO = 2.0
"""Exposure over deserved share; favourites usually stand between 1 and 1.9, since the best men cost the rest."""
PLAYER_EO = 0.30
BELOW_PRICE_LINE = 0.5  # points a popular player lacks to what his price buys
ABOVE_PRICE_LINE = 1.0  # points an overlooked player brings beyond it
XEV_QUANTILE = 0.9  # an overlooked player's xEV is at least this quantile of the likely starters


def crowd_flags(
    exposure: Exposure, view: FieldView, team: Sequence[str], name: Sequence[str], ownership: OwnershipSettings
) -> tuple[str, ...]:
    """Return what stands out in the field, the most crowded and the most overlooked first within each kind.

    `team` and `name` (n,) label the players.
    """
    likely = view.likely(ownership)
    if not likely.any():
        return ()
    teams, names = np.asarray(team), np.asarray(name)
    margin = view.xev - price_line(view, likely)
    high = likely & (view.xev >= np.quantile(view.xev[likely], XEV_QUANTILE))
    rare = exposure.eo < ownership.rare_eo
    return (
        *_crowded_teams(exposure, view, likely, teams),
        *_crowded_players(exposure, margin, names),
        *_overlooked(high & rare, exposure, view, margin, names),
    )


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


def _crowded_teams(exposure: Exposure, view: FieldView, likely: Flags, teams: np.ndarray) -> Iterator[str]:
    codes, number = np.unique(teams, return_inverse=True)
    worth = points_above_replacement(view, likely)
    share = np.bincount(number, exposure.eo) / EXPOSURE
    deserved = np.bincount(number, worth) / worth.sum() if worth.any() else np.full(len(codes), 1.0 / len(codes))
    crowded = (share >= TEAM_SHARE) & (share >= TEAM_RATIO * deserved)
    for row in _largest_first(crowded, share - deserved):
        yield (
            f"{codes[row]}: {share[row]:.0%} of the field's exposure, but {deserved[row]:.0%} of the points "
            "above replacement."
        )


def _crowded_players(exposure: Exposure, margin: Floats, names: np.ndarray) -> Iterator[str]:
    crowded = (exposure.eo >= PLAYER_EO) & (margin <= -BELOW_PRICE_LINE)
    for row in _largest_first(crowded, -margin * exposure.eo):
        yield (
            f"{names[row]}: exposure {exposure.eo[row]:.0%}, but {-margin[row]:.1f} points fewer than his price buys."
        )


def _overlooked(among: Flags, exposure: Exposure, view: FieldView, margin: Floats, names: np.ndarray) -> Iterator[str]:
    for row in _largest_first(among & (margin >= ABOVE_PRICE_LINE), margin):
        yield (
            f"{names[row]}: {view.xev[row]:.1f} expected points, {margin[row]:.1f} more than his price buys, but "
            f"exposure only {exposure.eo[row]:.1%}."
        )


def _largest_first(chosen: Flags, size: Floats) -> list[int]:
    rows = np.flatnonzero(chosen)
    return [int(row) for row in rows[np.argsort(-size[rows], kind="stable")]]
