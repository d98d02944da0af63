"""What is known of a manager's account, in one line that a link brings back: money, free transfers and chips. Pure."""

from __future__ import annotations

from data.rules import GameRules
from ui.web.choice.plan import Plan
from ui.web.squads.team_json import BroughtSquad


def account_words(plan: Plan, squad: BroughtSquad, rules: GameRules) -> str:
    """Return the account of an imported squad; nothing where none was imported by its number."""
    if plan.entry is None:
        return ""
    told = [f"Entry {plan.entry}", *_money(squad, rules.squad.size)]
    if squad.free_transfers is not None:
        told.append(f"{squad.free_transfers} free transfer{'s' * (squad.free_transfers != 1)}")
    if plan.chips is not None:
        told.append(f"chips left: {chips_words(plan.chips, rules)}")
    return "; ".join(told) + "."


def chips_words(chips: tuple[str, ...], rules: GameRules) -> str:
    """Return boosters by their titles; what the rulebook does not know is passed over."""
    return ", ".join(rules.boosters[name].title for name in chips if name in rules.boosters) or "none"


def _money(squad: BroughtSquad, size: int) -> list[str]:
    """Return bank and selling prices, where those are known of a whole squad; the bank is what the budget has more."""
    prices = [squad.selling[number] for number in squad.player_ids if number in squad.selling]
    if squad.budget is None or len(prices) < size:
        return []
    return [f"bank {squad.budget - sum(prices):.1f}", f"players sell for {sum(prices):.1f}"]
