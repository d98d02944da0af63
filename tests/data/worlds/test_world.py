"""A world gives only what was known at a deadline, and survives bad files and crashes."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError, TableError, UnknownError
from data.schema import GOAL_COLUMNS
from data.worlds.library import BUNDLED
from data.worlds.manifest import MANIFEST
from data.worlds.world import World, known_deadlines, open_world
from tests.cases.hostile.poison import poisoned
from tests.cases.small_world import changed, small_league
from tests.conftest import ROOT


@pytest.mark.parametrize("round_number", [1, 2, 3, 4, 5, 6, 7, 8])
@pytest.mark.daily("2", "5", "8")
def test_nothing_later_than_the_deadline_can_leak(world_cup: World, round_number: int) -> None:
    poison = poisoned(world_cup, round_number)
    assert poison.at(round_number).to_bytes() == world_cup.at(round_number).to_bytes()


@pytest.mark.soak
def test_the_poison_itself_works(world_cup: World) -> None:
    """What is poisoned from round 2 on shows in the snapshots of the later rounds, so the test above can fail."""
    poison = poisoned(world_cup, 2)
    for later in (3, 4, 5, 6, 7, 8):
        assert poison.at(later).to_bytes() != world_cup.at(later).to_bytes()


def test_results_of_the_coming_round_are_not_in_the_history_either(world_cup: World) -> None:
    names = world_cup.tables["teams"].set_index("code")["results_name"]
    for round_number in world_cup.rounds:
        snapshot = world_cup.at(round_number)
        recent = snapshot.results[snapshot.results["date"] >= "2026-06-11"]
        played = {frozenset(pair) for pair in zip(recent["home_team"], recent["away_team"], strict=True)}
        later = snapshot.fixtures[snapshot.fixtures["round"] >= round_number]
        pairs = {frozenset((names[h], names[a])) for h, a in zip(later["home"], later["away"], strict=True)}
        assert not played & pairs


def test_a_snapshot_knows_the_group_fixtures_but_not_who_advances(world_cup: World) -> None:
    assert set(world_cup.at(1).fixtures["round"]) == {1, 2, 3}
    assert set(world_cup.at(4).fixtures["round"]) == {1, 2, 3, 4}
    assert len(world_cup.at(4).coming) == 16


def test_goals_are_known_only_of_earlier_rounds(world_cup: World) -> None:
    fixtures = world_cup.at(3).fixtures
    played = fixtures["round"] < 3
    assert fixtures.loc[played, "home_goals_90"].notna().all()
    assert fixtures.loc[~played, GOAL_COLUMNS].isna().all().all()


def test_a_player_added_later_was_not_selectable_before_and_ownership_sums_to_about_fifteen(world_cup: World) -> None:
    markets = [world_cup.at(round_number).players for round_number in world_cup.rounds]
    assert [len(players) for players in markets] == [1482, 1488, 1488, *[1489] * 5]
    assert [players["owned"].sum() for players in markets] == pytest.approx([14.94] * 8, abs=0.15)


def test_home_is_where_a_host_really_plays(world_cup: World) -> None:
    fixtures = world_cup.tables["fixtures"].set_index(["home", "away"])["at_home"]
    matches = [("SUI", "CAN"), ("CZE", "MEX"), ("TUR", "USA"), ("CAN", "MAR"), ("MEX", "RSA")]
    assert [fixtures[match] for match in matches] == ["CAN", "MEX", "USA", "", "MEX"]


def test_a_snapshot_opens_with_the_first_match(world_cup: World) -> None:
    snapshot = world_cup.at(1)
    first = snapshot.coming[["home", "away", "at_home", "kickoff"]].iloc[0]
    assert first.tolist() == ["MEX", "RSA", "MEX", snapshot.deadline]


def test_a_round_that_cannot_be_opened_names_those_that_can(world_cup: World) -> None:
    with pytest.raises(UnknownError, match="Choose one of 1, 2, 3, 4, 5, 6, 7, 8"):
        world_cup.at(9)


@pytest.mark.parametrize("name", ["wc2026", "fpl2025-26"])
def test_two_tables_tell_when_the_rounds_close_that_can_be_opened(name: str) -> None:
    world = open_world(BUNDLED / name)
    rounds = world.tables["rounds"].set_index("round")["deadline"]
    assert sorted(known_deadlines(BUNDLED / name)) == [rounds[number].to_pydatetime() for number in world.rounds]


def test_deadlines_of_a_world_that_lacks_a_table_are_not_known(tmp_path: Path) -> None:
    small_league().save(tmp_path)
    manifest = tmp_path / MANIFEST
    told = [line for line in manifest.read_text().splitlines() if not line.startswith("market")]
    manifest.write_text("\n".join(told))
    assert known_deadlines(tmp_path) == ()


def test_a_changed_table_tells_no_deadlines(tmp_path: Path) -> None:
    small_league().save(tmp_path)
    next(tmp_path.glob("rounds-*.parquet")).write_bytes(b"cut")
    with pytest.raises(TableError, match="changed or cut"):
        known_deadlines(tmp_path)


def test_the_coming_round_is_the_first_without_a_result_and_of_a_finished_competition_the_first() -> None:
    league, season = small_league(), open_world(BUNDLED / "fpl2025-26")
    assert league.coming == 3
    assert season.coming == 20
    over = changed(league, "fixtures", lambda fixtures: fixtures[fixtures["round"] <= 2])
    assert over.coming == 1


def test_saved_and_opened_again_it_is_the_same_world(world_cup: World, tmp_path: Path) -> None:
    world_cup.save(tmp_path / "copy")
    again = open_world(tmp_path / "copy")
    assert again.at(3).to_bytes() == world_cup.at(3).to_bytes()
    assert again.sources == world_cup.sources


def test_a_crash_before_the_manifest_is_written_keeps_the_old_world(
    world_cup: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copy"
    world_cup.save(folder)

    def crash_at_manifest(path: Path, content: bytes) -> None:
        if path.name == MANIFEST:
            raise KeyboardInterrupt
        path.write_bytes(content)

    monkeypatch.setattr("data.worlds.generations.replace_file", crash_at_manifest)
    fewer = {name: frame for name, frame in world_cup.tables.items() if name != "events"}
    with pytest.raises(KeyboardInterrupt):
        World.of("copy", "Copy", "wc2026", "", fewer).save(folder)
    assert open_world(folder).at(1).to_bytes() == world_cup.at(1).to_bytes()


def test_a_folder_of_other_files_is_never_overwritten(world_cup: World, tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("mine")
    with pytest.raises(InputError, match="holds other files than a world"):
        world_cup.save(tmp_path)
    assert (tmp_path / "thesis.doc").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_a_sentence(world_cup: World, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="cannot be written to"):
        world_cup.save(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_cut_table_is_refused_by_its_checksum(world_cup: World, tmp_path: Path) -> None:
    world_cup.save(tmp_path / "copy")
    table = next((tmp_path / "copy").glob("market-*.parquet"))
    table.write_bytes(table.read_bytes()[:-9])
    with pytest.raises(TableError, match="was changed or cut"):
        open_world(tmp_path / "copy")


@pytest.mark.parametrize(
    "manifest",
    [
        "",
        "name = 3",
        "[[[",
        "x = " + "[" * 5000,
        "x = " + "9" * 5000,
        'name = "x"\ntitle="y"\nrulebook="z"\n[tables]\nteams = "0"',
    ],
)
def test_a_bad_manifest_is_refused(manifest: str, tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text(manifest)
    with pytest.raises(TableError, match="Import the world again"):
        open_world(tmp_path)


def test_a_folder_that_is_no_world_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(UnknownError, match="thetaxi import-world"):
        open_world(tmp_path)


def test_a_title_with_quotes_and_line_breaks_survives(world_cup: World, tmp_path: Path) -> None:
    odd = replace(world_cup, title='The "best"\n\\ cup')
    odd.save(tmp_path / "copy")
    assert open_world(tmp_path / "copy").title == 'The "best"\\ cup'


def test_a_reference_to_a_missing_player_is_refused(world_cup: World) -> None:
    stray = pd.DataFrame({"player_id": [999_999], "round": [1], "points": [3]})
    with pytest.raises(TableError, match=r"points, row 2, column 'player_id': there is no player 999999"):
        World.of("x", "X", "wc2026", "", dict(world_cup.tables) | {"points": stray})


def test_a_world_without_players_on_the_market_is_refused() -> None:
    with pytest.raises(TableError, match="at least one round with players"):
        World.of("x", "X", "wc2026", "", {})


def test_opening_a_world_loads_no_solver_no_server_and_no_scipy() -> None:
    code = (
        "import sys, pandas; from pathlib import Path; from data.worlds.world import open_world; "
        f"open_world(Path({str(BUNDLED / 'wc2026')!r})).at(1); "
        "print([m for m in ('scipy', 'pulp', 'streamlit', 'httpx') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_the_bundle_is_small(world_cup: World) -> None:
    size = sum(path.stat().st_size for path in (BUNDLED / "wc2026").iterdir())
    assert size < 3_000_000
    assert np.isfinite(world_cup.tables["market"]["price"]).all()


def test_a_world_written_before_there_was_a_history_opens_with_none(world_cup: World) -> None:
    manifest = (BUNDLED / "wc2026" / MANIFEST).read_text()
    assert "past_matches" not in manifest
    assert world_cup.tables["past_matches"].empty
    for table, column in (("players", "code"), ("market", "chance"), ("results", "home_odds"), ("events", "bps")):
        assert world_cup.tables[table][column].isna().all()
    assert (world_cup.tables["market"]["news"] == "").all()


def test_what_no_older_world_has_leaves_no_trace_in_what_it_knew(world_cup: World) -> None:
    """The fingerprint of the World Cup's third deadline as it was before players had codes and news."""
    assert world_cup.at(3).checksum == "490d668da2d1845e1c29d44a7eac718dcb613b019cd3d35012658c8812f9d2c1"
    told = changed(world_cup, "market", lambda market: market.assign(chance=75))
    assert told.at(3).checksum != world_cup.at(3).checksum
