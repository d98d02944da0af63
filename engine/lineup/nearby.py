"""Line-ups near a given one, all valued: a starter exchanged with the bench, in every order, under every armband.

For whoever chooses by more than expected points. The rules that stand before points hold here too: `loss` is what a
line-up must be better by for the men it starts (see `joint`), and men who are unavailable are called last.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.lineup.autosubs import Bools, Floats, Ints, keepers_needed
from engine.lineup.joint import NOBODY, RISKY, UNTHINKABLE, WORTH_THE_RISK, JointLineups, SortedSquads, keeper_loss
from engine.lineup.lineups import Lineups, by_position, told
from engine.lineup.outfield import Outfields, outfield_choices
from models.signals import Signals


class Nearby(NamedTuple):
    """Line-ups of one squad, each one exchange or less from the one they are near to."""

    lineups: Lineups
    loss: Floats  # (n,) points that are taken off for starting men who should not
    surer: Floats  # (n,) Σ chance to play of the starters
    own: int  # the row of the line-up itself


def nearby_lineups(signals: Signals, lineup: Lineups, formation: int | None, captain: int | None) -> Nearby:
    """Return the line-ups near that of one squad, in one formation or any, under a captain who is held or any.

    A captain stays in the eleven; whoever is less likely to play than `RISKY` does not come to the armband.
    """
    held = NOBODY if captain is None or captain not in lineup.squads[0] else captain
    slots, squads = by_position(signals, lineup.squads, np.array([held]))
    near = _Near.of(squads, lineup, formation)
    men, uplift, vice = squads.every_armband(near.elevens, near.forfeit)
    wearing = (men == held) if held != NOBODY else (signals.p_play[men] >= RISKY) | (men == lineup.captain[0])
    row, place = np.nonzero(wearing)
    joint = JointLineups(
        near.formation[row],
        near.starters[row],
        near.bench[row],
        near.needed[row],
        near.forfeit[row],
        uplift[row, place],
        men[row, place],
        vice[row, place],
    )
    count = len(row)
    found = told(signals, np.repeat(lineup.squads, count, axis=0), np.repeat(slots, count, axis=0), joint)
    surer = signals.p_play[found.starters].sum(axis=1)
    return Nearby(found, near.loss[row], surer, int(_same(found, lineup).argmax()))


def _same(lineups: Lineups, one: Lineups) -> Bools:
    men = (lineups.starters == one.starters).all(axis=1) & (lineups.bench == one.bench).all(axis=1)
    return np.asarray(men & (lineups.captain == one.captain))


class _Near(NamedTuple):
    """Line-ups but for the armband; men are columns of the sorted squad."""

    formation: Ints  # (i,)
    starters: Ints  # (i, 11)
    elevens: Ints  # (i, 11) player rows of the starters
    bench: Ints  # (i, b)
    needed: Floats  # (i, b) P(comes in | he plays)
    forfeit: Floats  # (i,)
    loss: Floats  # (i,)

    @classmethod
    def of(cls, squads: SortedSquads, lineup: Lineups, formation: int | None) -> _Near:
        rules, keepers = squads.rules, squads.rules.squad.places[0]
        outfields = Outfields.of(outfield_choices(rules, formation), squads.xev, squads.play, squads.out)
        choices = outfields.choices
        rank = {man: column for column, man in enumerate(squads.rows[0].tolist())}
        goal = np.array([rank[man] for man in _keepers(lineup, rank, keepers)])
        orders, eleven, keeper = _exchanges(choices.starting, np.isin(squads.rows[0], lineup.starters[0]), goal)
        if squads.lead_from[0] >= 0:
            stays = choices.starting[eleven, squads.lead_from[0]] > 0.0
            eleven, keeper = eleven[stays], keeper[stays]
        nobody = np.zeros(len(eleven), dtype=np.int64)
        chances = outfields.every_order(nobody, eleven)
        vain = outfields.called_in_vain(nobody, eleven)
        order, item = np.nonzero(vain == vain.min(axis=0))
        bench = np.take_along_axis(choices.bench[eleven[item]], choices.orders[order], axis=1)
        behind = orders[keeper[item]]
        waiting = keepers_needed(squads.play[orders.T, 0], rules.autosubs.enabled).T[keeper[item], 1:]
        bench, needed = np.hstack([bench, behind[:, 1:]]), np.hstack([chances[order, :, item], waiting])
        starters = np.hstack([behind[:, :1], choices.starts[eleven[item]]])
        brought = (needed * squads.xev[bench, 0]).sum(axis=1)
        loss = WORTH_THE_RISK * outfields.risky_starts(nobody, eleven, RISKY)
        loss = loss + UNTHINKABLE * squads.out[choices.starts[eleven], 0].sum(axis=1)
        return cls(
            choices.formation[eleven[item]],
            starters,
            squads.rows[0][starters],
            bench,
            needed,
            np.maximum(brought, 0.0) * rules.autosubs.manual_change_cancels_autosubs,
            loss[item] + keeper_loss(squads, orders)[keeper[item], 0],
        )


def _keepers(lineup: Lineups, rank: dict[int, int], count: int) -> list[int]:
    """Return the goalkeepers of a line-up, who starts first; they are the first columns of a sorted squad."""
    men = [*lineup.starters[0].tolist(), *lineup.bench[0].tolist()]
    return [man for man in men if rank[man] < count]


def _exchanges(starting: Floats, starts: Bools, goal: Ints) -> tuple[Ints, Ints, Ints]:
    """Return orders of the goalkeepers (o, g), and each eleven that an exchange leads to, with the order behind it.

    The first order is that of now; the others exchange who keeps goal. `starting` (e, s) are all outfields.
    """
    orders = np.array([goal, *(np.r_[man, goal[goal != man]] for man in goal[1:])])
    shared = starting @ starts.astype(np.float64)
    outfield = starting[0].sum()
    own, other = np.flatnonzero(shared == outfield), np.flatnonzero(shared == outfield - 1)
    eleven = np.concatenate([np.repeat(own, len(orders)), other])
    keeper = np.concatenate([np.tile(np.arange(len(orders)), len(own)), np.zeros(len(other), dtype=np.int64)])
    return orders, eleven, keeper
