"""Clubs by name: the one of a league's list that another list means, whatever each calls it."""

from __future__ import annotations

from collections.abc import Collection

SPELT = {"Man United": "Man Utd", "Sheffield United": "Sheffield Utd", "Tottenham": "Spurs"}
"""Clubs that lists of results call otherwise than the game."""


def club_meant(name: str, clubs: Collection[str]) -> str:
    """Return the club of a list that a name means, spelt as there; the name itself where it is none of them.

    One list may leave out what another writes behind a place: Ipswich is Ipswich Town, if no other begins so.
    """
    spelt = SPELT.get(name, name)
    if spelt in clubs:
        return spelt
    near = [club for club in clubs if club.startswith(f"{spelt} ") or spelt.startswith(f"{club} ")]
    return near[0] if len(near) == 1 else spelt
