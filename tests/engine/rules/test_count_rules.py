"""Rules that count say the same whether squads are judged whole, man by man, or while they are made."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.count_rules import ANY, CountRule, Tally, Wording, admitted, crowded, merged, too_many

SEEDS = st.integers(0, 100_000)
PLAYERS, SIZE = 20, 6
WORDS = Wording("a rule", "{n} of {team}", "{n} of {team}")


def a_rule(seed: int) -> CountRule:
    """Return a rule on three groups at random; some players do not count."""
    rng = np.random.default_rng(seed)
    least = rng.integers(0, 2, 3)
    return CountRule.of(WORDS, rng.integers(-1, 3, PLAYERS), least.tolist(), (least + rng.integers(1, 3, 3)).tolist())


def some_squads(seed: int, count: int = 12) -> np.ndarray:
    rng = np.random.default_rng(seed + 1)
    return np.array([rng.permutation(PLAYERS)[:SIZE] for _ in range(count)])


def plainly_kept(squad: list[int], rule: CountRule) -> bool:
    count = [sum(rule.group[man] == number for man in squad) for number in range(3)]
    return all(low <= found <= high for found, low, high in zip(count, rule.least, rule.most, strict=False))


@given(SEEDS)
def test_a_rule_is_kept_when_a_plain_count_says_so(seed: int) -> None:
    rule, squads = a_rule(seed), some_squads(seed)
    assert rule.kept(squads).tolist() == [plainly_kept(squad, rule) for squad in squads.tolist()]


@given(SEEDS)
def test_whoever_is_admitted_leaves_a_legal_squad_legal_and_nobody_else_would(seed: int) -> None:
    rules, squads = [a_rule(seed), a_rule(seed + 7)], some_squads(seed, 40)
    squads = squads[np.all([rule.kept(squads) for rule in rules], axis=0)]
    if not len(squads):
        return
    everybody = np.arange(PLAYERS)[None, None, :]
    found = admitted(rules, squads, squads, everybody)
    assert found.shape == (len(squads), SIZE, PLAYERS)
    for squad, column, man in np.ndindex(found.shape):
        after = squads[squad].tolist()
        fresh = man not in after
        after[column] = man
        assert found[squad, column, man] == (fresh and all(plainly_kept(after, rule) for rule in rules))


@given(SEEDS)
def test_newcomers_of_each_squad_are_admitted_as_everybody_is(seed: int) -> None:
    rule, squads, rng = a_rule(seed), some_squads(seed), np.random.default_rng(seed)
    drawn = rng.integers(0, PLAYERS, (len(squads), SIZE, 4))
    whole = admitted([rule], squads, squads, np.arange(PLAYERS)[None, None, :])
    assert (admitted([rule], squads, squads, drawn) == np.take_along_axis(whole, drawn, axis=2)).all()


def test_a_crowded_group_is_not_left_crowded_by_one_of_its_own() -> None:
    rule = CountRule.of(WORDS, np.array([0, 0, 0, 0, -1]), [0], [2])
    squad = np.array([[0, 1, 2]])
    assert admitted([rule], squad, squad, np.array([[[3, 4]]]))[0].tolist() == [[False, True]] * 3


@given(SEEDS)
def test_a_tally_takes_men_while_their_groups_have_room(seed: int) -> None:
    rule, men = a_rule(seed), np.random.default_rng(seed).permutation(PLAYERS).tolist()
    tally, taken = Tally([rule], men[:1]), men[:1]
    if not rule.leaves_room(taken):
        return
    for man in men[1:]:
        free = rule.room(taken)[man]
        assert tally.takes(man) == free == rule.leaves_room([*taken, man])
        taken += [man] * bool(free)


@given(SEEDS)
def test_without_those_too_many_no_group_has_too_many(seed: int) -> None:
    rules, squads = [a_rule(seed), a_rule(seed + 3)], some_squads(seed)
    worth = np.random.default_rng(seed).random(squads.shape)
    rows, men = too_many(rules, squads, worth)
    assert set(rows.tolist()) == set(np.flatnonzero(crowded(rules, squads).any(axis=1)).tolist())
    for row, squad in enumerate(squads):
        left = np.setdiff1d(squad, men[rows == row])
        assert all(rule.leaves_room(left.tolist()) for rule in rules)


def test_rules_on_the_same_groups_are_one_and_the_tighter_limit_holds() -> None:
    teams, others = np.array([0, 1, 1]), np.array([0, 0, 1])
    one, two = CountRule.of(WORDS, teams, [0, 1], [3, ANY]), CountRule.of(WORDS, teams, [1, 0], [ANY, 2])
    both, apart = merged([one, CountRule.of(WORDS, others, [0, 0], [1, 1]), two])
    assert (both.least[:2].tolist(), both.most[:2].tolist()) == ([1, 1], [3, 2])
    assert apart.group.tolist() == others.tolist()
    assert list(both.limits()) == [(0, 1, 3), (1, 1, 2)]
