"""Written names find their players, and what fits several or none is said with candidates, never guessed."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import NameMatchError, UnknownError
from data.naming.matching import LISTED, SEARCHED_NAMES, Placement, PlayerNames, Unplaced, Written
from data.naming.names import full_names, short_names
from data.worlds.world import World

MEN = [
    (1, "Bukayo", "Saka", "", "ARS"),
    (2, "Gabriel", "Fernando de Jesus", "G.Jesus", "ARS"),
    (3, "Gabriel", "dos Santos Magalhães", "Gabriel", "ARS"),
    (4, "Martin", "Ødegaard", "", "ARS"),
    (5, "Bruno", "Borges Fernandes", "B.Fernandes", "MUN"),
    (6, "Mateus", "Fernandes", "", "SOU"),
    (7, "Heung-Min", "Son", "", "TOT"),
    (8, "Emiliano", "Martínez", "", "AVL"),
    (9, "Lisandro", "Martínez", "", "MUN"),
    (10, "Antonee", "Robinson", "Robinson", "FUL"),
    (11, "Miles", "Robinson", "", "FUL"),
    (12, "", "Rodri", "", "MCI"),
]
TEAMS = pd.DataFrame(
    [("ARS", "Arsenal", "Arsenal"), ("MUN", "Man Utd", "Manchester United"), ("TOT", "Spurs", "Tottenham")],
    columns=["code", "name", "results_name"],
)


def players_of(rows: Sequence[tuple[object, ...]], *more: str) -> pd.DataFrame:
    """Return players with the names they are shown by; `more` names further columns of the rows."""
    players = pd.DataFrame(rows, columns=["player_id", "first_name", "last_name", "known_name", "team", *more])
    players["name"] = full_names(players)
    players["short"] = short_names(players)
    return players


NAMES = PlayerNames(players_of(MEN), TEAMS)


def written(name: str = "", team: str = "", player_id: int | None = None) -> Written:
    return Written(7, player_id, name, team)


def whom(name: str, team: str = "", player_id: int | None = None) -> int | None:
    return NAMES.place([written(name, team, player_id)]).player_ids[0]


@pytest.mark.parametrize(
    ("name", "team", "player"),
    [
        ("Bukayo Saka", "", 1),
        ("Saka, Bukayo", "", 1),
        ("  SAKA ", "", 1),
        ("B. Saka", "", 1),
        ("Saka B.", "ARS", 1),
        ("Odegaard", "", 4),
        ("Martin Ødegaard", "Arsenal", 4),
        ("Gabriel", "", 3),
        ("G.Jesus", "", 2),
        ("Gabriel Jesus", "", 2),
        ("Gabriel Magalhaes", "arsenal", 3),
        ("Bruno Fernandes", "", 5),
        ("Fernandes", "SOU", 6),
        ("Son Heung Min", "", 7),
        ("Martinez", "MUN", 9),
        ("Martínez", "Manchester United", 9),
        ("Martinez (AVL)", "", 8),
        ("Rodri", "", 12),
        ("Saka", "Gunners", 1),
    ],
)
def test_a_name_finds_its_player(name: str, team: str, player: int) -> None:
    assert whom(name, team) == player
    assert team or NAMES.only(name) == player


@pytest.mark.parametrize(
    ("name", "team", "candidates"),
    [
        ("Martinez", "", {"Emiliano Martínez (AVL, id 8)", "Lisandro Martínez (MUN, id 9)"}),
        ("Robinson", "FUL", {"Robinson (FUL, id 10)", "Miles Robinson (FUL, id 11)"}),
    ],
)
def test_a_name_of_several_is_ambiguous_and_lists_them(name: str, team: str, candidates: set[str]) -> None:
    placement = NAMES.place([written(name, team)])
    (entry,) = placement.unplaced
    assert placement.player_ids == (None,)
    assert entry.ambiguous
    assert set(entry.candidates) == candidates
    assert "fits 2 players" in str(entry)


def test_a_misspelt_name_is_offered_the_nearest() -> None:
    (entry,) = NAMES.place([written("Sakka", "ARS")]).unplaced
    assert not entry.ambiguous
    assert entry.candidates[0] == "Bukayo Saka (ARS, id 1)"
    assert str(entry).startswith("Row 7, Sakka (ARS): fits no player. Candidates: Bukayo Saka")


def test_a_row_that_fits_a_whole_team_names_a_few_of_it() -> None:
    entry = Unplaced(1, "First", "fits 18 players", True, tuple(f"First {number}" for number in range(18)))
    assert str(entry) == (
        "Row 1, First: fits 18 players. Candidates: First 0; First 1; First 2; First 3; First 4 and 13 more."
    )


def test_the_nearest_is_sought_beyond_the_team_when_nobody_in_it_is_close() -> None:
    assert NAMES.nearest("Odegard", "TOT") == (4,)


def test_a_player_of_another_team_than_written_is_not_assumed() -> None:
    (entry,) = NAMES.place([written("Saka", "TOT")]).unplaced
    assert "nobody of this name plays for TOT" in entry.reason
    assert entry.candidates == ("Bukayo Saka (ARS, id 1)",)


def test_a_team_nobody_knows_is_reported() -> None:
    assert NAMES.place([written("Saka", "Gunners"), written("Rodri")]).unknown_teams == ("Gunners",)


@pytest.mark.parametrize("name", ["", "B.Fernandes", "Bruno", "fernandes b"])
def test_an_id_is_enough_and_may_stand_beside_any_of_his_names(name: str) -> None:
    assert whom(name, player_id=5) == 5


def test_an_id_beside_the_name_of_another_is_refused() -> None:
    (entry,) = NAMES.place([written("Saka", "ARS", player_id=5)]).unplaced
    assert "id 5 is B.Fernandes here" in entry.reason


def test_an_unknown_id_is_not_replaced_by_the_name_but_the_name_is_offered() -> None:
    (entry,) = NAMES.place([written("Saka", "ARS", player_id=999)]).unplaced
    assert "no player with id 999" in entry.reason
    assert entry.candidates == ("Bukayo Saka (ARS, id 1)",)


@pytest.mark.parametrize("key", ["Starboy", "starboy (ars)", "STÁRBOY"])
def test_a_resolution_by_hand_decides(key: str) -> None:
    placement = NAMES.place([written("Starboy", "ARS")], {key: 1})
    assert (placement.player_ids, placement.unplaced) == ((1,), ())


def test_a_resolution_to_nobody_is_refused() -> None:
    with pytest.raises(UnknownError, match="'Starboy' is resolved to player 999"):
        NAMES.place([written("Starboy")], {"Starboy": 999})


def test_refusing_names_every_row_up_to_a_list_that_fits_a_page() -> None:
    placement = NAMES.place([Written(row, None, f"Nobody{row}", "") for row in range(2, 17)])
    with pytest.raises(NameMatchError, match="15 of 15 rows") as error:
        placement.refuse_unplaced()
    assert f"and {15 - LISTED} more" in str(error.value)
    assert "Row 2, Nobody2" in str(error.value)


def test_nothing_is_refused_where_everybody_is_placed() -> None:
    placement = NAMES.place([written("Saka")])
    placement.refuse_unplaced()
    assert placement.unplaced == ()


def test_a_wholly_wrong_table_is_still_listed_row_by_row() -> None:
    placement = NAMES.place([Written(row, None, f"Sakka {row}", "") for row in range(2 * SEARCHED_NAMES)])
    assert len(placement.unplaced) == 2 * SEARCHED_NAMES
    assert placement.unplaced[0].candidates
    assert not placement.unplaced[-1].candidates


def rightly_placed(world: World, players: pd.DataFrame) -> Placement:
    """Place players by what is written of them; nobody is given another's place."""
    snapshot = world.at(1)
    rows = [Written(i, None, row.written, row.team) for i, row in enumerate(players.itertuples())]
    placement = PlayerNames(snapshot.players, snapshot.teams).place(rows)
    assert all(found in (None, true) for found, true in zip(placement.player_ids, players["player_id"], strict=True))
    return placement


@pytest.mark.parametrize("with_team", [True, False])
def test_every_player_of_the_world_cup_is_found_by_full_name_or_called_ambiguous(
    world_cup: World, with_team: bool
) -> None:
    players = world_cup.at(1).players
    full = players["first_name"] + " " + players["last_name"]
    placement = rightly_placed(world_cup, players.assign(written=full, team=players["team"] if with_team else ""))
    assert len(placement.unplaced) <= 4
    assert all(entry.ambiguous for entry in placement.unplaced)


@pytest.mark.parametrize("column", ["last_name", "short", "name"])
def test_no_shorter_name_of_the_world_cup_is_given_to_the_wrong_player(world_cup: World, column: str) -> None:
    players = world_cup.at(1).players
    named = players[players[column] != ""]
    assert len(rightly_placed(world_cup, named.assign(written=named[column])).player_ids) == len(named)


@given(st.text(max_size=30), st.text(max_size=10), st.none() | st.integers())
def test_any_row_gets_a_player_or_a_reason(name: str, team: str, player_id: int | None) -> None:
    placement = NAMES.place([written(name, team, player_id)])
    assert (placement.player_ids[0] is None) == (len(placement.unplaced) == 1)
