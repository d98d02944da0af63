"""The chances to hold a lead and to catch up as a table; `chances_beside` computes and draws them."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from engine.rank.intervals import Estimate
from engine.rank.standing import StandingChances

MANAGERS = 1_000
USUAL_LEAD, USUAL_DEFICIT = 15.0, 25.0
"""Points asked about where the visitor told no standing: a good round's gain, and two of them to make up."""

Squad = tuple[int, ...]


def chance_rows(names: Sequence[str], found: Sequence[StandingChances]) -> pd.DataFrame:
    """Return the chances as a table."""
    rows = []
    for name, one in zip(names, found, strict=True):
        row = {
            "Squad": name,
            f"Holds {one.lead:g} this round": str(one.round.hold),
            f"Erases {one.deficit:g} this round": str(one.round.erase),
            "Beats of the field": str(one.round.percentile),
            "Top 1 % this round": _or_dash(one.round.top),
        }
        if one.rounds_left > 1:
            row |= {
                f"Holds it to the end ({one.rounds_left} rounds)": str(one.finish.hold),
                "Erases it by the end": str(one.finish.erase),
                "Beats of the field by the end": str(one.finish.percentile),
                "Top 1 % at the end": _or_dash(one.finish.top),
            }
        rows.append(row)
    return pd.DataFrame(rows)


def _or_dash(found: Estimate | None) -> str:
    return str(found) if found else "–"
