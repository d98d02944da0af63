"""Fetching on the command line, from a real loopback server."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from data.worlds.library import find_world, world_folder
from tests.cases.small_world import awkward_cup
from tests.data.sources.test_fetching import LEAGUE, PLAYERS
from tests.tools.feed_writer import to_feed
from tests.tools.fpl_writer import entry_documents, league_documents, to_fpl_api
from tests.tools.loopback import serving
from tests.tools.run_here import done, here, refused


@pytest.fixture
def small_feeds() -> None:
    """Let a small cup stand in for the bundled one, so that its feed is a small one."""
    awkward_cup().save(world_folder("wc2026"))


def feed() -> dict[str, bytes]:
    return to_feed(awkward_cup(), 2)


@pytest.mark.usefixtures("small_feeds")
def test_fetch_fifa_makes_a_world_that_every_command_opens() -> None:
    with serving(feed()) as server:
        answer = done("fetch", "fifa", "--base-url", server.url, "--json")
    assert answer.json["world"] == "fifa-live"
    assert answer.json["rounds"] == [1, 2]
    assert answer.json["report"]["ok"] is True
    listed = done("players", "--round", "2", "--world", "fifa-live", "--json").json
    assert listed["total"] == len(awkward_cup().at(2).players)


@pytest.mark.usefixtures("small_feeds")
def test_a_failed_fetch_keeps_the_last_good_world_and_exits_with_3() -> None:
    with serving(feed()) as server:
        done("fetch", "fifa", "--base-url", server.url)
    before = find_world("fifa-live").at(2).to_bytes()
    broken = feed() | {"players.json": b"<html>maintenance</html>"}
    del broken["checksums.json"]  # else the unchanged list would not be downloaded at all
    with serving(broken) as server:
        answer = here("fetch", "fifa", "--base-url", server.url, "--json")
    assert answer.code == 3
    report = answer.json["report"]
    assert (report["ok"], report["kept"][:14]) == (False, "A small cup (l")
    assert "Kept: A small cup (live), rounds 1 to 2" in answer.said
    assert find_world("fifa-live").at(2).to_bytes() == before


def test_fetch_fpl_imports_an_entry_by_its_number() -> None:
    coming = LEAGUE.rounds[-1]
    with serving(to_fpl_api(LEAGUE, coming) | entry_documents(77, coming - 1, PLAYERS, bank=0.5)) as server:
        answer = done("fetch", "fpl", "--base-url", server.url, "--entry", "77", "--json")
    entry = answer.json["entry"]
    assert (entry["round"], entry["coming"]) == (coming - 1, coming)
    assert entry["players"] == PLAYERS
    lines = Path(entry["file"]).read_text(encoding="utf-8-sig").partition("\n\n")[0].splitlines()
    assert lines[0] == "id,name,team,captain,selling"
    assert len(lines) == 16


def test_an_entry_and_a_league_are_imported_into_files_of_ones_own(tmp_path: Path) -> None:
    LEAGUE.save(world_folder("fpl-live"))
    entries = entry_documents(77, 3, PLAYERS) | entry_documents(78, 3, PLAYERS)
    with serving(league_documents(5, "Office", [77, 78]) | entries) as server:
        entry = done("entry", "77", "--base-url", server.url, "--out", tmp_path / "mine.csv")
        rivals = done("league", "5", "--base-url", server.url, "--out", tmp_path / "rivals", "--leave-out", "77")
    assert "at today's prices, 3 free transfers" in entry.said
    assert "Next: thetaxi pick --world fpl-live --round 4" in entry.said
    assert (tmp_path / "mine.csv").is_file()
    assert "Manager 78" in rivals.output
    assert "fpl-78.csv" in rivals.output
    assert [file.name for file in (tmp_path / "rivals").iterdir()] == ["fpl-78.csv"]


def a_fifteen(dearest: bool) -> list[int]:
    """Return a squad as the game lists it, the eleven first, at most three men of a club."""
    players = find_world("fpl2025-26").at(20).players.sort_values("price", ascending=not dearest, kind="stable")
    clubs: Counter[str] = Counter()
    eleven, bench = list[int](), list[int]()
    for place, count in (("GK", 2), ("DEF", 5), ("MID", 5), ("FWD", 3)):
        men = []
        for row in players[players["position"] == place].itertuples():
            if len(men) < count and clubs[row.team] < 3:
                men.append(int(row.player_id))
                clubs[row.team] += 1
        assert len(men) == count
        eleven, bench = eleven + men[:-1], bench + men[-1:]
    return eleven + bench


@pytest.mark.soak
def test_a_league_is_played_to_its_end_against_every_rival(tmp_path: Path) -> None:
    entries = entry_documents(77, 19, a_fifteen(dearest=False)) | entry_documents(78, 19, a_fifteen(dearest=True))
    asked = ("standing", "--world", "fpl2025-26", "--round", "20", "--league", "5", "--entry", "77")
    refused("A league is looked at with one squad of yours", *asked, "--theta", "protect")
    with serving(league_documents(5, "Office", [77, 78]) | entries) as server:
        done("entry", "77", "--world", "fpl2025-26", "--base-url", server.url, "--out", tmp_path / "mine.csv")
        more = ("--squad", tmp_path / "mine.csv", "--base-url", server.url, "--simulations", "100", "--json")
        found = done(*asked, *more).json
    assert [plan["objective"] for plan in found["plans"]] == ["neutral", "protect", "gain"]
    (rival,) = found["plans"][0]["rivals"]
    assert 0 <= rival["behind"]["value"] == found["plans"][0]["win"]["value"] <= 1
    assert found["advice"]


def test_a_fetch_does_not_hide_a_bundled_world_by_accident() -> None:
    nowhere = ("--world", "wc2026", "--base-url", "http://127.0.0.1:1/")
    refused("wc2026 is a bundled world, and yours of the same name would hide it", "fetch", "fifa", *nowhere)
    assert here("fetch", "fifa", *nowhere, "--force").code == 3  # it went as far as asking the feed


def test_a_suspicious_league_is_held_back_with_the_reasons_until_it_is_taken() -> None:
    with serving(to_fpl_api(LEAGUE, 3)) as server:
        done("fetch", "fpl", "--base-url", server.url)
        before = find_world("fpl-live").at(3).to_bytes()
        bootstrap = json.loads(server.routes["bootstrap-static/"])  # type: ignore[arg-type]
        bootstrap["elements"] = [element for element in bootstrap["elements"] if element["element_type"] != 1]
        server.routes["bootstrap-static/"] = json.dumps(bootstrap).encode()
        answer = here("fetch", "fpl", "--base-url", server.url, "--json")
    assert answer.code == 3
    doubts = answer.json["report"]["doubts"]
    assert "There were 4 GKs and are 0 now." in doubts
    assert any("has 0 GK to choose from" in doubt for doubt in doubts)
    assert "Take it all the same: thetaxi fetch fpl --world fpl-live --take-it" in answer.said
    assert find_world("fpl-live").at(3).to_bytes() == before
    taken = done("fetch", "fpl", "--take-it", "--json").json
    assert (taken["world"], taken["rounds"], taken["report"]) == ("fpl-live", [3], None)
    assert set(find_world("fpl-live").at(3).players["position"]) == {"DEF", "MID", "FWD"}
    refused("No world is held back for fpl-live", "fetch", "fpl", "--take-it")
    done("restore", "fpl-live")
    assert find_world("fpl-live").at(3).to_bytes() == before


ODDS = (
    b"Div,Date,HomeTeam,AwayTeam,AvgH,AvgD,AvgA,Avg>2.5,Avg<2.5\n"
    b"E0,12/09/2026,Team CHE,Team ARS,2.5,3.3,2.8,2.0,1.8\nE0,12/09/2026,Team CHE,Team BHA,2.5,3.3,2.8,2.0,1.8\n"
)


def test_odds_are_laid_beside_the_matches_of_a_world_of_ones_own(tmp_path: Path) -> None:
    LEAGUE.save(world_folder("fpl-live"))
    (tmp_path / "next.csv").write_bytes(ODDS)
    told = done("odds", str(tmp_path / "next.csv"), "--json").json
    assert (told["world"], told["matches"], told["coming"]) == ("fpl-live", 1, 1)
    with serving({"fixtures.csv": ODDS}) as server:
        answer = done("odds", "--base-url", server.url)
    assert "2.50" in answer.output
    assert "Odds that fit no match of the season (1): Team CHE–Team BHA on 2026-09-12." in answer.said
    failed = here("odds", str(tmp_path / "none.csv"))
    assert failed.code == 3
    assert "none.csv cannot be read" in failed.said


def test_odds_do_not_change_what_is_bundled() -> None:
    refused("fpl2025-26 is bundled and stays as it is", "odds", "--world", "fpl2025-26")
    refused("wc2026 is not a world of Fantasy Premier League", "odds", "--world", "wc2026")
