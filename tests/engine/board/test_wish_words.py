"""What a manager writes on the command line is read as he means it, or refused with the nearest thing he could mean."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from data.errors import InputError, NameMatchError, UnknownError
from data.worlds.library import find_world
from engine.board.stated_wishes import StatedWishes
from engine.board.wish_words import read_wishes
from engine.fitness.reference import linear_squad
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.rules.conflicts import Demands
from engine.rules.pool import TeamLimit
from models.signals import Signals
from tests.cases.judged_worlds import world_cup_signals


class Read(NamedTuple):
    settings: SceneSettings
    demands: Demands
    remarks: tuple[str, ...]


def read(**stated: object) -> Read:
    signals = world_cup_signals()
    wishes, remarks = read_wishes(StatedWishes(**stated), find_world("wc2026").at(1), signals)  # type: ignore[arg-type]
    return Read(wishes.settings(signals), wishes.demands(signals), remarks)


def test_nothing_asked_is_nothing_held() -> None:
    found = read()
    assert (found.demands.must, found.demands.never, found.remarks) == ((), (), ())
    settings = found.settings
    assert (settings.current, settings.teams, settings.most_changes) == ((), (), None)
    assert (settings.formation, settings.captain, settings.budget) == (None, None, None)


def test_players_are_read_by_name(signals: Signals) -> None:
    found = read(lock=["Harry Kane"], ban=["Kylian Mbappé"], captain="Erling Haaland")
    named = [str(signals.name[row]) for row in (*found.demands.must, *found.demands.never)]
    assert named == ["Harry Kane", "Kylian Mbappé"]
    assert found.settings.captain is not None
    assert signals.name[found.settings.captain] == "Erling Haaland"


def test_teams_are_read_by_code_or_name_whatever_the_case(signals: Signals) -> None:
    codes = list(signals.teams.strengths.codes)
    found = read(at_least=["BRA:2", "spain: 1"], at_most=["bra:3"])
    brazil, spain = codes.index("BRA"), codes.index("ESP")
    assert found.settings.teams == (TeamLimit(brazil, 2), TeamLimit(spain, 1), TeamLimit(brazil, 0, 3))


def test_a_squad_one_has_limits_the_changes(signals: Signals, tmp_path: Path) -> None:
    own = linear_squad(signals, SquadView(signals).pool)
    file = tmp_path / "mine.txt"
    file.write_text("\n".join(map(str, signals.player_id[own])), encoding="utf-8")
    found = read(squad=file, changes=2, free_transfers=1, budget=101.5)
    assert set(found.settings.current) == set(own.tolist())
    view = SquadView(signals, found.settings)
    assert (view.wished.most_changes, view.wished.budget, view.free_transfers) == (2, 101.5, 1.0)
    assert np.flatnonzero(view.wished.rules[-1].group != 0).tolist() == sorted(own.tolist())


def test_a_formation_is_held_by_its_place(signals: Signals) -> None:
    held = read(formation="3-4-3").settings.formation
    assert held is not None
    assert signals.rules.squad.formations[held] == "3-4-3"


def test_preferences_are_read_from_their_file(tmp_path: Path) -> None:
    file = tmp_path / "preferences.toml"
    file.write_text('[[preference]]\ntitle = "my keeper"\npoints = 0.5\nposition = "GK"\n', encoding="utf-8")
    found = read(preferences=file).settings.preferences
    assert [wish.title for wish in found.preference] == ["my keeper"]


@pytest.mark.parametrize(
    ("stated", "kind", "sentence"),
    [
        ({"formation": "2-4-4"}, UnknownError, r"'2-4-4' is no formation of this game. Known: 4-4-2, 4-3-3"),
        ({"at_least": ["Brasil:2"]}, UnknownError, r"'Brasil' is no team of this round. Did you mean Brazil"),
        ({"at_most": ["XYZ:2"]}, UnknownError, r"'XYZ' is no team of this round"),
        ({"at_least": ["BRA"]}, InputError, r"'BRA' is not a team and a number. Write it as --at-least BRA:2"),
        ({"at_most": ["BRA:two"]}, InputError, r"--at-most 'BRA:two' is not a team and a number"),
        ({"at_most": ["BRA:-1"]}, InputError, r"--at-most 'BRA:-1' is not a team and a number"),
        ({"captain": "Nobody Known"}, NameMatchError, r"Nobody Known"),
        ({"lock": ["Harry Kane"], "ban": ["Harry Kane"]}, InputError, r"Harry Kane is locked and ruled out at once"),
    ],
)  # fmt: skip
def test_what_cannot_be_meant_is_a_sentence(stated: dict[str, object], kind: type[InputError], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        read(**stated)


def test_money_and_changes_are_checked_before_anything_is_computed() -> None:
    with pytest.raises(InputError, match="A budget of -3 buys nobody"):
        StatedWishes(budget=-3.0)
    with pytest.raises(InputError, match="A budget of nan buys nobody"):
        StatedWishes(budget=float("nan"))
    with pytest.raises(InputError, match=r"At most 2 changes were asked for, but no squad .* Give yours by --from"):
        StatedWishes(changes=2)
