"""The choice of θ: three cards when nothing is chosen, a switch afterwards, or an answer to "where do I stand?"."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from html import escape
from operator import attrgetter

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.errors import InfeasibleError
from engine.board.board import Option
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
from ui.web.choice.frame import Chosen, judge_of, objective_of, rivals_here
from ui.web.choice.plan import Plan
from ui.web.choice.session import change, controlled, linked
from ui.web.drawing.live import draw_until
from ui.web.drawing.words import FIGURE_HELP
from ui.web.work import kept
from ui.web.work.orders import attended, board_order, usual_glance
from ui.web.work.search_job import SearchJob

ICONS = {"protect": "shield", "neutral": "balance", "gain": "trending_up", RANK: "leaderboard"}
TITLES = {"protect": "Protect", "neutral": "Neutral", "gain": "Gain", RANK: "Rank"}
RIVAL, FIELD, NAMED = "One rival", "The field", "Your named rivals"
FURTHEST = 2_000
PENDING = "…"
CARDS_POLL = 0.3  # seconds between two looks at the searches of the cards


def meaning(theta: str) -> str:
    """Return what an objective means, as a sentence."""
    words = MEANINGS.get(theta, "the chance to finish ahead, by the spread between you and the field")
    return f"{words[0].upper()}{words[1:]}."


def draw_cards(chosen: Chosen) -> None:
    """Draw Protect, Neutral and Gain side by side, none of them chosen, each with the squad its board recommends."""
    jobs = dict(zip(MEANINGS, attended(*(board_order(chosen, name, prove=False) for name in MEANINGS)), strict=True))
    refusals = [job.now.error for job in jobs.values() if isinstance(job.now.error, InfeasibleError)]
    if refusals:
        raise refusals[0]
    found = {theta: job.now.told.board.recommended for theta, job in jobs.items() if job.now.told.board is not None}
    for column, theta in zip(st.columns(len(MEANINGS)), MEANINGS, strict=True):
        with column, st.container(border=True, key=f"card_{theta}"):
            st.subheader(f":material/{ICONS[theta]}: {TITLES[theta]}", anchor=False)
            st.html(card_html(theta, found.get(theta)))
            st.button(
                f"Choose {TITLES[theta]}",
                key=f"choose_{theta}",
                width="stretch",
                on_click=change,
                kwargs={"theta": theta, "k": None, "w": None},
            )
    if any(job.now.running for job in jobs.values()):
        over = _settled(jobs.values())
        draw_until(over, CARDS_POLL, lambda: st.caption("Searching a squad for each objective …"))
    elif len(found) == len(MEANINGS):
        st.caption(difference_in_words(found["protect"], found["gain"]))


def _settled(jobs: Collection[SearchJob]) -> Callable[[], bool]:
    """Return whether one more of the searches has ended than now: each card is filled as soon as it can be."""
    running = sum(job.now.running for job in jobs)
    return lambda: sum(job.now.running for job in jobs) < running


def card_html(theta: str, option: Option | None) -> str:
    """Return what a card tells: the meaning, the captain, the expectation and how wide it swings."""
    told = {"Captain": PENDING, "Expected": PENDING, "8 in 10": PENDING}
    if option is not None:
        low, high = option.swing
        told = {
            "Captain": option.captain.short,
            "Expected": f"{option.expected:.1f} points",
            "8 in 10": f"{low:.0f} to {high:.0f}",
        }
    rows = "".join(f"<div><dt>{title}</dt><dd>{escape(value)}</dd></div>" for title, value in told.items())
    state = "ready" if option is not None else "waiting"
    return (
        f'<p class="xi-meaning">{escape(meaning(theta))}</p>'
        f'<dl class="xi-card" data-testid="card-{theta}" data-state="{state}">{rows}</dl>'
    )


def difference_in_words(protect: Option, gain: Option) -> str:
    """Return how much the squads of protect and gain differ, computed from them."""
    shared = len(set(protect.rows) & set(gain.rows))
    if shared == len(protect.rows) and protect.captain == gain.captain:
        return "No difference here: protect and gain choose the same squad and the same captain."
    widths = [option.swing[1] - option.swing[0] for option in (protect, gain)]
    swing = f"their ranges are {widths[0]:.0f} and {widths[1]:.0f} points wide"
    return f"Protect and gain share {shared} of {len(protect.rows)} players; {swing}."


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
