"""What to choose: squads, boards and standings. `import engine` is also the Python library; it loads nothing by itself.

    import engine

    desk = engine.open_desk("wc2026", 1, seed=1)          # a world by name, folder or open_world(...)
    board = desk.pick("protect")                          # shows itself in a notebook: pitch and decomposition
    desk.compare("protect", "gain")                       # two plans side by side
    desk.plan("protect", 5, chips="none")                 # the next rounds: transfers, boosters, line-ups, a table
    desk.standing(board, lead=15)                         # chances to hold a lead, to erase a deficit
    desk.score(board.recommended.rows, "gain")            # any squad, every term
    print(engine.lineup_csv(board.recommended))           # a line-up to take away
    engine.replay_rounds("wc2026", rounds=(1, 2), thetas=("neutral",))

The words of this layer, each for one thing:

- objective: what a manager wants. θ is protect, neutral or gain; rank and a spec of one's own are objectives too.
- spec: the file in the fitness language that an objective is scored by; term: a named part of a score.
- wishes: what he asks of his squad, by player ids and team codes; stated wishes are the same in names and files.
- demands: who must and who must not be in a squad, as player rows of a round. limits: how many of a team.
- settings: numbers that say how something is computed; a frozen value with defaults.
- squad: fifteen player rows; line-up: its eleven, bench order and armband; option: a squad on a board, with reasons.
- plan: moves for every round of a horizon; state: what a manager brings into it; boosters are also called chips.
- field: the managers one plays against; exposure (EO): what their points hang on; rivals: managers by name.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from data.worlds.library import find_world as open_world
    from engine.board.export import lineup_csv
    from engine.board.wish_words import read_wishes
    from engine.desk import Desk, open_desk, replay_rounds
    from engine.fitness.wishes import TeamWish, Wishes
    from engine.plan.answer.export import plan_csv
    from engine.plan.asking.wishes import PlanWishes
    from engine.plan.moves.state import State

_ROOMS = {
    "Desk": "engine.desk",
    "PlanWishes": "engine.plan.asking.wishes",
    "State": "engine.plan.moves.state",
    "TeamWish": "engine.fitness.wishes",
    "Wishes": "engine.fitness.wishes",
    "lineup_csv": "engine.board.export",
    "open_desk": "engine.desk",
    "open_world": "data.worlds.library",
    "plan_csv": "engine.plan.answer.export",
    "read_wishes": "engine.board.wish_words",
    "replay_rounds": "engine.desk",
}
"""Where each public name lives; it is loaded when it is first asked for."""

__all__ = [
    "Desk",
    "PlanWishes",
    "State",
    "TeamWish",
    "Wishes",
    "lineup_csv",
    "open_desk",
    "open_world",
    "plan_csv",
    "read_wishes",
    "replay_rounds",
]


def __getattr__(name: str) -> object:
    if name not in _ROOMS:
        raise AttributeError(f"module 'engine' has no attribute {name!r}; it offers {', '.join(__all__)}")
    return getattr(import_module(_ROOMS[name]), "find_world" if name == "open_world" else name)
