"""The pages in the order of the navigation; each is a module with `show()`, imported when it is first opened."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import streamlit as st

from ui.web.choice.frame import guarded


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page: where it is found and what it is called."""

    path: str  # of its address; the first page is also the home
    title: str
    icon: str

    def show(self) -> None:
        """Draw the page; its module is imported then, so that the home paints early."""
        import_module(f"ui.web.pages.{self.path.replace('-', '_')}").show()

    @property
    def page(self) -> st.Page:
        """The page as Streamlit knows it, to be opened or linked to."""
        return st.Page(
            guarded(self.show),
            title=self.title,
            icon=f":material/{self.icon}:",
            url_path=self.path,
            default=self is PAGES[0],
        )


PAGES = (
    PageEntry("pick", "Pick", "sports_soccer"),
    PageEntry("compare", "Compare", "compare_arrows"),
    PageEntry("spectrum", "Spectrum", "scatter_plot"),
    PageEntry("lineage", "Lineage", "account_tree"),
    PageEntry("players", "Players", "groups"),
    PageEntry("my-squad", "My squad", "person"),
    PageEntry("fitness", "Fitness", "function"),
    PageEntry("data", "Data", "database"),
    PageEntry("record", "Our record", "fact_check"),
    PageEntry("dial", "Dial", "tune"),
    PageEntry("squadbench", "SquadBench", "leaderboard"),
)
MY_SQUAD = next(entry for entry in PAGES if entry.path == "my-squad")
DATA = next(entry for entry in PAGES if entry.path == "data")
