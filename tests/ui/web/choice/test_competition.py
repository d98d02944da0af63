"""A page opens on the competition used last, else on the nearest; each is called by its title."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from streamlit.testing.v1 import AppTest

from data.worlds.library import list_worlds, world_folder
from data.worlds.manifest import MANIFEST
from data.worlds.world import World
from tests.cases.page_runs import a_page, drawn, sentences
from tests.cases.small_world import changed, kept_cup, small_league
from ui.web.choice.competition import AHEAD, COOKIE, first_open, known_nearest, nearest, titles

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def days(*ahead: int) -> list[datetime]:
    return [NOW + timedelta(days=number) for number in ahead]


def test_the_next_deadline_to_come_is_the_nearest_and_of_past_ones_the_latest() -> None:
    assert nearest({"over": days(-9, -1), "soon": days(-30, 5), "later": days(2, 9)}, NOW) == "later"
    assert nearest({"over": days(-9, -1), "long over": days(-99, -2), "empty": []}, NOW) == "over"
    assert nearest({"broken": []}, NOW) == "wc2026"


def test_a_competition_that_cannot_be_opened_is_nobodys_nearest() -> None:
    small_league().save(world_folder("sound"))
    small_league().save(world_folder("broken"))
    before = small_league().at(1).deadline - timedelta(days=1)
    entries = {entry.name: entry for entry in list_worlds() if not entry.bundled}
    assert known_nearest(entries, before) == "broken"
    next(world_folder("broken").glob("fixtures-*.parquet")).write_bytes(b"cut")
    manifest = world_folder("broken") / MANIFEST
    manifest.write_text(f"{manifest.read_text()}\n# written anew\n")
    assert known_nearest(entries, before) == "sound"


def test_competitions_are_called_by_their_titles_and_namesakes_told_apart(world_cup: World) -> None:
    kept_cup()
    small_league().save(world_folder("one"))
    small_league().save(world_folder("two"))
    found = titles({entry.name: entry for entry in list_worlds()})
    assert found["wc2026"] == "FIFA World Cup 2026"
    assert found["fpl2025-26"] == "Fantasy Premier League 2025/26"
    assert found["one"] == f"{small_league().title} (one)"
    assert found["two"] == f"{small_league().title} (two)"


def test_the_round_still_to_be_played_is_opened_and_of_a_finished_competition_the_first(world_cup: World) -> None:
    played = 2
    assert first_open(world_cup, NOW.replace(year=2030)) == 1
    assert first_open(world_cup, world_cup.at(3).deadline) == 4
    assert first_open(small_league(), NOW.replace(year=2030)) == played + 1


def test_the_bundled_season_opens_at_its_open_gameweek_with_status_and_news_and_counts_nothing_down() -> None:
    page = a_page("pick", world="fpl2025-26")
    assert "Pick a squad for Gameweek 20" in page.title[0].value
    assert "As of the deadline of Gameweek 20" in drawn(page)
    assert " left</span>" not in drawn(page)
    assert page.selectbox(key="world_choice").options == ["FIFA World Cup 2026", "Fantasy Premier League 2025/26"]
    assert f"{COOKIE}=fpl2025-26;" in drawn(page)


def test_players_of_the_bundled_season_show_their_status_and_news() -> None:
    page = a_page("players", world="fpl2025-26")
    shown = page.dataframe[0].value.set_index("Player")
    assert shown.loc["M.Salah", "Status"] == "Absent"
    assert "Africa Cup of Nations" in shown.loc["M.Salah", "News"]
    assert shown.loc["Haaland", "News"] == ""


def test_of_a_season_that_is_over_the_live_fetch_is_offered_first() -> None:
    page = a_page("data", world="fpl2025-26")
    assert "For the coming round refresh a live source above." in sentences(page)
    texts = [str(getattr(one, "value", "")) for one in page.main]
    assert texts.index("Refresh from a live source") < next(i for i, text in enumerate(texts) if "checksum" in text)
    assert "For the coming round refresh a live source below." in sentences(a_page("data", world=kept_cup()))


@pytest.mark.soak
def test_a_link_to_a_competition_that_is_not_here_opens_another_by_its_title() -> None:
    page = a_page("players", world="atlantis")
    assert "There is no competition 'atlantis' here: this is FIFA World Cup 2026." in sentences(page)


def a_league_whose_deadline_is(ahead: timedelta) -> str:
    """Keep a league whose deadlines are all so far ahead of now."""
    moment = datetime.now(UTC) + ahead
    changed(small_league(), "rounds", lambda rounds: rounds.assign(deadline=moment)).save(world_folder("soon"))
    return "soon"


def test_a_deadline_that_passes_while_the_page_is_open_is_said() -> None:
    page: AppTest = a_page("players", world=a_league_whose_deadline_is(timedelta(days=2)), round="3")
    told = "The deadline of Gameweek 3 has passed while this page was open"
    assert page.session_state[AHEAD] == ("soon", 3)
    assert told not in sentences(page)
    a_league_whose_deadline_is(timedelta(seconds=-1))
    assert told in sentences(page.run())


def test_a_deadline_that_was_over_when_the_page_was_opened_is_not_said() -> None:
    assert "has passed while" not in sentences(a_page("players", world="wc2026"))
