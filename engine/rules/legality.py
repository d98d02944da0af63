"""Is a squad legal? Budget, shape, nobody twice and every rule that counts, for many squads at once; and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.rules.count_rules import CountRule
from engine.rules.money import payable
from engine.rules.pool import Pool


def legal(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether each squad (p, k) of player rows obeys all rules."""
    fits = within_budget(squads, pool) & has_shape(squads, pool) & all_different(squads)
    for rule in pool.counted:
        fits &= rule.kept(squads)
    return np.asarray(fits)


def broken_rules(squad: np.ndarray, pool: Pool, teams: Sequence[str]) -> tuple[str, ...]:
    """Return in words which rules one squad breaks; `teams` are the names by number."""
    said = []
    cost = float(pool.price[squad].sum())
    if not payable(cost, pool.budget):
        said.append(f"it costs {cost:.1f}, {pool.budget:g} is allowed")
    said += [words for rule in pool.rules for words in _beyond(squad, rule, teams)]
    if not has_shape(squad[None, :], pool)[0]:
        said.append("a position has too many or too few players")
    if not all_different(squad[None, :])[0]:
        said.append("a player stands in it twice")
    return tuple(said)


def _beyond(squad: np.ndarray, rule: CountRule, teams: Sequence[str]) -> Iterator[str]:
    """Yield in words where a squad breaks a rule that counts."""
    counts, words = rule.counts(squad[None, :])[0], rule.words
    for number, least, most in rule.limits():
        found = words.said(words.found, int(counts[number]), team_name(teams, number))
        if counts[number] < least:
            yield f"{found}, {f'you want at least {least}' if rule.wish else f'at least {least} are needed'}"
        if counts[number] > most:
            yield f"{found}, {f'you want at most {most}' if rule.wish else f'{most} are allowed'}"


def team_name(teams: Sequence[str], number: int) -> str:
    """Return a team's name; by number where it has none."""
    return str(teams[number]) if number < len(teams) else f"team {number}"


def first_broken(squad: np.ndarray, pool: Pool) -> str:
    """Return the first rule that a squad breaks, as the reason of its repair; what is no rule is a wish."""
    if not within_budget(squad[None, :], pool)[0]:
        return "the budget"
    broken = [rule.words.reason for rule in pool.rules if not rule.kept(squad[None, :])[0]]
    return broken[0] if broken else "your wishes" if has_shape(squad[None, :], pool)[0] else "the shape of a squad"


def within_budget(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether the squad can be paid for."""
    return payable(pool.price[squads].sum(axis=1), pool.budget)


def has_shape(squads: np.ndarray, pool: Pool) -> np.ndarray:
    """Return (p,) whether every position has its number of players."""
    if squads.shape[1] != pool.size:
        return np.zeros(len(squads), dtype=bool)
    place = np.sort(pool.position[squads], axis=1)
    return np.asarray((place == pool.place_of).all(axis=1))


def all_different(squads: np.ndarray) -> np.ndarray:
    """Return (p,) whether no player stands twice in the squad."""
    ordered = np.sort(squads, axis=1)
    return np.asarray((ordered[:, 1:] != ordered[:, :-1]).all(axis=1))
