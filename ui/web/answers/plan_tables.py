"""A plan over rounds as tables and words: rounds × terms, what is kept, fixtures of its men, how firm it is. Pure."""

from __future__ import annotations

from functools import reduce

import pandas as pd

from engine.plan.answer.plan_board import PlanOption
from engine.plan.fitness.plan_fitness import BOOSTER, LINES_PLAIN
from models.outlook import Outlook
from ui.web.answers.player_marks import difficulties
from ui.web.drawing.charts.waterfall import TERM_NAMES
from ui.web.drawing.figures import written
from ui.web.drawing.rounds.ticker import TickerRow

SHOWN = 0.005  # points: a smaller term is written as 0.0
_SHORTER = (("Gameweek ", "GW"), ("Matchday ", "MD"), ("Round of ", "R"))
_SHORT = {"Quarter-finals": "QF", "Semi-finals": "SF", "Final and third place": "Final"}
"""How titles of rounds are cut for columns: a phone has five of them beside a name."""
SAFE = 0.7
"""Share of shaken forecasts from which on a first move is called safe: the other moves win less than one in three."""


KEPT_MEANS = {
    "transfers_kept": "what free transfers still left after these rounds bring later",
    "boosters_kept": "what boosters not played in these rounds bring later",
    "carry_beyond": "what the last squad is worth in the rounds after these",
}
"""What each line beside the rounds stands for."""


def firm_words(share: float) -> str:
    """Return how sure the first move is, when forecasts are shaken."""
    verdict = "safe" if share >= SAFE else "a close call"
    return f"The first move stays best in {share:.0%} of shaken forecasts: {verdict}."


def term_name(term: str) -> str:
    """Return what the page calls a term of a round."""
    return "Booster" if term == BOOSTER else TERM_NAMES.get(term, term)


def terms_table(best: PlanOption) -> pd.DataFrame:
    """Return rounds × terms with their sums along both edges; terms that are zero everywhere are left out."""
    table = best.table
    sums = table.by_term
    cells = {term: [row[at] for row in table.cells] for at, term in enumerate(table.terms)}
    shown = [term for term, column in cells.items() if any(abs(value) >= SHOWN for value in column)]
    rows = [
        {"Round": card.title} | {term_name(term): table.row(at)[term] for term in shown} | {"Score": table.by_round[at]}
        for at, card in enumerate(best.cards)
    ]
    total = {"Round": "All"} | {term_name(term): sums[term] for term in shown} | {"Score": sum(table.by_round)}
    return pd.DataFrame([*rows, total])


def kept_html(best: PlanOption) -> str:
    """Return what the rounds do not see: transfers and boosters kept, and the squad's worth beyond them."""
    lines = "".join(
        f"<div><dt>{LINES_PLAIN[name].capitalize()} <small>{KEPT_MEANS[name]}</small></dt>"
        f"<dd>{written(value, '{:+.1f}')}</dd></div>"
        for name, value in best.table.lines.items()
    )
    total = (
        "<div><dt>Score of the plan <small>the rounds and these lines together, by which plans are ranked</small></dt>"
        f"<dd>{best.table.total:.1f}</dd></div>"
    )
    return f'<dl class="xi-facts xi-kept" data-testid="kept">{lines}{total}</dl>'


def ticker_rows(outlook: Outlook, best: PlanOption) -> tuple[list[str], list[TickerRow]]:
    """Return the rounds and the men who are in any of their squads, those of the first round first."""
    hard = difficulties(outlook)
    place_of = {number: at for at, number in enumerate(outlook.rounds)}
    columns = [place_of[number] for number in best.plan.rounds if number in place_of]
    seen: dict[int, int] = {}
    for at, card in enumerate(best.cards):
        if not card.returns:
            for man in card.men:
                seen.setdefault(man.row, at)
    men = {man.row: man for card in best.cards for man in card.men}
    rows = [
        TickerRow(
            men[row].short,
            men[row].team,
            tuple((str(outlook.opponents[row, at]), int(hard[row, at])) for at in columns),
            f"from {start_words(best.cards[start].title)}" if start else "",
            start or None,
        )
        for row, start in seen.items()
        if row < len(outlook)
    ]
    return [short_title(card.title) for card in best.cards], rows


def start_words(title: str) -> str:
    """Return the round from which a man is there: a gameweek by its number, others by their short title."""
    return short_title(title).removeprefix("GW")


def short_title(title: str) -> str:
    """Return a round's title for the head of a column."""
    return _SHORT.get(title) or reduce(lambda told, word: told.replace(*word), _SHORTER, title)
