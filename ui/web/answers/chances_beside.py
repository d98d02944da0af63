"""The chances to hold and to catch up: simulated beside the page, drawn when they are there.

draw_chances_beside(chosen, ["Protect", "Gain"], (squad rows, squad rows))
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from data.rules import STARTERS
from engine.rank.field import OBSERVED, Field, lined_up_rivals, observed_field
from engine.rank.field_draw import Tastes
from engine.rank.standing import SIMULATIONS, Chances, chances
from models.signals import Signals
from ui.web.answers.chances_view import MANAGERS, USUAL_DEFICIT, USUAL_LEAD, Squad, chance_rows
from ui.web.choice.frame import Chosen, judge_of, rows_of, signals_of
from ui.web.choice.plan import Plan
from ui.web.choice.session import rivals_of
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.plain_table import draw_table
from ui.web.squads.rival_squads import Rival
from ui.web.work.background import CHANCES, background
from ui.web.work.field_job import draw_when_told, field_task
from ui.web.work.scheduler import Job

Found = tuple[Chances, ...]


def draw_chances_beside(chosen: Chosen, names: Sequence[str], squads: tuple[Squad, ...]) -> None:
    """Draw the chances of squads, one row each; while they are simulated, look again by itself."""
    draw_when_told(
        lambda: asked(chosen, squads),
        f"Playing the round {SIMULATIONS:,} times against the field …",
        lambda found: _draw_found(names, found),
    )


def stated(plan: Plan) -> tuple[float, float]:
    """Return the lead to hold and the deficit to erase: the size of the manager's own where he told it."""
    return (abs(plan.lead), abs(plan.lead)) if plan.lead else (USUAL_LEAD, USUAL_DEFICIT)


def asked(chosen: Chosen, squads: tuple[Squad, ...]) -> Job[Found | None]:
    """Return the simulation of the chances of squads; it starts now where it has not."""
    plan, judge, signals = chosen.plan, judge_of(chosen), signals_of(chosen)
    rivals, (lead, deficit) = rivals_of(plan), stated(plan)

    def simulate(field: Field) -> Found:
        rng = np.random.default_rng(plan.seed).spawn(4)[3]
        return chances(judge, np.array(squads), field, rng, lead=lead, deficit=deficit, rounds_left=plan.left)

    key, world = repr((chosen.scene_key, lead, deficit, plan.left, squads)), repr((chosen.key, plan.rivals))
    return background().job(field_task(CHANCES, key, world, lambda: opponents(signals, rivals, plan.seed), simulate))


def opponents(signals: Signals, rivals: Sequence[Rival], seed: int) -> Field:
    """Return whom one plays against: the named rivals whose whole squads are known, else managers as observed.

    A rival plays the eleven, the bench and the captain that he was brought with.
    """
    squads = [rows_of((*rival.starters, *rival.bench), signals) for rival in rivals]
    known = [len(squad) == signals.rules.squad.size for squad in squads]
    if not any(known):
        return observed_field(signals, MANAGERS, Tastes(seed))
    rows = np.array([squad for squad, whole in zip(squads, known, strict=True) if whole])
    captains = [rows_of((rival.captain,), signals)[0] for rival, whole in zip(rivals, known, strict=True) if whole]
    name = f"{len(rows)} named rival{'s' * (len(rows) != 1)}"
    if not all(known):
        without = ", ".join(rival.name for rival, whole in zip(rivals, known, strict=True) if not whole)
        name += f" ({without} left out: not all fifteen are known or can be picked this round)"
    return lined_up_rivals(signals, rows[:, :STARTERS], rows[:, STARTERS:], np.array(captains), name=name)


def whom(against: str) -> str:
    """Return what to call a field by its name."""
    return f"{MANAGERS:,} managers who own what all own" if against == OBSERVED else as_markdown(against)


def _draw_found(names: Sequence[str], found: Found) -> None:
    table = chance_rows(names, found)
    draw_table(table, "Chances to hold and to catch up, with 95 % intervals", {})
    st.caption(
        f"Against {whom(found[0].against)}, in {SIMULATIONS:,} simulated rounds; later ones by a normal "
        "approximation. In brackets 95 % intervals."
    )
