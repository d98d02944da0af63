"""The logic of the page Data."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from data.worlds.library import world_folder
from data.worlds.world import open_world
from tests.cases.hostile.broken_worlds import BROKEN, broken_world
from tests.cases.league.live_worlds import small_league
from tests.cases.page_runs import a_page, drawn, sentences, tables, until
from tests.cases.small_world import awkward_cup, kept_cup
from tests.tools.disk_faults import save_league
from tests.tools.feed_writer import to_feed
from tests.tools.loopback import Reply, serving
from ui.web.answers.world_list import told, worlds_table
from ui.web.choice.projection_desk import ASKED
from ui.web.drawing.figures import Figure, figures_html
from ui.web.work.background import background
from ui.web.work.refresh_job import SOURCES, odds_task, refresh_task


@pytest.fixture
def page() -> AppTest:
    return a_page("data", world=kept_cup(), round="2")


def with_table(page: AppTest, text: str) -> AppTest:
    return page.text_area(key="own_paste").set_value(text).run()


def test_the_page_says_what_it_rests_on(page: AppTest) -> None:
    said = sentences(page)
    for name, value, more in (("Players", "144", "can be picked"), ("Deadline", "Thu 18 Jun", "14:30 UTC")):
        assert figures_html([Figure(name, value, more)]).partition("<div>")[2].removesuffix("</dl>") in drawn(page)
    assert "A small cup · Matchday 2 · imported, known up to 25 Jun 2026 · what is known at this deadline" in said
    assert awkward_cup().at(2).checksum[:12] in said
    assert "Nothing that the models ask for is missing." in said
    assert "The last deadline in these facts passed" in said


def test_worlds_that_cannot_be_opened_are_listed_with_the_reason_and_take_nothing_down() -> None:
    for number, damage in enumerate(BROKEN):
        broken_world(world_folder(f"broken{number}"), damage)
    page = a_page("data", world=kept_cup())
    assert "A small cup · Matchday" in sentences(page)
    rows = {row[0].partition(": ")[0]: row for table in tables(page) for row in table if row[0].startswith("broken")}
    assert len(rows) == len(BROKEN)
    assert {row[1] for row in rows.values()} == {"Cannot be opened"}
    for number, (_, said) in enumerate(BROKEN.values()):
        assert said in unescape(rows[f"broken{number}"][0])
    page = a_page("data", world="broken0")
    assert "Import the world again" in page.error[0].value
    assert page.button(key="refresh_fifa")
    for number in range(len(BROKEN)):
        shutil.rmtree(world_folder(f"broken{number}"))


def test_a_visitor_goes_back_to_an_earlier_state_and_forth() -> None:
    for number in (1, 2, 3):
        save_league(number, world_folder("league"))
    page = a_page("data", world=kept_cup())
    page.button(key="restore_league").click().run()
    assert "league is League 2 again" in sentences(page)
    assert open_world(world_folder("league")).title == "League 2"
    page.button(key="restore_league").click().run()
    assert open_world(world_folder("league")).title == "League 3"


def test_the_rulebook_shows_what_is_not_confirmed(page: AppTest) -> None:
    (rules,) = [table for table in tables(page) if "Confirmed" in table[0]]
    assert [row[0] for row in rules if row[rules[0].index("Confirmed")] == "No"] == ["Captaincy"]
    assert "1 section is not confirmed by the official rules" in sentences(page)


def test_own_projections_are_read_settled_used_and_left_again(page: AppTest) -> None:
    with_table(page, "name,xev,p_start\nOdegard,9.5,0.9\nFirst GK0 A2,3,0.8\n<script>x,1,0.1")
    assert [box.label for box in page.selectbox if box.key.startswith("settle")] == [
        "Row 2: Odegard",
        r"Row 4: \<script\>x",
    ]
    page.selectbox(key="settle_2_Odegard").select_index(1).run()
    assert "2 of 3 rows fit a player." in page.text[0].value
    page.button(key="use_own").click().run()
    assert "Your own figures are in use for 2 players of this round: xev, p_start." in sentences(page)
    assert page.query_params["own"]
    page.button(key="drop_own").click().run()
    assert "The model's own projections are in use." in sentences(page)
    assert "own" not in page.query_params


def test_a_table_none_of_whose_names_fits_can_still_be_settled(page: AppTest) -> None:
    with_table(page, "name,xev\nOdegard,9.5")
    assert "1 row fits no single player." in sentences(page)
    assert "0 of 1 rows fit a player." in page.text[0].value
    assert not [button for button in page.button if button.key == "use_own"]
    page.selectbox(key="settle_2_Odegard").select_index(1).run()
    page.button(key="use_own").click().run()
    assert "Your own figures are in use for 1 player of this round: xev." in sentences(page)


def test_a_wrong_file_is_told_by_its_first_rows(page: AppTest) -> None:
    with_table(page, "name,xev\n" + "\n".join(f"Stranger {row},1" for row in range(100)))
    assert "100 rows fit no single player." in sentences(page)
    assert len([box for box in page.selectbox if box.key.startswith("settle")]) == ASKED
    assert page.text[0].value.endswith("… and 12 lines more.")


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("name,xev\nØdegaard,=1+1", "Row 2, column 'xev': '=1+1' is a spreadsheet formula"),
        ("what is this", "The table has a header"),
    ],
)
def test_a_bad_table_is_a_sentence(page: AppTest, table: str, said: str) -> None:
    with_table(page, table)
    assert said in sentences(page)


def test_figures_the_models_refuse_are_not_used(page: AppTest) -> None:
    with_table(page, "id,xev\n100,100")
    page.button(key="use_own").click().run()
    assert "a number from -20 to 60 is needed" in page.error[0].value
    assert "own" not in page.query_params


@pytest.fixture
def small_feed() -> dict[str, bytes]:
    """The feed of a small cup, which stands in for the bundled one."""
    background.clear()
    awkward_cup().save(world_folder("wc2026"))
    return to_feed(awkward_cup(), 2)


def test_a_refresh_that_fails_keeps_the_last_good_data_and_one_that_works_is_opened(
    monkeypatch: pytest.MonkeyPatch, small_feed: dict[str, bytes]
) -> None:
    page = a_page("data", world=kept_cup())
    with serving(small_feed) as server:
        monkeypatch.setenv("THETAXI_FIFA_URL", server.url)
        refreshed(page)
    assert "Fetched 3 documents" in sentences(page)
    with serving({"players.json": Reply(status=404)}) as server:
        monkeypatch.setenv("THETAXI_FIFA_URL", server.url)
        refreshed(page)
    assert "The refresh failed" in page.error[0].value
    assert "Kept: A small cup (live), rounds 1 to 2, less than a minute old." in page.error[0].value
    with serving(small_feed) as server:
        monkeypatch.setenv("THETAXI_FIFA_URL", server.url)
        refreshed(page)
    page.button(key="open_fifa").click().run()
    assert "".join(page.query_params["world"]) == "fifa-live"


@pytest.mark.soak
def test_a_visitor_decides_about_what_looks_wrong(
    monkeypatch: pytest.MonkeyPatch, small_feed: dict[str, bytes]
) -> None:
    page = a_page("data", world=kept_cup())
    suspicious = small_feed | {"players.json": json.dumps(json.loads(small_feed["players.json"])[:100]).encode()}
    del suspicious["checksums.json"]
    folder = world_folder("fifa-live")
    awkward_cup().save(folder)
    for button, players in (("drop_fifa", 144), ("take_fifa", 100)):
        with serving(suspicious) as server:
            monkeypatch.setenv("THETAXI_FIFA_URL", server.url)
            refreshed(page)
        assert "There were 144 players and are 100 now" in page.warning[-1].value
        assert len(open_world(folder).tables["players"]) == 144
        page.button(key=button).click().run()
        assert "looks wrong" not in sentences(page)
        assert len(open_world(folder).tables["players"]) == players


def test_a_visitor_cancels_a_refresh_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    background.clear()
    page = a_page("data", world=kept_cup())
    with serving({"bootstrap-static/": Reply(hang=True)}) as server:
        monkeypatch.setenv("THETAXI_FPL_URL", server.url)
        page.button(key="refresh_fpl").click().run()
        page.button(key="cancel_fpl").click().run()
        until(page, lambda _: not background().state(refresh_task(SOURCES["fpl"])).running).run()
    assert "The refresh was cancelled. Kept: nothing" in sentences(page)
    assert not page.button(key="refresh_fpl").disabled


def test_odds_are_off_until_one_click_and_need_the_league_first(monkeypatch: pytest.MonkeyPatch) -> None:
    background.clear()
    page = a_page("data", world=kept_cup())
    assert page.button(key="refresh_odds").disabled
    assert "Refresh Fantasy Premier League first" in sentences(page)
    small_league().save(world_folder("fpl-live"))
    page.run()
    row = "12/09/2026,Team CHE,Team ARS,2.5,3.3,2.8"
    with serving({"fixtures.csv": f"Date,HomeTeam,AwayTeam,AvgH,AvgD,AvgA\n{row}\n".encode()}) as server:
        monkeypatch.setenv("THETAXI_ODDS_URL", server.url)
        page.run()
        assert not server.requests
        page.button(key="refresh_odds").click().run()
        until(page, lambda _: not background().state(odds_task()).running).run()
    assert "Fetched 1 document," in sentences(page)
    assert "Matches with odds: " in sentences(page)
    assert open_world(world_folder("fpl-live")).tables["fixtures"]["home_odds"].dropna().tolist() == [2.5]
    shutil.rmtree(world_folder("fpl-live"))


def refreshed(page: AppTest) -> None:
    """Press the button and wait for the end."""
    page.button(key="refresh_fifa").click().run()
    until(page, lambda _: not background().state(refresh_task(SOURCES["fifa"])).running).run()


def test_the_table_of_worlds_has_a_row_for_each() -> None:
    kept_cup()
    worlds = {"awkward": told("awkward", world_folder("awkward"), bundled=False), "other": "It is damaged."}
    table = worlds_table(worlds, datetime.now(UTC))
    assert list(table["Title"]) == ["A small cup", "other: It is damaged."]
    assert list(table["Rounds"].fillna("")) == ["1 to 3", ""]
