"""A manager's squad becomes a file that names his men, captain and vice, or a sentence that says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from data.errors import InputError, UnreachableError
from data.world import World
from engine.fetching import import_entry
from tests.live_worlds import small_league
from tests.loopback import serving

STRANGER = 99_999
ENTRY = 77


def picks_of(players: list[int]) -> bytes:
    """Return a squad in the public API's shape: the first is captain, the second vice."""
    picks = [
        {"element": player, "position": place, "multiplier": 1, "is_captain": place == 1, "is_vice_captain": place == 2}
        for place, player in enumerate(players, start=1)
    ]
    history = {"event": 1, "points": 50, "total_points": 150, "bank": 5, "value": 1000}
    return json.dumps({"active_chip": None, "automatic_subs": [], "entry_history": history, "picks": picks}).encode()


def cut_to(world: World, last: int) -> World:
    """Return the world as it was before a round."""
    tables = {
        name: table[table["round"] <= last] if "round" in table.columns else table
        for name, table in world.tables.items()
    }
    return World.of(world.name, world.title, world.rulebook, world.sources, tables)


def test_the_file_marks_captain_and_vice_and_keeps_a_man_who_is_no_longer_listed() -> None:
    league = small_league()
    known = league.at(league.rounds[-1]).players.head(14)
    players = [*(int(number) for number in known["player_id"]), STRANGER]
    path = f"entry/{ENTRY}/event/{league.rounds[-1] - 1}/picks/"
    with serving({path: picks_of(players)}) as server:
        entry = import_entry(server.url, ENTRY, league)
    header, *lines = Path(str(entry["file"])).read_text(encoding="utf-8-sig").splitlines()
    assert header == "id,name,team,captain"
    names = [f"{row.player_id},{row.name},{row.team}," for row in known.itertuples(index=False)]
    assert lines == [names[0] + "C", names[1] + "V", *names[2:], f"{STRANGER},,,"]
    assert (entry["captain"], entry["vice"], entry["players"]) == (players[0], players[1], players)


def test_before_the_first_deadline_no_squad_is_public() -> None:
    league = cut_to(small_league(), 1)
    assert league.rounds == (1,)
    with pytest.raises(InputError, match=r"Squads are public only after the first deadline\. Paste your squad"):
        import_entry("http://127.0.0.1:1/", ENTRY, league)


def test_a_game_that_does_not_answer_leaves_no_file(own_home: Path) -> None:
    with pytest.raises(UnreachableError):
        import_entry("http://127.0.0.1:1/", ENTRY, small_league())
    assert not (own_home / "squads").exists()
