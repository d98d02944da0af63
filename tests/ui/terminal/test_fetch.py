"""Fetching on the command line, from a real loopback server."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.worlds.library import find_world, world_folder
from data.worlds.world import World
from tests.cases.feed_writer import to_feed
from tests.cases.fpl_writer import entry_documents, league_documents, to_fpl_api
from tests.cases.live_worlds import small_league
from tests.tools.command_line import thetaxi
from tests.tools.loopback import serving
from tests.tools.run_here import here


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
    squad = [int(i) for i in league.at(coming).players["player_id"][:15]]
    with serving(to_fpl_api(league, coming) | entry_documents(77, coming - 1, squad, bank=0.5)) as server:
        answer = thetaxi("fetch", "fpl", "--base-url", server.url, "--entry", "77", "--json")
    assert answer.code == 0, answer.notes
    entry = answer.json["entry"]
    assert (entry["round"], entry["coming"]) == (coming - 1, coming)  # type: ignore[index]
    assert entry["players"] == squad  # type: ignore[index]
    lines = Path(entry["file"]).read_text(encoding="utf-8-sig").partition("\n\n")[0].splitlines()  # type: ignore[index]
    assert lines[0] == "id,name,team,captain,selling"
    assert len(lines) == 16


def test_an_entry_and_a_league_are_imported_into_files_of_ones_own(tmp_path: Path) -> None:
    league = small_league()
    league.save(world_folder("fpl-live"))
    squad = [int(i) for i in league.at(4).players["player_id"][:15]]
    documents = league_documents(5, "Office", [77, 78]) | entry_documents(77, 3, squad) | entry_documents(78, 3, squad)
    with serving(documents) as server:
        entry = here("entry", "77", "--base-url", server.url, "--out", tmp_path / "mine.csv")
        rivals = here("league", "5", "--base-url", server.url, "--out", tmp_path / "rivals", "--leave-out", "77")
    assert entry.code == 0, entry.notes
    told = " ".join(entry.notes.split())
    assert "at today's prices, as selling prices are not public, 3 free transfers" in told
    assert "Next: thetaxi pick --world fpl-live --round 4" in told
    assert (tmp_path / "mine.csv").is_file()
    assert rivals.code == 0, rivals.notes
    assert "Manager 78" in rivals.output
    assert "fpl-78.csv" in rivals.output
    assert [file.name for file in (tmp_path / "rivals").iterdir()] == ["fpl-78.csv"]


def test_an_entry_needs_a_world_of_its_game() -> None:
    answer = here("entry", "77", "--world", "wc2026")
    assert answer.code == 1
    assert "wc2026 is not a world of Fantasy Premier League" in " ".join(answer.notes.split())


def test_a_fetch_does_not_hide_a_bundled_world_by_accident() -> None:
    nowhere = ("--world", "wc2026", "--base-url", "http://127.0.0.1:1/")
    answer = here("fetch", "fifa", *nowhere)
    assert answer.code == 1
    assert "wc2026 is a bundled world, and yours of the same name would hide it" in " ".join(answer.notes.split())
    assert here("fetch", "fifa", *nowhere, "--force").code == 3  # it went as far as asking the feed


def test_an_entry_belongs_to_the_premier_league_only() -> None:
    answer = thetaxi("fetch", "fifa", "--entry", "77")
    assert answer.code == 1
    assert "--entry belongs to fpl" in answer.notes


@pytest.mark.parametrize("name", ["../evil", "a b"])
def test_a_world_name_cannot_leave_its_folder(name: str) -> None:
    answer = thetaxi("fetch", "fifa", "--world", name)
    assert answer.code == 1
    assert "is not a plain name" in answer.notes
