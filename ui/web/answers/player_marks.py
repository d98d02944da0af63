"""What stands beside players on a page: how difficult their matches are, who may miss his, and the rounds to come.

marks_of(chosen)        -> {player id: Mark}       for pitches and lists
outlook_of(chosen, 5)   -> Outlook                 the coming rounds, computed once for all who believe the same
"""

from __future__ import annotations

from operator import attrgetter

import numpy as np
import pandas as pd
import streamlit as st

from models.outlook import HORIZON, Outlook, build_outlook
from ui.web.choice.frame import Chosen, signals_of
from ui.web.drawing.lineup.marks import Mark, difficulty_of
from ui.web.drawing.lineup.pitch import PitchNotes
from ui.web.work import kept

FLAGS = {
    "doubtful": ("?", "doubtful"),
    "injured": ("inj", "injured"),
    "suspended": ("susp", "suspended"),
    "absent": ("out", "not in the squad"),
    "transferred": ("left", "left the club"),
}
"""A status → the mark on a shirt, and the mark in words; who plays has none."""


@st.cache_resource(max_entries=kept.OUTLOOKS.most, show_spinner=False, hash_funcs={Chosen: attrgetter("key")})
def outlook_of(chosen: Chosen, horizon: int = HORIZON) -> Outlook:
    """Return what is believed of the coming rounds."""
    return build_outlook(signals_of(chosen), horizon)


@st.cache_resource(max_entries=kept.OUTLOOKS.most, show_spinner=False, hash_funcs={Chosen: attrgetter("key")})
def marks_of(chosen: Chosen, ahead: int = 0) -> dict[int, Mark]:
    """Return what stands beside each player of the coming round, or of one so many later, by player id."""
    signals, outlook = signals_of(chosen), outlook_of(chosen) if ahead else outlook_of(chosen, 1)
    hard = difficulties(outlook)[:, ahead]
    if ahead:
        rows = zip(signals.player_id.tolist(), hard.tolist(), strict=True)
        return {player: Mark(step or None) for player, step in rows}
    told = chosen.snapshot.players.set_index("player_id").reindex(signals.player_id)
    empty = [None] * len(signals)
    chances = told["chance"].tolist() if "chance" in told else empty
    news = told["news"].tolist() if "news" in told else empty
    told_of = zip(signals.player_id.tolist(), hard.tolist(), signals.status.tolist(), chances, news, strict=True)
    return {player: _mark(step, status, chance, words) for player, step, status, chance, words in told_of}


def difficulties(outlook: Outlook) -> np.ndarray:
    """Return (n, rounds) how difficult each player's match is, 1 to 5; 0 without one."""
    steps = np.vectorize(difficulty_of, otypes=[int])(outlook.goals_for, outlook.goals_against)
    return np.where(outlook.goals_for > 0, steps, 0)


def _mark(difficulty: int, status: str, chance: object, news: object) -> Mark:
    flag, words = FLAGS.get(status, ("", ""))
    if status == "doubtful" and isinstance(chance, int | float) and not pd.isna(chance):
        flag, words = f"{chance:.0f}%", f"{chance:.0f} % to play, says the game"
    return Mark(difficulty or None, flag, words, news if isinstance(news, str) else "")


def notes_of(
    chosen: Chosen, ringed: frozenset[int] = frozenset(), fresh: frozenset[int] = frozenset(), ahead: int = 0
) -> PitchNotes:
    """Return what a pitch of the coming round, or of one so many later, tells beside its line-up."""
    return PitchNotes(marks_of(chosen, ahead), chosen.rules.currency, ringed, fresh)
