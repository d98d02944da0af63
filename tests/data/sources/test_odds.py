"""Odds come from a server or a file, are laid beside the matches they belong to, and never do harm."""

from __future__ import annotations

import os
import shutil
import threading
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

import pytest

from data.errors import InputError, ModelError, TableError
from data.importing.season_odds import CREDIT
from data.sources.odds import COMING, LIMITS, refresh_odds, season_file, with_tables
from data.sources.report import SourceReport
from data.web.client import WebSettings
from data.worlds.world import World, open_world
from tests.cases.league.live_worlds import payloads_of, read_league, small_league
from tests.cases.shelf import SHELF_VARIABLE
from tests.tools.fpl_writer import to_fpl_api
from tests.tools.loopback import Reply, serving

PATIENT = WebSettings(connect=60.0, read=60.0, total=90.0, attempts=2, backoff=0.0, size_limit=LIMITS.size)
HASTY = replace(PATIENT, read=0.3, total=1.0)
WEDNESDAY = datetime(2026, 9, 9, 12, tzinfo=UTC)  # the next deadline is on Saturday
HEAD = "Div,Date,Time,HomeTeam,AwayTeam,HS,AS,HST,AST,AvgH,AvgD,AvgA,Avg>2.5,Avg<2.5,AvgCH"
PLAYED = "E0,22/08/26,15:00,Team ARS,Team CHE,11,7,4,2,1.80,3.60,4.50,1.90,1.95,1.70"
NEXT = "E0,12/09/2026,15:00,Team CHE,Team ARS,,,,,2.50,3.30,2.80,2.00,1.80,"
OTHER = "SC0,12/09/2026,15:00,Celtic,Rangers,,,,,not a number,3.30,2.80,2.00,1.80,"
STRAY = "E0,12/09/2026,15:00,Team EVE,Team CHE,,,,,2.50,3.30,2.80,2.00,1.80,"
EMPTY = ",,,,,,,,,,,,,,"
LEAGUE = small_league()
SEASON = season_file(LEAGUE)


def table(*rows: str) -> bytes:
    return "\r\n".join([HEAD, *rows]).encode("utf-8-sig")


@cache
def saved_league() -> Path:
    folder = Path(mkdtemp(dir=os.environ[SHELF_VARIABLE])) / "league"
    LEAGUE.save(folder)
    return folder


def kept_league(tmp_path: Path) -> Path:
    shutil.copytree(saved_league(), tmp_path / "live")
    return tmp_path / "live"


def refreshed(folder: Path, base_url: str = "", settings: WebSettings = PATIENT, **options: object) -> SourceReport:
    return refresh_odds(folder, now=lambda: WEDNESDAY, base_url=base_url, settings=settings, **options)  # type: ignore[arg-type]


def odds_of(world: World, number: int) -> dict[int, float]:
    matches = world.at(number).fixtures.dropna(subset="home_odds")
    return dict(zip(matches["match_id"], matches["home_odds"], strict=True))


def test_one_refresh_brings_the_season_and_the_coming_matches_and_says_what_fits_nothing(tmp_path: Path) -> None:
    folder = kept_league(tmp_path)
    with serving({SEASON: table(PLAYED), COMING: table(NEXT, OTHER, STRAY, EMPTY)}) as server:
        report = refreshed(folder, server.url)
        asked = [(request.path, request.headers.get("cookie")) for request in server.requests]
    assert SEASON == "mmz4281/2627/E0.csv"
    assert asked == [(SEASON, None), (COMING, None)]
    assert report.ok, report.error
    assert report.warnings == (
        "Matches with odds: 1 to come, 1 before.",
        "Left out of fixtures.csv: matches of other leagues (1).",
        "Odds that fit no match of the season (1): Team EVE–Team CHE on 2026-09-12.",
    )
    world = open_world(folder)
    assert odds_of(world, 4) == {13: 1.8, 17: 2.5}
    assert odds_of(world, 2) == {13: 1.8}  # collected on the Friday before
    assert odds_of(world, 1) == {}
    results = world.tables["results"].set_index(["home_team", "away_team"])
    assert results.loc[("Team ARS", "Team CHE"), ["home_shots", "away_on_target", "draw_odds"]].tolist() == [11, 2, 3.6]
    assert world.sources.count(CREDIT) == 1


def test_odds_of_a_coming_match_are_known_from_the_day_they_were_fetched(tmp_path: Path) -> None:
    monday = table("E0,13/09/2026,20:00,Team EVE,Team BHA,,,,,2.5,3.3,2.8,2.0,1.8,")
    made = with_tables(LEAGUE, {"mine.csv": monday}, date(2026, 9, 9)).world
    assert made.at(4).coming.set_index("match_id").loc[18, "odds_date"].date() == date(2026, 9, 9)


def test_a_later_fetch_of_the_game_keeps_the_odds(tmp_path: Path) -> None:
    last = with_tables(LEAGUE, {"a": table(PLAYED, NEXT)}, WEDNESDAY.date()).world
    names = LEAGUE.tables["teams"].set_index("code")["name"]
    assert names["ARS"] == "Team ARS"
    again = read_league(payloads_of(to_fpl_api(LEAGUE, 4)), last=last).world
    assert odds_of(again, 4) == {13: 1.8, 17: 2.5}
    assert again.tables["results"]["home_shots"].dropna().tolist() == [11]
    assert CREDIT in again.sources
    assert CREDIT not in read_league(payloads_of(to_fpl_api(LEAGUE, 4)), last=LEAGUE).world.sources


def test_fresh_odds_replace_older_ones_and_missing_ones_leave_them(tmp_path: Path) -> None:
    world = with_tables(LEAGUE, {"a": table(PLAYED, NEXT)}, WEDNESDAY.date()).world
    later = with_tables(world, {"b": table(NEXT.replace("2.50", "2.40"))}, date(2026, 9, 11)).world
    assert odds_of(later, 4) == {13: 1.8, 17: 2.4}


def test_a_season_that_has_no_table_yet_is_told_and_spared(tmp_path: Path) -> None:
    folder = kept_league(tmp_path)
    with serving({COMING: table(NEXT)}) as server:
        report = refreshed(folder, server.url)
    assert report.ok
    assert "answered 404" in report.warnings[-1]
    assert odds_of(open_world(folder), 4) == {17: 2.5}


def test_files_and_addresses_of_ones_own_are_read(tmp_path: Path) -> None:
    folder, own = kept_league(tmp_path), tmp_path / "mine.csv"
    own.write_bytes(table(PLAYED))
    with serving({"some/next.csv": table(NEXT)}) as server:
        report = refreshed(folder, where=(str(own), f"{server.url}some/next.csv"))
    assert report.ok, report.error
    assert odds_of(open_world(folder), 4) == {13: 1.8, 17: 2.5}


SENSELESS = NEXT.replace("2.50,3.30,2.80", "1.01,1.01,1.01")
HALF = NEXT.replace("2.50,3.30,2.80", "2.50,,2.80")


@pytest.mark.parametrize("row", [SENSELESS, HALF], ids=["no margin like it", "a chance is missing"])
def test_odds_that_are_none_of_one_match_are_left_out_by_name(row: str) -> None:
    reading = with_tables(LEAGUE, {"a": table(PLAYED, row)}, WEDNESDAY.date())
    assert odds_of(reading.world, 4) == {13: 1.8}
    assert reading.warnings[1] == "Odds that make no sense together are left out: Team CHE–Team ARS on 2026-09-12."


BOMB = b"\r\n".join([HEAD.encode()] + [PLAYED.encode()] * (LIMITS.rows + 2))
BAD = {
    "not a table": (b"<html>Sorry</html>", "has a header"),
    "nothing": (b"", "is empty"),
    "binary": (b"PK\x03\x04\x00\x00", "NUL"),
    "no clubs": (b"Div,Date\nE0,12/09/2026\n", "'HomeTeam' is missing"),
    "no date": (table(PLAYED.replace("22/08/26", "soon")), "'soon' is not a date"),
    "the end of time": (table(PLAYED.replace("22/08/26", "31/12/9999")), "No odds fit a match of League"),
    "odds below 1": (table(PLAYED.replace("1.80", "0.2")), "is below 1"),
    "endless odds": (table(PLAYED.replace("1.80", "1e400")), "is not a number"),
    "a formula": (table(PLAYED.replace("1.80", "=1+1")), "is not a number"),
    "a match twice": (table(PLAYED, PLAYED), "a second time"),
    "a ragged row": (table("E0,22/08/26"), "cells where the header has"),
    "too long": (BOMB, "more than 20,000 rows"),
    "a long cell": (table(PLAYED.replace("Team ARS", "A" * 300)), "limit"),
    "another season": (table(PLAYED.replace("22/08/26", "22/08/19")), "No odds fit a match of League"),
    "another league": (table(OTHER), "No odds fit a match of League"),
}


@pytest.mark.parametrize(("content", "said"), BAD.values(), ids=BAD)
def test_a_bad_table_is_a_sentence_and_the_world_stays(tmp_path: Path, content: bytes, said: str) -> None:
    folder = kept_league(tmp_path)
    before = open_world(folder).at(4).checksum
    with serving({SEASON: content, COMING: Reply(status=404)}) as server:
        report = refreshed(folder, server.url)
    assert not report.ok
    assert said in report.error
    assert len(report.error) < 1000
    assert report.kept
    assert open_world(folder).at(4).checksum == before


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(status=500), "500"),
        (Reply(hang=True), "did not answer in time"),
        (Reply(body=b"x" * 1000, repeat=LIMITS.size // 1000 + 10), "more than 3 MB"),
        (Reply(status=302, headers={"Location": "http://localhost:1/elsewhere.csv"}), "another host"),
        (Reply(body=b"Date", promised=10_000), "broke off"),
    ],
)
def test_a_bad_server_is_a_sentence_and_the_world_stays(tmp_path: Path, reply: Reply, said: str) -> None:
    folder = kept_league(tmp_path)
    with serving({SEASON: reply, COMING: table(NEXT)}) as server:
        report = refreshed(folder, server.url, HASTY if reply.hang else PATIENT)
    assert not report.ok
    assert said in report.error
    assert odds_of(open_world(folder), 4) == {}


def test_what_cannot_be_judged_with_its_odds_is_not_saved(tmp_path: Path) -> None:
    def refuse(_: World) -> None:
        raise ModelError("These odds say nothing.")

    folder = kept_league(tmp_path)
    with serving({SEASON: table(PLAYED), COMING: table(NEXT)}) as server:
        report = refreshed(folder, server.url, check=refuse)
    assert (report.ok, report.error) == (False, "These odds say nothing.")
    assert odds_of(open_world(folder), 4) == {}


def test_a_cancelled_fetch_of_odds_ends_at_once(tmp_path: Path) -> None:
    stop = threading.Event()
    stop.set()
    with serving({SEASON: table(PLAYED), COMING: table(NEXT)}) as server:
        report = refreshed(kept_league(tmp_path), server.url, stop=stop)
        assert not server.requests
    assert "cancelled" in report.error


@pytest.mark.parametrize("where", ["https://", "http://127.0.0.1/", "none.csv", "/dev/zero", "ftp://a/b.csv"])
def test_a_place_that_is_no_table_is_a_sentence(tmp_path: Path, where: str) -> None:
    report = refreshed(kept_league(tmp_path), where=(where,))
    assert report.error
    assert not report.ok


def test_a_folder_without_a_world_is_told(tmp_path: Path) -> None:
    assert "is not a world" in refreshed(tmp_path / "none").error


def test_tables_must_be_bytes() -> None:
    with pytest.raises((TableError, InputError), match="is no table"):
        with_tables(LEAGUE, {"a": {"json": 1}}, WEDNESDAY.date())
