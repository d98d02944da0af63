"""The door to PuLP tells what was found from what was proved."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules.solver import SolverProgram, amount_of, taken

WORTH = (3.0, 2.0, 2.5)


def a_program(most: float, least: float = 0.0) -> tuple[SolverProgram, list[object]]:
    """Return a program that takes some of three things, all alike but for their worth."""
    program = SolverProgram()
    things = program.flags(f"x{number}" for number in range(3))
    program.maximise(zip(things, WORTH, strict=True))
    program.add([(thing, 1.0) for thing in things], least, most)
    return program, list(things)


@pytest.mark.parametrize("exact", [False, True])
def test_an_optimum_is_found_and_proved(exact: bool) -> None:
    program, things = a_program(2)
    answer = program.solve(10.0, exact=exact)
    assert (answer.found, answer.proved, answer.impossible) == (True, True, False)
    assert answer.value == pytest.approx(5.5)
    assert taken(things).tolist() == [0, 2]  # type: ignore[arg-type]


def test_what_cannot_be_is_proved_and_not_found() -> None:
    program, _ = a_program(9, least=4)
    answer = program.solve(10.0)
    assert answer.impossible
    assert answer.value == -np.inf


def test_without_time_nothing_is_said_to_be_impossible() -> None:
    program, _ = a_program(9, least=4)
    assert not program.solve(1e-9).impossible


def test_an_amount_goes_as_far_as_its_rows_and_its_own_limit_allow() -> None:
    program = SolverProgram()
    wide, narrow = program.amount("a"), program.amount("b", 1.5)
    program.add([(wide, 2.0)], high=5)
    program.maximise([(wide, 1.0), (narrow, 1.0)])
    assert program.solve(10.0).value == pytest.approx(4.0)
    assert (amount_of(wide), amount_of(narrow)) == (2.5, 1.5)
