"""Rules of exposure: it sums to twelve, follows ownership, and tells template from differential."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from data.domain import POSITIONS
from data.errors import ModelError
from data.rules import load_rules
from data.worlds.world import World
from models.crowd.field_view import FieldView, OwnershipSettings
from models.crowd.ownership import Exposure, Regime, Rivals, field_exposure, regimes, rivals_exposure
from tests.cases.field_cases import LINEUPS, POSITION, SEEDS, SHAPE, a_random_view, a_view, with_row

PLAYERS = len(POSITION)
STAR = PLAYERS - 1  # a forward
ELEVEN = np.array([0, 8, 9, 10, 11, 28, 29, 30, 31, 48, 49])
BENCH = np.array([1, 12, 32, 50])


def the_field(view: FieldView, **more: Any) -> Exposure:
    return field_exposure(view, SHAPE, LINEUPS, **more)


def a_field(view: FieldView) -> Exposure:
    """Return the exposure of a random view; where its shares are far from full squads there is none."""
    gap = np.abs(np.bincount(view.position, view.owned) - SHAPE)
    assume((gap < 0.25 * np.array(SHAPE)).all() and gap.sum() < 1.5)
    return the_field(view)


def rivals(*captains: int) -> Rivals:
    count = len(captains)
    return Rivals(np.tile(ELEVEN, (count, 1)), np.array(captains), np.tile(BENCH, (count, 1)))


@given(seed=SEEDS)
def test_exposure_is_a_legal_eleven_and_the_armband_and_nobody_template_and_differential(seed: int) -> None:
    exposure = a_field(a_random_view(seed))
    assert exposure.eo.sum() == pytest.approx(12, abs=1e-9)
    assert exposure.captained.sum() == pytest.approx(1, abs=1e-9)
    assert exposure.owned.sum() == pytest.approx(15, abs=1e-9)
    assert exposure.eo == pytest.approx(exposure.owned * exposure.start + exposure.captained)
    assert ((exposure.start >= 0) & (exposure.start <= 1)).all()
    assert not (exposure.template & exposure.differential).any()
    goalkeepers, *outfield = np.bincount(POSITION, exposure.owned * exposure.start)
    assert goalkeepers == pytest.approx(1, abs=1e-9)
    for started, fewest, most in zip(outfield, (3, 3, 1), (5, 5, 3), strict=True):
        assert fewest - 1e-9 <= started <= most + 1e-9


@given(seed=SEEDS, row=st.integers(0, PLAYERS - 1), share=st.floats(0.01, 0.5))
def test_more_owned_is_never_less_exposed(seed: int, row: int, share: float) -> None:
    view = a_random_view(seed)
    before = a_field(view)
    after = a_field(replace(view, owned=with_row(view.owned, row, min(1.0, view.owned[row] + share))))
    assert after.eo[row] >= before.eo[row] - 1e-9


@given(seed=SEEDS)
def test_the_order_of_players_changes_nothing(seed: int) -> None:
    view = a_random_view(seed)
    order = np.random.default_rng(seed).permutation(PLAYERS)
    columns = ("owned", "position", "p_start", "xev", "ceiling", "price")
    exposure, shuffled = a_field(view), a_field(FieldView(**{name: getattr(view, name)[order] for name in columns}))
    for name in ("owned", "start", "captained", "eo"):
        assert getattr(shuffled, name) == pytest.approx(getattr(exposure, name)[order], abs=1e-9)


def test_who_cannot_play_is_started_by_nobody() -> None:
    view = a_view(p_start=with_row(np.ones(PLAYERS), STAR, 0.0), xev=with_row(np.full(PLAYERS, 4.0), STAR, 0.0))
    exposure = the_field(view)
    assert exposure.eo[STAR] < 1e-9
    assert exposure.notes == ()


def test_a_field_without_men_who_play_says_so() -> None:
    exposure = the_field(a_view(p_start=np.where(POSITION == 0, 0.0, 1.0)))
    assert exposure.eo.sum() == pytest.approx(12, abs=1e-9)
    assert any("1.0 of 11 starters have no chance" in note for note in exposure.notes)


def test_an_absurd_projection_leaves_exposure_finite() -> None:
    exposure = the_field(a_view(xev=with_row(np.full(PLAYERS, 4.0), STAR, 1e12)))
    assert exposure.captained[STAR] == pytest.approx(exposure.owned[STAR])
    assert np.isfinite(exposure.eo).all()


def test_the_better_man_is_captained_more_at_equal_ownership() -> None:
    exposure = the_field(a_view(xev=with_row(np.full(PLAYERS, 4.0), STAR, 7.0)))
    assert exposure.captained[STAR] > 5 * exposure.captained[STAR - 1]


def test_a_ceiling_attracts_the_armband() -> None:
    exposure = the_field(a_view(ceiling=with_row(np.full(PLAYERS, 8.0), STAR, 14.0)))
    assert exposure.captained[STAR] > exposure.captained[STAR - 1]


def test_the_users_captain_shares_replace_the_estimate() -> None:
    share = with_row(np.full(PLAYERS, 0.9 / (PLAYERS - 1)), STAR, 0.1)
    exposure = the_field(a_view(), captain_share=share)
    assert exposure.captained == pytest.approx(share)
    assert exposure.template[STAR]
    assert exposure.notes == ()


def test_a_captain_of_one_in_twenty_is_template_however_few_own_him() -> None:
    share = with_row(np.full(PLAYERS, 0.94 / (PLAYERS - 1)), STAR, 0.06)
    exposure = the_field(a_rare_star(owned=0.07), captain_share=share)
    assert exposure.eo[STAR] < OwnershipSettings().template_eo
    assert exposure.template[STAR]


def test_more_armbands_than_starters_are_kept_and_noted() -> None:
    exposure = the_field(a_view(), captain_share=with_row(np.zeros(PLAYERS), STAR, 1.0))
    assert exposure.captained[STAR] == 1.0
    assert "For 1 of the players more managers give the armband than" in exposure.notes[0]


def test_missing_entries_are_scaled_away_and_noted() -> None:
    exposure = the_field(a_view(owned=np.full(PLAYERS, 0.249)))
    assert exposure.owned.sum() == pytest.approx(15)
    assert "14.94" in exposure.notes[0]


def test_a_tenth_of_full_ownership_is_refused() -> None:
    with pytest.raises(ModelError, match=r"sums to 3,"):
        the_field(a_view(owned=np.full(PLAYERS, 0.05)))


def a_rare_star(**changed: float) -> FieldView:
    """Build a field whose last forward is hardly owned and has the round's best ceiling."""
    owned = np.where(POSITION == 3, (3 - 0.02) / 11, 0.25)
    star = {"owned": 0.02, "ceiling": 15.0, "p_start": 0.9} | changed
    plain = a_view(owned=owned)
    return a_view(**{name: with_row(getattr(plain, name), STAR, value) for name, value in star.items()})


def test_a_rare_likely_starter_with_a_ceiling_is_a_differential() -> None:
    exposure = the_field(a_rare_star())
    assert np.flatnonzero(exposure.differential).tolist() == [STAR]


@pytest.mark.parametrize("changed", [{"p_start": 0.5}, {"ceiling": 7.0}, {"owned": 0.12}])
def test_without_a_start_a_ceiling_or_rarity_he_is_none(changed: dict[str, float]) -> None:
    assert not the_field(a_rare_star(**changed)).differential[STAR]


def test_the_ceiling_is_measured_against_likely_starters_only() -> None:
    idle = np.arange(PLAYERS) % 2 == 0
    view = a_rare_star()
    view = replace(view, p_start=np.where(idle, 0.1, view.p_start), ceiling=np.where(idle, 99.0, view.ceiling))
    assert the_field(view).differential[STAR]


def test_without_a_likely_starter_there_is_no_differential() -> None:
    assert not the_field(a_view(p_start=np.full(PLAYERS, 0.3))).differential.any()


def test_a_sum_other_than_twelve_and_template_and_differential_at_once_are_refused() -> None:
    exposure = the_field(a_view())
    with pytest.raises(ModelError, match="not to 12"):
        replace(exposure, eo=exposure.eo * 1.01)
    with pytest.raises(ModelError, match="at once"):
        replace(exposure, template=np.ones(PLAYERS, dtype=bool), differential=np.ones(PLAYERS, dtype=bool))


def test_rivals_are_a_second_field_of_the_same_law() -> None:
    exposure = rivals_exposure(rivals(49, 49, 28), a_view())
    assert exposure.eo.sum() == pytest.approx(12, abs=1e-12)
    assert exposure.eo[49] == pytest.approx(1 + 2 / 3)
    assert exposure.eo[28] == pytest.approx(1 + 1 / 3)
    assert exposure.owned[BENCH].tolist() == [1.0] * 4
    assert exposure.eo[BENCH].tolist() == [0.0] * 4


def test_a_rival_whose_bench_is_unknown_still_counts() -> None:
    exposure = rivals_exposure(Rivals(ELEVEN[None], np.array([49]), np.empty((1, 0), dtype=int)), a_view())
    assert exposure.eo.sum() == 12


@pytest.mark.parametrize(
    ("starters", "captain", "bench", "message"),
    [
        (ELEVEN[None, :10], [49], BENCH[None], "11 starters"),
        (ELEVEN[None], [], BENCH[None], "11 starters"),
        (ELEVEN[None], [50], BENCH[None], "captains player row 50"),
        (ELEVEN[None], [49], ELEVEN[None, :4], "twice"),
    ],
)
def test_rivals_that_cannot_be_are_refused(starters: Any, captain: Any, bench: Any, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Rivals(starters, captain, bench)


def test_three_regimes_against_a_squad_and_a_rare_player_one_does_not_own_is_neutral() -> None:
    exposure = the_field(a_rare_star())
    squad = np.append(np.setdiff1d(np.concatenate([ELEVEN, BENCH]), [50]), STAR)
    (found,) = regimes(squad[None], exposure)
    assert found[28] == Regime.HOLD
    assert found[33] == Regime.DROP
    assert found[STAR] == Regime.LEAP
    assert regimes(ELEVEN[None], exposure)[0, STAR] == Regime.NEUTRAL


@given(seed=SEEDS)
def test_regimes_of_many_squads_are_those_of_each(seed: int) -> None:
    exposure = a_field(a_random_view(seed))
    squads = np.argsort(np.random.default_rng(seed).random((5, PLAYERS)), axis=1)[:, :15]
    together = regimes(squads, exposure)
    for squad, found in zip(squads, together, strict=True):
        mine = np.isin(np.arange(PLAYERS), squad)
        assert ((found == Regime.HOLD) == (mine & exposure.template)).all()
        assert ((found == Regime.DROP) == (~mine & exposure.template)).all()
        assert ((found == Regime.LEAP) == (mine & (exposure.eo < OwnershipSettings().rare_eo))).all()


@pytest.mark.parametrize("round_number", [1, 2, 3, 4, 5, 6, 7, 8])
def test_the_world_cups_field_is_a_legal_one(world_cup: World, round_number: int) -> None:
    exposure = the_world_cup_field(world_cup, round_number)
    assert exposure.eo.sum() == pytest.approx(12, abs=1e-9)
    assert "instead of 15" in exposure.notes[0]
    assert 10 <= exposure.template.sum() <= 40


def test_the_world_cups_most_owned_forward_is_template(world_cup: World) -> None:
    exposure = the_world_cup_field(world_cup, 1)
    mbappe = int(np.flatnonzero(world_cup.at(1).players["name"] == "Kylian Mbappé")[0])
    assert exposure.template[mbappe]
    assert exposure.captained[mbappe] == exposure.captained.max()


def the_world_cup_field(world_cup: World, round_number: int) -> Exposure:
    """Return the field of a bundled round with a stand-in projection: who is among his team's dearest starts."""
    snapshot, rules = world_cup.at(round_number), load_rules("wc2026")
    players = snapshot.players
    able = players["team"].isin([*snapshot.coming["home"], *snapshot.coming["away"]]) & (players["status"] == "playing")
    rank = players["price"].where(able).groupby(players["team"]).rank(ascending=False, method="first")
    p_start = np.where(able, np.where(rank <= 14, 0.8, 0.1), 0.0)
    xev = p_start * (players["price"].to_numpy() - 2)
    view = FieldView(
        owned=players["owned"].to_numpy(),
        position=players["position"].map(POSITIONS.index).to_numpy(),
        p_start=p_start,
        xev=xev,
        ceiling=2 * xev,
        price=players["price"].to_numpy(),
    )
    shape = tuple(rules.squad.shape[position] for position in rules.squad.shape)
    return field_exposure(view, shape, rules.squad.lineups)  # type: ignore[arg-type]
