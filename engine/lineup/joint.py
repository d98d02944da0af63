"""Eleven, bench order and armband of many squads at once, chosen together: what brings most in the round.

A line-up brings the xEV of its starters, of its bench what auto-subs fetch, and the armband, net of the auto-subs that
its first move cancels. Chosen one after the other these go wrong: a man who cannot play costs nothing where a sure one
comes in for him, and yet the sure one cannot wear the armband, nor come in once it has moved.

The order of a bench stands apart: a point more from the bench costs the armband at most a point, so the order that
brings most is the best one. All else is tried, most of it ruled out by a bound. The armband of an eleven adds at most
what it would add to all men of the squad; that falls, ever more slowly, as the forfeit grows, so it lies below the
straight line between two forfeits.

Two rules stand before points, since lists of who is fit are right more often than our chances are. Whoever is
unavailable starts only where every eleven has such a man; and a man less likely to play than `RISKY` starts before a
fitter one only where that is worth `WORTH_THE_RISK`. Ties go to the surer men, then to the formation named first.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import permutations
from typing import NamedTuple

import numpy as np

from data.rules import GameRules
from engine.lineup.autosubs import Bools, Floats, Ints, keepers_needed
from engine.lineup.outfield import Outfields, outfield_choices
from models.armband.captaincy import Setting, best_armbands, by_kickoff, every_armband, highest_armbands, onward
from models.armband.table import ROUNDING, ArmbandTable

NOBODY = -1
"""In a column of player rows: no vice, or no captain held."""
RISKY = 0.25
"""A man less likely to play than this does not start before a fitter man of the bench who could take his place."""
WORTH_THE_RISK = 0.5
"""Expected points for which he does."""
UNTHINKABLE = 1e3
"""Points that it takes to start a man who is unavailable: more than any line-up brings."""
NEVER = 1e6
"""Points that it takes to leave out a captain who is held: more than eleven such men."""
KNOTS = (0.0, 0.2, 0.45, 1.0)
"""Shares of the largest bench at which the bound of an armband is reckoned: most benches bring little."""
SURE_DIGITS = 9
"""Digits to which sums of chances are told apart."""


class JointLineups(NamedTuple):
    """The chosen line-ups: row i of every array is squad i, men are columns of a squad sorted by position."""

    formation: Ints  # (p,) place in the rulebook's formations
    starters: Ints  # (p, 11) the goalkeeper first
    bench: Ints  # (p, s − 11) outfield men as they are called, then the goalkeepers
    needed: Floats  # (p, s − 11) P(comes in | he plays), along `bench`
    forfeit: Floats  # (p,) points of auto-subs that a manual change would cancel
    uplift: Floats  # (p,) points the armband adds
    captain: Ints  # (p,) player row
    vice: Ints  # (p,) player row


@dataclass(frozen=True, eq=False)
class SortedSquads:
    """Squads whose men are sorted by position, and what a line-up is chosen by."""

    rules: GameRules
    table: ArmbandTable
    rows: Ints  # (p, s) player rows
    xev: Floats  # (s, p)
    play: Floats  # (s, p) chance to play
    out: Bools  # (s, p) whether the man is unavailable
    captain: Ints  # (p,) player row held, or NOBODY

    def armbands(self, elevens: Ints, forfeit: Floats, squad: Ints) -> tuple[Floats, Ints, Ints]:
        """Return what the armband adds to elevens (i, 11) of player rows, who wears it first, who stands behind him.

        The multiplier pays several copies of a score while a change forfeits the auto-subs once, so each copy is
        charged its share of them.
        """
        rules, table, captain = self.rules.captaincy, self.table, self.captain[squad]
        setting: Setting = rules.mode.value
        copies, charge = self.copies, forfeit / max(self.copies, 1)
        best = best_armbands(table, elevens, setting, charge)
        if rules.vice_covers and np.all(captain == NOBODY):
            return copies * best.value, best.captain, best.vice
        rows, everyone = by_kickoff(table, elevens), np.arange(len(elevens))
        level = onward(table, rows, setting) - charge[:, None]
        alone = table.expected_max(rows, level)  # without a vice an absent captain scores 0
        free = best.captain if rules.vice_covers else rows[everyone, _favourite(alone, table.mean[rows])]
        wearer = np.where(captain == NOBODY, free, captain)
        column = (rows == wearer[:, None]).argmax(axis=1)
        if not rules.vice_covers:
            return copies * alone[everyone, column], wearer, np.full(len(rows), NOBODY)
        # As for a captain chosen freely: a vice who kicks off later is held against what follows his own match.
        after = level[everyone, column]
        cover = np.where(np.arange(rows.shape[1]) < column[:, None], table.expected_max(rows, after[:, None]), alone)
        cover[everyone, column] = -np.inf
        value = alone[everyone, column] + table.absent[wearer] * (cover.max(axis=1) - np.maximum(after, 0.0))
        return copies * value, wearer, rows[everyone, _favourite(cover, table.mean[rows])]

    def every_armband(self, elevens: Ints, forfeit: Floats) -> tuple[Ints, Floats, Ints]:
        """Return the men of elevens (i, 11) by kick-off, what the armband adds on each first, and who stands behind."""
        setting: Setting = self.rules.captaincy.mode.value
        charge = forfeit / max(self.copies, 1)
        if self.rules.captaincy.vice_covers:
            rows, value, vice = every_armband(self.table, elevens, setting, charge)
            return rows, self.copies * value, vice
        rows = by_kickoff(self.table, elevens)
        alone = self.table.expected_max(rows, onward(self.table, rows, setting) - charge[:, None])
        return rows, self.copies * alone, np.full(rows.shape, NOBODY)

    @cached_property
    def lead_from(self) -> Ints:
        """(p,) column of a captain held in the outfield, −1 where there is none."""
        column = (self.rows == self.captain[:, None]).argmax(axis=1)
        held = (self.captain != NOBODY) & (column >= self.rules.squad.places[0])
        return np.where(held, column, -1)

    @property
    def copies(self) -> int:
        """How many more times the armband counts a score."""
        return self.rules.captaincy.multiplier - 1


def best_joint(squads: SortedSquads, formation: int | None) -> JointLineups:
    """Return the best line-up of each squad, in one of the rulebook's formations by place, or in any."""
    case = _Case.of(squads, formation)
    ceiling = case.ceilings()
    everyone = np.arange(ceiling.shape[1])
    top = ceiling.argmax(axis=0)  # valued first: it leaves 2.6 elevens of a squad or fewer to be valued, two more 3.7
    some = case.lineups(everyone, top)
    first = _first_best(some, some.most, len(everyone))
    lead = case.worn(some.at(first))
    best = lead.value
    ceiling[top, everyone] = -np.inf
    some.most[first] = -np.inf
    eleven, squad = np.nonzero(ceiling >= best - 2 * ROUNDING)
    some = some.joined(case.lineups(squad, eleven)) if len(eleven) else some
    left = np.flatnonzero(some.most >= best[some.squad] - 2 * ROUNDING)
    final = lead.joined(case.worn(some.at(left))) if len(left) else lead
    return case.told(final.at(_first_best(final, final.value, len(everyone))))


@dataclass(frozen=True, slots=True, eq=False)
class _Lineups:
    """Line-ups but for the armband: item i of every array is one eleven of one squad with one goalkeeper."""

    squad: Ints
    eleven: Ints
    keeper: Ints  # which order of the goalkeepers
    bench: Ints  # (i, b) outfield men as they are called
    needed: Floats  # (i, b) P(comes in | he plays)
    points: Floats  # starters and bench
    forfeit: Floats
    loss: Floats  # points that are taken off for starting men who should not
    most: Floats  # what the line-up brings at most, loss taken off
    surer: Floats  # Σ chance to play of the starters
    uplift: Floats  # points the armband adds, 0 before it is given
    captain: Ints  # player row
    vice: Ints  # player row

    @property
    def value(self) -> Floats:
        """What line-ups are chosen by: their points and the armband, loss taken off."""
        return np.asarray(self.points + self.uplift - self.loss)

    def joined(self, other: _Lineups) -> _Lineups:
        pairs = zip(self._columns(), other._columns(), strict=True)
        return _Lineups(*(np.concatenate(pair) for pair in pairs))

    def at(self, rows: Ints) -> _Lineups:
        return _Lineups(*(column[rows] for column in self._columns()))

    def _columns(self) -> list[np.ndarray]:
        return [getattr(self, field.name) for field in fields(self)]


@dataclass(frozen=True, slots=True, eq=False)
class _Case:
    """Squads with all that is reckoned once for their line-ups."""

    squads: SortedSquads
    outfields: Outfields
    keepers: Ints  # (o, g) the orders of the goalkeepers, the starter first
    keeping: Floats  # (o, g, p) P(he counts | he plays)
    starting: Floats  # (o, p) what the goalkeeper who starts brings, loss taken off
    waiting: Floats  # (o, p) and those behind him
    benches: Floats  # (e, p) what the outfield bench behind each eleven brings at most
    highest: Floats  # (l, p) lines over the forfeit below the highest of which the armband lies: where they begin
    cost: Floats  # (l, p) and by how much they fall for each point

    @classmethod
    def of(cls, squads: SortedSquads, formation: int | None) -> _Case:
        rules, xev, play = squads.rules, squads.xev, squads.play
        orders = np.array(list(permutations(range(rules.squad.places[0]))), dtype=np.int64)
        counts = keepers_needed(play[orders.T], rules.autosubs.enabled).transpose(1, 0, 2)
        brought = counts * xev[orders]
        waiting = brought[:, 1:].sum(axis=1)
        outfields = Outfields.of(outfield_choices(rules, formation), xev, play, squads.out)
        benches = outfields.bench_bounds(rules.autosubs.enabled)
        largest = np.maximum(benches.max(axis=0) + waiting.max(axis=0), 1.0)
        starting = brought[:, 0] - keeper_loss(squads, orders)
        return cls(squads, outfields, orders, counts, starting, waiting, benches, *_lines(squads, largest))

    def ceilings(self) -> Floats:
        """Return (e, p) what each outfield brings at most, with whichever goalkeeper."""
        squads, choices = self.squads, self.outfields.choices
        starters = choices.starting @ (squads.xev - UNTHINKABLE * squads.out)
        keepers = zip(self.starting, self.waiting, strict=True)
        ceiling = starters + np.max([own + self._with_armband(self.benches + more) for own, more in keepers], axis=0)
        held = np.flatnonzero(squads.lead_from >= 0)
        ceiling[:, held] -= NEVER * (choices.starting[:, squads.lead_from[held]] == 0.0)
        return np.asarray(ceiling)

    def lineups(self, squad: Ints, eleven: Ints) -> _Lineups:
        """Return some elevens of some squads, each with every goalkeeper."""
        squads, starts = self.squads, self.outfields.choices.starts[eleven].T
        bench = self.outfields.benches(squad, eleven)
        loss = WORTH_THE_RISK * self.outfields.risky_starts(squad, eleven, RISKY)
        loss = loss + UNTHINKABLE * squads.out[starts, squad].sum(axis=0)
        lead = squads.lead_from[squad]
        loss = loss + NEVER * ((lead >= 0) & (starts != lead).all(axis=0))
        keeper = np.arange(len(self.keepers))[:, None]
        waiting = bench.points + self.waiting[keeper, squad]
        own, kept = squads.xev[self.keepers[keeper, 0], squad], self.starting[keeper, squad]
        starters = squads.xev[starts, squad].sum(axis=0)
        forfeit = np.maximum(waiting, 0.0) * squads.rules.autosubs.manual_change_cancels_autosubs
        items = np.broadcast_to(np.arange(len(squad)), waiting.shape).ravel()
        return _Lineups(
            squad=squad[items],
            eleven=eleven[items],
            keeper=np.broadcast_to(keeper, waiting.shape).ravel(),
            bench=bench.men[items],
            needed=bench.needed[items],
            points=(starters + own + waiting).ravel(),
            forfeit=forfeit.ravel(),
            loss=(loss + own - kept).ravel(),
            most=(starters + kept + self._with_armband(waiting, squad) - loss).ravel(),
            surer=(squads.play[starts, squad].sum(axis=0) + squads.play[self.keepers[keeper, 0], squad]).ravel(),
            uplift=np.zeros(waiting.size),
            captain=np.full(waiting.size, NOBODY),
            vice=np.full(waiting.size, NOBODY),
        )

    def _with_armband(self, bench: Floats, squad: Ints | slice = slice(None)) -> Floats:
        """Return what benches bring with an armband that costs them, at most."""
        charged = np.maximum(bench, 0.0)
        highest = self.highest[0, squad] - self.cost[0, squad] * charged
        for begin, fall in zip(self.highest[1:, squad], self.cost[1:, squad], strict=True):
            highest = np.maximum(highest, begin - fall * charged)
        return np.asarray(bench + highest)

    def worn(self, lineups: _Lineups) -> _Lineups:
        """Return the line-ups with their armbands."""
        elevens = np.take_along_axis(self.squads.rows[lineups.squad], self._starters(lineups), axis=1)
        uplift, captain, vice = self.squads.armbands(elevens, lineups.forfeit, lineups.squad)
        return replace(lineups, uplift=uplift, captain=captain, vice=vice)

    def told(self, lineups: _Lineups) -> JointLineups:
        """Return the chosen line-ups, one of each squad."""
        behind = self.keepers[lineups.keeper][:, 1:]
        keeping = self.keeping[lineups.keeper, 1:, lineups.squad]
        return JointLineups(
            self.outfields.choices.formation[lineups.eleven],
            self._starters(lineups),
            np.hstack([lineups.bench, behind]),
            np.hstack([lineups.needed, keeping]),
            lineups.forfeit,
            lineups.uplift,
            lineups.captain,
            lineups.vice,
        )

    def _starters(self, lineups: _Lineups) -> Ints:
        return np.hstack([self.keepers[lineups.keeper, :1], self.outfields.choices.starts[lineups.eleven]])


def _lines(squads: SortedSquads, largest: Floats) -> tuple[Floats, Floats]:
    """Return the lines (l, p) that lie above what the armband adds, through its value at the `KNOTS`."""
    rules, copies = squads.rules, max(squads.copies, 1)
    setting: Setting = rules.captaincy.mode.value
    if setting == "locked" or not rules.autosubs.manual_change_cancels_autosubs:
        free = highest_armbands(squads.table, squads.rows, setting, np.zeros((1, len(largest))), squads.captain)
        return squads.copies * free, np.zeros((1, len(largest)))
    knots = np.array(KNOTS)[:, None] * largest
    worn = squads.copies * highest_armbands(squads.table, squads.rows, setting, knots / copies, squads.captain)
    cost = -np.diff(worn, axis=0) / np.diff(knots, axis=0)
    return worn[:-1] + cost * knots[:-1], cost


def keeper_loss(squads: SortedSquads, orders: Ints) -> Floats:
    """Return (o, p) what is taken off for the goalkeeper who starts; a captain held is not replaced."""
    play, first = squads.play[orders], orders[:, 0]
    passed_over = (play[:, 0] < RISKY) & (play[:, 1:].max(axis=1, initial=0.0) > play[:, 0])
    led = squads.captain == squads.rows[:, : orders.shape[1]].T
    other = led.any(axis=0) & ~led[first]
    return np.asarray(WORTH_THE_RISK * passed_over + UNTHINKABLE * squads.out[first] + NEVER * other)


def _first_best(lineups: _Lineups, value: Floats, count: int) -> Ints:
    """Return the best item of each of so many squads; of those that tie the surest, then the one listed first."""
    squad, top = lineups.squad, np.full(count, -np.inf)
    np.maximum.at(top, squad, value)
    near = np.flatnonzero(value >= top[squad] - ROUNDING)
    surer, listed = np.round(lineups.surer[near], SURE_DIGITS), (lineups.keeper[near], lineups.eleven[near])
    order = near[np.lexsort((*listed, -surer, squad[near]))]
    return np.asarray(order[np.unique(squad[order], return_index=True)[1]])


def _favourite(value: Floats, means: Floats) -> Ints:
    """Return the best column of each row; where values tie, the man with the higher mean."""
    near = value >= value.max(axis=1, keepdims=True) - ROUNDING
    return np.asarray(np.where(near, means, -np.inf).argmax(axis=1), dtype=np.int64)
