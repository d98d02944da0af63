"""The rules that the game itself tells, beside the rulebook: what differs, and which events it does not know."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from data.domain import POSITIONS
from data.errors import PayloadError
from data.importing.season_layout import EVENT_NAMES, FIGURES, LATER_EVENTS, POSITION_OF
from data.rules import GameRules
from data.schema import DIFFERENCES
from data.sources.fpl.wire import BOOTSTRAP, WireBootstrap

OURS = EVENT_NAMES | LATER_EVENTS
SHORT, LONG = "short_play", "long_play"
"""What the game pays an appearance, and one of sixty minutes."""

POSITION_NAMES = {"GKP": "GK", "GK": "GK", "DEF": "DEF", "MID": "MID", "FWD": "FWD"}
COUNTED = frozenset((*OURS, *FIGURES, "minutes", "starts", "influence", "creativity", "threat", "ict_index"))
"""What a game may count without paying for it, and what we read."""

ByPosition = dict[str, float]


def differences_table(bootstrap: WireBootstrap, rules: GameRules) -> pd.DataFrame:
    """Return the sections of the rulebook that the game tells otherwise, each with a sentence.

    A game of another squad is refused: no line-up of ours could be entered there.
    """
    _refuse_other_squad(bootstrap, rules)
    found: dict[str, str] = dict(_unknown(bootstrap)) | dict(_different(bootstrap, rules))
    return pd.DataFrame(list(found.items()), columns=DIFFERENCES.column_names)


def _refuse_other_squad(bootstrap: WireBootstrap, rules: GameRules) -> None:
    asked = {kind.id: kind.squad_select for kind in bootstrap.element_types or [] if kind.squad_select}
    for number, position in POSITION_OF.items():
        ours = rules.squad.places[POSITIONS.index(position)]
        if asked.get(number, ours) != ours:
            raise PayloadError(
                f"{BOOTSTRAP}: a squad of this game has {asked[number]} {position}, and one of {rules.title} has "
                f"{ours}. There is no rulebook of this game."
            )


def _unknown(bootstrap: WireBootstrap) -> Iterator[tuple[str, str]]:
    """Yield what the game pays for, or seems to, and no rulebook of ours can count."""
    scoring = _scoring(bootstrap)
    names = scoring or {stat.name: {} for stat in bootstrap.element_stats or []}
    known = {*OURS, SHORT, LONG, "special_multiplier"} if scoring else COUNTED
    for name, points in names.items():
        paid = any(points.values()) if scoring else not name.startswith(("expected_", "mng_"))
        if paid and name not in known:
            yield f"scoring.{name}", f"{name} is an event that the rulebook does not know"


def _different(bootstrap: WireBootstrap, rules: GameRules) -> Iterator[tuple[str, str]]:
    scoring = _scoring(bootstrap)
    for name, ours in OURS.items():
        lines = {key: line for key, line in rules.scoring.items() if line.event == ours}
        own = {at: float(sum(line.points_for(at) for line in lines.values())) for at in POSITIONS}
        if name in scoring and _nonzero(scoring[name]) != _nonzero(own) and not _keepers_only(scoring[name], own):
            yield f"scoring.{next(iter(lines), ours)}", f"{name} pays {_spelt(scoring[name])}, not {_spelt(own)}"
    if SHORT in scoring and LONG in scoring:
        yield from _minutes_differ(scoring, rules)


def _minutes_differ(scoring: Mapping[str, ByPosition], rules: GameRules) -> Iterator[tuple[str, str]]:
    """Yield where appearances pay otherwise: ours are paid line by line, the game's for the one that applies."""
    lines = {key: line for key, line in rules.scoring.items() if line.event == "minutes"}
    first = {at: float(sum(x.points_for(at) for x in lines.values() if (x.at_least or 0) == 1)) for at in POSITIONS}
    every = {at: float(sum(line.points_for(at) for line in lines.values())) for at in POSITIONS}
    for name, own in ((SHORT, first), (LONG, every)):
        if scoring[name] != own:
            yield f"scoring.{name}", f"{name} pays {_spelt(scoring[name])}, not {_spelt(own)}"


def _keepers_only(told: ByPosition, own: ByPosition) -> bool:
    """Whether the game pays everybody alike what only goalkeepers do, as saves, and ours pays them the same."""
    return len(set(told.values())) == 1 and _nonzero(own) == {"GK": told["GK"]}


def _scoring(bootstrap: WireBootstrap) -> dict[str, ByPosition]:
    told = bootstrap.game_config.scoring if bootstrap.game_config and bootstrap.game_config.scoring else {}
    read = {name: _by_position(points) for name, points in told.items()}
    return {name: points for name, points in read.items() if points}


def _by_position(points: object) -> ByPosition:
    """Return points by position; nothing where they are written in a way we do not know."""
    if isinstance(points, int | float):
        return dict.fromkeys(POSITIONS, float(points))
    if not isinstance(points, dict):
        return {}
    return {
        POSITION_NAMES[name]: float(value)
        for name, value in points.items()
        if name in POSITION_NAMES and isinstance(value, int | float)
    }


def _nonzero(points: ByPosition) -> ByPosition:
    return {at: value for at, value in points.items() if value}


def _spelt(points: ByPosition) -> str:
    values = {f"{value:g}" for value in points.values()}
    return values.pop() if len(values) == 1 else ", ".join(f"{at} {value:g}" for at, value in points.items())
