"""Small standard forms at random, and their best squad by trying all: the judge of the search."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from engine.fitness.standard_form import StandardForm, form_value, roles_for
from engine.rules.legality import legal
from engine.rules.pool import Pool
from tests.cases.chances_cases import covariance_of

SHAPE = (2, 2, 2, 1)
LINEUPS = ((1, 1, 2, 1), (1, 2, 1, 1))


def a_form(seed: int, *, players: int = 16, teams: int = 5, hit: bool = False) -> StandardForm:
    """Return a random form of squads of seven, five of whom start; risk and stack have either sign."""
    rng = np.random.default_rng(seed)
    position = np.concatenate([np.repeat([0, 1, 2, 3], [2, 2, 2, 1]), rng.integers(0, 4, players - 7)])
    team = rng.integers(0, teams, players)
    price = rng.integers(30, 120, players) / 10
    noise = rng.normal(size=(players, players)) * (team[:, None] // 2 == team // 2)
    slots = np.sort(rng.uniform(0, 0.4, 1))[::-1]
    return StandardForm(
        pool=Pool(price, team, position, float(np.round(price.mean() * 7, 1)), 3, SHAPE),
        lineups=LINEUPS,
        linear=rng.uniform(0, 6, players),
        captain=rng.uniform(0, 6, players),
        bench_keeper=float(rng.uniform(0, 0.3)),
        bench_outfield=tuple(slots.tolist()),
        risk=float(rng.choice([-0.05, 0.0, 0.05])),
        covariance=covariance_of(noise @ noise.T * (team[:, None] // 2 == team // 2)),
        stack=float(rng.choice([-0.1, 0.0, 0.25])),
        swing=np.where(position <= 1, rng.uniform(0, 1.25, teams)[team], 0.0),
        multiplier=2,
        constant=float(rng.normal()),
        squad=np.where(rng.random(players) < 0.2, rng.uniform(0, 3, players), 0.0),
        current=np.arange(7) if hit else np.empty(0, dtype=np.int64),
        free=1.0 if hit else np.inf,
        hit=0.5 if hit else 0.0,
        starting=np.where(rng.random(players) < 0.3, rng.normal(size=players), 0.0),
    )


def all_squads(pool: Pool) -> np.ndarray:
    """Return every legal squad of a small pool, by position."""
    places = [combinations(np.flatnonzero(pool.position == place).tolist(), n) for place, n in enumerate(pool.shape)]
    squads = np.array([sum(parts, ()) for parts in product(*places)], dtype=np.int64).reshape(-1, pool.size)
    return np.asarray(squads[legal(squads, pool)])


def some_squads(pool: Pool, rng: np.random.Generator, count: int) -> np.ndarray:
    """Return a few legal squads of any pool, by position."""
    found: list[np.ndarray] = []
    while len(found) < count:
        places = [rng.permutation(np.flatnonzero(pool.position == place))[:n] for place, n in enumerate(pool.shape)]
        squad = np.concatenate(places)
        if legal(squad[None, :], pool)[0]:
            found.append(squad)
    return np.array(found)


def top_squad(pool: Pool, worth: np.ndarray) -> np.ndarray:
    """Return the men of the highest worth in each position, legal or not."""
    ranked = np.argsort(-worth, kind="stable")
    return np.concatenate([ranked[pool.position[ranked] == place][:count] for place, count in enumerate(pool.shape)])


def a_start(seed: int, count: int = 1, *, players: int = 30, hit: bool = False) -> tuple[StandardForm, np.ndarray]:
    """Return a random form and a few legal squads of it."""
    form = a_form(seed, players=players, hit=hit)
    return form, some_squads(form.pool, np.random.default_rng(seed), count)


def best_value(form: StandardForm, squads: np.ndarray) -> float:
    """Return the highest value of any of the squads."""
    return float(form_value(form, squads, *roles_for(form, squads)).max())


def a_tied_pool(rng: np.random.Generator) -> Pool:
    """Draw sixty players of nine teams for squads of five; few prices, so that many tie."""
    team = rng.integers(0, 9, 60)
    return Pool(
        price=rng.integers(9, 11, 60) / 2,
        team=team,
        position=np.repeat(np.arange(4), 15),
        budget=float(rng.integers(23, 26)),
        team_cap=int(rng.integers(1, 3)),
        shape=(1, 2, 1, 1),
    )
