"""What each booster or chip would add to this round for one squad, and how that was reckoned."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.rules import STARTERS, Booster, BoosterEffect
from engine.fitness.judge import Judge, Objective, named_objective
from engine.fitness.rule_terms import sheet_pay
from engine.fitness.squad_scoring import ScoredSquads
from engine.fitness.squad_view import SquadView
from engine.lineup.lineups import Lineups
from engine.rules.conflicts import Demands
from engine.search.quick import quick_best
from models.armband.captaincy import maximum_captain
from models.players.chances import FULL
from models.signals import Signals


@dataclass(frozen=True, slots=True)
class BoosterValue:
    """A booster and what it is worth to a squad this round."""

    key: str  # in the rulebook
    title: str
    effect: BoosterEffect
    legal: bool  # the rules allow it in this round; whether it was played already they cannot know
    points: float | None  # it adds to this round; None where barred, or where nothing can be said
    how: str  # one sentence: how it was reckoned, or why it cannot be played
    confirmed: bool  # by the official rules


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """What a booster is valued for: one squad as it is used."""

    booster: Booster
    judge: Judge
    objective: Objective
    squad: np.ndarray  # (15,) player rows
    lineups: Lineups  # of this one squad
    rng: np.random.Generator
    demands: Demands

    @property
    def signals(self) -> Signals:
        """All beliefs about the round."""
        return self.judge.view.signals

    @property
    def starters(self) -> np.ndarray:
        """(11,) player rows."""
        return np.asarray(self.lineups.starters[0])

    @property
    def captain(self) -> int:
        """Player row of the man who leads first."""
        return int(self.lineups.captain[0])

    @property
    def uplift(self) -> float:
        """Points the armband adds as the rules have it."""
        return float(self.lineups.captaincy_uplift[0])

    @property
    def copies(self) -> int:
        """Copies of a score that the armband adds."""
        return self.signals.rules.captaincy.multiplier - 1


Verdict = tuple[float | None, str]


def booster_values(
    judge: Judge,
    objective: Objective,
    squad: Sequence[int] | np.ndarray,
    rng: np.random.Generator,
    demands: Demands | None = None,
) -> tuple[BoosterValue, ...]:
    """Return every booster of the rulebook: those allowed this round by what they add, then the others."""
    rows, asked = np.asarray(squad, dtype=np.int64), demands or Demands()
    lineups = judge.sent_out(rows[None, :], objective).lineups
    known: dict[BoosterEffect, Verdict] = {}
    values = [
        _value(key, Case(booster, judge, objective, rows, lineups, rng, asked), known)
        for key, booster in judge.view.signals.rules.boosters.items()
    ]
    return tuple(sorted(values, key=_rank))


def _rank(value: BoosterValue) -> tuple[bool, bool, float]:
    return not value.legal, value.points is None, -(value.points or 0.0)


def _value(key: str, case: Case, known: dict[BoosterEffect, Verdict]) -> BoosterValue:
    """Return a booster's value; a second one of the same effect is not reckoned again."""
    booster = case.booster
    legal = booster.legal_in(case.signals.round)
    if legal and booster.effect not in known:
        known[booster.effect] = EFFECTS[booster.effect](case)
    points, how = known[booster.effect] if legal else (None, _barred(case))
    return BoosterValue(key, booster.title, booster.effect, legal, points, how, booster.confirmed)


def _barred(case: Case) -> str:
    rules, (first, last) = case.signals.rules, case.booster.rounds
    if case.signals.round in case.booster.barred_rounds:
        return f"The rules do not allow it in {rules.round_title(case.signals.round)}."
    return f"It may be played from {rules.round_title(first)} to {rules.round_title(last)} only."


def _bench_boost(case: Case) -> Verdict:
    """All men score: what the bench brings beyond its chances to come in."""
    points = float(((1 - case.lineups.weight[0]) * case.signals.xev[case.squad]).sum())
    return points, "All fifteen score: the bench's xEV, less what auto-subs would have brought anyway."


def _triple_captain(case: Case) -> Verdict:
    name = case.signals.short[case.captain]
    return case.uplift / case.copies, f"The armband of {name} counts once more, with his vice's cover."


def _maximum_captain(case: Case) -> Verdict:
    """The best scorer is doubled instead of the captain."""
    best = float(maximum_captain(case.signals.armband, case.starters[None, :])[0])
    return case.copies * best - case.uplift, (
        f"The best of eleven scores, {best:.1f} expected with scores taken as independent, instead of the armband's "
        f"{case.uplift:.1f}."
    )


def _twelfth_man(case: Case) -> Verdict:
    """One more man outside budget and caps; he neither leads nor comes in for anybody."""
    outside = np.setdiff1d(np.arange(len(case.signals)), case.squad)
    best = int(outside[case.signals.xev[outside].argmax()])
    return float(case.signals.xev[best]), (
        f"The highest xEV outside the squad, whatever he costs: {case.signals.name[best]} ({case.signals.codes[best]})."
    )


def _qualification(case: Case) -> Verdict:
    """A fixed sum for each starter who plays and whose team goes on; the armband does not double it."""
    expected = float(chance_to_qualify(case.signals)[case.starters].sum())
    goal = "wins the final" if case.signals.round == case.signals.rules.rounds else "goes on"
    return case.booster.points * expected, (
        f"{case.booster.points} for each starter who plays and {goal}: {expected:.1f} of {STARTERS} are expected to."
    )


def chance_to_qualify(signals: Signals) -> np.ndarray:
    """Return (n,) P(he plays in the round and his team goes on from it)."""
    progression = signals.teams.progression
    column = progression.column(signals.round)
    plays, onward = progression.plays[:, column], progression.advances[:, column]
    given_match = np.divide(onward, plays, out=np.zeros_like(onward), where=plays > 0)
    return np.asarray(signals.p_play * given_match[signals.team])


def _clean_sheet_shield(case: Case) -> Verdict:
    """A clean sheet survives one goal: its pay times P(his team concedes exactly one), by role and armband."""
    extra = shielded_points(case.signals)
    leads = case.squad == case.captain
    points = float(((case.lineups.weight[0] + case.copies * leads) * extra[case.squad]).sum())
    return points, "What a clean sheet pays times P(60 minutes and exactly one goal conceded), the captain's twice."


def shielded_points(signals: Signals) -> np.ndarray:
    """Return (n,) what a shield adds to each player: the pay of the clean sheets that one goal would cost him."""
    chances = signals.chances
    one_by_away = chances.grid.probability[:, :, 1].sum(axis=1)[chances.match]
    one_by_home = chances.grid.probability[:, 1, :].sum(axis=1)[chances.match]
    conceded_one = np.where(chances.away, one_by_home, one_by_away)
    extra = chances.state[:, FULL] * conceded_one * sheet_pay(signals.rules)[chances.position]
    return np.bincount(chances.player, extra, minlength=len(signals))


def _wildcard(case: Case) -> Verdict:
    """Free transfers for a squad that is kept: the objective decides, later rounds and all."""
    gained = _rebuilt(case, case.objective)
    if gained is None:
        return None, _nothing_to_rebuild(case)
    fitness, points = gained
    return fitness, (
        f"The best squad with unlimited transfers against the best with {_free(case)}, by your objective; "
        f"the expected points of this round change by {points:+.1f}, hits included."
    )


def _free_hit(case: Case) -> Verdict:
    """Free transfers for one round: nothing but its points count."""
    gained = _rebuilt(case, named_objective("neutral", case.judge.view, k=0.0, w=0.0, c=0.0))
    if gained is None:
        return None, _nothing_to_rebuild(case)
    return gained[1], (
        f"Expected points of this round alone: the best squad with unlimited transfers against the best with "
        f"{_free(case)}, hits included."
    )


def _rebuilt(case: Case, objective: Objective) -> tuple[float, float] | None:
    """Return the fitness and the expected points, hits included, that unlimited transfers bring over the free ones.

    None where there is nothing to save: no squad to start from, or no limit.
    """
    view = case.judge.view
    if not view.settings.current or not np.isfinite(view.free_transfers):
        return None
    unlimited = replace(view.settings, free_transfers=case.squad.size, most_changes=None)
    anew = replace(case.judge, view=SquadView(view.signals, unlimited, view.exposure))
    free_rng, limited_rng = case.rng.spawn(2)
    free = quick_best(anew, objective, free_rng, case.demands)
    limited = quick_best(case.judge, objective, limited_rng, case.demands, free[None, :])
    before = case.judge.sent_out(limited[None, :], objective)
    # Free of hits the limited squad may be the better one yet.
    both = anew.sent_out(np.stack([limited, free]), objective)
    best = int(both.fitness.argmax())
    return float(both.fitness[best] - before.fitness[0]), float(_net(both)[best] - _net(before)[0])


def _net(scored: ScoredSquads) -> np.ndarray:
    """Return (p,) the expected points of the round, less what transfers cost."""
    return np.asarray(scored.lineups.expected - scored.figures["transfer_cost"])


def _nothing_to_rebuild(case: Case) -> str:
    if not case.judge.view.settings.current:
        return "It saves transfers, and no squad was given to make them from. Say which one you have."
    return "Transfers are free before this round anyway: keep it."


def _free(case: Case) -> str:
    count = int(case.judge.view.free_transfers)
    return f"{count} free transfer{'s' * (count != 1)}"


EFFECTS: Mapping[BoosterEffect, Callable[[Case], Verdict]] = {
    BoosterEffect.WILDCARD: _wildcard,
    BoosterEffect.FREE_HIT: _free_hit,
    BoosterEffect.TWELFTH_MAN: _twelfth_man,
    BoosterEffect.MAXIMUM_CAPTAIN: _maximum_captain,
    BoosterEffect.TRIPLE_CAPTAIN: _triple_captain,
    BoosterEffect.BENCH_BOOST: _bench_boost,
    BoosterEffect.QUALIFICATION: _qualification,
    BoosterEffect.CLEAN_SHEET_SHIELD: _clean_sheet_shield,
}
"""How each effect is valued."""
