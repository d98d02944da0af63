"""The web page: navigation only. Each page is a module of `ui`, listed in `ui.web.pages.navigation`."""

from __future__ import annotations

import streamlit as st

from ui.web.choice.frame import ICON
from ui.web.drawing.look import draw_closed_drawer
from ui.web.pages.navigation import PAGES

st.set_page_config(page_title="ThetaXI", page_icon=str(ICON), layout="wide")
page = st.navigation([entry.page for entry in PAGES], position="top")
draw_closed_drawer(page.url_path)
page.run()
