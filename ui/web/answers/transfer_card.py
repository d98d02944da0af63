"""The card of transfers: who goes, who comes, what it costs and brings, net of hits."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from engine.board.transfers import TransferCard
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table

COLUMNS = {
    "Price": ShownColumn("{:+.1f}", "Millions it costs; below 0 it frees money"),
    "Points": ShownColumn("{:+.1f}", "Expected points this round: who comes less who goes"),
    "Later": ShownColumn("{:+.1f}", "What the rounds after this one count for under the objective"),
}


def draw_transfer_card(card: TransferCard) -> None:
    """Draw the transfers of an option, its price in hits and what the round brings by them."""
    with st.container(border=True, key="transfer_card"):
        st.markdown(f"**{card.headline}**")
        if card.moves:
            draw_table(transfer_rows(card), "Who goes and who comes", COLUMNS)
            st.markdown(card.result)
            if news := [words for move in card.moves for words in move.market]:
                st.caption(as_markdown(" · ".join(news)))


def transfer_rows(card: TransferCard) -> pd.DataFrame:
    """Return one row per transfer."""
    return pd.DataFrame(
        [
            {
                "Position": move.position,
                "Out": f"{move.out} ({move.reason})" if move.reason else move.out,
                "In": f"{move.into} ({move.into_team})",
                "Price": move.price,
                "Points": move.points,
                "Later": move.carry,
            }
            for move in card.moves
        ]
    )


def draw_remarks(remarks: tuple[str, ...]) -> None:
    """Draw what a manager should know of a line-up that does not speak for itself."""
    if remarks:
        st.warning(as_markdown("\n\n".join(remarks)), icon=":material/person_alert:")
