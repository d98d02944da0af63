"""A manager's squad and a league's rivals by number, from a real server on this machine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from data.errors import InputError, PayloadError, UnreachableError
from data.rules import load_rules
from data.sources.fpl.managers.wire import picks_name, record_name
from data.worlds.library import find_world
from engine.desk import beliefs
from models.signals import Signals
from tests.cases.judged_worlds import league_signals
from tests.cases.league.real_league import LAST, real_managers
from tests.cases.small_world import CLUBS, player_of, small_league
from tests.tools.fpl_writer import entry_documents, league_documents
from tests.tools.loopback import Reply, serving
from ui.web.choice.rival_link import read_rivals_text, rivals_text
from ui.web.squads.entry_import import fetch_rivals, fetch_squad
from ui.web.squads.fetch_form import has_entries
from ui.web.squads.rivals_desk import captain_words

ROUND = 4
ENTRY = 77
RULES = load_rules("fpl2026")
SNAPSHOT = small_league().at(ROUND)


def a_squad() -> list[int]:
    """Two goalkeepers, five defenders, five midfielders and three forwards, starters first."""

    def of(position: str, *clubs: str) -> list[int]:
        return [player_of(club, position, teams=CLUBS) for club in clubs]

    starters = of("GK", "ARS") + of("DEF", "BHA", "CHE", "EVE", "FUL") + of("MID", "ARS", "BHA", "CHE", "EVE")
    starters += of("FWD", "ARS", "BHA")
    return starters + of("GK", "CHE") + of("DEF", "LIV") + of("MID", "LIV") + of("FWD", "LIV")


def other_squad() -> list[int]:
    """The same men, captain and vice the other way round."""
    captain, vice, *others = a_squad()
    return [vice, captain, *others]


def entry(number: int, squad: list[int]) -> dict[str, bytes]:
    """What the game serves of an entry whose season it does not tell."""
    return {picks_name(number, 3): entry_documents(number, 3, squad, bank=0.5)[picks_name(number, 3)]}


@pytest.fixture(scope="module")
def signals() -> Signals:
    return replace(league_signals(ROUND), rules=RULES)


def test_an_entry_comes_with_its_money_and_what_is_not_public_is_said() -> None:
    with serving(entry(ENTRY, a_squad())) as server:
        brought = fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)
    assert brought.player_ids == tuple(a_squad())
    price = SNAPSHOT.players.set_index("player_id")["price"][a_squad()].sum()
    assert brought.budget == pytest.approx(price + 0.5, abs=0.05)
    assert "count at today's prices: correct the budget" in brought.remarks[0]
    assert "did not show this entry's season" in brought.remarks[1]


def test_what_the_men_sell_for_counts_where_the_game_tells_it() -> None:
    selling = [4.0 + place / 10 for place in range(15)]
    with serving(entry_documents(ENTRY, 3, a_squad(), bank=0.5, selling=selling, transfers={2: 1})) as server:
        brought = fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)
    assert brought.selling == pytest.approx(dict(zip(a_squad(), selling, strict=True)))
    assert brought.budget == pytest.approx(0.5 + sum(selling))
    assert brought.free_transfers == 2
    (money,) = brought.remarks
    assert money == "Squad of gameweek 3, 0.5 in the bank. Your players count at what they sell for."
    assert (brought.entry, brought.chips) == (ENTRY, tuple(RULES.boosters))


def crowded_squad() -> list[int]:
    """A squad of whose men a real transfer made four of one club."""
    moved = player_of("BHA", "DEF", teams=CLUBS)
    return [player_of("ARS", "DEF", teams=CLUBS) if number == moved else number for number in a_squad()]


def test_four_men_of_one_club_are_kept_and_told() -> None:
    with serving(entry(ENTRY, crowded_squad())) as server:
        brought = fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)
    assert set(brought.player_ids) == set(crowded_squad())
    assert brought.remarks[-1] == (
        "4 players of ARS are kept: that is legal until your next transfer, which has to leave 3."
    )


def test_a_man_who_left_the_game_is_told_and_the_others_stay() -> None:
    with serving(entry(ENTRY, [*a_squad()[:-1], 99_999])) as server:
        brought = fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)
    assert len(brought.player_ids) == 14
    assert brought.remarks[0].startswith("Player 99999 of this entry is no longer on offer.")


def test_an_entry_that_does_not_exist_is_a_sentence() -> None:
    with serving({}) as server, pytest.raises(PayloadError, match="404"):
        fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)


def test_a_late_start_and_a_gap_in_the_record_are_told() -> None:
    season = b'{"current": [{"event": 2, "event_transfers": 0, "bank": 5}], "chips": []}'
    documents = entry_documents(ENTRY, 2, a_squad(), bank=0.5) | {record_name(ENTRY): season}
    with serving(documents) as server:
        brought = fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)
    assert brought.player_ids == tuple(a_squad())
    assert "This entry began in gameweek 2." in brought.remarks
    assert "Nothing is on record of gameweek 3: counted as without a transfer." in brought.remarks


def test_a_game_that_asks_for_fewer_requests_is_asked_no_further() -> None:
    slow = Reply(status=429, headers={"Retry-After": "90"})
    with (
        serving({record_name(ENTRY): slow}) as server,
        pytest.raises(UnreachableError, match="come back in 90 seconds"),
    ):
        fetch_squad(server.url, ENTRY, SNAPSHOT, RULES)
    assert server.paths == [record_name(ENTRY)]


def test_before_the_first_deadline_no_squad_is_public() -> None:
    with pytest.raises(InputError, match="public only after the first deadline"):
        fetch_squad("http://127.0.0.1:1/", ENTRY, small_league().at(1), RULES)


def test_a_league_gives_the_nearest_first_with_points_and_says_who_could_not_be_read(signals: Signals) -> None:
    league = league_documents(5, "L", [1, 2, 3, ENTRY])
    with serving(league | entry_documents(1, 3, a_squad(), chips={2: "3xc"}) | entry(2, other_squad())) as server:
        brought = fetch_rivals(server.url, 5, signals, entry=ENTRY)
        asked = server.paths
    assert [(rival.name, rival.rank, rival.ahead) for rival in brought.rivals] == [("Team 2", 2, -2), ("Team 1", 1, -3)]
    assert [rival.captain for rival in brought.rivals] == other_squad()[:2]
    shy, open_one = (rival.chips for rival in brought.rivals)
    assert shy is None
    assert open_one is not None
    assert set(RULES.boosters) - set(open_one) == {"triple_captain_1"}
    assert brought.remarks[0].startswith("Team 3 is left out: ")
    assert not any(str(ENTRY) in path for path in asked)


def test_the_captains_of_the_last_weeks_are_held_beside_the_crowds_choice(signals: Signals) -> None:
    first, second = a_squad()[:2]
    weeks = entry_documents(1, 3, a_squad()) | {
        picks_name(1, week): entry_documents(1, week, squad)[picks_name(1, week)]
        for week, squad in ((1, other_squad()), (2, a_squad()))
    }
    chosen = {1: first, 2: first, 3: second}
    rounds = small_league().tables["rounds"].assign(most_captained=lambda known: known["round"].map(chosen))
    with serving(league_documents(5, "L", [1, 2]) | weeks | entry(2, a_squad())) as server:
        brought = fetch_rivals(server.url, 5, signals, rounds=rounds)
        untold = fetch_rivals(server.url, 5, signals).rivals[0]
    known, shy = brought.rivals
    assert known.captains == (first, first, second)
    assert known.with_crowd == 1  # in gameweek 2
    assert (shy.captains, shy.with_crowd) == ((first,), 0)
    assert (untold.captains, untold.with_crowd) == (known.captains, None)
    short = dict(zip(signals.player_id.tolist(), signals.short, strict=True))
    assert captain_words(known, short) == f"{short[first]} ×2, {short[second]}; with the crowd in 1 of 3"
    assert captain_words(replace(known, captains=()), short) == "not known"
    assert read_rivals_text(rivals_text(brought.rivals)) == brought.rivals


def test_a_rivals_man_who_left_the_game_is_replaced_from_the_bench_and_told(signals: Signals) -> None:
    squad = [*a_squad()[:10], 99_999, *a_squad()[11:]]  # a forward who started
    with serving(league_documents(5, "L", [1]) | entry(1, squad)) as server:
        (rival,) = (brought := fetch_rivals(server.url, 5, signals)).rivals
    assert set(rival.starters) == {*a_squad()[:10], a_squad()[12]}
    assert rival.bench == ()
    assert brought.remarks == ("Team 1: 1 player left the league; he counts with the eleven he still has.",)


def test_a_rival_who_can_field_no_eleven_is_left_out(signals: Signals) -> None:
    squad = [99_999, *a_squad()[1:11], 99_998, *a_squad()[12:]]  # both goalkeepers left
    documents = league_documents(5, "L", [1, 2]) | entry(1, squad) | entry(2, a_squad())
    with serving(documents) as server:
        brought = fetch_rivals(server.url, 5, signals)
    assert [rival.name for rival in brought.rivals] == ["Team 2"]
    assert brought.remarks == ("Team 1 is left out: 2 of his players left the league, and the others make no eleven.",)


@pytest.mark.facts
def test_a_league_of_72_real_managers_becomes_50_rivals_that_fit_into_a_link(facts: Path) -> None:
    managers, world = real_managers(facts), find_world("fpl2025-26")
    rules = load_rules(world.rulebook)
    believed = beliefs(world.at(LAST + 1), rules, 0, None)
    documents = league_documents(5, "Real", [manager.number for manager in managers])
    for manager in managers:
        documents |= manager.documents(LAST + 1)
    with serving(documents) as server:
        brought = fetch_rivals(server.url, 5, believed, entry=managers[30].number)
    assert brought.remarks == ("Of 71 rivals the 50 nearest to you were read.",)
    assert [rival.ahead for rival in brought.rivals[:4]] == [-1, 1, -2, 2]
    second = ("wildcard_2", "free_hit_2", "bench_boost_2", "triple_captain_2")  # the first set ended with gameweek 19
    assert {rival.chips for rival in brought.rivals} == {second}
    text = rivals_text(brought.rivals)
    assert len(text) < 3_000
    assert read_rivals_text(text) == brought.rivals


def test_a_league_nobody_of_which_can_be_read_is_a_sentence(signals: Signals) -> None:
    with (
        serving(league_documents(5, "L", [1])) as server,
        pytest.raises(InputError, match="No squad of league 5 could be read"),
    ):
        fetch_rivals(server.url, 5, signals)


@pytest.mark.parametrize(("rulebook", "known"), [("fpl2026", True), ("wc2026", False)])
def test_only_the_premier_league_game_shows_squads_by_number(rulebook: str, known: bool) -> None:
    assert has_entries(rulebook) is known
