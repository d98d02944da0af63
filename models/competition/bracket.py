"""The knock-out bracket: its slots, the table that seats the best thirds, and who meets whom."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from data.errors import ModelError
from models.competition.groups import round_of

THIRD = 3
"""The place from which only the best of all groups go through."""

_SLOT = re.compile(r"(?P<place>[1-9])(?P<groups>[A-Z]+)|(?P<outcome>[WL])(?P<match>[1-9]\d*)")


@dataclass(frozen=True, slots=True)
class Slot:
    """One seat: a group's place (1A), a best third (3ABCDF), an earlier match's winner (W74), loser (L101)."""

    text: str
    place: int = 0  # 1 = winner of the group; 0 where an earlier match decides
    groups: str = ""
    match: int = 0  # official number of the earlier match
    winner: bool = True

    @property
    def is_best_third(self) -> bool:
        """Whether the best-thirds table, not one group alone, decides who sits here."""
        return len(self.groups) > 1


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One knock-out match before anybody is seated."""

    number: int
    stage: str
    slots: tuple[Slot, Slot]
    host: str = ""  # team that is at home there if it plays: the venue is known before the teams are

    @property
    def round(self) -> int:
        """Fantasy round in which it is played."""
        return round_of(self.stage)

    @property
    def is_consolation(self) -> bool:
        """Whether losers meet here: nobody goes on from it."""
        return not all(slot.winner for slot in self.slots)


@dataclass(frozen=True, slots=True, eq=False)
class Bracket:
    """The knock-out stages in playing order, bound to the groups. Build it with `read_bracket`."""

    letters: tuple[str, ...]  # (g,)
    matches: tuple[BracketMatch, ...]
    combination: np.ndarray  # (2**g,) bit set of the groups whose third is through → row of `third_of`
    third_of: np.ndarray  # (rows, g) group of the third that each group winner meets, -1 = none

    @property
    def rounds(self) -> tuple[int, ...]:
        """Knock-out rounds in playing order."""
        return tuple(dict.fromkeys(match.round for match in self.matches))

    @property
    def best_thirds(self) -> int:
        """How many thirds go through."""
        return sum(slot.is_best_third for match in self.matches for slot in match.slots)

    @property
    def direct_places(self) -> int:
        """How many of each group go through whatever the other groups do."""
        slots = (slot for match in self.matches for slot in match.slots)
        return max(slot.place for slot in slots if not slot.is_best_third)

    def of_round(self, number: int) -> tuple[BracketMatch, ...]:
        """Return the matches of one round: the last has the match for third place and the final."""
        return tuple(match for match in self.matches if match.round == number)

    def pairs(self, number: int, field: BracketField, decided: Mapping[int, np.ndarray]) -> np.ndarray:
        """(m, 2, s) teams of a round; `decided` has the (2, s) winners and losers of earlier matches."""
        return np.array([self._pair(match, field, decided) for match in self.of_round(number)], dtype=np.int16)

    def _pair(
        self, match: BracketMatch, field: BracketField, decided: Mapping[int, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        first, second = match.slots
        return self._seat(first, second, field, decided), self._seat(second, first, field, decided)

    def _seat(self, slot: Slot, opposite: Slot, field: BracketField, decided: Mapping[int, np.ndarray]) -> np.ndarray:
        if slot.match:
            return np.asarray(decided[slot.match][0 if slot.winner else 1])
        if slot.is_best_third:
            return np.asarray(field.third_met[self.letters.index(opposite.groups)])
        return np.asarray(field.order[slot.place - 1, self.letters.index(slot.groups)])

    def seat_field(self, order: np.ndarray, thirds: np.ndarray) -> BracketField:
        """Bind (t, g, s) teams by place and the (g, s) places among the thirds to the bracket."""
        if not self.best_thirds:
            return BracketField(order, np.full(order.shape[1:], -1, dtype=order.dtype))
        through = thirds < self.best_thirds
        rows = self.combination[(through << np.arange(len(self.letters))[:, None]).sum(axis=0)]
        if (rows < 0).any():
            some = through[:, np.argmax(rows < 0)]
            letters = "".join(letter for letter, best in zip(self.letters, some, strict=True) if best)
            raise ModelError(f"The best-thirds table has no row for thirds of the groups {letters}.")
        met = self.third_of[rows].T
        return BracketField(order, np.take_along_axis(order[THIRD - 1], met, axis=0))


@dataclass(frozen=True, slots=True, eq=False)
class BracketField:
    """Who came out of the groups, and where."""

    order: np.ndarray  # (t, g, s) team numbers, group winners first
    third_met: np.ndarray  # (g, s) the third that each group winner meets; without meaning if it meets none


def read_bracket(bracket: pd.DataFrame, best_thirds: pd.DataFrame, letters: Sequence[str]) -> Bracket:
    """Read and check the knock-out tables against the groups."""
    rows = bracket.sort_values("official_no").to_dict("records")
    matches = tuple(
        BracketMatch(
            int(row["official_no"]),
            row["stage"],
            (read_slot(row["slot_1"]), read_slot(row["slot_2"])),
            row.get("host", ""),  # a bracket without venues is played on neutral ground
        )
        for row in rows
    )
    _check_matches(matches, letters)
    combination, third_of = _read_best_thirds(best_thirds, matches, letters)
    return Bracket(tuple(letters), matches, combination, third_of)


def read_slot(text: str) -> Slot:
    """Read a slot such as 1A, 3ABCDF, W74 or L101."""
    found = _SLOT.fullmatch(text)
    if found is None:
        raise ModelError(f"Slot {text!r} of the bracket is not like 1A, 3ABCDF, W74 or L101.")
    if found["match"]:
        return Slot(text, match=int(found["match"]), winner=found["outcome"] == "W")
    return Slot(text, place=int(found["place"]), groups=found["groups"])


def _check_matches(matches: Sequence[BracketMatch], letters: Sequence[str]) -> None:
    if not matches:
        raise ModelError("The bracket is empty. A competition without knock-outs is a league.")
    round_by_number = {match.number: match.round for match in matches}
    for match in matches:
        for slot, opposite in (match.slots, match.slots[::-1]):
            earlier = not slot.match or round_by_number.get(slot.match, match.round) < match.round
            seated = not slot.is_best_third or (slot.place == THIRD and opposite.place == 1)
            if not (earlier and seated and set(slot.groups) <= set(letters)):
                raise ModelError(
                    f"Slot {slot.text} of match {match.number} is no place of a group, no earlier match and "
                    "no best third that meets a group winner. Correct the bracket."
                )


def _read_best_thirds(
    table: pd.DataFrame, matches: Sequence[BracketMatch], letters: Sequence[str]
) -> tuple[np.ndarray, np.ndarray]:
    number = {letter: row for row, letter in enumerate(letters)}
    combination = np.full(2 ** len(letters), -1, dtype=np.int16)
    third_of = np.full((len(table), len(letters)), -1, dtype=np.int16)
    allowed = {
        opposite.groups: slot.groups
        for match in matches
        for slot, opposite in (match.slots, match.slots[::-1])
        if slot.is_best_third
    }
    for row, entry in enumerate(table.to_dict("records") if allowed else ()):
        thirds = str(entry["thirds"])
        met = {winner: str(entry.get(f"vs_1{winner}", "")) for winner in allowed}
        _check_combination(thirds, met, allowed)
        combination[sum(1 << number[letter] for letter in thirds)] = row
        third_of[row, [number[winner] for winner in met]] = [number[letter] for letter in met.values()]
    return combination, third_of


def _check_combination(thirds: str, met: Mapping[str, str], allowed: Mapping[str, str]) -> None:
    wrong = [winner for winner, third in met.items() if not third or third not in allowed[winner]]
    if wrong or sorted(met.values()) != sorted(thirds):
        pairs = ", ".join(f"1{winner}–3{third or '?'}" for winner, third in met.items())
        raise ModelError(f"Row {thirds} of the best-thirds table does not fit the bracket's slots: {pairs}.")
