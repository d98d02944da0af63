"""What a manager holds between two rounds of a season: his men and what he paid, bank, free transfers, boosters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from data.domain import POSITIONS
from data.rules import GameRules
from data.worlds.world import World
from engine.plan.linear.problem import FREE_CHIPS
from engine.plan.moves.moves import RoundMoves
from engine.plan.moves.state import State, boosters_from
from models.signals import Signals


class Holding(BaseModel):
    """A manager after a round, as it is written between two steps of a season."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    paid: dict[int, Annotated[float, Field(ge=0, le=1000)]] = {}  # player id → millions
    bank: Annotated[float, Field(ge=0, le=1000)] = 0.0
    free: int | None = None  # before the next round; None = no limit
    boosters: tuple[str, ...] = ()

    @classmethod
    def nobody(cls, rules: GameRules, round_number: int) -> Holding:
        """Return the holding of who is still to build a squad."""
        return cls(bank=rules.stage(round_number).budget, boosters=boosters_from(rules, round_number))

    def state(self, world: World, signals: Signals) -> State:
        """Return what he brings into the round of the signals, at the prices of its deadline."""
        if not self.paid:
            return State(bank=signals.rules.stage(signals.round).budget, boosters=self.boosters)
        rules, now = signals.rules, dict(zip(signals.player_id.tolist(), signals.price.tolist(), strict=True))
        selling = {man: rules.transfers.selling_price(paid, now.get(man, paid)) for man, paid in self.paid.items()}
        bank = self.bank
        if rules.transfers.prices_fixed:  # the stage says how much money there is
            bank = max(0.0, round(rules.stage(signals.round).budget - sum(selling.values()), 1))
        return State(
            squad=tuple(self.paid),
            paid=self.paid,
            selling=selling,
            bank=bank,
            free=self.free,
            boosters=tuple(key for key in self.boosters if rules.boosters[key].rounds[1] >= signals.round),
            left={man: place for man, place in _positions(world, self.paid).items() if man not in now},
        )

    def after(self, moves: RoundMoves, signals: Signals) -> Holding:
        """Return the holding after moves; `signals` have the prices at which newcomers are bought, and who left."""
        rules, known = signals.rules, dict(zip(signals.player_id.tolist(), signals.price.tolist(), strict=True))
        ids = [int(signals.player_id[row]) for row in moves.kept]
        boosters = list(self.boosters)
        if moves.chip is not None:
            boosters.remove(moves.chip)
        free_chip = moves.chip is not None and rules.boosters[moves.chip].effect in FREE_CHIPS
        free = None
        if signals.round < rules.rounds:
            free = rules.free_transfers_after(signals.round, moves.free, moves.transfers, played_free_chip=free_chip)
        return Holding(
            paid={man: self.paid[man] if man in self.paid else known[man] for man in ids},
            bank=max(0.0, round(moves.bank, 1)),
            free=free,
            boosters=tuple(boosters),
        )


def _positions(world: World, men: Mapping[int, float]) -> dict[int, str]:
    players = world.tables["players"]
    rows = players[players["player_id"].isin(list(men))]
    return {
        int(man): str(place)
        for man, place in zip(rows["player_id"], rows["position"], strict=True)
        if place in POSITIONS
    }
