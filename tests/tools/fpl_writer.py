"""A league world written back in the shape of the Premier League game's API: what a loopback server needs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import pandas as pd

from data.importing.season_layout import EVENT_NAMES, FIGURES, LATER_EVENTS, POSITION_OF, STATE_NAMES, STATUS_OF
from data.rules import GameRules, ScoringLine, load_rules
from data.sources.fpl.managers.leagues import PER_PAGE
from data.sources.fpl.managers.wire import member_name, picks_name, record_name, standings_name
from data.sources.fpl.week_wire import STATUS, week_name
from data.sources.fpl.wire import BOOTSTRAP, FIXTURES, summary_name
from data.worlds.snapshot import Snapshot
from data.worlds.world import World

SQUADS = 10_000_000
"""Managers in the written game: enough that a rounded number of owners keeps seven digits of the share."""

PRICE_UNSEEN = 4.5
"""Of who played before he stood in the list: some are added between a deadline and the match."""

LEADER = 10_000
"""Points of a written league's leader, and one more."""

TYPE_OF = {position: number for number, position in POSITION_OF.items()}
LETTER_OF = {status.value: letter for letter, status in reversed(STATUS_OF.items())}


STATS = {**EVENT_NAMES, **LATER_EVENTS, "minutes": "minutes", "total_points": "points"}
"""The game's counts of a gameweek → ours."""

WRITTEN: dict[tuple[int, int, bool], tuple[World, dict[str, bytes]]] = {}
"""What was written of worlds, each kept beside it, so that no other takes its place in memory."""


def to_fpl_api(world: World, round_number: int, *, final: bool = True) -> dict[str, bytes]:
    """Return the API's documents, address → content, with what the world knows before a gameweek.

    Where the last gameweek is not `final`, its bonus is still to be added.
    """
    asked = (id(world), round_number, final)
    if asked not in WRITTEN:
        WRITTEN[asked] = (world, _written(world, round_number, final=final))
    return dict(WRITTEN[asked][1])


def _written(world: World, round_number: int, *, final: bool) -> dict[str, bytes]:
    snapshot = world.at(round_number)
    clubs = snapshot.teams.set_index("code")["team_id"]
    documents: dict[str, object] = {
        BOOTSTRAP: {
            "events": _events(world.tables["rounds"], round_number, final=final),
            "teams": [
                {"id": int(row.team_id), "name": row.name, "short_name": row.code}
                for row in snapshot.teams.itertuples(index=False)
            ],
            "elements": _elements(snapshot, clubs),
        },
        FIXTURES: [_match(row, clubs) for _, row in snapshot.fixtures.iterrows()],
    }
    documents |= _weeks(snapshot, load_rules(world.rulebook))
    day = {"event": round_number - 1, "date": "", "bonus_added": final, "points": "r" if final else "p"}
    documents[STATUS] = {"status": [day] if round_number > 1 else [], "leagues": "Updated"}
    histories = _histories(snapshot)
    for player_id in snapshot.players["player_id"]:
        documents[summary_name(int(player_id))] = {"history": histories.get(int(player_id), [])}
    return _as_bytes(documents)


def entry_documents(
    entry: int,
    gameweek: int,
    squad: Sequence[int],
    *,
    bank: float = 0.0,
    selling: Sequence[float] = (),
    chip: str | None = None,
    transfers: Mapping[int, int] | None = None,
    chips: Mapping[int, str] | None = None,
) -> dict[str, bytes]:
    """Return a manager's squad at a gameweek and his season so far; the first man is captain, the second vice.

    `transfers` by gameweek are those he made, none where it is silent; `chips` by gameweek those he played.
    """
    money = [{"selling_price": round(10 * price)} for price in selling] or [{}] * len(squad)
    picks = [
        {"element": int(player), "position": place, "is_captain": place == 1, "is_vice_captain": place == 2} | more
        for place, (player, more) in enumerate(zip(squad, money, strict=True), start=1)
    ]
    account = {"event": gameweek, "bank": round(10 * bank)}
    weeks = range(1, gameweek + 1)
    documents: dict[str, object] = {
        picks_name(entry, gameweek): {"active_chip": chip, "entry_history": account, "picks": picks},
        record_name(entry): {
            "current": [{"event": week, "event_transfers": (transfers or {}).get(week, 0)} for week in weeks],
            "chips": [{"event": week, "name": name} for week, name in (chips or {}).items()],
        },
    }
    return _as_bytes(documents)


def league_documents(league: int, name: str, entries: Sequence[int]) -> dict[str, bytes]:
    """Return a league's table in pages, the first entry leading it by a point on the next."""
    rows = [
        {
            "entry": entry,
            "entry_name": f"Team {entry}",
            "player_name": f"Manager {entry}",
            "rank": rank,
            "total": LEADER - rank,
        }
        for rank, entry in enumerate(entries, start=1)
    ]
    pages = [rows[start : start + PER_PAGE] for start in range(0, len(rows), PER_PAGE)] or [[]]
    return _as_bytes(
        {
            standings_name(league, number): {
                "league": {"id": league, "name": name},
                "standings": {"has_next": number < len(pages), "results": page},
            }
            for number, page in enumerate(pages, start=1)
        }
    )


def member_documents(entry: int, league: int, rank: int | None) -> dict[str, bytes]:
    """Return a manager with the rank that the game tells of him in a league."""
    return _as_bytes({member_name(entry): {"leagues": {"classic": [{"id": league, "entry_rank": rank}]}}})


def _as_bytes(documents: Mapping[str, object]) -> dict[str, bytes]:
    return {name: json.dumps(value, ensure_ascii=False).encode() for name, value in documents.items()}


def _events(rounds: pd.DataFrame, coming: int, *, final: bool) -> list[dict[str, object]]:
    return [
        {
            "id": int(row.round),
            "deadline_time": row.deadline.isoformat(),
            "finished": row.round < coming,
            "data_checked": row.round < coming - (not final),
            "is_current": row.round == coming - 1,
            "is_next": row.round == coming,
        }
        for row in rounds.itertuples(index=False)
    ]


def _elements(snapshot: Snapshot, clubs: pd.Series) -> list[dict[str, object]]:
    last = snapshot.points[snapshot.points["round"] == snapshot.round - 1].set_index("player_id")["points"]
    played = snapshot.events.assign(starts=_starts(snapshot)).groupby("player_id")
    totals = played[[*EVENT_NAMES.values(), *LATER_EVENTS.values(), "minutes", "starts"]].sum()
    expected = played[["expected_goals", "expected_assists"]].sum(min_count=1)
    return [
        {
            "id": int(row.player_id),
            "first_name": row.first_name,
            "second_name": row.last_name,
            "web_name": row.known_name,
            "team": int(clubs[row.team]),
            "element_type": TYPE_OF[row.position],
            "now_cost": round(row.price * 10),
            "selected_by_percent": f"{row.owned * 100:.6f}",
            "status": LETTER_OF[row.status],
            "event_points": int(last.get(row.player_id, 0)),
            "code": _number(row.code),
            "news": row.news,
            **{theirs: _number(getattr(row, ours)) for theirs, ours in STATE_NAMES.items()},
            "ep_next": _text(row.expected_next),
            "price_change_percent": _text(row.price_change),
            "cost_change_start": None if pd.isna(row.start_price) else round(10 * (row.price - row.start_price)),
            **{name: _sum(totals, row.player_id, ours) for name, ours in (EVENT_NAMES | LATER_EVENTS).items()},
            **{name: _sum(totals, row.player_id, name) for name in ("minutes", "starts")},
            **{name: _text(_sum(expected, row.player_id, name)) for name in expected},
        }
        for row in snapshot.players.itertuples(index=False)
    ]


def _match(row: pd.Series, clubs: pd.Series) -> dict[str, object]:
    over = not pd.isna(row["home_goals_90"])
    return {
        "id": int(row["match_id"]),
        "event": int(row["round"]),
        "kickoff_time": row["kickoff"].isoformat(),
        "team_h": int(clubs[row["home"]]),
        "team_a": int(clubs[row["away"]]),
        "team_h_score": int(row["home_goals_90"]) if over else None,
        "team_a_score": int(row["away_goals_90"]) if over else None,
        "finished": over,
    }


def _starts(snapshot: Snapshot) -> list[int]:
    started = snapshot.appearances.set_index(["player_id", "match_id"])["started"]
    pairs = zip(snapshot.events["player_id"], snapshot.events["match_id"], strict=True)
    return [int(started.get(pair, False)) for pair in pairs]


def _sum(sums: pd.DataFrame, player: int, name: str) -> float:
    return float(sums.at[player, name]) if player in sums.index else 0.0


def _weeks(snapshot: Snapshot, rules: GameRules) -> dict[str, object]:
    """Return everybody's counts of each gameweek, and what was paid in each match."""
    position = snapshot.players.set_index("player_id")["position"]
    events = snapshot.events.assign(starts=_starts(snapshot))
    events = events[events["player_id"].isin(position.index)]
    documents: dict[str, object] = {}
    for number, rows in events.groupby("round"):
        played = rows.sort_values("player_id", kind="stable").to_dict("records")
        by_player = [(player, list(matches)) for player, matches in groupby(played, key=itemgetter("player_id"))]
        players = [
            {
                "id": int(player),
                "stats": _stats(matches),
                "explain": [_explained(row, str(position[player]), rules) for row in matches],
            }
            for player, matches in by_player
        ]
        documents[week_name(int(str(number)))] = {"elements": players}
    return documents


def _stats(rows: Sequence[Mapping[str, Any]]) -> dict[str, object]:
    names = {"expected_goals": "expected_goals", "expected_assists": "expected_assists"}
    expected = names | {"expected_goals_conceded": "expected_conceded"}
    return (
        {theirs: int(sum(row[ours] for row in rows)) for theirs, ours in STATS.items()}
        | {"starts": sum(row["starts"] for row in rows)}
        | {theirs: _number(_total(rows, ours)) for theirs, ours in FIGURES.items()}
        | {theirs: _text(_total(rows, ours)) for theirs, ours in expected.items()}
    )


def _total(rows: Sequence[Mapping[str, Any]], name: str) -> float:
    """Return the sum of what is told; not a number where nothing is."""
    told = [row[name] for row in rows if not pd.isna(row[name])]
    return float(sum(told)) if told else float("nan")


def _explained(row: Mapping[str, Any], position: str, rules: GameRules) -> dict[str, object]:
    """Return what was paid in a match, minutes always; what the test's points hold beyond the rules is theirs too."""
    theirs = {ours: name for name, ours in (EVENT_NAMES | LATER_EVENTS).items()}
    paid = [
        {"identifier": theirs[line.event], "value": int(row[line.event]), "points": points}
        for line in rules.scoring.values()
        if line.event in theirs and (points := _paid(line, row, position))
    ]
    rest = int(row["points"]) - sum(int(stat["points"]) for stat in paid)
    return {
        "fixture": int(row["match_id"]),
        "stats": [{"identifier": "minutes", "value": int(row["minutes"]), "points": rest}, *paid],
    }


def _paid(line: ScoringLine, row: Mapping[str, Any], position: str) -> int:
    least, count = line.threshold_for(position), int(row[line.event])
    units = max(0, count - line.after) // line.every if line.at_least is None else int(count >= (least or 1000))
    return line.points_for(position) * units * int(row["minutes"] >= line.minutes)


def _histories(snapshot: Snapshot) -> Mapping[int, list[dict[str, object]]]:
    """Return each player's matches with the price and the owners of that gameweek."""
    started = snapshot.appearances.set_index(["player_id", "match_id"])["started"]
    home = snapshot.fixtures.set_index("match_id")["home"]
    rows = snapshot.events.merge(snapshot.market, "left", ["player_id", "round"], suffixes=("", "_then"))
    rows = rows.fillna({"price": PRICE_UNSEEN, "owned": 0.0})
    rows["team"] = rows["team"].where(rows["team"] != "", rows["team_then"])
    found: dict[int, list[dict[str, object]]] = {}
    for row in rows.to_dict("records"):
        key = (row["player_id"], row["match_id"])
        found.setdefault(int(row["player_id"]), []).append(
            {
                "fixture": int(row["match_id"]),
                "round": int(row["round"]),
                "was_home": bool(home[row["match_id"]] == row["team"]),
                "value": round(row["price"] * 10),
                "selected": round(row["owned"] * SQUADS),
                "starts": int(started.get(key, False)),
                "total_points": int(row["points"]),
                "minutes": int(row["minutes"]),
                **{theirs: int(row[ours]) for theirs, ours in (EVENT_NAMES | LATER_EVENTS).items()},
                **{theirs: _number(row[ours]) for theirs, ours in FIGURES.items()},
                **{name: _text(row[name]) for name in ("expected_goals", "expected_assists")},
                "expected_goals_conceded": _text(row["expected_conceded"]),
            }
        )
    return found


def _number(value: float) -> int | None:
    return None if pd.isna(value) else int(value)


def _text(number: float) -> str | None:
    return None if pd.isna(number) else f"{number:.2f}"
