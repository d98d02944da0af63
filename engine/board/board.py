"""The answer people read: a few distinct options, one recommended, each with its reasons and the case against it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

import numpy as np

from data.domain import POSITIONS
from engine.board.notebook import board_html, option_html
from engine.board.remarks import lineup_remarks
from engine.board.transfers import TransferCard, transfer_card
from engine.fitness.explanation import PLAIN, Decomposition, decompose
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_scoring import ScoredSquads
from engine.lineup.joint import NOBODY
from engine.lineup.lineups import Lineups
from engine.search.outcome import Breeding
from models.armband.ladder import Ladder, best_ladder
from models.armband.words import Labelling, ladder_sentences
from models.signals import Signals

EIGHT_IN_TEN = 1.2816
"""Standard deviations on either side of the mean that hold the central 80 % of a normal distribution."""

LEAST_TOLD = 0.001
"""Shares below which a gap is told as this one: rounded it would look like none."""

HELD = "in the standard form with the captain held"
CLIMBED = "in the standard form, by a bound that takes squad and ladder apart"
NO_TEAM = "–"  # of a man who has left the game
CLOSE = 0.05  # points: a difference below this is not worth a sentence


class Verdict(StrEnum):
    """What can be said of an answer beside the optimum of the standard form."""

    NOT_TRIED = "not proved"
    NO_BOUND = "no bound for this spec"
    OPTIMAL = "proved optimal"
    NO_LESS = "proved to score no less than the optimum"
    WITHIN = "within a share of the optimum"


@dataclass(frozen=True, slots=True)
class Claim:
    """How far from the optimum a squad can be; as text, in words a manager can trust."""

    verdict: Verdict = Verdict.NOT_TRIED
    share: float = 0.0  # of its expected points, by which the optimum may be higher
    held: bool = True  # whether the form holds the captain; else it bounds his ladder
    points: float = 0.0  # by which the optimum may be higher

    @property
    def headline(self) -> str:
        """What it means to a manager, in plain words; the precise claim is its text."""
        if self.verdict is Verdict.WITHIN:
            return f"At most {max(math.ceil(10 * self.points), 1) / 10:.1f} points below the best possible squad"
        if self.proved:
            return "Nothing better exists"
        return "How far below the best possible squad it can be is not known"

    @property
    def proved(self) -> bool:
        """Whether nothing better exists in the standard form."""
        return self.verdict in (Verdict.OPTIMAL, Verdict.NO_LESS)

    def __str__(self) -> str:
        if self.verdict is Verdict.WITHIN:
            return f"within {max(self.share, LEAST_TOLD):.1%} of the optimum {self._where}"
        return f"{self.verdict} {self._where}" if self.proved else str(self.verdict)

    @property
    def _where(self) -> str:
        return HELD if self.held else CLIMBED


@dataclass(frozen=True, slots=True)
class Man:
    """One player of an option, as he is used."""

    row: int  # in the signals
    player_id: int
    name: str
    short: str
    team: str
    position: str
    opponent: str
    kickoff: str  # ISO, UTC; empty without a match
    price: float
    owned: float
    eo: float
    xev: float
    floor: float
    ceiling: float
    start: float
    role: str  # "starter", "bench 1" …
    armband: str  # "C", "V" or empty


@dataclass(frozen=True, slots=True)
class Option:
    """A squad to choose: who starts, who wears the armband, what it is worth and why."""

    men: tuple[Man, ...]  # starters by position, then the bench in order
    formation: str
    decomposition: Decomposition
    expected: float  # points of the round: raw_xev + captaincy_uplift, hits taken off
    swing: tuple[float, float]  # eight times in ten the points lie between
    price: float
    armband: Ladder  # what to do with it, by player rows
    lineage: str
    repairs: tuple[str, ...]
    dissent: str  # the strongest case against it
    differences: tuple[str, ...]  # against the recommended option; empty for that one
    remarks: tuple[str, ...] = ()  # on the line-up: unlikely starters, men who cannot play
    transfers: TransferCard | None = None  # from the squad one has; None for a new one
    lineup: Lineups | None = field(default=None, compare=False, repr=False)  # the same in columns, for simulations

    @property
    def rows(self) -> tuple[int, ...]:
        """The player rows of the squad."""
        return tuple(man.row for man in self.men)

    @property
    def ladder(self) -> tuple[str, ...]:
        """What to do with the armband, in plain words, times in UTC."""
        return self.ladder_at(lambda kickoff: f"{kickoff:%a %d %b %H:%M} UTC")

    def ladder_at(self, written: Callable[[datetime], str]) -> tuple[str, ...]:
        """Return what to do with the armband, in plain words, kick-offs as they are to be written."""
        times = {man.row: datetime.fromisoformat(man.kickoff) for man in self.men if man.kickoff}
        kickoffs = {man.row: written(times[man.row]) if man.row in times else "no match" for man in self.men}
        return ladder_sentences(self.armband, Labelling({man.row: man.short for man in self.men}, kickoffs))

    @property
    def captain(self) -> Man:
        """The man who wears the armband from the deadline."""
        return next(man for man in self.men if man.armband == "C")

    def _repr_html_(self) -> str:
        return option_html(self)


@dataclass(frozen=True, slots=True)
class Board:
    """Options across the variance spectrum, the recommended one first."""

    world: str
    round: int
    title: str
    objective: str
    options: tuple[Option, ...]
    flags: tuple[str, ...]  # what could not be met, said honestly
    proof: Claim = Claim()  # of the recommended option
    breeding: Breeding | None = field(default=None, compare=False, repr=False)  # the search it comes from

    @property
    def recommended(self) -> Option:
        """The option the objective puts first."""
        return self.options[0]

    def _repr_html_(self) -> str:
        return board_html(self)


Origin = tuple[str, tuple[str, ...]]
"""Where an option comes from: its lineage and its repairs."""


def make_board(
    judge: Judge,
    objective: Objective,
    squads: np.ndarray,
    *,
    origins: Sequence[Origin] = (),
    flags: tuple[str, ...] = (),
) -> Board:
    """Return the board of chosen squads (p, 15), best first under the objective."""
    scored = judge.sent_out(squads, objective)
    order = [int(row) for row in scored.ranking]
    known: Sequence[Origin] = origins or [("", ())] * len(squads)
    signals = judge.view.signals
    options = tuple(_option(judge, objective, scored, row, order, known[row]) for row in order)
    return Board(signals.world, signals.round, signals.rules.round_title(signals.round), objective.name, options, flags)


def swing_around(expected: float, variance: float) -> tuple[float, float]:
    """Return the points between which a squad lies eight times in ten."""
    half = EIGHT_IN_TEN * float(np.sqrt(variance))
    return expected - half, expected + half


def _option(
    judge: Judge, objective: Objective, scored: ScoredSquads, row: int, order: list[int], origin: Origin
) -> Option:
    signals, lineups = judge.view.signals, scored.lineups
    result = decompose(scored, row, objective.name, judge.yardstick(objective), signals)
    expected = float(lineups.expected[row] - scored.figures["transfer_cost"][row])
    return Option(
        men=_men(signals, scored, row),
        formation=signals.rules.squad.formations[int(lineups.formation[row])],
        decomposition=result,
        expected=expected,
        swing=swing_around(expected, result.variance),
        price=float(scored.figures["price"][row]),
        armband=best_ladder(
            signals.armband,
            lineups.starters[row].tolist(),
            signals.rules.captaincy.mode.value,
            forfeit=float(lineups.forfeit[row]),
            wearers=_wearers(judge, scored, row),
        ),
        lineage=origin[0],
        repairs=origin[1],
        dissent=_dissent(judge, scored, row),
        differences=() if row == order[0] else _differences(signals, scored, row, order[0]),
        remarks=lineup_remarks(judge, objective, scored, row),
        transfers=transfer_card(judge, objective, scored, row),
        lineup=lineups.at([row]),
    )


def _wearers(judge: Judge, scored: ScoredSquads, row: int) -> tuple[int, int, float] | None:
    """Return the captain, his vice and their worth; None where the rules know no vice."""
    lineups, rules = scored.lineups, judge.view.signals.rules.captaincy
    captain, vice = int(lineups.captain[row]), int(lineups.vice[row])
    if vice == NOBODY:
        return None
    return captain, vice, float(lineups.captaincy_uplift[row]) / max(rules.multiplier - 1, 1)


def _men(signals: Signals, scored: ScoredSquads, row: int) -> tuple[Man, ...]:
    lineups = scored.lineups
    marks = {int(lineups.vice[row]): "V", int(lineups.captain[row]): "C"}
    return tuple(man_of(signals, player, role, marks.get(player, "")) for player, role in lineups.places(row))


def man_of(signals: Signals, row: int, role: str, armband: str) -> Man:
    """Return a player as he is used in a round."""
    kickoff = signals.kickoff[row]
    return Man(
        row=row,
        player_id=int(signals.player_id[row]),
        name=str(signals.name[row]),
        short=str(signals.short[row]),
        team=str(signals.codes[row]) if signals.team[row] >= 0 else NO_TEAM,
        position=POSITIONS[signals.position[row]],
        opponent=str(signals.opponents[row]),
        kickoff="" if np.isnat(kickoff) else f"{np.datetime_as_string(kickoff, unit='m')}Z",
        price=float(signals.price[row]),
        owned=float(signals.owned[row]),
        eo=float(signals.exposure.eo[row]),
        xev=float(signals.xev[row]),
        floor=float(signals.floor[row]),
        ceiling=float(signals.ceiling[row]),
        start=float(signals.start[row]),
        role=role,
        armband=armband,
    )


def _dissent(judge: Judge, scored: ScoredSquads, row: int) -> str:
    """Return the strongest case against a squad: the costliest of what it misses, relies on and gives up."""
    signals, lineups = judge.view.signals, scored.lineups
    given_up = judge.most_points - float(lineups.expected[row])
    cases = [
        _missing(judge, scored.squads[row]),
        _relying(signals, int(lineups.captain[row])),
        (given_up, f"It expects {given_up:.1f} points fewer than the squad with the most expected points."),
    ]
    return max(cases)[1]


def _missing(judge: Judge, squad: np.ndarray) -> tuple[float, str]:
    signals, exposure = judge.view.signals, judge.view.field_exposure
    missed = np.setdiff1d(np.flatnonzero(exposure.template), squad)
    if not missed.size:
        return 0.0, "It misses nobody of the template, so it can hardly leave the field behind."
    risk = exposure.eo[missed] * signals.ceiling[missed]
    worst = int(missed[np.argmax(risk)])
    return float(risk.max()), (
        f"It misses {signals.short[worst]}: the field has {exposure.eo[worst]:.0%} of him, and one round in ten he "
        f"brings {signals.ceiling[worst]:.0f} points or more."
    )


def _relying(signals: Signals, captain: int) -> tuple[float, str]:
    absent = 1 - float(signals.p_play[captain])
    return absent * float(signals.ceiling[captain]), (
        f"It starts the armband on {signals.short[captain]}, who does not play at all {absent:.0%} of the time."
    )


def _differences(signals: Signals, scored: ScoredSquads, row: int, best: int) -> tuple[str, ...]:
    out = np.setdiff1d(scored.squads[best], scored.squads[row])
    into = np.setdiff1d(scored.squads[row], scored.squads[best])
    said = []
    for position in range(len(POSITIONS)):
        leaving = sorted(out[signals.position[out] == position], key=lambda i: -signals.xev[i])
        coming = sorted(into[signals.position[into] == position], key=lambda i: -signals.xev[i])
        said += [_swap(signals, int(a), int(b)) for a, b in zip(leaving, coming, strict=True)]
    gaps = {name: float(values[row] - values[best]) for name, values in scored.terms.items() if name in PLAIN}
    term = max(gaps, key=lambda name: abs(gaps[name]), default="")
    if term and abs(gaps[term]) > CLOSE:
        said.append(f"Most of the difference is {PLAIN[term]}: {gaps[term]:+.1f}.")
    return tuple(said)


def _swap(signals: Signals, leaving: int, coming: int) -> str:
    points = float(signals.xev[coming] - signals.xev[leaving])
    return (
        f"{signals.short[leaving]} → {signals.short[coming]}: {points:+.1f} points, owned "
        f"{signals.owned[leaving]:.0%} → {signals.owned[coming]:.0%}."
    )
