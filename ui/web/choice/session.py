"""What belongs to one visitor: his plan, kept in step with the address bar, and the tables he brought.

How other pages use it:

- `change(theta="gain", k=None)` in a widget's callback changes the plan; the address bar follows on the rerun.
- `controlled(key, value)` before a keyed widget without a default: the widget shows the plan, whatever page it is on.
- `**linked("budget", value)` in a widget makes it show a field of the plan and change it.
- `attach_own(frame)` keeps a visitor's own projections (indexed by player_id, the columns of
  `models.players.overrides.LIMITS`); only their digest stands in plan and link. `own_table(plan)` gives them back.
- `attach_rivals(rivals)` puts his rivals into plan and link whole; `opponents.rivals_of(plan)` gives them back.
- `attach_spec(spec, theta)` and `spec_of(plan)` likewise for a spec that he edited.
- `undo()` takes the last wish, or the last edit of a plan, back.
- `visitor()` names the browser session, `is_here(name)` says whether its tab is still open.

Everything lives in Streamlit's session state, so two tabs are two visitors and never mix.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from hashlib import sha256
from typing import Any, NamedTuple

import pandas as pd
import streamlit as st
from streamlit.runtime import exists as runtime_exists
from streamlit.runtime import get_instance as runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from data.worlds.library import DEFAULT_WORLD
from engine.rank.rivals import Rival
from ui.web.choice.plan import Plan, link_of, read_link
from ui.web.choice.rival_link import rivals_text

PLAN, LINK, PAGE, REMARKS, TOUCHED = "_plan", "_link", "_page", "_remarks", "_touched"
OWN, OWN_LATEST, SPECS = "_own", "_own_latest", "_specs"
TABLES_KEPT = 24
"""Tables of each kind that a visitor's session remembers, so that the back button finds them: some 50 kB each."""

DIGEST_LENGTH = 12
UNDO, UNDONE = "_undo", 30
"""Where earlier plans are kept, and how many of them."""


class OwnSpec(NamedTuple):
    """A spec as a visitor edited it."""

    name: str  # it gives itself
    text: str
    parameters: tuple[tuple[str, float], ...]  # that he moved from what text and stage say


def current_plan(home: Callable[[], str] = lambda: DEFAULT_WORLD) -> Plan:
    """Return the visitor's plan: from the address bar where that changed from outside, else as he left it.

    A link, a reload and the back button change it from outside. A page opened from the navigation keeps the plan.
    Without a link the competition is that of `home`; where no round is named, `settle` writes it once it is known.
    """
    state, given = st.session_state, _ours(st.query_params.to_dict())
    moved = state.get(PAGE) not in (None, st.context.url)
    if PLAN not in state or (given != state[LINK] and (given or not moved)):
        plan, remarks = read_link(given)
        plan = plan if given else plan.with_changes(world=home())
        state[PLAN], state[REMARKS] = _with_known_tables(plan, remarks)
        state[TOUCHED] = bool(given)
    elif not state[TOUCHED] and state[PLAN].round is None:  # he came by a page that asks for no competition
        state[PLAN] = state[PLAN].with_changes(world=home())
    state[PAGE] = st.context.url
    if state[PLAN].round is None:
        state[LINK] = given
    else:
        settle(state[PLAN])
    return state[PLAN]  # type: ignore[no-any-return]


def settle(plan: Plan) -> None:
    """Remember what the page really shows: the address bar follows, unless nothing was chosen yet."""
    link = link_of(plan) if st.session_state.get(TOUCHED) else {}
    st.session_state[PLAN], st.session_state[LINK] = plan, link
    if link != _ours(st.query_params.to_dict()):
        _write(link)


def change(**changes: Any) -> None:
    """Change the visitor's plan; for callbacks, which run before the page is drawn anew."""
    state = st.session_state
    before: Plan = state.get(PLAN, Plan())
    moved = any(changes.get(name, getattr(before, name)) != getattr(before, name) for name in ("world", "round"))
    plan = before.with_changes(**changes)
    if moved and "own" not in changes:
        latest = _kept(OWN_LATEST).get((plan.world, plan.round), "")
        plan = plan.with_changes(own=latest if latest in _kept(OWN) else "")
    if moved and "lead" not in changes:
        plan = plan.with_changes(lead=None, left=None)  # a standing is one of its round; its θ and strength stay
    if moved and "draft_free" not in changes:
        plan = plan.with_changes(draft_free=None)
    if (plan.asked, plan.planned) != (before.asked, before.planned) and not moved:
        state[UNDO] = (*state.get(UNDO, ()), before)[-UNDONE:]
    state[PLAN], state[REMARKS], state[TOUCHED] = plan, (), True


def undo() -> None:
    """Take the last wish back; for callbacks."""
    state = st.session_state
    if can_undo():
        *state[UNDO], state[PLAN] = state[UNDO]


def can_undo() -> bool:
    """Return whether there is a wish to take back, in the round that the page shows."""
    kept, plan = st.session_state.get(UNDO, ()), st.session_state.get(PLAN, Plan())
    return bool(kept) and (kept[-1].world, kept[-1].round) == (plan.world, plan.round)


def move_to(world: str) -> None:
    """Open another competition; for callbacks. What was wished in this one stays behind."""
    before: Plan = st.session_state.get(PLAN, Plan())
    after = before.elsewhere(world)
    change(**{entry.name: getattr(after, entry.name) for entry in fields(after) if entry.name != "own"})


def remarks() -> tuple[str, ...]:
    """Return what in the link made no sense, as sentences."""
    return tuple(st.session_state.get(REMARKS, ()))


def controlled(key: str, value: object) -> str:
    """Make the keyed widget that follows show this value, and return its key."""
    st.session_state[key] = value
    return key


def linked(name: str, value: object, taken: Callable[[Any], object] = lambda chosen: chosen) -> dict[str, Any]:
    """Return key and callback of a widget that shows a field of the plan and changes it; `taken` is what is kept."""
    key = controlled(f"{name}_choice", value)
    return {"key": key, "on_change": lambda: change(**{name: taken(st.session_state[key])})}


def attach_own(frame: pd.DataFrame | None) -> None:
    """Use the visitor's own projections for the round of his plan; None goes back to the model's."""
    plan: Plan = st.session_state.get(PLAN, Plan())
    digest = "" if frame is None or frame.empty else _digest(frame.to_csv())
    if digest:
        _keep(OWN, digest, frame)
    _keep(OWN_LATEST, (plan.world, plan.round), digest)
    change(own=digest)


def own_table(plan: Plan) -> pd.DataFrame | None:
    """Return the visitor's own projections that the plan names, if his session has them."""
    found: pd.DataFrame | None = _kept(OWN).get(plan.own)
    return found


def attach_rivals(rivals: Sequence[Rival], *, league: int | None = None, counted: int | None = None) -> None:
    """Play against these rivals instead of against all managers; an empty list goes back to all.

    `league` is the number they were read by, `counted` the round before which their points were.
    """
    change(rivals=rivals_text(rivals), league=league, counted=counted, lead=None, left=None)


def attach_spec(spec: OwnSpec, theta: str) -> None:
    """Judge squads by the visitor's own spec, in place of the θ it was made from."""
    digest = _digest(repr(spec))
    _keep(SPECS, digest, spec)
    change(theta=theta, k=None, w=None, lead=None, left=None, spec=digest)


def spec_of(plan: Plan) -> OwnSpec | None:
    """Return the visitor's own spec that the plan names, if his session has it."""
    found: OwnSpec | None = _kept(SPECS).get(plan.spec)
    return found


def visitor() -> str:
    """Return the name of the browser session that is being served."""
    context = get_script_run_ctx()
    return context.session_id if context else ""


def is_here(name: str) -> bool:
    """Return whether a visitor's tab is still open; without a server (in a test) everybody is."""
    return not runtime_exists() or runtime().is_active_session(name) is not False


def _ours(params: Mapping[str, str]) -> dict[str, str]:
    names = Plan.__dataclass_fields__
    return {name: value for name, value in params.items() if name in names}


def _write(link: Mapping[str, str]) -> None:
    """Put a link into the address bar, in one step of its history where no widget of a page is bound to it."""
    given = st.query_params.to_dict()
    if set(given) == set(_ours(given)):
        st.query_params.from_dict(link)
        return
    st.query_params.update(link)
    for name in set(_ours(given)) - set(link):
        del st.query_params[name]


def _with_known_tables(plan: Plan, remarks: tuple[str, ...]) -> tuple[Plan, tuple[str, ...]]:
    """Leave out tables that a link names but that stayed in the session it was made in."""
    if plan.own and own_table(plan) is None:
        plan = plan.with_changes(own="")
        remarks += (
            "The link was made with somebody's own projections, which are not part of it: these are the model's.",
        )
    if plan.spec and spec_of(plan) is None:
        plan = plan.with_changes(spec="")
        remarks += (f"The link was made with somebody's own spec, which is not part of it: this is {plan.theta}.",)
    return plan, remarks


def _kept(kind: str) -> dict[Any, Any]:
    tables: dict[Any, Any] = st.session_state.setdefault(kind, {})
    return tables


def _keep(kind: str, key: object, table: object) -> None:
    """Remember a table as the latest; the oldest is forgotten, before all others one that no round goes back to."""
    tables, wanted = _kept(kind), set(_kept(OWN_LATEST).values())
    tables.pop(key, None)
    tables[key] = table
    while len(tables) > TABLES_KEPT:
        tables.pop(min(tables, key=lambda one: one in wanted))  # the first of equals is the oldest


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:DIGEST_LENGTH]
