"""Player names: how they are shown, and how two spellings of one name are recognised."""

from __future__ import annotations

import re
import unicodedata

import pandas as pd

_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th", "ə": "e", "'": "", "’": ""}
)
"""Letters that no Unicode decomposition takes apart, as the results sets write them; apostrophes fall away."""

_BETWEEN_WORDS = re.compile(r"[^0-9a-z]+")
PIECE = 200
"""Characters folded at once, longer than any name: Unicode sorts marks that follow each other in quadratic time."""


def folded(name: str) -> str:
    """Return a name without accents, case and punctuation: what is left when two spellings agree."""
    if name.isascii():  # nothing to take apart: five times as fast, and most names are
        return _BETWEEN_WORDS.sub(" ", name.casefold().translate(_LETTERS)).strip()
    pieces = (_plain(name[start : start + PIECE]) for start in range(0, len(name), PIECE))
    return " ".join("".join(pieces).split())


def _plain(piece: str) -> str:
    """Return letters and digits without accents and case, and a blank for anything else."""
    composed = unicodedata.normalize("NFKC", piece).casefold()
    plain = unicodedata.normalize("NFKD", composed).casefold().translate(_LETTERS)
    kept = (letter for letter in plain if not unicodedata.combining(letter))
    return "".join(letter if letter.isalnum() else " " for letter in kept)


def full_names(players: pd.DataFrame) -> pd.Series:
    """Return the name to show: the known name, else first and last; namesakes get their team, then their number.

    Needs the columns first_name, last_name, known_name, team and player_id.
    """
    joined = (players["first_name"] + " " + players["last_name"]).str.strip()
    name = players["known_name"].where(players["known_name"] != "", joined)
    name = name.where(name != "", "Player " + players["player_id"].astype("str"))
    name = name.where(~name.duplicated(keep=False), name + " (" + players["team"] + ")")
    return name.where(~name.duplicated(keep=False), name + " " + players["player_id"].astype("str")).astype("str")


def short_names(players: pd.DataFrame) -> pd.Series:
    """Return a name that fits a shirt: the last name, with an initial or in full where it is not the only one.

    Needs the columns of `full_names` and `name`.
    """
    last = players["known_name"].where(players["known_name"] != "", players["last_name"])
    last = last.where(last != "", players["name"])
    initial = players["first_name"].str.slice(0, 1) + ". " + last
    initial = initial.where(players["first_name"] != "", last)
    short = last.where(~last.duplicated(keep=False), initial)
    return short.where(~short.duplicated(keep=False), players["name"]).astype("str")
