"""One club has several names, and a name that could be two clubs is neither."""

from __future__ import annotations

import pytest

from data.naming.clubs import club_meant

CLUBS = ("Man City", "Man Utd", "Spurs", "Ipswich Town", "Hull City", "Sheffield Utd", "Leeds")


@pytest.mark.parametrize(
    ("name", "club"),
    [
        ("Leeds", "Leeds"),
        ("Tottenham", "Spurs"),
        ("Man United", "Man Utd"),
        ("Ipswich", "Ipswich Town"),
        ("Leeds United", "Leeds"),
        ("Man", "Man"),  # two clubs begin so
        ("Hull", "Hull City"),
        ("Hullabaloo", "Hullabaloo"),
        ("", ""),
    ],
)
def test_a_name_means_the_one_club_that_is_called_so(name: str, club: str) -> None:
    assert club_meant(name, CLUBS) == club
