"""What every page shares: the icon, the choice of world and round, and errors shown as sentences."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import numpy as np
import streamlit as st

from data.errors import ThetaXIError
from data.library import DEFAULT_WORLD, list_worlds
from data.rules import GameRules, load_rules
from data.snapshot import Snapshot
from data.world import MANIFEST, World, open_world
from engine.judge import Judge
from engine.scene import SquadView
from models.signals import Signals, build_signals

ICON = Path(__file__).parent / "icon.png"
WORLDS_KEPT = 4
SNAPSHOTS_KEPT = 16
SIGNALS_KEPT = 6  # about 40 MB each
SEED = 0


@dataclass(frozen=True, slots=True)
class Chosen:
    """The world and round the page is about."""

    folder: Path
    version: str  # changes when the world is refreshed
    world: World
    rules: GameRules
    snapshot: Snapshot


def guarded(page: Callable[[], None]) -> Callable[[], None]:
    """Wrap a page so that an error is a sentence with a way out, never a traceback."""

    @wraps(page)
    def show() -> None:
        try:
            page()
        except ThetaXIError as error:
            st.error(str(error), icon=":material/error:")
        except Exception:
            logging.getLogger("thetaxi").exception("A page failed")
            st.error("Something went wrong on this page. Reload it; if it stays, the server's log names the cause.")

    return show


def choose_round() -> Chosen:
    """Show the choice of world and round, bound to the link so that it can be shared."""
    entries = {entry.name: entry for entry in sorted(list_worlds(), key=lambda entry: entry.name != DEFAULT_WORLD)}
    left, right = st.columns([1, 2])
    name = left.selectbox("Competition", list(entries), key="world", bind="query-params", required=True)
    folder = entries[name].folder
    version = (folder / MANIFEST).read_text(encoding="utf-8")
    world = _opened(folder, version)
    numbers = [str(number) for number in world.rounds]
    number = right.segmented_control(
        "Round", numbers, default=numbers[0], key="round", bind="query-params", required=True
    )
    return Chosen(folder, version, world, load_rules(world.rulebook), _snapshot(folder, version, int(number)))


@st.cache_resource(max_entries=WORLDS_KEPT, show_spinner="Opening the competition …")
def _opened(folder: Path, version: str) -> World:  # noqa: ARG001 - a refreshed world has a new version
    return open_world(folder)


@st.cache_resource(max_entries=SNAPSHOTS_KEPT, show_spinner=False)
def _snapshot(folder: Path, version: str, number: int) -> Snapshot:
    return _opened(folder, version).at(number)


def signals_of(chosen: Chosen) -> Signals:
    """Return what is believed of the chosen round, computed once for all visitors."""
    return _signals(chosen.folder, chosen.version, chosen.snapshot.round)


@st.cache_resource(max_entries=SIGNALS_KEPT, show_spinner="Rating teams and players …")
def _signals(folder: Path, version: str, number: int) -> Signals:
    world = _opened(folder, version)
    return build_signals(
        _snapshot(folder, version, number), load_rules(world.rulebook), rng=np.random.default_rng(SEED)
    )


def ink() -> str:
    """Return the colour of text on the page the visitor sees, light or dark."""
    return "#e8e8ee" if st.context.theme.type == "dark" else "#1b1b1f"


def judge_of(chosen: Chosen) -> Judge:
    """Return what squads of the chosen round are judged by, shared by all visitors."""
    return _judge(chosen.folder, chosen.version, chosen.snapshot.round)


@st.cache_resource(max_entries=SIGNALS_KEPT, show_spinner="Drawing reference squads …")
def _judge(folder: Path, version: str, number: int) -> Judge:
    judge = Judge(SquadView(_signals(folder, version, number)), np.random.default_rng(SEED))
    assert len(judge.pool)  # drawn here, behind the spinner
    return judge
