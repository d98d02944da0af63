"""Who scored: goals of the results set matched to the players of a deadline, never by a guess."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

import numpy as np
import pandas as pd

from data.naming.aliases import Aliases, read_aliases
from data.naming.names import folded
from models.teams.past_matches import day_of

SHORTEST_PREFIX = 3
"""Letters a short first name must have: Max for Maximilian. An initial would make Burak Yılmaz of Barış Alper Yılmaz,
Ayrton of Ángelo Preciado and Beder of Bruno Caicedo: all the initials of the bundled goals that fit are wrong."""

SOUND_LETTERS = 5
"""Consonants two names must share, all of them and in order, before they count as one name written in two ways."""

FAMILY_LETTERS = 3
"""Consonants from which two family names that sound alike make a scorer a possible player of the pool."""

RECENT_DAYS = 1096
"""The last three years: squads change, so the plain share of older goals says little."""

LISTED = 15
PARTICLES = frozenset(
    ("abu", "al", "bin", "da", "das", "de", "del", "den", "der", "di", "do", "dos", "e", "el", "la", "le", "van", "von")
)
_WRITTEN_OUT = {"jr": "junior", "jnr": "junior"}
_SAME_SOUND = str.maketrans("cq", "kk", "aeiouy")
_DOUBLED = re.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True, eq=False)
class ScorerMatches:
    """The goals of the teams at hand with their scorers as players, and who stays unmatched."""

    goals: pd.DataFrame  # date, team (code), scorer, own_goal, penalty, player_id (Int64, NA = nobody), step
    unmatched: pd.DataFrame  # team, scorer, goals, possible; the most goals first
    notes: tuple[str, ...]  # aliases that point at nobody of this pool

    @property
    def share(self) -> float:
        """The share of goals by players in the pool that are matched.

        To the matched ones are added all goals of unmatched scorers who might be in the pool: whose name fits several
        players, or whose family name sounds like that of a player of their team, unless aliases.toml calls them
        strangers. A man with a nickname of his own (Ró-Ró) can be missed by this: for the bundled goals all unmatched
        names were read by hand, and every one of the 243 goals at the World Cup until its Round of 32 has its scorer.
        """
        matched = int(self.goals["player_id"].notna().sum())
        possible = int(self.unmatched.loc[self.unmatched["possible"], "goals"].sum())
        return matched / (matched + possible) if matched + possible else 1.0

    def plain_share(self, since: date | str | None = None) -> float:
        """Return the share of all goals of the teams since a day that are matched, players long gone included."""
        scored = self.goals[~self.goals["own_goal"]]
        if since is not None:
            scored = scored[scored["date"] >= day_of(since)]
        return float(scored["player_id"].notna().mean()) if len(scored) else 1.0


@dataclass(frozen=True, slots=True, eq=False)
class DecayedGoals:
    """Goals other than penalties, each worth ½ per half-life of age; who is absent has none."""

    players: pd.Series  # by player_id
    teams: pd.Series  # by code; goals of unmatched scorers and opponents' own goals count, as they do in a score


class _Spelling(NamedTuple):
    """One way to write a name, in the forms the steps compare."""

    words: tuple[str, ...]
    telling: frozenset[str]  # the words without particles
    joined: str
    sound: str


class _Candidate(NamedTuple):
    """A player of the pool."""

    player_id: int
    spellings: tuple[_Spelling, ...]  # first and last name, known name, name as shown
    written: frozenset[tuple[str, ...]]  # the words of each
    turned: frozenset[str]  # joined, with any number of words moved from the front to the end
    words: frozenset[str]  # of all spellings


class _Verdict(NamedTuple):
    player_id: int | None
    step: str = ""
    possible: bool = False


def match_scorers(
    goals: pd.DataFrame, players: pd.DataFrame, teams: pd.DataFrame, aliases: Aliases | None = None
) -> ScorerMatches:
    """Match every goal but own goals to a player of the scorer's team, where exactly one fits.

    A name is tried as an alias, as it stands, turned round (Son Heung-min), as more or fewer words of one name (Marcus
    Holmgren Pedersen), with a short first name, then by sound (Firas Al-Buraikan, Feras Al Brikan). The first step that
    fits anybody decides; when it fits two, the goal stays unmatched. Without `aliases` the shipped ones are read.
    """
    judged = read_aliases() if aliases is None else aliases
    codes = {name: code for name, code in zip(teams["results_name"], teams["code"], strict=True) if name}
    ours = goals[goals["team"].isin(list(codes))]
    ours = ours.assign(team=ours["team"].map(codes).astype("str"))[["date", "team", "scorer", "own_goal", "penalty"]]
    scored = ours.loc[~ours["own_goal"], ["team", "scorer"]].value_counts(sort=False).reset_index(name="goals")
    pools, notes = _pools(players), list[str]()
    verdicts = [_verdict(row.team, row.scorer, pools[row.team], judged, notes) for row in scored.itertuples()]
    decided = scored.assign(
        player_id=pd.array([verdict.player_id for verdict in verdicts], dtype="Int64"),
        step=pd.array([verdict.step for verdict in verdicts], dtype="str"),
        possible=np.array([verdict.possible for verdict in verdicts], dtype=bool),
    )
    return ScorerMatches(_with_players(ours, decided), _unmatched(decided), tuple(notes))


def describe(matches: ScorerMatches) -> str:
    """Return the shares, the steps that matched, and the unmatched scorers with the most goals, as text."""
    scored = matches.goals[~matches.goals["own_goal"]]
    newest = scored["date"].max()
    steps = scored.loc[scored["player_id"].notna(), "step"].value_counts()
    lines = [
        f"Scorers: {matches.share:.1%} of the goals by players in the pool are matched "
        f"({', '.join(f'{step} {count}' for step, count in steps.items()) or 'none'}).",
        f"Of all {len(scored)} goals of these teams {matches.plain_share():.1%}",
    ]
    if len(scored):
        since = newest - pd.Timedelta(days=RECENT_DAYS)
        lines[-1] += f", since {since:%Y-%m-%d} {matches.plain_share(since):.1%}"
    lines[-1] += " are matched."
    for title, rows in (
        ("Perhaps in the pool", matches.unmatched[matches.unmatched["possible"]]),
        (
            "Nobody of that family name in the pool, or strangers by aliases.toml",
            matches.unmatched[~matches.unmatched["possible"]],
        ),
    ):
        lines += _listed(title, rows)
    return "\n".join([*lines, *matches.notes])


def decayed_goals(matches: ScorerMatches, as_of: date | str, half_life_days: float) -> DecayedGoals:
    """Return the decayed goals other than penalties of every player and team, from the days before `as_of`."""
    open_play = matches.goals[~matches.goals["penalty"]]
    weighted = _weighted(open_play, as_of, half_life_days)
    named = weighted.dropna(subset="player_id").astype({"player_id": "int64"})
    return DecayedGoals(named.groupby("player_id")["weight"].sum(), weighted.groupby("team")["weight"].sum())


def penalty_takers(matches: ScorerMatches, as_of: date | str, half_life_days: float) -> pd.DataFrame:
    """Return team, decayed penalties scored and their share within the team, by player_id.

    The shares of a team's takers sum to 1: penalties of men who are gone fall to those who are left. `penalties` says
    how much a share rests on. Only scored penalties are on record, without those of shoot-outs.
    """
    penalties = matches.goals[matches.goals["penalty"]].dropna(subset="player_id").astype({"player_id": "int64"})
    weighted = _weighted(penalties, as_of, half_life_days)
    takers = weighted.groupby("player_id").agg(team=("team", "first"), penalties=("weight", "sum"))
    return takers.assign(share=takers["penalties"] / takers.groupby("team")["penalties"].transform("sum"))


def _weighted(goals: pd.DataFrame, as_of: date | str, half_life_days: float) -> pd.DataFrame:
    day = day_of(as_of)
    known = goals[goals["date"] < day]
    return known.assign(weight=0.5 ** ((day - known["date"]).dt.days / half_life_days))


def _with_players(ours: pd.DataFrame, decided: pd.DataFrame) -> pd.DataFrame:
    found = ours.merge(decided[["team", "scorer", "player_id", "step"]], on=["team", "scorer"], how="left")
    found["player_id"] = found["player_id"].mask(found["own_goal"])
    found["step"] = found["step"].where(found["player_id"].notna(), "")
    return found


def _unmatched(decided: pd.DataFrame) -> pd.DataFrame:
    rows = decided.loc[decided["player_id"].isna(), ["team", "scorer", "goals", "possible"]]
    return rows.sort_values(["goals", "team", "scorer"], ascending=[False, True, True]).reset_index(drop=True)


def _listed(title: str, rows: pd.DataFrame) -> list[str]:
    if rows.empty:
        return []
    names = "; ".join(f"{row.scorer} ({row.team}) {row.goals}" for row in rows.head(LISTED).itertuples())
    more = f"; and {len(rows) - LISTED} more" if len(rows) > LISTED else ""
    return [f"{title}: {names}{more}."]


def _pools(players: pd.DataFrame) -> dict[str, tuple[_Candidate, ...]]:
    pools: dict[str, list[_Candidate]] = defaultdict(list)
    columns = ["player_id", "team", "first_name", "last_name", "known_name", "name"]
    for player_id, team, first, last, known, shown in players[columns].itertuples(index=False, name=None):
        pools[team].append(_candidate(int(player_id), (f"{first} {last}", known, shown)))
    return defaultdict(tuple, {team: tuple(candidates) for team, candidates in pools.items()})


def _candidate(player_id: int, names: Iterable[str]) -> _Candidate:
    plain = dict.fromkeys(map(folded, dict.fromkeys(names)))
    spellings = tuple(_spelling(name) for name in plain if name)
    turned = {"".join(words[cut:] + words[:cut]) for words in (s.words for s in spellings) for cut in range(len(words))}
    words = frozenset(word for spelling in spellings for word in spelling.words)
    return _Candidate(
        player_id, spellings, frozenset(spelling.words for spelling in spellings), frozenset(turned), words
    )


def _spelling(name: str) -> _Spelling:
    words = tuple(_WRITTEN_OUT.get(word, word) for word in name.split())
    return _Spelling(words, frozenset(words) - PARTICLES, "".join(words), " ".join(map(_sound, words)))


def _sound(word: str) -> str:
    """Return a word's consonants, doubles once, and whether it begins with a vowel: Hajsafi and Hajisafi are one."""
    heard = ("a" if word[0] in "aeiou" else "") + word.translate(_SAME_SOUND)
    return _DOUBLED.sub(r"\1", heard)


def _verdict(team: str, scorer: str, pool: tuple[_Candidate, ...], aliases: Aliases, notes: list[str]) -> _Verdict:
    name = folded(scorer)
    if (target := aliases.player(team, name)) is not None:
        return _by_alias(team, scorer, target, pool, notes)
    stranger = aliases.is_stranger(team, name)
    written = _spelling(name)
    for step, fits in STEPS[:1] if stranger else STEPS:
        fitting = [candidate for candidate in pool if fits(written, candidate)]
        if len(fitting) == 1:
            return _Verdict(fitting[0].player_id, step)
        if fitting:
            return _Verdict(None, possible=True)
    return _Verdict(None, possible=not stranger and any(_same_family(written, candidate) for candidate in pool))


def _by_alias(team: str, scorer: str, target: str, pool: tuple[_Candidate, ...], notes: list[str]) -> _Verdict:
    meant = [candidate for candidate in pool if _same_name(_spelling(target), candidate)]
    if len(meant) == 1:
        return _Verdict(meant[0].player_id, "alias")
    why = "fits several players" if meant else "is not in this pool"
    notes.append(f"Alias ignored: {scorer} ({team}) is said to be {target}, who {why}.")
    return _Verdict(None, possible=bool(meant))


def _same_name(written: _Spelling, candidate: _Candidate) -> bool:
    return written.words in candidate.written


def _turned_name(written: _Spelling, candidate: _Candidate) -> bool:
    return written.joined in candidate.turned


def _more_or_fewer_words(written: _Spelling, candidate: _Candidate) -> bool:
    """Two telling words in common, all of one name's, and the same last word.

    The last word must agree because a middle name is often a father's: Mostafa Mohamed would be Mostafa Ahmed Abdelaziz
    Mohamed Shobeir, and Ali Hassan any Ali who is the son of a Hassan.
    """
    same_end = [spelling for spelling in candidate.spellings if spelling.words[-1:] == written.words[-1:]]
    if not same_end or len(written.telling & candidate.words) < 2:
        return False
    return candidate.words.issuperset(written.words) or any(s.telling <= written.telling for s in same_end)


def _short_first_name(written: _Spelling, candidate: _Candidate) -> bool:
    first, *family = written.words or ("",)
    return any(
        family == list(spelling.words[1:])
        and min(len(first), len(spelling.words[0])) >= SHORTEST_PREFIX
        and (first.startswith(spelling.words[0]) or spelling.words[0].startswith(first))
        for spelling in candidate.spellings
        if family
    )


def _same_sound(written: _Spelling, candidate: _Candidate) -> bool:
    enough = len(written.words) > 1 and len(written.sound.replace(" ", "")) >= SOUND_LETTERS
    return enough and any(written.sound == spelling.sound for spelling in candidate.spellings)


def _same_family(written: _Spelling, candidate: _Candidate) -> bool:
    end, sound = written.words[-1:], written.sound.rpartition(" ")[2]
    return any(
        spelling.words[-1:] == end or (len(sound) >= FAMILY_LETTERS and spelling.sound.rpartition(" ")[2] == sound)
        for spelling in candidate.spellings
    )


STEPS: tuple[tuple[str, Callable[[_Spelling, _Candidate], bool]], ...] = (
    ("exact", _same_name),
    ("turned", _turned_name),
    ("words", _more_or_fewer_words),
    ("short", _short_first_name),
    ("sound", _same_sound),
)
"""From strict to loose; the first step that fits anybody decides."""
