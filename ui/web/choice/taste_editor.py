"""The small editor of tastes: whom one would rather have, or rather not, and by how little."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from engine.fitness.preferences import MOST_EACH, MOST_TOGETHER
from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan
from ui.web.choice.player_picker import draw_one
from ui.web.choice.session import change
from ui.web.choice.tastes import Taste, taste_words, with_taste
from ui.web.drawing.escaping import as_markdown

PLAYER, TEAM, POINTS = "taste_player", "taste_team", "taste_points"
USUAL, STEP = 0.3, 0.1
NO_TEAM = ""


def draw_tastes(chosen: Chosen, labels: Mapping[int, str]) -> None:
    """Draw the tastes there are, each with the way back, and where another is added."""
    plan = chosen.plan
    teams = dict(zip(chosen.snapshot.teams["code"], chosen.snapshot.teams["name"], strict=True))
    st.markdown("**Rather, or rather not**")
    st.caption(
        f"They tilt between near equals and never decide: at most {MOST_EACH} points each, {MOST_TOGETHER} together."
    )
    who, team, points = st.columns(3)
    draw_one("Player", labels, who, key=PLAYER)
    codes = sorted(teams, key=lambda code: str(teams[code]))
    told = {NO_TEAM: "None"} | {code: str(teams[code]) for code in codes}
    team.selectbox("or all of a team", list(told), format_func=lambda code: told.get(code, code), key=TEAM)
    points.slider("Points", -MOST_EACH, MOST_EACH, USUAL, STEP, format="%+.1f", key=POINTS)
    st.button("Add this taste", key="add_taste", icon=":material/add:", on_click=_add, args=(plan,))
    names = {player: label.partition(" (")[0] for player, label in labels.items()}
    for taste in plan.tastes:
        left = tuple(one for one in plan.tastes if one != taste)
        words = as_markdown(taste_words(taste, names))
        back = {"tastes": left}
        st.button(words, key=f"drop_taste_{taste}", icon=":material/close:", on_click=change, kwargs=back)


def _add(plan: Plan) -> None:
    """Take over what is asked for: the player, else the team."""
    state = st.session_state
    points, players, team = round(float(state[POINTS]), 1) + 0.0, state[PLAYER], state[TEAM]
    if players:
        change(tastes=with_taste(plan.tastes, Taste(points, player=int(players[-1]))))
    elif team:
        change(tastes=with_taste(plan.tastes, Taste(points, team=str(team))))
    state[PLAYER], state[TEAM] = [], NO_TEAM
