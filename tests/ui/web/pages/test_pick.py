"""The logic of the Pick page: nothing chosen at first, a choice opens its board, and a link reproduces it."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from streamlit.testing.v1 import AppTest

from engine.fitness.explanation import Band
from engine.fitness.objective import MEANINGS
from engine.rank.rivals import Rival
from tests.cases.board_cases import a_board, an_option
from tests.cases.page_runs import SECONDS, drawn, link, opened, pitches, tables, until
from tests.cases.small_world import CUP_NAME, awkward_cup, kept_cup, player_of, small_cup, squad_ids
from ui.web.choice.rival_link import rivals_text
from ui.web.pages.pick import head_html, option_labels

SCRIPT = """import streamlit as st
from ui.web.choice.frame import guarded
from ui.web.pages.navigation import PAGES, PICK
st.navigation([entry.page for entry in PAGES], position="hidden")
guarded(PICK.show)()
"""
"""The app opened on Pick, with the pages it links to."""


def the_app(**query: str) -> AppTest:
    """Open the whole app; nothing in the link means the bundled World Cup."""
    return opened(AppTest.from_string(SCRIPT, default_timeout=SECONDS), **query)


def a_page(**query: str) -> AppTest:
    return the_app(world=kept_cup(), **query)


def with_board(page: AppTest) -> AppTest:
    """Run the page until its board is out, or why there is none."""
    return until(page, lambda seen: bool(pitches(seen) or seen.error))


def test_the_first_paint_has_the_round_and_three_cards_and_nothing_is_chosen() -> None:
    page = the_app()
    assert not page.exception
    assert page.title[0].value == "Pick a squad for Matchday 1"
    assert [f'data-testid="card-{theta}"' in drawn(page) for theta in ("protect", "neutral", "gain")] == [True] * 3
    assert not pitches(page)
    assert link(page) == {}
    for words in ("Captain", "Expected", "8 in 10"):
        assert drawn(page).count(f"<dt>{words}</dt>") == 3


def test_a_choice_opens_its_board_and_stands_in_the_link() -> None:
    page = a_page(round="1")
    page.button(key="choose_protect").click().run()
    with_board(page)
    assert not page.exception
    assert link(page) == {"world": CUP_NAME, "round": "1", "theta": "protect"}
    assert drawn(page).count('class="xi-man') == 15
    assert "Recommended" in page.tabs[0].label
    assert any("Against it" in info.value for info in page.info)
    again = with_board(a_page(theta="protect", round="1"))
    assert pitches(again) == pitches(page)


def test_taking_the_choice_back_shows_the_cards_again() -> None:
    page = with_board(a_page(theta="neutral", round="1"))
    page.segmented_control(key="theta_choice").set_value(None).run()
    assert 'data-testid="card-gain"' in drawn(page)


@pytest.mark.soak
def test_a_standing_is_measured_and_taken_over_only_when_confirmed() -> None:
    page = a_page(round="1")
    (lead,) = [box for box in page.number_input if box.label.startswith("Points ahead")]
    lead.set_value(-40).run()
    until(page, lambda seen: any(button.key == "use_measured" for button in seen.button))
    assert any("erase a deficit of 40" in text.value for text in page.markdown)
    assert {row[0] for table in tables(page) for row in table[1:]} >= {"Protect", "Neutral", "Gain", "Most points"}
    assert "theta" not in link(page)
    page.button(key="use_measured").click().run()
    assert link(page)["theta"] in MEANINGS
    assert link(page)["lead"] == "-40"
    assert any("Derived from your standing: 40 points behind, 8 rounds left." in text.value for text in page.markdown)


@pytest.mark.parametrize(("k", "side"), [("-0.03", "gain"), ("0.03", "protect"), (None, "protect")])
def test_a_link_for_rank_opens_as_the_side_it_was_on_with_a_sentence(k: str | None, side: str) -> None:
    page = a_page(round="1", theta="rank", **({} if k is None else {"k": k}))
    assert link(page)["theta"] == side
    assert link(page).get("k") == (None if k is None else "0.03")
    assert any(f"this link opens as {side}" in info.value for info in page.info)


def test_whom_one_plays_against_stands_under_the_head_with_the_way_to_my_squad() -> None:
    page = AppTest.from_string(SCRIPT, default_timeout=SECONDS)
    ids = squad_ids(awkward_cup())
    anna = Rival("Anna <b>", tuple(ids[:11]), ids[5], tuple(ids[11:]), ahead=-12)
    opened(page, world=kept_cup(), round="1", rivals=rivals_text([anna]), league="5", counted="1")
    assert not page.exception
    told = r"You play against **Anna \<b\>** of league 5. You are 12 points behind, with 8 rounds left."
    assert any(told in text.value for text in page.markdown)
    assert [box.value for box in page.number_input if box.label.startswith("Points ahead")] == [-12]
    assert [found.proto.page for found in page.get("page_link")] == ["my-squad"]
    assert not a_page(round="1").get("page_link")


def test_a_lock_is_in_the_squad_and_in_the_link() -> None:
    page = a_page(theta="neutral", round="1")
    page.session_state["wishes"] = True
    wanted = player_of("B4", "FWD", 3)
    page.run().multiselect(key="locks_choice").set_value([wanted]).run()
    with_board(page)
    assert link(page)["locks"] == str(wanted)
    assert str(wanted) in pitches(page)[0].split(",")


def test_impossible_locks_are_a_sentence_with_a_button_that_helps() -> None:
    players = [str(player_of("A1", position)) for position in ("GK", "DEF", "MID", "FWD")]
    page = a_page(theta="protect", round="1", locks=",".join(players))
    with_board(page)
    assert "No legal squad" in page.error[0].value
    page.button(key=f"way_locks_{players[0]}").click().run()
    with_board(page)
    assert not page.error
    assert link(page)["locks"] == ",".join(players[1:])


def test_an_unknown_deep_link_is_told_and_the_page_works() -> None:
    page = the_app(theta="win", round="77", world="atlantis", locks="1,x")
    assert not page.exception
    told = " ".join(info.value for info in page.info)
    assert "atlantis" in told
    assert "theta" in told
    assert 'data-testid="card-gain"' in drawn(page)


def test_the_rounds_left_are_those_of_the_round_on_the_page() -> None:
    page = a_page(round="1")
    (left,) = [box.value for box in page.number_input if box.label.startswith("Rounds left")]
    page.pills(key="round_choice").set_value(3).run()
    (later,) = [box.value for box in page.number_input if box.label.startswith("Rounds left")]
    assert later == left - 2


def test_a_strength_beyond_the_slider_is_shown_and_warned_of() -> None:
    page = a_page(theta="protect", k="0.5", round="1")
    assert any("0.5 is above 0.05" in box.value for box in page.warning)
    page.session_state["wishes"] = True
    page.run()
    assert not page.exception
    assert [slider.value for slider in page.slider if slider.key == "k_choice"] == [0.5]


def test_why_not_names_what_a_player_costs() -> None:
    page = with_board(a_page(theta="neutral", round="1"))
    page.session_state["ask"] = True
    first, second = player_of("A1", "GK"), player_of("B4", "FWD", 3)
    page.run().multiselect(key="why_not").set_value([first]).run()
    page.multiselect(key="why_not").set_value([first, second]).run()
    assert page.multiselect(key="why_not").value == [second]
    assert not page.exception
    assert any("costs" in text.value and "room" in text.value for text in page.markdown)


@pytest.mark.parametrize(("day", "said"), [(2, "1 day left"), (1, "less than a minute ago"), (31, "30 days left")])
def test_the_head_escapes_titles_and_counts_down(day: int, said: str) -> None:
    html = head_html("<b>Cup</b>", datetime(2030, 1, day, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
    assert "<b>Cup" not in html
    assert said in html


def test_a_round_long_over_is_shown_as_of_its_deadline_without_a_countdown() -> None:
    now = datetime(2026, 11, 18, tzinfo=UTC)
    html = head_html("A season", datetime(2026, 1, 3, 11, tzinfo=UTC), now, as_of="Gameweek 20")
    assert "As of the deadline of Gameweek 20, " in html
    assert "Sat 03 Jan 2026, 11:00" in html
    assert "ago" not in html
    assert "left" not in html


def test_tabs_say_which_is_recommended_and_how_wide_each_swings() -> None:
    labels = option_labels(a_board(an_option(), an_option(expected=70.04)))
    assert labels == [f"Recommended · 68.0, {Band.LOW} swing", f"Option 2 · 70.0, {Band.LOW} swing"]


def test_the_armband_rule_stands_on_pick_with_what_is_known_of_it_and_goes_into_the_link() -> None:
    page = a_page(round="1")
    assert any("managers reported it locked" in caption.value for caption in page.caption)
    page.session_state["wishes"] = True
    page.run().segmented_control(key="captaincy_mode").set_value("locked").run()
    assert link(page)["captaincy"] == "locked"
    page.segmented_control(key="captaincy_mode").set_value("unlimited").run()
    assert "captaincy" not in link(page)


def test_the_card_of_an_objective_and_its_board_tell_the_same_figures() -> None:
    page = until(a_page(round="1"), lambda seen: drawn(seen).count('data-state="ready"') == len(MEANINGS))
    html = drawn(page)
    card = html[html.index('data-testid="card-gain"') :]
    captain, expected = re.findall(r"<dd>([^<]+)</dd>", card)[:2]
    page = with_board(page.button(key="choose_gain").click().run())
    four = drawn(page)[drawn(page).index('data-testid="four"') :]
    assert f'<dd class="xi-big">{captain}</dd>' in four
    assert f'<dd class="xi-big">{expected.removesuffix(" points")}</dd>' in four


def test_a_board_that_starts_from_a_squad_opens_with_its_transfers() -> None:
    page = with_board(a_page(round="2", theta="neutral", current=",".join(map(str, squad_ids(small_cup())))))
    said = " ".join(element.value for element in page.markdown)
    assert re.search(r"\d transfers? with \d free: ", said)
    assert "than your squad as it is" in said
    html = drawn(page)
    assert html.index("Who goes and who comes") < html.index('data-testid="waterfall"')


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"budget": "130"}, "so your 130.0 is not used"),
        ({"free": "1", "current": "1,2"}, "Transfers before Matchday 1 are free without limit, so your 1 is not used."),
    ],
    ids=["budget", "free transfers"],
)
def test_a_limit_that_cannot_hold_in_a_round_is_left_aside_with_a_sentence(wish: dict[str, str], sentence: str) -> None:
    page = a_page(round="1", **wish)
    assert any(sentence in info.value for info in page.info)
