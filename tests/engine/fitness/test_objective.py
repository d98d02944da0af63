"""θ is stated, never defaulted, and its strengths are within reason."""

from __future__ import annotations

import math

import pytest

from data.errors import InputError
from engine.fitness.objective import DEFAULT_K, DEFAULT_W, Dial, Theta, parse_theta
from engine.language.spec import shipped_text


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
    assert len(Dial(theta=Theta.GAIN, k=0.06, w=2.5).warnings) == 2


@pytest.mark.parametrize("theta", Theta)
def test_a_strength_that_is_not_stated_is_the_usual_one(theta: Theta) -> None:
    usual = Dial(theta=theta)
    assert (usual.strength, usual.leverage) == (DEFAULT_K[theta], DEFAULT_W[theta])
    assert (Dial(theta=theta, k=0.0).strength, Dial(theta=theta, w=0.0).leverage) == (0.0, 0.0)
    assert f"parameter k = {DEFAULT_K[theta]:g} " in shipped_text(str(theta))
