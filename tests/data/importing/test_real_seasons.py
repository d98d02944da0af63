"""Real seasons as they are imported: official points paid again, whole squads owned, blanks, doubles, no future."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.importing.season_facts import SeasonImport, import_fpl_season
from data.rules import load_rules
from tests.cases.facts.official_points import total_points
from tests.cases.facts.season_folder import poisoned
from tests.conftest import in_a_soak

SEASONS = ("2022-23", "2023-24", "2024-25", "2025-26")


@pytest.fixture(scope="module")
def real_seasons(facts: Path) -> dict[str, SeasonImport]:
    return {season: import_fpl_season(facts / "fpl" / season, name="fpl", title=season) for season in SEASONS}


@pytest.mark.facts
@pytest.mark.parametrize(("season", "matches"), [*zip(SEASONS, (26_505, 29_725, 27_283, 14_175), strict=True)])
@pytest.mark.soak
def test_every_official_player_match_is_reproduced(
    real_seasons: dict[str, SeasonImport], season: str, matches: int
) -> None:
    world = real_seasons[season].world
    events = world.tables["events"]
    position = events["player_id"].map(world.tables["players"].set_index("player_id")["position"])
    assert len(events) == matches
    assert np.array_equal(total_points(events, position, load_rules(world.rulebook)), events["points"])


@pytest.mark.facts
@pytest.mark.parametrize("season", SEASONS)
def test_ownership_of_a_real_season_sums_to_a_squad(real_seasons: dict[str, SeasonImport], season: str) -> None:
    market = real_seasons[season].world.tables["market"]
    assert market.groupby("round")["owned"].sum().to_numpy() == pytest.approx(15.0, abs=0.05)


@pytest.mark.facts
def test_twenty_assistant_managers_of_2024_25_are_refused_by_name(real_seasons: dict[str, SeasonImport]) -> None:
    (note,) = real_seasons["2024-25"].notes
    assert "(20)" in note
    assert "Mikel Arteta (ARS)" in note
    assert real_seasons["2023-24"].notes == ()


@pytest.mark.facts
def test_a_real_double_gives_two_fixtures_and_a_real_blank_none(real_seasons: dict[str, SeasonImport]) -> None:
    world = real_seasons["2024-25"].world

    def matches(code: str, gameweek: int) -> int:
        coming = world.at(gameweek).coming
        return int(((coming["home"] == code) | (coming["away"] == code)).sum())

    assert [matches("LIV", gameweek) for gameweek in (23, 24, 25)] == [1, 2, 2]
    assert matches("ARS", 34) == 0
    assert (world.at(34).players["team"] == "ARS").sum() > 20


@pytest.mark.facts
@pytest.mark.parametrize("gameweek", [34, *in_a_soak([10, 25])])
@pytest.mark.soak
def test_nothing_later_leaks_into_a_real_gameweek(
    facts: Path, tmp_path: Path, real_seasons: dict[str, SeasonImport], gameweek: int
) -> None:
    source = facts / "fpl" / "2024-25"
    for file in ("teams.csv", "players.csv", "identities.csv", "rounds.csv"):
        shutil.copyfile(source / file, tmp_path / file)
    states = pd.read_csv(source / "deadlines.csv.gz")
    states.loc[states["gw"] > gameweek, ["now_cost", "status", "news", "ep_next"]] = [333, "i", "Poison", 77]
    states.to_csv(tmp_path / "deadlines.csv", index=False)
    files = poisoned(pd.read_csv(source / "gameweeks.csv.gz"), pd.read_csv(source / "fixtures.csv"), gameweek)
    files["rows"].to_csv(tmp_path / "gameweeks.csv", index=False)
    files["fixtures"].to_csv(tmp_path / "fixtures.csv", index=False)
    world = import_fpl_season(tmp_path, name="fpl", title="2024-25").world
    assert world.at(gameweek).to_bytes() == real_seasons["2024-25"].world.at(gameweek).to_bytes()
