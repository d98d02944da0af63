"""My team in the visitor's own browser: saved whenever a page plans for it, offered again on his next visit.

The link is the same text as in the address bar, so it is read and checked like one.
"""

from __future__ import annotations

import json
from typing import Any

from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan, link_of, read_link
from ui.web.drawing.browser_store import browser_store

STORE = "thetaxi_team"
LASTING = ("current", "entry")
OF_ITS_ROUND = ("selling", "budget", "free", "chips")
"""What is true of a team until its next deadline only: prices, money and free transfers change with it."""

LONGEST = 4_000  # characters that are read of what a browser kept


def known_team(chosen: Chosen) -> dict[str, Any]:
    """Return the fields of the team that this browser kept for the competition; nothing where one is planned for."""
    plan = chosen.plan
    held = browser_store(f"{STORE}_{plan.world}", written_team(plan) if plan.current else None)
    return {} if plan.current or not held else read_team(held, plan)


def written_team(plan: Plan) -> str:
    """Return a plan's team as a browser keeps it."""
    kept = {name: getattr(plan, name) for name in (*LASTING, *OF_ITS_ROUND)}
    return json.dumps(link_of(Plan(world=plan.world, round=plan.round, **kept)))


def read_team(held: str, plan: Plan) -> dict[str, Any]:
    """Return the fields of a kept team that hold in the round of a plan; nothing where it is no team."""
    try:
        given = json.loads(held) if len(held) <= LONGEST else {}
    except (ValueError, RecursionError):
        return {}
    if not isinstance(given, dict):
        return {}
    team = read_link({str(name): value for name, value in given.items() if isinstance(value, str)})[0]
    if team.world != plan.world or not team.current:
        return {}
    names = (*LASTING, *OF_ITS_ROUND) if team.round == plan.round else LASTING
    return {name: getattr(team, name) for name in names}
