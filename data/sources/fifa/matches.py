"""The matches of the World Cup's feed: who is at home, which bracket number, and what the score means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import pandas as pd

from data.errors import PayloadError
from data.rules import GameRules
from data.schema import FIXTURES, GOAL_COLUMNS, bracket_stages
from data.sources.fifa.wire import COMPLETE, ROUNDS, WireMatch, WireRound
from data.worlds.world import World

LONGEST_NINETY = 105
"""The feed's clock counts added time: the longest of 48 group matches reads 103, one with extra time 120 or more."""

EXTRA_PERIODS = ("extra", "penalt", "shoot", "aet")
THIRD_PLACE = "THIRD"
LAST_STAGES = (THIRD_PLACE, "FINAL")
"""Stages of the bracket that the feed gives one name."""

NOTHING = dict.fromkeys(GOAL_COLUMNS, pd.NA)


class MatchContext(NamedTuple):
    """What is needed to read a match besides the match."""

    codes: Mapping[int, str]  # squad id → team code
    hosts: frozenset[str]
    cities: Mapping[str, str]  # city → code of its country's team
    rules: GameRules
    background: World


def fixtures_table(rounds: list[WireRound], context: MatchContext) -> pd.DataFrame:
    """Return every match whose two sides are known."""
    known = context.background.tables["fixtures"].set_index(["match_id", "home", "away"], drop=False)
    rows = [
        _row(match, number, stage, known, context)
        for number, stage, match in _staged(rounds, context)
        if match.home is not None and match.away is not None
    ]
    fixtures = pd.DataFrame(rows, columns=FIXTURES.column_names)
    bracket = context.background.tables["bracket"]
    numbers = _official_numbers(fixtures, bracket)
    numbered = fixtures.assign(official_no=numbers)
    return numbered.assign(stage=bracket_stages(numbered, bracket))


def unknown_places(fixtures: pd.DataFrame, context: MatchContext) -> list[str]:
    """Return the matches of a host whose city's country we do not know: at home or not cannot be said."""
    hosted = fixtures["home"].isin(context.hosts) | fixtures["away"].isin(context.hosts)
    odd = fixtures[hosted & ~fixtures["city"].isin(list(context.cities))]
    return [f"{row.home}–{row.away} in {row.city or 'an unnamed city'}" for row in odd.itertuples()]


def unknown_ninety(fixtures: pd.DataFrame) -> list[str]:
    """Return the matches of which only the score after extra time is known."""
    odd = fixtures[fixtures["home_goals_aet"].notna() & fixtures["home_goals_90"].isna()]
    return [f"{row.home}–{row.away}" for row in odd.itertuples()]


def _staged(rounds: list[WireRound], context: MatchContext) -> list[tuple[int, str, WireMatch]]:
    """Return the matches with round and stage; the earlier of a last round's two is taken to be for third place."""
    stages = set(context.background.tables["bracket"]["stage"])
    staged = []
    for entry in rounds:
        stage = context.rules.stage(entry.id).name
        last = entry.id == context.rules.rounds and len(entry.matches) > 1 and THIRD_PLACE in stages
        first = min((match.date for match in entry.matches), default="")
        staged += [(entry.id, THIRD_PLACE if last and match.date == first else stage, match) for match in entry.matches]
    return staged


def _row(match: WireMatch, number: int, stage: str, known: pd.DataFrame, context: MatchContext) -> dict[str, object]:
    home, away = (_code(match, side, context) for side in (match.home, match.away))
    if home == away:
        raise PayloadError(f"{ROUNDS}, match {match.id}: {home} cannot play itself.")
    before = known.loc[(match.id, home, away)] if (match.id, home, away) in known.index else None
    city = match.city or ("" if before is None else str(before["city"]))
    country = context.cities.get(city, "")
    knockout = stage in set(context.background.tables["bracket"]["stage"])
    return {
        "match_id": match.id,
        "official_no": pd.NA if before is None else before["official_no"],
        "round": number,
        "stage": stage,
        "kickoff": match.date,
        "home": home,
        "away": away,
        "city": city,
        "at_home": country if country in context.hosts & {home, away} else "",
        "announced": number if knockout else 1,
        **_goals(match, knockout=knockout, before=before),
    }


def _code(match: WireMatch, squad: int | None, context: MatchContext) -> str:
    if squad is None or squad not in context.codes:
        raise PayloadError(f"{ROUNDS}, match {match.id}: there is no squad {squad} in squads.json.")
    return context.codes[squad]


def _goals(match: WireMatch, *, knockout: bool, before: pd.Series | None) -> dict[str, object]:
    """Return the six goal columns of a match.

    The feed has one score, the final one. A match it does not mark as longer (some recorded days do not) keeps the
    90-minute score an earlier world knows, as long as the two agree on the final score.
    """
    if match.status != COMPLETE:
        return NOTHING
    if match.home_score is None or match.away_score is None:
        raise PayloadError(f"{ROUNDS}, match {match.id} is complete but has no score.")
    score = (match.home_score, match.away_score)
    if before is not None and _final(before) == score:
        return {name: before[name] for name in GOAL_COLUMNS}
    when = "aet" if knockout and _went_on(match) else "90"
    goals = NOTHING | {f"home_goals_{when}": score[0], f"away_goals_{when}": score[1]}
    if knockout and (match.home_pens or match.away_pens):
        goals |= {"home_pens": match.home_pens, "away_pens": match.away_pens}
    return goals


def _final(before: pd.Series) -> tuple[object, object] | None:
    when = "90" if pd.isna(before["home_goals_aet"]) else "aet"
    score = (before[f"home_goals_{when}"], before[f"away_goals_{when}"])
    return None if pd.isna(score[0]) or pd.isna(score[1]) else score


def _went_on(match: WireMatch) -> bool:
    """Return whether a knock-out match needed extra time: the clock, the period or a level score says so."""
    period = (match.period or "").lower()
    named = any(word in period for word in EXTRA_PERIODS)
    return named or (match.minutes or 0) > LONGEST_NINETY or match.home_score == match.away_score


def _official_numbers(fixtures: pd.DataFrame, bracket: pd.DataFrame) -> pd.Series:
    """Return the bracket's number of each knock-out match: as known before, else where its sides can meet."""
    places = [_Place(*row) for row in bracket[list(_Place._fields)].itertuples(index=False)]
    stages = {place.stage for place in places}
    matches = fixtures.to_dict("records")
    comers: dict[str, set[str]] = {}  # W89, L89 → who may come from match 89
    for match in matches:
        if not pd.isna(match["official_no"]):
            comers |= _comers(match)
    for match in matches:
        if pd.isna(match["official_no"]) and match["stage"] in stages:
            match["official_no"] = _number(match, places, comers)
            comers |= {} if pd.isna(match["official_no"]) else _comers(match)
    return pd.Series([match["official_no"] for match in matches], index=fixtures.index, dtype="Int64")


class _Place(NamedTuple):
    """A match of the bracket and where its two sides come from."""

    official_no: int
    stage: str
    slot_1: str
    slot_2: str


def _number(match: Mapping[str, Any], places: list[_Place], comers: Mapping[str, set[str]]) -> object:
    """Return the number of the one place where both sides can meet, else of the only one of its stage, else none."""
    stages = LAST_STAGES if match["stage"] in LAST_STAGES else (match["stage"],)
    near = [place for place in places if place.stage in stages]
    fitting = [p for p in near if _fits(comers.get(p.slot_1, set()), comers.get(p.slot_2, set()), match)]
    if len(fitting) != 1:
        fitting = [place for place in near if place.stage == match["stage"]]
    return fitting[0].official_no if len(fitting) == 1 else pd.NA


def _comers(match: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return who may come from a numbered match, by slot (W89, L89): both sides while the winner is not known."""
    sides, winner = {match["home"], match["away"]}, _winner(match)
    number = match["official_no"]
    return {f"W{number}": {winner} if winner else sides, f"L{number}": sides - {winner}}


def _winner(fixture: Mapping[str, Any]) -> str:
    """Return who won a match, in 90 minutes, extra time or the shoot-out; empty where that is not known."""
    for home, away in zip(GOAL_COLUMNS[::2], GOAL_COLUMNS[1::2], strict=True):
        if pd.notna(fixture[home]) and fixture[home] != fixture[away]:
            return str(fixture["home"] if fixture[home] > fixture[away] else fixture["away"])
    return ""


def _fits(first: set[str], second: set[str], fixture: Mapping[str, Any]) -> bool:
    """Return whether the two sides can come from the two slots."""
    home, away = fixture["home"], fixture["away"]
    return (home in first and away in second) or (away in first and home in second)
