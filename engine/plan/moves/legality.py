"""Is a plan legal? Every rule of every round, followed step by step with a purse and a count of free transfers.

Written apart from the search and its arrays: what the search believes of money and transfers is checked here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from data.domain import POSITIONS
from data.rules import UNLIMITED, BoosterEffect, GameRules
from engine.plan.moves.moves import Plan, RoundMoves
from engine.plan.moves.state import State
from engine.rules.money import payable
from models.signals import Signals

PENNY = 0.05
"""Millions that a stated bank may differ by: prices are whole tenths."""


@dataclass(slots=True)
class _Manager:
    """A manager on his way through the rounds."""

    rules: GameRules
    position: list[str]  # by player row
    team: list[int | None]
    price: list[float]
    listed: int  # rows below this can be bought
    worth: dict[int, float]  # row → millions that selling him brings
    bank: float
    free: int | None
    chips: Counter[str]
    budget: float  # of the stage he is in
    said: list[str] = field(default_factory=list)

    @property
    def squad(self) -> set[int]:
        return set(self.worth)


def breaches(plan: Plan, state: State, signals: Signals) -> tuple[str, ...]:
    """Return in words every rule that a plan breaks, round by round; nothing where it is legal."""
    manager = _manager(state, signals)
    if plan.rounds[0] != signals.round or plan.rounds[-1] > signals.rules.rounds:
        return (f"It covers rounds {plan.rounds}, but round {signals.round} comes next.",)
    for move in plan.moves:
        manager.said += [f"Round {move.round}: {words}." for words in _round(manager, move)]
    return tuple(manager.said)


def _manager(state: State, signals: Signals) -> _Manager:
    rows = {int(player): row for row, player in enumerate(signals.player_id)}
    gone = [player for player in state.squad if player not in rows]
    rows |= {player: len(signals) + place for place, player in enumerate(gone)}
    stage = signals.rules.stage(signals.round)
    unlimited = not state.squad or stage.free_transfers == UNLIMITED
    return _Manager(
        rules=signals.rules,
        position=[*(POSITIONS[code] for code in signals.position), *(state.left[player] for player in gone)],
        team=[*(int(team) for team in signals.team), *(None for _ in gone)],
        price=[*(float(price) for price in signals.price), *(state.selling[player] for player in gone)],
        listed=len(signals),
        worth={rows[player]: state.selling[player] for player in state.squad},
        bank=state.bank,
        free=None if unlimited else state.free,
        chips=Counter(state.boosters),
        budget=stage.budget,
    )


def _round(manager: _Manager, move: RoundMoves) -> Iterator[str]:
    stage = manager.rules.stage(move.round)
    manager.bank, manager.budget = manager.bank + stage.budget - manager.budget, stage.budget
    yield from _squad(manager, move.squad, stage.team_cap)
    yield from _squad(manager, move.kept, stage.team_cap)
    effect = manager.rules.boosters[move.chip].effect if move.chip in manager.rules.boosters else None
    yield from _chip(manager, move)
    if effect is BoosterEffect.FREE_HIT:
        yield from _one_round(manager, move)
    elif move.squad != move.kept:
        yield "it plays a squad that it does not keep, without a free hit"
    yield from _transfers(manager, move, effect)


def _squad(manager: _Manager, squad: tuple[int, ...], cap: int) -> Iterator[str]:
    if len(set(squad)) != len(squad) or not all(0 <= man < len(manager.price) for man in squad):
        yield f"the squad {squad} has a man twice, or one whom nobody knows"
        return
    shape = Counter(manager.position[man] for man in squad)
    if any(shape[place] != count for place, count in manager.rules.squad.shape.items()):
        yield f"the squad has {dict(shape)}"
    teams = Counter(manager.team[man] for man in squad if manager.team[man] is not None)
    yield from (f"{count} men of team {team}, {cap} are allowed" for team, count in teams.items() if count > cap)


def _chip(manager: _Manager, move: RoundMoves) -> Iterator[str]:
    if move.chip is None:
        return
    if manager.rules.boosters_per_round < 1:
        yield "boosters cannot be played in this game"
    booster = manager.rules.boosters.get(move.chip)
    if booster is None or manager.chips[move.chip] < 1:
        yield f"booster {move.chip} is not left"
    elif not booster.legal_in(move.round):
        yield f"{booster.title} cannot be played"
    manager.chips[move.chip] -= 1


def _one_round(manager: _Manager, move: RoundMoves) -> Iterator[str]:
    """A free hit: sold for what they bring, bought at today's price, and all undone after the round."""
    coming, going = set(move.squad) - manager.squad, manager.squad - set(move.squad)
    yield from _listed(manager, coming)
    left = manager.bank + sum(manager.worth[man] for man in going) - sum(manager.price[man] for man in coming)
    if not payable(0.0, left):
        yield f"the squad of the free hit costs {-left:.1f} millions too much"
    if manager.squad and set(move.kept) != manager.squad:
        yield "the squad does not come back after the free hit"


def _transfers(manager: _Manager, move: RoundMoves, effect: BoosterEffect | None) -> Iterator[str]:
    first = not manager.worth
    coming, going = set(move.kept) - manager.squad, manager.squad - set(move.kept)
    if effect is not BoosterEffect.FREE_HIT and (set(move.into), set(move.out)) != (coming, going):
        yield "who goes and comes is not what changes the squad"
    if any(manager.position[a] != manager.position[b] for a, b in zip(move.out, move.into, strict=False)):
        yield "somebody comes in the place of a man of another position"
    yield from _listed(manager, coming)
    for man in going:
        manager.bank += manager.worth.pop(man)
    for man in coming:
        manager.bank -= manager.price[man]
        manager.worth[man] = manager.price[man]
    if not payable(0.0, manager.bank) or abs(manager.bank - move.bank) > PENNY:
        yield f"{manager.bank:.1f} millions are left, not {move.bank:.1f}"
    yield from _counted(manager, move, effect, 0 if first else len(coming))


def _counted(manager: _Manager, move: RoundMoves, effect: BoosterEffect | None, made: int) -> Iterator[str]:
    chip = effect in (BoosterEffect.WILDCARD, BoosterEffect.FREE_HIT)
    hits = 0 if chip or manager.free is None else max(0, made - manager.free)
    if (move.free, move.hits) != (manager.free, hits):
        yield f"{manager.free} free transfers and {hits} hits, not {move.free} and {move.hits}"
    if move.round < manager.rules.rounds:
        manager.free = manager.rules.free_transfers_after(move.round, manager.free, made, played_free_chip=chip)


def _listed(manager: _Manager, coming: set[int]) -> Iterator[str]:
    yield from (f"player row {man} has left and cannot be bought" for man in sorted(coming) if man >= manager.listed)
