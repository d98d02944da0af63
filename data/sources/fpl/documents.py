"""Which documents of the game's API a fetch asks for, and how: a final gameweek once, and some may be missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import httpx

from data.errors import AbsentError, PayloadError, UnreachableError
from data.importing.season_layout import POSITION_OF
from data.sources.fpl.feed import begun_of, is_final, read_days, read_week
from data.sources.fpl.week_wire import week_name
from data.sources.fpl.wire import WireBootstrap, summary_name
from data.sources.report import FetchStep, nothing, optional_steps
from data.web.client import Answer, get_json


def final_weeks(game: WireBootstrap, status: object) -> dict[int, str]:
    """Return the gameweeks that have begun, the latest first: each with a name of its own once it is final, or none."""
    days, weeks = read_days(status), reversed(begun_of(game.events))
    return {week.id: f"{week.id} {week.deadline_time}" if is_final(week, days) else "" for week in weeks}


def summary_names(game: WireBootstrap) -> list[str]:
    """Return the addresses of all players' own pages."""
    return [summary_name(element.id) for element in game.elements if element.element_type in POSITION_OF]


def spared(client: httpx.Client, name: str) -> tuple[Answer, str]:
    """Return a document, or an empty one and why the source does not have it."""
    try:
        return get_json(client, name), ""
    except (AbsentError, UnreachableError) as error:
        return nothing(name), str(error)


def needed(client: httpx.Client, name: str) -> tuple[Answer, str]:
    """Return a document, or an empty one where the source says that there is none; any other failure ends the fetch."""
    try:
        return get_json(client, name), ""
    except AbsentError as error:
        return nothing(name), str(error)


def brought(
    client: httpx.Client, weeks: Mapping[int, str], names: Sequence[str], done: int, total: int
) -> Iterator[FetchStep]:
    """Bring gameweeks and other documents that a fetch can go without, and number them on."""
    wanted = {week_name(week): partial(_week, client, week, final) for week, final in weeks.items()}
    wanted |= {name: partial(get_json, client, name) for name in names}
    return optional_steps(wanted, done, total)


def _week(client: httpx.Client, gameweek: int, final: str) -> Answer:
    """Return a gameweek; one that was kept for good but cannot be read is asked for again."""
    name = week_name(gameweek)
    try:
        answer = get_json(client, name, final=final)
        read_week({name: answer.value}, gameweek)
    except AbsentError:
        raise
    except PayloadError:
        if not final:
            raise
        answer = get_json(client, name)
    return answer
