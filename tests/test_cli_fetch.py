"""Fetching on the command line, from a real loopback server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.feed_writer import to_feed
from data.fpl_writer import to_fpl_api
from data.library import find_world
from data.world import World
from tests.command_line import thetaxi
from tests.live_worlds import small_league
from tests.loopback import serving


def test_fetch_fifa_makes_a_world_that_every_command_opens(world_cup: World) -> None:
    with serving(to_feed(world_cup, 3)) as server:
        answer = thetaxi("fetch", "fifa", "--base-url", server.url, "--json")
    assert answer.code == 0, answer.notes
    assert answer.json["world"] == "fifa-live"
    assert answer.json["rounds"] == [1, 2, 3]
    assert answer.json["report"]["ok"] is True  # type: ignore[index]
    listed = thetaxi("players", "--round", "3", "--world", "fifa-live", "--json").json
    assert listed["total"] == 1488


def test_a_failed_fetch_keeps_the_last_good_world_and_exits_with_3(world_cup: World) -> None:
    with serving(to_feed(world_cup, 2)) as server:
        assert thetaxi("fetch", "fifa", "--base-url", server.url).code == 0
    before = find_world("fifa-live").at(2).to_bytes()
    broken = to_feed(world_cup, 2) | {"players.json": b"<html>maintenance</html>"}
    del broken["checksums.json"]  # else the unchanged list would not be downloaded at all
    with serving(broken) as server:
        answer = thetaxi("fetch", "fifa", "--base-url", server.url, "--json")
    assert answer.code == 3
    report = answer.json["report"]
    assert (report["ok"], report["kept"][:14]) == (False, "FIFA World Cup")  # type: ignore[index]
    assert "Kept: FIFA World Cup 2026 (live), rounds 1 to 2" in " ".join(answer.notes.split())
    assert find_world("fifa-live").at(2).to_bytes() == before


def test_fetch_fpl_imports_an_entry_by_its_number() -> None:
    league = small_league()
    coming = league.rounds[-1]
    documents = to_fpl_api(league, coming)
    picks = json.dumps(_picks([int(i) for i in league.at(coming).players["player_id"][:15]])).encode()
    documents[f"entry/77/event/{coming - 1}/picks/"] = picks
    with serving(documents) as server:
        answer = thetaxi("fetch", "fpl", "--base-url", server.url, "--entry", "77", "--json")
    assert answer.code == 0, answer.notes
    entry = answer.json["entry"]
    assert entry["round"] == coming - 1  # type: ignore[index]
    assert len(entry["players"]) == 15  # type: ignore[index]
    lines = Path(entry["file"]).read_text(encoding="utf-8-sig").splitlines()  # type: ignore[index]
    assert lines[0] == "id,name,team,captain"
    assert len(lines) == 16


def test_an_entry_belongs_to_the_premier_league_only() -> None:
    answer = thetaxi("fetch", "fifa", "--entry", "77")
    assert answer.code == 1
    assert "--entry belongs to fpl" in answer.notes


@pytest.mark.parametrize("name", ["../evil", "a b"])
def test_a_world_name_cannot_leave_its_folder(name: str) -> None:
    answer = thetaxi("fetch", "fifa", "--world", name)
    assert answer.code == 1
    assert "is not a plain name" in answer.notes


def _picks(players: list[int]) -> dict[str, object]:
    """A manager's squad in the public API's shape."""
    return {
        "active_chip": None,
        "automatic_subs": [],
        "entry_history": {"event": 1, "points": 50, "total_points": 150, "bank": 5, "value": 1000},
        "picks": [
            {
                "element": player,
                "position": place,
                "multiplier": 2 if place == 1 else int(place <= 11),
                "is_captain": place == 1,
                "is_vice_captain": place == 2,
            }
            for place, player in enumerate(players, start=1)
        ],
    }
