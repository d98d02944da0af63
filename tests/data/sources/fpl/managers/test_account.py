"""Money, free transfers and chips of a manager: on made-up seasons, and on a league of 72 real ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.rules import GameRules, load_rules
from data.sources.fpl.managers.account import (
    FREE_CHIPS,
    Account,
    Prices,
    account_before,
    chips_left,
    free_transfers_before,
    squad_week,
)
from data.sources.fpl.managers.entries import fetch_owned_squad
from data.sources.fpl.managers.wire import WireRecord, WireTransfer
from data.web.client import open_client
from tests.cases.league.real_league import LAST, RULEBOOK, RealManager, real_managers, real_prices
from tests.tools.loopback import serving

RULES = load_rules("fpl2026")
SQUAD = tuple(range(101, 116))
EXACT = 0.99


def a_season(
    banks: dict[int, int], transfers: dict[int, int] | None = None, chips: dict[int, str] | None = None
) -> WireRecord:
    weeks = [{"event": w, "event_transfers": (transfers or {}).get(w, 0), "bank": bank} for w, bank in banks.items()]
    played = [{"event": week, "name": name} for week, name in (chips or {}).items()]
    return WireRecord.model_validate({"current": weeks, "chips": played})


def a_move(event: int, out: int, out_cost: int, man: int, cost: int, hour: int = 10) -> WireTransfer:
    return WireTransfer.model_validate(
        {
            "event": event,
            "time": f"2026-09-{event:02d}T{hour:02d}:00:00Z",
            "element_in": man,
            "element_in_cost": cost,
            "element_out": out,
            "element_out_cost": out_cost,
        }
    )


def prices(**changes: float) -> Prices:
    start = dict.fromkeys((*SQUAD, 201, 202), 5.0)
    return Prices(start, start | {int(man.removeprefix("p")): price for man, price in changes.items()})


def an_account(record: WireRecord, moves: list[WireTransfer], now: Prices, coming: int = 5) -> Account:
    return account_before(coming, SQUAD, record, moves, now, RULES)


@pytest.mark.parametrize(
    ("paid", "now", "brings"),
    [(5.0, 5.0, 5.0), (5.0, 5.1, 5.0), (5.0, 5.2, 5.1), (5.0, 5.3, 5.1), (5.0, 4.7, 4.7), (4.1, 4.8, 4.4)],
)
def test_half_of_a_rise_is_kept_in_whole_tenths_and_a_fall_is_lost(paid: float, now: float, brings: float) -> None:
    assert RULES.transfers.selling_price(paid, now) == brings


def test_who_was_there_from_the_start_cost_the_price_of_the_start_and_who_came_what_was_paid() -> None:
    moves = [a_move(3, 101, 50, 201, 60), a_move(4, 102, 51, 202, 45)]
    squad = (201, 202, *SQUAD[2:])
    record = a_season({1: 0, 2: 0, 3: 1, 4: 7}, {3: 1, 4: 1})
    account = account_before(5, squad, record, moves, prices(p201=6.5, p202=4.3, p103=5.4), RULES)
    assert (account.paid[201], account.paid[202], account.paid[103]) == (6.0, 4.5, 5.0)
    assert (account.selling[201], account.selling[202], account.selling[103]) == (6.2, 4.3, 5.2)
    assert (account.bank, account.guessed, account.made) == (0.7, (), 0)
    assert account.budget == round(0.7 + 6.2 + 4.3 + 5.2 + 12 * 5.0, 1)


def test_a_man_who_was_sold_and_bought_back_cost_his_second_price() -> None:
    moves = [a_move(2, 101, 50, 201, 50), a_move(4, 201, 50, 101, 56)]
    account = an_account(a_season({1: 0, 2: 0, 3: 0, 4: 0}), moves, prices(p101=5.8))
    assert (account.paid[101], account.selling[101]) == (5.6, 5.7)


def test_transfers_made_for_the_coming_gameweek_count_already() -> None:
    moves = [a_move(5, 101, 52, 201, 48), a_move(5, 201, 48, 202, 50, hour=11)]
    account = an_account(a_season({1: 3, 2: 3, 3: 3, 4: 3}), moves, prices())
    assert account.players == (202, *SQUAD[1:])
    assert (account.bank, account.made, account.free_transfers) == (0.5, 2, 2)


def test_a_free_hit_is_undone_with_its_purchases() -> None:
    record = a_season({1: 0, 2: 4, 3: 4, 4: 4}, chips={4: "freehit"})
    moves = [a_move(4, 101, 50, 201, 50), a_move(4, 102, 50, 202, 50)]
    assert squad_week(record, 5) == 3
    account = an_account(record, moves, prices())
    assert (account.players, account.bank, account.free_transfers) == (SQUAD, 0.4, 3)


def test_a_purchase_that_is_not_on_record_counts_as_the_current_price_and_is_named() -> None:
    now = Prices({}, dict.fromkeys(SQUAD, 5.5))
    account = an_account(a_season({3: 0, 4: 0}), [], now)
    assert account.guessed == SQUAD
    assert account.selling == dict.fromkeys(SQUAD, 5.5)


def test_a_man_who_left_the_league_sells_for_what_he_cost() -> None:
    now = Prices(dict.fromkeys(SQUAD, 5.0), dict.fromkeys(SQUAD[1:], 5.0))
    assert an_account(a_season({4: 0}), [], now).selling[101] == 5.0


@pytest.mark.parametrize(
    ("book", "chips", "free"),
    [
        ("fpl2026", {4: "wildcard"}, 3),
        ("fpl2025", {4: "freehit"}, 3),
        ("fpl2024", {4: "wildcard"}, 3),
        ("fpl2023", {4: "wildcard"}, 1),  # saved transfers were lost
        ("fpl2022", {4: "freehit"}, 1),
        ("fpl2023", {}, 2),  # never more than two
    ],
)
def test_saved_transfers_outlive_a_chip_where_the_season_lets_them(book: str, chips: dict[int, str], free: int) -> None:
    record = a_season({1: 0, 2: 0, 3: 0, 4: 0}, chips=chips)
    assert free_transfers_before(record, 5, load_rules(book)) == free


def test_chips_are_counted_by_set() -> None:
    record = a_season({19: 0}, chips={1: "3xc", 5: "wildcard", 22: "bboost"})
    assert chips_left(record, 10, RULES) == (
        "wildcard_2",
        "free_hit_1",
        "free_hit_2",
        "bench_boost_1",
        "bench_boost_2",
        "triple_captain_2",
    )
    assert chips_left(record, 25, RULES) == ("wildcard_2", "free_hit_2", "triple_captain_2")


# The real league, to the last gameweek on record.


@pytest.fixture(scope="module")
def league(facts: Path) -> list[RealManager]:
    return real_managers(facts)


@pytest.fixture(scope="module")
def market(facts: Path) -> list[Prices]:
    return real_prices(facts)


@pytest.fixture(scope="module")
def rules() -> GameRules:
    return load_rules(RULEBOOK)


def before(manager: RealManager, week: int, prices: Prices, rules: GameRules) -> Account:
    record = manager.record(week)
    squad = manager.squads[squad_week(record, week)]
    return account_before(week, squad, record, [m for m in manager.transfers if m.event < week], prices, rules)


@pytest.mark.facts
def test_a_logged_selling_price_follows_from_the_purchase_and_a_market_price_since_the_last_deadline(
    league: list[RealManager], market: list[Prices], rules: GameRules
) -> None:
    missed, sales = [], 0
    for manager in league:
        for week in range(manager.first + 1, LAST + 1):
            if week in manager.free_hits:
                continue
            paid = dict(before(manager, week, market[week], rules).paid)
            for move in manager.moves_of(week):
                sales += 1
                then, now = (round(10 * market[w].now[move.element_out]) for w in (week - 1, week))
                asked = range(min(then, now), max(then, now) + 1)
                bought = paid.pop(move.element_out)
                paid[move.element_in] = move.element_in_cost / 10
                if move.element_out_cost / 10 not in {rules.transfers.selling_price(bought, p / 10) for p in asked}:
                    missed.append((manager.number, week, move.element_out, bought, then, now, move.element_out_cost))
    assert sales > 2000
    assert len(missed) <= (1 - EXACT) * sales, missed


@pytest.mark.facts
def test_the_bank_follows_from_squads_and_prices(
    league: list[RealManager], market: list[Prices], rules: GameRules
) -> None:
    wrong, weeks = [], 0
    for manager in league:
        first = manager.squads[manager.first]
        bank = round(100 - sum(market[1].start[man] for man in first), 1)
        if manager.first > 1:  # what his first squad cost is not on record
            bank = manager.by_week[manager.first]["bank"] / 10
        for week in range(manager.first, LAST + 1):
            spent = sum(move.element_in_cost - move.element_out_cost for move in manager.moves_of(week)) / 10
            bank = bank if week in manager.free_hits or week == manager.first else round(bank - spent, 1)
            weeks += 1
            wrong += [(manager.number, week, bank)] if bank != manager.by_week[week]["bank"] / 10 else []
            if week < LAST:
                account = before(manager, week + 1, market[week + 1], rules)
                wrong += [(manager.number, week, account.bank)] if account.bank != bank else []
    assert weeks > 1300
    assert len(wrong) <= (1 - EXACT) * weeks, wrong


@pytest.mark.facts
def test_free_transfers_explain_every_charge(league: list[RealManager], rules: GameRules) -> None:
    for manager in league:
        for week in range(manager.first + 1, LAST + 1):
            free = free_transfers_before(manager.record(week), week, rules)
            done = manager.by_week[week]
            assert free is not None
            beyond = 0 if manager.chips.get(week) in FREE_CHIPS else max(0, done["event_transfers"] - free)
            assert 4 * beyond == done["event_transfers_cost"], (manager.number, week)


@pytest.mark.facts
@pytest.mark.parametrize("number", [1, 2, 4, 9, 29, 33, 51, 63, 70, 71])
def test_real_managers_are_read_from_their_public_pages(
    league: list[RealManager], market: list[Prices], rules: GameRules, number: int
) -> None:
    manager = next(one for one in league if one.number == number)
    for coming in (*sorted({week + 1 for week in manager.chips if week < LAST}), LAST):
        with serving(manager.documents(coming)) as server, open_client(server.url) as client:
            entry = fetch_owned_squad(client, number, coming, rules, market[coming])
        after = manager.squads[coming] if coming not in manager.free_hits else entry.players
        assert set(entry.players) == set(after)
        account = before(manager, coming, market[coming], rules)
        stayed = set(account.players) & set(entry.players)
        sold = dict(zip(entry.players, entry.selling, strict=True))
        assert {man: sold[man] for man in stayed} == {man: account.selling[man] for man in stayed}
        if coming not in manager.free_hits:
            assert entry.bank == manager.by_week[coming]["bank"] / 10
