"""Boosters as a manager writes them: NAME@ROUND, by the key or by what the booster does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.errors import InputError, UnknownError, did_you_mean
from data.rules import GameRules


def placed_boosters(
    chips: Sequence[str], rules: GameRules, at_hand: Sequence[str], rounds: Sequence[int]
) -> Iterator[tuple[int, str]]:
    """Yield the round and the key of every booster that is asked for as NAME@ROUND."""
    for text in chips:
        name, at, number = text.partition("@")
        if not at or not (number.isascii() and number.isdecimal()) or len(number) > 3:
            raise InputError(
                f"{text!r} names no booster and round. Write auto, none, or NAME@ROUND such as wildcard@9."
            )
        key = _key_of(name, rules, at_hand, int(number))
        if int(number) not in rounds:
            raise InputError(f"{text!r} is outside the plan, which covers rounds {rounds[0]} to {rounds[-1]}.")
        yield int(number), key


def _key_of(name: str, rules: GameRules, at_hand: Sequence[str], number: int) -> str:
    """Return the booster that a name means: its key, or the one of several sets that may be played in the round."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    keys = [key for key in at_hand if key == plain or str(rules.boosters[key].effect) == plain]
    legal = [key for key in keys if rules.boosters[key].legal_in(number)]
    if not keys:
        known = sorted({str(booster.effect) for booster in rules.boosters.values()})
        raise UnknownError(f"There is no booster {name!r} left. {did_you_mean(plain, known)}")
    if not legal:
        raise InputError(f"{rules.boosters[keys[0]].title} cannot be played in {rules.round_title(number)}.")
    return legal[0]
