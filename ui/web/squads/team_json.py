"""The game's own team as JSON: which ids it lists, who is captain, what is in the bank. Pure; the page calls `uploads`.

Fantasy Premier League serves `picks` with places and a captain; the World Cup game's team has no published shape, so
any document is searched for the smallest part that lists a whole squad of ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from data.errors import TableError
from data.storage.json_text import read_json

TENTHS = 10.0
HIGHEST_SALE = 1_000
"""Tenths of a million: nobody sells for more than half of it, and a budget adds fifteen of them up."""

DEEPEST = 12
"""Levels of a team's JSON; the game's own has four."""

ID_KEYS = ("element", "playerId", "player_id", "id")
"""Where an object of a list keeps its player's id, the surest first: a place has an `id` of its own."""

CAPTAIN_MARKS = ("is_captain", "isCaptain", "captain")
CAPTAIN_KEYS = ("captain", "captainId", "captain_id")


@dataclass(frozen=True, slots=True)
class BroughtSquad:
    """The players a visitor's text, file or number means, and what is to be said about it."""

    player_ids: tuple[int, ...]  # in the order given; starters first where places are
    remarks: tuple[str, ...] = ()  # rows that fit nobody or several, repeated players, unused columns
    budget: float | None = None  # millions: the bank and what the players sell for, where the game tells it
    free_transfers: int | None = None
    selling: Mapping[int, float] = field(default_factory=dict)  # player id → millions, told only to a team's owner
    captain: int | None = None
    entry: int | None = None  # the number it was fetched by
    chips: tuple[str, ...] | None = None  # boosters left, by the rulebook's names; None = not told


def looks_like_json(text: str) -> bool:
    """Return whether a pasted text is meant as JSON."""
    return text.lstrip("\ufeff \t\r\n").startswith(("{", "["))


def read_team(text: str, size: int) -> BroughtSquad:
    """Return the team of a document; `size` is how many players a squad has."""
    document = read_json(text.encode(), "Your team", deepest=DEEPEST)
    places = _places(document)
    ids = [number for place in places if (number := _id_of(place))] or _squad_ids(document, size)
    if not ids:
        raise TableError("Your team's JSON lists no player ids. Paste the names of your players instead.")
    selling = _selling(places)
    return BroughtSquad(
        tuple(ids), (), _budget(document, selling), _free_transfers(document), selling, _captain(places, document)
    )


def _places(document: object) -> list[Mapping[str, object]]:
    """Return the `picks` of a Premier League team in the order of their places."""
    picks = document.get("picks") if isinstance(document, Mapping) else None
    if not isinstance(picks, list):
        return []
    places = [pick for pick in picks if isinstance(pick, Mapping)]
    return sorted(places, key=lambda pick: _whole(pick.get("position")) or 0)


def _squad_ids(document: object, size: int) -> list[int]:
    """Return the ids of the smallest part that lists a whole squad, else every listed id."""
    for part in _parts(document):
        ids = list(dict.fromkeys(_listed(part)))
        if len(ids) == size:
            return ids
    return list(_listed(document))


def _parts(node: object) -> Iterator[object]:
    """Yield every object and list of a document, the inner before the outer."""
    for child in _children(node):
        yield from _parts(child)
    if isinstance(node, Mapping | list):
        yield node


def _children(node: object) -> Sequence[object]:
    if isinstance(node, Mapping):
        return list(node.values())
    return node if isinstance(node, list) else []


def _listed(node: object) -> Iterator[int]:
    """Yield the ids of all lists of ids below a node."""
    if isinstance(node, list) and node and all(_id_of(item) for item in node):
        yield from (number for item in node if (number := _id_of(item)))
        return
    for child in _children(node):
        yield from _listed(child)


def _id_of(item: object) -> int | None:
    """Return the id an item of a list stands for: a number, digits as text, or an object that holds one."""
    if isinstance(item, Mapping):
        held = (_whole(item.get(key)) for key in ID_KEYS)
        return next((number for number in held if number), None)
    return _whole(item)


def _whole(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 16:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53 else None


def _captain(places: Sequence[Mapping[str, object]], document: object) -> int | None:
    for place in (*places, *(part for part in _parts(document) if isinstance(part, Mapping))):
        if any(place.get(mark) is True for mark in CAPTAIN_MARKS) and (number := _id_of(place)):
            return number
        named = next((number for key in CAPTAIN_KEYS if (number := _whole(place.get(key)))), None)
        if named:
            return named
    return None


def _selling(places: Sequence[Mapping[str, object]]) -> dict[int, float]:
    """Return what each player sells for; nothing unless all are told."""
    sold = [(_id_of(place), _whole(place.get("selling_price"))) for place in places]
    known = {number: price / TENTHS for number, price in sold if number and price and price <= HIGHEST_SALE}
    return known if len(known) == len(places) else {}


def _budget(document: object, selling: Mapping[int, float]) -> float | None:
    """Return the bank and what the players sell for."""
    bank = _nested(document, "transfers", "bank")
    return round(bank / TENTHS + sum(selling.values()), 1) if bank is not None and selling else None


def _free_transfers(document: object) -> int | None:
    """Return the transfers left, told only to a team's owner; no limit means that changes are free."""
    limit, made = _nested(document, "transfers", "limit"), _nested(document, "transfers", "made")
    return None if limit is None or made is None else max(0, limit - made)


def _nested(document: object, outer: str, inner: str) -> int | None:
    section = document.get(outer) if isinstance(document, Mapping) else None
    value = section.get(inner) if isinstance(section, Mapping) else None
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**6 else None
