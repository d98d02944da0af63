"""Two plans over rounds as tables: week by week, under both objectives, exposure against the field's. Pure."""

from __future__ import annotations

import numpy as np
import pandas as pd

from engine.plan.answer.comparison import PlanComparison, Week
from engine.plan.answer.plan_board import PlanOption
from engine.plan.fitness.plan_fitness import LINES_PLAIN
from engine.plan.fitness.rounds import PlanRounds
from models.crowd.ownership import Exposure
from ui.web.answers.plan_tables import term_name
from ui.web.drawing.charts.cumulative import cumulative_table

SHOWN = 0.005  # points: a smaller term is written as 0.0
NAMED = 3
MOST_GAINED, MOST_MISSED = 6, 4
"""Players of whom the exposure is shown: who counts most for the plan beyond the field, and for the field beyond it."""

YOU, FIELD = "You", "The field"


def weeks_table(found: PlanComparison, labels: tuple[str, str]) -> pd.DataFrame:
    """Return one row a round: what each plan does, whom it alone has, its points, and the gap so far."""
    first, second = labels
    gap, rows = 0.0, []
    for week in found.weeks:
        gap += week.expected[0] - week.expected[1]
        rows.append(
            {
                "Round": week.title,
                first: _does(week, 0),
                second: _does(week, 1) if week.parted else "the same",
                f"{first}: points": week.expected[0],
                f"{second}: points": week.expected[1],
                "Gap so far": gap,
            }
        )
    return pd.DataFrame(rows)


def _does(week: Week, side: int) -> str:
    moves, only = ((week.first_moves, week.only_first), (week.second_moves, week.only_second))[side]
    alone = f" Only here: {', '.join(only[:NAMED])}{f' and {len(only) - NAMED} more' * (len(only) > NAMED)}."
    return f"{moves[0].upper()}{moves[1:]} Captain {week.captains[side]}.{alone if only else ''}"


def crossed_plans(found: PlanComparison, labels: tuple[str, str]) -> pd.DataFrame:
    """Return the terms of both plans under both objectives; the sums last, terms that are zero everywhere left out."""
    columns = {
        f"{label} under {name}": {term_name(term): value for term, value in table.by_term.items()}
        | {LINES_PLAIN[line].capitalize(): value for line, value in table.lines.items()}
        | {"Score": table.total}
        for label, (_, under) in zip(labels, found.crossed.items(), strict=True)
        for name, table in under.items()
    }
    frame = pd.DataFrame(columns)
    frame = frame[(frame.abs() >= SHOWN).any(axis="columns")]
    return frame.rename_axis("Term").reset_index()


def field_points(rounds: PlanRounds) -> list[float]:
    """Return what an average manager is expected to score in each round."""
    return [float(_exposure(rounds, at).eo @ signals.xev) for at, signals in enumerate(rounds.signals)]


def _exposure(rounds: PlanRounds, at: int) -> Exposure:
    named = rounds.exposures[at] if rounds.exposures else None
    return named or rounds.signals[at].exposure


def ahead_table(rounds: PlanRounds, plans: dict[str, PlanOption]) -> pd.DataFrame:
    """Return what plans are ahead of an average manager after each round, with the range of it."""
    titles = [card.title.replace("Gameweek ", "GW") for card in next(iter(plans.values())).cards]
    told = {name: (option.table.expected, option.table.variance) for name, option in plans.items()}
    return cumulative_table(titles, told, field_points(rounds))


def exposure_table(rounds: PlanRounds, option: PlanOption) -> pd.DataFrame:
    """Return how often the coming round's points of a player count for the plan and for the field, in percent."""
    signals, field = rounds.signals[0], _exposure(rounds, 0).eo
    mine = np.zeros(len(signals))
    for man in option.cards[0].eleven:
        mine[man.row] = signals.rules.captaincy.multiplier if man.armband == "C" else 1.0
    gap = (mine - field) * np.maximum(signals.xev, 0.0)
    order = np.argsort(-gap, kind="stable")
    rows = [*order[:MOST_GAINED], *order[-MOST_MISSED:]]
    return pd.DataFrame(
        [
            {"term": str(signals.short[row]), "plan": who, "points": 100 * share[row]}
            for row in rows
            for who, share in ((YOU, mine), (FIELD, field))
        ]
    )
