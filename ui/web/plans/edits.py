"""Edits of a plan over rounds as a link writes them: a player from a round on, no sale, no transfer, a captain. Pure.

have-411@22      player 411 is in the squad from round 22 on
keep-411         he is never sold
roll@21          no transfer before round 21
captain-411@22   he is captain in round 22
plain@22         no booster in round 22
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from data.rules import GameRules
from engine.plan.asking.wishes import ChipAt, Have, PlanWishes, Wish
from engine.plan.asking.words import placed_boosters

MOST_EDITS = 40
"""Edits of one plan: eight rounds of as many moves as anybody makes."""

_WRITTEN = re.compile(r"(?:(have|captain)-(\d{1,9})@(\d{1,2})|(keep)-(\d{1,9})|(roll|plain)@(\d{1,2}))")


class EditKind(StrEnum):
    """What is changed."""

    HAVE = "have"
    KEEP = "keep"
    ROLL = "roll"
    CAPTAIN = "captain"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class PlanEdit:
    """One thing that a manager changes in a plan."""

    kind: EditKind
    player: int | None = None  # id
    round: int | None = None

    def __str__(self) -> str:
        who = "" if self.player is None else f"-{self.player}"
        return f"{self.kind}{who}" + ("" if self.round is None else f"@{self.round}")


def read_edit(text: str) -> PlanEdit:
    """Return an edit as a link writes it; anything else is a ValueError."""
    found = _WRITTEN.fullmatch(text)
    if not found:
        raise ValueError(text)
    about, who, when, keep, kept, still, at = found.groups()
    if about:
        return PlanEdit(EditKind(about), int(who), int(when))
    return PlanEdit(EditKind.KEEP, int(kept)) if keep else PlanEdit(EditKind(still), round=int(at))


def toggled(edits: Sequence[PlanEdit], edit: PlanEdit) -> tuple[PlanEdit, ...]:
    """Return the edits with one more, or without it where it is among them; a round has one captain."""
    if edit in edits:
        return tuple(one for one in edits if one != edit)
    return (*(one for one in edits if not _replaced(one, edit)), edit)


def _replaced(old: PlanEdit, new: PlanEdit) -> bool:
    return new.kind is EditKind.CAPTAIN and (old.kind, old.round) == (new.kind, new.round)


def wishes_of(
    edits: Iterable[PlanEdit],
    boosted: Sequence[str] | None,
    rules: GameRules,
    rounds: Sequence[int],
    at_hand: Sequence[str] | None = None,
) -> PlanWishes:
    """Return edits, and boosters asked for as NAME@ROUND, as wishes; those of rounds outside the plan are left aside.

    `at_hand` are the boosters that are left, None = all of the game.
    """
    near = [edit for edit in edits if edit.round is None or edit.round in rounds]
    asked = [text for text in boosted or () if int(text.rpartition("@")[2]) in rounds]
    placed = placed_boosters(asked, rules, tuple(rules.boosters) if at_hand is None else at_hand, rounds)
    return PlanWishes(
        have=tuple(Have(edit.player, edit.round) for edit in near if edit.kind is EditKind.HAVE and edit.player),
        keep=tuple(edit.player for edit in near if edit.kind is EditKind.KEEP and edit.player),
        most_transfers={edit.round: 0 for edit in near if edit.kind is EditKind.ROLL and edit.round},
        captain={
            edit.round: edit.player for edit in near if edit.kind is EditKind.CAPTAIN and edit.round and edit.player
        },
        chips=tuple(ChipAt(key, number) for number, key in placed),
        plain=tuple(edit.round for edit in near if edit.kind is EditKind.PLAIN and edit.round),
        no_chips=boosted == (),
    )


def edit_words(edit: PlanEdit, names: Mapping[int, str], rules: GameRules) -> str:
    """Return an edit in a few words."""
    name = "" if edit.player is None else names.get(edit.player, f"player {edit.player}")
    title = "" if edit.round is None else rules.round_title(edit.round)
    match edit.kind:
        case EditKind.HAVE:
            return f"{name} from {title} on"
        case EditKind.KEEP:
            return f"{name} never sold"
        case EditKind.ROLL:
            return f"No transfer in {title}"
        case EditKind.CAPTAIN:
            return f"{name} captain in {title}"
        case EditKind.PLAIN:
            return f"No booster in {title}"


def booster_placed(
    boosted: Sequence[str] | None, edits: Sequence[PlanEdit], key: str | None, number: int, *, plain: bool = False
) -> tuple[tuple[str, ...] | None, tuple[PlanEdit, ...]]:
    """Return boosters and edits with one booster in a round, with none (`plain`), or with the round left to the plan.

    A booster that was asked for in another round moves.
    """
    kept = [one for one in boosted or () if not one.endswith(f"@{number}") and one.partition("@")[0] != key]
    asked = (*kept, f"{key}@{number}") if key else tuple(kept)
    bare = PlanEdit(EditKind.PLAIN, round=number)
    others = tuple(edit for edit in edits if edit != bare)
    return asked or None, (*others, bare) if plain else others


def wish_of(edit: PlanEdit, rules: GameRules, rounds: Sequence[int]) -> Wish | None:
    """Return the wish that an edit is to the planner; None where it concerns no round of the plan."""
    return next(iter(wishes_of((edit,), None, rules, rounds).parts()), None)
