"""Squads of the best 10,000 managers of 2025/26 from the fact tables, as a field, and what they were exposed to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from engine.rank.field import Field
from models.crowd.field_view import OwnershipSettings
from models.crowd.ownership import Exposure
from models.signals import Signals

SQUAD = [f"p{place}" for place in range(1, 16)]


def with_true_exposure(signals: Signals, facts: Path) -> Signals:
    """Return the signals of a gameweek with what the best 10,000 really owned, started and captained in it."""
    table = pd.read_csv(facts / "fpl" / "field" / "exposure_2025-26.csv.gz")
    week = table[table["gw"] == signals.round].set_index("element").reindex(signals.player_id).fillna(0.0)
    owned, started, captained = (week[name].to_numpy() for name in ("owned", "started", "captained"))
    owned = owned * 15 / owned.sum()
    start = np.divide(started, owned, out=np.zeros(len(owned)), where=owned > 0).clip(0, 1)
    captained = captained * (12 - (owned * start).sum()) / captained.sum()
    eo, settings = owned * start + captained, OwnershipSettings()
    nobody = np.zeros(len(owned), dtype=bool)
    template = eo >= settings.template_eo
    exposure = Exposure(owned=owned, start=start, captained=captained, eo=eo, template=template, differential=nobody)
    return replace(signals, owned=owned, exposure=exposure)


def real_field(signals: Signals, facts: Path) -> tuple[Field, np.ndarray]:
    """Return the sampled managers who played no chip that adds scorers, and the points (m,) they really got."""
    table = pd.read_csv(facts / "fpl" / "field" / "top10k_2025-26.csv.gz")
    week = table[(table["gw"] == signals.round) & (table["chip"].isna() | (table["chip"] == "wildcard"))]
    week = week[week[SQUAD].isin(signals.player_id).all(axis=1)]
    rows = pd.Series(np.arange(len(signals)), index=signals.player_id)
    men = rows.loc[week[SQUAD].to_numpy().ravel()].to_numpy().reshape(-1, 15)
    starters = np.take_along_axis(men[:, :11], np.argsort(signals.position[men[:, :11]], axis=1, kind="stable"), axis=1)
    bench = np.hstack([men[:, 12:], men[:, 11:12]])  # the game lists the second goalkeeper first
    captain, vice = (rows.loc[week[name]].to_numpy() for name in ("captain", "vice"))
    squads = np.hstack([starters, bench])
    return Field("best 10,000", squads, starters, bench, captain, vice), week["points"].to_numpy()
