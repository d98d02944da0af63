"""Rules of the signals of later rounds: the columns of the coming one, agreeing with the outlook, fit to judge by."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from data.worlds.library import find_world
from engine.fitness.judge import Judge, named_objective
from engine.fitness.squad_view import SquadView
from models.outlook import build_outlook, signals_ahead
from models.players.points import point_distributions
from models.signals import Signals
from models.together.covariance import covariance
from tests.cases.small_world import BLANK, bytes_of, own_table, player_of, quick_settings, small_cup, small_league
from tests.models.outlook.test_build import signals_of

EXPOSURE = 12.0


@cache
def ahead(kind: str) -> tuple[Signals, ...]:
    world, number = {
        "season": (find_world("fpl2025-26"), 8),
        "cup": (small_cup(), 2),
        "league": (small_league(), BLANK - 1),
    }[kind]
    signals = signals_of(world, number)
    return signals_ahead(signals, {"season": 4, "cup": 7, "league": 3}[kind], quick_settings(signals.rules))


KINDS = pytest.mark.parametrize("kind", ["season", "cup", "league"])


@KINDS
@pytest.mark.daily("cup", "league")
def test_they_say_what_the_outlook_says(kind: str) -> None:
    rounds = ahead(kind)
    outlook = build_outlook(rounds[0], rounds[-1].round - rounds[0].round + 1, quick_settings(rounds[0].rules))
    assert tuple(later.round for later in rounds) == outlook.rounds
    for column, later in enumerate(rounds):
        for name, found in {"xev": later.xev, "variance": later.variance, "p_play": later.p_play}.items():
            np.testing.assert_allclose(found, getattr(outlook, name)[:, column], atol=1e-9, err_msg=name)
        np.testing.assert_allclose(later.exposure.eo, outlook.eo[:, column], atol=1e-12)
        assert later.opponents.tolist() == outlook.opponents[:, column].tolist()


@KINDS
def test_a_squad_is_judged_in_every_round_as_in_the_coming_one(kind: str) -> None:
    for later in ahead(kind):
        view = SquadView(later)
        scored = Judge(view, np.random.default_rng(0)).score(view.typical[None, :], named_objective("gain", view))
        assert scored.lineups.expected[0] > 0
        assert later.exposure.eo.sum() == pytest.approx(EXPOSURE)
        np.testing.assert_allclose(later.armband.mean, later.xev, atol=1e-9)


@KINDS
def test_covariance_holds_the_variance_and_stays_possible(kind: str) -> None:
    for later in ahead(kind)[1:]:
        everyone = np.arange(len(later))
        np.testing.assert_allclose(later.covariance[everyone, everyone], later.variance, atol=1e-9)
        assert min(np.linalg.eigvalsh(block.values).min() for block in later.covariance.blocks) > -1e-9


@KINDS
def test_chances_bring_the_very_points(kind: str) -> None:
    """Whatever is drawn from the chances of a later round has the mean that its columns tell."""
    for later in ahead(kind)[1:]:
        again = point_distributions(later.chances, later.rules, later.owned)
        np.testing.assert_allclose(again.mean, later.xev, atol=1e-6)


def test_team_mates_share_whether_their_open_match_takes_place() -> None:
    """The oracle: the covariance inside the match, should it be played, and two men paid by the same coin."""
    last = next(later for later in ahead("cup") if later.round == 7)
    assert last.teams.matches.empty
    one, other = (int(row) for row in np.flatnonzero((last.codes == "A1") & (last.position == 2))[:2])
    chance = float(last.plays[one, last.rounds.index(last.round)])
    assert 0.05 < chance < 0.95
    state = last.chances.state.copy()
    likely = last.plays[last.chances.player, last.rounds.index(last.round)]
    state[:, 1:] /= likely[:, None]
    state[:, 0] = 1 - state[:, 1:].sum(axis=1)
    wide = np.full(len(last), 1e3)
    played = covariance(replace(last.chances, state=state), last.rules, wide, owned=last.owned)
    coin = (1 - chance) / chance * float(last.xev[one] * last.xev[other])
    assert float(last.covariance[one, other]) == pytest.approx(chance * float(played[one, other]) + coin)
    stranger = int(np.flatnonzero(last.codes == "B1")[0])
    assert float(last.covariance[one, stranger]) == 0.0


def test_a_blank_leaves_a_club_out_and_a_double_counts_twice() -> None:
    now, blank, double = ahead("league")
    idle = np.isin(now.codes, ("FUL", "LIV"))
    assert blank.unavailable[idle].all()
    assert not blank.xev[idle].any()
    assert double.clean_sheet.shape[1] == 2
    assert (double.clean_sheet[idle] > 0).all()


def test_kickoffs_are_known_as_far_as_they_are_announced() -> None:
    group, knockout = ahead("cup")[1], ahead("cup")[-1]
    assert len(np.unique(group.slot)) > 1
    assert group.deadline > ahead("cup")[0].deadline
    assert np.isnat(knockout.kickoff).all()
    assert not knockout.slot.any()
    assert knockout.deadline == ahead("cup")[0].deadline


def test_a_managers_own_points_of_a_later_round_replace_the_models() -> None:
    star = player_of("ARS", "FWD", teams=("ARS", "BHA", "CHE", "EVE", "FUL", "LIV"))
    now = ahead("league")[0]
    own = {BLANK: own_table("xev", {star: 9.0})}
    _, blank, double = signals_ahead(now, 3, quick_settings(now.rules), own)
    row = now.row_of(star)
    assert blank.xev[row] == pytest.approx(9.0, abs=1e-5)
    assert double.xev[row] == pytest.approx(ahead("league")[2].xev[row])
    assert blank.points.lines["your_projection"][row] == pytest.approx(9.0 - ahead("league")[1].xev[row], abs=1e-5)


def test_same_signals_same_bytes() -> None:
    np.random.seed(99)
    again = signals_ahead(ahead("cup")[0], 7, quick_settings(ahead("cup")[0].rules))
    assert [bytes_of(later) for later in again] == [bytes_of(later) for later in ahead("cup")]
