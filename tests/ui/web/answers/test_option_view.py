"""An option as it is read and taken away: four numbers, a table, plain text."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from tests.cases.board_cases import EVIL_NAMES, a_board, a_man, an_option, with_names
from ui.web.answers.option_view import four_figures, lineup_text, marked_terms, player_rows
from ui.web.drawing.clock import local_time
from ui.web.drawing.figures import figures_html

BERLIN = ZoneInfo("Europe/Berlin")


def test_the_four_numbers_are_expectation_range_captain_and_price() -> None:
    html = figures_html(four_figures(an_option(), 100.0))
    for words in ("68.0", "55–81", "low swing", "P9", "90.0m", "10.0m left"):
        assert words in html


def test_a_captains_name_is_escaped() -> None:
    evil = with_names(an_option(), tuple(f"{EVIL_NAMES[0]}{number}" for number in range(15)))
    html = figures_html(four_figures(evil, 100.0))
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_the_table_has_a_row_per_player_with_kickoffs_in_the_visitors_zone() -> None:
    table = player_rows(an_option(), BERLIN)
    assert list(table["Role"])[8:12] == ["Starter, vice", "Starter, captain", "Starter", "Bench 1"]
    assert set(table["Kick-off"]) == {"Mon 15 Jun, 18:00"}
    assert len(table) == 15


def test_the_armband_is_told_with_kickoffs_as_they_are_to_be_written() -> None:
    option = an_option(men=(*an_option().men[:8], a_man(8, kickoff=""), *an_option().men[9:]))
    assert option.ladder[0] == "Start with P9 (Mon 15 Jun 16:00 UTC); vice P8 (no match)."
    local = option.ladder_at(lambda kickoff: local_time(kickoff, BERLIN))
    assert local[0] == "Start with P9 (Mon 15 Jun, 18:00); vice P8 (no match)."


def test_terms_at_zero_stay_and_provisional_ones_are_marked() -> None:
    terms = marked_terms(an_option().decomposition)
    assert terms["Captain again *"] == 8.0
    assert terms["Transfer hits"] == 0.0
    assert len(terms) == 9


def test_the_text_for_a_chat_has_lines_by_position_and_the_bench() -> None:
    text = lineup_text(a_board(), an_option()).splitlines()
    assert text[0] == "Matchday 1 · protect · 4-4-2"
    assert text[1] == "GK: Player 0 (ESP)"
    assert text[4] == "FWD: Player 9 (ESP) (C), Player 10 (ESP)"
    assert text[5] == "Bench: Player 11 (ESP), Player 12 (ESP), Player 13 (ESP), Player 14 (ESP)"
    assert text[6] == "Expected 68.0, 55 to 81 eight times in ten, 90.0m"
