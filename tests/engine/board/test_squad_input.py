"""A squad as a user has it: names or ids, refused with the reason when it is not a full squad."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pytest

from data.errors import InputError, NameMatchError
from data.worlds.library import find_world
from data.worlds.world import World
from engine.board.board import make_board
from engine.board.export import lineup_csv
from engine.board.squad_input import NO_ACCOUNT, account_of, read_account, read_squad, roles, squad_rows
from engine.fitness.judge import Judge, named_objective
from engine.fitness.reference import linear_squad, pool_of
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.fitness.wishes import Wishes
from models.signals import Signals
from tests.cases.judged_worlds import cup_signals, small_board, world_cup_signals


@pytest.fixture(scope="module")
def names(signals: Signals) -> list[str]:
    return named(signals, linear_squad(signals, pool_of(signals)))


def named(signals: Signals, rows: np.ndarray) -> list[str]:
    return [f"{signals.name[row]}, {signals.codes[row]}" for row in rows]


def read(content: bytes | str) -> tuple[np.ndarray, tuple[str, ...]]:
    return squad_rows(content, find_world("wc2026").at(1), world_cup_signals())


def test_names_in_any_order_mean_the_same_squad(signals: Signals, names: list[str]) -> None:
    rows, _ = read("\n".join(names))
    turned, _ = read("\n".join(reversed(names)))
    assert list(rows) == list(turned)
    assert named(signals, rows) == names


def test_a_file_is_read_and_a_missing_one_named(
    world_cup: World, signals: Signals, names: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "squad.csv"
    file.write_text("\n".join(names), encoding="utf-8")
    assert len(read_squad(file, world_cup.at(1), signals)[0]) == 15
    with pytest.raises(InputError, match=r"none.csv cannot be read"):
        read_squad(tmp_path / "none.csv", world_cup.at(1), signals)


def test_a_squad_of_the_wrong_shape_says_what_it_has(names: list[str]) -> None:
    with pytest.raises(InputError, match=r"A squad has 15 players, but yours has 1 GK instead of 2"):
        read("\n".join(names[1:]))


def test_an_unknown_name_is_listed_with_the_nearest(names: list[str]) -> None:
    with pytest.raises(NameMatchError, match="Hary Kane"):
        read("\n".join([*names[:-1], "Hary Kane, ENG"]))


def test_roles_name_one_captain_one_vice_and_a_bench_in_order(signals: Signals, names: list[str]) -> None:
    rows, _ = read("\n".join(names))
    listed = [player["role"] for player in roles(signals, rows)]
    assert listed.count("captain") == 1
    assert listed.count("vice") == 1
    assert listed[11:] == ["bench 1", "bench 2", "bench 3", "bench 4"]


def a_fetched_squad(signals: Signals, names: list[str], account: str, selling: str = "") -> str:
    squad = linear_squad(signals, pool_of(signals))
    lines = [f"{signals.player_id[row]},{signals.name[row]},{signals.codes[row]},,{selling}" for row in squad]
    return "\n".join(["id,name,team,captain,selling", *lines, "", "account,value", account]) + "\n"


def test_a_fetched_squad_is_read_without_its_account(signals: Signals, names: list[str]) -> None:
    text = a_fetched_squad(signals, names, "budget,101.3")
    rows, remarks = read(text)
    assert named(signals, rows) == names
    assert remarks == ()


def test_an_account_holds_for_its_round_only(signals: Signals, names: list[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    text = a_fetched_squad(signals, names, "round,4\nbank,0.5\nbudget,101.3\nfree_transfers,2")
    file.write_text(text, encoding="utf-8-sig")
    account, remarks = read_account(file, 4)
    assert (account.budget, account.free_transfers, dict(account.selling)) == (101.3, 2, {})
    assert remarks == ("Taken from the file unless stated: a budget of 101.3 and 2 free transfers.",)
    stale, remarks = read_account(file, 5)
    assert stale == NO_ACCOUNT
    assert remarks == ("The money and transfers in mine.csv are those before round 4: not used. Fetch it again.",)
    with pytest.raises(InputError, match=r"none.csv cannot be read"):
        read_account(tmp_path / "none.csv", 4)


def test_any_other_file_has_no_account(names: list[str]) -> None:
    assert account_of("\n".join(names)) == NO_ACCOUNT
    assert account_of(b"\xff\xfe") == NO_ACCOUNT


@pytest.mark.parametrize(
    "figure", ["budget,much", "budget,nan", "budget,-1", "free_transfers,1.5", "free_transfers,-1"]
)
def test_an_account_of_nonsense_is_refused(signals: Signals, names: list[str], figure: str) -> None:
    with pytest.raises(InputError, match="Fetch the squad again, or delete the table"):
        account_of(a_fetched_squad(signals, names, figure))


def test_who_is_ones_own_costs_what_he_would_bring(signals: Signals, names: list[str]) -> None:
    account = account_of(a_fetched_squad(signals, names, "budget,60.0", selling="3.9"))
    mine = [signals.row_of(player) for player in account.selling]
    own = Wishes(selling=account.selling).priced(signals)
    assert set(own.price[mine]) == {3.9}
    others = [row for row in range(len(signals)) if row not in mine]
    assert (own.price[others] == signals.price[others]).all()
    assert Wishes(selling=NO_ACCOUNT.selling).priced(signals) is signals


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_an_exported_lineup_that_a_spreadsheet_saved_is_read_again(signals: Signals, separator: str) -> None:
    squad = linear_squad(signals, pool_of(signals))
    judge = Judge(SquadView(signals), np.random.default_rng(0), pool_size=50)
    written = lineup_csv(make_board(judge, named_objective("neutral", judge.view), squad[None, :]).recommended)
    rows = list(csv.reader(io.StringIO(written)))
    padded = [[*row, *[""] * (len(rows[0]) - len(row))] for row in rows]
    text = io.StringIO()
    csv.writer(text, delimiter=separator).writerows(padded)
    found, remarks = read(("\ufeff" + text.getvalue()).encode())
    assert sorted(found) == sorted(squad)
    assert remarks == ()


def test_an_account_with_semicolons_and_decimal_commas_is_the_same_account() -> None:
    plain = (
        "id,name,team,captain,selling\n7,Kane,ENG,C,10.4\n\naccount,value\nround,2\nbudget,100.5\nfree_transfers,1\n"
    )
    saved = plain.replace(",", ";").replace(".", ",").replace("\n\n", "\n;;;;\n")
    assert account_of(saved) == account_of(plain) != NO_ACCOUNT
    assert account_of(plain).selling == {7: 10.4}


def test_roles_are_those_of_the_lineup_that_is_given() -> None:
    signals, squad = cup_signals(1), np.array(small_board().recommended.rows)
    free = roles(signals, squad)
    other = int(np.flatnonzero(signals.player_id == free[10]["player_id"])[0])
    held = SquadView(signals, SceneSettings(captain=other)).lineups(squad[None, :])
    (captain,) = [man for man in roles(signals, squad, held) if man["role"] == "captain"]
    assert captain["player_id"] == signals.player_id[other]
