"""A manager's team to the penny: what he paid, what each man sells for, bank, free transfers and the chips he has left.

The game shows all this to nobody but himself. It shows everybody the squad of each deadline, every transfer with both
prices, and the weeks: replayed by the rulebook, they leave nothing open but what a man cost whom he never bought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from data.rules import BoosterEffect, GameRules
from data.sources.fpl.managers.wire import WireRecord, WireTransfer
from data.worlds.snapshot import Snapshot

TENTHS = 10
EFFECT_OF = {
    "wildcard": BoosterEffect.WILDCARD,
    "freehit": BoosterEffect.FREE_HIT,
    "bboost": BoosterEffect.BENCH_BOOST,
    "3xc": BoosterEffect.TRIPLE_CAPTAIN,
}
"""What each chip of the game does, by the name that the game gives it."""

FREE_HIT = "freehit"
FREE_CHIPS = ("wildcard", FREE_HIT)
"""Chips whose transfers are free."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """What a manager brings into a gameweek."""

    players: tuple[int, ...]  # as they stood at the last deadline, whoever came since in the place of whom he replaced
    paid: Mapping[int, float]  # millions, by player
    selling: Mapping[int, float]  # millions, by player
    bank: float  # millions
    free_transfers: int | None  # left now; None where there is no limit
    made: int = 0  # transfers already made for this gameweek
    chips: tuple[str, ...] = ()  # names of the rulebook's boosters that are left
    guessed: tuple[int, ...] = ()  # men whose purchase is not on record: today's price stands in

    @property
    def budget(self) -> float:
        """Millions he could spend if he sold everybody."""
        return round(self.bank + sum(self.selling.values()), 1)


@dataclass(frozen=True, slots=True)
class Prices:
    """What players cost in millions: at the start of the season, where that is known, and now."""

    start: Mapping[int, float]
    now: Mapping[int, float]

    @classmethod
    def of(cls, snapshot: Snapshot) -> Prices:
        """Return the prices known at a deadline; those of the start as the game tells them, else from gameweek 1."""
        market = snapshot.market.sort_values("round", kind="stable")
        listed = market.drop_duplicates("player_id") if (market["round"] == 1).any() else market[:0]
        now = market[market["round"] == snapshot.round]
        first, today = (dict(zip(rows["player_id"], rows["price"], strict=True)) for rows in (listed, now))
        told = snapshot.players[["player_id", "start_price"]].dropna()
        return cls(first | dict(zip(told["player_id"], told["start_price"], strict=True)), today)


def squad_week(record: WireRecord, coming: int) -> int:
    """Return the gameweek whose squad is brought into the coming one: the last but for free hits, which are undone."""
    undone = _weeks_of(record, (FREE_HIT,))
    weeks = [week.event for week in record.current if week.event < coming]
    return max((week for week in weeks if week not in undone), default=max(weeks, default=0))


def account_before(
    coming: int,
    squad: Sequence[int],
    record: WireRecord,
    transfers: Iterable[WireTransfer],
    prices: Prices,
    rules: GameRules,
) -> Account:
    """Return a manager's account before a gameweek from the squad of his `squad_week` and all that he did."""
    base, undone = squad_week(record, coming), _weeks_of(record, (FREE_HIT,))
    moves = sorted((move for move in transfers if move.event <= coming), key=lambda move: move.time)
    moves = [move for move in moves if move.event not in undone]
    since = [move for move in moves if move.event > base]
    players = _after(squad, since)
    bought = {move.element_in: move.element_in_cost / TENTHS for move in moves}
    paid = {player: bought.get(player, prices.start.get(player, prices.now.get(player, 0.0))) for player in players}
    free, made = free_transfers_before(record, coming, rules), sum(move.event == coming for move in since)
    return Account(
        players=players,
        paid=paid,
        selling={man: rules.transfers.selling_price(paid[man], prices.now.get(man, paid[man])) for man in players},
        bank=(_bank_of(record, base) + sum(move.element_out_cost - move.element_in_cost for move in since)) / TENTHS,
        free_transfers=None if free is None else max(0, free - made),
        made=made,
        chips=chips_left(record, coming, rules),
        guessed=tuple(man for man in players if man not in bought and man not in prices.start),
    )


def crowded_clubs(squad: Sequence[int], snapshot: Snapshot, rules: GameRules) -> tuple[str, ...]:
    """Return a sentence about each club of which a squad has more men than the rules allow: a real transfer did it."""
    cap, club = rules.stage(snapshot.round).team_cap, snapshot.players.set_index("player_id")["team"]
    counts = club[club.index.isin(squad)].value_counts()
    return tuple(
        f"{count} players of {code} are kept: that is legal until your next transfer, which has to leave {cap}."
        for code, count in counts[counts > cap].items()
    )


def free_transfers_before(record: WireRecord, gameweek: int, rules: GameRules) -> int | None:
    """Return the free transfers with which a gameweek begins; None where there is no limit or no week before it."""
    made = {week.event: week.event_transfers for week in record.current if week.event < gameweek}
    free_weeks = _weeks_of(record, FREE_CHIPS)
    free: int | None = None  # a first squad is built from nothing
    for week in range(min(made, default=gameweek), gameweek):
        free = rules.free_transfers_after(week, free, made.get(week, 0), played_free_chip=week in free_weeks)
    return free


def chips_left(record: WireRecord, coming: int, rules: GameRules) -> tuple[str, ...]:
    """Return the boosters that can still be played in the coming gameweek or later, by the rulebook's names."""
    played = [(EFFECT_OF.get(chip.name), chip.event) for chip in record.chips if chip.event < coming]
    left = []
    for name, booster in rules.boosters.items():
        used = sum(effect is booster.effect and booster.legal_in(week) for effect, week in played)
        if used < booster.uses and booster.rounds[1] >= coming:
            left.append(name)
    return tuple(left)


def _weeks_of(record: WireRecord, chips: Sequence[str]) -> frozenset[int]:
    return frozenset(chip.event for chip in record.chips if chip.name in chips)


def _bank_of(record: WireRecord, gameweek: int) -> int:
    return next((week.bank for week in record.current if week.event == gameweek), 0)


def _after(squad: Sequence[int], moves: Iterable[WireTransfer]) -> tuple[int, ...]:
    """Return a squad after transfers, each newcomer in the place of whom he replaced."""
    players = list(squad)
    for move in moves:
        if move.element_out in players:
            players[players.index(move.element_out)] = move.element_in
    return tuple(players)
