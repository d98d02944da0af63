"""A squad as a visitor brings it: every row is somebody, or is told with its place."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import TableError, ThetaXIError
from data.worlds.world import World
from engine.board.board import make_board
from engine.board.export import lineup_csv
from engine.fitness.judge import named_objective
from tests.cases.judged_worlds import a_judge, awkward_signals, world_cup_signals
from tests.cases.small_world import AWKWARD, awkward_cup, squad_ids
from ui.web.answers.option_view import lineup_text
from ui.web.squads.team_json import BroughtSquad
from ui.web.squads.uploads import by_position, read_squad, shape_gaps

SHAPE = {"GK": 2, "DEF": 5, "MID": 5, "FWD": 3}


SNAPSHOT = awkward_cup().at(1)


def names_of(ids: list[int]) -> list[str]:
    players = SNAPSHOT.players.set_index("player_id")
    return [f"{players.loc[number, 'name']}, {players.loc[number, 'team']}" for number in ids]


def test_names_ids_and_json_mean_the_same_squad() -> None:
    ids = squad_ids(awkward_cup())
    pasted = "\n".join(names_of(ids))
    for content in (pasted, pasted.encode("utf-8-sig"), "\n".join(map(str, ids)), json.dumps({"team": ids})):
        assert read_squad(content, SNAPSHOT, size=15).player_ids == tuple(ids)


def test_a_mark_for_captain_or_vice_is_no_part_of_a_name() -> None:
    first, second = names_of(squad_ids(awkward_cup())[:2])
    marked = f"{first} (C)\n{second} (v)"
    assert len(read_squad(marked, SNAPSHOT, size=15).player_ids) == 2


@pytest.mark.parametrize("name", [name for name in AWKWARD if name != "🦁"])
def test_an_awkward_name_is_found_by_its_own_spelling(name: str) -> None:
    players = SNAPSHOT.players.set_index("known_name")
    found = read_squad(f'name,team\n"{name}",{players.loc[name, "team"]}', SNAPSHOT, size=15)
    assert found.player_ids == (int(players.loc[name, "player_id"]),), found.remarks


def test_a_row_that_fits_nobody_is_told_with_its_row_and_the_nearest() -> None:
    brought = read_squad("Odegard\n=2+2\n<b>x</b>", SNAPSHOT, size=15)
    assert brought.player_ids == ()
    assert brought.remarks[0].startswith("Row 1, Odegard: fits no player. Candidates: Ødegaard")
    assert brought.remarks[1].startswith("Row 2, =2+2: fits no player.")


def test_json_ids_that_are_not_on_offer_are_told_with_their_place() -> None:
    brought = read_squad("[100, 99999]", SNAPSHOT, size=2)
    assert brought.player_ids == (100,)
    assert brought.remarks == ("Place 2: there is no player with id 99999 in this round.",)


def test_an_exported_line_up_comes_back_whole() -> None:
    judge = a_judge(awkward_signals())
    option = make_board(judge, named_objective("gain", judge.view), judge.pool[-1:]).recommended
    brought = read_squad(lineup_csv(option).encode("utf-8-sig"), SNAPSHOT, size=15)
    assert brought.player_ids == tuple(man.player_id for man in option.men)
    assert brought.remarks == ()


def test_a_squad_fetched_by_its_number_brings_money_and_transfers_of_its_round_only() -> None:
    ids = squad_ids(awkward_cup())
    men = "\n".join(f"{number},,,," for number in ids)
    for written, known in ((1, (99.5, 2)), (7, (None, None))):
        text = f"id,name,team,captain,selling\n{men}\n\naccount,value\nround,{written}\nbudget,99.5\nfree_transfers,2\n"
        brought = read_squad(text, SNAPSHOT, size=15)
        assert brought.player_ids == tuple(ids)
        assert (brought.budget, brought.free_transfers) == known
        assert bool(brought.remarks) is (written == 7)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The list is empty"),
        (b"PK\x03\x04\x00\x00", "NUL bytes"),
        (b"x" * 200_001, "200,001 bytes; 200,000 is the limit"),
        ("a\n" * 1_002, "more than 1,000 rows"),
        ("a,b\n" * 501, "The list names 1,002 players; 1,000 is the limit"),
        (" " * 200_000, "The list is empty"),
        ("x" * 2_000, "a cell of 2,000 characters"),
        ("name,team\nKane", "Row 2 has 1 cells where the header has 2"),
        ('"open', "Line 1 cannot be parted into cells"),
    ],
)
def test_what_is_no_squad_is_a_sentence_with_its_place(content: bytes | str, said: str) -> None:
    with pytest.raises(TableError, match=said):
        read_squad(content, SNAPSHOT, size=15)


ACCOUNT = "id,name,team,captain,selling\n100,,,,{selling}\n\naccount,value\n{account}\n"


@pytest.mark.parametrize(
    ("selling", "account", "said"),
    [
        ("1e300", "round,1", "An account with [1e+300]"),
        ("5", "budget,1e308", "An account with [1e+308, 5.0]"),
        ("5", f"free_transfers,{'9' * 4_000}", "makes no sense"),
        ("5", f"round,{'9' * 4_000}", "makes no sense"),
        ("5", f"budget,{'9' * 140_000}", "something that is no number"),
    ],
)
def test_an_account_beyond_any_game_is_a_short_sentence(selling: str, account: str, said: str) -> None:
    with pytest.raises(ThetaXIError) as refusal:
        read_squad(ACCOUNT.format(selling=selling, account=account), SNAPSHOT, size=15)
    assert said in str(refusal.value)
    assert len(str(refusal.value)) < 300


def test_a_thousand_ids_of_nobody_are_told_in_a_few_lines() -> None:
    remarks = read_squad(json.dumps(list(range(10_000, 60_000))[:20_000]), SNAPSHOT, size=15).remarks
    assert len(remarks) == 51
    assert remarks[-1] == "… and 19,950 more like these."


@given(st.one_of(st.text(max_size=300), st.binary(max_size=300)))
def test_nothing_a_visitor_pastes_brings_more_than_a_sentence(content: bytes | str) -> None:
    brought = BroughtSquad(())
    with suppress(ThetaXIError):
        brought = read_squad(content, SNAPSHOT, size=15)
    assert len(set(brought.player_ids)) == len(brought.player_ids)


def test_gaps_in_a_squad_are_counted_in_words() -> None:
    placed = by_position([*squad_ids(awkward_cup())[1:], 99_999], SNAPSHOT)
    counts = {position: len(ids) for position, ids in placed.items()}
    assert shape_gaps(counts, SHAPE) == ("1 GK is missing",)
    assert shape_gaps(counts | {"DEF": 7, "GK": 2}, SHAPE) == ("2 DEF are too many",)
    assert shape_gaps(SHAPE, SHAPE) == ()


@pytest.mark.parametrize("round_number", [1, 4, 8])
@pytest.mark.daily("1")
def test_a_line_up_copied_as_text_is_read_again(world_cup: World, round_number: int) -> None:
    judge = a_judge(world_cup_signals(round_number))
    board = make_board(judge, named_objective("gain", judge.view), judge.pool[:6])
    for option in board.options:
        brought = read_squad(lineup_text(board, option), world_cup.at(round_number), size=15)
        assert sorted(brought.player_ids) == sorted(man.player_id for man in option.men)
        assert not brought.remarks
