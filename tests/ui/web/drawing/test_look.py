"""Text stays readable: every pair of ink and ground that the pages use has the contrast the guidelines ask for."""

from __future__ import annotations

import pytest

from ui.web.drawing.look import palette, style_sheet, term_colours

TEXT, GRAPHIC = 4.5, 3.0
PAGE = {"light": "#ffffff", "dark": "#0f1613"}


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize(("colours", "page"), [(palette(False), PAGE["light"]), (palette(True), PAGE["dark"])])
def test_text_is_readable_on_cards_bench_and_page(colours: dict[str, str], page: str) -> None:
    for ground in (colours["card"], colours["bench"], page):
        assert contrast(colours["ink"], ground) >= TEXT
        assert contrast(colours["quiet"], ground) >= TEXT


@pytest.mark.parametrize("colours", [palette(False), palette(True)])
def test_stripes_stand_out_from_their_card(colours: dict[str, str]) -> None:
    for stripe in (colours["popular"], colours["between"], colours["rare"]):
        assert contrast(stripe, colours["card"]) >= GRAPHIC


@pytest.mark.parametrize("colours", [palette(False), palette(True)])
@pytest.mark.parametrize("name", ["fix0", "fix1", "fix2", "fix3", "fix4", "fix5", "chip", "soon", "answer"])
def test_text_on_a_coloured_ground_is_readable(colours: dict[str, str], name: str) -> None:
    assert contrast(colours[f"{name}_ink"], colours[name]) >= TEXT


def test_the_style_sheet_has_both_themes_and_no_remote_address() -> None:
    sheet = style_sheet()
    for name in palette(False):
        assert f"light-dark({palette(False)[name]},{palette(True)[name]})" in sheet
    assert "http" not in sheet
    assert "--xi-on-primary" in sheet


def test_seven_terms_have_seven_colours_in_both_themes() -> None:
    assert len(set(term_colours(False))) == len(set(term_colours(True))) == 7
