"""What every page shares: the choice of world and round, what is believed of it, and errors shown as sentences.

How a page uses it:

- `chosen = choose_round()` draws the choice and gives world, rules (with the plan's captaincy), snapshot and `plan`.
- `signals_of(chosen)`, `judge_of(chosen)`, `aim_of(chosen, theta)`, `demands_of(chosen)` honour the whole plan: own
  projections, rivals, the squad one starts from, formation, captain, budget, teams, locks and bans. All are kept for
  every visitor who asks the same, bounded, by ids.
- `show = guarded(page)` in `app.py` turns errors into sentences.
- Long work goes to a thread: see `ui.web.work.search_job` and `ui.web.work.orders`.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from threadpoolctl import threadpool_limits

from data.errors import ThetaXIError, UnknownError, did_you_mean
from data.rules import CaptaincyMode, GameRules, load_rules
from data.worlds.library import DEFAULT_WORLD, WorldEntry, list_worlds
from data.worlds.snapshot import Snapshot
from data.worlds.world import MANIFEST, World, open_world
from engine.board.squad_input import Account, own_prices
from engine.fitness.explanation import Yardstick
from engine.fitness.judge import Aim, Judge, aim_at
from engine.fitness.objective import RANK
from engine.fitness.view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.rules.pool import TeamLimit
from models.signals import Signals, build_signals
from ui.web.choice.plan import Plan, TeamWish
from ui.web.choice.session import change, controlled, current_plan, move_to, own_table, remarks, rivals_of, settle
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.look import style_sheet
from ui.web.squads.rival_squads import Rival, playing, rival_field

TURN = 0.001  # seconds a busy thread keeps the interpreter from others
ICON = Path(__file__).parent.parent / "icon.png"
WORLDS_KEPT = 4
SNAPSHOTS_KEPT = 16
SIGNALS_KEPT = 6  # about 40 MB each
AIMS_KEPT = 96
WORLD_WIDTH = 260  # pixels
JUDGES_KEPT = 12  # those of one round share its signals; each adds its reference pool


@dataclass(frozen=True, slots=True)
class Chosen:
    """The world and round the page is about, and the visitor's plan for it."""

    folder: Path
    version: str  # changes when the world is refreshed
    world: World
    rules: GameRules
    snapshot: Snapshot
    plan: Plan = field(default_factory=Plan)

    @property
    def key(self) -> tuple[object, ...]:
        """What beliefs depend on: facts, round, captaincy, own projections and the seed."""
        plan = self.plan
        return (str(self.folder), self.version, self.snapshot.round, plan.captaincy, plan.own, plan.seed)

    @property
    def scene_key(self) -> tuple[object, ...]:
        """What squads are judged by depends on: the beliefs, the rivals and every wish about the squad as a whole."""
        plan = self.plan
        wishes = (
            plan.captain,
            plan.formation,
            plan.budget,
            plan.teams,
            plan.current,
            plan.free,
            plan.changes,
            plan.selling,
        )
        return (*self.key, plan.rivals, *wishes)


def guarded(page: Callable[[], None]) -> Callable[[], None]:
    """Wrap a page so that an error is a sentence with a way out, never a traceback."""

    @wraps(page)
    def show() -> None:
        try:
            _share_the_cores()
            st.html(style_sheet(is_dark()))
            page()
        except ThetaXIError as error:
            st.error(as_markdown(str(error)), icon=":material/error:")
        except Exception:
            logging.getLogger("thetaxi").exception("A page failed")
            st.error("Something went wrong on this page. Reload it; if it stays, the server's log names the cause.")

    return show


@st.cache_resource(show_spinner=False)
def _share_the_cores() -> object:
    """Let each thread of the server compute on one core, and let those who answer clicks have their turn soon.

    Linear algebra on all cores makes searches wait for each other's helpers: a board took a third longer with it.
    """
    sys.setswitchinterval(TURN)
    return threadpool_limits(limits=1)


def choose_round(place: DeltaGenerator | None = None) -> Chosen:
    """Show the choice of world and round, here or in a container, and return it with the visitor's plan."""
    plan, place = current_plan(), place or st.container()
    entries = {entry.name: entry for entry in sorted(list_worlds(), key=lambda entry: entry.name != DEFAULT_WORLD)}
    said = list(remarks())
    if plan.world not in entries:
        said.append(f"There is no competition {plan.world!r}. {did_you_mean(plan.world, entries)}")
        plan = Plan()
    with place:
        _choose_world(plan, entries)
    opened = open_chosen(plan, entries)
    if plan.round not in (None, opened.snapshot.round):
        said.append(f"Round {plan.round} cannot be opened in this competition, so this is the first that can.")
    with place:
        _choose_number(opened)
    settle(opened.plan)
    for sentence in (*said, *_rivals_missing(opened)):
        st.info(as_markdown(sentence), icon=":material/link_off:")
    return opened


def open_chosen(plan: Plan, entries: dict[str, WorldEntry] | None = None) -> Chosen:
    """Return world, rules and snapshot of a plan; a round that cannot be opened becomes the first that can."""
    known = entries if entries is not None else {entry.name: entry for entry in list_worlds()}
    if plan.world not in known:
        raise UnknownError(f"There is no competition {plan.world!r}. {did_you_mean(plan.world, known)}")
    folder = known[plan.world].folder
    version = (folder / MANIFEST).read_text(encoding="utf-8")
    world = _opened(folder, version)
    number = plan.round if plan.round in world.rounds else world.rounds[0]
    rules = load_rules(world.rulebook)
    rules = rules.with_captaincy(CaptaincyMode(plan.captaincy)) if plan.captaincy else rules
    snapshot = _snapshot(folder, version, number)
    return Chosen(folder, version, world, rules, snapshot, plan.with_changes(round=number))


def _choose_world(plan: Plan, entries: dict[str, WorldEntry]) -> None:
    if len(entries) > 1:
        st.selectbox(
            "Competition",
            list(entries),
            key=controlled("world_choice", plan.world),
            width=WORLD_WIDTH,
            on_change=lambda: move_to(st.session_state.world_choice),
        )


def _choose_number(chosen: Chosen) -> None:
    st.segmented_control(
        "Round",
        list(chosen.world.rounds),
        key=controlled("round_choice", chosen.snapshot.round),
        required=True,
        on_change=lambda: change(round=st.session_state.round_choice),
    )


@st.cache_resource(max_entries=WORLDS_KEPT, show_spinner="Opening the competition …")
def _opened(folder: Path, version: str) -> World:  # noqa: ARG001 - a refreshed world has a new version
    return open_world(folder)


@st.cache_resource(max_entries=SNAPSHOTS_KEPT, show_spinner=False)
def _snapshot(folder: Path, version: str, number: int) -> Snapshot:
    return _opened(folder, version).at(number)


def signals_of(chosen: Chosen) -> Signals:
    """Return what is believed of the chosen round, computed once for all visitors who believe the same."""
    return _signals(repr(chosen.key), chosen)


@st.cache_resource(max_entries=SIGNALS_KEPT, show_spinner="Rating teams and players …")
def _signals(key: str, _chosen: Chosen) -> Signals:  # noqa: ARG001 - the key stands for what is chosen
    rng = np.random.default_rng(_chosen.plan.seed).spawn(3)[0]
    return build_signals(_chosen.snapshot, _chosen.rules, rng=rng, overrides=own_table(_chosen.plan))


@dataclass(eq=False)
class SharedJudge(Judge):
    """A judge that several threads may ask: pool and yardsticks are made once, when they are first needed."""

    _drawing: threading.RLock = field(default_factory=threading.RLock, repr=False)

    @property
    def pool(self) -> np.ndarray:
        """The reference pool, the linear optimum last."""
        with self._drawing:
            return super().pool

    def yardstick(self, aim: Aim) -> Yardstick:
        """Return what is usual in the reference pool under an aim."""
        with self._drawing:
            return super().yardstick(aim)


def judge_of(chosen: Chosen) -> Judge:
    """Return what squads of the plan are judged by, shared by all visitors with the same wishes."""
    return _judge(repr(chosen.scene_key), chosen)


@st.cache_resource(max_entries=JUDGES_KEPT, show_spinner=False)
def _judge(key: str, _chosen: Chosen) -> Judge:  # noqa: ARG001 - the key stands for what is chosen
    signals = own_prices(signals_of(_chosen), Account(selling=_chosen.plan.selling_prices))
    rivals = rivals_here(_chosen)
    exposure = rival_field(rivals, signals) if rivals else None
    view = SquadView(signals, scene_of(_chosen.plan, signals), exposure)
    return SharedJudge(view, np.random.default_rng(_chosen.plan.seed).spawn(3)[1])


def rivals_here(chosen: Chosen) -> tuple[Rival, ...]:
    """Return the visitor's rivals whose elevens can be picked this round."""
    return playing(rivals_of(chosen.plan), chosen.snapshot.players["player_id"].tolist())


def _rivals_missing(chosen: Chosen) -> list[str]:
    """Return a sentence about the rivals who are left out this round, or nothing."""
    here = {rival.name for rival in rivals_here(chosen)}
    missing = [rival.name for rival in rivals_of(chosen.plan) if rival.name not in here]
    if not missing:
        return []
    against = "" if here else ", and the field is all managers"
    return [f"Not everybody in the eleven of {', '.join(missing)} can be picked this round: left out{against}."]


def aim_of(chosen: Chosen, theta: str | None = None) -> Aim:
    """Return the aim of the plan, or of another θ at its own defaults."""
    plan = chosen.plan
    own = theta in (None, plan.theta)
    return _aim(repr(chosen.scene_key), theta or plan.theta, plan.k if own else None, plan.w if own else None, chosen)


@st.cache_resource(max_entries=AIMS_KEPT, show_spinner=False)
def _aim(key: str, theta: str | None, k: float | None, w: float | None, _chosen: Chosen) -> Aim:  # noqa: ARG001
    return aim_at(theta, judge_of(_chosen).view, k=k, w=None if theta == RANK else w)  # rank weighs no ownership


def demands_of(chosen: Chosen) -> Demands:
    """Return who must and who must not be in the squad, as player rows; who cannot be picked this round is left out."""
    signals = signals_of(chosen)
    return Demands(must=rows_of(chosen.plan.locks, signals), never=rows_of(chosen.plan.bans, signals))


def scene_of(plan: Plan, signals: Signals) -> SceneSettings:
    """Return how squads are looked at under a plan."""
    formations = signals.rules.squad.formations
    captain = rows_of(() if plan.captain is None else (plan.captain,), signals)
    current = rows_of(plan.current, signals)
    return SceneSettings(
        current=current,
        free_transfers=plan.free,
        budget=plan.budget,
        most_changes=plan.changes if current else None,
        teams=tuple(_limit(wish, signals) for wish in plan.teams if wish.code in signals.teams.strengths.codes),
        formation=formations.index(plan.formation) if plan.formation in formations else None,
        captain=captain[0] if captain else None,
    )


def rows_of(ids: tuple[int, ...], signals: Signals) -> tuple[int, ...]:
    """Return the rows of players by id; who cannot be picked this round is left out."""
    rows = {int(player): row for row, player in enumerate(signals.player_id)}
    return tuple(rows[player] for player in ids if player in rows)


def _limit(wish: TeamWish, signals: Signals) -> TeamLimit:
    return TeamLimit(list(signals.teams.strengths.codes).index(wish.code), wish.least, wish.most)


def is_dark() -> bool:
    """Return whether the visitor sees the dark page."""
    return st.context.theme.type == "dark"
