"""A manager's squad and a league's rivals by number, from Fantasy Premier League's public pages. Nothing is written.

    fetch_squad(base_url, entry, snapshot, rules)         -> BroughtSquad
    fetch_rivals(base_url, league, signals, entry=None)   -> BroughtRivals

Called only when a visitor presses the button.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from data.errors import InputError, ThetaXIError
from data.rules import GameRules
from data.sources.fetching import budget_of
from data.sources.fpl.managers.account import Prices, crowded_clubs
from data.sources.fpl.managers.entries import Entry, fetch_owned_squad
from data.sources.fpl.managers.league_squads import RivalSquad, fetch_squads, with_captains
from data.sources.fpl.managers.leagues import fetch_league
from data.web.client import WebSettings, open_client
from data.worlds.snapshot import Snapshot
from engine.rank.rivals import Rival
from models.signals import Signals
from ui.web.squads.rival_squads import BroughtRivals, eleven_without, ordered_rival
from ui.web.squads.team_json import BroughtSquad

LONGEST_TEAM = 30
"""Characters of a team's name; the game allows twenty."""

LONGEST = 120.0
"""Seconds for a whole league: a hundred requests take about twenty, and somebody waits before the page."""


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
    remarks += [_money_words(picks), *picks.notes, *crowded_clubs(here, snapshot, rules)]
    selling = dict(zip(picks.players, picks.selling, strict=True)) if picks.selling else {}
    account = (budget_of(picks, players), picks.free_transfers, selling)
    return BroughtSquad(here, tuple(remarks), *account, entry=entry, chips=picks.chips)


def fetch_rivals(
    base_url: str, league: int, signals: Signals, *, entry: int | None = None, rounds: pd.DataFrame | None = None
) -> BroughtRivals:
    """Return the managers of a league nearest to an entry, with his points ahead of each; without one the best.

    They are as they stood at the last deadline. Who cannot be read is told, the others stay. `rounds` of the world tell
    whom most managers captained, beside whom the captains of the nearest are held.
    """
    with open_client(base_url, settings=WebSettings(whole=LONGEST)) as client:
        table = fetch_league(client, league, near=entry)
        squads, missing = fetch_squads(client, table, signals.round, signals.rules)
        squads, unknown = with_captains(client, squads, signals.round)
    rivals: list[Rival] = []
    remarks, crowd = [*table.notes, *missing, *unknown], crowd_captains(rounds)
    for squad in squads:
        try:
            rival, said = _rival(squad, signals, crowd)
        except ThetaXIError as error:
            remarks.append(f"{squad.name} is left out: {error}")
            continue
        rivals.append(rival)
        remarks += said
    if not rivals:
        raise InputError(f"No squad of league {league} could be read. {' '.join(remarks)}".strip())
    return BroughtRivals(tuple(rivals), tuple(remarks))


def crowd_captains(rounds: pd.DataFrame | None) -> dict[int, int]:
    """Return whom most managers captained, by round, where it is told."""
    if rounds is None:
        return {}
    told = rounds.dropna(subset="most_captained")
    return {int(number): int(player) for number, player in zip(told["round"], told["most_captained"], strict=True)}


def _rival(squad: RivalSquad, signals: Signals, crowd: Mapping[int, int]) -> tuple[Rival, tuple[str, ...]]:
    listed = frozenset(signals.player_id.tolist())
    gone = [number for number in squad.picks.players if number not in listed]
    ids = eleven_without(gone, squad.picks.players, signals) if gone else squad.picks.players
    rival, said = ordered_rival(squad.name[:LONGEST_TEAM], ids, squad.picks.captain, signals)
    if gone:
        count = "1 player" if len(gone) == 1 else f"{len(gone)} players"
        said = (f"{squad.name}: {count} left the league; he counts with the eleven he still has.", *said)
    beside = [(man, crowd.get(week)) for week, man in squad.captains.items()]
    told = bool(beside) and all(choice is not None for _, choice in beside)
    known = replace(
        rival,
        rank=squad.row.rank,
        ahead=squad.ahead,
        chips=squad.picks.chips,
        captains=tuple(squad.captains.values()),
        with_crowd=sum(man == choice for man, choice in beside) if told else None,
    )
    return known, said


def _money_words(picks: Entry) -> str:
    known = f"Squad of gameweek {picks.round}, {picks.bank:.1f} in the bank."
    if picks.selling:
        return f"{known} Your players count at what they sell for."
    return f"{known} Your players count at today's prices: correct the budget if you would sell for less."
