"""My team: bring it, see what it is worth under each objective, its weakest links, and what N transfers improve."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from data.rules import UNLIMITED
from engine.board.board import Option
from engine.board.weak_links import Link, weak_links
from engine.fitness.objective import MEANINGS
from models.signals import Signals
from ui.web.answers.player_dialog import draw_squad
from ui.web.answers.transfer_card import draw_transfer_card
from ui.web.choice.frame import Chosen, choose_round, desk_of, judge_of, objective_of, signals_of
from ui.web.choice.objective_choice import TITLES, draw_objective, meaning
from ui.web.choice.session import change, controlled
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.squads.rivals_desk import draw_rivals
from ui.web.squads.squad_desk import Draft, current_draft, draw_desk, keep_budget, keep_draft, option_of, squad_of
from ui.web.squads.squad_use import searched
from ui.web.squads.squad_worth import improvement_words, links_table, reach, terms_table
from ui.web.work import kept
from ui.web.work.orders import attended, board_order, order_key
from ui.web.work.search_view import boards_of

SOUGHT = "_improvement"
LEAST_BUDGET, MOST_BUDGET = 50.0, 200.0
SAME_MONEY = 0.05  # millions: prices are whole tenths


def show() -> None:
    """Draw the page."""
    st.title("My team")
    chosen = choose_round()
    signals = signals_of(chosen)
    draft = draw_desk(chosen, signals)
    with st.expander("Rivals", expanded=bool(chosen.plan.rivals)):
        draw_rivals(chosen, signals)
    if not draft.whole:
        st.info("Lay out a whole squad to see what it is worth, its weakest links and what transfers improve.")
        return
    mine = _with_money(searched(chosen), signals, draft)
    squad, broken = squad_of(mine, mine.plan.current, owned=draft.owned)
    if broken:
        st.error(as_markdown(f"This squad breaks the rules: {'; '.join(broken)}. Change players or the budget."))
        return
    _draw_worth(mine, squad)
    _draw_better(chosen, mine, squad)


def free_transfers_of(chosen: Chosen) -> int:
    """Return the free transfers of the round's stage; as many as a squad has where changes are free."""
    allowed = chosen.rules.stage(chosen.snapshot.round).free_transfers
    return chosen.rules.squad.size if allowed == UNLIMITED else int(allowed)


def _with_money(chosen: Chosen, signals: Signals, draft: Draft) -> Chosen:
    """Ask for budget and free transfers; return the choice with this squad to start from."""
    prices = draft.prices(signals)
    stage = chosen.rules.stage(chosen.snapshot.round).budget
    told = draft.budget or stage
    settled = draft.own_budget or chosen.rules.transfers.prices_fixed  # else nobody has less than his men sell for
    usual = told if settled else max(told, round(sum(prices), 1))
    left, right = st.columns(2)
    budget = left.number_input(
        "Budget: what your squad sells for, and the bank",
        LEAST_BUDGET,
        MOST_BUDGET,
        step=0.1,
        format="%.1f",
        key=controlled("my_budget", min(max(usual, LEAST_BUDGET), MOST_BUDGET)),
        on_change=lambda: keep_budget(chosen, float(st.session_state.my_budget)),
    )
    usually = free_transfers_of(chosen)
    free = right.number_input(
        "Free transfers",
        0,
        chosen.rules.squad.size,
        value=min(usually if draft.free_transfers is None else draft.free_transfers, chosen.rules.squad.size),
        key=f"my_free_{draft.free_transfers}_{chosen.plan.world}_{chosen.snapshot.round}",
        disabled=usually == chosen.rules.squad.size,
        help="Without limit before this round." if usually == chosen.rules.squad.size else None,
    )
    wished = None if abs(budget - stage) < SAME_MONEY else float(budget)
    plan = chosen.plan.with_changes(
        current=draft.player_ids,
        selling=prices if draft.selling else (),
        budget=wished,
        free=None if int(free) == usually else int(free),
        changes=None,
    )
    return replace(chosen, plan=plan)


def _draw_worth(chosen: Chosen, squad: np.ndarray) -> None:
    st.header("What it is worth")
    judge = judge_of(chosen)
    results = {theta: judge.decompose(squad, objective_of(chosen, theta)) for theta in MEANINGS}
    for column, (theta, result) in zip(st.columns(len(results)), results.items(), strict=True):
        column.metric(
            theta.capitalize(),
            f"{result.fitness:.1f}",
            delta=reach(result),
            delta_color="off",
            delta_arrow="off",
            help=meaning(theta),
        )
    left, right = st.columns([3, 2])
    with left:
        draw_squad(chosen, option_of(chosen, squad, "neutral"), key="mine", label="My team")
    table = terms_table(results)
    with right:
        columns = dict.fromkeys(map(str, table.columns[1:]), ShownColumn("{:+.2f}"))
        draw_table(table, "The terms of the score under protect, neutral and gain, and their sum", columns)
    right.caption("\\* rests on a rule that the official rules do not confirm.")


def _draw_better(chosen: Chosen, mine: Chosen, squad: np.ndarray) -> None:
    st.header("Make it better")
    draw_objective(chosen.plan, MEANINGS, key="my_theta")
    st.button(
        "Start from this squad on Pick",
        key="start_from",
        help="Pick then counts every change from it, with your free transfers and budget.",
        on_click=_start_from,
        args=(mine,),
    )
    if chosen.plan.current and set(chosen.plan.current) == set(mine.plan.current):
        st.caption("Pick starts from this squad.")
    if chosen.plan.theta not in MEANINGS:
        st.info("Choose an objective to see the weakest links and to search for transfers.")
        return
    most = st.number_input(
        "Transfers at most", 1, mine.rules.squad.size, value=max(1, min(mine.plan.free or 1, 2)), key="my_transfers"
    )
    sought = replace(mine, plan=mine.plan.with_changes(changes=int(most)))
    _draw_links(sought, squad)
    _draw_transfers(chosen, sought, squad)


def _start_from(mine: Chosen) -> None:
    plan = mine.plan
    change(current=plan.current, selling=plan.selling, budget=plan.budget, free=plan.free, changes=None)
    keep_draft(plan, plan.current, budget=plan.budget, free_transfers=plan.free, selling=plan.asked.selling)


def _draw_links(sought: Chosen, squad: np.ndarray) -> None:
    st.subheader("Weakest links")
    links = _links(sought, squad)
    if not links or links[0].gain <= 0:
        st.success("No single replacement improves this squad under this objective.")
        return
    table = links_table([link for link in links if link.gain > 0])
    columns = dict.fromkeys(map(str, table.columns[2:]), ShownColumn("{:+.2f}"))
    draw_table(table, "The men whose best replacement gains most, by term", columns)


@st.cache_resource(
    max_entries=kept.LINKS.most, show_spinner="Trying every single replacement …", hash_funcs={Chosen: order_key}
)
def _links(sought: Chosen, squad: np.ndarray) -> tuple[Link, ...]:
    return weak_links(judge_of(sought), objective_of(sought), squad, demands=desk_of(sought).demands)


def _draw_transfers(chosen: Chosen, sought: Chosen, squad: np.ndarray) -> None:
    st.subheader("Improve it with transfers")
    order, title = board_order(sought), TITLES[str(sought.plan.theta)]
    if st.button("Find the best transfers", key="find_transfers", type="primary"):
        st.session_state[SOUGHT] = order.key
    if st.session_state.get(SOUGHT) != order.key:
        return
    (job,) = attended(order)
    for board in boards_of(sought, {title: job}).values():
        _draw_found(chosen, option_of(sought, squad), board.recommended)


def _draw_found(chosen: Chosen, before: Option, after: Option) -> None:
    st.markdown(f"**{improvement_words(before, after)}**")
    if after.transfers is None or not after.transfers.moves:
        return
    draw_transfer_card(after.transfers)
    came = frozenset(man.player_id for man in after.men) - frozenset(man.player_id for man in before.men)
    draw_squad(chosen, after, key="after", label="My team after the transfers", fresh=came)
    st.button("Lay out the squad after these transfers", key="take_transfers", on_click=_take, args=(chosen, after))


def _take(chosen: Chosen, after: Option) -> None:
    draft = current_draft(chosen)
    ids = [man.player_id for man in after.men]
    keep_draft(chosen.plan, ids, budget=draft.budget, own_budget=draft.own_budget, selling=draft.selling)
