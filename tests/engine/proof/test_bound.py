"""A proof is never wrong: checked against every squad of small pools."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from data.errors import InputError
from engine.fitness.standard_form import StandardForm, form_value, roles_for
from engine.proof.bound import PROVED, Proof, gap_share, prove
from engine.rules.pool import TeamLimit
from tests.cases.objectives.form_cases import all_squads
from tests.cases.pattern_cases import a_wide_form, legal_forms


def values_of(form: StandardForm, squads: np.ndarray) -> np.ndarray:
    return form_value(form, squads, *roles_for(form, squads))


@cache
def limited_forms(count: int) -> list[tuple[StandardForm, np.ndarray]]:
    """Return random forms whose manager limits teams and changes and holds a captain, with their legal squads."""
    found: list[tuple[StandardForm, np.ndarray]] = []
    for seed in range(2000):
        rng, form = np.random.default_rng(seed), a_wide_form(seed, players=17)
        low, leader = int(rng.integers(0, 3)), int(rng.integers(len(form))) if rng.random() < 0.5 else None
        limits = (
            TeamLimit(0, low, low + int(rng.integers(0, 2))),
            TeamLimit(1, 0, int(rng.integers(2))),
            TeamLimit(2, 1),
        )
        changes = int(rng.integers(2, 6)) if rng.random() < 0.5 else None
        pool = replace(form.pool, limits=limits, current=tuple(range(8)), most_changes=changes)
        squads = all_squads(pool)
        squads = squads if leader is None else squads[(squads == leader).any(axis=1)]
        if len(squads) > 1:
            found.append((replace(form, pool=pool, leader=leader), squads))
        if len(found) == count:
            break
    return found


INSTANCES = (
    [(form, all_squads(form.pool)) for form in (*legal_forms(30), *legal_forms(6, hit=True, heavy=4.0))]
    + limited_forms(16)
)  # fmt: skip
"""Free ones, heavy risk with hits, and managers' own limits and captains, each with all its legal squads."""


DAILY = [number % 4 == 0 for number in range(len(INSTANCES))]
"""Whether an instance is tried every day: some of every kind."""


@pytest.mark.parametrize(
    ("form", "squads"),
    [pytest.param(*one, marks=() if daily else pytest.mark.soak) for one, daily in zip(INSTANCES, DAILY, strict=True)],
    ids=range(len(INSTANCES)),
)
def test_the_best_of_all_squads_is_proved_and_no_other(form: StandardForm, squads: np.ndarray) -> None:
    values = values_of(form, squads)
    best, worst = int(values.argmax()), int(values.argmin())
    proof = prove(form, float(values[best]), squads[best], seconds=60.0)
    assert proof.proved, proof.how
    assert proof.gap == 0.0
    assert proof.bound == pytest.approx(values[best], abs=2 * PROVED)
    assert proof.bound >= values[best] - 1e-9
    weak = prove(form, float(values[worst]), squads[worst], seconds=60.0)
    assert weak.bound >= values[best] - 1e-6
    assert weak.proved == (values[best] - values[worst] <= PROVED)
    assert weak.squad is None or values_of(form, weak.squad[None])[0] == pytest.approx(values[best], abs=2 * PROVED)


def test_risk_of_both_signs_and_none_is_among_the_instances() -> None:
    assert {np.sign(form.risk) for form in legal_forms(30)} == {-1.0, 0.0, 1.0}


def test_limits_of_every_kind_are_among_the_instances() -> None:
    forms = [form for form, _ in limited_forms(16)]
    assert {form.leader is None for form in forms} == {True, False}
    assert {form.pool.most_changes is None for form in forms} == {True, False}
    assert {int(form.pool.caps[1]) for form in forms} == {0, 1}
    assert {int(form.pool.floors[0]) for form in forms} == {0, 1, 2}


@given(st.integers(0, len(INSTANCES) - 1), st.integers(0, 10_000))
@settings(max_examples=15, deadline=None)
def test_without_time_the_bound_still_holds(instance: int, draw: int) -> None:
    form, squads = INSTANCES[instance]
    values = values_of(form, squads)
    row = draw % len(squads)
    proof = prove(form, float(values[row]), squads[row], seconds=0.0)
    assert proof.bound >= values.max() - 1e-9
    assert not proof.proved or values[row] >= values.max() - PROVED


@pytest.mark.parametrize("form", legal_forms(5), ids=range(5))
def test_locks_and_bans_are_part_of_the_proof(form: StandardForm) -> None:
    squads = all_squads(form.pool)
    lock, ban = int(squads[0, 2]), int(np.setdiff1d(np.arange(len(form)), squads[0])[0])
    fitting = squads[(squads == lock).any(axis=1) & ~(squads == ban).any(axis=1)]
    values = values_of(form, fitting)
    allowed = np.arange(len(form)) != ban
    best = fitting[values.argmax()]
    proof = prove(form, float(values.max()), best, seconds=60.0, allowed=allowed, kept=np.array([lock]))
    assert proof.proved
    assert proof.bound == pytest.approx(values.max(), abs=2 * PROVED)


def test_an_incumbent_must_be_a_legal_squad_worth_its_value() -> None:
    form = legal_forms(1)[0]
    squad = all_squads(form.pool)[0]
    worth = float(values_of(form, squad[None])[0])
    stranger = int(np.setdiff1d(np.arange(len(form)), squad)[0])
    for sentence, incumbent, allowed in (
        ("no legal squad", (form, worth, squad[:-1]), None),
        ("best roles bring", (form, worth + 1.0, squad), None),
        ("best roles bring", (form, float("nan"), squad), None),
        ("banned player", (form, worth, squad), np.arange(len(form)) != squad[0]),
        ("hit costs 0 or more", (replace(form, hit=-1.0), worth, squad), None),
        (f"lacks its captain, player {stranger}", (replace(form, leader=stranger), worth, squad), None),
    ):
        with pytest.raises(InputError, match=sentence):
            prove(*incumbent, allowed=allowed)


def test_the_same_form_gives_the_same_bound() -> None:
    form = legal_forms(3)[2]
    squad = all_squads(form.pool)[0]
    worth = float(values_of(form, squad[None])[0])
    one = prove(form, worth, squad, seconds=60.0)
    np.random.seed(99)
    other = prove(form, worth, squad, seconds=60.0)
    assert (one.bound, one.how) == (other.bound, other.how)


def test_a_gap_is_a_share_of_expected_points() -> None:
    assert gap_share(Proof(71.0, False, 1.4, 0.1, "open"), 70.0) == pytest.approx(0.02)
    with pytest.raises(InputError, match="share of"):
        gap_share(Proof(71.0, False, 1.4, 0.1, "open"), 0.0)
