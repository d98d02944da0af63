"""The record of a season: totals by policy, paired differences, and the place that a total would have had."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from data.errors import InputError
from data.worlds.world import World
from engine.rank.intervals import Difference, paired_over_runs
from engine.season.real_rank import RankCurve, RealRank
from engine.season.walk import Season

CAVEAT = (
    "One season cannot tell apart policies that differ by less than about 30 points: read the differences with "
    "their standard errors."
)


@dataclass(frozen=True, slots=True)
class PolicyRecord:
    """One policy over a season: the neighbourhood mean of its runs."""

    name: str
    mean: float
    spread: float  # standard deviation between runs; 0 for one run
    expected: float  # mean points that were expected at the deadlines
    hits: float  # mean points that transfers took
    chips: tuple[tuple[str, int, int], ...]  # booster, round, runs that played it there
    rank: RealRank | None  # of the mean; None where no managers are on record
    behind: Difference | None  # ours less this one in points a round, paired by run; None for ours, or for one run


def records(world: World, season: Season) -> tuple[PolicyRecord, ...]:
    """Return the record of every policy, ours first."""
    curve = _curve(world, season.settings.rounds[-1]) if season.settings.rounds[0] == 1 else None
    first = season.settings.policies[0].name
    return tuple(_record(season, policy.name, first, curve) for policy in season.settings.policies)


def _curve(world: World, round_number: int) -> RankCurve | None:
    try:
        return RankCurve.after(world, round_number)
    except InputError:
        return None


def _record(season: Season, name: str, first: str, curve: RankCurve | None) -> PolicyRecord:
    points, runs = season.points(name), season.settings.runs
    rows = [weeks for (one, _), weeks in zip(season.settings.tasks, season.weeks, strict=True) if one.name == name]
    chips = Counter((week.chip, week.round) for weeks in rows for week in weeks if week.chip)
    totals = points.sum(axis=1)
    return PolicyRecord(
        name=name,
        mean=float(totals.mean()),
        spread=float(totals.std(ddof=1)) if runs > 1 else 0.0,
        expected=float(np.mean([sum(week.expected for week in weeks) for weeks in rows])),
        hits=float(np.mean([sum(week.hits for week in weeks) for weeks in rows])),
        chips=tuple((str(chip), number, count) for (chip, number), count in sorted(chips.items(), key=_by_round)),
        rank=None if curve is None else curve.place(float(totals.mean())),
        behind=None if name == first or runs < 2 else _paired(season, name, first),
    )


def _by_round(pair: tuple[tuple[str | None, int], int]) -> tuple[int, str]:
    (chip, number), _ = pair
    return number, str(chip)


def _paired(season: Season, name: str, first: str) -> Difference:
    ours, theirs = (season.points(one).astype(float) for one in (first, name))
    return paired_over_runs(theirs.sum(axis=1)[:, None], ours.sum(axis=1)[:, None])


def season_json(world: World, season: Season) -> dict[str, object]:
    """Return the season as plain values: every run by round, and the place of every policy's mean."""
    runs = [
        {
            "seed": run,
            "policy": policy.name,
            "rounds": [week.model_dump(exclude={"holding"}) for week in weeks],
            "total": sum(week.points for week in weeks),
        }
        for (policy, run), weeks in zip(season.settings.tasks, season.weeks, strict=True)
    ]
    found = {one.name: one.rank for one in records(world, season)}
    rank = {
        name: None if one is None else {"rank": one.rank, "low": one.low, "high": one.high, "beyond": one.beyond}
        for name, one in found.items()
    }
    return {"world": season.world, "runs": runs, "rank": rank, "caveat": CAVEAT}


def save_season_plot(season: Season, path: Path) -> None:
    """Draw cumulative points of every policy beside the average manager into a .png or .svg file."""
    import altair as alt

    rows = [
        {"round": number, "policy": policy.name, "points": float(total)}
        for policy in season.settings.policies
        for number, total in zip(
            season.settings.rounds, season.points(policy.name).cumsum(axis=1).mean(axis=0), strict=True
        )
    ]
    average = np.cumsum(season.average)
    rows += [
        {"round": number, "policy": "average manager", "points": float(total)}
        for number, total in zip(season.settings.rounds, average, strict=True)
        if np.isfinite(total)
    ]
    base = alt.Chart(pd.DataFrame(rows), title=season.world).encode(
        x=alt.X("round:O", title="round"), y=alt.Y("points:Q", title="points so far"), color="policy:N"
    )
    (base.mark_line() + base.mark_point(size=12)).properties(width=720, height=400).save(str(path))
