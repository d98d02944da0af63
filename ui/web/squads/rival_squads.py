"""The squads of named rivals, as a visitor pastes them, turned into the field one plays against. Pure.

read_rivals(text, snapshot, signals)                 -> BroughtRivals
ordered_rival(name, player_ids, captain, signals)    -> (Rival, remarks)   of a squad that was fetched
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from data.domain import POSITIONS
from data.errors import InputError, TableError
from data.rules import STARTERS
from data.sources.own.delimited import decoded
from data.sources.own.squads import SQUAD_LIMITS, read_names
from data.worlds.snapshot import Snapshot
from engine.lineup.lineups import best_lineups
from engine.rank.rivals import Rival
from models.signals import Signals
from ui.web.squads.team_json import looks_like_json, read_team
from ui.web.squads.uploads import ARMBAND

MOST_RIVALS = 20
LONGEST_NAME = 60
_BETWEEN = re.compile(r"\n[ \t]*\n")
_CELLS = re.compile(r"[,;\t|]")
_CAPTAIN = re.compile(r"\((?:c|captain)\)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class BroughtRivals:
    """The opponents a visitor named, and what was assumed of them."""

    rivals: tuple[Rival, ...] = ()
    remarks: tuple[str, ...] = ()


def read_rivals(text: str, snapshot: Snapshot, signals: Signals) -> BroughtRivals:
    """Return the opponents of a text: one squad after the other, an empty line between them.

    A first line that ends with a colon names the rival; (C) behind a player gives him the armband. Eleven or fifteen
    players each: of fifteen the first eleven start when they make an allowed formation, else the best eleven does.
    """
    plain = decoded(text, SQUAD_LIMITS).replace("\r", "").strip()
    blocks = [block for block in _BETWEEN.split(plain) if block.strip()]
    if len(blocks) > MOST_RIVALS:
        raise TableError(f"There are {len(blocks)} squads; {MOST_RIVALS} rivals are the most. Leave out the others.")
    rivals: list[Rival] = []
    remarks: list[str] = []
    for number, block in enumerate(blocks, start=1):
        name, body = _headed(block, f"Rival {number}")
        rival, said = _rival(name, body, snapshot, signals)
        rivals.append(rival)
        remarks += said
    return BroughtRivals(tuple(rivals), tuple(remarks))


def ordered_rival(
    name: str, player_ids: Sequence[int], captain: int | None, signals: Signals
) -> tuple[Rival, tuple[str, ...]]:
    """Return a rival of eleven or fifteen players, and what had to be assumed of him."""
    size = signals.rules.squad.size
    if len(player_ids) not in (STARTERS, size):
        raise InputError(f"{name} has {len(player_ids)} players; give the {STARTERS} starters or all {size}.")
    ids, said = list(player_ids), []
    if not _is_eleven(ids[:STARTERS], signals):
        ids = _with_best_eleven(name, ids, signals)
        said.append(f"{name}: the first eleven are no allowed formation, so the best eleven is taken to start.")
    if captain not in ids[:STARTERS]:
        captain = max(ids[:STARTERS], key=lambda number: float(signals.xev[signals.row_of(number)]))
        short = signals.short[signals.row_of(captain)]
        said.append(f"{name}: no starter is marked as captain with (C), so {short} is taken.")
    return Rival(name, tuple(ids[:STARTERS]), captain, tuple(ids[STARTERS:])), tuple(said)


def eleven_without(gone: Collection[int], player_ids: Sequence[int], signals: Signals) -> tuple[int, ...]:
    """Return the eleven of a squad, starters first, whose men of `gone` are no longer on offer.

    Who stands first on the bench comes in as the formation allows it.
    """
    starters = [number for number in player_ids[:STARTERS] if number not in gone]
    bench = [number for number in player_ids[STARTERS:] if number not in gone]
    for came in combinations(bench, STARTERS - len(starters)):
        if _is_eleven([*starters, *came], signals):
            return (*starters, *came)
    raise InputError(f"{len(gone)} of his players left the league, and the others make no eleven.")


def _rival(name: str, body: str, snapshot: Snapshot, signals: Signals) -> tuple[Rival, tuple[str, ...]]:
    if looks_like_json(body):
        team = read_team(body, signals.rules.squad.size)
        return ordered_rival(name, team.player_ids, team.captain, signals)
    try:
        found = read_names(ARMBAND.sub("", body), snapshot.players, teams=snapshot.teams, strict=True)
    except InputError as error:
        raise TableError(f"{name}: {error}") from None
    return ordered_rival(name, found.player_ids, _marked(body, snapshot), signals)


def _headed(block: str, otherwise: str) -> tuple[str, str]:
    first, _, rest = block.strip().partition("\n")
    if first.rstrip().endswith(":") and rest.strip():
        return first.strip().rstrip(":").strip()[:LONGEST_NAME] or otherwise, rest
    return otherwise, block


def _marked(body: str, snapshot: Snapshot) -> int | None:
    """Return the player behind whose name the armband stands: of his line, or of his cell in a line of many."""
    line = next((line for line in body.splitlines() if _CAPTAIN.search(line)), "")
    cell = next((cell for cell in _CELLS.split(line) if _CAPTAIN.search(cell)), "")
    for text in (line, cell):
        if plain := ARMBAND.sub("", text).strip():
            found = read_names(plain, snapshot.players, teams=snapshot.teams)
            if len(found.player_ids) == 1:
                return found.player_ids[0]
    return None


def _is_eleven(player_ids: Sequence[int], signals: Signals) -> bool:
    position = signals.position[[signals.row_of(number) for number in player_ids]]
    counts = tuple(int(count) for count in np.bincount(position, minlength=len(POSITIONS)))
    return counts in signals.rules.squad.lineups


def _with_best_eleven(name: str, player_ids: Sequence[int], signals: Signals) -> list[int]:
    """Return a whole squad with its best eleven first; anything else has no eleven to offer."""
    rows = np.array([signals.row_of(number) for number in player_ids])
    rows = rows[np.lexsort((rows, signals.position[rows]))]
    counts = np.bincount(signals.position[rows], minlength=len(POSITIONS)).tolist()
    if counts != list(signals.rules.squad.shape.values()):
        listed = ", ".join(f"{count} {position}" for count, position in zip(counts, POSITIONS, strict=True))
        raise InputError(f"{name}: {listed} make neither an allowed eleven nor a whole squad. Check the players.")
    lineup = best_lineups(signals, rows[None, :])
    return [int(signals.player_id[row]) for row in (*lineup.starters[0], *lineup.bench[0])]
