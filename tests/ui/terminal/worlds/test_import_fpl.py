"""The importer's door: a season, earlier ones, and odds, named on one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.worlds.world import open_world
from tests.data.importing.test_season_history import an_odds_file, write_whole_season
from tests.tools.run_here import done, refused


@pytest.mark.parametrize("again", [[], ["--history"]])
@pytest.mark.daily("again1")
def test_a_season_is_imported_with_its_history_and_odds(tmp_path: Path, again: list[str]) -> None:
    first, second = (write_whole_season(tmp_path / f"past{ago}", years_ago=ago) for ago in (2, 1))
    odds = an_odds_file(tmp_path, [("24/08/2024", "Arsenal", "Chelsea")])
    season, out = write_whole_season(tmp_path / "now"), tmp_path / "world"
    more = ["--history", first, *again, second, "--odds", odds, "--rulebook", "fpl2023"]
    done("import-fpl", season, out, *more)
    world = open_world(out)
    assert world.rulebook == "fpl2023"
    assert world.tables["past_matches"]["season"].unique().tolist() == [2022, 2023]
    assert world.tables["results"]["home_odds"].dropna().tolist() == [2.5]


def test_a_third_folder_without_its_option_is_refused_by_name(tmp_path: Path) -> None:
    told = "past is one folder too many. Put --history before the folders of earlier seasons."
    refused(told, "import-fpl", tmp_path / "now", tmp_path / "out", tmp_path / "past")
