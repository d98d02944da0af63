"""Hand-made judgements on names are read from one file, and a broken file says where it is broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from data.errors import TableError
from data.naming.aliases import Aliases, read_aliases
from data.naming.names import folded
from data.worlds.world import World


def written(folder: Path, text: str) -> Path:
    path = folder / "aliases.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_accents_and_hyphens_of_a_spelling_do_not_matter(tmp_path: Path) -> None:
    aliases = read_aliases(written(tmp_path, '[players.QAT]\n"Ró-Ró" = "Pedro Miguel"\n'))
    assert aliases.player("QAT", folded("Ro Ro")) == "pedro miguel"


def test_a_judgement_holds_for_its_own_team_only(tmp_path: Path) -> None:
    text = '[players.QAT]\n"Ró-Ró" = "Pedro Miguel"\n[strangers]\nTUR = ["Burak Yılmaz"]\n'
    aliases = read_aliases(written(tmp_path, text))
    assert aliases.player("POR", "ro ro") is None
    assert aliases.is_stranger("TUR", "burak yilmaz")
    assert not aliases.is_stranger("GER", "burak yilmaz")


def test_an_empty_file_judges_nothing(tmp_path: Path) -> None:
    assert read_aliases(written(tmp_path, "")) == Aliases()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[players", "aliases.toml"),
        ('[player.QAT]\n"Ró-Ró" = "Pedro Miguel"', "key player: Extra"),
        ('players = "QAT"', "key players: Input should be a valid dictionary"),
        ('[players]\nQAT = "Ró-Ró"', r"players\.QAT"),
        ('[players.QAT]\n"Ró-Ró" = 1049', r"players\.QAT"),
        ('[players.QAT]\n"Ró-Ró" = " "', r"players\.QAT"),
        ('[strangers]\nTUR = "Burak Yılmaz"', r"strangers\.TUR"),
        ("[strangers]\nTUR = [7]", r"strangers\.TUR"),
        ('[players.QAT]\n"Ró-Ró" = "Pedro Miguel"\n[strangers]\nQAT = ["Ro Ro"]', "both a player and a stranger"),
    ],
)
def test_a_broken_file_is_refused_with_the_place(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(TableError, match=reason):
        read_aliases(written(tmp_path, text))


def test_a_missing_file_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"nowhere\.toml"):
        read_aliases(tmp_path / "nowhere.toml")


def test_the_shipped_judgements_name_teams_of_the_world_cup(world_cup: World) -> None:
    aliases = read_aliases()
    codes = set(world_cup.tables["teams"]["code"])
    assert set(aliases.players) | set(aliases.strangers) <= codes
    assert aliases.players
    assert aliases.strangers
