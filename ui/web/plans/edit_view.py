"""Edit a plan over rounds: lock a move, forbid a sale, roll, choose a booster's round or a captain; what each costs."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from data.rules import GameRules
from engine.plan.advice.prices import WishPrices
from engine.plan.answer.plan_board import PlanOption, RoundCard
from engine.plan.asking.wishes import ChipAt, PlanWishes, Wish
from models.outlook import HORIZON
from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan
from ui.web.choice.session import change, controlled
from ui.web.drawing.escaping import as_markdown
from ui.web.plans.edits import EditKind, PlanEdit, booster_placed, edit_words, toggled, wish_of
from ui.web.work.plan_job import horizon_of, rounds_of

AUTO, NEVER = "Where they bring most", "None"
PAY, NO_HITS = "Where they pay", "None"
AS_PLANNED, PLAIN = "Booster: as planned", "No booster"
ANYBODY = "Captain: as planned"
NO_EDITS = {"boosted": None, "hits": None, "edits": (), "locks": (), "bans": (), "captain": None, "changes": None}
MOVES_OFFERED = 3
"""Transfers of a round that can be locked one by one."""

WIDTH = 190  # pixels


def draw_horizon(chosen: Chosen) -> None:
    """Draw how far is planned and what is asked of boosters and hits as a whole."""
    plan, left = chosen.plan, chosen.rules.rounds - chosen.snapshot.round + 1
    with st.popover(f"{horizon_of(chosen)} rounds", icon=":material/edit_calendar:", key="edits"):
        st.slider(
            "Rounds to plan",
            1,
            min(HORIZON, max(left, 2)),
            key=controlled("horizon_choice", horizon_of(chosen)),
            on_change=lambda: change(horizon=st.session_state.horizon_choice),
        )
        st.segmented_control(
            "Boosters",
            (AUTO, NEVER),
            required=True,
            key=controlled("boosted_choice", NEVER if plan.boosted == () else AUTO),
            on_change=lambda: change(boosted=() if st.session_state.boosted_choice == NEVER else None),
        )
        st.segmented_control(
            "Hits",
            (PAY, NO_HITS),
            required=True,
            help="Transfers beyond the free ones, where they earn more than they cost",
            key=controlled("hits_choice", NO_HITS if plan.hits == 0 else PAY),
            on_change=lambda: change(hits=0 if st.session_state.hits_choice == NO_HITS else None),
        )
        st.button("Reset the plan", key="reset_plan", on_click=change, kwargs=NO_EDITS)


def draw_round_edits(chosen: Chosen, card: RoundCard) -> None:
    """Draw what can be changed in one round of a plan."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="edit_round"):
        st.markdown(f"**Change {as_markdown(card.title)}**", width="content")
        if not card.builds and not card.returns:
            _draw_moves(chosen.plan, card)
        _draw_booster(chosen, card)
        _draw_captain(chosen.plan, card)


def _draw_moves(plan: Plan, card: RoundCard) -> None:
    for swap in card.moves[:MOVES_OFFERED]:
        lock = PlanEdit(EditKind.HAVE, swap.into.player_id, card.round)
        _draw_edit(plan, lock, f"Lock {swap.into.short}", f"Unlock {swap.into.short}", "lock")
        if swap.out is not None:
            keep = PlanEdit(EditKind.KEEP, swap.out.player_id)
            _draw_edit(plan, keep, f"Never sell {swap.out.short}", f"Sell {swap.out.short} if it pays", "block")
    roll = PlanEdit(EditKind.ROLL, round=card.round)
    if card.moves or roll in plan.edits:
        _draw_edit(plan, roll, "No transfer", "Allow transfers", "pause")


def _draw_edit(plan: Plan, edit: PlanEdit, do: str, undo: str, icon: str) -> None:
    label = undo if edit in plan.edits else do
    edits = {"edits": toggled(plan.edits, edit)}
    st.button(as_markdown(label), key=f"edit_{edit}", icon=f":material/{icon}:", on_click=change, kwargs=edits)


def _draw_booster(chosen: Chosen, card: RoundCard) -> None:
    plan, number = chosen.plan, card.round
    titles = legal_boosters(chosen.rules, plan.chips, number)
    if not titles or plan.boosted == ():
        return
    placed = {text.partition("@")[0] for text in plan.boosted or () if text.endswith(f"@{number}")}
    bare = PlanEdit(EditKind.PLAIN, round=number) in plan.edits
    now = next((key for key in titles if key in placed), PLAIN if bare else AS_PLANNED)
    key = controlled(f"booster_{number}", now)

    def placed_anew() -> None:
        one = st.session_state[key]
        asked = one if one in titles else None
        boosted, edits = booster_placed(plan.boosted, plan.edits, asked, number, plain=one == PLAIN)
        change(boosted=boosted, edits=edits)

    st.selectbox(
        f"Booster in {card.title}",
        (AS_PLANNED, PLAIN, *titles),
        format_func=lambda one: titles.get(one, one),
        key=key,
        label_visibility="collapsed",
        width=WIDTH,
        on_change=placed_anew,
    )


def legal_boosters(rules: GameRules, left: tuple[str, ...] | None, number: int) -> dict[str, str]:
    """Return the boosters that may be played in a round, by key, with their titles; `left` None = all of the game."""
    known = rules.boosters if left is None else [key for key in left if key in rules.boosters]
    return {key: rules.boosters[key].title for key in known if rules.boosters[key].legal_in(number)}


def _draw_captain(plan: Plan, card: RoundCard) -> None:
    names = {man.player_id: man.short for man in sorted(card.eleven, key=lambda man: -man.xev)}
    asked = {edit.round: edit.player for edit in plan.edits if edit.kind is EditKind.CAPTAIN}
    now = asked.get(card.round)
    key = controlled(f"captain_{card.round}", now if now in names else ANYBODY)

    def named() -> None:
        others = tuple(edit for edit in plan.edits if (edit.kind, edit.round) != (EditKind.CAPTAIN, card.round))
        one = st.session_state[key]
        change(edits=others if one == ANYBODY else (*others, PlanEdit(EditKind.CAPTAIN, one, card.round)))

    st.selectbox(
        f"Captain in {card.title}",
        (ANYBODY, *names),
        format_func=lambda one: names.get(one, one),
        key=key,
        label_visibility="collapsed",
        width=WIDTH,
        on_change=named,
    )


def draw_asked(chosen: Chosen, prices: WishPrices | None) -> None:
    """Draw what was changed in the plan, each with what it costs and the way back."""
    plan = chosen.plan
    if not plan.edits and not plan.boosted:
        return
    costs = {} if prices is None else {price.wish: price.cost for price in prices.each}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="asked_bar"):
        for edit in plan.edits:
            words = edit_words(edit, _names(chosen), chosen.rules)
            wish = wish_of(edit, chosen.rules, rounds_of(chosen))
            _draw_price(words, wish, costs, f"drop_{edit}", {"edits": toggled(plan.edits, edit)})
        for text in plan.boosted or ():
            key, _, number = text.partition("@")
            booster = chosen.rules.boosters.get(key)
            words = f"{booster.title if booster else key} in {chosen.rules.round_title(int(number))}"
            wish = next(iter(PlanWishes(chips=(ChipAt(key, int(number)),)).parts()))
            left = tuple(other for other in plan.boosted or () if other != text)
            _draw_price(words, wish, costs, f"drop_{text}", {"boosted": left or None})
        st.button("Reset the plan", key="reset_edits", type="tertiary", on_click=change, kwargs=NO_EDITS)


def _draw_price(words: str, wish: Wish | None, costs: Mapping[Wish, float], key: str, back: dict[str, object]) -> None:
    told = "beyond the plan" if wish is None else price_words(costs.get(wish))
    st.button(
        as_markdown(f"{words}: {told}"),
        key=key,
        icon=":material/close:",
        help="Take this back",
        on_click=change,
        kwargs=back,
    )


def price_words(cost: float | None) -> str:
    """Return a price in a few words."""
    if cost is None:
        return "…"
    return f"costs {cost:.1f}" if cost >= 0.05 else "free"


def _names(chosen: Chosen) -> dict[int, str]:
    players = chosen.snapshot.players
    wanted = players[players["player_id"].isin([edit.player for edit in chosen.plan.edits])]
    return dict(zip(wanted["player_id"].tolist(), wanted["short"].tolist(), strict=True))


def together_words(prices: WishPrices | None, best: PlanOption) -> str:
    """Return what all that is asked costs, in one sentence; nothing where nothing is asked or known yet."""
    if prices is None or not prices.each:
        return ""
    cost = prices.together
    share = f" of {best.table.total:.0f}" if cost >= 0.05 else ""
    return f"What you asked for costs {cost:.1f}{share} points of the score over the plan."
