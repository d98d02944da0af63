"""Options of a plan's wishes over rounds: whom to have by when, whom to keep, who leads, boosters, transfers, bank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from engine.plan.advice.stated import StatedPlanWishes


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanWishOptions:
    """What is asked of a plan over its rounds."""

    have: Annotated[
        list[str] | None, typer.Option("--have", help="A player to have by a round, NAME@ROUND; may be repeated.")
    ] = None
    never_sell: Annotated[
        list[str] | None, typer.Option("--never-sell", help="A man of yours who stays; may be repeated.")
    ] = None
    captain_in: Annotated[
        list[str] | None, typer.Option("--captain-in", help="Who leads in a round, NAME@ROUND; may be repeated.")
    ] = None
    not_chip: Annotated[
        list[str] | None,
        typer.Option("--not-chip", help="A booster to keep, NAME, or not to play in a round, NAME@ROUND."),
    ] = None
    most_transfers: Annotated[
        list[str] | None,
        typer.Option("--most-transfers", help="Transfers at most, N each round or N@ROUND; may be repeated."),
    ] = None
    in_all: Annotated[
        int | None, typer.Option("--in-all", min=0, max=100, help="Transfers at most over the whole plan.")
    ] = None
    bank: Annotated[float, typer.Option("--bank", help="Millions that stay unspent.")] = 0.0

    @property
    def any(self) -> bool:
        """Whether anything is asked."""
        listed = (self.have, self.never_sell, self.captain_in, self.not_chip, self.most_transfers)
        return any(listed) or self.in_all is not None or self.bank > 0

    def stated(self) -> StatedPlanWishes:
        """Return it as the planner reads it."""
        from engine.plan.advice.stated import StatedPlanWishes

        return StatedPlanWishes(
            have=self.have or (),
            never_sell=self.never_sell or (),
            captain_in=self.captain_in or (),
            not_chip=self.not_chip or (),
            most_transfers=self.most_transfers or (),
            in_all=self.in_all,
            bank=self.bank,
        )
