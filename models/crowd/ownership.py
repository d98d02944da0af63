"""Ownership as exposure: what each player's points are worth to the field, who is template, who a differential.

`owned` is shown, never used as exposure: a benched player scores for nobody, a captain twice. Exposure
EO = owned · P(an owner starts him) + captained sums to twelve, eleven starters and the armband, over any field:
all managers, or a few named rivals.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from data.errors import ModelError
from data.rules import STARTERS
from models.crowd.eleven import Floats, Ints, Lineup, fill_armbands, fill_elevens, fill_squads
from models.crowd.field_view import FieldView, OwnershipSettings, check_owned_sums, checked_captain_share

Flags = npt.NDArray[np.bool_]

EXPOSURE = STARTERS + 1.0
"""Eleven starters and the armband: what exposure sums to."""
ROUNDING = 1e-9
LEAST_CHANCE = 1e-6
"""Start probability below which one is as good as none: keeps the log finite."""
MOST_POINTS = 200.0
"""Nobody earns as much in a round; a liking beyond it is certain already."""
NOTED_IDLE = 0.05
"""Men per eleven without a chance to play who are worth a note."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Exposure:
    """The field as columns: row i of every array is player i."""

    owned: Floats  # (n,) share of the field that owns him, scaled to full squads
    start: Floats  # (n,) P(an owner starts him)
    captained: Floats  # (n,) share of the field that gives him the armband; sums to 1
    eo: Floats  # (n,) owned · start + captained; sums to 12
    template: Flags  # (n,) popular: missing him hurts
    differential: Flags  # (n,) rare, likely to start, with a live ceiling
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the law of the field: twelve exposures, and nobody both template and differential."""
        total = float(self.eo.sum())
        if not abs(total - EXPOSURE) <= ROUNDING:
            raise ModelError(f"Exposure sums to {total!r}, not to {EXPOSURE:g}.")
        if (self.template & self.differential).any():
            raise ModelError("A player is template and differential at once: check the settings of ownership.")


class Regime(IntEnum):
    """What a player is to a squad, against the field."""

    NEUTRAL = 0
    HOLD = 1  # owned and popular: his points keep the rank
    DROP = 2  # missed and popular: his points cost rank
    LEAP = 3  # owned and rare: his points gain rank


@dataclass(frozen=True, slots=True, eq=False)
class Rivals:
    """Named opponents as a second field: row i of every array is rival i. Chips that add scorers are left out."""

    starters: Ints  # (r, 11) player rows
    captain: Ints  # (r,) player row, one of the starters
    bench: Ints  # (r, b) player rows; b may be 0 where benches are unknown

    def __post_init__(self) -> None:
        for name in ("starters", "captain", "bench"):
            object.__setattr__(self, name, np.asarray(getattr(self, name), dtype=np.int64))
        rivals = len(self.captain)
        if rivals == 0 or self.starters.shape != (rivals, STARTERS) or self.bench.shape[:1] != (rivals,):
            raise ModelError(
                f"Rivals need {STARTERS} starters, a captain and a bench each, not starters {self.starters.shape}, "
                f"captain {self.captain.shape}, bench {self.bench.shape}."
            )
        for row, squad in enumerate(np.hstack([self.starters, self.bench])):
            if len(set(squad.tolist())) != len(squad):
                raise ModelError(f"Rival {row} names a player twice: {squad.tolist()}. Each may be owned once.")
        if not (self.starters == self.captain[:, None]).any(axis=1).all():
            row = int(np.argmin((self.starters == self.captain[:, None]).any(axis=1)))
            raise ModelError(f"Rival {row} captains player row {self.captain[row]}, who is not among the starters.")


def field_exposure(
    view: FieldView,
    shape: Lineup,
    lineups: tuple[Lineup, ...],
    settings: OwnershipSettings | None = None,
    captain_share: Floats | None = None,
) -> Exposure:
    """Return the exposure of all managers to every player; `captain_share` replaces our estimate of the armbands.

    `shape` counts the places of a squad and `lineups` the allowed elevens, as (GK, DEF, MID, FWD).
    """
    settings = settings or OwnershipSettings()
    notes = check_owned_sums(view, shape, settings)
    owned = fill_squads(view.owned, view.position, shape)
    start = fill_elevens(owned, view.position, start_liking(view, settings), lineups)
    if captain_share is None:
        captained = fill_armbands(owned * start, captain_liking(view, settings))
    else:
        captained, scaled = checked_captain_share(captain_share, len(owned), settings)
        notes += scaled + _unlikely_armbands(captained, owned * start)
    notes += _idle_starters(view, owned * start)
    return _labelled(view, settings, owned, start, captained, notes)


def rivals_exposure(rivals: Rivals, view: FieldView) -> Exposure:
    """Return the exposure of named rivals: the mean over them of starting and of captaining every player."""
    players = len(view.owned)
    started = _share_of(rivals.starters, players)
    owned = started + _share_of(rivals.bench, players)
    start = np.divide(started, owned, out=np.zeros(players), where=owned > 0)
    captained = _share_of(rivals.captain[:, None], players)
    return _labelled(view, OwnershipSettings(), owned, start, captained)


def regimes(squads: Ints, exposure: Exposure) -> npt.NDArray[np.int8]:
    """Return the `Regime` of every player against every squad (p, n); `squads` (p, k) holds player rows.

    Popular is the template; rare is exposure below `rare_eo`, whatever the ceiling: a leap is a fact of the field,
    the differential among them is the one worth hunting.
    """
    rare = exposure.eo < OwnershipSettings().rare_eo
    missed = np.where(exposure.template, Regime.DROP, Regime.NEUTRAL).astype(np.int8)
    held = np.select([exposure.template, rare], [Regime.HOLD, Regime.LEAP], Regime.NEUTRAL).astype(np.int8)
    found = np.repeat(missed[None, :], len(squads), axis=0)
    np.put_along_axis(found, squads, held[squads], axis=1)
    return found


def start_liking(view: FieldView, settings: OwnershipSettings) -> Floats:
    """Return log-odds (n,) of an owner starting each player, up to an offset: his points, and whether he plays at all.

    xEV holds the chance to play already; the log of the chance is added because owners bench a doubtful star whom
    his mean would start, and so that who cannot play is started by nobody.
    """
    chance = np.log(np.maximum(view.p_start, LEAST_CHANCE))
    return np.asarray(settings.start_per_point * _points(view.xev) + settings.start_per_log_chance * chance)


def captain_liking(view: FieldView, settings: OwnershipSettings) -> Floats:
    """Return log-odds (n,) of a manager captaining each of his starters, up to an offset: mean, ceiling, a big name."""
    weight = settings.ceiling_weight
    hoped = settings.captain_per_point * ((1.0 - weight) * _points(view.xev) + weight * _points(view.ceiling))
    return hoped + settings.captain_per_million * view.price


def _points(values: Floats) -> Floats:
    return np.clip(values, -MOST_POINTS, MOST_POINTS)


def _labelled(
    view: FieldView,
    settings: OwnershipSettings,
    owned: Floats,
    start: Floats,
    captained: Floats,
    notes: Iterable[str] = (),
) -> Exposure:
    eo = owned * start + captained
    template = (eo >= settings.template_eo) | (captained >= settings.template_captained)
    differential = (eo < settings.rare_eo) & live_ceiling(view, settings)
    return Exposure(
        owned=owned,
        start=start,
        captained=captained,
        eo=eo,
        template=template,
        differential=differential,
        notes=tuple(notes),
    )


def live_ceiling(view: FieldView, settings: OwnershipSettings) -> Flags:
    """Return who is likely to start and has a ceiling in the round's top decile of those who are (n,)."""
    likely = view.likely(settings)
    if not likely.any():
        return likely
    return np.asarray(likely & (view.ceiling >= np.quantile(view.ceiling[likely], settings.ceiling_quantile)))


def _share_of(rows: Ints, players: int) -> Floats:
    """Return the share of rivals (n,) whose row of `rows` names each player."""
    return np.asarray(np.bincount(rows.ravel(), minlength=players) / len(rows), dtype=np.float64)


def _unlikely_armbands(captained: Floats, started: Floats) -> tuple[str, ...]:
    beyond = np.count_nonzero(captained > started + ROUNDING)
    if not beyond:
        return ()
    return (f"For {beyond} of the players more managers give the armband than can start him; your shares are kept.",)


def _idle_starters(view: FieldView, started: Floats) -> tuple[str, ...]:
    idle = float(started[view.p_start <= LEAST_CHANCE].sum())
    if idle < NOTED_IDLE:
        return ()
    return (f"The field lacks men who play: {idle:.1f} of {STARTERS} starters have no chance to.",)
