"""Decisions for the tests: a line-up and what was believed of it, complete and valid, with anything changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from data.ledger.decision import Decision, KeptLineup

DEADLINE = datetime(2026, 8, 22, 10, tzinfo=UTC)


def a_lineup(first: int = 1, **changed: Any) -> KeptLineup:
    """Return a line-up of fifteen ids in a row."""
    men = tuple(range(first, first + 15))
    usual: dict[str, Any] = {
        "eleven": men[:11],
        "bench": men[11:],
        "captain": men[10],
        "vice": men[9],
        "expected": 55.5,
    }
    return KeptLineup.model_validate(usual | changed)


def a_decision(round_number: int = 1, **changed: Any) -> Decision:
    """Return a decision made a day before its deadline."""
    usual: dict[str, Any] = {
        "world": "wc2026",
        "round": round_number,
        "made_at": DEADLINE - timedelta(days=1),
        "deadline": DEADLINE,
        "objective": "protect",
        "advised": a_lineup().model_dump(),
        "spread": 15.0,
        "terms": {"raw_xev": 50.0, "captaincy_uplift": 5.5},
        "forecasts": dict.fromkeys(range(1, 40), 4.0),
    }
    return Decision.model_validate(usual | changed)
