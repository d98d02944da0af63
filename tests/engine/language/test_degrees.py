"""How expressions depend on squads: whoever calls one linear can take it apart, so in doubt it is not."""

from __future__ import annotations

import pytest

from engine.language.degrees import FIXED, LINEAR, OTHER
from tests.cases.objectives.spec_cases import a_spec


def degree(metric: str) -> int:
    """Return the degree of the last metric of a spec."""
    return a_spec(f"parameter k = 2 {metric} maximize raw_xev: 1").program.metrics[-2].degree


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("3", FIXED),
        ("k * world.round + max(k, 2)", FIXED),
        ("world.round > 3 and not k ? 1 : 2", FIXED),
        ("squad.price", LINEAR),
        ("agent.price", LINEAR),
        ("-(squad.price - 3) * k / world.round", LINEAR),
        ("world.round > 1 ? squad.price : squad.variance", LINEAR),
        ("squad.price * squad.price", OTHER),
        ("k / squad.price", OTHER),
        ("squad.price > 3 ? 1 : 2", OTHER),
        ("max(squad.price, 2)", OTHER),
        ("abs(squad.price)", OTHER),
        ("engine.generation", OTHER),
    ],
)
def test_a_simple_metric_is_linear_in_squad_state_or_not(expression: str, expected: int) -> None:
    assert degree(f"metric a = {expression}") == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("3", LINEAR),
        ("sqrt(ceiling) * eo / (xev + k)", LINEAR),
        ("role * ceiling * (1 - eo) + xev", LINEAR),
        ("eo > 0.2 ? role : 1 - role", LINEAR),
        ("role * role", OTHER),
        ("role > 0.5 ? 1 : 0", OTHER),
        ("min(role, 0.5)", OTHER),
        ("xev * squad.price", OTHER),
        ("xev * engine.generation", OTHER),
    ],
)
def test_a_sum_of_records_is_linear_in_their_role_or_not(expression: str, expected: int) -> None:
    assert degree(f"metric a {{ per record starter: {expression} aggregate: sum }}") == expected


@pytest.mark.parametrize(
    "block",
    [
        "per record starter: xev aggregate: avg",
        "per record starter: xev aggregate: max",
        "per record starter: xev aggregate: sum transform: value * 2",
        "per tick: squad.xev aggregate: sum",
    ],
)
def test_other_ways_to_aggregate_are_not_linear(block: str) -> None:
    assert degree(f"metric a {{ {block} }}") == OTHER


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("metric a = 3", "metric b = a * squad.price", LINEAR),
        ("metric a = squad.price", "metric b = 2 * a + squad.variance", LINEAR),
        ("metric a = squad.price", "metric b = a * squad.variance", OTHER),
        ("metric a = abs(squad.price)", "metric b = a + 1", OTHER),
        ("metric a = 3", "metric b { per record starter: a * xev aggregate: sum }", OTHER),
        ("metric eo = 3", "metric b { per record starter: eo * role aggregate: sum }", LINEAR),
    ],
)
def test_a_metric_is_as_linear_as_those_it_reads_and_a_field_hides_a_metric(
    first: str, second: str, expected: int
) -> None:
    assert degree(f"{first} {second}") == expected
