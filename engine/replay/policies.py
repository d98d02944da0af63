"""Ways to pick a squad at a deadline: our search under an objective, and the simple managers it is held against.

A policy sees a matchday and an offer, never what happened. The simple managers line up by what they believe in and
hold the armband on their best man; ours picks eleven, bench and ladder by the signals. Nobody but ours takes hits:
price and ownership do not say what a change is worth in points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from data.errors import InputError, did_you_mean
from engine.fitness.judge import Judge, named_objective
from engine.fitness.reference import random_squads
from engine.fitness.squad_view import SquadView
from engine.language.spec import shipped_names
from engine.rank.chances import entries_of
from engine.rank.field import JITTER, USUAL_POINTS
from engine.rank.field_draw import Tastes
from engine.rank.field_lineups import worthiest_elevens
from engine.rank.recommendation import MOST_POINTS, measured_objective
from engine.replay.ledger import Offer
from engine.replay.rounds import Matchday
from engine.rules.conflicts import NO_DEMANDS
from engine.rules.repair import repair
from engine.search.climbing.first_squad import nearest_form
from engine.search.climbing.start import search_form
from engine.search.finishing.polish import search_fitness
from models.armband.captaincy import best_armbands
from models.armband.ladder import Ladder
from models.armband.table import ArmbandTable
from models.players.overrides import chance_after, tilted
from models.players.points import GRID
from models.signals import Signals

CARRIER = "neutral"
"""Objective whose standard form carries a simple manager's values to the local search; its terms are taken out."""


@dataclass(frozen=True, slots=True, eq=False)
class PickedSquad:
    """A squad as it goes into a round."""

    squad: np.ndarray  # (15,) player rows by position
    starters: np.ndarray  # (11,)
    bench: np.ndarray  # (4,) outfield men as they are called, then the goalkeepers
    captain: int
    vice: int
    held: tuple[int, int]  # captain and vice where the armband may not move
    ladder: Ladder | None = None


@dataclass(frozen=True, slots=True)
class View:
    """How one run of a policy looks at players: the neighbourhood of the same policy is many of these."""

    tastes: Tastes
    run: int
    strength: float = JITTER  # points of spread for a man worth four; 0 = as the models say

    def jittered(self, points: np.ndarray, player_id: np.ndarray) -> np.ndarray:
        """Return (n,) expected points as this run sees them: a man it rates higher it rates higher in every round."""
        if self.strength == 0.0:
            return points
        noise = self.tastes.for_judging(player_id, self.run + 1)[self.run]
        return np.asarray(points + self.strength * np.sqrt(np.maximum(points, 0.0) / USUAL_POINTS) * noise)


Policy = Callable[[Matchday, Offer, View, np.random.Generator], PickedSquad]


def policy_of(name: str) -> Policy:
    """Return a simple manager by his name, or ours under an objective, a shipped spec or a spec file."""
    if name in SIMPLE:
        return SIMPLE[name]
    known = (MOST_POINTS, *shipped_names())
    if name not in known and not name.endswith(".fitness"):
        raise InputError(f"There is no policy {name!r}. {did_you_mean(name, (*SIMPLE, *known))}")
    return partial(search, name)


def search(theta: str, matchday: Matchday, offer: Offer, view: View, rng: np.random.Generator) -> PickedSquad:
    """Return the squad of the highest fitness found, with the ladder its eleven asks for."""
    del matchday  # all it believes is in the offer's signals
    signals = jittered_signals(offer.signals, view)
    seen = SquadView(signals, offer.settings)
    judge = Judge(seen, rng)
    allowed = seen.available(NO_DEMANDS).allowed(len(signals))
    objective = measured_objective(theta, seen, later=offer.kept)  # they count for a squad that is carried into them
    found = search_fitness(judge, objective, rng, allowed=allowed, begin=_begin(seen))
    lineups = seen.lineups(found.squads[:1])
    ladders = entries_of(signals, lineups).ladders
    armbands = best_armbands(signals.armband, lineups.starters, "locked")
    return PickedSquad(
        found.squads[0],
        lineups.starters[0],
        lineups.bench[0],
        int(lineups.captain[0]),
        int(lineups.vice[0]),
        (int(armbands.captain[0]), int(armbands.vice[0])),
        ladders[0] if ladders else None,
    )


def jittered_signals(signals: Signals, view: View) -> Signals:
    """Return the signals as one run sees them: every distribution moved to its own mean."""
    if view.strength == 0.0:
        return signals
    points, _ = tilted(signals.points, view.jittered(signals.xev, signals.player_id))
    playing = chance_after(signals.points, points, signals.p_play)
    ratio = np.divide(points.mean, signals.xev, out=np.ones(len(signals)), where=signals.xev > 0)
    return replace(
        signals,
        p_play=playing,
        points=points,
        xev=points.mean,
        typical_xev=signals.typical_xev * np.maximum(ratio, 0.0),
        armband=ArmbandTable(pmf=points.mass, grid=GRID, p_play=playing, slot=signals.slot),
    )


def by_forecast(name: str, matchday: Matchday, offer: Offer, view: View, rng: np.random.Generator) -> PickedSquad:
    """Pick by what one column alone says, price or ownership."""
    believed = view.jittered(matchday.forecasts[name], matchday.signals.player_id)
    value = np.where(matchday.pickable, np.maximum(believed, 0.0), 0.0)
    return _by_value(value, value, offer, rng)


def by_template(matchday: Matchday, offer: Offer, view: View, rng: np.random.Generator) -> PickedSquad:
    """Copy the most owned squad and the field's captain; the copy has no views of its own."""
    del view
    exposure = matchday.signals.exposure
    owned = np.where(matchday.pickable, exposure.owned, 0.0)
    return _by_value(owned, np.where(matchday.pickable, exposure.captained, 0.0), offer, rng)


def by_chance(matchday: Matchday, offer: Offer, view: View, rng: np.random.Generator) -> PickedSquad:
    """Draw a legal squad where one may be built anew; else keep the men one has."""
    del matchday, view
    signals, seen = offer.signals, SquadView(offer.signals, offer.settings)
    value = rng.random(len(signals))
    if offer.free is None:
        squad = random_squads(np.zeros(len(signals)), seen.pool, rng, 1)[0]
    else:
        squad = _filled(np.array(offer.settings.current), seen)
    return lined_up(squad, value, value, signals)


SIMPLE: Mapping[str, Policy] = {
    "random": by_chance,
    "price": partial(by_forecast, "price"),
    "crowd": partial(by_forecast, "crowd"),
    "template": by_template,
}
"""The managers ours is held against, by name."""
STEADY = ("template",)
"""Policies without views of their own: every run of theirs would be the same."""


def lined_up(squad: np.ndarray, value: np.ndarray, leading: np.ndarray, signals: Signals) -> PickedSquad:
    """Return a squad lined up by values (n,): the worthiest eleven, bench in order, armband held on the best leader."""
    (starters,), (bench,) = worthiest_elevens(signals, squad[None, :], value[squad][None, :])
    captain, vice = (int(row) for row in starters[np.argsort(-leading[starters], kind="stable")[:2]])
    return PickedSquad(squad, starters, bench, captain, vice, (captain, vice))


def _by_value(value: np.ndarray, leading: np.ndarray, offer: Offer, rng: np.random.Generator) -> PickedSquad:
    """Return the squad of the most value that the free transfers allow."""
    signals, settings = offer.signals, offer.settings
    if offer.free is not None:
        settings = replace(settings, most_changes=max(offer.free, offer.gone))
    seen = SquadView(signals, settings)
    form = nearest_form(seen, named_objective(CARRIER, seen))
    none = np.zeros(len(signals))
    bare = replace(form, risk=0.0, stack=0.0, constant=0.0, squad=none, starting=none, hit=0.0)
    squad = search_form(replace(bare, linear=value, captain=leading), rng, begin=_begin(seen)).squads[0]
    return lined_up(squad, value, leading, signals)


def _begin(view: SquadView) -> np.ndarray | None:
    """Return (1, 15) the squad one has, brought within all rules; None for a new one."""
    if not view.settings.current:
        return None
    rows = np.array(view.settings.current, dtype=np.int64)
    return repair(_filled(rows, view), view.wished, view.signals.xev).squad[None, :]


def _filled(rows: np.ndarray, view: SquadView) -> np.ndarray:
    """Return a squad with the cheapest men in the places of those who left the game."""
    pool, found = view.pool, rows.tolist()
    cheapest = np.argsort(pool.price, kind="stable")
    for place, count in enumerate(pool.shape):
        missing = count - int((pool.position[rows] == place).sum())
        men = [int(row) for row in cheapest if pool.position[row] == place and row not in found]
        found += men[:missing]
    return pool.by_position(np.array(found, dtype=np.int64))
