"""What a manager asks of a squad: who must be in, who must not, and the finer wishes; all of it stands in the link."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from data.domain import POSITIONS
from data.errors import InfeasibleError
from engine.desk import GENERATIONS
from engine.fitness.wishes import TeamWish
from models.signals import Signals
from ui.web.choice.armband_rule import draw_armband_rule
from ui.web.choice.frame import Chosen, judge_of, signals_of
from ui.web.choice.objective_choice import draw_strength
from ui.web.choice.plan import MOST_BANS, MOST_TEAM_WISHES, SQUAD_SIZE, Plan
from ui.web.choice.player_picker import draw_one, draw_picker, latest
from ui.web.choice.session import can_undo, change, controlled, linked, undo
from ui.web.choice.taste_editor import draw_tastes
from ui.web.choice.tastes import taste_words
from ui.web.drawing.escaping import as_markdown
from ui.web.work.orders import generations_of

TITLE = "Wishes"
ANY = "Any"
NAMES_TOLD = 5
EFFORTS = (GENERATIONS, 40, 160)
NO_WISHES = {
    "locks": (),
    "bans": (),
    "captain": None,
    "formation": None,
    "budget": None,
    "teams": (),
    "tastes": (),
    "changes": None,
}


def player_labels(signals: Signals) -> dict[int, str]:
    """Return every player's label by id, the most expected points first."""
    order = np.argsort(-signals.xev, kind="stable")
    places = np.array(POSITIONS)[signals.position]
    columns = (column[order].tolist() for column in (signals.player_id, signals.name, signals.codes, places))
    return {number: f"{name} ({team}, {place})" for number, name, team, place in zip(*columns, strict=True)}


def draw_wishes(chosen: Chosen) -> None:
    """Draw the wishes of a plan; each change goes into the plan at once.

    The lists of all players are long: they are drawn when they are asked for, the wishes themselves always.
    """
    plan = chosen.plan
    words = "Must have, never pick, rather have, formation, captain, budget, teams"
    label = f"{TITLE} ({plan.wishes})" if plan.wishes else TITLE
    asked = st.popover(label, icon=":material/tune:", key="wishes", on_change="rerun", help=words)
    if not asked.open:
        return
    labels = player_labels(signals_of(chosen))
    with asked:
        draw_lists(plan, labels)
        _draw_shape(chosen, labels)
        _draw_transfers(plan)
        _draw_teams(chosen)
        draw_tastes(chosen, labels)
        if not plan.spec:  # whose strengths are set where it is edited
            draw_strength(plan)
        draw_armband_rule(chosen)
        _draw_effort(plan)


def draw_wish_bar(chosen: Chosen) -> None:
    """Draw what is wished in one line, with the way back: one step, or all of it."""
    if not chosen.plan.wishes and not can_undo():
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="wish_bar"):
        if chosen.plan.wishes:
            st.markdown(as_markdown(wishes_in_words(chosen)), width="content")
            st.button("Clear all wishes", type="tertiary", icon=":material/clear_all:", on_click=_clear)
        if can_undo():
            st.button("Undo", key="undo_wish", type="tertiary", icon=":material/undo:", on_click=undo)


def _clear() -> None:
    change(**NO_WISHES)


def wishes_in_words(chosen: Chosen) -> str:
    """Return what is wished, as a line; long lists are cut short."""
    plan, players = chosen.plan, chosen.snapshot.players
    liked = [taste.player for taste in plan.tastes if taste.player is not None]
    wanted = {*plan.locks, *plan.bans, *liked, *(() if plan.captain is None else (plan.captain,))}
    known = players[players["player_id"].isin(wanted)]
    names = dict(zip(known["player_id"].tolist(), known["short"].tolist(), strict=True))
    parts = [
        f"must have {_listed(plan.locks, names)}" if plan.locks else "",
        f"never {_listed(plan.bans, names)}" if plan.bans else "",
        f"captain {_listed((plan.captain,), names)}" if plan.captain is not None else "",
        plan.formation or "",
        f"{plan.budget:.1f}m to spend" if plan.budget is not None else "",
        *(f"{wish.least} to {'any number' if wish.most is None else wish.most} of {wish.code}" for wish in plan.teams),
        *(taste_words(taste, names) for taste in plan.tastes),
        f"at most {plan.changes} change{'s' * (plan.changes != 1)}" if plan.changes is not None else "",
        f"{plan.free} free transfer{'s' * (plan.free != 1)} as you said" if plan.free is not None else "",
    ]
    return f"Wished: {'; '.join(filter(None, parts))}."


def _listed(players: Sequence[int], names: Mapping[int, str]) -> str:
    told = [names.get(player, f"player {player}") for player in players[:NAMES_TOLD]]
    return ", ".join(told) + (f" and {len(players) - NAMES_TOLD} more" if len(players) > NAMES_TOLD else "")


def draw_lists(plan: Plan, labels: Mapping[int, str]) -> None:
    """Draw must and never as lists of players by label; who enters the one leaves the other."""
    lists = (("Must have", "locks", "bans", SQUAD_SIZE), ("Never pick", "bans", "locks", MOST_BANS))
    for column, (title, name, other, most) in zip(st.columns(2), lists, strict=True):
        draw_picker(
            title,
            labels,
            column,
            key=controlled(f"{name}_choice", [player for player in getattr(plan, name) if player in labels]),
            max_selections=most,
            on_change=_listed_anew,
            args=(plan, name, other),
        )


def _listed_anew(plan: Plan, name: str, other: str) -> None:
    listed = tuple(st.session_state[f"{name}_choice"])
    change(**{name: listed, other: tuple(player for player in getattr(plan, other) if player not in listed)})


def _draw_shape(chosen: Chosen, labels: Mapping[int, str]) -> None:
    plan, formations = chosen.plan, [ANY, *chosen.rules.squad.formations]
    left, middle, right = st.columns(3)
    left.selectbox(
        "Formation",
        formations,
        **linked("formation", plan.formation if plan.formation in formations else ANY, _unless(ANY)),
    )
    draw_one(
        "Captain",
        {player: label for player, label in labels.items() if player not in plan.bans},
        middle,
        placeholder=ANY,
        **linked("captain", [plan.captain] if plan.captain in labels else [], latest),
    )
    allowed, stage = judge_of(chosen).view.pool.budget, chosen.rules.stage(chosen.snapshot.round).budget
    right.number_input(
        "Budget (millions)",
        min_value=1.0,
        max_value=1000.0,
        step=0.5,
        format="%.1f",
        **linked("budget", float(plan.budget or allowed), lambda value: _unless(stage)(round(value, 1))),
    )


def _unless(usual: object) -> Callable[[Any], Any]:
    """Return what keeps a value, unless it is what is meant where a plan says nothing."""
    return lambda value: None if value == usual else value


def _draw_transfers(plan: Plan) -> None:
    if not plan.current:
        st.caption("To limit changes, say on the page My team which squad you start from.")
        return
    asked = (("At most so many changes", "changes", ANY), ("Free transfers", "free", "As the stage has it"))
    for column, (title, name, otherwise) in zip(st.columns(2), asked, strict=True):
        kept = linked(name, getattr(plan, name))
        column.number_input(title, min_value=0, max_value=SQUAD_SIZE, value=None, placeholder=otherwise, **kept)
    st.button("Start from a new squad instead", on_click=change, kwargs={"current": (), "changes": None, "free": None})


def _draw_teams(chosen: Chosen) -> None:
    """Draw how many players of a team are wanted, one row per team that was named."""
    plan = chosen.plan
    names = dict(zip(chosen.snapshot.teams["code"], chosen.snapshot.teams["name"], strict=True))
    cap = chosen.rules.stage(chosen.snapshot.round).team_cap
    st.multiselect(
        "Teams to limit",
        sorted(names, key=lambda code: str(names[code])),
        format_func=lambda code: str(names.get(code, code)),
        placeholder="Type a team",
        max_selections=MOST_TEAM_WISHES,
        **linked("teams", [wish.code for wish in plan.teams if wish.code in names], partial(_kept_teams, plan)),
    )
    for wish in plan.teams:
        st.slider(
            f"Players of {as_markdown(str(names.get(wish.code, wish.code)))}",
            0,
            cap,
            key=controlled(
                f"team_{wish.code}", (min(wish.least, cap), cap if wish.most is None else min(wish.most, cap))
            ),
            on_change=_change_team,
            args=(plan, wish.code, cap),
        )


def _draw_effort(plan: Plan) -> None:
    efforts = sorted({*EFFORTS, generations_of(plan)})
    st.select_slider(
        "How long to search",
        efforts,
        **linked("generations", generations_of(plan), _unless(GENERATIONS)),
        help="Generations of squads that the search tries. More take longer and find options that differ more; the "
        "best squad is usually there at once.",
    )


def _kept_teams(plan: Plan, codes: list[str]) -> tuple[TeamWish, ...]:
    known = {wish.code: wish for wish in plan.teams}
    return tuple(known.get(code, TeamWish(code)) for code in codes)


def _change_team(plan: Plan, code: str, cap: int) -> None:
    least, most = st.session_state[f"team_{code}"]
    changed = TeamWish(code, least, None if most == cap else most)
    change(teams=tuple(changed if wish.code == code else wish for wish in plan.teams))


def draw_way_out(chosen: Chosen, error: InfeasibleError) -> None:
    """Draw wishes that cannot hold together as a sentence, with a button for each that stands in the way."""
    st.error(as_markdown(str(error)), icon=":material/error:")
    signals, plan = signals_of(chosen), chosen.plan
    with st.container(horizontal=True):
        for verb, kind, rows in (("Unlock", "locks", error.must), ("Allow", "bans", error.never)):
            for row in rows:
                player, label = int(signals.player_id[row]), as_markdown(f"{verb} {signals.name[row]}")
                left = tuple(other for other in getattr(plan, kind) if other != player)
                st.button(label, key=f"way_{kind}_{player}", on_click=change, kwargs={kind: left})
        st.button("Clear all wishes", key="way_clear", on_click=change, kwargs=dict(NO_WISHES))
