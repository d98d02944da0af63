"""Wishes that no plan can meet: the smallest set of them that conflicts, what stands in the way, and both in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from data.domain import POSITIONS
from data.errors import InfeasibleError
from data.rules import GameRules
from engine.plan.asking.existence import plan_exists
from engine.plan.asking.wishes import Wish, WishKind, check_wishes, with_wishes
from engine.plan.linear.problem import PlanProblem
from engine.rules.explaining import smallest_clash

NO_LIMIT = 1_000.0
"""Millions beyond any squad."""


class Obstacle(StrEnum):
    """A rule without which wishes could be met."""

    MONEY = "money"
    TEAM_CAP = "team cap"
    TRANSFERS = "transfers"
    BOOSTERS = "boosters"


@dataclass(frozen=True, slots=True)
class WishConflict:
    """Wishes that cannot hold together, none of which can be spared; empty where the rules alone leave no plan."""

    wishes: tuple[Wish, ...]
    obstacles: tuple[Obstacle, ...]  # each of which, were it not there, would let them hold


@dataclass(frozen=True, slots=True, eq=False)
class WishedProblem:
    """A problem, what is asked of it, and how players are called."""

    problem: PlanProblem  # without the wishes
    rows: Mapping[int, int]  # player id → row
    rules: GameRules
    names: Sequence[str]  # by row; rows beyond are men who have left the list

    def holds(self, parts: Sequence[Wish]) -> bool:
        """Return whether some plan meets these wishes."""
        return self._exists(self.problem, parts)

    def _exists(self, problem: PlanProblem, parts: Sequence[Wish]) -> bool:
        try:
            return plan_exists(_any_hits(with_wishes(problem, parts, self.rows), parts))
        except InfeasibleError:
            return False

    def met(self, parts: Sequence[Wish]) -> PlanProblem:
        """Return the problem with the wishes; where they cannot be met, an error names the smallest conflict."""
        check_wishes(parts, self.rows, self.rules)
        if not parts:
            return self.problem
        if not self.holds(parts):
            raise self.error(parts)
        wished = with_wishes(self.problem, parts, self.rows)
        return wished if plan_exists(wished) else _any_hits(wished, parts)

    def conflict(self, parts: Sequence[Wish]) -> WishConflict:
        """Return the smallest conflict of wishes that cannot be met."""
        if not self.holds(()):
            return WishConflict((), self._obstacles(()))
        clash = tuple(smallest_clash(self.holds, parts))
        return WishConflict(clash, self._obstacles(clash))

    def _obstacles(self, clash: Sequence[Wish]) -> tuple[Obstacle, ...]:
        problem, frame = self.problem, self.problem.frame
        none = replace(
            frame.transfers,
            first=frame.transfers.no_limit,
            after=np.full_like(frame.transfers.after, frame.transfers.no_limit),
        )
        freed = {
            Obstacle.MONEY: replace(problem, frame=replace(frame, wealth=frame.wealth + NO_LIMIT)),
            Obstacle.TEAM_CAP: replace(
                problem, frame=replace(frame, team_cap=np.full_like(frame.team_cap, frame.size))
            ),
            Obstacle.TRANSFERS: replace(problem, frame=replace(frame, transfers=none)),
            Obstacle.BOOSTERS: _every_booster(problem),
        }
        return tuple(obstacle for obstacle, freely in freed.items() if self._exists(freely, clash))

    def error(self, parts: Sequence[Wish]) -> InfeasibleError:
        """Return the error that names the smallest conflict, and the way out."""
        found = self.conflict(parts)
        error = InfeasibleError(self.words(found))
        error.must = self._men(found, WishKind.HAVE, WishKind.KEEP, WishKind.CAPTAIN)
        error.never = self._men(found, WishKind.NEVER)
        return error

    def _men(self, found: WishConflict, *kinds: WishKind) -> tuple[int, ...]:
        players = [wish.player for wish in found.wishes if wish.kind in kinds and wish.player is not None]
        return tuple(self.rows[player] for player in players)

    def words(self, found: WishConflict) -> str:
        """Return a conflict in a sentence or two."""
        if not found.wishes:
            return f"No plan keeps the rules from this squad on{self._because(found)}. Correct the squad or its money."
        said = _listed(list(self._said(found.wishes)))
        if len(found.wishes) == 1:
            return f"No plan can have {said}{self._because(found)}. Leave this wish out."
        return f"No plan can have all of this: {said}{self._because(found)}. Leave one of them out."

    def _said(self, wishes: Sequence[Wish]) -> Iterator[str]:
        """Yield the wishes in words; those about several players that are alike are told together."""
        alike: dict[tuple[object, ...], list[Wish]] = {}
        for wish in wishes:
            alike.setdefault((wish.kind, wish.first, wish.last, wish.chip, wish.amount), []).append(wish)
        for group in alike.values():
            names = _listed([self._name(wish.player) for wish in group if wish.player is not None] or [""])
            yield self.wish_words(group[0], names)

    def wish_words(self, wish: Wish, names: str = "") -> str:
        """Return a wish in a few words; `names` are those of all players whom it is about."""
        name = names or ("" if wish.player is None else self._name(wish.player))
        chip = "a booster" if wish.chip is None else self.rules.boosters[wish.chip].title
        match wish.kind:
            case WishKind.HAVE:
                return f"{name}{self._span(wish)}"
            case WishKind.NEVER:
                return f"{name} never bought or kept"
            case WishKind.KEEP:
                return f"{name} never sold"
            case WishKind.HITS:
                return "no hits"
            case WishKind.TRANSFERS:
                return f"at most {_transfers(wish)}{self._in(wish) or ' a round'}"
            case WishKind.IN_ALL:
                return f"at most {_transfers(wish)} in all"
            case WishKind.CHIP:
                return f"{chip}{self._in(wish)}"
            case WishKind.NO_CHIP:
                return f"no {chip.removeprefix('a ')}{self._in(wish)}"
            case WishKind.BANK:
                return f"{wish.amount:.1f} in the bank"
            case WishKind.CAPTAIN:
                return f"{name} as captain{self._in(wish)}"

    def _name(self, player: int) -> str:
        row = self.rows[player]
        return str(self.names[row]) if row < len(self.names) else f"player {player}"

    def _in(self, wish: Wish) -> str:
        return f" in {self.rules.round_title(wish.first)}" if wish.first is not None else ""

    def _span(self, wish: Wish) -> str:
        first = wish.first if wish.first is not None else self.problem.rounds[0]
        start = self.rules.round_title(first)
        if wish.last is None:
            return f" from {start} on"
        return f" in {start}" if wish.last == first else f" from {start} to {self.rules.round_title(wish.last)}"

    def _because(self, found: WishConflict) -> str:
        """Return what stands in the way, by its values."""
        reasons = [
            *self._windows(found),
            *self._places(found),
            *(self._obstacle(one, found) for one in found.obstacles),
        ]
        reasons = [reason for reason in dict.fromkeys(reasons) if reason]
        return f", since {_listed(reasons)}" if reasons else ""

    def _windows(self, found: WishConflict) -> list[str]:
        """Return what the rules say of boosters that are asked for where they cannot be played."""
        asked = [wish for wish in found.wishes if wish.kind is WishKind.CHIP and wish.chip is not None]
        said = []
        for wish in asked:
            booster = self.rules.boosters[wish.chip or ""]
            if wish.first is not None and not booster.legal_in(wish.first):
                first, last = (self.rules.round_title(number) for number in booster.rounds)
                barred = wish.first in booster.barred_rounds
                said.append("the rules bar it there" if barred else f"it may be played from {first} to {last} only")
            elif all(offer.key != wish.chip for offer in self.problem.chips):
                said.append(f"{booster.title} is not left")
        if len(asked) > 1 and len({wish.first for wish in asked}) < len(asked):
            said.append("a round has one booster")
        if len(asked) > 1 and len({wish.chip for wish in asked}) < len(asked):
            said.append("it is not left so often")
        return said

    def _places(self, found: WishConflict) -> list[str]:
        """Return the positions of which more men are asked for than a squad has."""
        men, frame = set(self._men(found, WishKind.HAVE, WishKind.KEEP, WishKind.CAPTAIN)), self.problem.frame
        asked = np.bincount(frame.position[sorted(men)], minlength=len(frame.shape)) if men else np.zeros(4)
        full = [place for place, count in enumerate(frame.shape) if asked[place] > count]
        return [f"a squad has {frame.shape[place]} {POSITIONS[place]}" for place in full]

    def _obstacle(self, obstacle: Obstacle, found: WishConflict) -> str:
        frame = self.problem.frame
        match obstacle:
            case Obstacle.MONEY:
                return f"the money is {frame.wealth.min():.1f} in all"
            case Obstacle.TEAM_CAP:
                return f"{frame.team_cap.min()} of a team are allowed"
            case Obstacle.TRANSFERS:
                free = frame.transfers.free(frame.transfers.first)
                stated = any(wish.kind in (WishKind.TRANSFERS, WishKind.IN_ALL) for wish in found.wishes)
                return (
                    ""
                    if free is None or stated
                    else f"there {'is' if free == 1 else 'are'} {free} free transfer{'s' * (free != 1)} to begin with"
                )
            case Obstacle.BOOSTERS:
                return ""


def _any_hits(problem: PlanProblem, parts: Sequence[Wish]) -> PlanProblem:
    """Return the problem with as many hits as the wishes take, unless they are what is limited."""
    if any(wish.kind is WishKind.HITS for wish in parts):
        return problem
    return problem.asking(most_hits=np.full_like(problem.locks.most_hits, problem.frame.size))


def _every_booster(problem: PlanProblem) -> PlanProblem:
    """Return the problem with every booster at hand in every round, as often as there are rounds."""
    rounds = len(problem.rounds)
    offers = (replace(offer, allowed=np.ones(rounds, dtype=bool), uses=rounds) for offer in problem.chips)
    return replace(problem, chips=tuple(offers))


def _transfers(wish: Wish) -> str:
    return f"{int(wish.amount)} transfer{'s' * (wish.amount != 1)}"


def _listed(parts: Sequence[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
