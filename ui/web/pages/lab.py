"""Lab: the pages for the curious, each with what it is for: how squads are found, judged and measured."""

from __future__ import annotations

from html import escape

import streamlit as st

from ui.web.choice.session import current_plan
from ui.web.drawing.words import GLOSSARY
from ui.web.pages.navigation import PAGES


def show() -> None:
    """Draw the page; it asks for no plan, but who passes by keeps his."""
    current_plan()
    st.title("Lab", anchor=False)
    st.markdown("How squads are found, what they are judged by, and whether that is any good.")
    for entry in PAGES:
        if entry.told:
            with st.container(horizontal=True, vertical_alignment="center", border=True, key=f"lab_{entry.path}"):
                st.page_link(entry.page, width=150)
                st.markdown(entry.told, width="stretch")
    st.subheader("Words we use", anchor=False)
    st.html(glossary_html())


def glossary_html() -> str:
    """Return the words of the product with what they mean."""
    told = "".join(f"<dt>{escape(word)}</dt><dd>{escape(meaning)}</dd>" for word, meaning in GLOSSARY.items())
    return f'<dl class="xi-means xi-glossary" data-testid="glossary">{told}</dl>'
