"""Going back: the states of a world folder before the one in place, and making one of them the one in place again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from data.errors import InputError, ThetaXIError, UnknownError
from data.storage.files import read_bounded
from data.storage.locks import alone_in
from data.worlds.generations import earlier_states, put_in_place
from data.worlds.manifest import LARGEST_TEXT, MANIFEST, parse_manifest
from data.worlds.world import World, open_state, open_world


@dataclass(frozen=True, slots=True)
class EarlierState:
    """A state of a world that another took the place of."""

    number: int
    title: str
    replaced: datetime  # UTC
    text: str  # its manifest


def states_before(folder: Path) -> tuple[EarlierState, ...]:
    """Return the states kept behind the one in place, the latest first; whether they open is not looked at."""
    try:
        return tuple(_read_states(folder))
    except OSError:
        return ()


def restore_world(folder: Path, number: int | None = None) -> World:
    """Go back to an earlier state, by default the latest that opens; the one in place is kept behind it.

    Two restores in a row come back to where they began, unless what was in place could not be opened.
    """
    if not folder.is_dir():
        raise UnknownError(f"There is no world {folder.name!r} of your own. `thetaxi worlds` lists them.")
    try:
        with alone_in(folder):
            put_in_place(folder, _chosen(folder, number).text)
    except OSError as error:
        raise InputError(f"{folder} cannot be written to: {error.strerror}.") from None
    return open_world(folder)


def _read_states(folder: Path) -> Iterator[EarlierState]:
    """Yield the states that differ from the one in place: a killed restore may leave a copy of it."""
    current = _text(folder / MANIFEST)
    for number, path in earlier_states(folder).items():
        text, replaced = _text(path), datetime.fromtimestamp(path.stat().st_mtime, UTC)
        try:
            title = parse_manifest(text, path).title
        except ThetaXIError:
            continue
        if text != current:
            yield EarlierState(number, title, replaced, text)


def _chosen(folder: Path, number: int | None) -> EarlierState:
    states = states_before(folder)
    if number is not None and number not in {state.number for state in states}:
        known = ", ".join(str(state.number) for state in states) or "none"
        raise UnknownError(f"{folder.name} has no earlier state {number}. There is: {known}.")
    for state in states:
        if number in (None, state.number) and _opens(folder, state):
            return state
    raise UnknownError(f"{folder.name} has no earlier state that can be opened. Fetch or import it again.")


def _opens(folder: Path, state: EarlierState) -> bool:
    try:
        open_state(folder, state.text)
    except ThetaXIError:
        return False
    return True


def _text(path: Path) -> str:
    try:
        return read_bounded(path, LARGEST_TEXT).decode(errors="replace")
    except OSError:
        return ""
