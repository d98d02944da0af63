"""What needs the whole field to answer, worked out beside the page: nobody waits for it.

field_task(CHANCES, key, world, draw, answer)    `draw()` makes the field of a world, once for all who play in it
draw_when_told(ask, meanwhile, draw)             draws what was found; until then it looks again by itself
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from engine.jobs import Shared
from engine.rank.field import Field
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.live import draw_until
from ui.web.work import kept
from ui.web.work.background import FIELD, crowding
from ui.web.work.scheduler import Job, JobKind, JobPart, Task

POLL = 1.0  # seconds between two looks

Found = TypeVar("Found")


@st.cache_resource
def fields() -> Shared[Field]:
    """Return the fields of this server, by world."""
    return Shared(kept.FIELDS.most)


def field_task(
    kind: JobKind, key: str, world: str, draw: Callable[[], Field], answer: Callable[[Field], Found]
) -> Task[Found | None]:
    """Return the task to answer a question in the field of a world."""
    known = fields()
    return Task(kind, key, (JobPart(FIELD, lambda _: answer(known.of(world, draw))),), None)


def draw_when_told(ask: Callable[[], Job[Found | None]], meanwhile: str, draw: Callable[[Found], None]) -> None:
    """Draw what was found, or why nothing was; while it is worked on, look again by itself."""
    state = ask().now
    if state.told is not None:
        draw(state.told)
    elif not state.running:
        st.warning(as_markdown(str(state.error)), icon=":material/casino:")
    else:
        words = f":material/hourglass_top: {meanwhile}"
        draw_until(lambda: not ask().now.running, POLL * crowding(), lambda: st.caption(words))
