"""A league's table from a real server on this machine: short, long, private, missing, and broken off."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pytest

from data.errors import InputError, SourceError, UnreachableError
from data.rules import load_rules
from data.sources.fpl.managers.league_squads import MOST_WATCHED, RivalSquad, fetch_squads, with_captains
from data.sources.fpl.managers.leagues import League, fetch_league
from data.sources.fpl.managers.wire import picks_name, record_name, standings_name
from data.web.client import WebSettings, open_client
from tests.cases.league.real_league import LAST, RULEBOOK, real_managers
from tests.tools.fpl_writer import entry_documents, league_documents, member_documents
from tests.tools.loopback import Loopback, Reply, serving

LEAGUE, MINE = 5, 2_020
RULES = load_rules("fpl2026")
SQUAD = list(range(101, 116))
SLOW_DOWN = Reply(status=429, headers={"Retry-After": "90"})


def read(server: Loopback, *, most: int = 50, near: int | None = None) -> League:
    with open_client(server.url) as client:
        return fetch_league(client, LEAGUE, most=most, near=near)


def squads_of(server: Loopback, table: League) -> tuple[tuple[RivalSquad, ...], tuple[str, ...]]:
    with open_client(server.url, settings=WebSettings(attempts=1)) as client:
        return fetch_squads(client, table, 4, RULES)


def test_without_an_entry_the_best_are_read_page_by_page_up_to_the_size_asked_for() -> None:
    with serving(league_documents(LEAGUE, "Office", range(1, 81))) as server:
        whole = read(server, most=100)
        assert (whole.name, len(whole.rivals), whole.mine, whole.notes) == ("Office", 80, None, ())
        assert (whole.rivals[60].entry, whole.rivals[60].rank) == (61, 61)
        server.requests.clear()
        assert len(read(server, most=10).rivals) == 10
        assert len(server.requests) == 1


def test_the_nearest_in_points_come_first_and_oneself_is_not_among_them() -> None:
    with serving(league_documents(LEAGUE, "Office", range(1, 10))) as server:
        table = read(server, most=4, near=3)
        assert server.paths == [standings_name(LEAGUE, 1)]
    assert [row.entry for row in table.rivals] == [2, 4, 1, 5]
    assert table.mine is not None
    assert table.mine.entry == 3
    assert table.notes == ("Of 8 rivals the 4 nearest to you were read.",)


@pytest.mark.parametrize(("told", "requests"), [(2_020, 5), (2_060, 5), (1_990, 6)])  # now, and ranks of yesterday
def test_of_a_league_of_5000_only_the_pages_around_oneself_are_read(told: int, requests: int) -> None:
    documents = league_documents(LEAGUE, "World", range(1, 5_001)) | member_documents(MINE, LEAGUE, told)
    with serving(documents) as server:
        table = read(server, near=MINE)
        assert len(server.requests) == requests  # the first page, himself, his page and its neighbours
    assert table.mine is not None
    assert table.mine.rank == MINE
    assert {row.entry for row in table.rivals} == set(range(MINE - 25, MINE + 26)) - {MINE}
    assert table.notes == ("This is a long table: the 50 managers nearest to you were read.",)


@pytest.mark.parametrize("member", [{}, member_documents(MINE, 6, 3), member_documents(MINE, LEAGUE, None)])
def test_who_is_not_found_in_a_long_league_gets_its_first_and_is_told(member: dict[str, bytes]) -> None:
    with serving(league_documents(LEAGUE, "World", range(1, 5_001)) | member) as server:
        table = read(server, near=MINE)
        assert len(server.requests) <= 2
    assert [row.entry for row in table.rivals] == list(range(1, 51))
    assert table.mine is None
    assert table.notes[0].startswith("Entry 2020 was not found in this league: these are the first of its table")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(status=404), r"no classic league 5 \(404 Not Found\)\. Take the number from the address"),
        (Reply(status=403), r"League 5 is private: .* \(403\)\. Paste your rivals' squads"),
        (Reply(status=401), "League 5 is private"),
        (Reply(body=b"<html>"), "leagues-classic/5"),
        (SLOW_DOWN, "answered 429 and asks us to come back in 90 seconds"),
        (Reply(body=league_documents(LEAGUE, "New", [])[standings_name(LEAGUE, 1)]), "has no table yet"),
    ],
)
def test_a_league_that_cannot_be_read_is_a_sentence(reply: Reply, said: str) -> None:
    with serving({standings_name(LEAGUE, 1): reply}) as server, pytest.raises((InputError, SourceError), match=said):
        read(server, near=MINE)


def test_squads_come_with_points_to_each_and_chips_and_a_free_hit_is_undone() -> None:
    hit = list(range(201, 216))
    documents = league_documents(LEAGUE, "Office", [1, 2, 3]) | entry_documents(1, 2, SQUAD)
    documents |= entry_documents(1, 3, hit, chip="freehit", chips={3: "freehit"}) | entry_documents(3, 3, SQUAD)
    with serving(documents) as server:
        (first, last), missing = squads_of(server, read(server, near=2))
    assert (first.name, first.ahead, last.ahead) == ("Team 1", -1, 1)
    assert first.picks.players == tuple(SQUAD)
    assert first.picks.chips is not None
    assert set(last.picks.chips or ()) - set(first.picks.chips) == {"free_hit_1"}
    assert missing == ()


def test_one_who_cannot_be_read_or_never_played_is_left_out_and_the_others_stay() -> None:
    never = {record_name(2): b'{"current": [], "chips": []}'}
    shy = {picks_name(4, 3): entry_documents(4, 3, SQUAD)[picks_name(4, 3)]}
    documents = league_documents(LEAGUE, "Office", [1, 2, 3, 4]) | entry_documents(1, 3, SQUAD) | never | shy
    with serving(documents) as server:
        found, missing = squads_of(server, read(server))
    assert [(squad.name, squad.picks.chips is None, squad.ahead) for squad in found] == [
        ("Team 1", False, None),
        ("Team 4", True, None),
    ]
    assert missing[0] == "Team 2 is left out: he has no gameweek before 4 on record."
    assert missing[1].startswith("Team 3 is left out: The game knows no squad of entry 3 at gameweek 3 (404 Not Found)")


def test_a_game_that_asks_for_fewer_requests_is_left_alone_and_what_was_read_stays() -> None:
    documents: dict[str, bytes | Reply] = {**league_documents(LEAGUE, "Office", range(1, 11))}
    documents |= entry_documents(1, 3, SQUAD) | entry_documents(2, 3, SQUAD) | {record_name(3): SLOW_DOWN}
    with serving(documents) as server:
        table = read(server)
        found, missing = squads_of(server, table)
        assert server.paths[-1] == record_name(3)
        with pytest.raises(UnreachableError, match="429"):
            squads_of(server, replace(table, rivals=table.rivals[2:]))
    assert [squad.name for squad in found] == ["Team 1", "Team 2"]
    assert missing[0].startswith("The game stopped answering after 2 of 10 rivals; the others are left out. ")


def test_captains_are_asked_for_of_the_nearest_alone_and_a_week_not_shown_is_passed_over() -> None:
    documents: dict[str, bytes | Reply] = {**league_documents(LEAGUE, "Office", range(1, 14))}
    for entry in range(1, 14):
        documents |= entry_documents(entry, 3, SQUAD) | entry_documents(entry, 2, SQUAD[::-1])
        documents |= entry_documents(entry, 3, SQUAD)  # the season as it is after gameweek 3
    with serving(documents) as server:
        found, _ = squads_of(server, read(server))
        server.requests.clear()
        with open_client(server.url) as client:
            watched, notes = with_captains(client, found, 4)
        assert len(server.requests) == 2 * MOST_WATCHED  # gameweek 3 was read with the squad
    assert notes == ()
    assert list(watched[0].captains.items()) == [(3, SQUAD[0]), (2, SQUAD[-1])]
    assert watched[MOST_WATCHED].captains == {}
    assert [squad.row for squad in watched] == [squad.row for squad in found]


def test_a_game_that_asks_for_fewer_requests_keeps_the_squads_without_captains() -> None:
    documents: dict[str, bytes | Reply] = {**league_documents(LEAGUE, "Office", [1, 2, 3])}
    for entry in (1, 2, 3):
        documents |= entry_documents(entry, 3, SQUAD)
    documents[picks_name(2, 2)] = SLOW_DOWN
    with serving(documents) as server:
        found, _ = squads_of(server, read(server))
        with open_client(server.url, settings=WebSettings(attempts=1)) as client:
            watched, notes = with_captains(client, found, 4)
        assert server.paths[-1] == picks_name(2, 2)
    assert [list(squad.captains) for squad in watched] == [[3], [], []]
    assert notes[0].startswith("The game stopped answering: the captains of 1 rivals are known week by week.")


@pytest.mark.facts
def test_the_table_of_the_game_as_it_was_really_served_is_read(facts: Path) -> None:
    served = facts / "fpl" / "captures" / "2026-08-22_gw1_live"
    page, member = (
        gzip.decompress((served / f"{name}.json.gz").read_bytes()) for name in ("league-standings", "entry")
    )
    mine = json.loads(member)["id"]
    with serving({standings_name(LEAGUE, 1): page, f"entry/{mine}/": member}) as server:
        table = read(server, near=mine)
    assert table.mine is not None
    assert (table.mine.rank, table.mine.total_points) == (3, 21)
    assert [row.total_points for row in table.rivals[:3]] == [20, 25, 26]


@pytest.mark.facts
def test_a_league_of_real_managers_is_read_whole_with_the_chips_each_has_left(facts: Path) -> None:
    managers = real_managers(facts)
    documents = league_documents(LEAGUE, "Real", [manager.number for manager in managers])
    for manager in managers[:51]:
        documents |= manager.documents(LAST + 1)
    with serving(documents) as server, open_client(server.url) as client:
        table = fetch_league(client, LEAGUE, near=managers[0].number)
        found, missing = fetch_squads(client, table, LAST + 1, load_rules(RULEBOOK))
        assert len(server.requests) == 2 + 2 * 50  # two pages of the table; season and squad of each
    assert (len(found), missing) == (50, ())
    by_number = {manager.number: manager for manager in managers}
    assert all(set(squad.picks.players) == set(by_number[squad.row.entry].last_squad) for squad in found)
    assert any(by_number[squad.row.entry].free_hits for squad in found)
