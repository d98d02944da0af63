"""Wishes and questions about a plan as a manager writes them: NAME@ROUND, N@ROUND, "sell NAME"; read into ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.errors import InputError, UnknownError, did_you_mean
from data.rules import GameRules
from data.worlds.snapshot import Snapshot
from engine.board.wish_words import named_players
from engine.plan.advice.why import Question
from engine.plan.asking.wishes import ChipAt, Have, PlanWishes
from engine.plan.asking.words import placed_boosters
from models.signals import Signals


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPlanWishes:
    """What a manager asks of his plan, as he writes it."""

    have: Sequence[str] = ()  # NAME, or NAME@ROUND he has to be there by
    never_sell: Sequence[str] = ()  # NAME
    captain_in: Sequence[str] = ()  # NAME@ROUND
    not_chip: Sequence[str] = ()  # NAME of a booster that is kept, or NAME@ROUND it is not played in
    most_transfers: Sequence[str] = ()  # N a round, or N@ROUND
    in_all: int | None = None
    bank: float = 0.0


@dataclass(frozen=True, slots=True)
class StatedQuestion:
    """A question of the kind "why not?", read."""

    question: Question
    words: str  # the move as the answer names it, such as "Selling Saka"
    player: int | None = None  # id
    chip: str | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PlanReader:
    """Reads a manager's words about a plan of some rounds."""

    snapshot: Snapshot
    signals: Signals
    boosters: Sequence[str]  # keys of those at hand
    rounds: Sequence[int]

    @property
    def rules(self) -> GameRules:
        """Of the game."""
        return self.signals.rules

    def wishes(self, stated: StatedPlanWishes) -> PlanWishes:
        """Return what is asked, by ids and keys."""
        counts = [_at(text, "--most-transfers", "2 or 1@9") for text in stated.most_transfers]
        barred = [text for text in stated.not_chip if "@" in text]
        kept = [text for text in stated.not_chip if "@" not in text]
        leads = [self._man_in(text, "--captain-in") for text in stated.captain_in]
        return PlanWishes(
            have=tuple(self._have(text) for text in stated.have),
            keep=named_players(stated.never_sell, self.snapshot, self.signals),
            captain={number: player for player, number in leads},
            chips_out=tuple(ChipAt(key, number) for number, key in self._placed(barred)),
            chips_kept=tuple(key for name in kept for key in self._keys(name)),
            each_round=min((_whole(count) for count, number in counts if number is None), default=None),
            most_transfers={number: _whole(count) for count, number in counts if number is not None},
            in_all=stated.in_all,
            bank=stated.bank,
        )

    def question(self, text: str) -> StatedQuestion:
        """Return what is asked about: "sell NAME", "buy NAME" or "chip NAME@ROUND"."""
        kind, _, rest = text.strip().partition(" ")
        if kind not in list(Question) or not rest.strip():
            raise InputError(f'{text!r} asks nothing. Write "sell NAME", "buy NAME" or "chip NAME@ROUND".')
        if kind == Question.CHIP:
            number, key = next(iter(self._placed([rest])))
            title = self.rules.boosters[key].title
            words = f"Playing {title} in {self.rules.round_title(number)}"
            return StatedQuestion(Question.CHIP, words, chip=key, round=number)
        player = self._man(rest)
        verb = "Selling" if kind == Question.SELL else "Buying"
        name = str(self.signals.short[self.signals.row_of(player)])
        return StatedQuestion(Question(kind), f"{verb} {name}", player=player)

    def _man(self, name: str) -> int:
        return named_players([name.strip()], self.snapshot, self.signals)[0]

    def _man_in(self, text: str, option: str) -> tuple[int, int]:
        name, number = _at(text, option, "Saka@9")
        if number is None:
            raise InputError(f"{option} {text!r} names no round. Write NAME@ROUND, such as Saka@9.")
        return self._man(name), number

    def _have(self, text: str) -> Have:
        name, number = _at(text, "--have", "Saka or Saka@9")
        return Have(self._man(name), by=number)

    def _placed(self, texts: Sequence[str]) -> list[tuple[int, str]]:
        return list(placed_boosters(texts, self.rules, self.boosters, self.rounds))

    def _keys(self, name: str) -> list[str]:
        plain = name.strip().lower().replace("-", "_").replace(" ", "_")
        keys = [key for key in self.boosters if plain in (key, str(self.rules.boosters[key].effect))]
        if not keys:
            known = sorted({str(self.rules.boosters[key].effect) for key in self.boosters})
            raise UnknownError(f"There is no booster {name!r} left. {did_you_mean(plain, known)}")
        return keys


def _at(text: str, option: str, example: str) -> tuple[str, int | None]:
    """Return what stands before an @, and the round after it; None without one."""
    name, at, number = text.rpartition("@")
    if not at:
        return text, None
    if not name.strip() or not (number.isascii() and number.isdecimal()) or len(number) > 3:
        raise InputError(f"{option} {text!r} is not understood. Write {example}.")
    return name, int(number)


def _whole(text: str) -> int:
    if not (text.strip().isascii() and text.strip().isdecimal() and len(text) < 4):
        raise InputError(f"--most-transfers {text!r} is no number. Write 2, or 1@9 for round 9.")
    return int(text)
