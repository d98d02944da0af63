"""A world written back in the World Cup feed's wire shape, as served before a round: what a loopback server needs."""

from __future__ import annotations

import hashlib
import json
from datetime import timedelta, timezone

import pandas as pd

from data.sources.fifa.wire import CHECKSUMS, COMPLETE, PLAYERS, ROUNDS, SQUADS, WireCounts, stats_name
from data.worlds.snapshot import Snapshot
from data.worlds.world import World

OFFSET = timezone(timedelta(hours=1))
"""The feed gives British summer time."""

LAST_ROUND = 8
FULL_TIME, EXTRA_TIME, SHOOT_OUT, NOT_STARTED = "full_time", "extra_time", "penalty_shoot_out", "pre_match"
NINETY, LONGER = 97, 127  # minutes on the feed's clock after a usual match, and after one with extra time
EVENT_KEYS = {name: str(field.alias) for name, field in WireCounts.model_fields.items()}


def to_feed(world: World, round_number: int) -> dict[str, bytes]:
    """Return the feed's documents, name → content, with what the world knows before a round."""
    snapshot = world.at(round_number)
    squads = snapshot.teams.set_index("code")["team_id"]
    documents: dict[str, object] = {
        PLAYERS: _players(snapshot, squads),
        SQUADS: [
            {"id": int(row.team_id), "name": row.name, "group": row.group.lower(), "abbr": row.code}
            for row in snapshot.teams.itertuples(index=False)
        ],
        ROUNDS: [_round(number, snapshot, squads) for number in range(1, LAST_ROUND + 1)],
    }
    counts = dict(list(snapshot.events.groupby("player_id")))
    for player_id in snapshot.players["player_id"]:
        documents[stats_name(int(player_id))] = _counts(counts.get(player_id))
    contents = {name: json.dumps(value, ensure_ascii=False).encode() for name, value in documents.items()}
    digests = {name: hashlib.md5(content, usedforsecurity=False).hexdigest() for name, content in contents.items()}
    return contents | {CHECKSUMS: json.dumps(digests).encode()}


def _players(snapshot: Snapshot, squads: pd.Series) -> list[dict[str, object]]:
    market = snapshot.market
    owned = _by_player(market.assign(percent=(market["owned"] * 100).round(6)), "percent")
    scored = _by_player(snapshot.points, "points")
    return [
        {
            "id": int(row.player_id),
            "firstName": row.first_name or None,
            "lastName": row.last_name or None,
            "knownName": row.known_name or None,
            "squadId": int(squads[row.team]),
            "position": row.position,
            "price": float(row.price),
            "status": row.status,
            "percentSelected": round(float(row.owned) * 100, 6),
            "roundsSelected": owned.get(int(row.player_id), []),
            "stats": {"roundPoints": scored.get(int(row.player_id), [])},
        }
        for row in snapshot.players.itertuples(index=False)
    ]


def _by_player(frame: pd.DataFrame, column: str) -> dict[int, dict[str, float | int]]:
    found: dict[int, dict[str, float | int]] = {}
    for player_id, number, value in zip(frame["player_id"], frame["round"], frame[column].tolist(), strict=True):
        found.setdefault(int(player_id), {})[str(number)] = value
    return found


def _round(number: int, snapshot: Snapshot, squads: pd.Series) -> dict[str, object]:
    matches = snapshot.fixtures[snapshot.fixtures["round"] == number]
    return {
        "id": number,
        "status": COMPLETE if number < snapshot.round else "scheduled",
        "startDate": None if matches.empty else _local(matches["kickoff"].min()),
        "tournaments": [_match(row, squads, snapshot.round) for _, row in matches.iterrows()],
    }


def _match(row: pd.Series, squads: pd.Series, coming: int) -> dict[str, object]:
    over = int(row["round"]) < coming
    longer = over and not pd.isna(row["home_goals_aet"])
    shoot_out = over and not pd.isna(row["home_pens"])
    period = SHOOT_OUT if shoot_out else EXTRA_TIME if longer else FULL_TIME if over else NOT_STARTED
    match: dict[str, object] = {
        "id": int(row["match_id"]),
        "period": period,
        "minutes": LONGER if longer else NINETY if over else 0,
        "venueCity": row["city"] or None,
        "date": _local(row["kickoff"]),
        "status": COMPLETE if over else "scheduled",
    }
    for side in ("home", "away"):
        goals = row[f"{side}_goals_aet"] if longer else row[f"{side}_goals_90"]
        match |= {
            f"{side}SquadId": int(squads[row[side]]),
            f"{side}Score": int(goals) if over else None,
            f"{side}PenaltyScore": (int(row[f"{side}_pens"]) if shoot_out else 0) if over else None,
        }
    return match


def _counts(events: pd.DataFrame | None) -> list[dict[str, object]]:
    if events is None:
        return []
    return [
        {
            "roundId": int(row["round"]),
            "points": int(row["points"]),
            "stats": {key: int(row[name]) for name, key in EVENT_KEYS.items()},
        }
        for _, row in events.iterrows()
    ]


def _local(moment: pd.Timestamp) -> str:
    return str(moment.tz_convert(OFFSET).isoformat())
