"""The armband's rule in plain words, for a manager who follows it on match day."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from models.armband.ladder import Ladder, Rung

Labels = Mapping[int, str] | Sequence[str]

SHOWN = 0.05
"""Points below this print as 0.0."""
NEVER = 0.0005
"""An absence less likely than this (0.0 % on screen) gets no rule of its own."""


@dataclass(frozen=True, slots=True)
class Labelling:
    """How the rows of the armband table are shown."""

    names: Labels  # display name by table row
    kickoffs: Labels  # kick-off of his match by table row, for instance "Tue 20:00"

    def full(self, row: int) -> str:
        """Return name and kick-off."""
        return f"{self.names[row]} ({self.kickoffs[row]})"


def ladder_sentences(ladder: Ladder, labels: Labelling) -> tuple[str, ...]:
    """Return the whole plan: the start, the rule after every match, when not to switch, what it is worth."""
    said = (
        _start(ladder, labels),
        _captain_rule(ladder, labels),
        _absence_rule(ladder, labels),
        *(_later_rule(rung, labels) for rung in ladder.later),
        _warning(ladder, labels),
        _worth(ladder),
    )
    return tuple(sentence for sentence in said if sentence)


def _start(ladder: Ladder, labels: Labelling) -> str:
    return f"Start with {labels.full(ladder.captain.player)}; vice {labels.full(ladder.vice.player)}."


def _captain_rule(ladder: Ladder, labels: Labelling) -> str:
    rung, name = ladder.captain, labels.names[ladder.captain.player]
    if ladder.setting == "locked":
        return f"The armband is locked: {name} keeps it whatever he scores."
    if rung.move_to is None:
        return f"Keep {name} whatever he scores."
    return f"If {name} {_keep_or_move(rung.keep_from, rung.move_to, labels)}"


def _absence_rule(ladder: Ladder, labels: Labelling) -> str:
    if ladder.p_absent < NEVER:
        return ""
    absent = f"If {labels.names[ladder.captain.player]} does not play"
    rung, vice = ladder.vice, labels.names[ladder.vice.player]
    if rung.move_to is None:
        return f"{absent}, leave the armband alone: {vice} takes over."
    rule = _keep_or_move(rung.keep_from, rung.move_to, labels)
    return f"{absent}, leave the armband alone and {vice} takes over: if he {rule}"


def _later_rule(rung: Rung, labels: Labelling) -> str:
    name = labels.full(rung.player)
    if rung.move_to is None:
        return f"Once it is with {name}, keep him whatever he scores."
    return f"Once it is with {name}: if he {_keep_or_move(rung.keep_from, rung.move_to, labels)}"


def _keep_or_move(keep_from: int | None, move_to: int, labels: Labelling) -> str:
    return f"scores {keep_from} or more keep him; otherwise move the armband to {labels.full(move_to)}."


def _warning(ladder: Ladder, labels: Labelling) -> str:
    """Say when not to switch: wherever the man in hand beats a move, net of what the change costs."""
    if ladder.captain.onward == -math.inf and not ladder.later:
        return ""
    name = labels.names[ladder.captain.player]
    worth = f", worth about {ladder.forfeit:.1f} points" if ladder.forfeit >= SHOWN else ""
    cost = f"the first change of the round cancels the vice and your auto-subs{worth}"
    if ladder.captain.move_to is None:
        return f"Do not switch after {name} has played: {cost}."
    return f"Do not switch once {name} has {ladder.captain.keep_from}: {cost}."


def _worth(ladder: Ladder) -> str:
    stuck = "" if ladder.setting == "locked" else f" If the armband never moved: {ladder.held:.1f}."
    return f"On average {_against(ladder.value)} no captain.{stuck}"


def _against(points: float) -> str:
    if abs(points) < SHOWN:
        return "level with"
    return f"{abs(points):.1f} points {'more' if points > 0 else 'less'} than"
