"""Code of one expression agrees with plain Python, and constants are computed at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from data.errors import SpecError
from engine.language.expressions import Constant, compiled, constant_of
from engine.language.names import Moment, Scope
from tests.cases.objectives.spec_cases import WORDS, a_scene, totals
from tests.engine.language.test_parsing import expression_of

SMALL = st.floats(-100, 100)


def code_of(expression: str) -> object:
    return compiled(expression_of(expression), Scope(vocabulary=WORDS, parameters=frozenset({"k"})))


@pytest.mark.parametrize(
    ("expression", "number"),
    [("1 + 2 * 3", 7), ("-(2)", -2), ("max(1, 5, 3)", 5), ("min(4, 2)", 2), ("clamp(7, 0, 1)", 1), ("sqrt(9)", 3),
     ("abs(-4)", 4), ("2 > 1", 1), ("not 3", 0), ("1 != 1", 0)],
)  # fmt: skip
def test_what_is_constant_is_computed_at_once(expression: str, number: float) -> None:
    assert code_of(expression) == Constant(number)


def test_a_choice_of_constants_still_has_its_number() -> None:
    code = code_of("1 > 2 ? 3 : 4 and 0 or 1")
    assert callable(code)
    assert constant_of(code) == 1.0


@pytest.mark.parametrize("expression", ["1 / 0", "squad.price / 0", "squad.price / (1 - 1)", "0 ? 1 / 0 : 1"])
def test_a_constant_division_by_zero_is_found_at_load(expression: str) -> None:
    with pytest.raises(SpecError, match="Division by zero"):
        code_of(expression)


@pytest.mark.parametrize(
    ("call", "words"),
    [("sqrt(1, 2)", "sqrt takes 1 arguments, not 2"), ("max(1)", "max takes 2 or more arguments, not 1"),
     ("eval(1)", "Unknown function eval"), ("clamp(k)", "clamp takes 3 arguments, not 1")],
)  # fmt: skip
def test_functions_know_their_arguments(call: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        code_of(call)


def test_a_parameter_is_read_when_it_is_needed() -> None:
    code = code_of("k * 2")
    assert callable(code)
    assert code(Moment(a_scene(), {"k": 4.0}), np.asarray(True)) == 8.0


@given(st.lists(SMALL, min_size=3, max_size=3), st.lists(SMALL, min_size=3, max_size=3))
def test_arithmetic_agrees_with_python(left: list[float], right: list[float]) -> None:
    pairs = list(zip(left, right, strict=True))
    assume(all(b == 0 or abs(a / b) < 1e12 for a, b in pairs))
    body = """metric m = squad.a > squad.b and not squad.b == 0 ?
        abs(squad.a / squad.b) : sqrt(max(squad.a, 0)) - squad.b
    maximize m: 1"""
    expected = [abs(a / b) if a > b and b != 0 else math.sqrt(max(a, 0)) - b for a, b in pairs]
    assert totals(body, a=left, b=right) == pytest.approx(expected)
