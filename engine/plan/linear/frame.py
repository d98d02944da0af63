"""Frame of a plan: everything that the rulebook and a manager's state say about his coming rounds, as arrays.

Money is one row a round: prices are frozen in a plan, so whoever is bought later sells for what he cost. Then the
squad of a round, a man held from the start at his selling price and everybody else at his price, may cost `wealth`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from data.domain import POSITIONS
from data.errors import InputError
from data.rules import UNLIMITED, GameRules
from engine.plan.moves.state import State, check_state
from models.signals import Signals

NO_TEAM = -1
"""Team of a man who has left: no cap counts him."""


@dataclass(frozen=True, eq=False)
class FreeTransfers:
    """Free transfers as steps from round to round. A count k is a number of free transfers, `no_limit` the last one."""

    first: int  # the count before the coming round
    after: np.ndarray  # (r, k, n + 1) the count after a round with k before it and n transfers made
    after_chip: np.ndarray  # (r, k) the count after a round whose transfers a chip made free

    @property
    def no_limit(self) -> int:
        """The count that stands for transfers without limit."""
        return int(self.after.shape[1]) - 1

    def free(self, count: int) -> int | None:
        """Return a count as people say it; None where there is no limit."""
        return None if count == self.no_limit else count


@dataclass(frozen=True, eq=False)
class Frame:
    """What every plan of a manager has to keep to: row i of every array is player i, column j the round `rounds[j]`.

    The first rows are those of the signals; men of his who have left the list follow, in the order of his squad.
    """

    rounds: tuple[int, ...]
    position: np.ndarray  # (n,) 0 GK … 3 FWD
    team: np.ndarray  # (n,) number of the team, NO_TEAM of who has left
    price: np.ndarray  # (n,) millions to buy him
    selling: np.ndarray  # (n,) millions he costs as long as he is held from the start; for others their price
    owned: np.ndarray  # (n,) whether he is in the squad at the start
    buyable: np.ndarray  # (n,) whether he can be bought; who has left cannot
    wealth: np.ndarray  # (r,) millions that the squad of a round may cost
    team_cap: np.ndarray  # (r,) men of one team at most
    shape: tuple[int, int, int, int]
    lineups: tuple[tuple[int, int, int, int], ...]  # elevens the rules allow, by position
    transfers: FreeTransfers
    hit_cost: float

    def __len__(self) -> int:
        return len(self.position)

    @property
    def size(self) -> int:
        """Men in a squad."""
        return sum(self.shape)

    @property
    def first_squad(self) -> bool:
        """Whether there is no squad yet."""
        return not bool(self.owned.any())

    @cached_property
    def start_squad(self) -> np.ndarray:
        """(15,) player rows at the start, by position and row; empty where there is none."""
        rows = np.flatnonzero(self.owned)
        return np.asarray(rows[np.lexsort((rows, self.position[rows]))])


def frame_of(state: State, signals: Signals, horizon: int) -> Frame:
    """Return the frame of the next rounds, up to the horizon or the end of the game."""
    check_state(state, signals)
    if horizon < 1:
        raise InputError(f"A plan over {horizon} rounds cannot be made; 1 is the least.")
    rules = signals.rules
    rounds = tuple(range(signals.round, min(signals.round + horizon, rules.rounds + 1)))
    row_of = {int(player): row for row, player in enumerate(signals.player_id)}
    gone = [player for player in state.squad if player not in row_of]
    row_of |= {player: len(signals) + place for place, player in enumerate(gone)}
    sold_for = [state.selling[player] for player in gone]
    price = np.concatenate([signals.price, sold_for])
    owned, selling = np.zeros(len(price), dtype=bool), price.copy()
    for player in state.squad:
        owned[row_of[player]], selling[row_of[player]] = True, state.selling[player]
    stages = [rules.stage(number) for number in rounds]
    return Frame(
        rounds=rounds,
        position=np.append(signals.position, [POSITIONS.index(state.left[player]) for player in gone]).astype(np.int64),
        team=np.append(signals.team, [NO_TEAM] * len(gone)).astype(np.int64),
        price=price,
        selling=selling,
        owned=owned,
        buyable=np.arange(len(price)) < len(signals),
        wealth=np.array([state.wealth + stage.budget - stages[0].budget for stage in stages]),
        team_cap=np.array([stage.team_cap for stage in stages]),
        shape=rules.squad.places,
        lineups=rules.squad.lineups,
        transfers=free_transfer_steps(rules, rounds, state),
        hit_cost=float(rules.transfers.hit_cost),
    )


def free_transfer_steps(rules: GameRules, rounds: tuple[int, ...], state: State) -> FreeTransfers:
    """Return every step of free transfers that the rulebook allows; after the game's last round none is left."""
    stages = [rules.stage(number) for number in rounds if rules.stage(number).free_transfers != UNLIMITED]
    granted = [int(stage.free_transfers) + stage.carry_in for stage in stages if stage.free_transfers != UNLIMITED]
    beyond = rules.stage(rounds[-1] + 1) if rounds[-1] < rules.rounds else None
    if beyond is not None and beyond.free_transfers != UNLIMITED:
        granted.append(int(beyond.free_transfers) + beyond.carry_in)
    most = max([*granted, state.free or 0])
    no_limit, size = most + 1, rules.squad.size
    after = np.zeros((len(rounds), most + 2, size + 1), dtype=np.int64)
    after_chip = np.zeros((len(rounds), most + 2), dtype=np.int64)

    def step(number: int, count: int, made: int, chip: bool) -> int:
        if number == rules.rounds:
            return 0
        free = None if count == no_limit else count
        left = rules.free_transfers_after(number, free, made, played_free_chip=chip)
        return no_limit if left is None else left

    for column, number in enumerate(rounds):
        for count in range(most + 2):
            after[column, count] = [step(number, count, made, False) for made in range(size + 1)]
            after_chip[column, count] = step(number, count, 0, True)
    limited = bool(state.squad) and rules.stage(rounds[0]).free_transfers != UNLIMITED and state.free is not None
    return FreeTransfers(first=int(state.free or 0) if limited else no_limit, after=after, after_chip=after_chip)
