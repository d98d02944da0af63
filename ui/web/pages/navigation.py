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
    told: str = ""  # what it is for; such a page is opened from Lab, and has no place of its own in the navigation

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
            visibility="hidden" if self.told else "visible",
        )


PAGES = (
    PageEntry("this-week", "This week", "bolt"),
    PageEntry("pick", "Pick", "sports_soccer"),
    PageEntry("plan", "Plan", "calendar_month"),
    PageEntry("compare", "Compare", "compare_arrows"),
    PageEntry("players", "Players", "groups"),
    PageEntry("my-squad", "My team", "person"),
    PageEntry("lab", "Lab", "science"),
    PageEntry("data", "Data", "database"),
    PageEntry("spectrum", "Spectrum", "scatter_plot", "Every squad that was tried: score against swing or price."),
    PageEntry("lineage", "Lineage", "account_tree", "Where a squad comes from, and breeding as it happens."),
    PageEntry("fitness", "Fitness", "function", "What a squad is judged by, and your own way to judge it."),
    PageEntry("record", "Our record", "fact_check", "How good the forecasts were, beside price, crowd and the game."),
    PageEntry("seasons", "Seasons", "emoji_events", "A season played blind, its real rank, and θ on real managers."),
    PageEntry("dial", "Dial", "tune", "What protect and gain do for the leads and deficits they are meant for."),
    PageEntry("squadbench", "SquadBench", "leaderboard", "Our search against others on the same problems."),
)
BY_PATH = {entry.path: entry for entry in PAGES}
PICK, PLAN, COMPARE, MY_SQUAD, DATA = (BY_PATH[path] for path in ("pick", "plan", "compare", "my-squad", "data"))
