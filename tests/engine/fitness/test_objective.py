"""θ is stated or derived in the open, never defaulted."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.objective import STRONGEST_K, Dial, Theta, objective_from_standing, parse_theta


@pytest.mark.parametrize("text", [None, "", "attack", "PROTECTT"])
def test_a_missing_theta_is_asked_for_and_explained(text: str | None) -> None:
    with pytest.raises(InputError) as caught:
        parse_theta(text)
    for word in ("protect (you are ahead", "neutral (you want the most points", "gain (you are behind"):
        assert word in str(caught.value)


def test_an_objective_cannot_be_made_without_theta() -> None:
    with pytest.raises(TypeError):
        Dial()  # type: ignore[call-arg]


def test_theta_is_read_whatever_its_case() -> None:
    assert parse_theta(" Gain ") is Theta.GAIN


@pytest.mark.parametrize(("name", "value"), [("k", -0.1), ("w", math.nan), ("c", math.inf), ("k", 11.0)])
def test_a_senseless_strength_is_refused(name: str, value: float) -> None:
    with pytest.raises(InputError, match=f"^{name} is"):
        Dial(theta=Theta.GAIN, **{name: value})


def test_strengths_beyond_the_sliders_are_warned_about() -> None:
    assert Dial(theta=Theta.PROTECT).warnings == ()
    assert len(Dial(theta=Theta.GAIN, k=0.06, w=0.2).warnings) == 2


def test_the_design_example_one_sigma_ahead() -> None:
    derived = objective_from_standing(15, 1)
    assert derived.z == pytest.approx(1.0)
    assert derived.dial.theta is Theta.PROTECT
    assert derived.dial.k == pytest.approx(1 / 30)
    assert derived.working == (
        "15 points ahead with 1 round left and about 15 points of spread is z = +1.00, "
        "so θ is protect with k = |z|/(2σ) = 0.033."
    )


def test_a_deficit_means_gain_and_level_means_neutral() -> None:
    assert objective_from_standing(-20, 3).dial.theta is Theta.GAIN
    assert objective_from_standing(0, 3).dial.theta is Theta.NEUTRAL


@given(st.floats(0.5, 500), st.integers(1, 30))
def test_leading_and_trailing_mirror_each_other(lead: float, rounds: int) -> None:
    ahead, behind = objective_from_standing(lead, rounds), objective_from_standing(-lead, rounds)
    assert ahead.dial.k == behind.dial.k <= STRONGEST_K
    assert (ahead.dial.theta, behind.dial.theta) == (Theta.PROTECT, Theta.GAIN)


@given(st.floats(1, 100), st.integers(1, 20))
def test_fewer_rounds_left_mean_a_stronger_objective(lead: float, rounds: int) -> None:
    assert objective_from_standing(lead, rounds).dial.k >= objective_from_standing(lead, rounds + 1).dial.k


@pytest.mark.parametrize(
    ("lead", "rounds", "options"),
    [(math.nan, 3, {}), (10, 0, {}), (10, 99, {}), (10, 3, {"spread": 0})],
)
def test_a_senseless_standing_is_refused(lead: float, rounds: int, options: dict[str, float]) -> None:
    with pytest.raises(InputError):
        objective_from_standing(lead, rounds, **options)
