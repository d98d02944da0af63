"""Ready-made orders: the board of a plan, and where all searches of the server are kept.

- `attended(order, …)` starts or joins the searches a visitor looks at; he leaves all others. Once per page run.
- `board_order(chosen, theta=None)` is the order of a plan's board, under its own θ or another one; the same words in
  the plan and the same seed give the same key, whoever asks. A board that comes with the project is opened, not bred;
  `bred=True` is for pages that show all that was bred for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from engine.board.board import Board
from engine.board.bred_boards import bundled_boards
from engine.desk import GENERATIONS
from engine.search.breeding.evolution import Progress
from ui.web.choice.frame import Chosen, desk_of, objective_of
from ui.web.choice.plan import Plan
from ui.web.choice.session import visitor
from ui.web.work.background import SEARCHES, background
from ui.web.work.scheduler import Task
from ui.web.work.search_job import Bred, SearchJob, search_task


def attended(*orders: Task[Bred]) -> tuple[SearchJob, ...]:
    """Return the searches of these orders; the visitor leaves all others."""
    jobs = tuple(background().job(order, visitor()) for order in orders)
    background().attend(visitor(), SEARCHES, {order.key for order in orders})
    return jobs


def board_order(chosen: Chosen, theta: str | None = None, *, prove: bool = True, bred: bool = False) -> Task[Bred]:
    """Return the order of the plan's board under its own θ, or under another one, and of what can be proved of it.

    A board that comes with the project is opened, unless all that was `bred` for it is asked for too.
    """
    desk, objective, generations = desk_of(chosen), objective_of(chosen, theta), generations_of(chosen.plan)
    apart = bred and (chosen.world.name, chosen.snapshot.round, objective.name) in bundled_boards()

    def search(stop: Callable[[], bool]) -> Iterator[Progress | Board]:
        known = None if bred else desk.bred_before(objective, generations)
        yield from desk.search(objective, generations=generations, stop=stop) if known is None else (known,)

    return search_task(
        order_key(chosen, theta) + " with all that was bred" * apart,
        search,
        (lambda board: desk.proved(board, objective).proof) if prove else None,
        chosen.key,
    )


def order_key(chosen: Chosen, theta: str | None = None) -> str:
    """Return what an order is known by: all that its board depends on."""
    objective = objective_of(chosen, theta)
    return repr((chosen.asked_key, objective.name, sorted(objective.parameters.items()), chosen.plan.generations))


def generations_of(plan: Plan) -> int:
    """Return how many generations a plan's searches breed at most."""
    return plan.generations or GENERATIONS
