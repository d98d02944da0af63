"""What every page shares: the choice of world and round, what is believed of it, and errors shown as sentences.

How a page uses it:

- `chosen = choose_round()` draws the choice and gives world, rules (with the plan's captaincy), snapshot and `plan`.
- `signals_of(chosen)`, `judge_of(chosen)`, `objective_of(chosen, theta)`, `desk_of(chosen)` honour the whole plan: own
  projections, rivals, the squad one starts from, formation, captain, budget, teams, locks and bans. All are kept for
  every visitor who asks the same, bounded, by ids.
- `show = guarded(page)` in `app.py` turns errors into sentences.
- Long work goes to a thread: see `ui.web.work.search_job` and `ui.web.work.orders`.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import wraps
from operator import attrgetter
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.domain import Crowd
from data.errors import ThetaXIError, UnknownError, did_you_mean
from data.rules import GameRules
from data.storage.files import sweep_home
from data.worlds.library import DEFAULT_WORLD, WorldEntry, list_worlds
from data.worlds.manifest import manifest_text
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from engine.desk import Desk, beliefs, rules_for
from engine.fitness.judge import Judge, Objective, text_objective
from engine.fitness.wishes import Wishes
from engine.jobs import work_on_one_core
from engine.language.spec import SUFFIX
from engine.rank.rivals import Rival, playing
from engine.search.seeding.archetypes import SolvedSquads
from models.signals import Signals
from ui.web.choice.competition import draw_deadline_passed, first_open, home, opened_world, remember, titles
from ui.web.choice.opponents import aimed_at
from ui.web.choice.plan import Plan
from ui.web.choice.round_picker import draw_round_picker
from ui.web.choice.session import (
    OwnSpec,
    change,
    controlled,
    current_plan,
    move_to,
    own_table,
    remarks,
    settle,
    spec_of,
)
from ui.web.drawing.escaping import as_markdown
from ui.web.turns import turn
from ui.web.work import kept

ICON = Path(__file__).parent.parent / "icon.png"
WORLD_WIDTH = 265  # pixels


@dataclass(frozen=True, slots=True)
class Chosen:
    """The world and round the page is about, and the visitor's plan for it."""

    folder: Path
    version: str  # changes when the world is refreshed
    world: World
    rules: GameRules
    snapshot: Snapshot
    plan: Plan = field(default_factory=Plan)
    bundled: bool = False

    def over(self, now: datetime) -> bool:
        """Whether its deadline is one of the past that came with the project, not one that somebody just missed."""
        return self.bundled and self.snapshot.deadline <= now

    @property
    def key(self) -> str:
        """What beliefs depend on: facts, round, captaincy, own projections, the crowd and the seed."""
        told = (self.plan.captaincy, self.plan.own, self.crowd, self.plan.seed)
        return repr((str(self.folder), self.version, self.snapshot.round, *told))

    @property
    def crowd(self) -> Crowd:
        """Whom the visitor plays against where he names no rivals; only a league has best managers."""
        return Crowd(self.plan.crowd) if self.rules.kind == "league" else Crowd.ALL

    @property
    def field_key(self) -> str:
        """What whom one plays against depends on: the beliefs and the rivals."""
        return repr((self.key, self.plan.rivals, self.plan.rival))

    @property
    def scene_key(self) -> str:
        """What squads are judged by depends on: the field and every wish about the squad as a whole."""
        return repr((self.field_key, replace(self.plan.asked, locks=(), bans=())))

    @property
    def asked_key(self) -> str:
        """What the best squad of any objective depends on: the field, every wish, and a spec of one's own."""
        return repr((self.field_key, self.plan.asked, self.plan.spec))


def guarded(page: Callable[[], None]) -> Callable[[], None]:
    """Wrap a page so that an error is a sentence with a way out, never a traceback."""

    @wraps(page)
    def show() -> None:
        try:
            with turn():
                _share_the_cores()
                _tidy_home()
                page()
        except ThetaXIError as error:
            st.error(as_markdown(str(error)), icon=":material/error:")
        except Exception:
            logging.getLogger("thetaxi").exception("A page failed")
            st.error("Something went wrong on this page. Reload it; if it stays, the server's log names the cause.")

    return show


@st.cache_resource(show_spinner=False)
def _share_the_cores() -> object:
    """Let each thread of the server compute on one core.

    Linear algebra on all cores makes searches wait for each other's helpers: a board took a third longer with it.
    """
    work_on_one_core()
    return True


@st.cache_resource(show_spinner=False)
def _tidy_home() -> object:
    """Remove what an earlier server that was killed left unfinished."""
    sweep_home()
    return True


def choose_round(place: DeltaGenerator | None = None, *, rounds: bool = True) -> Chosen:
    """Show the choice of world and round, here or in a container, and return it with the visitor's plan.

    Without `rounds` the page is about the world as a whole.
    """
    place, now = place or _controls_alone(), datetime.now(UTC)
    entries = {entry.name: entry for entry in sorted(list_worlds(), key=lambda entry: entry.name != DEFAULT_WORLD)}
    plan = current_plan(lambda: home(entries, now))
    said = list(remarks())
    called = titles(entries)
    if plan.world not in entries:
        stand_in = Plan(world=home(entries, now))
        said.append(f"There is no competition {plan.world!r} here: this is {called[stand_in.world]}.")
        plan = stand_in
    with place:
        _choose_world(plan, called)
    opened = open_chosen(plan, now, entries)
    if plan.round not in (None, opened.snapshot.round):
        said.append(f"Round {plan.round} cannot be opened in this competition, so this is another.")
    if rounds:
        number = opened.snapshot.round
        with place:
            draw_round_picker(opened.world.rounds, number, opened.rules.round_title(number))
    settle(opened.plan)
    remember(opened.plan.world)
    title = opened.rules.round_title(opened.snapshot.round)
    draw_deadline_passed((opened.plan.world, opened.snapshot.round), title, opened.snapshot.deadline, now)
    refused = opened.plan.asked.within(opened.rules, opened.snapshot.round)[1]
    for sentence in (*said, *refused, *_rivals_missing(opened)):
        st.info(as_markdown(sentence), icon=":material/link_off:")
    _draw_own_spec(opened.plan)
    return opened


def _controls_alone() -> DeltaGenerator:
    """Return the row of controls of a page that has no others: nothing is kept free for more."""
    return st.container(key="controls_alone").container(horizontal=True, vertical_alignment="center", key="controls")


def _draw_own_spec(plan: Plan) -> None:
    """Draw that squads are judged by the visitor's own spec, and the way back."""
    spec = spec_of(plan)
    if spec is None or plan.theta is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="own_spec"):
        st.markdown(
            f":material/function: **{plan.theta.capitalize()}** is your own spec here: **{as_markdown(spec.name)}**, "
            "as edited on Fitness.",
            width="content",
        )
        title = f"Use {plan.theta} as it comes"
        st.button(title, key="drop_spec", type="tertiary", on_click=change, kwargs={"spec": ""})


def open_chosen(plan: Plan, now: datetime, entries: dict[str, WorldEntry] | None = None) -> Chosen:
    """Return world, rules and snapshot of a plan; a round that cannot be opened becomes the one to be played next."""
    known = entries if entries is not None else {entry.name: entry for entry in list_worlds()}
    if plan.world not in known:
        raise UnknownError(f"There is no competition {plan.world!r}. {did_you_mean(plan.world, known)}")
    folder = known[plan.world].folder
    version = manifest_text(folder)
    world = opened_world(folder, version)
    number = plan.round if plan.round in world.rounds else first_open(world, now)
    rules = rules_for(world.rulebook, plan.captaincy)
    snapshot = _snapshot(folder, version, number)
    plan = plan.with_changes(round=number)
    return Chosen(folder, version, world, rules, snapshot, plan, bundled=known[plan.world].bundled)


def _choose_world(plan: Plan, called: dict[str, str]) -> None:
    if len(called) > 1:
        st.selectbox(
            "Competition",
            list(called),
            format_func=called.__getitem__,
            key=controlled("world_choice", plan.world),
            width=WORLD_WIDTH,
            label_visibility="collapsed",
            on_change=lambda: move_to(st.session_state.world_choice),
        )


@st.cache_resource(max_entries=kept.SNAPSHOTS.most, show_spinner=False)
def _snapshot(folder: Path, version: str, number: int) -> Snapshot:
    return opened_world(folder, version).at(number)


@st.cache_resource(
    max_entries=kept.SIGNALS.most, show_spinner="Rating teams and players …", hash_funcs={Chosen: attrgetter("key")}
)
def signals_of(chosen: Chosen) -> Signals:
    """Return what is believed of the chosen round, computed once for all visitors who believe the same."""
    found = beliefs(chosen.snapshot, chosen.rules, chosen.plan.seed, own_table(chosen.plan))
    return found.against(chosen.crowd)


def desk_of(chosen: Chosen) -> Desk:
    """Return the front desk of the plan: all that is asked of squads under its wishes."""
    return replace(_desk(chosen, chosen.plan.asked), shared=judge_of(chosen))


@st.cache_resource(max_entries=kept.JUDGES.most, show_spinner=False, hash_funcs={Chosen: attrgetter("scene_key")})
def judge_of(chosen: Chosen) -> Judge:
    """Return what squads of the plan are judged by, shared by all visitors with the same wishes."""
    return _desk(chosen, replace(chosen.plan.asked, locks=(), bans=())).judge


def _desk(chosen: Chosen, wishes: Wishes) -> Desk:
    plan = chosen.plan
    return Desk(chosen.snapshot, signals_of(chosen), wishes, plan.seed, rivals_here(chosen), solved=_solved())


@st.cache_resource(show_spinner=False)
def _solved() -> SolvedSquads:
    return SolvedSquads(kept.SQUADS.most)


def rivals_here(chosen: Chosen) -> tuple[Rival, ...]:
    """Return whom the visitor measures himself against, as far as their elevens can be picked this round."""
    return playing(aimed_at(chosen.plan), chosen.snapshot.players["player_id"].tolist())


def _rivals_missing(chosen: Chosen) -> list[str]:
    """Return a sentence about the rivals who are left out this round, or nothing."""
    here = {rival.name for rival in rivals_here(chosen)}
    missing = [rival.name for rival in aimed_at(chosen.plan) if rival.name not in here]
    if not missing:
        return []
    against = "" if here else ", and the field is all managers"
    return [f"Not everybody in the eleven of {', '.join(missing)} can be picked this round: left out{against}."]


def objective_of(chosen: Chosen, theta: str | None = None) -> Objective:
    """Return the objective of the plan, or of another θ at its own defaults."""
    plan = chosen.plan
    own = theta in (None, plan.theta)
    if own and (spec := spec_of(plan)):
        return _own_objective(chosen, spec)
    return _objective(chosen, theta or plan.theta, plan.k if own else None, plan.w if own else None)


@st.cache_resource(max_entries=kept.OBJECTIVES.most, show_spinner=False, hash_funcs={Chosen: attrgetter("scene_key")})
def _objective(chosen: Chosen, theta: str | None, k: float | None, w: float | None) -> Objective:
    return desk_of(chosen).objective(theta, k, w)


@st.cache_resource(max_entries=kept.OBJECTIVES.most, show_spinner=False, hash_funcs={Chosen: attrgetter("scene_key")})
def _own_objective(chosen: Chosen, spec: OwnSpec) -> Objective:
    return text_objective(spec.text, f"{spec.name}{SUFFIX}", judge_of(chosen).view, dict(spec.parameters))


def draw_notes(chosen: Chosen) -> None:
    """Draw what is to be known about the figures of the chosen round."""
    signals = signals_of(chosen)
    if signals.scoring_provisional:
        st.warning("The scoring rules are not confirmed: every figure is provisional.", icon=":material/warning:")
    notes = [*signals.notes, *signals.crowd]
    if notes:
        with st.expander(f"What to know about these figures ({len(notes)})"):
            st.text("\n".join(f"• {note}" for note in notes))


def is_dark() -> bool:
    """Return whether the visitor sees the dark page."""
    return st.context.theme.type == "dark"
