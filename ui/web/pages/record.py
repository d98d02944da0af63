"""Our record: how good the forecasts of the competition at hand were, with nothing looked up later."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import streamlit as st

from data.worlds.world import World
from engine.replay.record import Record, Row, published_record
from ui.web.choice.frame import Chosen, choose_round, is_dark
from ui.web.drawing.charts.record import draw_ahead, draw_hours, draw_points
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work import kept
from ui.web.work.background import background
from ui.web.work.record_job import Measured, record_task
from ui.web.work.scheduler import State

POLL = 1.0  # seconds between two looks at a measurement
GROUPS = {"all": "All players", "relevant": "Relevant", "fit": "Relevant and fit", "owned5": "Owned by 5 %"}
FORECASTS = {
    "model": "Ours",
    "ep_next": "The game’s own",
    "crowd": "Crowd only",
    "price": "Price only",
    "constant": "Constant",
    "carried": "Minutes carried on",
}
MEASURES = {"RMSE": "rmse", "Rank correlation": "spearman", "Mean error": "mae"}
FIGURE, POINTS, PERCENT = ShownColumn("{:.3f}"), ShownColumn("{:.1f}"), ShownColumn("{:.1%}")


def show() -> None:
    """Draw the page."""
    st.title("Our record", anchor=False)
    chosen = choose_round(st.container(), rounds=False)
    st.markdown(
        "Every round with official points is forecast again with what was known at its deadline, and held against what "
        "came. Who did not appear counts as 0; a forecast is worth something where it beats price, crowd and the "
        "game’s own."
    )
    state = background().state(record_task(chosen))
    record = state.told.record or _published(chosen.folder, chosen.version, chosen.world)
    _draw_measuring(chosen, state, record)
    if record is None:
        st.info("This competition has not been measured yet.", icon=":material/fact_check:")
        return
    st.caption(as_markdown(f"{chosen.world.title}, {rounds_words(record.rounds)}."))
    _draw_points(record)
    _draw_ahead(record)
    _draw_minutes(record)
    _draw_choices(record)
    _draw_matches(record)


@st.cache_resource(max_entries=kept.WORLDS.most, show_spinner=False)
def _published(folder: Path, version: str, _world: World) -> Record | None:  # noqa: ARG001 - what the world is known by
    return published_record(_world)


def _draw_measuring(chosen: Chosen, state: State[Measured], record: Record | None) -> None:
    """Draw the button that measures the world anew; while it runs its progress, and a way to stop it.

    The state is the one that the record was taken from: a measurement may end while the page is drawn.
    """
    task = record_task(chosen)
    if state.running:
        draw_until(lambda: not background().state(task).running, POLL, lambda: _draw_progress(chosen))
        return
    if state.error:
        st.error(as_markdown(str(state.error)), icon=":material/error:")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Measure it here",
            key="measure",
            type="secondary" if record else "primary",
            icon=":material/fact_check:",
            on_click=_start,
            args=(chosen,),
        )
        if record is not None:
            shown = "was measured here" if state.told.record else "comes with the project"
            st.caption(f"What you see {shown}. To measure it takes about a minute.")


def _start(chosen: Chosen) -> None:
    background().again(record_task(chosen))


def _draw_progress(chosen: Chosen) -> None:
    task = record_task(chosen)
    told = background().state(task).told
    st.progress(told.share, text=told.words)
    st.button("Stop", key="stop_measuring", icon=":material/stop_circle:", on_click=lambda: background().stop(task))


def _draw_points(record: Record) -> None:
    st.subheader("Points", anchor=False)
    measure = st.segmented_control("Measure", list(MEASURES), default="RMSE", key="record_measure", required=True)
    table = point_table(record.points, MEASURES[measure])
    draw_table(table, f"{measure} by players and forecast", dict.fromkeys(table.columns[1:], FIGURE))
    st.caption(
        "Relevant: one manager in a hundred owns him, or he is among his team’s eleven dearest. RMSE and mean error "
        "are in points, the lower the better; rank correlation the higher the better."
    )
    chart, words = st.columns([2, 1], vertical_alignment="center")
    bins = pd.DataFrame(record.reliability)
    chart.altair_chart(draw_points(bins, is_dark()), width="stretch", key="record_points", alt=reliability_words(bins))
    words.markdown(reliability_words(bins))
    words.caption("Tenths of the relevant players, with two standard errors: on the line, what was expected came.")
    coverage = pd.DataFrame(record.coverage).rename(
        columns={"position": "Position", "all": GROUPS["all"], "relevant": GROUPS["relevant"]}
    )
    st.markdown("**How often points fell into the range said for eight times in ten**")
    draw_table(coverage, "Coverage of the central 80 % by position", dict.fromkeys(coverage.columns[1:], PERCENT))


def _draw_ahead(record: Record) -> None:
    table = ahead_table(record)
    if table.empty:
        return
    st.subheader("Rounds ahead", anchor=False)
    st.caption("Relevant players. Below 1, a slope says that forecasts differ more than what came of them.")
    lines = table.rename(columns={"Rounds ahead": "horizon", "RMSE": "rmse", "Forecast": "forecast"})
    words = f"Error by rounds ahead, from {lines['rmse'].min():.2f} to {lines['rmse'].max():.2f}"
    st.altair_chart(draw_ahead(lines, is_dark()), width="stretch", key="record_ahead", alt=words)
    shown = {"RMSE": FIGURE, "Rank correlation": FIGURE, "Slope": ShownColumn("{:.2f}")}
    draw_table(table, "Errors by rounds ahead", shown)


def _draw_minutes(record: Record) -> None:
    minutes = record.minutes
    if not minutes["tenths"]:
        return
    st.subheader("Minutes", anchor=False)
    chart, words = st.columns([2, 1], vertical_alignment="center")
    tenths, gap = pd.DataFrame(minutes["tenths"]), minutes["sixty_gap"]
    said = f"In the worst tenth the chance of an hour was off by {gap:.1%}"
    chart.altair_chart(draw_hours(tenths, is_dark()), width="stretch", key="record_hours", alt=said)
    words.markdown(f"{said}; its Brier score is {minutes['sixty_brier']:.3f}.")
    table = pd.DataFrame(minutes["groups"]).set_index("players").loc[list(GROUPS)].reset_index()
    table = pd.DataFrame(
        {
            "Players": table["players"].map(GROUPS),
            "Log-loss": table["log_loss"],
            "Brier of an hour": table["sixty_brier"],
        }
    )
    draw_table(table, "Errors of minutes by players", dict.fromkeys(table.columns[1:], FIGURE))
    st.caption("Log-loss of three states: absent, under an hour, an hour.")


def _draw_choices(record: Record) -> None:
    st.subheader("What following it would have scored", anchor=False)
    table = choice_table(record)
    draw_table(table, "Points of the eleven and the twenty that each forecast likes best", {"Top 20": POINTS})
    runs, rounds = record.elevens[0]["runs"], record.elevens[0]["rounds"]
    st.caption(
        f"The best eleven with its captain for the budget, official points a round over {rounds} rounds, mean of "
        f"{runs} runs with slightly disturbed forecasts; ± one standard error. Top 20: mean points of the twenty "
        "expected most."
    )


def _draw_matches(record: Record) -> None:
    matches = record.matches
    st.subheader("Matches", anchor=False)
    table = match_table(matches)
    draw_table(table, "Errors of match forecasts", dict.fromkeys(table.columns[1:], FIGURE))
    st.caption(f"{matches['matches']:.0f} matches; the lower the better.")


def rounds_words(rounds: Sequence[int]) -> str:
    """Return which rounds were walked."""
    whole = list(rounds) == list(range(rounds[0], rounds[-1] + 1))
    named = f"{rounds[0]} to {rounds[-1]}" if whole and len(rounds) > 1 else ", ".join(map(str, rounds))
    return f"round{'s' * (len(rounds) > 1)} {named}"


def point_table(points: Sequence[Row], measure: str) -> pd.DataFrame:
    """Return a measure of the coming round's forecasts: a row for each group of players, a column for each forecast."""
    now = pd.DataFrame([row for row in points if row["horizon"] == 1])
    table = now.pivot(index="players", columns="forecast", values=measure)
    known = [name for name in FORECASTS if name in table and table[name].notna().any()]
    shown = table.reindex([name for name in GROUPS if name in table.index])[known].astype(float)
    return shown.rename(index=GROUPS, columns=FORECASTS).rename_axis("Players").rename_axis(None, axis=1).reset_index()


def reliability_words(bins: pd.DataFrame) -> str:
    """Return what the highest tenth of the forecasts came to, in a sentence."""
    best = bins.iloc[-1]
    return (
        f"Of the tenth of whom most was expected, {best['expected']:.1f} points on average, {best['official']:.1f} "
        f"came; all tenths are off by {(bins['official'] - bins['expected']).abs().mean():.2f} points on average."
    )


def ahead_table(record: Record) -> pd.DataFrame:
    """Return the errors of forecasts of relevant players by rounds ahead; empty where only the coming one was told."""
    slopes = {(row["horizon"], row["forecast"]): row["slope"] for row in record.slopes if row["players"] == "relevant"}
    rows = [
        {
            "Rounds ahead": row["horizon"],
            "Forecast": FORECASTS[row["forecast"]],
            "RMSE": row["rmse"],
            "Rank correlation": row["spearman"],
            "Slope": slopes[row["horizon"], row["forecast"]],
        }
        for row in record.points
        if row["players"] == "relevant" and (row["horizon"], row["forecast"]) in slopes
    ]
    return pd.DataFrame(rows)


def choice_table(record: Record) -> pd.DataFrame:
    """Return what the elevens and the favourites of each forecast scored, ours first."""
    top = {row["forecast"]: row["points"] for row in record.top}
    rows = [
        {
            "Forecast": FORECASTS[row["forecast"]],
            "Eleven": f"{row['points']:.1f} ± {row['error'] or 0:.1f}",
            "Below ours": "–" if row["forecast"] == "model" else f"{row['above']:.1f} ± {row['above_error'] or 0:.1f}",
            "Top 20": top.get(row["forecast"]),
        }
        for row in sorted(record.elevens, key=lambda row: list(FORECASTS).index(row["forecast"]))
    ]
    return pd.DataFrame(rows)


def match_table(matches: Row) -> pd.DataFrame:
    """Return our errors of matches, beside the bookmakers' where their odds are known, and the base rate's."""
    ours: Row = {"Forecast": "Ours", "1X2 log-loss": matches["log_loss"], "Clean sheets": matches["clean_sheet_brier"]}
    market: Row = {
        "Forecast": f"Bookmakers, {matches['market_matches']:.0f} matches",
        "1X2 log-loss": matches["market_log_loss"],
        "Clean sheets": matches["market_sheet_brier"],
    }
    base: Row = {"Forecast": "Base rate", "1X2 log-loss": None, "Clean sheets": matches["clean_sheet_base"]}
    return pd.DataFrame([ours, *([market] if matches["market_matches"] else []), base])
