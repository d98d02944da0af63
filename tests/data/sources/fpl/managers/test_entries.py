"""A manager's squad and a league's table, as anybody may see them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from data.errors import PayloadError
from data.rules import load_rules
from data.sources.fpl.managers.account import Prices, free_transfers_before
from data.sources.fpl.managers.entries import Entry, fetch_entry, fetch_owned_squad
from data.sources.fpl.managers.wire import WireChip, WireGameweekRecord, WireRecord
from data.web.client import open_client
from tests.tools.fpl_writer import entry_documents
from tests.tools.loopback import serving

SQUAD = list(range(101, 116))


def a_record(transfers: dict[int, int], chips: dict[int, str] | None = None) -> WireRecord:
    return WireRecord(
        current=[WireGameweekRecord(event=week, event_transfers=made) for week, made in transfers.items()],
        chips=[WireChip(event=week, name=name) for week, name in (chips or {}).items()],
    )


def a_squad(**changes: Any) -> dict[str, Any]:
    picks = [
        {"element": 100 + place, "position": place, "is_captain": place == 3, "is_vice_captain": place == 9}
        for place in range(15, 0, -1)
    ]
    account = {"bank": 7, "value": 1012, "points": 61, "total_points": 432, "rank": None}
    return {"active_chip": None, "entry_history": account, "picks": picks} | changes


def entry_of(squad: dict[str, Any]) -> Entry:
    routes = {"entry/12/event/4/picks/": json.dumps(squad).encode()}
    with serving(routes) as server, open_client(server.url) as client:
        return fetch_entry(client, 12, 4)


def test_a_squad_is_read_in_its_order() -> None:
    entry = entry_of(a_squad())
    assert entry.players == tuple(range(101, 116))
    assert (entry.captain, entry.vice) == (103, 109)
    assert (entry.bank, entry.chip, entry.free_transfers) == (0.7, "", None)
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
    with serving({}) as server, open_client(server.url) as client, pytest.raises(PayloadError, match="404"):
        fetch_entry(client, 12, 4)


@pytest.mark.parametrize(
    ("transfers", "chips", "free"),
    [
        ({1: 0}, {}, 1),  # the first squad is built from nothing
        ({1: 0, 2: 0}, {}, 2),
        ({1: 0, 2: 1}, {}, 1),
        ({1: 0, 2: 3}, {}, 1),  # hits were taken; the next one is granted all the same
        (dict.fromkeys(range(1, 9), 0), {}, 5),  # never more than five
        ({1: 0, 2: 0, 3: 0, 4: 9}, {4: "wildcard"}, 3),  # its transfers are free and the saved ones kept
        ({1: 0, 2: 0, 3: 11}, {3: "freehit"}, 2),
        ({1: 0, 2: 0, 3: 1}, {3: "bboost"}, 2),  # other chips change nothing
        ({4: 0, 5: 0}, {}, 2),  # who began late
    ],
)
def test_free_transfers_are_reckoned_from_the_season(
    transfers: dict[int, int], chips: dict[int, str], free: int
) -> None:
    rules = load_rules("fpl2026")
    assert free_transfers_before(a_record(transfers, chips), max(transfers) + 1, rules) == free


def test_before_a_first_gameweek_nothing_is_reckoned() -> None:
    rules = load_rules("fpl2026")
    assert free_transfers_before(a_record({}), 4, rules) is None
    assert free_transfers_before(a_record({1: 0}), 1, rules) is None


def owned_squad(documents: dict[str, bytes]) -> Entry:
    with serving(documents) as server, open_client(server.url) as client:
        return fetch_owned_squad(client, 12, 5, load_rules("fpl2026"), Prices({}, {}))


def test_the_squad_one_brings_has_its_money_and_transfers() -> None:
    owned = owned_squad(entry_documents(12, 4, SQUAD, bank=1.5, selling=[5.0] * 15, transfers={3: 1}))
    assert (owned.players, owned.round, owned.bank) == (tuple(SQUAD), 4, 1.5)
    assert (owned.captain, owned.vice) == (101, 102)
    assert owned.selling == (5.0,) * 15
    assert owned.free_transfers == 3


def test_after_a_free_hit_the_squad_before_it_comes_back() -> None:
    hit = list(range(201, 216))
    documents = entry_documents(12, 3, SQUAD) | entry_documents(12, 4, hit, chip="freehit", chips={4: "freehit"})
    owned = owned_squad(documents)
    assert (owned.players, owned.round, owned.free_transfers) == (tuple(SQUAD), 3, 3)


def test_a_season_that_is_not_shown_leaves_the_transfers_unknown() -> None:
    picks = {name: body for name, body in entry_documents(12, 4, SQUAD).items() if "picks" in name}
    owned = owned_squad(picks)
    assert (owned.free_transfers, owned.selling) == (None, ())


def test_selling_prices_count_only_when_all_are_told() -> None:
    partly = a_squad()
    partly["picks"][0]["selling_price"] = 50
    assert entry_of(partly).selling == ()
