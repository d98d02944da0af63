"""A squad may come as a CSV, as lines or as one line, by name or by id."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import NameMatchError, TableError, ThetaXIError
from data.sources.own.squads import NamedSquad, read_names
from tests.data.sources.own.test_projections import TEAMS, the_players


def read(content: bytes | str, **options: object) -> NamedSquad:
    return read_names(content, the_players(), teams=TEAMS, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "content",
    [
        "Saka\nPalmer\nMartinez (MUN)\n",
        "Saka, Palmer, Lisandro Martinez",
        "1\n3\n5",
        "1;3;5",
        "1. Saka\n2. Palmer\n3. L. Martínez\n",
        "- Saka\n- Palmer\n- L Martinez\n",
        "Saka, Bukayo\nPalmer, Cole\nMartinez, Lisandro\n",
        "Saka, ARS\nPalmer, CHE\nMartinez, MUN\n",
        "Saka\nPalmer, CHE\nMartinez, MUN\n",
        "Saka\nPalmer; CHE\nMartinez; MUN\n",
        "name\nSaka, Bukayo\nPalmer, Cole\nMartinez, Lisandro\n",
        "name,team,price\nSaka,ARS,10\nPalmer,CHE,11\nMartinez,MUN,5\n",
        "\ufeffID\tPlayer\n1\tSaka\n3\tPalmer\n5\tMartinez\n".encode("utf-16"),
        "id\n1\n3\n5\n",
    ],
)
def test_every_common_form_of_a_squad_is_read_in_its_order(content: bytes | str) -> None:
    squad = read(content, strict=True)
    assert squad.player_ids == (1, 3, 5)
    assert squad.report.unplaced == ()


def test_open_names_are_reported_with_candidates_and_refused_where_strict() -> None:
    squad = read("Saka\nPalmerr\nMartinez\n")
    assert squad.player_ids == (1,)
    assert squad.report.unplaced[0].candidates == ("Cole Palmer (CHE, id 3)",)
    assert squad.report.unplaced[1].row == 3

    with pytest.raises(NameMatchError, match="Row 2, Palmerr"):
        read("Saka\nPalmerr\n", strict=True)


def test_a_player_listed_twice_counts_once_and_is_said() -> None:
    squad = read("Saka\nPalmer\nBukayo Saka\n")
    assert squad.player_ids == (1, 3)
    assert squad.report.repeated == ("Bukayo Saka (ARS, id 1) stands there 2 times: counted once.",)


def test_columns_a_squad_does_not_need_are_listed() -> None:
    assert read("name,price,xev\nSaka,10,6\n").report.ignored_columns == ("price", "xev")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "The list is empty"),
        (" \n\n", "The list is empty"),
        ("name,team\nSaka\n", "Row 2 has 1 cells"),
        ("name\n", "no row under it"),
        (b"Sa\x00ka", "NUL bytes"),
        ("x" * 200_001, "200,001 bytes"),
        ("Saka\n" * 1_002, "more than 1,000 rows"),
    ],
)
def test_what_is_no_squad_is_refused(content: bytes | str, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read(content)


@given(st.binary(max_size=200) | st.text(max_size=200))
def test_no_content_makes_anything_but_our_own_error(content: bytes | str) -> None:
    with suppress(ThetaXIError):
        assert set(read(content).player_ids) <= {1, 2, 3, 4, 5}
