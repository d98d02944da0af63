"""Commands about what is known, run as a user runs them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from data.rules import RULEBOOKS, load_rules
from data.worlds.library import user_worlds
from data.worlds.manifest import MANIFEST
from data.worlds.world import World, open_world
from tests.cases.facts.facts_folder import write_facts
from tests.tools.disk_faults import save_league
from tests.tools.run_here import TERMINAL, done, here, refused


def test_worlds_lists_the_bundled_one_and_says_what_is_wrong_with_a_broken_one() -> None:
    (user_worlds() / "broken").mkdir(parents=True)
    (user_worlds() / "broken" / MANIFEST).write_text("[[[")
    answer = done("worlds", "--json")
    listed = {entry["name"]: entry for entry in answer.json["worlds"]}
    assert answer.notes == ""
    assert listed["wc2026"]["rounds"] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert listed["wc2026"]["error"] is None
    assert "Import the world again" in listed["broken"]["error"]
    assert "wc2026" in here("worlds").output


def test_restore_goes_back_and_names_what_is_kept() -> None:
    for number in (1, 2, 3):
        save_league(number, user_worlds() / "league")
    answer = done("restore", "league", "--json").json
    assert (answer["world"]["title"], answer["world"]["rounds"]) == ("League 2", [1, 2, 3, 4])
    assert [state["title"] for state in answer["states"]] == ["League 3", "League 1"]
    shown = done("restore", "league", "--state", str(answer["states"][1]["number"]))
    assert "league is again League 1, rounds 1–4, 24 players." in shown.said
    assert "League 3" in shown.output
    refused("There is no world 'wc2026' of your own", "restore", "wc2026")


def test_worlds_are_listed_with_their_whole_names_at_eighty_columns(
    world_cup: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(TERMINAL, "COLUMNS", "80")
    title = "Fantasy Premier League 2024-25, as it was known in May"
    long = World.of("fpl-2024-25-with-history", title, world_cup.rulebook, "a test", world_cup.tables)
    long.save(user_worlds() / long.name)
    shown = done("worlds").output
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown
    assert all(word in shown for word in (long.name, "wc2026", *title.split()))
    assert "1–8" in shown


def test_players_filters_sorts_and_fits_the_terminal() -> None:
    answer = done("players", "--round", "3", "--position", "mid", "--sort", "owned", "--limit", "3")
    lines = answer.output.splitlines()
    assert "Lamine Yamal" in lines[2]
    assert "3 of 515 players. Deadline Wed 24 Jun 2026 19:00 UTC." in answer.output
    assert max(len(line) for line in lines) <= 100


def test_players_as_json_is_one_object_and_nothing_else() -> None:
    answer = here("players", "--round", "2", "--team", "esp", "--sort", "price", "--json")
    content = answer.json
    rows: list[dict[str, Any]] = content["players"]
    assert answer.notes == ""
    assert {key: content[key] for key in ("world", "round", "title")} == {
        "world": "wc2026",
        "round": 2,
        "title": "Matchday 2",
    }
    assert {row["team"] for row in rows} == {"ESP"}
    assert set(rows[0]) == {"player_id", "name", "team", "position", "price", "owned", "status", "points"}
    prices = [float(str(row["price"])) for row in rows]
    assert prices == sorted(prices, reverse=True)


@pytest.mark.parametrize("command", ["worlds", "players", "import-world", "import-fpl", "fetch"])
def test_help_has_an_example_and_describes_its_json(command: str) -> None:
    text = here(command, "--help").output
    assert "Example: thetaxi" in text
    assert "JSON:" in text


def test_import_world_writes_a_world_that_every_command_opens_and_a_bad_fact_leaves_it(
    world_cup: World, tmp_path: Path
) -> None:
    facts = write_facts(world_cup, tmp_path / "facts", rounds=2)
    answer = done("import-world", facts, tmp_path / "mine", "--title", "My cup", "--json")
    assert answer.json["world"]["rounds"] == [1, 2]
    assert open_world(tmp_path / "mine").title == "My cup"
    assert here("players", "--round", "2", "--world", tmp_path / "mine", "--json").json["total"] == 1488
    (facts / "points.csv").write_text("player_id,r1\n1,many\n")
    refused("points.csv, row 2, column 'r1': 'many' is not a whole number", "import-world", facts, tmp_path / "mine")
    assert open_world(tmp_path / "mine").rounds == (1, 2)


def test_a_world_under_its_own_rulebook_opens_from_any_folder(
    world_cup: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    facts = write_facts(world_cup, tmp_path / "facts", rounds=2)
    (tmp_path / "house.toml").write_text((RULEBOOKS / "wc2026.toml").read_text())
    monkeypatch.chdir(tmp_path)
    done("import-world", "facts", "mine", "--rulebook", "house.toml")
    monkeypatch.chdir(facts)
    done("players", "--round", "1", "--world", tmp_path / "mine", "--json")
    assert load_rules(open_world(tmp_path / "mine").rulebook).rounds == load_rules("wc2026").rounds
