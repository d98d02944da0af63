"""The web page: navigation only. Each page is a module of `ui`."""

from __future__ import annotations

import streamlit as st

from ui import fitness_page, players_page
from ui.frame import ICON, guarded

st.set_page_config(page_title="ThetaXI", page_icon=str(ICON), layout="wide")
st.navigation(
    [
        st.Page(guarded(players_page.show), title="Players", url_path="players", default=True),
        st.Page(guarded(fitness_page.show), title="Fitness", url_path="fitness"),
    ],
    position="top",
).run()
