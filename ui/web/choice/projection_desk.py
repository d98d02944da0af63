"""Where a visitor brings his own projections and ownership: read, names settled by him, compared, then used or removed.

draw_projections(chosen)      draws it; what is used stays in the visitor's session (`ui.web.choice.session.attach_own`)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from data.errors import ThetaXIError
from data.naming.matching import PlayerNames, Unplaced
from data.sources.own.delimited import TableLimits
from data.sources.own.projections import Projections, read_projections
from data.worlds.snapshot import Snapshot
from engine.desk import beliefs
from models.players.overrides import LIMITS
from models.signals import Signals
from ui.web.choice.frame import Chosen, signals_of
from ui.web.choice.session import attach_own, own_table
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work import kept

UPLOAD_MEGABYTES = 2
UPLOAD_LIMITS = TableLimits(size=UPLOAD_MEGABYTES * 1_000_000, rows=20_000)
"""Ten times the players of a World Cup, with room for a projection of every round."""

LONGEST_PASTE = 200_000
ASKED = 25
"""Unmatched names the visitor is asked about; a table with more is better corrected in its file."""

TOLD = 40
"""Lines of the report on a table that are shown: a wrong file has one for each of its rows."""

LEAVE_OUT = "Leave him out"
SHOWN = 10
PASTE_HINT = "name,team,xev,owned_percent\nHarry Kane,ENG,6.4,31.0\n…"


def draw_projections(chosen: Chosen) -> None:
    """Draw what is used now, the ways to bring a table, and what a table brought means."""
    _draw_used(chosen)
    content = _brought()
    if not content:
        st.caption(
            "A table needs a column name or id and at least one of expected points (xev, xp, points …), ceiling, "
            "floor, owned, captain_share and p_start; what it leaves out stays the model's. It stays in this browser "
            "tab."
        )
        return
    try:
        first = _table(chosen, content, ())
        answers = _settle(first.report.unplaced, chosen.snapshot)
        table = _table(chosen, content, tuple(answers.items())) if answers else first
    except ThetaXIError as error:
        st.error(as_markdown(str(error)), icon=":material/error:")
        return
    _draw_read(table, chosen)


def _round_key(chosen: Chosen) -> tuple[str, str, int]:
    return str(chosen.folder), chosen.version, chosen.snapshot.round


@st.cache_resource(max_entries=kept.TABLES.most, show_spinner="Reading the table …", hash_funcs={Chosen: _round_key})
def _table(chosen: Chosen, content: bytes | str, answers: tuple[tuple[str, int], ...]) -> Projections:
    """Return what a table means, read once for each content: a page runs anew at every click."""
    return read_table(content, chosen.snapshot, dict(answers))


def read_table(content: bytes | str, snapshot: Snapshot, resolutions: Mapping[str, int]) -> Projections:
    """Return the projections of a table for the round of a snapshot; nobody's while no name of it is settled."""
    return read_projections(
        content,
        snapshot.players,
        teams=snapshot.teams,
        round_number=snapshot.round,
        settling=True,
        resolutions=resolutions,
        limits=UPLOAD_LIMITS,
    )


def usable(table: Projections) -> pd.DataFrame:
    """Return the columns of a table that the models take."""
    return table.frame[[name for name in LIMITS if name in table.frame]]


def differences(table: Projections, signals: Signals, count: int = SHOWN) -> pd.DataFrame:
    """Return the players whose expected points differ most from the model's; nobody where the table gives none."""
    if "xev" not in table.frame:
        return pd.DataFrame()
    rows = np.array([signals.row_of(int(number)) for number in table.frame.index], dtype=np.int64)
    found = pd.DataFrame(
        {
            "Player": signals.name[rows],
            "Team": signals.codes[rows],
            "Yours": table.frame["xev"].to_numpy(),
            "Model": signals.xev[rows],
        }
    )
    found["Difference"] = found["Yours"] - found["Model"]
    return found.loc[found["Difference"].abs().sort_values(ascending=False, kind="stable").index].head(count)


def choices(entry: Unplaced, labels: Sequence[str]) -> list[str]:
    """Return what a row may mean: nobody, its nearest candidates, then everybody else."""
    near = [label for label in entry.candidates if label in set(labels)]
    return [LEAVE_OUT, *near, *sorted(label for label in labels if label not in set(near))]


def _draw_used(chosen: Chosen) -> None:
    own = own_table(chosen.plan)
    if own is None:
        st.caption("The model's own projections are in use.")
        return
    counted = "1 player" if len(own) == 1 else f"{len(own)} players"
    st.success(f"Your own figures are in use for {counted} of this round: {', '.join(own.columns)}.")
    st.button("Go back to the model's projections", key="drop_own", on_click=lambda: attach_own(None))


def _brought() -> bytes | str:
    upload, paste = st.columns(2)
    file = upload.file_uploader(
        "Upload a table", type=["csv", "txt", "tsv"], key="own_file", max_upload_size=UPLOAD_MEGABYTES
    )
    text = paste.text_area("Or paste it", key="own_paste", placeholder=PASTE_HINT, height=120, max_chars=LONGEST_PASTE)
    return file.getvalue() if file is not None else (text or "").strip()


def _settle(unplaced: Sequence[Unplaced], snapshot: Snapshot) -> dict[str, int]:
    """Ask whom the rows without a player mean; return the answers by what is written."""
    if not unplaced:
        return {}
    names = PlayerNames(snapshot.players, snapshot.teams)
    labels = {names.label(int(number)): int(number) for number in snapshot.players["player_id"]}
    counted = "1 row fits" if len(unplaced) == 1 else f"{len(unplaced)} rows fit"
    st.warning(f"{counted} no single player. Say whom each means, or leave it out.")
    if len(unplaced) > ASKED:
        st.caption(f"The first {ASKED} are shown; correct the others in the table.")
    answers: dict[str, int] = {}
    for entry in unplaced[:ASKED]:
        answer = st.selectbox(
            f"Row {entry.row}: {as_markdown(entry.written[:80])}",
            choices(entry, list(labels)),
            key=f"settle_{entry.row}_{entry.written[:80]}",
            help=f"{as_markdown(entry.reason[:1].upper() + entry.reason[1:])}.",
        )
        if answer in labels:
            answers[entry.written] = labels[answer]
    return answers


def _draw_read(table: Projections, chosen: Chosen) -> None:
    lines = table.report.lines()
    told = [*lines[:TOLD], f"… and {len(lines) - TOLD} lines more."] if len(lines) > TOLD else lines
    st.text("\n".join(told))
    if table.frame.empty:
        return
    found = differences(table, signals_of(replace(chosen, plan=chosen.plan.with_changes(own=""))))
    if found.empty:
        st.caption(f"Expected points stay the model's; yours are: {', '.join(usable(table).columns)}.")
    else:
        _draw_differences(found)
    if st.button("Use these figures", key="use_own", type="primary", help="They replace figures you set before."):
        _use(table, chosen)


def _draw_differences(found: pd.DataFrame) -> None:
    st.markdown("**Where you differ most from the model**")
    number = ShownColumn("{:.2f}")
    draw_table(
        found,
        "The players whose expected points differ most from the model's",
        {"Yours": number, "Model": number, "Difference": ShownColumn("{:+.2f}")},
    )


def _use(table: Projections, chosen: Chosen) -> None:
    """Use a table if the models accept it: a refused one would stop every page."""
    frame = usable(table)
    try:
        with st.spinner("Trying them on the models …"):
            beliefs(chosen.snapshot, chosen.rules, chosen.plan.seed, frame)
    except ThetaXIError as error:
        st.error(as_markdown(str(error)), icon=":material/error:")
        return
    attach_own(frame)
    st.rerun()
