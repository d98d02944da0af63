"""Line-ups of one squad under an objective in plain loops: the slow, independent judge of how squads are sent out.

Every legal exchange of a starter with a man of the bench, in every order of the bench, under every captain. It shares
with the engine the beliefs and the rulebook, and no computation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from tests.cases.objectives.plain_fitness import (
    ALONG,
    LEAP,
    SPINE,
    SWING,
    PlainRound,
    armband_by_captain,
    forfeit_of,
    orders_of,
    passed_over,
)

RISKY = 0.25
KAPPA = 0.02
STRENGTHS = {
    theta: (SPINE.get(theta, 0.0), LEAP.get(theta, 0.0), ALONG.get(theta, 2 * KAPPA), SWING.get(theta, -KAPPA))
    for theta in (*SPINE, "rank")
}
"""What a shared clean sheet, a differential, going along with the field, and the variance count for: all that a line-up
changes besides points. Carry, cover, preferences and transfers are the squad's."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One way to send a squad out."""

    starters: tuple[int, ...]
    bench: tuple[int, ...]
    captain: int
    value: float


class PlainSending:
    """One squad of a round under an objective."""

    def __init__(self, beliefs: PlainRound, squad: Sequence[int], theta: str) -> None:
        self.round, self.squad = beliefs, [int(row) for row in squad]
        self.spine, self.leap, self.along, self.swing = STRENGTHS[theta]

    @cached_property
    def covariance(self) -> dict[tuple[int, int], float]:
        return {(one, two): self.round.covariance(one, two) for one in self.squad for two in self.squad}

    @cached_property
    def with_field(self) -> dict[int, float]:
        """Covariance of each man's points with the field's, match by match."""
        total = dict.fromkeys(self.squad, 0.0)
        for rows, values in self.round.blocks:
            for one, line in zip(rows, values, strict=True):
                if one in total:
                    total[one] += sum(self.round.eo[other] * value for other, value in zip(rows, line, strict=True))
        return total

    def value(self, starters: Sequence[int], bench: Sequence[int], captain: int) -> float:
        """What one line-up is worth, less what it must be better by for the men it starts."""
        role = next(role for order, role in self._orders(starters) if order == tuple(bench))
        uplift = armband_by_captain(self.round, starters, forfeit_of(self.round, bench, role))[captain]
        return self._apart(starters, bench, role) + self._led(role, captain) + uplift

    def better(self, starters: Sequence[int], bench: Sequence[int], captain: int, by: float) -> Iterator[Sent]:
        """Yield the line-ups one exchange or less away, in any order and under any captain, that are worth more."""
        bar = self.value(starters, bench, captain) + by
        for eleven in self._exchanged(starters, bench):
            most = armband_by_captain(self.round, eleven, 0.0)  # a forfeit never makes an armband worth more
            for order, role in self._orders(eleven):
                apart = self._apart(eleven, order, role)
                for man in eleven:
                    if self.round.play[man] < RISKY and man != captain:
                        continue
                    led = apart + self._led(role, man)
                    if led + most[man] <= bar:
                        continue
                    forfeit = forfeit_of(self.round, order, role)
                    worth = led + armband_by_captain(self.round, eleven, forfeit)[man]
                    if worth > bar:
                        yield Sent(tuple(eleven), order, man, worth)

    def _exchanged(self, starters: Sequence[int], bench: Sequence[int]) -> Iterator[list[int]]:
        """Yield the eleven itself and every legal one that a man of the bench makes of it."""
        yield list(starters)
        for out in starters:
            for into in bench:
                eleven = [into if row == out else row for row in starters]
                counts = tuple(sum(self.round.position[row] == code for row in eleven) for code in range(4))
                if counts in self.round.rules.squad.lineups:
                    yield eleven

    def _orders(self, starters: Sequence[int]) -> Iterator[tuple[tuple[int, ...], dict[int, float]]]:
        """Yield the bench behind an eleven as it is called, goalkeepers last, with everybody's role."""
        position = self.round.position
        sides = [[row for row in starters if position[row] == code] for code in range(4)]
        waiting = [row for row in self.squad if row not in starters]
        keepers = [row for row in waiting if position[row] == 0]
        assert len(keepers) == 1
        enabled = self.round.rules.autosubs.enabled
        behind = {keepers[0]: (1 - self.round.play[sides[0][0]]) if enabled else 0.0, sides[0][0]: 1.0}
        for field in orders_of(self.round, sides[1:], [row for row in waiting if row not in keepers]):
            called = tuple(row for row in field if row not in starters)
            yield (*called, *keepers), field | behind

    def _apart(self, starters: Sequence[int], bench: Sequence[int], role: dict[int, float]) -> float:
        """What a line-up is worth before it has a captain."""
        beliefs = self.round
        rare = [row for row in self.squad if row in beliefs.differential]
        return (
            sum(role[row] * beliefs.xev[row] for row in self.squad)
            + self.spine * self._shared_sheets(starters)
            + self.leap * sum(role[row] * beliefs.ceiling[row] * (1 - beliefs.eo[row]) for row in rare)
            - passed_over(beliefs, starters, bench)
        )

    def _led(self, role: dict[int, float], captain: int) -> float:
        """What field and variance count for where a man leads."""
        copies = self.round.rules.captaincy.multiplier - 1
        counted = {row: role[row] + (copies if row == captain else 0) for row in self.squad}
        variance = sum(
            counted[one] * counted[two] * value for (one, two), value in self.covariance.items() if value != 0.0
        )
        return self.swing * variance + self.along * sum(counted[row] * self.with_field[row] for row in self.squad)

    def _shared_sheets(self, starters: Sequence[int]) -> float:
        beliefs, total = self.round, 0.0
        spines: dict[int, list[int]] = {}
        for row in starters:
            if beliefs.position[row] <= 1:
                spines.setdefault(beliefs.team[row], []).append(row)
        for men in spines.values():
            pay = [beliefs.sheet_pay(row) for row in men]
            total += sum(chance * (1 - chance) for chance in beliefs.sheet[men[0]]) * (sum(pay) - max(pay))
        return total
