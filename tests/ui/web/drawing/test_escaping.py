"""Names inside Markdown stay words."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.web.drawing.escaping import WORD_JOINER, as_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<script>alert(1)</script>", r"\<script\>alert(1)\</script\>"),
        ("![p](http://example.org/p.png)", rf"!\[p\](http:{WORD_JOINER}//example.org/p.png)"),
        ("**bold** `code` $x$ _y_", r"\*\*bold\*\* \`code\` \$x\$ \_y\_"),
        (":red[x] :smile:", rf":{WORD_JOINER}red\[x\] :{WORD_JOINER}smile:"),
        ("# head\n1. one", f"{WORD_JOINER}# head  \n{WORD_JOINER}1. one"),
        (":x:\n\n \t- two", f":{WORD_JOINER}x:  \n  \n \t{WORD_JOINER}- two"),
        ("&lt; AT&T", r"\&lt; AT\&T"),
        ("www.example.org anna@example.org", f"www{WORD_JOINER}.example.org anna@{WORD_JOINER}example.org"),
    ],
)
def test_what_markdown_would_obey_is_disarmed(text: str, shown: str) -> None:
    assert as_markdown(text) == shown


@pytest.mark.parametrize("text", ["Ødegaard", "🦁", "x" * 200, "Row 3, Kane (ENG): p_start fits no player, 4-4-2."])
def test_ordinary_sentences_stay_as_they_are(text: str) -> None:
    assert as_markdown(text) == text


@given(st.text(max_size=80))
def test_every_letter_survives(text: str) -> None:
    plain = re.sub(rf"{WORD_JOINER}|\\(?=[\\`*\[\]<>$~|&_])", "", as_markdown(text)).replace("  \n", "\n")
    assert plain.replace("\\", "") == text.replace(WORD_JOINER, "").replace("\\", "").replace("  \n", "\n")
