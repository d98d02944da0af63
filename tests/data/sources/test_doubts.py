"""A feed that keeps its shape and is wrong all the same is held back with the reasons; a usual one never is."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from data.sources.doubts import Check, doubts_about
from data.sources.refresh import Game, fifa_game, fpl_game, refresh_world
from data.sources.report import SourceReport
from data.worlds.held import drop_held, held_folder, held_world, take_held
from data.worlds.library import list_worlds, world_folder
from data.worlds.restoring import states_before
from data.worlds.world import World, open_world
from engine.desk import check_world
from tests.cases import small_world
from tests.cases.league.live_worlds import payloads_of, read_cup, small_league
from tests.cases.small_world import awkward_cup
from tests.conftest import in_a_soak
from tests.tools.feed_writer import to_feed
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import serving

Change = Callable[[dict[str, Any]], object]


def league() -> tuple[Game, dict[str, bytes]]:
    return fpl_game(), to_fpl_api(small_league(), 3)


def cup() -> tuple[Game, dict[str, bytes]]:
    return fifa_game(awkward_cup()), to_feed(awkward_cup(), 2)


def elements(change: Callable[[list[Any]], object]) -> Change:
    return lambda feed: change(feed["bootstrap-static/"]["elements"])


def players(change: Callable[[list[Any]], object]) -> Change:
    return lambda feed: change(feed["players.json"])


def all_with(**values: object) -> Callable[[list[Any]], object]:
    return lambda entries: [entry.update(values) for entry in entries]


def swapped_numbers(feed: dict[str, Any]) -> None:
    first, second = feed["squads.json"][:2]
    first["id"], second["id"] = second["id"], first["id"]


def without_keepers(entries: list[Any]) -> None:
    entries[:] = [entry for entry in entries if entry["element_type"] != 1]


def repeated_match(feed: dict[str, Any]) -> None:
    coming = [match for match in feed["fixtures/"] if match["event"] == 3]
    feed["fixtures/"].append(coming[0] | {"id": 999})


def repeated_cup_match(feed: dict[str, Any]) -> None:
    matches = feed["rounds.json"][1]["tournaments"]
    matches.append(matches[0] | {"id": 999})


def turned_match(feed: dict[str, Any]) -> None:
    matches = feed["rounds.json"][1]["tournaments"]
    home, away = matches[0]["homeSquadId"], matches[0]["awaySquadId"]
    matches.append(matches[0] | {"id": 999, "homeSquadId": away, "awaySquadId": home})


def moved_matches(feed: dict[str, Any]) -> None:
    for match in feed["fixtures/"]:
        match["event"] = 4 if match["event"] == 3 else match["event"]


def last_year(feed: dict[str, Any]) -> None:
    for event in feed["bootstrap-static/"]["events"]:
        event["deadline_time"] = event["deadline_time"].replace("2026", "2025")


def without_first_match(feed: dict[str, Any]) -> None:
    feed["rounds.json"][0]["tournaments"].pop(0)


FEEDS: dict[str, tuple[Callable[[], tuple[Game, dict[str, bytes]]], Change, str]] = {
    "one player": (league, elements(lambda entries: entries.__delitem__(slice(1, None))), "24 players and are 1 now"),
    "no goalkeeper": (league, elements(without_keepers), "There were 4 GKs and are 0 now"),
    "everybody gone": (league, elements(all_with(status="u")), "without a single man who can be picked: ARS"),
    "nobody owned": (league, elements(all_with(selected_by_percent="0.0")), "Nobody is owned by anybody in round 3"),
    "ownership halved": (league, elements(all_with(selected_by_percent="30.0")), "summed to 15.0 and sums to 7.2 now"),
    "a match under a new number": (league, repeated_match, "count its points twice: BHA–ARS in round 3 (match 999)"),
    "matches of another round": (league, moved_matches, "a team has another number of matches in a round"),
    "another season": (league, last_year, "Has a new season begun?"),
    "everybody eliminated": (cup, players(all_with(status="eliminated")), "without a single man who can be picked"),
    "team numbers used again": (cup, swapped_numbers, "Team numbers mean other teams"),
    "round keys lost": (cup, players(all_with(roundsSelected=[])), "Rounds are gone: 1."),
    "points lost": (cup, players(all_with(stats={"roundPoints": []})), "players with points in round 1 and are 0 now"),
    "a cup match under a new number": (cup, repeated_cup_match, "in round 2 (match 999)"),
    "a cup match turned round": (cup, turned_match, "in round 2 (match 999)"),
    "a played match gone": (cup, without_first_match, "Matches that were played are gone"),
}


def fetched(game: Game, documents: dict[str, bytes], folder: Path, check: Check | None = None) -> SourceReport:
    with serving(documents) as server:
        now = datetime(2026, 6, 20, tzinfo=UTC)
        return refresh_world(game, folder, now=lambda: now, base_url=server.url, check=check)


def changed(documents: dict[str, bytes], change: Change) -> dict[str, bytes]:
    feed = payloads_of(documents)
    change(feed)
    return {name: json.dumps(value).encode() for name, value in feed.items() if name != "checksums.json"}


@pytest.fixture(scope="module")
def good_worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the world of each good feed, fetched once."""
    root = tmp_path_factory.mktemp("good")
    for source in (league, cup):
        assert fetched(*source(), root / source.__name__).ok
    return root


@pytest.mark.parametrize("case", FEEDS)
@pytest.mark.daily("a match under", "everybody elim", "no goalkeeper", "one player", "points lost", "team numbers")
def test_a_feed_that_would_ruin_a_world_is_held_back_with_the_reason(
    tmp_path: Path, good_worlds: Path, case: str
) -> None:
    source, change, said = FEEDS[case]
    (game, good), folder = source(), tmp_path / "live"
    shutil.copytree(good_worlds / source.__name__, folder)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    report = fetched(game, changed(good, change), folder)
    assert (report.ok, report.error) == (False, "")
    assert said in "\n".join(report.doubts)
    assert report.kept.endswith("less than a minute old")
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def one_player(documents: dict[str, bytes]) -> dict[str, bytes]:
    return changed(documents, FEEDS["one player"][1])


def test_what_is_held_back_waits_until_it_is_taken_and_can_be_gone_back_from() -> None:
    game, good = league()
    folder = world_folder("live")
    fetched(game, good, folder)
    report = fetched(game, one_player(good), folder)
    held = held_world(folder)
    assert held is not None
    assert held.doubts == report.doubts
    assert "live" in [entry.name for entry in list_worlds()]
    assert held_folder(folder).name not in [entry.name for entry in list_worlds()]
    assert len(take_held(folder).tables["players"]) == 1
    assert len(open_world(folder).tables["players"]) == 1
    assert held_world(folder) is None
    assert not held_folder(folder).exists()
    assert len(states_before(folder)) == 1


def test_a_first_fetch_that_cannot_be_judged_is_held_back_too(tmp_path: Path) -> None:
    game, good = league()
    report = fetched(game, one_player(good), tmp_path / "live", check_world)
    assert any("cannot be judged: Round 3 of live has" in doubt for doubt in report.doubts)
    assert report.kept.startswith("nothing")
    assert not (tmp_path / "live").exists()
    assert held_world(tmp_path / "live") is not None


def test_a_good_fetch_afterwards_makes_what_waits_pointless(tmp_path: Path) -> None:
    game, good = league()
    fetched(game, one_player(good), tmp_path / "live", check_world)
    assert fetched(game, good, tmp_path / "live", check_world).ok
    assert held_world(tmp_path / "live") is None
    drop_held(tmp_path / "live")


def test_a_model_that_stumbles_is_a_doubt_and_no_crash(tmp_path: Path) -> None:
    def stumble(_: World) -> None:
        raise ZeroDivisionError

    assert doubts_about(small_league(), small_league(), stumble) == ("Round 4 cannot be judged: ZeroDivisionError.",)
    assert not (tmp_path / "live").exists()


def test_home_and_away_in_one_gameweek_are_two_matches() -> None:
    league = small_world.small_league()
    coming = league.at(small_world.DOUBLE).coming
    assert {("LIV", "FUL"), ("FUL", "LIV")} <= set(zip(coming["home"], coming["away"], strict=True))
    assert doubts_about(league, league) == ()


@pytest.mark.parametrize("number", [2, *in_a_soak([1, 3])])
@pytest.mark.soak
def test_the_next_gameweek_of_a_league_raises_no_doubt(tmp_path: Path, number: int) -> None:
    for coming in (number, number + 1):
        report = fetched(fpl_game(), to_fpl_api(small_league(), coming), tmp_path / "live", check_world)
        assert report.ok, report.doubts


@pytest.mark.soak
@pytest.mark.parametrize("number", range(1, 8))
def test_the_next_round_of_the_real_world_cup_raises_no_doubt(world_cup: World, number: int) -> None:
    before, now = (
        read_cup(payloads_of(to_feed(world_cup, coming)), background=world_cup).world for coming in (number, number + 1)
    )
    assert doubts_about(now, before) == ()
