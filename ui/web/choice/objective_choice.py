"""The choice of θ: three cards when nothing is chosen, a switch afterwards, or an answer to "where do I stand?"."""

from __future__ import annotations

from collections.abc import Callable, Collection
from html import escape

import streamlit as st

from data.errors import InfeasibleError
from engine.board.board import Option
from engine.fitness.objective import DEFAULT_K, DEFAULT_W, HIGHEST_W, MEANINGS, STRONGEST_K
from engine.rank.rivals import listed_names
from ui.web.choice.frame import Chosen, rivals_here
from ui.web.choice.opponents import CROWD_WORDS, known_lead, lead_words
from ui.web.choice.plan import Plan
from ui.web.choice.session import change, controlled, linked
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.drawing.words import FIGURE_HELP
from ui.web.work.background import crowding
from ui.web.work.orders import attended, board_order
from ui.web.work.search_job import SearchJob

ICONS = {"protect": "shield", "neutral": "balance", "gain": "trending_up"}
TITLES = {"protect": "Protect", "neutral": "Neutral", "gain": "Gain"}
FIELD_WIDTH = 230  # pixels
FURTHEST = 2_000
PENDING = "…"
CARDS_POLL = 0.3  # seconds between two looks at the searches of the cards


def meaning(theta: str) -> str:
    """Return what an objective means, as a sentence."""
    words = MEANINGS[theta]
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
        draw_until(over, CARDS_POLL * crowding(), lambda: st.caption("Searching a squad for each objective …"))
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
        label_visibility="collapsed",
        key=controlled(key, plan.theta if plan.theta in names else None),
        format_func=lambda name: f":material/{ICONS[name]}: {TITLES[name]}" if cards else TITLES[name],
        on_change=lambda: change(theta=st.session_state[key], k=None, w=None, lead=None, left=None),
        help="Press the chosen one again to see the three cards." if cards else None,
    )


def draw_standing(chosen: Chosen) -> None:
    """Draw where the manager says how he stands, and what then measures best; nothing is taken over unasked."""
    plan, told = chosen.plan, known_lead(chosen.plan)
    rounds_left = chosen.rules.rounds - chosen.snapshot.round + 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        lead = st.number_input(
            "Points ahead (negative: behind)",
            -FURTHEST,
            FURTHEST,
            None if told is None else max(-FURTHEST, min(round(told), FURTHEST)),
            placeholder="such as -40",
            key=f"lead_{told}_{plan.world}_{chosen.snapshot.round}",
            width=FIELD_WIDTH,
        )
        left = st.number_input(
            "Rounds left, this one included",
            1,
            chosen.rules.rounds,
            min(plan.left or rounds_left, chosen.rules.rounds),
            key=f"left_{plan.left}_{plan.world}_{chosen.snapshot.round}",
            width=FIELD_WIDTH,
        )
        names = [rival.name for rival in rivals_here(chosen)]
        st.markdown(f"against **{as_markdown(listed_names(names)) or CROWD_WORDS[chosen.crowd]}**")
    if lead is None:
        st.caption("Say how you stand, and what serves you best is measured; or choose by yourself.")
        return
    from ui.web.answers.advice_view import draw_advice  # brings the simulation of rounds, which the cards do without

    draw_advice(chosen, float(lead), int(left))


def standing_line(plan: Plan) -> str:
    """Return the standing a plan was derived from, or nothing."""
    if plan.lead is None:
        return ""
    rounds = "" if plan.left is None else f", {plan.left} round{'s' * (plan.left != 1)} left"
    return f"Derived from your standing: {lead_words(plan.lead)}{rounds}."


def draw_strength(plan: Plan) -> None:
    """Draw how strongly swing and ownership count."""
    theta = plan.theta
    if theta is None:
        return
    k, w = (DEFAULT_K[theta] if plan.k is None else plan.k), (DEFAULT_W[theta] if plan.w is None else plan.w)
    widest = max(HIGHEST_W[theta], w)
    strengths = (
        ("Swing counts (k)", "k", k, max(STRONGEST_K, k), 0.001),
        ("Ownership counts (w)", "w", w, widest, widest / 100),
    )
    for column, (title, name, value, most, step) in zip(st.columns(2), strengths, strict=True):
        chosen = linked(name, value, lambda moved: round(moved, 4))
        column.slider(title, 0.0, most, step=step, format="%.3f", help=str(FIGURE_HELP[name]), **chosen)
