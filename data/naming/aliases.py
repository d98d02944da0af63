"""Scorers' names that no rule of spelling can place, judged by hand: who they are, and who they are not."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from data.errors import TableError
from data.naming.names import folded

SHIPPED = Path(__file__).parent / "aliases.toml"


@dataclass(frozen=True, slots=True)
class Aliases:
    """Judgements by team code; names are folded, so that accents and hyphens do not matter."""

    players: Mapping[str, Mapping[str, str]]  # team → scorer as the results set writes him → name in the pool
    strangers: Mapping[str, frozenset[str]]  # team → scorers who only look like somebody in the pool

    def player(self, team: str, scorer: str) -> str | None:
        """Return the pool's name of a scorer, None where nothing was judged."""
        return self.players.get(team, {}).get(scorer)

    def is_stranger(self, team: str, scorer: str) -> bool:
        """Return whether a scorer is known to be nobody of the pool, whatever he is called."""
        return scorer in self.strangers.get(team, ())


def read_aliases(path: Path = SHIPPED) -> Aliases:
    """Return the judgements of a file; one that breaks the layout is refused with section and entry."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:  # unreadable, not UTF-8, not TOML
        raise TableError(f"{path.name}: {error}") from None
    unknown = sorted(set(content) - {"players", "strangers"})
    if unknown:
        raise TableError(f"{path.name}: unknown section {unknown[0]!r}; use [players.TEAM] and [strangers].")
    players = {team: _spellings(path, team, entries) for team, entries in _section(path, content, "players").items()}
    strangers = {team: _names(path, team, entries) for team, entries in _section(path, content, "strangers").items()}
    for team, names in strangers.items():
        if both := sorted(names & players.get(team, {}).keys()):
            raise TableError(f"{path.name}, {team}: {both[0]!r} is both a player and a stranger; keep one.")
    return Aliases(players, strangers)


def _section(path: Path, content: Mapping[str, object], name: str) -> dict[str, object]:
    section = content.get(name, {})
    if not isinstance(section, dict):
        raise TableError(f"{path.name}: {name!r} must be a section, one entry per team.")
    return section


def _spellings(path: Path, team: str, entries: object) -> dict[str, str]:
    if not isinstance(entries, dict) or not all(isinstance(name, str) and folded(name) for name in entries.values()):
        raise TableError(f'{path.name}, [players.{team}]: every entry must be written as "scorer" = "player".')
    return {folded(spelling): folded(name) for spelling, name in entries.items()}


def _names(path: Path, team: str, entries: object) -> frozenset[str]:
    if not isinstance(entries, list) or not all(isinstance(name, str) and folded(name) for name in entries):
        raise TableError(f'{path.name}, [strangers], {team}: write a list of names, ["scorer", "scorer"].')
    return frozenset(folded(name) for name in entries)
