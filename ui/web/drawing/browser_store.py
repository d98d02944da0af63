"""What the visitor's own browser keeps for him between visits: one text by name, read when a page is opened.

    held = browser_store("thetaxi_drafts", save)      what the browser has, None until it has told

The server keeps nothing of it. What comes back was in somebody's hands: read it as an upload.
"""

from __future__ import annotations

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

HELD = "held"
SCRIPT = """
export default function ({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".xi-store")
  try {
    if (data.save !== null && root.saved !== data.save) {
      localStorage.setItem(data.name, data.save)
      root.saved = data.save
    }
    const held = localStorage.getItem(data.name) || ""
    if (root.told !== held) {
      root.told = held
      setStateValue("held", held)
    }
  } catch {
    if (root.told === undefined) setStateValue("held", "")
    root.told = ""
  }
}
"""


def browser_store(name: str, save: str | None) -> str | None:
    """Return what the browser keeps under a name; unless `save` is None, it keeps that from now on."""
    with st.container(key=f"browser_store_{name}"):
        answer = _mount()(data={"name": name, "save": save}, key=f"store_{name}", on_held_change=lambda: None)
    held = answer.get(HELD)
    return held if isinstance(held, str) else None


def _mount() -> ComponentRenderer:
    return st.components.v2.component(
        "thetaxi_store", html='<span class="xi-store"></span>', js=SCRIPT, isolate_styles=False
    )
