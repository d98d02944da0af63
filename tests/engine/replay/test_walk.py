"""A replay: no look ahead, the same for the same seed, and figures that hang together."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from data.errors import InputError
from engine.replay.ledger import TransferMode
from engine.replay.rounds import PlayedRound
from engine.replay.walk import ReplaySettings, Walked, WalkTask, walk
from tests.cases.replay_cases import SMALL, league_replay, league_rounds, replayed, rounds_of
from tests.cases.small_world import changed, small_league


def walked(rounds: tuple[PlayedRound, ...], policy: str) -> Walked:
    return walk(WalkTask(policy, 0, tuple(one.matchday for one in rounds), SMALL))


@pytest.fixture(scope="module")
def other_points() -> tuple[PlayedRound, ...]:
    """The same rounds with other points in the last."""
    return rounds_of(changed(small_league(), "points", upside_down))


def upside_down(points: pd.DataFrame) -> pd.DataFrame:
    """Other points in the last round."""
    last = points["round"] == 2
    points.loc[last, "points"] = 20 - points.loc[last, "points"]
    return points


@pytest.mark.parametrize("policy", ["max-EV", "price", "crowd", "template", "random"])
@pytest.mark.daily("max-EV", "template")
def test_no_pick_sees_the_points_of_its_round(policy: str, other_points: tuple[PlayedRound, ...]) -> None:
    known, other = walked(league_rounds(), policy), walked(other_points, policy)
    for (choice, moves), (again, same) in zip(known, other, strict=True):
        np.testing.assert_array_equal(choice.squad, again.squad)
        assert (choice.captain, moves) == (again.captain, same)


@pytest.mark.soak
def test_the_same_seed_gives_the_same_replay_whatever_the_global_generators_do() -> None:
    np.random.seed(99)
    again = replayed(small_league(), replace(SMALL, policies=("max-EV", "random")))
    for other in again.tracks:
        one = league_replay().track(other.name)
        np.testing.assert_array_equal(one.official, other.official)
        np.testing.assert_array_equal(one.simulated, other.simulated)
    np.testing.assert_array_equal(league_replay().field, again.field)


def test_a_walk_sent_to_another_process_is_the_same_walk() -> None:
    task = WalkTask("price", 1, tuple(one.matchday for one in league_rounds()), SMALL)
    sent = pickle.loads(pickle.dumps(task))
    for (choice, moves), (again, same) in zip(walk(task), walk(sent), strict=True):
        np.testing.assert_array_equal(choice.squad, again.squad)
        assert moves == same


def test_hits_are_taken_off_and_transfers_counted() -> None:
    for track in league_replay().tracks:
        assert track.official.shape == track.changes.shape == track.cost.shape
        assert (track.changes[:, 0] == 0).all()
        assert (track.cost == 4 * np.maximum(track.changes - 1, 0))[:, 1].all()


def test_unlimited_transfers_cost_nothing() -> None:
    free = replayed(small_league(), replace(SMALL, policies=("max-EV",), transfers=TransferMode.UNLIMITED, managers=0))
    assert free.track("max-EV").cost.sum() == 0
    assert np.isnan(free.percentile(free.track("max-EV")))


def test_ours_gains_on_price_and_crowd_in_held_out_rounds_and_a_gain_is_a_loss_turned_round() -> None:
    replay = league_replay()
    for other in ("price", "crowd", "random"):
        gain, loss = replay.gain("max-EV", other), replay.gain(other, "max-EV")
        assert gain.value > 0
        assert gain.value == pytest.approx(-loss.value)
        assert gain.low <= gain.value <= gain.high


def test_a_locked_armband_is_held_in_both_figures() -> None:
    track = league_replay().track("max-EV")
    np.testing.assert_allclose(track.simulated.mean(), track.held.mean(), atol=0.2)


def test_a_percentile_is_a_share_of_the_field() -> None:
    replay = league_replay()
    places = [replay.percentile(track) for track in replay.tracks]
    assert all(0.0 <= place <= 1.0 for place in places)
    order = np.argsort([track.mean for track in replay.tracks])
    assert (np.diff(np.array(places)[order]) >= 0).all()


def test_a_policy_without_views_plays_once() -> None:
    assert league_replay().track("template").official.shape[0] == 1
    assert league_replay().track("template").spread == 0.0
    assert league_replay().track("price").official.shape[0] == SMALL.runs


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"rounds": (1, 3)}, "Round 2 is left out, but transfers carry over"),
        ({"runs": 0}, "make no replay"),
        ({"jitter": float("nan")}, "make no replay"),
        ({"policies": ()}, "needs policies"),
        ({"policies": ("price", "price")}, "each named once"),
        ({"policies": ("prices",)}, "There is no policy"),
    ],
)
def test_settings_without_sense_are_refused(change: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        ReplaySettings(**({"rounds": (1,), "policies": ("price",)} | change))  # type: ignore[arg-type]


def test_who_did_not_play_has_no_track() -> None:
    with pytest.raises(InputError, match="'gain' did not play"):
        league_replay().track("gain")
