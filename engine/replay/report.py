"""A replay as people read it: a table of points by round, the judged gains, and a picture."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from data.errors import InputError
from data.rules import CaptaincyMode
from engine.rank.intervals import Difference
from engine.replay.policies import SIMPLE

if TYPE_CHECKING:
    from altair import TopLevelMixin

    from engine.replay.walk import Replay, Track

HINDSIGHT = "hindsight"
QUANTILES = {"field median": 0.5, "field P90": 0.9, "field P99": 0.99}
ENDINGS = (".png", ".svg")
INK, FADED = "#1b1b1f", "#9190a4"


def table_heads(replay: Replay) -> tuple[str, ...]:
    """Return the columns of the table by round."""
    rounds = (f"R{number}" for number in replay.settings.rounds)
    return ("policy", *rounds, "total", "spread", "percentile", "changes", "hits", "simulated")


def table_rows(replay: Replay) -> list[tuple[str, ...]]:
    """Return the table by round: policies, the field, and the optimum after the fact."""
    rows = [_track_row(replay, track) for track in replay.tracks]
    blank = ("–",) * (len(table_heads(replay)) - len(replay.settings.rounds) - 2)
    if len(replay.field):
        for name, level in QUANTILES.items():
            by_round = (f"{value:.0f}" for value in np.quantile(replay.field, level, axis=0))
            rows.append((name, *by_round, f"{np.quantile(replay.field_totals, level):.0f}", *blank))
    best = replay.best
    rows.append((HINDSIGHT, *(str(points) for points in best.points), str(sum(best.points)), *blank))
    return rows


def gains(replay: Replay) -> list[tuple[str, str, Difference, Difference]]:
    """Return (ours, other, gain, gain with all armbands held) of every objective over every simple manager."""
    names = [track.name for track in replay.tracks]
    return [
        (name, other, replay.gain(name, other), replay.gain(name, other, held=True))
        for name in names
        if name not in SIMPLE
        for other in names
        if other in SIMPLE
    ]


def gain_rows(replay: Replay) -> list[tuple[str, ...]]:
    """Return the gains as text, in expected points per round with 95 % intervals."""
    return [(name, other, _difference(gain), _difference(held)) for name, other, gain, held in gains(replay)]


GAIN_HEADS = ("policy", "over", "gain per round", "with armbands held")


def caveats(replay: Replay) -> tuple[str, ...]:
    """Return what a reader must know about the figures, as sentences."""
    settings = replay.settings
    said = [
        f"{len(settings.rounds)} rounds, transfers {settings.transfers}, armband {replay.captaincy}; mean and standard "
        f"deviation of {settings.runs} runs with jittered views; official points, hits taken off, no boosters.",
        "A few rounds are luck. The judged figure is the gain per round under simulated rounds nobody searched on; "
        "they share the models' beliefs, so they test the search and the objective, not the beliefs.",
    ]
    if replay.captaincy != CaptaincyMode.LOCKED:
        others = "the managers of the field and the simple ones" if len(replay.field) else "the simple managers"
        said.append(
            f"Ours moves its armband after a match; {others} do not. Gains are told with all armbands held too."
        )
    if replay.best.limits is not settings.transfers:
        said.append("Prices move here: the optimum after the fact is that of a new squad every round.")
    if not replay.best.proved:
        said.append("The optimum after the fact is the best found in time, not proved.")
    return tuple(said)


def markdown(replay: Replay) -> str:
    """Return tables and caveats as Markdown."""
    parts = [_markdown_table(table_heads(replay), table_rows(replay))]
    if gain_rows(replay):
        parts.append(_markdown_table(GAIN_HEADS, gain_rows(replay)))
    return "\n\n".join([*parts, *caveats(replay)]) + "\n"


def replay_dict(replay: Replay) -> dict[str, object]:
    """Return plain values."""
    settings = replay.settings
    return {
        "world": replay.world,
        "rounds": list(settings.rounds),
        "transfers": str(settings.transfers),
        "captaincy": replay.captaincy,
        "runs": settings.runs,
        "policies": [_track_dict(replay, track) for track in replay.tracks],
        "field": {
            name: float(np.quantile(replay.field_totals, level)) if len(replay.field) else None
            for name, level in QUANTILES.items()
        },
        "hindsight": {"points": list(replay.best.points), "proved": replay.best.proved},
        "gains": [
            {"policy": name, "over": other, "gain": asdict(gain), "held": asdict(held)}
            for name, other, gain, held in gains(replay)
        ],
        "caveats": list(caveats(replay)),
    }


def check_plot(path: Path) -> None:
    """Refuse a file that no picture can be written to, before anything is computed for it."""
    if path.suffix not in ENDINGS:
        raise InputError(f"{path.name} cannot be drawn: choose a file name that ends in {' or '.join(ENDINGS)}.")


def save_replay_plot(replay: Replay, path: Path) -> None:
    """Draw points against the field, round after round, into a PNG or SVG file."""
    import altair as alt

    points = "Points ahead of the field's median" if len(replay.field) else "Points"
    line = alt.Chart(_running_totals(replay)).encode(
        x=alt.X("round:O", title="Round", axis=alt.Axis(labelAngle=0)), y=alt.Y("ahead:Q", title=points)
    )
    chosen = alt.Color("policy:N", title=None, sort=None, legend=alt.Legend(symbolType="stroke"))
    layers = [line.mark_line(point=True, strokeWidth=2.5).encode(color=chosen)]
    layers.append(line.mark_errorband(opacity=0.15).encode(y=alt.Y("low:Q", title=points), y2="high:Q", color=chosen))
    if len(replay.field):
        band = alt.Chart(_field_band(replay)).encode(x="round:O")
        layers.insert(0, band.mark_area(color=FADED, opacity=0.25).encode(y=alt.Y("low:Q", title=points), y2="high:Q"))
    title = f"{replay.world}: transfers {replay.settings.transfers}; grey: the middle 80 % of the field"
    chart = alt.layer(*layers).properties(width=520, height=340, title=title)
    save_chart(chart.configure_view(stroke=None).configure_title(color=INK), path)


def save_chart(chart: TopLevelMixin, path: Path) -> None:
    """Save a chart to a PNG or SVG file, or say why it cannot be written."""
    check_plot(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        chart.save(str(path), scale_factor=2)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def _track_row(replay: Replay, track: Track) -> tuple[str, ...]:
    place = replay.percentile(track)
    sums = (track.changes.sum(axis=1), track.cost.sum(axis=1), track.simulated)
    return (
        track.name,
        *(f"{points:.1f}" for points in (*track.official.mean(axis=0), track.mean)),
        f"{track.spread:.1f}" if len(track.totals) > 1 else "–",
        "–" if math.isnan(place) else f"{place:.1%}",
        *(f"{values.mean():.1f}" for values in sums),
    )


def _track_dict(replay: Replay, track: Track) -> dict[str, object]:
    place = replay.percentile(track)
    return {
        "policy": track.name,
        "points": [float(points) for points in track.official.mean(axis=0)],
        "total": track.mean,
        "spread": track.spread,
        "percentile": None if math.isnan(place) else place,
        "changes": float(track.changes.sum(axis=1).mean()),
        "hits": float(track.cost.sum(axis=1).mean()),
        "simulated": [float(points) for points in track.simulated.mean(axis=(0, 2))],
    }


def _running_totals(replay: Replay) -> pd.DataFrame:
    """Return the mean and the spread of each policy after every round, against the field's median."""
    middle = np.median(replay.field.cumsum(axis=1), axis=0) if len(replay.field) else 0.0
    frames = []
    for track in replay.tracks:
        running = track.official.cumsum(axis=1)
        mean = running.mean(axis=0) - middle
        half = running.std(axis=0, ddof=1) if len(running) > 1 else np.zeros(running.shape[1])
        frame = pd.DataFrame({"round": replay.settings.rounds, "ahead": mean, "low": mean - half, "high": mean + half})
        frames.append(frame.assign(policy=track.name))
    return pd.concat(frames, ignore_index=True)


def _field_band(replay: Replay) -> pd.DataFrame:
    running = replay.field.cumsum(axis=1)
    low, middle, high = np.quantile(running, [0.1, 0.5, 0.9], axis=0)
    return pd.DataFrame({"round": replay.settings.rounds, "low": low - middle, "high": high - middle})


def _difference(gain: Difference) -> str:
    return f"{gain.value:+.2f} ({gain.low:+.2f} to {gain.high:+.2f})"


def _markdown_table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(heads) + " |", "| --- |" + " ---: |" * (len(heads) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows)])
