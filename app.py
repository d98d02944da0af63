"""The web page: `streamlit run app.py`. Each page is a module of `ui`, listed in `ui.web.pages.navigation`."""

from __future__ import annotations

import streamlit as st

if __name__ == "__main__":  # as Streamlit runs it for every visitor
    from ui.web.choice.frame import ICON
    from ui.web.drawing.look import draw_closed_drawer
    from ui.web.pages.navigation import PAGES

    st.set_page_config(page_title="ThetaXI", page_icon=str(ICON), layout="centered")
    page = st.navigation([entry.page for entry in PAGES], position="top")
    draw_closed_drawer(page.url_path)
    page.run()
else:  # as the server imports it once, to know what stands before every request
    from ui.web.guard import guards
    from ui.web.work.collector import pause_briefly
    from ui.web.work.free_memory import share_free_memory
    from ui.web.work.warm_up import warm_up

    pause_briefly()
    share_free_memory()
    app = st.App(__file__, middleware=guards())
    warm_up()
