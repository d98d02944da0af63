"""What a manager takes away from weeks and plans: a flat line-up table, both of two plans in one, a text with its link.

round_csv(men, rules)      one row per player of a round with exposure, start chance and the armband's rule. Pure.
both_csv({"Protect": …})   two plans in one table, one row per plan, round and player. Pure.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from datetime import datetime
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from data.sources.own.delimited import safe_cell
from engine.board.board import Man
from engine.board.export import LINEUP_COLUMNS, lineup_row
from engine.plan.answer.plan_board import PlanOption, move_words
from models.armband.ladder import Ladder
from models.armband.words import Labelling, ladder_sentences
from ui.web.choice.plan import Plan, link_of
from ui.web.drawing.clock import local_time, visitor_zone
from ui.web.plans.week import Week

MORE_COLUMNS = ("start_percent", "eo_percent", "armband_rule")


def round_csv(men: Sequence[Man], rules: Sequence[str] = ()) -> str:
    """Return one row per player; the armband's rule stands beside its wearer, the rest of it below."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*LINEUP_COLUMNS, *MORE_COLUMNS])
    writer.writerows(_row(order, man, rules) for order, man in enumerate(men, start=1))
    return text.getvalue()


def _row(order: int, man: Man, rules: Sequence[str]) -> list[object]:
    rule = " ".join(rules) if man.armband == "C" else ""
    return [*lineup_row(order, man), f"{100 * man.start:.0f}", f"{100 * man.eo:.1f}", safe_cell(rule)]


def both_csv(plans: Mapping[str, PlanOption]) -> str:
    """Return plans by name as one table: a row per plan, round and player, with what is done before the round."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = ("plan", "round", "moves", "booster", "round_expected", "free", "bank", *LINEUP_COLUMNS, *MORE_COLUMNS[:2])
    writer.writerow(heads)
    for name, option in plans.items():
        for card in option.cards:
            free = "" if card.free is None else card.free
            about = [safe_cell(name), card.round, safe_cell(move_words(card)), card.chip or ""]
            figures = [f"{card.expected:.2f}", free, f"{card.bank:.1f}"]
            for order, man in enumerate(card.men, start=1):
                writer.writerow([*about, *figures, *_row(order, man, ())[:-1]])
    return text.getvalue()


def armband_rules(men: Sequence[Man], ladder: Ladder) -> tuple[str, ...]:
    """Return what to do with the armband of an eleven, in sentences, times in the visitor's zone."""
    zone = visitor_zone()
    times = {man.row: datetime.fromisoformat(man.kickoff) for man in men if man.kickoff}
    kickoffs = {man.row: local_time(times[man.row], zone) if man.row in times else "no match" for man in men}
    return ladder_sentences(ladder, Labelling({man.row: man.short for man in men}, kickoffs))


def plans_text(plans: Mapping[str, PlanOption], link: str) -> str:
    """Return plans as plain lines for a chat: each round's moves, captain and points, then the link."""
    lines = []
    for name, option in plans.items():
        lines.append(f"{name}: {option.table.points:.1f} points in {len(option.cards)} rounds")
        lines += [
            f"  {card.title}: {move_words(card)} Captain {card.captain.short}. {card.expected:.1f}"
            for card in option.cards
        ]
    return "\n".join([*lines, link])


def week_text(title: str, week: Week, link: str) -> str:
    """Return a week as plain lines, for a chat; My team reads the names again."""
    starters = [man for man in week.men if man.role == "starter"]
    lines = [
        title,
        *(
            f"{position}: {', '.join(_told(man) for man in starters if man.position == position)}"
            for position in dict.fromkeys(man.position for man in starters)
        ),
    ]
    lines.append(f"Bench: {', '.join(_told(man) for man in week.men if man.role != 'starter')}")
    if week.moves:
        lines.append(f"Transfers: {', '.join(f'{move.out} → {move.into}' for move in week.moves)}")
    if week.booster:
        lines.append(f"Booster: {week.booster}")
    low, high = week.swing
    over = "" if week.points is None else f"; {week.points:.1f} over {week.rounds} rounds"
    lines.append(f"Expected {week.expected:.1f}, {low:.0f} to {high:.0f} eight times in ten{over}")
    return "\n".join([*lines, link])


def _told(man: Man) -> str:
    """Return a man so that the text can be read again: his whole name and his team, captain and vice marked."""
    name = man.name if f"({man.team})" in man.name else f"{man.name} ({man.team})"
    return f"{name} ({man.armband})" if man.armband else name


def shared_link(plan: Plan) -> str:
    """Return the address that shows this page again, to whomever it is sent."""
    scheme, host, path, _, _ = urlsplit(st.context.url or "")
    return urlunsplit((scheme, host, path, urlencode(link_of(plan), safe=",@:"), ""))
