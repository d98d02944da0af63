"""The choice of θ: three cards when nothing is chosen, a switch afterwards, or an answer to "where do I stand?"."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from html import escape
from operator import attrgetter

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.board.glance import Glance
from engine.fitness.objective import (
    DEFAULT_K,
    DEFAULT_W,
    HIGHEST_W,
    MEANINGS,
    RANK,
    ROUND_SPREAD,
    STRONGEST_K,
    DerivedObjective,
    objective_from_standing,
)
from models.signals import Signals
from ui.web.choice.frame import Chosen, judge_of, objective_of, rivals_here, signals_of
from ui.web.choice.plan import Plan
from ui.web.choice.session import change, controlled, linked
from ui.web.drawing.words import FIGURE_HELP
from ui.web.work import kept
from ui.web.work.orders import glance, usual_glance

ICONS = {"protect": "shield", "neutral": "balance", "gain": "trending_up", RANK: "leaderboard"}
TITLES = {"protect": "Protect", "neutral": "Neutral", "gain": "Gain", RANK: "Rank"}
RIVAL, FIELD, NAMED = "One rival", "The field", "Your named rivals"
FURTHEST = 2_000


def meaning(theta: str) -> str:
    """Return what an objective means, as a sentence."""
    words = MEANINGS.get(theta, "the chance to finish ahead, by the spread between you and the field")
    return f"{words[0].upper()}{words[1:]}."


def draw_cards(chosen: Chosen) -> None:
    """Draw Protect, Neutral and Gain side by side, none of them chosen."""
    signals = signals_of(chosen)
    glances = {theta: glance(chosen, theta) for theta in MEANINGS}
    for column, theta in zip(st.columns(len(MEANINGS)), MEANINGS, strict=True):
        with column, st.container(border=True, key=f"card_{theta}"):
            st.subheader(f":material/{ICONS[theta]}: {TITLES[theta]}", anchor=False)
            st.html(card_html(theta, glances[theta], signals))
            st.button(
                f"Choose {TITLES[theta]}",
                key=f"choose_{theta}",
                width="stretch",
                on_click=change,
                kwargs={"theta": theta, "k": None, "w": None},
            )
    st.caption(difference_in_words(glances))


def card_html(theta: str, seen: Glance, signals: Signals) -> str:
    """Return what a card tells: the meaning, the captain, the expectation and how wide it swings."""
    low, high = seen.swing
    return (
        f'<p class="xi-meaning">{escape(meaning(theta))}</p><dl class="xi-card" data-testid="card-{theta}">'
        f"<div><dt>Captain</dt><dd>{escape(str(signals.short[seen.captain]))}</dd></div>"
        f"<div><dt>Expected</dt><dd>{seen.expected:.1f} points</dd></div>"
        f"<div><dt>8 in 10</dt><dd>{low:.0f} to {high:.0f}</dd></div></dl>"
    )


def difference_in_words(glances: Mapping[str, Glance]) -> str:
    """Return how much the squads of protect and gain differ, computed from them."""
    protect, gain = glances["protect"], glances["gain"]
    shared = len(set(protect.rows) & set(gain.rows))
    widths = [seen.swing[1] - seen.swing[0] for seen in (protect, gain)]
    swing = f"their ranges are {widths[0]:.0f} and {widths[1]:.0f} points wide"
    return (
        f"A first look: protect and gain share {shared} of {len(protect.rows)} players, {swing}. "
        "Choosing one breeds its options."
    )


def draw_objective(
    plan: Plan, names: Collection[str] = TITLES, *, key: str = "theta_choice", cards: bool = False
) -> None:
    """Draw the choice of objective, none chosen silently; with `cards`, taking it back shows the three cards again."""
    st.segmented_control(
        "Objective",
        list(names),
        key=controlled(key, plan.theta if plan.theta in names else None),
        format_func=lambda name: f":material/{ICONS[name]}: {TITLES[name]}" if cards else TITLES[name],
        on_change=lambda: change(theta=st.session_state[key], k=None, w=None, lead=None, left=None),
        help="Press the chosen one again to see the three cards." if cards else None,
    )


def draw_standing(chosen: Chosen) -> None:
    """Draw the way from a standing to θ and k: nothing is taken over before it is confirmed."""
    plan = chosen.plan
    rounds_left = chosen.rules.rounds - chosen.snapshot.round + 1
    with st.expander("From my standing", icon=":material/social_leaderboard:"):
        columns = st.columns([2, 2, 3])
        lead = columns[0].number_input(
            "Points ahead (negative: behind)",
            -FURTHEST,
            FURTHEST,
            max(-FURTHEST, min(int(plan.lead or 0), FURTHEST)),
            key=f"lead_{plan.lead}",
        )
        left = columns[1].number_input(
            "Rounds left, this one included",
            1,
            chosen.rules.rounds,
            min(plan.left or rounds_left, chosen.rules.rounds),
            key=f"left_{plan.left}_{plan.world}_{chosen.snapshot.round}",
        )
        against = _draw_opponent(columns[2], named=bool(rivals_here(chosen)))
        spread = ROUND_SPREAD if against == RIVAL else _spread(chosen)
        derived = objective_from_standing(lead, left, spread=spread)
        with _place_of_formula(chosen, float(lead), int(left), TITLES[derived.dial.theta]):
            _draw_formula(derived, lead, left, f"{against.lower()}: a spread of about {spread:.0f} points")


def _draw_opponent(place: DeltaGenerator, *, named: bool) -> str:
    """Draw whom the standing is against: the rivals where they are named, else all managers or any one of them."""
    if named:
        place.markdown(f"Against  \n**{NAMED}**, as pasted on My squad")
        return NAMED
    return str(place.segmented_control("Against", [FIELD, RIVAL], default=FIELD, key="against", required=True))


def _place_of_formula(chosen: Chosen, lead: float, left: int, title: str) -> DeltaGenerator:
    """Draw what measures best first where a standing is told; the formula is then one click away, else right here."""
    if not lead and chosen.plan.lead is None:
        return st.container()
    from ui.web.answers.advice_view import draw_advice  # brings the simulation of rounds, which the cards do without

    draw_advice(chosen, lead, left)
    return st.popover(f"The formula says {title}", icon=":material/function:")


def _draw_formula(derived: DerivedObjective, lead: float, left: int, spreads: str) -> None:
    theta, k = str(derived.dial.theta), derived.dial.k
    st.markdown(f"**{TITLES[theta]}**, k = {k:.3f}. {derived.working}")
    st.caption(f"One round between you and {spreads}. θ is the side of zero you are on, k how far.")
    st.button(
        f"Use {TITLES[theta]} with k = {k:.3f}",
        key="use_standing",
        on_click=change,
        kwargs={"theta": theta, "k": round(k, 4), "w": None, "lead": float(lead), "left": int(left)},
    )


@st.cache_resource(max_entries=kept.SPREADS.most, show_spinner=False, hash_funcs={Chosen: attrgetter("asked_key")})
def _spread(chosen: Chosen) -> float:
    """Return the standard deviation of one round between a good squad and the field."""
    seen = usual_glance(chosen, "neutral")
    scored = judge_of(chosen).score(np.array([seen.rows]), objective_of(chosen, "neutral"))
    return max(math.sqrt(float(scored.figures["relative_variance"][0])), 1.0)


def standing_line(plan: Plan) -> str:
    """Return the standing a plan was derived from, or nothing."""
    if plan.lead is None:
        return ""
    place = "level" if plan.lead == 0 else f"{abs(plan.lead):g} points {'ahead' if plan.lead > 0 else 'behind'}"
    rounds = "" if plan.left is None else f", {plan.left} round{'s' * (plan.left != 1)} left"
    return f"Derived from your standing: {place}{rounds}."


def draw_strength(plan: Plan) -> None:
    """Draw how strongly swing and ownership count."""
    theta = plan.theta
    if theta not in DEFAULT_W:
        return
    k, w = (DEFAULT_K if plan.k is None else plan.k), (DEFAULT_W[theta] if plan.w is None else plan.w)
    widest = max(HIGHEST_W[theta], w)
    strengths = (
        ("Swing counts (k)", "k", k, max(STRONGEST_K, k), 0.001),
        ("Ownership counts (w)", "w", w, widest, widest / 100),
    )
    for column, (title, name, value, most, step) in zip(st.columns(2), strengths, strict=True):
        chosen = linked(name, value, lambda moved: round(moved, 4))
        column.slider(title, 0.0, most, step=step, format="%.3f", help=str(FIGURE_HELP[name]), **chosen)
