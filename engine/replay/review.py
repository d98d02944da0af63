"""After a round: what the board said against what happened, term by term, and what keeps leading over rounds.

Each term has a counterpart in facts. Points of the eleven and of the armband are counted officially. A term that looks
at ceilings or at later rounds is reckoned again by its own spec with the points earned in their place. Variance and
the shared clean sheets are expectations of squares, so their counterparts are the squares that came.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from data.errors import InputError
from data.worlds.world import World
from engine.fitness.explanation import LED, PLAIN, SWAMPED
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads, score_squads
from engine.fitness.squad_view import SquadView
from engine.fitness.standard_form_terms import form_terms
from engine.rank.chances import entries_of
from engine.rank.scores import all_scores
from engine.replay.rounds import check_rounds, official_points, official_round
from models.calibration.walk import known_rounds
from models.signals import Signals
from models.together.deal import Deal
from models.together.stacks import squad_stack_lift

KEEPS_LEADING = 2
"""Rounds in a row led by one term from which the watch speaks."""
SURPRISE = 2.0
"""Standard deviations beyond which a total is called a surprise."""


@dataclass(frozen=True, slots=True)
class TermReview:
    """One term of the fitness, before and after the round."""

    name: str
    said: float
    happened: float


@dataclass(frozen=True, slots=True)
class ManReview:
    """One man of the squad, before and after the round."""

    name: str
    team: str
    role: str  # "captain", "vice", "starter", "bench 1" …
    said: float  # expected points
    happened: int  # official points
    played: bool


@dataclass(frozen=True, slots=True)
class RoundReview:
    """A round looked back on."""

    round: int
    title: str
    objective: str
    terms: tuple[TermReview, ...]
    men: tuple[ManReview, ...]
    expected: float  # points said: eleven, bench and armband
    points: int  # official points
    deviation: float  # of the points from what was said, in standard deviations
    carried: tuple[int, ...]  # later rounds whose points stand in the carry
    shares: Mapping[str, float]  # of what set the squad apart from the reference pool, by term
    watch: str

    @property
    def leader(self) -> str:
        """The term that set the squad apart most; empty where nothing did."""
        return max(self.shares, key=lambda name: self.shares[name], default="")

    @property
    def verdict(self) -> str:
        """The round in one sentence."""
        size = "a surprise" if abs(self.deviation) > SURPRISE else "within the usual swing"
        return (
            f"{self.title}: {self.points} points where {self.expected:.1f} were said, {self.deviation:+.1f} standard "
            f"deviations: {size}."
        )


def review_round(world: World, judge: Judge, objective: Objective, squad: np.ndarray) -> RoundReview:
    """Return the review of a squad (15,) of player rows after its round."""
    view = judge.view
    signals = view.signals
    check_rounds(world, (signals.round,))
    scored = judge.sent_out(np.asarray(squad)[None, :], objective)
    if scored.disqualified[0]:
        raise InputError("The squad breaks a rule of this round, so no board ever showed it. Score it to see which.")
    official = official_round(world, signals)
    raw, armband = _official(signals, scored, official)
    expected = float(scored.lineups.expected[0])
    variance = max(float(scored.figures["variance"][0]), np.finfo(float).tiny)
    terms = {name: float(values[0]) for name, values in scored.terms.items()}
    after = _reckoned_again(world, view, objective, scored, official)
    after["variance_term"] = terms.get("variance_term", 0.0) * _square(view, scored, official, raw + armband - expected)
    if _looks_along(view, objective):
        after["ownership_leverage"] *= _along(view, scored, official, raw + armband - expected)
    after["cs_corr_bonus"] = terms.get("cs_corr_bonus", 0.0) * _sheets_kept(world, view, scored)
    after |= {"raw_xev": float(raw), "captaincy_uplift": float(armband)}
    yardstick = judge.yardstick(objective)
    shares = yardstick.shares({name: np.array([value]) for name, value in terms.items()})
    return RoundReview(
        round=signals.round,
        title=signals.rules.round_title(signals.round),
        objective=objective.name,
        terms=tuple(TermReview(name, said, after[name]) for name, said in terms.items()),
        men=_men(signals, scored, official),
        expected=expected,
        points=raw + armband,
        deviation=float((raw + armband - expected) / np.sqrt(variance)),
        carried=tuple(number for number in view.later_rounds if number in known_rounds(world)),
        shares={name: float(share[0]) for name, share in shares.items()},
        watch=yardstick.watch(terms),
    )


def watch_across(reviews: Sequence[RoundReview]) -> tuple[str, ...]:
    """Return what keeps leading over rounds, and how much its points kept of what was said, as sentences."""
    said = []
    leaders = [one.leader if one.shares.get(one.leader, 0.0) > SWAMPED else "" for one in reviews]
    for name, rounds in Counter(name for name in leaders if name).items():
        if rounds >= KEEPS_LEADING:
            said.append(
                f"{LED.get(name, name)} in {rounds} of {len(reviews)} rounds: check whether {PLAIN.get(name, name)} "
                "stands in for what you really want."
            )
    for name in dict.fromkeys(term.name for one in reviews for term in one.terms):
        pairs = [(term.said, term.happened) for one in reviews for term in one.terms if term.name == name]
        before, after = (sum(column) for column in zip(*pairs, strict=True))
        if len(reviews) > 1 and abs(after - before) >= 1.0:
            said.append(f"{PLAIN.get(name, name)}: {before:+.1f} said over {len(reviews)} rounds, {after:+.1f} came.")
    return tuple(said)


def _official(signals: Signals, scored: ScoredSquads, official: Deal) -> tuple[int, int]:
    """Return the points of the eleven with its auto-subs, and what the armband added."""
    entries, rules = entries_of(signals, scored.lineups), signals.rules
    total = int(all_scores(entries, official, rules, signals.position)[0, 0])
    bare = rules.model_copy(update={"captaincy": rules.captaincy.model_copy(update={"multiplier": 1})})
    raw = int(all_scores(entries, official, bare, signals.position)[0, 0])
    return raw, total - raw


def _reckoned_again(
    world: World, view: SquadView, objective: Objective, scored: ScoredSquads, official: Deal
) -> dict[str, float]:
    """Return the terms as the spec gives them when points earned stand where ceilings and later rounds did."""
    signals, known = view.signals, known_rounds(world)
    later = [official_points(world, number, signals.player_id) * (number in known) for number in signals.rounds]
    facts = replace(
        signals,
        ceiling=official.points[0].astype(float),
        typical_xev=np.ones(len(signals)),
        plays=np.stack(later, axis=1).astype(float),
    )
    seen = SquadView(facts, view.settings, view.field_exposure)
    again = score_squads(seen, scored.squads, objective.spec, objective.parameters, scored.lineups)
    return {name: float(values[0]) for name, values in again.terms.items()}


def _square(view: SquadView, scored: ScoredSquads, official: Deal, gap: float) -> float:
    """Return the squared gap to what was said, as a share of the variance that was expected of it.

    Where the objective looks at the swing against the field, so does the gap.
    """
    if "kappa" in scored.parameters:
        surprise = official.points[0] - view.signals.xev
        gap -= float(view.field_exposure.eo @ surprise)
        expected = float(scored.figures["relative_variance"][0])
    else:
        expected = float(scored.figures["variance"][0])
    return gap**2 / expected if expected > 0 else 0.0


def _looks_along(view: SquadView, objective: Objective) -> bool:
    """Return whether the leverage of an objective is how its points go along with the field's."""
    found = form_terms(view, objective)
    return found is not None and found.weight["field_covariance"] != 0


def _along(view: SquadView, scored: ScoredSquads, official: Deal, gap: float) -> float:
    """Return the gap to what was said times the field's, as a share of the covariance that was expected of them."""
    field_gap = float(view.field_exposure.eo @ (official.points[0] - view.signals.xev))
    expected = float(scored.figures["field_covariance"][0])
    return gap * field_gap / expected if expected else 0.0


def _sheets_kept(world: World, view: SquadView, scored: ScoredSquads) -> float:
    """Return Σ (kept − p)² over Σ p(1 − p) of the clean sheets that the squad's stacks share, each by its lift."""
    signals, starters = view.signals, scored.lineups.starters[0]
    kept = _kept(world, signals)
    swing = (signals.clean_sheet * (1 - signals.clean_sheet)).sum(axis=1)
    came = (np.where(signals.clean_sheet > 0, kept - signals.clean_sheet, 0.0) ** 2).sum(axis=1)
    said, happened = 0.0, 0.0
    for team in np.unique(signals.team[starters]):
        men = starters[signals.team[starters] == team]
        lift = float(squad_stack_lift(men[None, :], signals.team, signals.clean_sheet, view.sheet_pay)[0])
        said += lift
        happened += lift * float(came[men[0]] / swing[men[0]]) if lift else 0.0
    return happened / said if said else 0.0


def _kept(world: World, signals: Signals) -> np.ndarray:
    """Return (n, most matches) 1 where a player's team conceded nothing, along `clean_sheet`."""
    fixtures = world.tables["fixtures"].set_index("match_id").loc[signals.teams.matches["match_id"]]
    goals = [
        fixtures[f"{side}_goals_aet"].fillna(fixtures[f"{side}_goals_90"]).fillna(0).to_numpy(dtype=int)
        for side in ("home", "away")
    ]
    chances = signals.chances
    turn = np.arange(len(chances)) - np.searchsorted(chances.player, chances.player)
    kept = np.zeros(signals.clean_sheet.shape)
    conceded = np.where(chances.away, goals[0][chances.match], goals[1][chances.match])
    kept[chances.player, turn] = conceded == 0
    return kept


def _men(signals: Signals, scored: ScoredSquads, official: Deal) -> tuple[ManReview, ...]:
    lineups = scored.lineups
    marks = {int(lineups.vice[0]): "vice", int(lineups.captain[0]): "captain"}
    return tuple(
        ManReview(
            str(signals.name[row]),
            str(signals.codes[row]),
            marks.get(row, role),
            float(signals.xev[row]),
            int(official.points[0, row]),
            bool(official.played[0, row]),
        )
        for row, role in lineups.places(0)
    )
