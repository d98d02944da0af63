"""Reasons of a forecast: what minutes, fixture, share, status and history do to a player's points, and how sure it is.

Every figure is computed from the beliefs themselves: the player's own distribution is built again with one belief
changed, and the difference is what that belief is worth. Sentences are made of those figures, never the other way.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import StrEnum

import numpy as np
import pandas as pd

from data.domain import Status
from data.worlds.snapshot import Snapshot
from models.forecast import ModelSettings
from models.players.chances import ABSENT, FULL, MATCH_MINUTES, SHORT, SIXTY, Chances
from models.players.minutes.playing_time import OUT_FOR_NOW, UNAVAILABLE
from models.players.minutes.recent import RecentMatches
from models.players.points import point_distributions
from models.signals import Signals
from models.teams.goals import score_grid
from models.teams.ratings import VENUES

LATEST = 10
"""Matches of a player that his minutes are told by."""
SCORING = ("goals", "assists", "free_kick_goals")
KEEPER = 0
SHEETS = (KEEPER, 1)
"""Positions whose points hang on a clean sheet."""


class About(StrEnum):
    """What a reason is about, in the order in which they are told."""

    MINUTES = "minutes"
    FIXTURE = "fixture"
    SHARE = "share"
    STATUS = "status"
    HISTORY = "history"
    CERTAINTY = "certainty"


@dataclass(frozen=True, slots=True)
class Reason:
    """One sentence about a forecast, and the points that what it tells is worth; None where that is not a number."""

    about: About
    text: str
    points: float | None = None


def player_reasons(signals: Signals, snapshot: Snapshot, row: int) -> tuple[Reason, ...]:
    """Return why so much is expected of a player (a row of the signals), a reason for each thing that decides."""
    his = _his_chances(signals, row)
    if not len(his):
        return (Reason(About.FIXTURE, "No match this round: 0 points.", 0.0),)
    now = _points(his, signals, row)
    return (
        _minutes(signals, snapshot, row, his, now),
        _fixture(signals, row, his, now),
        _share(signals, snapshot, row),
        _status(signals, snapshot, row, his, now),
        _history(snapshot, row),
        _certainty(signals, row),
    )


def _his_chances(signals: Signals, row: int) -> Chances:
    """Return the rows of one player, who is player 0 of them."""
    chances = signals.chances
    rows = np.flatnonzero(chances.player == row)
    columns = {field.name: getattr(chances, field.name) for field in fields(chances) if field.name != "grid"}
    taken = {name: column[rows] for name, column in columns.items()}
    return Chances(**taken | {"player": np.zeros(len(rows), dtype=int)}, grid=chances.grid)


def _points(his: Chances, signals: Signals, row: int) -> float:
    """Return the points expected of him under some chances, as the models have it: a projection of one's own aside."""
    return float(point_distributions(his, signals.rules, signals.owned[row : row + 1]).mean[0])


def _minutes(signals: Signals, snapshot: Snapshot, row: int, his: Chances, now: float) -> Reason:
    """What his minutes take from a man who is sure to play an hour and more."""
    sure = np.zeros_like(his.state)
    sure[:, FULL] = 1.0
    lost = now - _points(replace(his, state=sure), signals, row)
    said = f"{signals.start[row]:.0%} to start, {_mean(his.state[:, FULL]):.0%} to play an hour"
    if signals.overridden.get("p_start", np.zeros(len(signals), dtype=bool))[row]:
        seen = " by your own figure"
    else:
        seen = _seen_minutes(snapshot, row)
    return Reason(About.MINUTES, f"{said}{seen}: {_signed(lost)} points beside one who is sure of it.", lost)


def _seen_minutes(snapshot: Snapshot, row: int) -> str:
    recent = RecentMatches.of(snapshot)
    minutes = recent.minutes[(recent.row == row) & recent.counted][-LATEST:]
    if not len(minutes):
        return " (no match of his is on record)"
    if len(minutes) == 1:
        return f" (played {minutes[0]:.0f}' in the only match he was fit for)"
    hours, full = int((minutes >= SIXTY).sum()), int((minutes >= MATCH_MINUTES).sum())
    whole = f", all 90' in {full}" if full > 0 else ""
    return f" (played an hour in {hours} of the last {len(minutes)} he was fit for{whole})"


def _fixture(signals: Signals, row: int, his: Chances, now: float) -> Reason:
    """What his opponents add to as many matches against an average one."""
    gained = now - _points(_against_average(signals, row, his), signals, row)
    plural = f"{len(his)} matches, " if len(his) > 1 else ""
    side = "average opponents" if len(his) > 1 else "an average opponent"
    text = f"{plural}{signals.opponents[row]}: {_signed(gained)} points beside {side}."
    return Reason(About.FIXTURE, text[0].upper() + text[1:], gained)


def _against_average(signals: Signals, row: int, his: Chances) -> Chances:
    teams, own = signals.teams, int(signals.team[row])
    venues = (1, -1) if signals.rules.kind == "league" else (0,)
    alive = signals.teams.progression.plays[:, teams.progression.column(signals.round)] > 0
    others = alive & (np.arange(len(alive)) != own)
    others = others if others.any() else np.arange(len(alive)) != own
    # A league's match is at home or away as often; on neutral ground, as in a tournament, fewer goals fall.
    scored, conceded = (
        float(np.mean([teams.rates[one, other, VENUES.index(venue)].mean() for venue in venues]))
        for one, other in ((own, others), (others, own))
    )
    settings = ModelSettings.for_game(signals.rules).involvement
    keeper = his.position == 0
    return replace(
        his,
        match=np.zeros(len(his), dtype=int),
        away=np.zeros(len(his), dtype=bool),
        saves=np.where(keeper, settings.saves_base + settings.saves_slope * conceded, 0.0),
        grid=score_grid(np.array([scored]), np.array([conceded]), teams.strengths.rho),
    )


def _share(signals: Signals, snapshot: Snapshot, row: int) -> Reason:
    """What his part in his team's goals is worth, and for the back line its clean sheet and saves."""
    position, duties = int(signals.position[row]), _duties(snapshot.players.iloc[row])
    goals, sheet, saves = (_line(signals, row, names) for names in (SCORING, ("clean_sheet",), ("saves",)))
    parts = [] if position == KEEPER else [f"{', '.join([*duties, _part_in_goals(signals, row)])}: {goals:.1f} points"]
    if position in SHEETS:
        kept = signals.clean_sheet[row]
        parts.append(f"a clean sheet in {_mean(kept[kept > 0]):.0%}: {sheet:.1f} points")
    if position == KEEPER:
        parts.append(f"saves: {saves:.1f} points")
    text = "; ".join(parts)
    return Reason(About.SHARE, f"{text[0].upper()}{text[1:]}.", goals + (sheet if position in SHEETS else 0.0) + saves)


def _line(signals: Signals, row: int, names: tuple[str, ...]) -> float:
    """Return the expected points of some lines of the rulebook; a game may not have them."""
    lines = signals.points.lines
    return sum(float(lines[name][row]) for name in names if name in lines)


def _part_in_goals(signals: Signals, row: int) -> str:
    shares = signals.habits.shares
    parts = [
        f"{share[row]:.0%} of {'its' if place else 'his team’s'} {what}"
        for place, (what, share) in enumerate((("goals", shares.goal), ("assists", shares.assist)))
    ]
    return f"{' and '.join(parts)} while he plays"


def _duties(player: pd.Series) -> list[str]:
    """Return what the game says he takes first."""
    taken = {"penalty_order": "penalties", "free_kick_order": "free kicks", "corner_order": "corners"}
    named = [what for column, what in taken.items() if pd.notna(player[column]) and int(player[column]) == 1]
    return [f"takes {' and '.join(named)}"] if named else []


def _status(signals: Signals, snapshot: Snapshot, row: int, his: Chances, now: float) -> Reason:
    """What an injury, a ban or a doubt takes from what a fit man would be expected to score."""
    status = str(signals.status[row])
    if status == Status.PLAYING:
        return Reason(About.STATUS, "Fit: nothing is reported against him.", 0.0)
    if status in UNAVAILABLE:
        return Reason(About.STATUS, f"{status.capitalize()}: he cannot play.")
    fit = _points(replace(his, state=np.tile(signals.habits.usual.state[row], (len(his), 1))), signals, row)
    chance, news = snapshot.players["chance"].iloc[row], str(snapshot.players["news"].iloc[row])
    told = f"{status.capitalize()}{'' if status in OUT_FOR_NOW or pd.isna(chance) else f', flagged {chance:.0f} %'}"
    quoted = f" ({news.rstrip('.')})" if news else ""
    return Reason(About.STATUS, f"{told}{quoted}: {fit:.1f} → {now:.1f} points.", now - fit)


def _history(snapshot: Snapshot, row: int) -> Reason:
    """What he has done in this competition so far, or in the season before it."""
    player, code = snapshot.players["player_id"].iloc[row], snapshot.players["code"].iloc[row]
    points, seen, events = (
        table[table["player_id"] == player] for table in (snapshot.points, snapshot.appearances, snapshot.events)
    )
    unlisted = points[~points["round"].isin(snapshot.appearances["round"])]  # there, points tell who played
    matches = int((seen["minutes"] > 0).sum() + (unlisted["points"] != 0).sum())
    if matches:
        return Reason(About.HISTORY, _record(float(points["points"].sum()), matches, events, "so far"))
    past = snapshot.past_matches
    past = past[(past["code"] == code) & (past["minutes"] > 0)] if pd.notna(code) else past.iloc[:0]
    past = past[past["season"] == past["season"].max()]
    if past.empty:
        return Reason(About.HISTORY, "He has not played yet as far as is on record: price and position stand for him.")
    year = int(past["season"].iloc[0])
    return Reason(
        About.HISTORY, _record(float(past["points"].sum()), len(past), past, f"in {year}/{(year + 1) % 100:02d}")
    )


def _record(points: float, matches: int, counted: pd.DataFrame, when: str) -> str:
    known = len(counted) >= matches  # of some matches no more than points may be on record
    done = [(int(counted[f"{what}s"].sum()), what) for what in ("goal", "assist")] if known else []
    told = "".join(f", {_count(number, what)}" for number, what in done if number)
    return f"{points / matches:.1f} points a match in {_count(matches, 'match')} {when}{told}."


def _certainty(signals: Signals, row: int) -> Reason:
    low, high, spread = signals.floor[row], signals.ceiling[row], float(np.sqrt(signals.variance[row]))
    states = signals.habits.minutes.state[row]
    named = {ABSENT: "he does not play", SHORT: "he plays under an hour", FULL: "he plays an hour or more"}
    return Reason(
        About.CERTAINTY,
        f"{low:.0f} to {high:.0f} points eight times in ten (standard deviation {spread:.1f}); "
        f"{states.max():.0%} that {named[int(states.argmax())]}.",
    )


def _signed(points: float) -> str:
    """Return points with their sign; what rounds to nothing has none."""
    return f"{points:+.1f}" if abs(points) >= 0.05 else "0.0"


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else 0.0


def _count(number: int, what: str) -> str:
    plural = "es" if what.endswith("ch") else "s"
    return f"{number} {what}{'' if number == 1 else plural}"
