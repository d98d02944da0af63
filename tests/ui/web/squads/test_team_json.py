"""The game's own team as JSON, whatever its shape."""

from __future__ import annotations

import json

import pytest

from data.errors import PayloadError, TableError
from ui.web.squads.team_json import looks_like_json, read_team

FIFTEEN = list(range(101, 116))


def fpl_team(**changes: object) -> dict[str, object]:
    picks = [
        {"element": number, "position": place, "is_captain": place == 3, "selling_price": 50}
        for place, number in reversed(list(enumerate(FIFTEEN, start=1)))
    ]
    return {"picks": picks, "transfers": {"bank": 7, "limit": 2, "made": 1}} | changes


def test_a_premier_league_team_comes_in_the_order_of_its_places_with_money_and_transfers() -> None:
    team = read_team(json.dumps(fpl_team()), 15)
    assert team.player_ids == tuple(FIFTEEN)
    assert team.captain == 103
    assert team.budget == pytest.approx(75.7)
    assert team.free_transfers == 1
    assert team.selling == dict.fromkeys(FIFTEEN, 5.0)


def test_selling_prices_count_only_when_every_man_has_one() -> None:
    picks = [{"element": number, "position": place} for place, number in enumerate(FIFTEEN, start=1)]
    picks[0]["selling_price"] = 50
    team = read_team(json.dumps(fpl_team(picks=picks)), 15)
    assert (team.selling, team.budget) == ({}, None)


def test_a_price_beyond_any_game_is_not_believed() -> None:
    picks = [{"element": number, "position": number, "selling_price": 2**50} for number in FIFTEEN]
    team = read_team(json.dumps(fpl_team(picks=picks)), 15)
    assert (team.selling, team.budget) == ({}, None)


def test_what_the_document_does_not_tell_stays_open() -> None:
    team = read_team(json.dumps(fpl_team(transfers={"limit": None, "made": 0})), 15)
    assert (team.budget, team.free_transfers) == (None, None)


@pytest.mark.parametrize(
    "document",
    [
        FIFTEEN,
        [str(number) for number in FIFTEEN],
        {"team": {"lineup": {"GK": FIFTEEN[:1], "DEF": FIFTEEN[1:5], "MID": FIFTEEN[5:11]}, "bench": FIFTEEN[11:]}},
        {"success": {"boosters": [1, 2], "squad": [{"id": number, "price": 5} for number in FIFTEEN]}},
        {"rounds": [1, 2, 3], "mine": {"players": [{"playerId": number, "id": 9} for number in FIFTEEN]}},
    ],
)
def test_the_smallest_part_that_lists_a_whole_squad_is_the_team(document: object) -> None:
    assert list(read_team(json.dumps(document), 15).player_ids) == FIFTEEN


@pytest.mark.parametrize(
    "document",
    [
        {"players": FIFTEEN, "captainId": 105},
        {"players": [{"id": number, "isCaptain": number == 105} for number in FIFTEEN]},
    ],
)
def test_the_captain_is_named_or_marked(document: object) -> None:
    assert read_team(json.dumps(document), 15).captain == 105


def test_broken_json_is_told_with_line_and_column() -> None:
    with pytest.raises(PayloadError, match="line 2 column 1"):
        read_team('{"picks": [\n', 15)


def test_a_document_without_ids_or_without_end_is_a_sentence() -> None:
    with pytest.raises(TableError, match="lists no player ids"):
        read_team('{"name": "Anna"}', 15)
    with pytest.raises((TableError, PayloadError), match="nested too deeply"):
        read_team("[" * 100_000, 15)
    with pytest.raises(PayloadError, match="nested too deeply: more than 12 levels"):
        read_team("[" * 13 + "1" + "]" * 13, 15)


@pytest.mark.parametrize(("text", "json_like"), [(' {"a": 1}', True), ("\ufeff[1]", True), ("Kane, ENG", False)])
def test_only_braces_and_brackets_begin_json(text: str, json_like: bool) -> None:
    assert looks_like_json(text) is json_like
