"""Tables of a Premier League season from the game's own columns, as a folder keeps them or its API shows them."""

from __future__ import annotations

import pandas as pd

from data.importing.season_layout import EVENT_NAMES, FIGURES, LATER_EVENTS
from data.rules import GameRules
from data.schema import EVENT_COUNTS, GOAL_COLUMNS, RESULTS

TOURNAMENT = "Premier League"
TENTHS = 10.0
"""The game writes prices in tenths of a million."""

LONG = 60
"""Minutes from which a player is taken to have started where starts are not on record: right for 95 % of who played."""


def teams_table(clubs: pd.DataFrame) -> pd.DataFrame:
    """Return the clubs (id, name, short_name) as teams."""
    own = clubs.rename(columns={"id": "team_id", "short_name": "code"})
    return own.assign(group="", host=False, results_name=own["name"])


def with_clubs(listed: pd.DataFrame, clubs: pd.DataFrame) -> pd.DataFrame:
    """Return the matches with the codes (home, away) and names (home_name, away_name) of their clubs."""
    by_id = clubs.set_index("id")
    for side, column in (("home", "team_h"), ("away", "team_a")):
        named = {side: listed[column].map(by_id["short_name"]), f"{side}_name": listed[column].map(by_id["name"])}
        listed = listed.assign(**named)
    return listed


def fixtures_table(listed: pd.DataFrame, rules: GameRules) -> pd.DataFrame:
    """Return the matches that have a gameweek; a club may have none, one or two in it."""
    fixtures = listed[listed["event"].notna()].sort_values(["kickoff_time", "id"], ignore_index=True)
    names = {"id": "match_id", "event": "round", "kickoff_time": "kickoff"}
    return fixtures.rename(columns=names).assign(
        round=fixtures["event"].astype("int64"),
        stage=[rules.stage(int(number)).name for number in fixtures["event"]],
        city="",
        at_home=fixtures["home"],
        announced=1,
        **dict.fromkeys(["official_no", *GOAL_COLUMNS], pd.NA)
        | {
            "home_goals_90": fixtures["team_h_score"].where(fixtures["finished"]),
            "away_goals_90": fixtures["team_a_score"].where(fixtures["finished"]),
        },
    )


def results_table(listed: pd.DataFrame) -> pd.DataFrame:
    """Return the results of the finished matches, with what the list knows of expected goals, shots and odds."""
    played = listed[listed["finished"] & listed["kickoff_time"].notna()]
    results = pd.DataFrame(
        {
            "date": played["kickoff_time"].dt.tz_localize(None).dt.normalize(),
            "home_team": played["home_name"],
            "away_team": played["away_name"],
            "home_score": played["team_h_score"],
            "away_score": played["team_a_score"],
            "tournament": TOURNAMENT,
            "country": "",
            "neutral": False,
            **{column.name: played[column.name] for column in RESULTS.columns if column.name in played},
        }
    )
    return results.sort_values(["date", "home_team"], ignore_index=True)


def offers_table(offers: pd.DataFrame, squads: pd.Series) -> pd.DataFrame:
    """Return price and ownership of the offers (element, gw, code, value, selected) among so many squads."""
    owned = (offers["selected"] / squads).where(squads > 0, 0.0).clip(upper=1.0)
    names = {"element": "player_id", "gw": "round", "code": "team"}
    return offers.rename(columns=names).assign(price=offers["value"] / TENTHS, owned=owned)


def with_expected(listed: pd.DataFrame, rows: pd.DataFrame) -> pd.DataFrame:
    """Return the matches with the expected goals of both sides: those of its players, where they are on record."""
    sums = rows.groupby(["fixture", "code"])["expected_goals"].sum(min_count=1)
    for side in ("home", "away"):
        places = pd.MultiIndex.from_frame(listed[["id", side]])
        listed = listed.assign(**{f"{side}_expected": sums.reindex(places).to_numpy()})
    return listed


def counted_rows(rows: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows without the zeros of gameweeks in which starts or expected goals were not on record."""
    week = rows.groupby("gw")
    startless, goalless = (week[name].transform("sum") == 0 for name in ("starts", "expected_goals"))
    expected = [name for name in rows if str(name).startswith("expected_")]
    counted = rows.assign(
        starts=rows["starts"].where(~startless, rows["minutes"] >= LONG),
        **{name: rows[name].where(~goalless) for name in expected},
    )
    told = [
        (startless, f"starts are not on record: who played {LONG} minutes is taken to have started."),
        (goalless, "expected goals are not on record."),
    ]
    return counted, tuple(f"{_weeks(rows.loc[where, 'gw'])}: {what}" for where, what in told if where.any())


def _weeks(numbers: pd.Series) -> str:
    return f"Gameweeks {', '.join(str(number) for number in sorted(numbers.unique()))}"


def points_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the points of each gameweek a player appeared in, or was carded in on the bench."""
    counted = rows[(rows["minutes"] > 0) | (rows["total_points"] != 0)]
    points = counted.groupby(["gw", "element"], as_index=False)["total_points"].sum()
    return points.rename(columns={"element": "player_id", "gw": "round", "total_points": "points"})


def appearances_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return who played how long in which match."""
    return _player_matches(rows[rows["minutes"] > 0]).rename(columns={"starts": "started"})


def events_table(rows: pd.DataFrame) -> pd.DataFrame:
    """Return every player-match, those without a minute too: each has official points to reproduce."""
    names = EVENT_NAMES | LATER_EVENTS | FIGURES | {"total_points": "points"}
    events = _player_matches(rows).rename(columns=names).assign(team=lambda own: own["code"])
    return events.assign(**{name: 0 for name in EVENT_COUNTS if name not in events})


def _player_matches(rows: pd.DataFrame) -> pd.DataFrame:
    own = rows.rename(columns={"element": "player_id", "gw": "round", "fixture": "match_id"})
    return own.sort_values(["round", "match_id", "player_id"], ignore_index=True)
