"""Marks beside a player: difficulty in five steps, opponents in words, names that fit."""

from __future__ import annotations

import pytest

from ui.web.drawing.lineup.kits import FREE, PATTERNS, _kits, shirt_html
from ui.web.drawing.lineup.marks import difficulty_of, fixture_html, short_name


@pytest.mark.parametrize(("edge", "step"), [(1.5, 1), (0.5, 2), (0.0, 3), (-0.5, 4), (-1.2, 5)])
def test_a_match_is_harder_the_fewer_goals_one_is_expected_to_win_by(edge: float, step: int) -> None:
    assert difficulty_of(1.5 + edge, 1.5) == step


@pytest.mark.parametrize(
    ("opponent", "told"),
    [
        ("–", "no match"),
        ("CHE (H)", "CHE (H) · 4"),
        ("NFO (A), ARS (H)", "NFO (A), ARS (H) · 4"),
        ("COL 43%, SUI 31%, …", "COL 43% … · 4"),
        ("<b>", "&lt;b&gt; · 4"),
    ],
)
def test_an_opponent_is_told_whole_with_its_difficulty(opponent: str, told: str) -> None:
    assert told in fixture_html(opponent, 4)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Saka", "Saka"),
        ("Calvert-Lewin", "Calvert-Lewin"),
        ("Bruno Fernandes", "B. Fernandes"),
        ("Vicente de la Cruz", "V. d. l. Cruz"),
        ("Emiliano Martínez (ARG)", "E. Martínez"),
    ],
)
def test_long_names_of_several_words_keep_the_last(name: str, told: str) -> None:
    assert short_name(name) == told


def test_every_kit_has_a_pattern_and_an_unknown_team_always_the_same_colour() -> None:
    assert {kit[0] for kit in _kits().values()} <= set(PATTERNS)
    assert shirt_html("XYZ") == shirt_html("XYZ")
    assert any(colour in shirt_html("XYZ") for colour in FREE)
