"""The chances to hold and to catch up: simulated beside the page, drawn when they are there.

draw_chances_beside(chosen, ["Protect", "Gain"], (option, option))
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from engine.board.board import Option
from engine.rank.chances import SIMULATIONS, Prospects, StandingChances
from engine.rank.field import BEST_MANAGERS, OBSERVED, Field
from engine.rank.intervals import Estimate
from engine.rank.rivals import MANAGERS
from ui.web.choice.frame import Chosen, desk_of
from ui.web.choice.opponents import known_lead
from ui.web.choice.plan import Plan
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import ShownColumn, draw_table
from ui.web.work.background import CHANCES, background
from ui.web.work.field_job import draw_when_told, field_task
from ui.web.work.scheduler import Job

USUAL_LEAD, USUAL_DEFICIT = 15.0, 25.0
"""Points asked about where the visitor told no standing: a good round's gain, and two of them to make up."""

BEATEN = "Managers beaten"

Found = tuple[StandingChances, ...]


def draw_chances_beside(chosen: Chosen, names: Sequence[str], options: Sequence[Option]) -> None:
    """Draw the chances of options, one row each; while they are simulated, look again by itself."""
    draw_when_told(
        lambda: asked(chosen, options),
        f"Playing the round {SIMULATIONS:,} times against the field …",
        lambda found: _draw_found(names, found),
    )


def stated(plan: Plan) -> tuple[float, float]:
    """Return the lead to hold and the deficit to erase: the size of the manager's own where it is known."""
    lead = known_lead(plan)
    return (abs(lead), abs(lead)) if lead else (USUAL_LEAD, USUAL_DEFICIT)


def asked(chosen: Chosen, options: Sequence[Option]) -> Job[Found | None]:
    """Return the simulation of the chances of options; it starts now where it has not."""
    plan, desk, (lead, deficit) = chosen.plan, desk_of(chosen), stated(chosen.plan)

    def simulate(field: Field) -> Found:
        return desk.standing(options, lead=lead, deficit=deficit, rounds_left=plan.left, against=field)

    sent_out = [(option.rows, option.captain.row) for option in options]
    key = repr((chosen.scene_key, lead, deficit, plan.left, sent_out))
    return background().job(field_task(CHANCES, key, chosen.field_key, desk.opponents, simulate))


def whom(against: str) -> str:
    """Return what to call a field by its name."""
    typical = {OBSERVED: "typical managers", BEST_MANAGERS: "typical managers of the best 10,000"}
    return f"{MANAGERS:,} {typical[against]}" if against in typical else as_markdown(against)


def chance_rows(names: Sequence[str], found: Sequence[StandingChances]) -> pd.DataFrame:
    """Return the chances as a table: a row for each squad and each time that is asked about."""
    return pd.DataFrame(
        [
            {
                "Squad": name,
                "When": when,
                f"Holds {one.lead:g} ahead": str(chances.hold),
                f"Makes up {one.deficit:g}": str(chances.erase),
                BEATEN: str(chances.percentile),
                "Top 1 %": _or_dash(chances.top),
            }
            for name, one in zip(names, found, strict=True)
            for when, chances in _times(one)
        ]
    )


def _times(one: StandingChances) -> list[tuple[str, Prospects]]:
    """Return what is told of this round and, where others follow, of the end."""
    end = [(f"At the end ({one.rounds_left} rounds)", one.finish)] if one.rounds_left > 1 else []
    return [("This round", one.round), *end]


def _or_dash(found: Estimate | None) -> str:
    return str(found) if found else "–"


def _draw_found(names: Sequence[str], found: Found) -> None:
    table = chance_rows(names, found)
    told = {BEATEN: ShownColumn(help="How many of those one plays against end below, on average")}
    draw_table(table, "Chances to hold and to catch up, with 95 % intervals", told)
    st.caption(
        f"Against {whom(found[0].against)}, in {SIMULATIONS:,} simulated rounds. In brackets 95 % intervals.",
        help="Typical managers are drawn so that as many of them own each player as of those they stand for. Rounds "
        "after this one enter by a normal approximation.",
    )
