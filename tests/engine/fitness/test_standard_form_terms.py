"""Any spec that is a sum over players and pairs has a standard form worth exactly that sum; any other says why not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.rules import CaptaincyMode, load_rules
from engine.fitness.judge import Objective, text_objective
from engine.fitness.preferences import Preference, Preferences
from engine.fitness.reference import random_squads
from engine.fitness.squad_scoring import vocabulary_of
from engine.fitness.squad_view import SceneSettings, SquadView
from engine.fitness.standard_form import StandardForm, form_value, role_weights, roles_for, standard_form
from engine.fitness.standard_form_terms import beyond_form
from models.signals import build_signals
from models.together.stacks import squad_stack_lift
from tests.cases.small_world import quick_settings, small_cup

Worth = Callable[[SquadView, int, float], float]
"""What a record brings: the view, the player's row and his role."""

WORTHS: dict[str, Worth] = {
    "eo * ceiling": lambda v, i, _: v.field_exposure.eo[i] * v.signals.ceiling[i],
    "role * ceiling * (1 - eo)": lambda v, i, role: role * v.signals.ceiling[i] * (1 - v.field_exposure.eo[i]),
    "3": lambda _v, _i, _role: 3.0,
    "role * (xev - k) + floor / 2": lambda v, i, role: role * (v.signals.xev[i] - 2) + v.signals.floor[i] / 2,
    "price > 6 ? role * start : -xev": lambda v, i, role: (
        role * v.signals.start[i] if v.signals.price[i] > 6 else -v.signals.xev[i]
    ),
    "sqrt(variance) * world.round - role": lambda v, i, role: np.sqrt(v.signals.variance[i]) * v.signals.round - role,
}
KINDS = ["owned", "starter", "bench", "differential_owned", "template_missed"]
STATES = [
    "raw_xev", "bench_xev", "progression_carry", "field_covariance", "price", "changes", "preferences", "players",
    "feasible", "variance", "relative_variance", "cs_lift",
]  # fmt: skip
WEIGHTS = st.floats(-2, 2).map(lambda weight: round(weight, 3))


@cache
def the_view() -> SquadView:
    """A round of the small cup for a manager who has a squad, one free transfer, and wishes about every role."""
    rules = load_rules("wc2026").with_captaincy(CaptaincyMode.LOCKED)
    signals = build_signals(small_cup().at(2), rules, quick_settings(rules))
    wishes = [
        Preference(title=role, points=0.02, role=role, start_at_least=0.5) for role in ("starter", "bench", "squad")
    ]
    settings = SceneSettings(budget=130.0, free_transfers=1, preferences=Preferences(preference=tuple(wishes)))
    view = SquadView(signals, settings)
    return SquadView(signals, replace(settings, current=tuple(some_squads(view, 9, 1)[0].tolist())))


def some_squads(view: SquadView, seed: int, count: int) -> np.ndarray:
    return random_squads(view.signals.xev, view.pool, np.random.default_rng(seed), count)


def an_aim(body: str) -> Objective:
    return text_objective(f"fitness Mine {{ parameter k = 2 {body} }}", "mine.fitness", the_view(), {})


def a_form(body: str) -> StandardForm:
    form = standard_form(the_view(), an_aim(body))
    assert form is not None
    return form


class PlainRoles:
    """A squad whose roles are fixed, and what a spec may ask of it."""

    def __init__(self, squad: np.ndarray, starts: np.ndarray, captain: int, weight: np.ndarray) -> None:
        self.role = dict(zip(squad.tolist(), weight.tolist(), strict=True))
        self.eleven, self.bench = squad[starts].tolist(), squad[~starts].tolist()
        self.held = {row: self.role[row] + (row == squad[captain]) for row in self.role}

    @cached_property
    def state(self) -> dict[str, float]:
        view = the_view()
        signals, settings, pull, eo = view.signals, view.settings, view.field_pull, view.field_exposure.eo
        shared = sum(times * pull[row] for row, times in self.held.items())
        variance = sum(a * b * signals.covariance[i, j] for i, a in self.held.items() for j, b in self.held.items())
        groups = {"starter": self.eleven, "bench": self.bench, "squad": list(self.role)}
        return {
            "raw_xev": sum(role * signals.xev[row] for row, role in self.role.items()),
            "bench_xev": sum(self.role[row] * signals.xev[row] for row in self.bench),
            "progression_carry": sum(role * view.carry[row].sum() for row, role in self.role.items()),
            "field_covariance": shared,
            "price": sum(signals.price[row] for row in self.role),
            "changes": float(len(self.role.keys() - set(settings.current))),
            "preferences": sum(
                wish.points * wish.fits(signals)[row]
                for wish in settings.preferences.preference
                for row in groups[wish.role]
            ),
            "players": 15.0,
            "feasible": 1.0,
            "variance": variance,
            "relative_variance": variance - 2 * shared + float(eo @ (signals.covariance @ eo)),
            "cs_lift": float(
                squad_stack_lift(np.array([self.eleven]), signals.team, signals.clean_sheet, view.sheet_pay)[0]
            ),
            "transfer_cost": signals.rules.transfers.hit_cost
            * max(len(self.role.keys() - set(settings.current)) - 1, 0),
        }

    def records(self, kind: str, worth: Worth) -> float:
        exposure = the_view().field_exposure
        missed = [int(row) for row in np.flatnonzero(exposure.template) if row not in self.role]
        roles = {
            "owned": self.role,
            "starter": dict.fromkeys(self.eleven, 1.0),
            "bench": {row: self.role[row] for row in self.bench},
            "differential_owned": {row: role for row, role in self.role.items() if exposure.differential[row]},
            "template_missed": dict.fromkeys(missed, 0.0),
        }[kind]
        return sum(float(worth(the_view(), row, role)) for row, role in roles.items())


@given(
    st.dictionaries(st.sampled_from(STATES), WEIGHTS, min_size=1),
    st.lists(st.tuples(st.sampled_from(KINDS), st.sampled_from(list(WORTHS)), WEIGHTS), max_size=4),
    st.integers(0, 1000),
)
def test_the_form_of_any_sum_is_that_sum_with_the_roles_fixed(
    states: dict[str, float], metrics: list[tuple[str, str, float]], seed: int
) -> None:
    lines = [f"maximize {name}: {weight}" for name, weight in states.items()] + ["penalize transfer_cost: 0.5"]
    for number, (kind, worth, weight) in enumerate(metrics):
        lines.append(f"metric m{number} {{ per record {kind}: {worth} aggregate: sum }} reward m{number}: {weight}")
    form = a_form("gate feasible " + " ".join(lines))
    squad = some_squads(the_view(), seed, 1)
    starts, captain = roles_for(a_form("maximize raw_xev: 1"), squad)
    plain = PlainRoles(squad[0], starts[0], int(captain[0]), role_weights(form, squad, starts)[0])
    expected = sum(weight * plain.state[name] for name, weight in states.items()) - 0.5 * plain.state["transfer_cost"]
    expected += sum(weight * plain.records(kind, WORTHS[worth]) for kind, worth, weight in metrics)
    assert form_value(form, squad, starts, captain)[0] == pytest.approx(expected, abs=1e-6)


def test_a_metric_of_state_and_records_is_the_sum_of_its_parts() -> None:
    bench = "metric m { per record bench: xev aggregate: sum }"
    mixed = a_form(f"{bench} metric mix = 2 * squad.raw_xev - squad.price / 4 + m maximize mix: 2")
    parts = a_form(f"{bench} maximize raw_xev: 4 penalize price: 0.5 maximize m: 2")
    squads = some_squads(the_view(), 1, 5)
    roles = roles_for(parts, squads)
    assert form_value(mixed, squads, *roles) == pytest.approx(form_value(parts, squads, *roles))


@pytest.mark.parametrize(
    ("body", "because"),
    [
        ("maximize raw_xev: 1", ()),
        ("gate feasible maximize raw_xev: 1 terminate when engine.stalled >= 40", ()),
        ("gate feasible gate changes maximize raw_xev: 1", ("gate changes",)),
        ("gate half = 0.5 maximize raw_xev: 1", ("gate half",)),
        ("maximize raw_xev: 1 maximize teams: 0.1 as breadth", ("teams",)),
        ("maximize raw_xev: 1 maximize teams: 0", ()),
        ("metric swing = sqrt(squad.variance) penalize swing: 1", ("swing",)),
        ("metric least { per record starter: xev aggregate: min } maximize least: 1", ("least",)),
        ("metric all { per tick: squad.expected aggregate: sum } maximize all: 1", ("all",)),
        ("metric odd { per record owned: 1 / (role - 1) aggregate: sum } maximize odd: 1", ("odd",)),
        ("maximize engine.generation: 1", ("engine.generation",)),
        ("maximize raw_xev: 1 penalize captaincy_uplift: 1", ("captaincy_uplift as a penalty",)),
        ("maximize raw_xev: 1 reward transfer_cost: 1", ("transfer_cost as a reward",)),
    ],
)
def test_what_keeps_a_spec_from_being_climbed_is_named(body: str, because: tuple[str, ...]) -> None:
    objective = an_aim(body)
    assert beyond_form(the_view(), objective) == because
    assert (standard_form(the_view(), objective) is None) == bool(because)


def test_every_state_of_a_squad_is_in_the_form_or_said_not_to_be() -> None:
    words = vocabulary_of(the_view())
    outside = {name for name in words.squad if beyond_form(the_view(), an_aim(f"penalize {name}: 1"))}
    assert outside == {"teams", "captaincy_uplift"}
    assert set(words.records) == set(KINDS)
