"""Seasons: a whole season played blind, what each part of the planner brought, and θ on real managers."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from engine.season.record.published import LEAGUE, PUBLISHED, published_record
from ui.web.choice.frame import is_dark
from ui.web.choice.session import current_plan
from ui.web.drawing.charts.season import draw_season, draw_stated
from ui.web.drawing.plain_table import ShownColumn, draw_table

DRAWN = ("neutral", "no boosters", "one round", "game's forecast", "rank 10,000")
"""Lines of the chart; the table has all."""


def show() -> None:
    """Draw the page; it asks for no plan, but who passes by keeps his."""
    current_plan()
    st.title("Whole seasons, played blind", anchor=False)
    season, league = published_record(PUBLISHED), published_record(LEAGUE)
    if season is None:
        st.info("No season has been played for the project yet: `thetaxi season --all --record FILE` plays one.")
    else:
        _draw_season(season)
    if league is not None:
        _draw_league(league)


def _draw_season(season: dict[str, Any]) -> None:
    rounds = season["rounds"]
    st.markdown(
        f"{season['world']}, gameweeks {rounds[0]} to {rounds[-1]}: at each deadline a plan with what was known then, "
        "its first round committed, official points with auto-subs, boosters, hits and selling prices. Runs differ by "
        "slightly other views of the players; the first has none."
    )
    draw_table(policy_rows(season), "Points by policy", {"Policy": ShownColumn()})
    lines = gap_rows(season)
    st.altair_chart(draw_season(lines, is_dark()), width="stretch", key="seasons_lines", alt=gap_words(lines))
    st.subheader("Where the points come from", anchor=False)
    draw_table(part_rows(season), "What each part of the planner brings", {"Part": ShownColumn()})
    st.caption(f"{season['caveat']} Digest of the runs: {season['digest'][:16]}.")


def policy_rows(season: dict[str, Any]) -> pd.DataFrame:
    """Return one row for each policy: points, runs, what was expected, real rank, and how much more ours has."""
    return pd.DataFrame(
        {
            "Policy": one["name"].capitalize(),
            "Points": f"{one['mean']:.0f}" + (f" ± {one['spread']:.0f}" if one["runs"] > 1 else ""),
            "Runs": one["runs"],
            "Expected": f"{one['expected']:.0f}",
            "Real rank": rank_words(one["rank"]),
            "Ours more by": gap_of(one["behind"] or one["by_round"]),
        }
        for one in season["policies"]
    )


def rank_words(rank: dict[str, Any] | None) -> str:
    """Return a place among all managers in words."""
    if rank is None:
        return "–"
    if rank["beyond"]:
        return f"{rank['beyond']} than {rank['rank']:,}"
    return f"{rank['rank']:,} ({rank['low']:,} to {rank['high']:,})"


def gap_of(gap: dict[str, float] | None) -> str:
    """Return a difference with its interval."""
    return "" if gap is None else f"{gap['value']:+.0f} ({gap['low']:+.0f} to {gap['high']:+.0f})"


def part_rows(season: dict[str, Any]) -> pd.DataFrame:
    """Return one row for each part of the planner: what stands in its place, and points with it less without."""
    return pd.DataFrame(
        {
            "Part": one["part"].capitalize(),
            "Without it": one["without"],
            "Brings, over runs": gap_of(one["gain"]),
            "Brings, over gameweeks": gap_of(one["by_round"]),
        }
        for one in season["ablation"]
    )


def gap_rows(season: dict[str, Any]) -> pd.DataFrame:
    """Return points beside the average manager, a row for each gameweek and line that is drawn."""
    average = dict(zip(*season["lines"]["average manager"], strict=True))
    return pd.DataFrame(
        {"policy": name, "round": number, "gap": points - average[number]}
        for name in DRAWN
        if name in season["lines"]
        for number, points in zip(*season["lines"][name], strict=True)
        if number in average
    )


def gap_words(lines: pd.DataFrame) -> str:
    """Return the chart in words: where each line ends."""
    last = lines[lines["round"] == lines["round"].max()]
    ends = ", ".join(f"{name} {gap:+.0f}" for name, gap in zip(last["policy"], last["gap"], strict=True))
    return f"Points beside the average manager after gameweek {lines['round'].max()}: {ends}."


def _draw_league(league: dict[str, Any]) -> None:
    st.subheader("θ on real managers", anchor=False)
    starts = ", ".join(map(str, league["starts"]))
    st.markdown(
        f"{league['cases']} cases of {league['managers']} real managers of one mini-league: before gameweeks {starts} "
        "ours takes over a manager's squad, money and free transfers for five gameweeks beside the rival next to him, "
        "who does what he really did, boosters included; ours plays none. One plan is made at the start and followed; "
        "eleven and captain are chosen anew each week. *Himself* is what the manager really did."
    )
    rows = [
        {
            "Objective": one["objective"].capitalize(),
            "Goal": one["goal"],
            "Cases": one["cases"],
            "Reached": _share(one["share"]),
            "More than neutral": _share(one["more"]),
            "Points": f"{one['points']:.0f}",
        }
        for one in league["outcomes"]
    ]
    draw_table(pd.DataFrame(rows), "Goals reached by objective", {"Objective": ShownColumn()})
    _draw_stated(league)
    st.caption(f"Intervals: 95 %, managers drawn again. Digest of the cases: {league['digest'][:16]}.")


def _draw_stated(league: dict[str, Any]) -> None:
    plain = league["calibration"][0]
    curve = pd.DataFrame(plain["curve"])
    words = (
        f"Chances stated for just points: Brier score {plain['brier']:.3f}, a constant has {plain['constant']:.3f}; "
        f"slope {_figure(plain['slope'])}, intercept {_figure(plain['intercept'])}; 1 and 0 would be perfect."
    )
    st.altair_chart(draw_stated(curve, is_dark()), width="stretch", key="seasons_stated", alt=words)
    st.markdown(words)


def _share(one: dict[str, float] | None) -> str:
    return "" if one is None else f"{one['value']:.1%} ({one['low']:.1%} to {one['high']:.1%})"


def _figure(one: dict[str, float]) -> str:
    return f"{one['value']:.2f} ({one['low']:.2f} to {one['high']:.2f})"
