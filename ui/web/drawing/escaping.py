"""Names and messages as plain words inside Streamlit's Markdown: nothing in them is a link, an image or a command.

    st.error(as_markdown(str(error)))     st.subheader(f"{as_markdown(name)}: 4.2 expected")

A cell of an uploaded table such as `![](http://…)` would make the browser that shows its error ask a stranger's server.
Only what Markdown would take for a command is touched, so that ordinary sentences stay as they are.
"""

from __future__ import annotations

import re

WORD_JOINER = "\u2060"
"""An invisible character: an address with it inside is no address, and a code with it no emoji, icon or colour."""

_COMMANDS = re.compile(r"[\\`*\[\]<>$~|]|&(?=#?\w)|(?<!\w)_|_(?!\w)")
_CODES = re.compile(r":(?=\S)")
_ADDRESSES = re.compile(r"(?i)(www)(?=\.)|(@)(?=\w)")
_LINE_STARTS = re.compile(r"(?m)^([^\S\n]*+)([#+=-]|\d{1,9}(?=[.)]))")


def as_markdown(text: str) -> str:
    """Return Markdown that shows exactly this text, its line breaks kept."""
    safe = _COMMANDS.sub(r"\\\g<0>", text)
    safe = _ADDRESSES.sub(rf"\g<0>{WORD_JOINER}", _CODES.sub(f":{WORD_JOINER}", safe))
    safe = _LINE_STARTS.sub(rf"\1{WORD_JOINER}\2", safe)
    return safe.replace("\n", "  \n")
