"""A small cup whose players have the names that break pages and spreadsheets."""

from __future__ import annotations

from functools import cache

import pandas as pd

from data.worlds.library import world_folder
from data.worlds.world import World
from tests.cases.small_world import changed, small_cup

AWKWARD = ("<script>alert(1)</script>", "=1+1", "Ødegaard", "🦁", "x" * 200, "![p](http://example.org/p.png)")
NAME = "awkward"


@cache
def awkward_cup() -> World:
    """The small cup; the first players carry the awkward names as known names."""

    def renamed(players: pd.DataFrame) -> pd.DataFrame:
        players.loc[players.index[: len(AWKWARD)], "known_name"] = AWKWARD
        return players

    return changed(small_cup(), "players", renamed)


def kept_cup(world: World | None = None, name: str = NAME) -> str:
    """Put a world where the page finds it; return its name."""
    (world or awkward_cup()).save(world_folder(name))
    return name


def squad_ids(world: World, round_number: int = 1) -> list[int]:
    """Return a legal squad of the small cup: of each position the cheapest, two of a team at most."""
    players = world.at(round_number).players.sort_values(["price", "player_id"])
    chosen: list[int] = []
    for position, count in {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3}.items():
        for row in players[players["position"] == position].itertuples(index=False):
            teams = players[players["player_id"].isin(chosen)]["team"]
            mates = int((teams == row.team).sum())
            if sum(players.set_index("player_id")["position"][chosen] == position) < count and mates < 3:
                chosen.append(int(row.player_id))
    return chosen
