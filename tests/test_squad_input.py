"""A squad as a user has it: names or ids, refused with the reason when it is not a full squad."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import InputError, NameMatchError
from data.rules import load_rules
from data.world import World
from engine.pool import linear_squad, pool_of
from engine.squad_input import read_squad, roles, squad_rows
from models.signals import Signals, build_signals


@pytest.fixture(scope="module")
def signals(world_cup: World) -> Signals:
    return build_signals(world_cup.at(1), load_rules("wc2026"))


@pytest.fixture(scope="module")
def names(signals: Signals) -> list[str]:
    squad = linear_squad(signals, pool_of(signals))
    return [f"{signals.name[row]}, {signals.codes[row]}" for row in squad]


def test_names_in_any_order_mean_the_same_squad(world_cup: World, signals: Signals, names: list[str]) -> None:
    rows, _ = squad_rows("\n".join(names), world_cup.at(1), signals)
    turned, _ = squad_rows("\n".join(reversed(names)), world_cup.at(1), signals)
    assert list(rows) == list(turned)
    assert [f"{signals.name[row]}, {signals.codes[row]}" for row in rows] == names


def test_a_file_is_read_and_a_missing_one_named(
    world_cup: World, signals: Signals, names: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "squad.csv"
    file.write_text("\n".join(names), encoding="utf-8")
    assert len(read_squad(file, world_cup.at(1), signals)[0]) == 15
    with pytest.raises(InputError, match=r"none.csv cannot be read"):
        read_squad(tmp_path / "none.csv", world_cup.at(1), signals)


def test_a_squad_of_the_wrong_shape_says_what_it_has(world_cup: World, signals: Signals, names: list[str]) -> None:
    with pytest.raises(InputError, match=r"A squad has 15 players, but yours has 1 GK instead of 2"):
        squad_rows("\n".join(names[1:]), world_cup.at(1), signals)


def test_an_unknown_name_is_listed_with_the_nearest(world_cup: World, signals: Signals, names: list[str]) -> None:
    with pytest.raises(NameMatchError, match="Hary Kane"):
        squad_rows("\n".join([*names[:-1], "Hary Kane, ENG"]), world_cup.at(1), signals)


def test_roles_name_one_captain_one_vice_and_a_bench_in_order(
    world_cup: World, signals: Signals, names: list[str]
) -> None:
    rows, _ = squad_rows("\n".join(names), world_cup.at(1), signals)
    listed = [player["role"] for player in roles(signals, rows)]
    assert listed.count("captain") == 1
    assert listed.count("vice") == 1
    assert listed[11:] == ["bench 1", "bench 2", "bench 3", "bench 4"]
