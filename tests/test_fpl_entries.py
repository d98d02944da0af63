"""A manager's squad and a league's table, as anybody may see them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from data.errors import InputError, PayloadError
from data.sources.fpl_entries import Entry, fetch_entry, fetch_league
from data.web import open_client
from tests.loopback import serving


def a_squad(**changes: Any) -> dict[str, Any]:
    picks = [
        {"element": 100 + place, "position": place, "is_captain": place == 3, "is_vice_captain": place == 9}
        for place in range(15, 0, -1)
    ]
    account = {"bank": 7, "value": 1012, "points": 61, "total_points": 432, "rank": None}
    return {"active_chip": None, "entry_history": account, "picks": picks} | changes


def a_page(entries: range, *, more: bool) -> bytes:
    rows = [
        {
            "entry": n,
            "entry_name": f"Team {n}",
            "player_name": f"Boss {n}",
            "rank": n,
            "total": 900 - n,
            "event_total": 50,
        }
        for n in entries
    ]
    page = {"league": {"id": 5, "name": "Office"}, "standings": {"has_next": more, "results": rows}}
    return json.dumps(page).encode()


def entry_of(squad: dict[str, Any]) -> Entry:
    routes = {"entry/12/event/4/picks/": json.dumps(squad).encode()}
    with serving(routes) as server, open_client(server.url) as client:
        return fetch_entry(client, 12, 4)


def test_a_squad_is_read_in_its_order() -> None:
    entry = entry_of(a_squad())
    assert entry.players == tuple(range(101, 116))
    assert (entry.captain, entry.vice) == (103, 109)
    assert (entry.bank, entry.value, entry.points, entry.total_points) == (0.7, 101.2, 61, 432)
    assert (entry.chip, entry.free_transfers) == ("", None)
    assert entry_of(a_squad(active_chip="wildcard")).chip == "wildcard"


@pytest.mark.parametrize(
    ("picks", "said"),
    [
        ([], "this one has 0, 0 and 0"),
        (a_squad()["picks"][:14], "this one has 14"),
        ([dict(pick, is_captain=True) for pick in a_squad()["picks"]], "15, 15 and 1"),
        ([dict(pick, element=7) for pick in a_squad()["picks"]], "element 7 stands there 15 times"),
    ],
)
def test_what_is_not_a_squad_is_refused(picks: list[Any], said: str) -> None:
    with pytest.raises(PayloadError, match=said):
        entry_of(a_squad(picks=picks))


def test_a_manager_who_does_not_exist_is_an_error_not_an_empty_squad() -> None:
    with serving({}) as server, open_client(server.url) as client:
        with pytest.raises(PayloadError, match="404"):
            fetch_entry(client, 12, 4)
        with pytest.raises(InputError, match="There is no entry 0"):
            fetch_entry(client, 0, 4)


def test_a_league_is_read_page_by_page_up_to_the_size_asked_for() -> None:
    address = "leagues-classic/5/standings/?page_standings="
    routes = {f"{address}1": a_page(range(1, 51), more=True), f"{address}2": a_page(range(51, 81), more=False)}
    with serving(routes) as server, open_client(server.url) as client:
        whole = fetch_league(client, 5, most=100)
        assert (whole.name, len(whole.rivals), whole.complete) == ("Office", 80, True)
        assert (whole.rivals[60].entry, whole.rivals[60].total_points) == (61, 839)
        asked = len(server.requests)
        top = fetch_league(client, 5, most=10)
        assert (len(top.rivals), top.complete) == (10, False)
        assert len(server.requests) == asked + 1


def test_a_league_that_never_ends_ends() -> None:
    address = "leagues-classic/5/standings/?page_standings="
    with serving({f"{address}1": a_page(range(0), more=True)}) as server, open_client(server.url) as client:
        assert fetch_league(client, 5).rivals == ()
