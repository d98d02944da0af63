"""What every command about squads starts from: the signals of a round, a judge, the manager's demands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from data.rules import CaptaincyMode, load_rules
from data.worlds.library import find_world
from ui.terminal.console import notes
from ui.terminal.models import own_projections
from ui.terminal.wishes import StatedWishes, read_wishes

if TYPE_CHECKING:
    from data.worlds.snapshot import Snapshot
    from engine.fitness.judge import Aim, Judge
    from engine.rules.conflicts import Demands


class Desk(NamedTuple):
    """What a question about squads is answered from."""

    judge: Judge
    demands: Demands
    snapshot: Snapshot
    rng: np.random.Generator  # for whatever the command draws

    def aim(self, theta: str | None, k: float | None = None, w: float | None = None) -> Aim:
        """Return the aim a user names, its warnings told."""
        from engine.fitness.judge import aim_at

        aim = aim_at(theta, self.judge.view, k=k, w=w)
        for line in aim.warnings:
            notes().print(line, style="yellow", markup=False)
        return aim


def open_desk(
    world: str,
    round_number: int,
    captaincy: CaptaincyMode | None,
    seed: int,
    stated: StatedWishes | None = None,
    projections: Path | None = None,
) -> Desk:
    """Build the signals, read the wishes and refuse those that cannot hold together."""
    from engine.fitness.judge import Judge
    from engine.fitness.view import SquadView, refuse_impossible
    from models.signals import build_signals

    snapshot = find_world(world).at(round_number)
    rules = load_rules(snapshot.rulebook)
    rules = rules.with_captaincy(captaincy) if captaincy else rules
    model_rng, pool_rng, rng = np.random.default_rng(seed).spawn(3)
    notes().print("Rating teams and players …", style="dim")
    overrides = own_projections(projections, snapshot)
    signals = build_signals(snapshot, rules, rng=model_rng, overrides=overrides)
    wishes = read_wishes(stated or StatedWishes(), snapshot, signals)
    for line in wishes.remarks:
        notes().print(line, style="yellow", markup=False)
    view = SquadView(wishes.signals, wishes.settings)
    refuse_impossible(view, wishes.demands)
    return Desk(Judge(view, pool_rng), wishes.demands, snapshot, rng)
