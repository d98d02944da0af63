"""A facts folder becomes a world, one more round is one more command, and a bad cell is named."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from data.errors import TableError
from data.importing.tournament_facts import import_tournament
from data.worlds.world import World
from tests.cases.facts.facts_folder import write_facts


def imported(folder: Path) -> World:
    return import_tournament(folder, name="wc2026", title="World Cup", rulebook="wc2026")


@pytest.fixture(scope="module")
def written(world_cup: World, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_facts(world_cup, tmp_path_factory.mktemp("written") / "facts")


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "facts"))


def test_import_of_the_written_facts_gives_the_same_world(world_cup: World, folder: Path) -> None:
    again = imported(folder)
    assert again.rounds == world_cup.rounds
    for round_number in world_cup.rounds:
        assert again.at(round_number).to_bytes() == world_cup.at(round_number).to_bytes()


def test_adding_the_next_round_leaves_the_earlier_ones_as_they_were(world_cup: World, tmp_path: Path) -> None:
    three = imported(write_facts(world_cup, tmp_path / "three", rounds=3))
    four = imported(write_facts(world_cup, tmp_path / "four", rounds=4))
    assert (three.rounds, four.rounds) == ((1, 2, 3), (1, 2, 3, 4))
    unseen = replace(three.at(3), bracket=four.at(3).bracket)  # a venue is known once its match is in fixtures.csv
    assert unseen.to_bytes() == four.at(3).to_bytes()


@pytest.mark.facts
def test_the_bundled_world_is_what_the_importer_makes_of_the_facts(world_cup: World, facts: Path) -> None:
    fresh = imported(facts / "wc2026")
    for round_number in world_cup.rounds:
        assert fresh.at(round_number).to_bytes() == world_cup.at(round_number).to_bytes()


def spoil(folder: Path, file: str, old: str, new: str) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


SPOILT = [  # file, what is replaced, by what, what the error must say
    ("teams.csv", "ALG,1,Algeria", "ALG,one,Algeria", "teams.csv, row 2, column 'team_id': 'one'"),
    ("teams.csv", "Algeria,J", "Algerien,J", "'Algerien' is not a team of results.csv. Did you mean Algeria"),
    ("players.csv", ",DEF,", ",LIB,", "players.csv, row 2, column 'position': 'LIB' is not one of GK, DEF, MID, FWD"),
    ("players.csv", ",ALG,", ",XYZ,", "players.csv, row 2, column 'team': there is no team XYZ"),
    ("players.csv", ",4.9,", ",-4.9,", "players.csv, row 2, column 'price': '-4.9' is below 0.1"),
    ("ownership.csv", "\n2,0.2", "\n2,200", "ownership.csv, row 3, column 'r1': '200.0' is above 100"),
    ("ownership.csv", "player_id,r1", "player_id,x1", ""),
    ("points.csv", "\n2,0,7", "\n2,0,many", "points.csv, row 3, column 'r2': 'many' is not a whole number"),
    ("points.csv", "\n2,", "\n1,", "points.csv, row 3: player_id 1 stands there a second time"),
    ("points.csv", "\n2,", "\n77777,", "points.csv, row 3, column 'player_id': there is no player 77777"),
    ("fixtures.csv", "2026-06-11T19:00Z", "soon", "column 'kickoff_utc': 'soon' is not a time"),
    ("fixtures.csv", ",MEX,RSA,", ",MEX,RSS,", "column 'away': there is no team RSS. Did you mean RSA?"),
    ("fixtures.csv", ",Mexico City,", ",Atlantis,", "the country of 'Atlantis' is not known, and MEX may be at home"),
    ("minutes.csv", "\n1,1,", "\n1,5,", "minutes.csv: player 1 of ALG has minutes in round 5, but fixtures.csv has no"),
    ("official_player_rounds.csv", "assists", "asists", "column 'assists' is missing. Did you mean asists?"),
]


@pytest.mark.parametrize(("file", "old", "new", "reason"), SPOILT)
@pytest.mark.daily("fixtures.csv-2026", "points.csv-\\n2,-\\n1", "players.csv-,ALG", "official")
def test_an_importer_error_names_file_row_and_column(folder: Path, file: str, old: str, new: str, reason: str) -> None:
    spoil(folder, file, old, new)
    if not reason:
        assert imported(folder).rounds == (2, 3, 4, 5, 6, 7, 8)
        return
    with pytest.raises(TableError) as caught:
        imported(folder)
    assert reason in str(caught.value)


@pytest.mark.parametrize("file", ["teams.csv", "players.csv", "fixtures.csv", "ownership.csv", "points.csv"])
def test_a_missing_fact_file_is_named(folder: Path, file: str) -> None:
    (folder / file).unlink()
    with pytest.raises(TableError, match=f"has no {file}"):
        imported(folder)


def test_a_file_that_is_no_utf8_is_named(folder: Path) -> None:
    (folder / "players.csv").write_bytes(b"player_id,first_name\n1,Mbapp\xe9\n")
    with pytest.raises(TableError, match=r"players.csv cannot be read as a UTF-8 CSV"):
        imported(folder)


def test_a_broken_gzip_is_named(folder: Path) -> None:
    (folder / "internationals" / "results.csv.gz").write_bytes(b"\x1f\x8bnope")
    with pytest.raises(TableError, match=r"results.csv.gz cannot be read"):
        imported(folder)


def test_a_tournament_without_history_or_bracket_can_be_imported(folder: Path) -> None:
    for path in [folder / "bracket.csv", folder / "best_thirds.csv", *(folder / "internationals").iterdir()]:
        path.unlink()
    (folder / "internationals").rmdir()
    world = imported(folder)
    assert world.tables["results"].empty
    assert world.at(1).players["name"].is_unique
    # Nobody knows before the groups who meets in the Round of 32.
    assert set(world.at(1).fixtures["round"]) == {1, 2, 3}


def test_the_folder_brings_its_own_names_and_places(folder: Path) -> None:
    spoil(folder, "fixtures.csv", ",Mexico City,", ",Atlantis,")
    (folder / "gazetteer.toml").write_text('[cities]\nAtlantis = "MEX"\n', encoding="utf-8")
    assert imported(folder).at(1).coming["at_home"].iloc[0] == "MEX"


@pytest.mark.parametrize("text", ["cities = 3", "[cities]\nA = 3", "[cities"])
def test_a_bad_gazetteer_is_refused(folder: Path, text: str) -> None:
    (folder / "gazetteer.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=r"gazetteer.toml"):
        imported(folder)


def test_a_history_folder_that_is_not_there_is_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="is not a folder"):
        import_tournament(folder, name="x", title="X", rulebook="wc2026", history=tmp_path / "none")


def test_a_zero_without_minutes_does_not_tell_who_will_play_later(world_cup: World, folder: Path) -> None:
    """The game fills in zeros for rounds a player missed once he appears: they must not reach a snapshot."""
    players = world_cup.at(2).players["player_id"]
    idle = players[~players.isin(world_cup.tables["appearances"]["player_id"])].iloc[0]
    text = (folder / "points.csv").read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith(f"{idle},"))
    (folder / "points.csv").write_text(text.replace(line, f"{idle},0,0,0,0"), encoding="utf-8")
    assert imported(folder).at(3).to_bytes() == world_cup.at(3).to_bytes()


def test_the_bracket_tells_the_stages_of_the_last_round_apart_and_where_a_host_would_be_at_home(folder: Path) -> None:
    spoil(folder, "fixtures.csv", ",THIRD,", ",FINAL,")
    tables = imported(folder).tables
    last = tables["fixtures"].query("round == 8").set_index("official_no")["stage"]
    assert last.to_dict() == {103: "THIRD", 104: "FINAL"}
    hosts = tables["bracket"].set_index("official_no")["host"]
    assert [hosts[number] for number in (75, 79, 83, 92, 96, 104)] == ["MEX", "MEX", "CAN", "MEX", "CAN", "USA"]


@pytest.mark.parametrize("round_number", [4, 5, 6, 7, 8])
def test_whose_team_has_no_match_in_a_knockout_round_is_out(world_cup: World, round_number: int) -> None:
    known = world_cup.at(round_number)
    playing = known.players["team"].isin([*known.coming["home"], *known.coming["away"]])
    assert known.players.loc[~playing, "status"].isin(["eliminated", "transferred"]).all()
    assert not known.players.loc[playing, "status"].eq("eliminated").any()


def test_every_point_on_record_was_played_for_or_is_not_zero(world_cup: World) -> None:
    played = world_cup.tables["appearances"].merge(world_cup.tables["points"], on=["player_id", "round"], how="right")
    idle = played[played["minutes"].isna()]
    events = world_cup.tables["events"].set_index(["player_id", "round"]).index
    assert all((row.player_id, row.round) in events or row.points != 0 for row in idle.itertuples())
