"""Preferences tilt a choice and never decide it; a bad file is refused with its name and key."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError, UnknownError
from engine.fitness.objective import Dial, Theta
from engine.fitness.preferences import (
    MOST_EACH,
    MOST_TOGETHER,
    NO_PREFERENCES,
    Preference,
    Preferences,
    read_preferences,
)
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import score_squads, spec_for
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.lineup.lineups import Lineups, best_lineups
from engine.rules.pool import pool_of
from models.signals import Signals
from tests.cases.small_world import CUP_TEAMS

MIDFIELD, BENCH_B4 = "+ minutes-secure midfielders", "− benching B4"
FILE = f"""
[[preference]]
title = "{MIDFIELD}"
points = 0.1
role = "starter"
position = "MID"
start_at_least = 0.8

[[preference]]
title = "{BENCH_B4}"
points = -0.2
role = "bench"
team = "B4"
"""


@pytest.fixture(scope="module")
def lineups(beliefs: Signals) -> Lineups:
    return best_lineups(beliefs, random_squads(beliefs.xev, pool_of(beliefs), np.random.default_rng(3), 100))


def saved(folder: Path, text: str) -> Path:
    file = folder / "preferences.toml"
    file.write_text(text, encoding="utf-8")
    return file


wishes = st.builds(
    Preference,
    title=st.just("a wish"),
    points=st.floats(-MOST_EACH, MOST_EACH),
    role=st.sampled_from(["starter", "bench", "squad"]),
    position=st.sampled_from([None, "GK", "DEF", "MID", "FWD"]),
    team=st.sampled_from([None, *CUP_TEAMS]),
    start_at_least=st.floats(0, 1),
)


def test_a_file_pays_each_man_its_wish_fits(tmp_path: Path, beliefs: Signals, lineups: Lineups) -> None:
    wanted = read_preferences(saved(tmp_path, FILE))
    assert [wish.title for wish in wanted.preference] == [MIDFIELD, BENCH_B4]
    sure = (beliefs.position == 2) & (beliefs.start >= 0.8)
    from_b4 = beliefs.codes == "B4"
    by_hand = [
        0.1 * sum(sure[row] for row in eleven) - 0.2 * sum(from_b4[row] for row in bench)
        for eleven, bench in zip(lineups.starters, lineups.bench, strict=True)
    ]
    paid = wanted.points(beliefs, lineups.squads, lineups)
    np.testing.assert_allclose(paid, by_hand, atol=1e-12)
    assert paid.min() < 0.1 < paid.max()


def test_a_wish_for_one_man_pays_only_who_has_him(beliefs: Signals, lineups: Lineups) -> None:
    squads = lineups.squads
    wish = Preference(title="our captain", points=0.5, player=int(beliefs.player_id[squads[0, 0]]))
    has_him = (squads == squads[0, 0]).any(axis=1)
    paid = Preferences(preference=(wish,)).points(beliefs, lineups.squads, lineups)
    assert paid.tolist() == (0.5 * has_him).tolist()
    assert not has_him.all()


@given(st.lists(wishes, max_size=6))
def test_all_wishes_together_stay_within_their_bound(
    beliefs: Signals, lineups: Lineups, wanted: list[Preference]
) -> None:
    paid = Preferences(preference=tuple(wanted)).points(beliefs, lineups.squads, lineups)
    assert (np.abs(paid) <= MOST_TOGETHER).all()


@given(st.lists(wishes, min_size=1, max_size=6))
@settings(max_examples=20)
def test_wishes_tilt_the_score_by_their_own_term_alone_and_never_overturn_a_clear_lead(
    beliefs: Signals, lineups: Lineups, wanted: list[Preference]
) -> None:
    without = SquadView(beliefs)
    spec, parameters = spec_for(Dial(theta=Theta.NEUTRAL), without)
    tilted_view = SquadView(beliefs, SceneSettings(preferences=Preferences(preference=tuple(wanted))))
    plain = score_squads(without, lineups.squads, spec, parameters)
    tilted = score_squads(tilted_view, lineups.squads, spec, parameters)
    np.testing.assert_allclose(tilted.fitness, plain.fitness + tilted.terms["preferences"], atol=1e-9)
    clear = plain.fitness[:, None] - plain.fitness[None, :] > 2 * MOST_TOGETHER
    assert (tilted.fitness[:, None] > tilted.fitness[None, :])[clear].all()


def test_no_wishes_pay_nothing(beliefs: Signals, lineups: Lineups) -> None:
    assert not NO_PREFERENCES.points(beliefs, lineups.squads, lineups).any()


def test_an_empty_file_holds_no_wishes(tmp_path: Path) -> None:
    assert read_preferences(saved(tmp_path, "")) == NO_PREFERENCES


def test_an_unknown_team_is_named_with_the_wish_and_the_nearest(beliefs: Signals, lineups: Lineups) -> None:
    wish = Preference(title="my country", points=0.1, team="A11")
    with pytest.raises(UnknownError, match=r"Preference 'my country': no team 'A11'\. Did you mean A1"):
        Preferences(preference=(wish,)).points(beliefs, lineups.squads, lineups)


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("points = 0.1", "points = 0.51", "preference.0.points"),
        ("points = -0.2", "points = -9", "preference.1.points"),
        ("points = 0.1", "points = nan", "preference.0.points"),
        ("points = 0.1", "points = inf", "preference.0.points"),
        ("points = 0.1", 'points = "many"', "preference.0.points"),
        ("points = 0.1\n", "", "preference.0.points"),
        ('role = "bench"', 'role = "stands"', "preference.1.role"),
        ('position = "MID"', 'position = "WING"', "preference.0.position"),
        ("start_at_least = 0.8", "start_at_least = 80", "preference.0.start_at_least"),
        ("start_at_least = 0.8", "start_at_least = nan", "preference.0.start_at_least"),
        ('team = "B4"', "team = 1", "preference.1.team"),
        ('team = "B4"', "teem = 1", "preference.1.teem"),
        (f'title = "{MIDFIELD}"', 'title = ""', "preference.0.title"),
        (f'title = "{MIDFIELD}"', "", "preference.0.title"),
        ("[[preference]]", "[[wish]]", "wish"),
    ],
)
def test_a_bad_value_is_refused_with_file_and_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    assert old in FILE
    with pytest.raises(InputError) as caught:
        read_preferences(saved(tmp_path, FILE.replace(old, new)))
    assert str(caught.value).startswith(f"preferences.toml, key {key}: ")


@pytest.mark.parametrize(
    "content",
    [
        b"points = ",
        b"\xff\xfe",
        b"player = 1" + 5000 * b"0",
        b"a = " + 3000 * b"[" + 3000 * b"]",
        b"preference = 3",
        b"preference = [3]",
        b"[preference]\ntitle = 'not a list'",
    ],
)
def test_a_file_that_holds_no_preferences_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "preferences.toml"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"preferences\.toml"):
        read_preferences(file)


def test_a_file_that_is_not_there_is_refused_by_name(tmp_path: Path) -> None:
    for path in (tmp_path / "none.toml", tmp_path, Path("/dev/zero")):
        with pytest.raises(InputError, match=f"{path.name} cannot be read"):
            read_preferences(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("# a comment\n" * 10_000, "more than 100,000 bytes"),
        ("a." * 20_000 + "a = 1", "a line of 40,005 characters; 1,000 is the limit"),
        ("[[preference]]\ntitle = 'x'\npoints = 0\n" * 201, "at most 200 items"),
        ("[[preference]]\ntitle = 'x'\npoints = 9\n" * 201, "key preference.0.points"),
        (f"[[preference]]\ntitle = 'x'\npoints = 0\nposition = '{'y' * 900}'", "key preference.0.position: "),
    ],
    ids=["bytes", "line", "wishes", "first fault", "value"],
)
def test_a_file_longer_than_any_wishes_is_refused_in_a_short_sentence(tmp_path: Path, content: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        read_preferences(saved(tmp_path, content))
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


@given(st.one_of(st.binary(max_size=80), st.text(max_size=80).map(str.encode)), st.integers(0, len(FILE.encode())))
def test_any_bytes_in_a_file_are_wishes_or_refused_by_name(
    tmp_path_factory: pytest.TempPathFactory, junk: bytes, at: int
) -> None:
    file = tmp_path_factory.getbasetemp() / "junk.toml"
    file.write_bytes(FILE.encode()[:at] + junk + FILE.encode()[at:])
    try:
        said = f"{file.name} holds {len(read_preferences(file).preference)} wishes"
    except InputError as error:
        said = str(error)
    assert "junk.toml" in said
