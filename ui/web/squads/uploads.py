"""A squad as a visitor brings it, pasted or uploaded, turned into player ids. Pure: nothing is written or fetched.

A squad is a list of names or ids, a CSV (a line-up exported here comes back whole), or the game's own team as JSON.
What fits no player is told with its row, never dropped silently.

    read_squad(content, snapshot, size=15)  -> BroughtSquad
    by_position(player_ids, snapshot)       -> {"GK": [ids], …}
    shape_gaps(counts, shape)               -> ("1 GK is missing", …)
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from data.domain import POSITIONS, Position
from data.sources.own.delimited import decoded
from data.sources.own.projections import told
from data.sources.own.squads import SQUAD_LIMITS, read_names
from data.worlds.snapshot import Snapshot
from engine.board.squad_input import NO_ACCOUNT, account_of, lineup_part
from ui.web.squads.team_json import BroughtSquad, looks_like_json, read_team

LONGEST_PASTE = 20_000
"""Characters of a text box: twenty squads of fifteen full names with their teams take about 9,000."""

ARMBAND = re.compile(r" ?\((?:c|v|captain|vice)\)", re.IGNORECASE)
"""The mark people write behind a captain's or vice-captain's name; more blanks before it fall away with the cell's."""


OWN_LINE = re.compile(r"(?:GK|DEF|MID|FWD|Bench): (.+)")
"""A line of players in a line-up that was copied as text."""


def read_squad(content: bytes | str, snapshot: Snapshot, *, size: int) -> BroughtSquad:
    """Return the players a text or file means; rows that fit nobody are remarks, an unreadable one is an error."""
    text = decoded(content, SQUAD_LIMITS)
    if looks_like_json(text):
        return _from_json(text, snapshot, size)
    plain = own_text(ARMBAND.sub("", text))
    part, account = lineup_part(plain), account_of(plain)
    named = read_names(part, snapshot.players, teams=snapshot.teams)
    report = named.report if part is plain else replace(named.report, ignored_columns=())  # ours need no remark
    _, *remarks = report.lines()
    if account.round not in (None, snapshot.round):
        remarks.append(f"Its money and transfers are those before round {account.round}: not used.")
        account = NO_ACCOUNT
    return BroughtSquad(named.player_ids, tuple(remarks), account.budget, account.free_transfers, account.selling)


def own_text(text: str) -> str:
    """Return a line-up that was copied as text here as one player per line; any other text as it is."""
    lines = [found[1] for line in text.splitlines() if (found := OWN_LINE.match(line))]
    return "\n".join(name.strip() for line in lines for name in line.split(", ")) if len(lines) > 1 else text


def by_position(player_ids: Sequence[int], snapshot: Snapshot) -> dict[str, list[int]]:
    """Return players by position, in their order; who is not on offer is left out."""
    place = dict(zip(snapshot.players["player_id"].tolist(), snapshot.players["position"].tolist(), strict=True))
    return {position: [number for number in player_ids if place.get(number) == position] for position in POSITIONS}


def shape_gaps(counts: Mapping[str, int], shape: Mapping[Position, int]) -> tuple[str, ...]:
    """Return what a squad lacks or has too many of, in words; nothing when it is whole."""
    gaps = {position: needed - counts.get(position, 0) for position, needed in shape.items()}
    return tuple(
        f"{abs(gap)} {position} {'is' if abs(gap) == 1 else 'are'} {'missing' if gap > 0 else 'too many'}"
        for position, gap in gaps.items()
        if gap
    )


def _from_json(text: str, snapshot: Snapshot, size: int) -> BroughtSquad:
    team = read_team(text, size)
    known = set(snapshot.players["player_id"].tolist())
    unknown = [
        f"Place {place}: there is no player with id {number} in this round."
        for place, number in enumerate(team.player_ids, start=1)
        if number not in known
    ]
    ids = tuple(dict.fromkeys(number for number in team.player_ids if number in known))
    return replace(team, player_ids=ids, remarks=tuple(told(unknown)))
