"""The matches of the World Cup's feed: who is at home, which bracket number, and what the score means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

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
    numbers = fixtures["official_no"].astype("Int64")
    for row in fixtures.index[numbers.isna() & fixtures["stage"].isin(bracket["stage"])]:
        fixture = fixtures.loc[row]
        comers = _comers(fixtures.assign(official_no=numbers).dropna(subset="official_no"))
        stages = LAST_STAGES if fixture["stage"] in LAST_STAGES else (fixture["stage"],)
        slots = bracket[bracket["stage"].isin(stages)]
        fits = [
            _fits(comers.get(one, set()), comers.get(other, set()), fixture)
            for one, other in zip(slots["slot_1"], slots["slot_2"], strict=True)
        ]
        fitting = slots[fits] if sum(fits) == 1 else bracket[bracket["stage"] == fixture["stage"]]
        if len(fitting) == 1:
            numbers[row] = fitting["official_no"].iloc[0]
    return numbers


def _comers(fixtures: pd.DataFrame) -> dict[str, set[str]]:
    """Return who may come from each numbered match, by slot (W89, L89): both sides while the winner is not known."""
    comers = {}
    for _, fixture in fixtures.iterrows():
        sides = {fixture["home"], fixture["away"]}
        winner = _winner(fixture)
        comers[f"W{fixture['official_no']}"] = {winner} if winner else sides
        comers[f"L{fixture['official_no']}"] = sides - {winner}
    return comers


def _winner(fixture: pd.Series) -> str:
    """Return who won a match, in 90 minutes, extra time or the shoot-out; empty where that is not known."""
    for home, away in zip(GOAL_COLUMNS[::2], GOAL_COLUMNS[1::2], strict=True):
        if pd.notna(fixture[home]) and fixture[home] != fixture[away]:
            return str(fixture["home"] if fixture[home] > fixture[away] else fixture["away"])
    return ""


def _fits(first: set[str], second: set[str], fixture: pd.Series) -> bool:
    """Return whether the two sides can come from the two slots."""
    home, away = fixture["home"], fixture["away"]
    return (home in first and away in second) or (away in first and home in second)
