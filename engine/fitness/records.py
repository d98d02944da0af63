"""Records that a spec reads of squads: who is owned, starts, waits or is missed, and what is believed of each man."""

from __future__ import annotations

from functools import partial

import numpy as np

from engine.language.deferred import Deferred
from engine.language.vocabulary import RecordSet
from engine.lineup.lineups import Lineups
from models.crowd.ownership import Exposure
from models.signals import Signals


def squad_records(signals: Signals, exposure: Exposure, squads: np.ndarray, lineups: Lineups) -> Deferred[RecordSet]:
    """Return the records of squads (p, 15) under their line-ups, each kind worked out when it is asked for."""

    def of(men: np.ndarray, role: np.ndarray, which: np.ndarray) -> RecordSet:
        return RecordSet(record_fields(signals, exposure, men, role), which)

    def playing(men: np.ndarray, role: np.ndarray) -> RecordSet:
        return of(men, role, np.ones(men.shape, dtype=bool))

    def missed() -> RecordSet:
        template = np.flatnonzero(exposure.template)
        lacking = ~_held(template, squads, len(signals))
        return of(np.broadcast_to(template, lacking.shape), np.zeros(lacking.shape), lacking)

    return Deferred(
        {
            "owned": lambda: playing(squads, lineups.weight),
            "starter": lambda: playing(lineups.starters, np.ones(lineups.starters.shape)),
            "bench": lambda: playing(lineups.bench, _along(lineups.bench, squads, lineups.weight)),
            "differential_owned": lambda: of(squads, lineups.weight, exposure.differential[squads]),
            "template_missed": missed,
        }
    )


def record_fields(signals: Signals, exposure: Exposure, rows: np.ndarray, role: np.ndarray) -> Deferred[np.ndarray]:
    """Return what is known of the men in these rows, and the role that each is given."""
    columns = {
        "xev": signals.xev,
        "ceiling": signals.ceiling,
        "floor": signals.floor,
        "variance": signals.variance,
        "typical_xev": signals.typical_xev,
        "price": signals.price,
        "start": signals.start,
        "owned": signals.owned,
        "eo": exposure.eo,
        "captained": exposure.captained,
        "confidence": signals.confidence,
    }
    return Deferred({name: partial(_floats, values, rows) for name, values in columns.items()} | {"role": lambda: role})


def _held(players: np.ndarray, squads: np.ndarray, size: int) -> np.ndarray:
    """(p, m) whether each squad holds each of the given players."""
    column = np.full(size, len(players))
    column[players] = np.arange(len(players))
    held = np.zeros((len(squads), len(players) + 1), dtype=bool)
    np.put_along_axis(held, column[squads], True, axis=1)
    return held[:, :-1]


def _floats(values: np.ndarray, rows: np.ndarray) -> np.ndarray:
    return np.asarray(values[rows], dtype=np.float64)


def _along(men: np.ndarray, squads: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the role weight of each man (p, m) of the squads (p, k), whose weights are in their own order."""
    return np.asarray(np.einsum("pmk,pk->pm", men[:, :, None] == squads[:, None, :], weight))
