"""The bundled Premier League season: small, exact to the point, and blind to what came after each deadline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.importing.season_facts import import_fpl_season
from data.rules import load_rules
from data.worlds.library import BUNDLED
from data.worlds.world import World, open_world
from models.signals import build_signals
from tests.cases.facts.official_points import total_points
from tests.cases.hostile.poison import poisoned
from tests.cases.small_world import bytes_of
from tests.conftest import in_a_soak

NAME = "fpl2025-26"
SIX_MEGABYTES = 6_000_000


@pytest.fixture(scope="module")
def season() -> World:
    return open_world(BUNDLED / NAME)


def open_round(world: World) -> int:
    """Return the first gameweek that has no result yet."""
    fixtures = world.tables["fixtures"]
    return int(fixtures.loc[fixtures["home_goals_90"].isna(), "round"].min())


def test_the_season_is_small_and_every_gameweek_to_the_open_one_can_be_opened(season: World) -> None:
    assert sum(path.stat().st_size for path in (BUNDLED / NAME).iterdir()) < SIX_MEGABYTES
    assert season.rounds == tuple(range(1, open_round(season) + 1))
    assert len(season.tables["fixtures"]) == 380
    assert set(season.tables["fixtures"]["round"]) == set(range(1, 39))


def test_nothing_in_it_happened_after_the_deadline_of_the_open_gameweek(season: World) -> None:
    last = season.at(season.rounds[-1])
    day = pd.Timestamp(last.deadline).tz_localize(None).normalize()
    for table in ("results", "past_matches"):
        assert season.tables[table]["date"].max() < day
    for table in ("points", "appearances", "events"):
        assert season.tables[table]["round"].max() < last.round
    fixtures = season.tables["fixtures"]
    assert fixtures.loc[fixtures["kickoff"] >= last.deadline, ["home_goals_90", "odds_date"]].isna().all().all()


def test_the_official_points_of_every_player_match_are_reproduced(season: World) -> None:
    events, rules = season.tables["events"], load_rules(season.rulebook)
    position = events["player_id"].map(season.tables["players"].set_index("player_id")["position"])
    assert np.array_equal(total_points(events, position, rules), events["points"])
    without = events.assign(defensive_contributions=0)
    short = events["points"] - total_points(without, position, rules)
    assert (int((events["minutes"] > 0).sum()), int((short == 2).sum())) == (5782, 709)


def test_status_news_and_set_pieces_are_those_before_each_deadline(season: World) -> None:
    salah = season.tables["players"].set_index("known_name").loc["M.Salah", "player_id"]
    states = season.tables["market"].set_index(["player_id", "round"]).loc[salah]
    assert states.loc[1, ["status", "penalty_order"]].tolist() == ["playing", 1]
    assert states.loc[20, "status"] == "absent"
    assert "Africa Cup of Nations" in states.loc[20, "news"]
    market = season.tables["market"]
    assert set(market.loc[market["status"] == "doubtful", "chance"]) == {25, 50, 75}
    assert season.tables["players"]["code"].is_unique


def test_the_three_seasons_before_are_known_of_each_code_and_club(season: World) -> None:
    first = season.at(1)
    assert first.past_matches["season"].unique().tolist() == [2022, 2023, 2024]
    haaland = first.players.set_index("known_name").loc["Haaland", "code"]
    his = first.past_matches[first.past_matches["code"] == haaland].groupby("season")[["goals", "minutes"]].sum()
    assert his["goals"].tolist() == [36, 27, 22]
    assert len(first.results) == 3 * 380
    assert first.results[["home_odds", "home_shots"]].notna().all().all()
    unseen = first.results["home_expected"].isna()
    assert first.results.loc[unseen, "date"].max() < pd.Timestamp("2022-11-15")


@pytest.mark.parametrize("gameweek", [11, *in_a_soak([2, 19])])
def test_nothing_later_than_a_deadline_changes_what_is_known_or_believed(season: World, gameweek: int) -> None:
    poison, rules = poisoned(season, gameweek), load_rules(season.rulebook)
    known, told = season.at(gameweek), poison.at(gameweek)
    assert told.to_bytes() == known.to_bytes()
    assert bytes_of(build_signals(told, rules)) == bytes_of(build_signals(known, rules))
    assert poison.at(gameweek + 1).to_bytes() != season.at(gameweek + 1).to_bytes()


def test_who_is_injured_suspended_absent_or_gone_is_never_counted_on(season: World) -> None:
    signals = build_signals(season.at(20), load_rules(season.rulebook))
    out = np.isin(signals.status, ["injured", "suspended", "absent", "transferred"])
    assert out.sum() > 200
    assert signals.unavailable[out].all()
    assert (~signals.unavailable).sum() > 400


@pytest.mark.facts
@pytest.mark.soak
def test_the_bundle_is_what_the_importer_makes_of_the_facts(facts: Path, season: World) -> None:
    folder = facts / "fpl"
    history = [folder / name for name in ("2022-23", "2023-24", "2024-25")]
    made = import_fpl_season(
        folder / "2025-26",
        name=NAME,
        title=season.title,
        rulebook="fpl2025",
        history=history,
        odds=folder / "football_data.csv.gz",
        managers=folder / "field",
    ).world
    assert made.sources == season.sources
    for name, table in made.tables.items():
        pd.testing.assert_frame_equal(table, season.tables[name])
