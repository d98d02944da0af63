"""A manager's squad becomes a file that names his men, captain and vice, or a sentence that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import InputError, UnreachableError
from data.sources.fetching import import_entry, import_league
from data.worlds.world import World
from engine.board.squad_input import account_of
from tests.cases.league.live_worlds import small_league
from tests.tools.fpl_writer import entry_documents, league_documents
from tests.tools.loopback import serving

STRANGER = 99_999
ENTRY = 77
LEAGUE = small_league()
PLAYERS = [int(number) for number in LEAGUE.at(4).players["player_id"].head(15)]


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
    with serving(entry_documents(ENTRY, league.rounds[-1] - 1, players, bank=0.5)) as server:
        entry = import_entry(server.url, ENTRY, league)
    men, _, account = Path(str(entry["file"])).read_text(encoding="utf-8-sig").partition("\n\n")
    header, *lines = men.splitlines()
    assert header == "id,name,team,captain,selling"
    names = [f"{row.player_id},{row.name},{row.team}," for row in known.itertuples(index=False)]
    assert lines == [names[0] + "C,", names[1] + "V,", *(name + "," for name in names[2:]), f"{STRANGER},,,,"]
    assert (entry["captain"], entry["vice"], entry["players"]) == (players[0], players[1], players)
    budget = round(0.5 + float(known["price"].sum()), 1)
    assert account.splitlines() == ["account,value", "round,4", "bank,0.5", f"budget,{budget:.1f}", "free_transfers,3"]
    assert (entry["budget"], entry["free_transfers"], entry["selling_prices"]) == (budget, 3, False)


def test_known_selling_prices_make_the_budget(tmp_path: Path) -> None:
    with serving(entry_documents(ENTRY, 3, PLAYERS, bank=2.0, selling=[4.1] * 15)) as server:
        entry = import_entry(server.url, ENTRY, LEAGUE, tmp_path / "mine.csv")
    assert (entry["budget"], entry["selling_prices"]) == (63.5, True)
    account = account_of((tmp_path / "mine.csv").read_bytes())
    assert (account.round, account.budget, account.free_transfers) == (4, 63.5, 3)
    assert account.selling == dict.fromkeys(PLAYERS, 4.1)


def test_each_rival_gets_a_file_and_who_cannot_be_read_is_named(tmp_path: Path) -> None:
    documents = league_documents(5, "Office", [ENTRY, 1, 2, 3])
    for rival in (ENTRY, 1, 3):
        documents |= entry_documents(rival, 3, PLAYERS)
    with serving(documents) as server:
        found = import_league(server.url, 5, LEAGUE, tmp_path, most=3, leave_out=ENTRY)
    assert (found["name"], found["round"]) == ("Office", 3)
    assert [rival["entry"] for rival in found["rivals"]] == [1, 3]  # type: ignore[attr-defined]
    assert sorted(file.name for file in tmp_path.iterdir()) == ["fpl-1.csv", "fpl-3.csv"]
    assert not any(b"Team" in file.read_bytes() or b"Manager" in file.read_bytes() for file in tmp_path.iterdir())
    assert [rival["ahead"] for rival in found["rivals"]] == [1, 3]  # type: ignore[attr-defined]
    assert len(found["missing"]) == 1  # type: ignore[arg-type]
    assert found["missing"][0].startswith("Team 2 is left out: ")  # type: ignore[index]


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    with serving(entry_documents(ENTRY, 3, PLAYERS)) as server, pytest.raises(InputError, match="cannot be written"):
        import_entry(server.url, ENTRY, LEAGUE, blocked / "mine.csv")


def test_before_the_first_deadline_no_squad_is_public() -> None:
    league = cut_to(small_league(), 1)
    assert league.rounds == (1,)
    with pytest.raises(InputError, match=r"Squads are public only after the first deadline\. Paste your squad"):
        import_entry("http://127.0.0.1:1/", ENTRY, league)
    with pytest.raises(InputError, match="Squads are public only after the first deadline"):
        import_league("http://127.0.0.1:1/", 5, league, most=3)


def test_a_game_that_does_not_answer_leaves_no_file(own_home: Path) -> None:
    with pytest.raises(UnreachableError):
        import_entry("http://127.0.0.1:1/", ENTRY, small_league())
    assert not (own_home / "squads").exists()
