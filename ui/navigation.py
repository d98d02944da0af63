"""The pages in the order of the navigation; each is a module with `show()`, imported when it is first opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Entry:
    """One page: where it is found and what it is called."""

    path: str  # of its address; the first page is also the home
    title: str
    icon: str
    module: str

    def page(self) -> Callable[[], None]:
        """Return what draws the page; its module is imported then, so that the home paints early."""

        def show() -> None:
            import_module(self.module).show()

        return show


PAGES = (
    Entry("pick", "Pick", "sports_soccer", "ui.pick_page"),
    Entry("compare", "Compare", "compare_arrows", "ui.compare_page"),
    Entry("spectrum", "Spectrum", "scatter_plot", "ui.spectrum_page"),
    Entry("lineage", "Lineage", "account_tree", "ui.lineage_page"),
    Entry("players", "Players", "groups", "ui.players_page"),
    Entry("my-squad", "My squad", "person", "ui.my_squad_page"),
    Entry("fitness", "Fitness", "function", "ui.fitness_page"),
    Entry("data", "Data", "database", "ui.data_page"),
    Entry("squadbench", "SquadBench", "leaderboard", "ui.squadbench_page"),
)
