"""The logic of the players page."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from data.rules import load_rules
from data.worlds.library import world_folder
from data.worlds.manifest import MANIFEST
from data.worlds.world import World
from models.signals import Signals
from tests.cases.judged_worlds import world_cup_signals
from tests.cases.page_runs import a_page, drawn, sentences
from tests.cases.small_world import AWKWARD, awkward_cup, kept_cup, squad_ids
from tests.conftest import ROOT
from ui.web.answers.player_dialog import head_html
from ui.web.choice.frame import Chosen
from ui.web.choice.plan import Plan
from ui.web.drawing.lineup.marks import Mark
from ui.web.drawing.player_card import larger_terms, player_terms
from ui.web.pages.players import chart_words, matching, player_table


@pytest.fixture(scope="module")
def signals() -> Signals:
    return world_cup_signals()


@pytest.fixture(scope="module")
def table(world_cup: World, signals: Signals) -> pd.DataFrame:
    plan = Plan(locks=(int(signals.player_id[3]),), bans=(int(signals.player_id[4]),))
    chosen = Chosen(ROOT, "", world_cup, load_rules("wc2026"), world_cup.at(1), plan)
    return player_table(signals, chosen, signals.exposure)


@pytest.fixture
def page() -> AppTest:
    """The page on the small cup with the awkward names."""
    return a_page("players", world=kept_cup(), round="2")


def test_the_page_opens_and_says_which_round_it_is_about(page: AppTest) -> None:
    assert page.title[0].value == "Players"
    assert "Matchday 2 · deadline Thu 18 Jun, 14:30 UTC" in sentences(page)
    assert "**144 of 144 players**" in sentences(page)


def test_must_and_never_go_into_the_link_and_nobody_is_on_both(page: AppTest) -> None:
    page.multiselect(key="locks_choice").set_value([100, 101]).run()
    assert page.query_params["locks"] == ["100,101"] or page.query_params["locks"] == "100,101"
    page.multiselect(key="bans_choice").set_value([101]).run()
    assert page.multiselect(key="locks_choice").value == [100]
    assert page.multiselect(key="bans_choice").value == [101]
    page.multiselect(key="locks_choice").set_value([100, 101]).run()
    assert page.multiselect(key="bans_choice").value == []


def test_a_link_with_wishes_shows_them(page: AppTest) -> None:
    linked = a_page("players", world="awkward", locks="100,101", bans="102")
    assert linked.multiselect(key="locks_choice").value == [100, 101]
    assert linked.multiselect(key="bans_choice").value == [102]


def test_opening_an_awkward_name_shows_it_as_words(page: AppTest) -> None:
    number = int(awkward_cup().at(2).players.set_index("name").loc[AWKWARD[0], "player_id"])
    page.multiselect(key="opened").set_value([number]).run()
    head = page.subheader[0].value
    assert head.startswith(r"\<script\>alert(1)\</script\>: ")
    assert head.endswith("eight times in ten")


def test_a_card_says_price_range_ownership_status_and_news(signals: Signals) -> None:
    row = int(signals.xev.argmax())
    html = head_html(signals, row, Mark(3, "75%", "75 % to play", "Knock <b>"), "$")
    assert f"${signals.price[row]:.1f}m" in html
    assert f"{signals.floor[row]:.0f} to {signals.ceiling[row]:.0f}, 8 in 10" in html
    assert f"{signals.owned[row]:.0%}" in html
    assert "75 % to play" in html
    assert "Knock &lt;b&gt;" in html


def test_a_card_leaves_small_lines_together_and_its_sum_as_it_is() -> None:
    terms = larger_terms({"Goals": 4.0, "Own goals": -0.004, "Saves": 0.0, "Red cards": -0.003})
    assert terms == {"Goals": 4.0, "Other lines": pytest.approx(-0.007)}
    assert larger_terms({"Goals": 4.0, "Saves": 0.0}) == {"Goals": 4.0}


def test_regimes_are_shown_against_the_squad_one_starts_from() -> None:
    current = ",".join(map(str, squad_ids(awkward_cup())))
    assert "Against the field is about your squad" in sentences(a_page("players", world=kept_cup(), current=current))


def test_a_broken_world_is_a_sentence_not_a_traceback() -> None:
    broken = world_folder("aaa")
    broken.mkdir(parents=True)
    (broken / MANIFEST).write_text("[[[")
    assert "Import the world again" in sentences(a_page("players", world="aaa"))


@pytest.mark.parametrize(
    ("text", "positions", "teams", "count"),
    [
        ("", [], [], 1482),
        ("ødegaard", [], [], 1),
        ("odegaard", ["GK"], [], 0),
        ("", ["GK"], ["Spain"], 3),
        ("(", [], [], 1482),
    ],
)
def test_filters_narrow_the_table(
    table: pd.DataFrame, text: str, positions: list[str], teams: list[str], count: int
) -> None:
    assert len(matching(table, text, positions, teams)) == count


def test_the_table_runs_from_the_most_to_the_least_expected_points(table: pd.DataFrame, signals: Signals) -> None:
    assert table["xEV"].is_monotonic_decreasing
    best = table.iloc[0]
    assert signals.name[best["row"]] == best["Player"]
    assert not ((table["Kind"] == "Template") & (table["EO"] < 5)).any()
    assert table["Plays"].between(0, 100).all()


def test_ownership_is_that_of_the_beliefs_which_may_be_ones_own(table: pd.DataFrame, signals: Signals) -> None:
    np.testing.assert_allclose(table["Owned"], signals.owned[table["row"]] * 100)


def test_the_chart_is_told_in_words(table: pd.DataFrame) -> None:
    best = table.iloc[0]
    assert f"of {len(table):,} players; most is expected of {best['Player']}, {best['xEV']:.1f}" in chart_words(table)
    assert chart_words(table.head(0)) == "No player fits"


def test_the_table_ticks_who_must_and_who_must_not(table: pd.DataFrame, signals: Signals) -> None:
    assert list(table.loc[table["Must"], "id"]) == [signals.player_id[3]]
    assert list(table.loc[table["Never"], "id"]) == [signals.player_id[4]]


def test_a_players_terms_sum_to_his_expectation_and_have_plain_names(signals: Signals) -> None:
    terms = player_terms(signals, 0)
    assert sum(terms.values()) == pytest.approx(signals.xev[0])
    assert not any("_" in name for name in terms)


def test_the_rounds_to_come_and_the_clubs_are_one_press_away(page: AppTest) -> None:
    page.segmented_control(key="view").set_value("Rounds to come").run()
    assert 'data-testid="horizon"' in drawn(page)
    page.segmented_control(key="view").set_value("Clubs").run()
    assert drawn(page).count('data-testid="ticker"') == 2
