"""Where a visitor lays out his squad: pasted, uploaded, imported by its number, or picked by hand.

    draft = draw_desk(chosen, signals)     draws everything and returns the squad as far as it is laid out

Whatever way the players come, they stand in four lists, one per position, where the visitor completes and corrects
them. The draft lives in his session and in the link; it becomes the squad to start from only when he says so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from data.domain import POSITIONS
from data.errors import ThetaXIError
from data.sources.own.squads import SQUAD_LIMITS
from engine.board.board import Option, Origin, make_board
from engine.fitness.wishes import rows_of
from engine.rules.legality import broken_rules
from engine.rules.money import SLACK
from engine.rules.pool import wished
from models.signals import Signals
from ui.web.choice.frame import Chosen, judge_of, objective_of, signals_of
from ui.web.choice.plan import MOST_DRAFTED, Plan
from ui.web.choice.player_picker import draw_picker
from ui.web.choice.session import change, controlled
from ui.web.drawing.escaping import as_markdown
from ui.web.squads.account_words import account_words
from ui.web.squads.fetch_form import draw_fetch, draw_said, fetched_squad, has_entries
from ui.web.squads.team_json import BroughtSquad
from ui.web.squads.uploads import LONGEST_PASTE, by_position, read_squad, shape_gaps

DRAFT = "_draft"
LINES = {"GK": "Goalkeepers", "DEF": "Defenders", "MID": "Midfielders", "FWD": "Forwards"}
UPLOAD_MEGABYTES = 1
PASTE_HINT = "One player per line, by name or number; a team code after a comma helps:\nHarry Kane, ENG\n…"


@dataclass(frozen=True, slots=True)
class Draft(BroughtSquad):
    """A squad under the visitor's hands."""

    world: str = ""
    round: int | None = None  # for which it was laid out: free transfers are those before it
    problem: str = ""
    own_budget: bool = False  # whether the visitor typed it; else it is never below what the squad sells for
    gaps: tuple[str, ...] = ()  # what it lacks; none when it is whole

    @property
    def whole(self) -> bool:
        """Whether it has the shape of a squad."""
        return bool(self.player_ids) and not self.gaps

    @property
    def owned(self) -> bool:
        """Whether all of its men are told to be the visitor's own: somebody else has no selling price."""
        return bool(self.selling) and all(number in self.selling for number in self.player_ids)

    def prices(self, signals: Signals) -> tuple[float, ...]:
        """Return what its men sell for, in their order; today's price for who was not told of."""
        now = {int(number): float(price) for number, price in zip(signals.player_id, signals.price, strict=True)}
        return tuple(self.selling.get(number, now[number]) for number in self.player_ids)


def draw_desk(chosen: Chosen, signals: Signals) -> Draft:
    """Draw the ways to bring a squad and the four lists; return the draft."""
    draft = current_draft(chosen)
    with st.expander("Bring your squad", expanded=not draft.whole or bool(draft.problem), icon=":material/upload:"):
        _draw_ways(chosen)
    draw_said(draft.problem, draft.remarks)
    if words := account_words(chosen.plan, draft, chosen.rules):
        st.markdown(f":material/account_balance_wallet: {as_markdown(words)}")
    _draw_lists(chosen, signals, draft)
    return draft


def current_draft(chosen: Chosen) -> Draft:
    """Return the draft of this competition: the one laid out, else the squad the plan starts from."""
    plan = chosen.plan
    kept: Draft | None = st.session_state.get(DRAFT)
    if kept is None or (kept.world, kept.player_ids) != (plan.world, plan.draft):
        kept = _linked_draft(chosen)
    if kept.round != plan.round:
        kept = replace(kept, free_transfers=None, budget=kept.budget if kept.own_budget or kept.selling else None)
    placed = by_position(kept.player_ids, chosen.snapshot)
    gaps = shape_gaps({position: len(ids) for position, ids in placed.items()}, chosen.rules.squad.shape)
    here = tuple(number for ids in placed.values() for number in ids)
    return replace(kept, player_ids=here, gaps=gaps)


def _linked_draft(chosen: Chosen) -> Draft:
    """Return the draft of the link: the squad that was under somebody's hands, else the one the plan starts from."""
    plan = chosen.plan
    if not plan.draft:
        return Draft(plan.current, (), plan.budget, plan.free, plan.asked.selling, world=plan.world, round=plan.round)
    known = len(plan.draft_selling) == len(plan.draft)
    selling = dict(zip(plan.draft, plan.draft_selling, strict=True)) if known else {}
    typed = plan.draft_budget is not None and chosen.rules.transfers.prices_fixed
    money = (plan.draft_budget, plan.draft_free, selling)
    return Draft(plan.draft, (), *money, world=plan.world, round=plan.round, own_budget=typed)


def squad_of(chosen: Chosen, player_ids: Sequence[int], *, owned: bool = False) -> tuple[np.ndarray, tuple[str, ...]]:
    """Return players as rows by position, and the rules that they break as a squad.

    A squad that is `owned`, as its selling prices show, keeps men whom a real transfer brought to one club.
    """
    signals, pool = signals_of(chosen), judge_of(chosen).view.pool
    rows = np.array(rows_of(tuple(player_ids), signals), dtype=np.int64)
    rows = rows[np.lexsort((rows, signals.position[rows]))]
    pool = wished(pool, current=tuple(rows.tolist()), most_changes=0) if owned else pool
    return rows, broken_rules(rows, pool, signals.teams.strengths.codes)


def option_of(chosen: Chosen, squad: np.ndarray, theta: str | None = None, *origins: Origin) -> Option:
    """Return a squad of player rows as an option under an objective, the plan's own unless another is named."""
    return make_board(judge_of(chosen), objective_of(chosen, theta), squad[None, :], origins=origins).recommended


def keep_draft(plan: Plan, player_ids: Sequence[int], **more: Any) -> None:
    """Remember a squad as the visitor's draft, in his session and in the link."""
    ids = tuple(int(number) for number in player_ids)
    _keep(Draft(ids, world=plan.world, round=plan.round, **more))


def keep_budget(chosen: Chosen, budget: float) -> None:
    """Remember the budget the visitor typed, whoever comes into his squad; for a callback."""
    _keep(replace(current_draft(chosen), budget=budget, own_budget=True))


def lay_out(chosen: Chosen, bring: Callable[[], BroughtSquad]) -> None:
    """Lay out what a reader or a fetch brings; an error stays beside the squad that was there."""
    try:
        brought = bring()
    except ThetaXIError as error:
        _keep(replace(current_draft(chosen), problem=str(error), remarks=()))
        return
    if brought.entry is not None:
        brought = replace(brought, remarks=(*brought.remarks, *_become(chosen.plan, brought)))
    keep_draft(chosen.plan, **asdict(brought))


def _become(plan: Plan, brought: BroughtSquad) -> tuple[str, ...]:
    """Remember whose squad was fetched; a league that was read for somebody else is let go, and that is said."""
    stays = brought.entry == plan.entry or plan.league is None
    change(entry=brought.entry, chips=brought.chips, **({} if stays else {"rivals": "", "lead": None, "left": None}))
    return () if stays else (f"League {plan.league} was not read for this entry. Ask for it again under Rivals.",)


def _keep(draft: Draft) -> None:
    told = [draft.selling[number] for number in draft.player_ids if number in draft.selling]
    change(
        draft=draft.player_ids[:MOST_DRAFTED],
        draft_selling=tuple(told) if len(told) == len(draft.player_ids) else (),
        draft_budget=draft.budget,
        draft_free=draft.free_transfers,
    )
    st.session_state[DRAFT] = replace(draft, player_ids=draft.player_ids[:MOST_DRAFTED])


def _draw_ways(chosen: Chosen) -> None:
    entries = has_entries(chosen.world.rulebook)
    names = ["Paste", "Upload", *(["Import by entry"] if entries else [])]
    paste, upload, *others = st.tabs(names)
    with paste:
        _draw_paste(chosen)
    with upload:
        _draw_upload(chosen)
    for place in others:
        with place:
            _draw_entry(chosen)


def _draw_paste(chosen: Chosen) -> None:
    st.text_area(
        "Names, numbers, or the game's own team as JSON",
        key="my_paste",
        placeholder=PASTE_HINT,
        height=150,
        max_chars=LONGEST_PASTE,
    )
    st.button("Read the pasted squad", key="read_paste", on_click=_read_paste, args=(chosen,))


def _read_paste(chosen: Chosen) -> None:
    text, size = st.session_state.my_paste, chosen.rules.squad.size
    lay_out(chosen, lambda: read_squad(text, chosen.snapshot, size=size))


def _draw_upload(chosen: Chosen) -> None:
    st.file_uploader(
        "A line-up exported here, a CSV with names or ids, or the team's JSON",
        type=["csv", "txt", "tsv", "json"],
        key="my_upload",
        max_upload_size=UPLOAD_MEGABYTES,
        help=f"At most {SQUAD_LIMITS.rows:,} rows. Nothing is kept on the server.",
        on_change=_read_upload,
        args=(chosen,),
    )


def _read_upload(chosen: Chosen) -> None:
    file, size = st.session_state.my_upload, chosen.rules.squad.size
    if file is not None:
        lay_out(chosen, lambda: read_squad(file.getvalue(), chosen.snapshot, size=size))


def _draw_entry(chosen: Chosen) -> None:
    draw_fetch(
        "Entry number, from the address of your Points page",
        "my_entry",
        chosen.plan.entry,
        "the squad of the last deadline",
        "Import this squad",
        "Asking the game for this squad …",
        lambda url, entry: lay_out(chosen, lambda: fetched_squad(chosen, url, entry)),
    )


def _draw_lists(chosen: Chosen, signals: Signals, draft: Draft) -> None:
    st.subheader("Your players")
    placed = by_position(draft.player_ids, chosen.snapshot)
    shape = chosen.rules.squad.shape
    labels = squad_labels(signals)
    places = [*st.columns(2), *st.columns(2)]  # two rows of two, so that a phone shows them in order
    for column, (code, position) in zip(places, enumerate(POSITIONS), strict=True):
        draw_picker(
            f"{LINES[position]}, {shape[position]}",  # type: ignore[index]
            {int(number): labels[int(number)] for number in signals.player_id[signals.position == code]},
            column,
            key=controlled(f"my_{position}", placed[position]),
            on_change=_changed,
            args=(chosen,),
        )
    spent = sum(draft.prices(signals))
    told = "; ".join(filter(None, (*draft.gaps, _over(chosen, draft, spent)))) or "complete"
    st.caption(f"{len(draft.player_ids)} of {chosen.rules.squad.size} players, {spent:.1f} spent: {told}.")


def _over(chosen: Chosen, draft: Draft, spent: float) -> str:
    """Return by how much a squad breaks the budget of its round, where nobody can have more; else nothing."""
    budget = draft.budget if draft.own_budget and draft.budget else chosen.rules.stage(chosen.snapshot.round).budget
    if not chosen.rules.transfers.prices_fixed or spent <= budget + SLACK:
        return ""
    return f"{spent - budget:.1f} over the budget of {budget:.1f}"


def squad_labels(signals: Signals) -> dict[int, str]:
    """Return how players are called in a list: name, team and price."""
    rows = zip(signals.player_id, signals.name, signals.codes, signals.price, strict=True)
    return {int(number): f"{name} ({code}, {price:.1f})" for number, name, code, price in rows}


def _changed(chosen: Chosen) -> None:
    draft = current_draft(chosen)
    ids = [number for position in POSITIONS for number in st.session_state[f"my_{position}"]]
    money = {"budget": draft.budget, "own_budget": draft.own_budget, "selling": draft.selling}
    keep_draft(chosen.plan, ids, free_transfers=draft.free_transfers, **money)
