"""A small world for the fitness language: three squads with two records, one and none, and three ticks."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.language.spec import Spec, SpecScore, load_spec
from engine.language.vocabulary import RecordSet, Scene, Vocabulary

TWO_ONE_NONE = np.array([[True, True], [True, False], [False, False]])


def some_records(**fields: list[float]) -> RecordSet:
    """Records by field: two values of the first squad, one of the second; the gaps hold NaN."""
    columns = {name: np.array([[a, b], [c, np.nan], [np.nan, np.nan]]) for name, (a, b, c) in fields.items()}
    return RecordSet(columns, TWO_ONE_NONE)


def a_scene(**changed: Any) -> Scene:
    """Return the three squads; keywords replace or add squad state."""
    squad = {
        "feasible": [True, True, True],
        "raw_xev": [60, 50, 40],
        "captaincy_uplift": [8, 7, 6],
        "cs_lift": [4, 2, 0],
        "progression_carry": [100, 80, 60],
        "variance": [400, 300, 200],
        "relative_variance": [100, 200, 300],
        "field_covariance": [220, 120, 20],
        "preferences": [0.5, 0, -0.5],
        "transfer_cost": [0, 3, 6],
        "price": [100, 99, 98],
    }
    records = {
        "starter": some_records(xev=[5, 3, 4], eo=[0.5, 0.2, 0.1], ceiling=[10, 8, 6], role=[1, 1, 1]),
        "template_missed": some_records(xev=[5, 3, 4], eo=[0.5, 0.2, 0.4], ceiling=[10, 8, 12], role=[0, 0, 0]),
        "differential_owned": some_records(xev=[5, 3, 4], eo=[0.02, 0.04, 0.01], ceiling=[10, 12, 9], role=[1, 0.5, 1]),
    }
    return Scene(
        squad={name: np.array(values) for name, values in (squad | changed).items()},
        records=records,
        ticks={
            "xev": np.array([[4.0, 6, 8], [5, 5, 5], [9, 1, 2]]),
            "alive": np.array([[1.0, 1, 1], [1, 0, 0], [0, 0, 0]]),
        },
        world={"round": 2.0, "length": 50.0},
        engine={
            "generation": 10.0, "stalled": 3.0, "evaluations": 1000.0, "changes": 0.0,
            "complexity": np.array([8.0, 9, 10]), "nodes": np.array([15.0, 15, 15]),
        },
    )  # fmt: skip


WORDS = Vocabulary.of(a_scene())


def a_spec(body: str, **state: Any) -> Spec:
    """Return the spec of a fitness block's body; keywords name squad state beyond the small world's."""
    return load_spec(f"fitness Test {{\n{body}\n}}", file="test.fitness", vocabulary=Vocabulary.of(a_scene(**state)))


def scored(body: str, **state: Any) -> SpecScore:
    """Return the scores of the three squads."""
    return a_spec(body, **state).evaluate(a_scene(**state))


def totals(body: str, **state: Any) -> list[float]:
    """Return the totals of the three squads."""
    return [float(total) for total in scored(body, **state).total]
