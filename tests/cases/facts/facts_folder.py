"""Write a world back as a folder of fact tables, so that the importer is tested without any file from outside."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from data.importing.tournament_layout import COUNTED
from data.worlds.world import World


def write_facts(world: World, folder: Path, *, rounds: int = 8) -> Path:
    """Write the tables a tournament importer reads, with the rounds up to a given one."""
    tables = dict(world.tables)
    known = {name: t[t["round"] <= rounds] if "round" in t else t for name, t in tables.items()}
    market = known["market"]
    files = {
        "teams": tables["teams"].assign(host=tables["teams"]["host"].astype(int)),
        "players": _players(world),
        "fixtures": _fixtures(known["fixtures"]),
        "ownership": _wide(market.assign(owned=(market["owned"] * 100).round(3)), "owned", tables["players"]),
        "points": _wide(known["points"], "points", tables["players"]),
        "status": market.loc[market["status"] != "playing", ["round", "player_id", "status"]],
        "minutes": known["appearances"].assign(started=known["appearances"]["started"].astype(int)),
        "official_player_rounds": known["events"][["player_id", "round", "match_id", "points", "minutes", *COUNTED]],
        "bracket": tables["bracket"],
        "best_thirds": tables["best_thirds"],
    }
    history = {"results": tables["results"], "goalscorers": tables["goals"], "shootouts": tables["shootouts"]}
    (folder / "internationals").mkdir(parents=True)
    for name, frame in files.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    for name, frame in history.items():
        frame.to_csv(folder / "internationals" / f"{name}.csv.gz", index=False)
    return folder


def _players(world: World) -> pd.DataFrame:
    first = world.tables["market"].sort_values("round").drop_duplicates("player_id")
    deadlines = world.tables["rounds"].set_index("round")["deadline"]
    seen = first["round"].map(deadlines).dt.strftime("%Y-%m-%d")
    return world.tables["players"].merge(first.assign(first_seen=seen).drop(columns=["round", "owned"]), on="player_id")


def _fixtures(fixtures: pd.DataFrame) -> pd.DataFrame:
    return fixtures.assign(kickoff_utc=fixtures["kickoff"].dt.strftime("%Y-%m-%dT%H:%MZ"))


def _wide(rows: pd.DataFrame, value: str, players: pd.DataFrame) -> pd.DataFrame:
    wide = rows.pivot(index="player_id", columns="round", values=value).add_prefix("r")
    wide = wide.reindex(players["player_id"])
    return (wide.astype("Int64") if value == "points" else wide).reset_index()
