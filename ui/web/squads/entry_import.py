"""A manager's squad and a league's rivals by number, from Fantasy Premier League's public pages. Nothing is written.

    fetch_squad(base_url, entry, snapshot, rules)             -> BroughtSquad
    fetch_rivals(base_url, league, signals, leave_out=None)   -> BroughtRivals

Called only when a visitor presses the button.
"""

from __future__ import annotations

from data.errors import InputError, ThetaXIError
from data.rules import GameRules
from data.sources.fetching import budget_of
from data.sources.fpl.account import Prices
from data.sources.fpl.entries import Entry, fetch_entry, fetch_league, fetch_owned_squad
from data.web.client import open_client
from data.worlds.snapshot import Snapshot
from engine.rank.rivals import Rival
from models.signals import Signals
from ui.web.squads.rival_squads import MOST_RIVALS, BroughtRivals, ordered_rival
from ui.web.squads.team_json import BroughtSquad

GAME = "fpl"
"""How the rulebooks of the game begin whose squads can be fetched by number."""


def has_entries(rulebook: str) -> bool:
    """Return whether squads of a game can be fetched by number."""
    return rulebook.startswith(GAME)


def fetch_squad(base_url: str, entry: int, snapshot: Snapshot, rules: GameRules) -> BroughtSquad:
    """Return the squad a manager brings into the round, with his money at today's prices and his free transfers."""
    with open_client(base_url) as client:
        picks = fetch_owned_squad(client, entry, snapshot.round, rules, Prices.of(snapshot))
    players = snapshot.players.set_index("player_id")
    here = tuple(number for number in picks.players if number in players.index)
    remarks = [
        f"Player {number} of this entry is no longer on offer. Choose another in his place."
        for number in picks.players
        if number not in here
    ]
    remarks += [_money_words(picks), *picks.notes]
    remarks += [f"Chips left: {', '.join(rules.boosters[name].title for name in picks.chips)}."] if picks.chips else []
    selling = dict(zip(picks.players, picks.selling, strict=True)) if picks.selling else {}
    return BroughtSquad(here, tuple(remarks), budget_of(picks, players), picks.free_transfers, selling)


def fetch_rivals(base_url: str, league: int, signals: Signals, *, leave_out: int | None = None) -> BroughtRivals:
    """Return the best managers of a league but oneself, as they stood at the last deadline.

    Who cannot be read is told, the others stay.
    """
    gameweek = signals.round - 1
    if gameweek < 1:
        raise InputError("Squads are public only after the first deadline. Paste your rivals' squads instead.")
    rivals: list[Rival] = []
    remarks: list[str] = []
    with open_client(base_url) as client:
        table = fetch_league(client, league, most=MOST_RIVALS + 1)
        for row in [row for row in table.rivals if row.entry != leave_out][:MOST_RIVALS]:
            try:
                picks = fetch_entry(client, row.entry, gameweek)
                rival, said = ordered_rival(row.team or f"Entry {row.entry}", picks.players, picks.captain, signals)
            except ThetaXIError as error:
                remarks.append(f"{row.team or row.entry} is left out: {error}")
                continue
            rivals.append(rival)
            remarks += said
    if not rivals:
        raise InputError(f"No squad of league {league} could be read. {' '.join(remarks)}".strip())
    return BroughtRivals(tuple(rivals), tuple(remarks))


def _money_words(picks: Entry) -> str:
    known = f"Squad of gameweek {picks.round}, {picks.bank:.1f} in the bank."
    if picks.selling:
        return f"{known} Your players count at what they sell for."
    return f"{known} Your players count at today's prices: correct the budget if you would sell for less."
