"""The pages in the order of the navigation; each is a module with `show()`, imported when it is first opened."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page: where it is found and what it is called."""

    path: str  # of its address; the first page is also the home
    title: str
    icon: str
    module: str

    def show(self) -> None:
        """Draw the page; its module is imported then, so that the home paints early."""
        import_module(self.module).show()


PAGES = (
    PageEntry("pick", "Pick", "sports_soccer", "ui.web.pages.pick"),
    PageEntry("compare", "Compare", "compare_arrows", "ui.web.pages.compare"),
    PageEntry("spectrum", "Spectrum", "scatter_plot", "ui.web.pages.spectrum"),
    PageEntry("lineage", "Lineage", "account_tree", "ui.web.pages.lineage"),
    PageEntry("players", "Players", "groups", "ui.web.pages.players"),
    PageEntry("my-squad", "My squad", "person", "ui.web.pages.my_squad"),
    PageEntry("fitness", "Fitness", "function", "ui.web.pages.fitness"),
    PageEntry("data", "Data", "database", "ui.web.pages.data"),
    PageEntry("squadbench", "SquadBench", "leaderboard", "ui.web.pages.squadbench"),
)
