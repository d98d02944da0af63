"""Whom does a row mean? Written names and ids become players, and what stays open is said, never guessed."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from heapq import nlargest
from itertools import pairwise
from typing import NamedTuple

import pandas as pd

from data.errors import NameMatchError, UnknownError
from data.naming.names import folded

NEAREST = 3
CLOSE_ENOUGH = 0.6
"""Similarity from which a name is offered as a candidate: the share of letters in common, as difflib measures it."""

SEARCHED_NAMES = 200
"""Names per table that get nearest candidates: a search takes milliseconds, and a wrong file fails on every row."""

SHORTLIST = 40
"""Names, by pairs of letters in common, that are compared letter by letter: all of them would take ten times longer."""

OFFERED = 5
"""Candidates that a row names; a first name alone may fit a whole team."""

LISTED = 10
_NAME_AND_TEAM = re.compile(r"(.+)\(([^()]+)\)\s*")


class Written(NamedTuple):
    """What a row says about its player."""

    row: int  # as the spreadsheet numbers it
    player_id: int | None
    name: str
    team: str

    def __str__(self) -> str:
        name = self.name or f"id {self.player_id}"
        return f"{name} ({self.team})" if self.team else name


@dataclass(frozen=True, slots=True)
class Unplaced:
    """A row that fits no player, or several."""

    row: int
    written: str
    reason: str
    ambiguous: bool
    candidates: tuple[str, ...] = ()

    def __str__(self) -> str:
        more = f" and {len(self.candidates) - OFFERED} more" if len(self.candidates) > OFFERED else ""
        offered = f" Candidates: {'; '.join(self.candidates[:OFFERED])}{more}." if self.candidates else ""
        return f"Row {self.row}, {self.written[:80]}: {self.reason}.{offered}"


@dataclass(frozen=True, slots=True)
class Placement:
    """The player of every row, None where it stays open, and why."""

    player_ids: tuple[int | None, ...]
    unplaced: tuple[Unplaced, ...]
    unknown_teams: tuple[str, ...]

    def refuse_unplaced(self) -> None:
        """Raise an error that lists the rows without a player, if there are any."""
        if self.unplaced:
            listed = "\n".join(str(entry) for entry in self.unplaced[:LISTED])
            more = f"\n… and {len(self.unplaced) - LISTED} more." if len(self.unplaced) > LISTED else ""
            raise NameMatchError(
                f"{len(self.unplaced)} of {len(self.player_ids)} rows fit no single player. Correct them, give the "
                f"player's id, or resolve them by hand.\n{listed}{more}"
            )


class _Verdict(NamedTuple):
    player_id: int | None
    reason: str = ""
    candidates: tuple[int, ...] = ()
    ambiguous: bool = False


class PlayerNames:
    """The names under which the players of a deadline are known.

    A name is looked up as first and last name (either order); then as any shorter one: known or short name, initial and
    last name, last name; then as two or more words of the full name. The first of the three that fits anybody decides,
    within the team when one is given, and only when it fits exactly one. The shorter names are one step, because the
    known name of one is the last name of his team-mate: in the World Cup, one after the other, 11 of 1,482 went wrong.
    """

    def __init__(self, players: pd.DataFrame, teams: pd.DataFrame) -> None:
        """Index a snapshot's players; its teams let a table write "Arsenal" for ARS."""
        players = players.reset_index(drop=True)
        self._team = dict(zip(players["player_id"].astype(int), players["team"], strict=True))
        self._shown = dict(zip(players["player_id"].astype(int), players["name"], strict=True))
        self._codes = {folded(code): code for code in self._team.values()} | _team_spellings(teams)
        self._ladder = _ladder(players)
        self._words = _word_index(players)
        self._spelt = {name: ids for tier in self._ladder for name, ids in tier.items()}
        self._pairs = _pair_index(self._spelt)

    def place(self, rows: Iterable[Written], resolutions: Mapping[str, int] | None = None) -> Placement:
        """Return whom each row means; `resolutions` maps a name as written to the id the user chose for it."""
        chosen = self._checked(resolutions or {})
        verdicts: dict[tuple[int | None, str, str], _Verdict] = {}
        player_ids, unplaced, strangers = [], [], dict[str, None]()
        searches = SEARCHED_NAMES
        for written in rows:
            key = written[1:]
            if key not in verdicts:
                verdict = self._verdict(written, chosen)
                if verdict.player_id is None and not verdict.candidates and searches:
                    searches -= 1
                    verdict = verdict._replace(candidates=self.nearest(written.name, written.team))
                verdicts[key] = verdict
            verdict = verdicts[key]
            player_ids.append(verdict.player_id)
            if written.team and self.team_code(written.team) is None:
                strangers[written.team] = None
            if verdict.player_id is None:
                offered = tuple(self.label(player) for player in verdict.candidates)
                unplaced.append(Unplaced(written.row, str(written), verdict.reason, verdict.ambiguous, offered))
        return Placement(tuple(player_ids), tuple(unplaced), tuple(strangers))

    def only(self, name: str) -> int | None:
        """Return the one player a name fits, None when it fits nobody or several."""
        return self._by_name(name, "").player_id

    def label(self, player_id: int) -> str:
        """Return a player's name, team and id as one text a user can choose by."""
        return f"{self._shown[player_id]} ({self._team[player_id]}, id {player_id})"

    def team_code(self, team: str) -> str | None:
        """Return the code of a team written as code or name, None for an unknown one."""
        return self._codes.get(folded(team))

    def nearest(self, name: str, team: str = "") -> tuple[int, ...]:
        """Return the players whose names are closest, only those of the team if any of them is close."""
        code = self.team_code(team) if team else None
        key = folded(name)
        mates = self._close(key, code) if code is not None else ()
        return mates or self._close(key, None)

    def _close(self, key: str, code: str | None) -> tuple[int, ...]:
        shared = Counter(name for pair in _letter_pairs(key) for name in self._pairs.get(pair, ()))
        names = {name: self._of_team(self._spelt[name], code) for name in shared}
        shortlist = nlargest(SHORTLIST, (name for name in names if names[name]), key=lambda name: (shared[name], name))
        close = get_close_matches(key, shortlist, n=2 * NEAREST, cutoff=CLOSE_ENOUGH)
        return tuple(dict.fromkeys(player for name in close for player in names[name]))[:NEAREST]

    def _checked(self, resolutions: Mapping[str, int]) -> dict[str, int]:
        for name, player_id in resolutions.items():
            if player_id not in self._team:
                raise UnknownError(f"{name!r} is resolved to player {player_id}, who is not on offer in this round.")
        return {folded(name): player_id for name, player_id in resolutions.items()}

    def _verdict(self, written: Written, chosen: Mapping[str, int]) -> _Verdict:
        spellings = (folded(str(written)), folded(written.name)) if chosen else ()
        for spelling in spellings:
            if spelling in chosen:
                return _Verdict(chosen[spelling])
        if written.player_id is not None:
            return self._by_id(written.player_id, written.name)
        return self._by_name(written.name, written.team)

    def _by_id(self, player_id: int, name: str) -> _Verdict:
        """Accept an id unless the name beside it is another's: ids change hands from season to season."""
        if player_id not in self._team:
            return _Verdict(None, f"there is no player with id {player_id}")
        words = [word for word in folded(name).split() if len(word) > 1]
        if words and not any(player_id in self._words.get(word, ()) for word in words):
            return _Verdict(None, f"id {player_id} is {self._shown[player_id]} here; is it another season's table")
        return _Verdict(player_id)

    def _by_name(self, name: str, team: str) -> _Verdict:
        code = self.team_code(team) if team else None
        within = _NAME_AND_TEAM.fullmatch(name)
        if within and code is None and (code := self.team_code(within.group(2))) is not None:
            name = within.group(1)
        key = folded(name)
        fitting = self._fitting(key, code)
        if len(fitting) == 1:
            return _Verdict(fitting[0])
        if fitting:
            return _Verdict(None, f"fits {len(fitting)} players", fitting, ambiguous=True)
        elsewhere = self._fitting(key, None) if code else ()
        if elsewhere:
            return _Verdict(None, f"nobody of this name plays for {code} here", elsewhere)
        return _Verdict(None, "fits no player")

    def _fitting(self, key: str, code: str | None) -> tuple[int, ...]:
        for tier in self._ladder:
            if fitting := self._of_team(tier.get(key, ()), code):
                return fitting
        words = key.split()
        if len(words) < 2:
            return ()
        rarest, *others = sorted((self._words.get(word, ()) for word in words), key=len)
        return self._of_team((player for player in rarest if all(player in other for other in others)), code)

    def _of_team(self, player_ids: Iterable[int], code: str | None) -> tuple[int, ...]:
        return tuple(player for player in player_ids if code is None or self._team[player] == code)


def _team_spellings(teams: pd.DataFrame) -> dict[str, str]:
    named = {column: zip(teams[column], teams["code"], strict=True) for column in ("results_name", "name", "code")}
    return {folded(text): code for pairs in named.values() for text, code in pairs if text}


def _ladder(players: pd.DataFrame) -> tuple[dict[str, tuple[int, ...]], ...]:
    first, last = players["first_name"], players["last_name"]
    initial = first.str.slice(0, 1)
    tiers = (
        (first + " " + last, last + " " + first),
        (players["name"], players["known_name"], players["short"], initial + " " + last, last + " " + initial, last),
    )
    return tuple(_index(players, *(spellings.map(folded) for spellings in tier)) for tier in tiers)


def _word_index(players: pd.DataFrame) -> dict[str, tuple[int, ...]]:
    names = players["first_name"] + " " + players["last_name"] + " " + players["known_name"] + " " + players["name"]
    words = names.map(folded).str.split().explode()
    return _index(players.loc[words.index], words)


def _letter_pairs(key: str) -> set[str]:
    return {first + second for first, second in pairwise(f" {key} ")}


def _pair_index(names: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for pair in _letter_pairs(name):
            found[pair].append(name)
    return dict(found)


def _index(players: pd.DataFrame, *spellings: pd.Series) -> dict[str, tuple[int, ...]]:
    found: dict[str, dict[int, None]] = defaultdict(dict)
    for column in spellings:
        for key, player in zip(column, players["player_id"], strict=True):
            if key:
                found[key][int(player)] = None
    return {key: tuple(ids) for key, ids in found.items()}
