"""The record of a season: totals by policy, paired differences, and the place that a total would have had."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from data.errors import InputError
from data.worlds.world import World
from engine.rank.intervals import Difference, paired_over_runs
from engine.season.record.real_rank import RankCurve, RealRank
from engine.season.walk import Season

CAVEAT = (
    "One season cannot tell apart policies that differ by less than about 30 points: read the differences with "
    "their intervals. Those over runs say how much slightly other views of the players matter, those over rounds how "
    "much the luck of the weeks does."
)
BEST = 10_000
"""Place among all managers whose total is drawn beside ours."""


@dataclass(frozen=True, slots=True)
class PolicyRecord:
    """One policy over a season: the neighbourhood mean of its runs."""

    name: str
    runs: int
    mean: float
    spread: float  # standard deviation between runs; 0 for one run
    expected: float  # mean points that were expected at the deadlines
    hits: float  # mean points that transfers took
    chips: tuple[tuple[str, int, int], ...]  # booster, round, runs that played it there
    rank: RealRank | None  # of the mean; None where no managers are on record
    behind: Difference | None  # ours less this one, paired by run; None for ours, or where runs are too few
    by_round: Difference | None  # the same, paired by round; None for ours


@dataclass(frozen=True, slots=True)
class Ablation:
    """What one part of the planner brought: points with it less points without."""

    part: str
    without: str  # what stands in its place
    runs: int
    gain: Difference | None  # over runs; None for one run
    by_round: Difference


SWITCHED_OFF = {
    "forecasts": "game's forecast",
    "horizon": "one round, boosters",
    "boosters": "no boosters",
    "hits": "hits",
}
"""Parts of the planner, and the policy in which each is switched; hits are off in ours."""


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
    points, rows = season.points(name), season.weeks_of(name)
    chips = Counter((week.chip, week.round) for weeks in rows for week in weeks if week.chip)
    totals = points.sum(axis=1)
    return PolicyRecord(
        name=name,
        runs=len(rows),
        mean=float(totals.mean()),
        spread=float(totals.std(ddof=1)) if len(rows) > 1 else 0.0,
        expected=float(np.mean([sum(week.expected for week in weeks) for weeks in rows])),
        hits=float(np.mean([sum(week.hits for week in weeks) for weeks in rows])),
        chips=tuple((str(chip), number, count) for (chip, number), count in sorted(chips.items(), key=_by_round)),
        rank=None if curve is None else curve.place(float(totals.mean())),
        behind=None if name == first else _over_runs(season.points(first), points),
        by_round=None if name == first else _over_rounds(season.points(first), points),
    )


def _by_round(pair: tuple[tuple[str | None, int], int]) -> tuple[int, str]:
    (chip, number), _ = pair
    return number, str(chip)


def _over_runs(ours: np.ndarray, theirs: np.ndarray) -> Difference | None:
    """Return how much more ours (runs, rounds) has in all, paired by run; None where fewer than two runs pair."""
    both = min(len(ours), len(theirs))
    if both < 2:
        return None
    totals = [one[:both].sum(axis=1, dtype=float)[:, None] for one in (theirs, ours)]
    return paired_over_runs(*totals)


def _over_rounds(ours: np.ndarray, theirs: np.ndarray) -> Difference:
    """Return how much more ours (runs, rounds) has in all, the rounds taken for a sample of such."""
    both, rounds = min(len(ours), len(theirs)), ours.shape[1]
    means = [one[:both].mean(axis=0)[:, None] for one in (theirs, ours)]
    one = paired_over_runs(*means)
    return Difference(one.value * rounds, one.low * rounds, one.high * rounds, one.p)


def ablations(season: Season) -> tuple[Ablation, ...]:
    """Return what each part of the planner brought, as far as the season has the policy without it."""
    first = season.settings.policies[0].name
    played = {policy.name for policy in season.settings.policies}
    ours, found = season.points(first), []
    for part, without in SWITCHED_OFF.items():
        if without in played:
            found.append(_ablation(part, without, ours, season.points(without)))
    for part, without, column in (
        ("captain", "the crowd's captain", "crowd_captain"),
        ("bench", "no auto-subs", "no_bench"),
    ):
        other = np.array([[getattr(week, column) for week in weeks] for weeks in season.weeks_of(first)])
        found.append(_ablation(part, without, ours, other))
    return tuple(found)


def _ablation(part: str, without: str, ours: np.ndarray, other: np.ndarray) -> Ablation:
    switched_on = part == "hits"  # ours takes none
    pair = (other, ours) if switched_on else (ours, other)
    return Ablation(part, without, min(len(ours), len(other)), _over_runs(*pair), _over_rounds(*pair))


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
    rank = {one.name: None if one.rank is None else asdict(one.rank) for one in records(world, season)}
    ablation = [asdict(one) for one in ablations(season)]
    return {"world": season.world, "runs": runs, "rank": rank, "ablation": ablation, "caveat": CAVEAT}


def cumulative(world: World, season: Season) -> pd.DataFrame:
    """Return points so far by round: the mean run of every policy, the average manager and the 10,000th."""
    numbers = season.settings.rounds
    lines = {policy.name: season.points(policy.name).cumsum(axis=1).mean(axis=0) for policy in season.settings.policies}
    lines["average manager"] = np.cumsum(season.average)
    if numbers[0] == 1:
        curves = [_curve(world, number) for number in numbers]
        lines[f"rank {BEST:,}"] = np.array([np.nan if one is None else one.total_of(BEST) for one in curves])
    rows = [
        {"round": number, "policy": name, "points": round(float(total), 1)}
        for name, totals in lines.items()
        for number, total in zip(numbers, totals, strict=True)
        if np.isfinite(total)
    ]
    return pd.DataFrame(rows)


def save_season_plot(world: World, season: Season, path: Path) -> None:
    """Draw cumulative points of every policy beside the average manager and the best into a .png or .svg file."""
    import altair as alt

    base = alt.Chart(cumulative(world, season), title=season.world).encode(
        x=alt.X("round:O", title="round"), y=alt.Y("points:Q", title="points so far"), color="policy:N"
    )
    (base.mark_line() + base.mark_point(size=12)).properties(width=720, height=400).save(str(path))
