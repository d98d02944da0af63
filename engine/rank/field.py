"""The managers one plays against: whole legal squads with an eleven, a bench in order and an armband each.

Four fields and named rivals. The observed field owns, starts and captains what managers really do, that of the best
what the best 10,000 of a league are believed to. The EV-aware field picks near the most expected points, each manager
by his own projections, and moves the armband by the ladder. The naive field buys famous and dear players. A manager's
tastes belong to him: whoever draws the same field in another round meets the same people, who still like whom they
liked.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from data.domain import Crowd
from data.errors import InputError
from data.rules import STARTERS
from engine.lineup.joint import NOBODY
from engine.lineup.lineups import best_lineups
from engine.rank.field_draw import FIT_MANAGERS, Tastes, fit_appeal, purses, sharp_squads, squads_by_appeal
from engine.rank.field_lineups import field_lineups
from engine.rules.legality import legal
from engine.rules.pool import Pool, pool_of
from engine.rules.repair import repair
from models.armband.captaincy import best_armbands
from models.crowd.field_view import FieldView, OwnershipSettings
from models.crowd.ownership import Exposure, Rivals, captain_liking, rivals_exposure, start_liking
from models.forecast import ModelSettings
from models.signals import Signals

FAME = 0.5
"""How much of the log of ownership a naive manager follows: he knows the names, not the reasons."""
PER_MILLION = 0.45
"""Log-weight of one more million to a naive manager, who takes price for quality."""
OBSERVED = "observed"
"""Name of the field whose managers own what all managers own."""
BEST_MANAGERS = "best"
"""Name of the field whose managers own what the best 10,000 own."""

JITTER = 0.35
"""Spread of a sharp manager's projection in points, for a man worth four: σ = .35 · √(xEV / 4)."""
USUAL_POINTS = 4.0
BY_PRICE = 0.5
"""Expected points a naive manager reads into a million when he names his eleven and his captain."""


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """Opponents as columns: row i of every array is manager i."""

    name: str
    squads: np.ndarray  # (m, s) player rows by position
    starters: np.ndarray  # (m, 11) player rows: GK, DEF, MID, FWD
    bench: np.ndarray  # (m, s − 11) player rows: outfield men as they are called, then the goalkeepers
    captain: np.ndarray  # (m,) player row
    vice: np.ndarray  # (m,) player row, −1 for nobody
    ladder: bool = False  # whether they move the armband by the ladder; else captain and vice are held

    def __post_init__(self) -> None:
        count = len(self.squads)
        if not count or self.starters.shape != (count, STARTERS) or len(self.captain) != count:
            raise InputError(
                f"A field needs a squad, {STARTERS} starters and a captain for each manager, not squads of shape "
                f"{self.squads.shape} and starters of shape {self.starters.shape}."
            )

    def __len__(self) -> int:
        return len(self.squads)

    def exposure(self, signals: Signals) -> Exposure:
        """Return the field as exposure, so that an objective can look at it."""
        return rivals_exposure(Rivals(self.starters, self.captain, self.bench), field_view(signals))


def observed_field(signals: Signals, managers: int, tastes: Tastes) -> Field:
    """Return managers whose squads, elevens and armbands match what the field is known to own, start and captain."""
    pool, exposure = pool_of(signals), signals.exposure
    enough = max(managers, FIT_MANAGERS)
    taste = tastes.for_owning(signals.player_id, enough)
    purse = purses(pool, tastes, enough, float(exposure.owned @ pool.price))
    appeal = fit_appeal(exposure.owned, pool, taste[:FIT_MANAGERS], purse[:FIT_MANAGERS])
    squads = _repaired(squads_by_appeal(appeal, pool, taste[:managers], purse[:managers]), pool, signals.xev)
    view, settings = field_view(signals), _habits(signals)
    likings = start_liking(view, settings), tastes, captain_liking(view, settings)
    lined = field_lineups(signals, squads, *likings, exposure.captained, exposure.start)
    return Field(BEST_MANAGERS if exposure is signals.best else OBSERVED, squads, *lined)


def best_field(signals: Signals, managers: int, tastes: Tastes) -> Field:
    """Return managers whose squads match what the best of a league are believed to own, start and captain."""
    return observed_field(signals.against(Crowd.BEST), managers, tastes)


def naive_field(signals: Signals, managers: int, tastes: Tastes) -> Field:
    """Return managers who buy fame and price, and captain the dearest man they have."""
    pool = pool_of(signals)
    known = np.maximum(signals.owned, signals.owned[signals.owned > 0].min())
    appeal = FAME * np.log(known) + PER_MILLION * pool.price
    taste = tastes.for_owning(signals.player_id, managers)
    squads = _repaired(squads_by_appeal(appeal, pool, taste, np.full(managers, pool.budget)), pool, signals.xev)
    settings = _habits(signals)
    seen = field_view(signals, xev=BY_PRICE * signals.price, ceiling=BY_PRICE * signals.price)
    lined = field_lineups(signals, squads, start_liking(seen, settings), tastes, captain_liking(seen, settings))
    return Field("naive", squads, *lined)


def ev_aware_field(signals: Signals, managers: int, tastes: Tastes) -> Field:
    """Return managers who pick near the most expected points, each by his own noisy projections, ladder and all."""
    pool = pool_of(signals)
    noise = JITTER * np.sqrt(np.maximum(signals.xev, 0.0) / USUAL_POINTS)
    value = np.maximum(signals.xev + noise * tastes.for_judging(signals.player_id, managers), 0.0)
    squads = _repaired(sharp_squads(value, signals.xev, pool, signals.rules.squad.lineups), pool, signals.xev)
    best = best_lineups(signals, squads)
    moves = signals.rules.captaincy.mode.value != "locked" and signals.rules.captaincy.vice_covers
    return Field("EV-aware", squads, best.starters, best.bench, best.captain, best.vice, ladder=moves)


def rivals_field(signals: Signals, squads: np.ndarray, *, name: str = "named rival") -> Field:
    """Return named rivals as a field: their squads with the best eleven, the armband held on the best captain."""
    best = best_lineups(signals, squads)
    armbands = best_armbands(signals.armband, best.starters, "locked")
    return Field(name, best.squads, best.starters, best.bench, armbands.captain, armbands.vice)


def lined_up_rivals(
    signals: Signals, starters: np.ndarray, bench: np.ndarray, captain: np.ndarray, *, name: str
) -> Field:
    """Return named rivals as they line up themselves: starters (m, 11), bench (m, b) as called, captain (m,).

    The armband is held; behind each captain stands the best other starter.
    """
    position, mean = signals.position, signals.armband.mean
    eleven = np.take_along_axis(starters, np.argsort(position[starters], axis=1, kind="stable"), axis=1)
    called = np.take_along_axis(bench, np.argsort(position[bench] == 0, axis=1, kind="stable"), axis=1)
    others = np.where(eleven == captain[:, None], -np.inf, mean[eleven]).argmax(axis=1)
    vice = eleven[np.arange(len(eleven)), others]
    return Field(
        name,
        pool_of(signals).by_position(np.hstack([starters, bench])),
        eleven,
        called,
        captain,
        vice if signals.rules.captaincy.vice_covers else np.full(len(eleven), NOBODY),
    )


def _habits(signals: Signals) -> OwnershipSettings:
    return ModelSettings.for_game(signals.rules).ownership


def _repaired(squads: np.ndarray, pool: Pool, worth: np.ndarray) -> np.ndarray:
    """Repair every illegal squad in its place."""
    for row in np.flatnonzero(~legal(squads, pool)):
        squads[row] = pool.by_position(repair(squads[row], pool, worth).squad)
    return squads


def field_view(signals: Signals, **changed: np.ndarray) -> FieldView:
    """Return what a field is seen by: the signals, or other columns in their place."""
    columns = {
        "owned": signals.owned,
        "position": signals.position,
        "p_start": signals.start,
        "xev": signals.xev,
        "ceiling": signals.ceiling,
        "price": signals.price,
    }
    return FieldView(**(columns | changed))
