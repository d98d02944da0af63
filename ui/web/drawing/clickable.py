"""HTML of our own whose parts can be pressed: by mouse, by finger, by Tab and Enter.

    picked = draw_clickable(html, key="pitch_0")      the `data-pick` of the button that was pressed just now, else ""

Streamlit does not clean what a component draws, as it does with `st.html`: whoever makes the HTML escapes every name
in it. It is written anew only where it changed, and the button that had the focus has it again.
"""

from __future__ import annotations

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

PRESSED = "picked"
SCRIPT = """
export default function ({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".xi-live")
  if (root.said !== data.html) {
    const held = root.contains(document.activeElement) ? document.activeElement.dataset.pick : undefined
    root.innerHTML = data.html
    root.said = data.html
    if (held !== undefined) root.querySelector(`[data-pick="${CSS.escape(held)}"]`)?.focus()
  }
  root.onclick = (event) => {
    const button = event.target.closest("[data-pick]")
    if (button && root.contains(button)) setTriggerValue("picked", button.dataset.pick)
  }
}
"""


def draw_clickable(html: str, *, key: str) -> str:
    """Draw HTML with buttons that carry `data-pick`; return which was pressed since the last run, or nothing."""
    answer = _mount()(data={"html": html}, key=key, on_picked_change=lambda: None)
    pressed = answer.get(PRESSED)
    return pressed if isinstance(pressed, str) else ""


def _mount() -> ComponentRenderer:
    """Return the component; Streamlit knows it by its name, so that registering it again costs nothing."""
    return st.components.v2.component(
        "thetaxi_live", html='<div class="xi-live"></div>', js=SCRIPT, isolate_styles=False
    )
