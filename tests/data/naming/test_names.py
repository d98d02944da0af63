"""Names are shown well and recognised through accents."""

from __future__ import annotations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.naming.names import folded, full_names, short_names
from data.worlds.world import World


@pytest.mark.parametrize(
    ("spelling", "plain"),
    [
        ("Martin Ødegaard", "martin odegaard"),
        ("Rayan Aït-Nouri", "rayan ait nouri"),
        ("N'Golo Kanté", "ngolo kante"),
        ("İlkay  Gündoğan", "ilkay gundogan"),
        ("Łukasz", "lukasz"),
        ("Vini Jr.", "vini jr"),
    ],
)
def test_two_spellings_of_a_name_fold_alike(spelling: str, plain: str) -> None:
    assert folded(spelling) == plain


@given(st.text(max_size=40))
def test_folding_twice_changes_nothing(name: str) -> None:
    assert folded(folded(name)) == folded(name)


@given(st.text(alphabet="aéIİ\u0307\u0301\u0345ﬁǅ '’-", min_size=190, max_size=230))
def test_a_name_longer_than_a_piece_folds_as_its_words_do(name: str) -> None:
    assert folded(name).split() == [part for word in name.split() for part in folded(word).split()]


def players(*rows: tuple[str, str, str, str]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["first_name", "last_name", "known_name", "team"], dtype="str")
    frame.insert(0, "player_id", range(1, len(rows) + 1))
    return frame.assign(name=full_names(frame))


def test_a_known_name_wins_over_first_and_last() -> None:
    assert list(full_names(players(("Edson", "do Nascimento", "Pelé", "BRA")))) == ["Pelé"]


def test_a_player_with_only_one_name_has_no_stray_blank() -> None:
    assert list(full_names(players(("", "Rodri", "", "ESP"), ("Neymar", "", "", "BRA")))) == ["Rodri", "Neymar"]


def test_namesakes_get_their_team_and_then_their_number() -> None:
    same = ("Danilo", "Silva", "", "BRA")
    names = list(full_names(players(same, ("Danilo", "Silva", "", "POR"), same)))
    assert names == ["Danilo Silva (BRA) 1", "Danilo Silva (POR)", "Danilo Silva (BRA) 3"]


def test_a_shared_surname_gets_an_initial_on_the_shirt() -> None:
    frame = players(("Bernardo", "Silva", "", "POR"), ("Thiago", "Silva", "", "BRA"), ("Harry", "Kane", "", "ENG"))
    assert list(short_names(frame)) == ["B. Silva", "T. Silva", "Kane"]


def test_a_shared_initial_gets_the_full_name() -> None:
    frame = players(("Jacob", "Murphy", "", "IRL"), ("Josh", "Murphy", "", "IRL"))
    assert list(short_names(frame)) == ["Jacob Murphy", "Josh Murphy"]


def test_every_player_of_the_world_cup_can_be_told_apart(world_cup: World) -> None:
    for round_number in world_cup.rounds:
        shown = world_cup.at(round_number).players
        assert shown["name"].is_unique
        assert shown["short"].is_unique
        assert (shown["short"].str.strip() != "").all()
