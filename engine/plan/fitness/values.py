"""Role values of a plan: what starting, leading, sitting and being kept are worth in every round under an objective.

Linear in roles, so that a programme over rounds can be solved and bounded: from the standard form of each round, with a
man's own variance and his pull on the field in it. How men of a match vary together, a moving armband and the chances
of a bench are left to the exact fitness, by which plans are scored again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from data.rules import BoosterEffect
from engine.board.boosters import chance_to_qualify, shielded_points
from engine.fitness.judge import Objective
from engine.fitness.standard_form import StandardForm, standard_form
from engine.fitness.standard_form_terms import form_terms
from engine.plan.fitness.plan_fitness import carried_objective
from engine.plan.fitness.rounds import PlanRounds, RoundView
from engine.plan.linear.problem import ChipOffer, Locks, PlanProblem, RoleValues, chip_offers
from models.armband.captaincy import maximum_captain

LEAST_NEEDED = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class _Column:
    """One round's role values, (n,) each, undiscounted."""

    start: np.ndarray
    captain: np.ndarray
    tripled: np.ndarray  # what a third copy adds to the captain
    bench: np.ndarray
    hold: np.ndarray
    weights: tuple[float, ...]  # P(comes in) of the bench in order
    keeper: float
    hit: float


def plan_problem(rounds: PlanRounds, objective: Objective) -> PlanProblem:
    """Return the linear problem of a plan under an objective, with nothing asked besides."""
    columns = [_column(rounds, objective, at) for at in range(len(rounds))]
    values = _role_values(rounds, columns)
    frame = replace(rounds.frame, hit_cost=max(columns[0].hit, 0.0))
    locks = replace(Locks.none(len(frame), len(rounds), frame.size), never=_useless(rounds))
    return PlanProblem(frame, values, _offers(rounds, columns), locks=locks, solved=rounds.solved)


def _role_values(rounds: PlanRounds, columns: list[_Column]) -> RoleValues:
    stacked = {
        name: np.stack([getattr(one, name) for one in columns], axis=1) * rounds.discounts
        for name in ("start", "captain", "bench", "hold")
    }
    weights = np.mean([one.weights for one in columns], axis=0)
    # A bench is needed more often in some rounds than in others; the weights of its places are the same in all.
    needed = np.array([sum(one.weights) for one in columns]) / max(float(weights.sum()), LEAST_NEEDED)
    stacked["bench"] = stacked["bench"] * needed
    return RoleValues(
        **stacked,
        final=np.zeros(len(rounds.frame)),  # the carry beyond the horizon stands in the roles of the last round
        spare=rounds.settings.spare,
        bench_weights=tuple(float(weight) for weight in weights),
        keeper_weight=float(np.mean([one.keeper for one in columns])),
    )


def _column(rounds: PlanRounds, objective: Objective, at: int) -> _Column:
    last = at == len(rounds) - 1 and rounds.settings.carry
    view = rounds.last_view if last else rounds.views[at]
    asked = carried_objective(rounds, objective) if last else objective
    form = standard_form(view, asked)
    if form is None:
        return _points_only(view)
    own, sigma = view.signals.variance, np.sqrt(view.signals.variance)
    spreads = [np.sqrt(other.signals.variance) for other in rounds.views]
    share = rounds.settings.held
    # Held over all rounds a man's swing grows with every other one; his pull on the field does so exactly.
    swing = own + share * sigma * (np.sum(spreads, axis=0) - sigma)
    fields = [other.field_exposure.eo * spread for other, spread in zip(rounds.views, spreads, strict=True)]
    terms = form_terms(view, asked)
    pull = share * sigma * (np.sum(fields, axis=0) - fields[at]) * (terms.pull if terms else 0.0)
    copies = form.multiplier
    return _Column(
        start=form.linear + form.starting + pull - form.risk * swing,
        captain=form.captain + (copies - 1) * pull - form.risk * (copies**2 - 1) * swing,
        tripled=form.captain / max(copies - 1, 1) + pull - form.risk * (2 * copies + 1) * swing,
        bench=form.linear + pull,
        hold=form.squad,
        weights=_falling(form, rounds),
        keeper=form.bench_keeper,
        hit=form.hit,
    )


def _points_only(view: RoundView) -> _Column:
    """Return the values of a spec that only whole squads can be scored by: points, and the fitness decides after."""
    xev, rules = view.signals.xev, view.signals.rules
    copies = rules.captaincy.multiplier - 1
    bench = rules.squad.size - rules.squad.places[0] - 10
    plain = RoleValues.of_points(xev[:, None])
    weights = tuple([*plain.bench_weights, *[0.0] * bench][:bench])
    hit = float(rules.transfers.hit_cost)
    return _Column(xev, copies * xev, xev, xev, np.zeros_like(xev), weights, plain.keeper_weight, hit)


def _falling(form: StandardForm, rounds: PlanRounds) -> tuple[float, ...]:
    """Return the weights of the outfield bench as they fall; as many as the squad has places."""
    places = rounds.frame.size - rounds.frame.shape[0] - 10
    return tuple([*form.bench_outfield, *[0.0] * places][:places])


def _useless(rounds: PlanRounds) -> np.ndarray:
    """(n, r) who is never bought: who can play in no round, and before the coming one who cannot play in it."""
    idle = np.all([signals.p_play <= 0 for signals in rounds.signals], axis=0)
    never = np.repeat(np.asarray(idle)[:, None], len(rounds), axis=1)
    never[:, 0] |= rounds.signals[0].unavailable
    return np.asarray(never & ~rounds.frame.owned[:, None])


def _offers(rounds: PlanRounds, columns: list[_Column]) -> tuple[ChipOffer, ...]:
    offers = chip_offers(rounds.state, rounds.signals[0].rules, rounds.rounds)
    return tuple(_offer(rounds, columns, offer) for offer in offers)


def _offer(rounds: PlanRounds, columns: list[_Column], offer: ChipOffer) -> ChipOffer:
    """Return a booster with what keeping it is worth, and the columns of what it adds."""
    keeping = rounds.settings.keeping.get(offer.key, (0.0,) * len(rounds))
    offer, views = replace(offer, keeping=np.array(keeping, dtype=float)), rounds.views
    copies = views[0].signals.rules.captaincy.multiplier - 1

    def discounted(values: list[np.ndarray]) -> np.ndarray:
        return np.asarray(np.stack(values, axis=1) * rounds.discounts)

    match offer.effect:
        case BoosterEffect.TRIPLE_CAPTAIN:
            return replace(offer, captain=discounted([one.tripled for one in columns]))
        case BoosterEffect.TWELFTH_MAN:
            return replace(offer, outside=discounted([view.signals.xev for view in views]))
        case BoosterEffect.MAXIMUM_CAPTAIN:
            return replace(offer, captain=discounted([_maximum_gain(view) for view in views]))
        case BoosterEffect.QUALIFICATION:
            pay = views[0].signals.rules.boosters[offer.key].points
            return replace(offer, start=discounted([pay * chance_to_qualify(view.signals) for view in views]))
        case BoosterEffect.CLEAN_SHEET_SHIELD:
            extra = discounted([shielded_points(view.signals) for view in views])
            return replace(offer, start=extra, captain=copies * extra)
    return offer


def _maximum_gain(view: RoundView) -> np.ndarray:
    """(n,) what the best of eleven scores adds to the armband of a typical squad, whoever leads it."""
    lineups = view.lineups(view.typical[None, :])
    copies = view.signals.rules.captaincy.multiplier - 1
    best = copies * maximum_captain(view.signals.armband, lineups.starters)[0]
    return np.full(len(view.signals), float(best - lineups.captaincy_uplift[0]))
