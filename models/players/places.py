"""Where, when and against whom each player of the round plays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd

from models.players.chances import Chances

NO_MATCH = "–"


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """The matches of the round seen from the players: row i of every array is player i."""

    team: np.ndarray  # (n,) number of his team
    matches: np.ndarray  # (n,) matches in the round
    slot: np.ndarray  # (n,) kick-off slot of the last of them, in order of time; 0 without one
    kickoff: np.ndarray  # (n,) datetime64 of it in UTC; NaT without one
    opponents: np.ndarray  # (n,) text such as "MEX (A), ESP (N)"


def place_players(players: pd.DataFrame, codes: tuple[str, ...], matches: pd.DataFrame) -> Places:
    """Return the places of the players; `matches` are the coming fixtures in order of kick-off."""
    number = {code: row for row, code in enumerate(codes)}
    slots = pd.factorize(matches["kickoff"], sort=True)[0]
    times = matches["kickoff"].dt.tz_convert(None).to_numpy()
    count, slot = np.zeros(len(codes), dtype=int), np.zeros(len(codes), dtype=int)
    kickoff = np.full(len(codes), np.datetime64("NaT", "us"))
    seen: list[list[str]] = [[] for _ in codes]
    for row, (home, away, at_home) in enumerate(zip(matches["home"], matches["away"], matches["at_home"], strict=True)):
        for side, other in ((home, away), (away, home)):
            team = number[side]
            venue = {side: "H", other: "A"}.get(at_home, "N")
            seen[team].append(f"{other} ({venue})")
            count[team] += 1
            slot[team], kickoff[team] = slots[row], times[row]
    team = players["team"].map(number).to_numpy(dtype=int)
    shown = np.array([", ".join(names) or NO_MATCH for names in seen])
    return Places(team, count[team], slot[team], kickoff[team], shown[team])


def chance_to_play(chances: Chances, players: int) -> np.ndarray:
    """Return P(plays in at least one match of the round)."""
    absent = np.ones(players)
    np.multiply.at(absent, chances.player, 1 - chances.plays)
    return 1 - absent


def clean_sheets(chances: Chances, players: int) -> np.ndarray:
    """Return P(his team concedes nothing) in each of his matches (n, most matches), 0 for no match."""
    home, away = chances.grid.clean_sheet("home"), chances.grid.clean_sheet("away")
    turn = np.arange(len(chances)) - np.searchsorted(chances.player, chances.player)
    sheets = np.zeros((players, int(turn.max(initial=0)) + 1))
    sheets[chances.player, turn] = np.where(chances.away, away[chances.match], home[chances.match])
    return sheets
