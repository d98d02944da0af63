"""A bad price never becomes a player."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from data.domain import Fixture, Player, Position, Team
from data.errors import TableError

KICKOFF = datetime(2026, 6, 11, 19, tzinfo=UTC)


def a_player(*, price: float = 4.0, owned: float = 0.1) -> Player:
    return Player(7, "Rodri", "ESP", Position.MID, price, owned)


@pytest.mark.parametrize("price", [0.0, -4.0, float("nan"), 51.0])
def test_a_price_is_positive_and_sane(price: float) -> None:
    with pytest.raises(TableError, match="Rodri: price"):
        a_player(price=price)


@pytest.mark.parametrize("owned", [-0.1, 12.0, float("nan")])
def test_ownership_is_a_share_and_percent_is_pointed_out(owned: float) -> None:
    with pytest.raises(TableError, match="Divide by 100"):
        a_player(owned=owned)


def test_a_player_within_the_limits_is_born() -> None:
    assert a_player().position is Position.MID


@pytest.mark.parametrize("code", ["", "E S", "<b>"])
def test_a_team_code_is_short_letters(code: str) -> None:
    with pytest.raises(TableError, match="Team code"):
        Team(code, "Spain")


def test_no_team_plays_itself() -> None:
    with pytest.raises(TableError, match="cannot play itself"):
        Fixture(1, 1, KICKOFF, "ESP", "ESP")


def test_only_a_side_of_the_match_can_be_at_home() -> None:
    with pytest.raises(TableError, match="MEX is at home but does not play"):
        Fixture(1, 1, KICKOFF, "ESP", "FRA", at_home="MEX")
