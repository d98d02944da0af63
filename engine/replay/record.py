"""Our record: every figure of how good the forecasts of a world were, as plain rows that are printed, drawn and kept.

A record is what `thetaxi calibrate --json` prints. Those of the bundled worlds come with the project, so that the page
shows them at once; a record belongs to the facts whose checksum it names.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from data.errors import InputError
from data.rules import GameRules
from data.worlds.world import World
from engine.replay.elevens import eleven_points, eleven_table
from models.calibration import forecast_errors as errors
from models.calibration.forecast_errors import CARRIED
from models.calibration.walk import Walk, known_rounds, walk_forward

PUBLISHED = Path(__file__).parent / "records"
ROUNDS_AHEAD = 6
"""How far forecasts of a league are followed; elevens of a tournament were not measured rounds before."""
SLOPE = ["players", "forecast", "horizon", "slope"]

Row = dict[str, Any]
"""One line of a table; a figure that is not defined is None."""


@dataclass(frozen=True, slots=True)
class Record:
    """How good the forecasts were, as rows of plain values."""

    world: str
    checksum: str  # of the facts it was measured on
    rounds: list[int]
    points: list[Row]  # players, forecast, rounds, horizon, rmse, spearman, mae, rows
    slopes: list[Row]  # players, forecast, horizon, slope: of official points on the forecast
    matches: Row
    minutes: Row  # over all players; `groups` by players, `tenths` by the chance of an hour
    coverage: list[Row]  # position, all, relevant
    advance_brier: float | None
    top: list[Row]  # forecast, points, rows
    elevens: list[Row]  # forecast, points, error, above, above_error, rounds, runs
    reliability: list[Row]  # expected, official, error, rows
    transform: list[float]  # share of relevant player-rounds whose points fell into each tenth of their distribution

    def text(self) -> str:
        """Return it as JSON, a row a line."""
        told = {name: _lines(value) for name, value in asdict(self).items()}
        return "{\n" + ",\n".join(f'"{name}": {value}' for name, value in told.items()) + "\n}\n"


def usual_horizon(rules: GameRules) -> int:
    """Return how many rounds ahead forecasts of a game are measured where nobody says it."""
    return ROUNDS_AHEAD if rules.kind == "league" else 1


def measure(
    world: World, rules: GameRules, *, rounds: tuple[int, ...] = (), seed: int = 0, horizon: int = 0
) -> Iterator[int | Record]:
    """Yield each round that has been walked, then the record; without rounds those that are known are walked."""
    chosen = tuple(sorted(rounds or known_rounds(world)))
    if not chosen:
        raise InputError(f"No round of {world.title} has official points yet: nothing can be measured.")
    walks = walk_forward(world, rules, chosen, seed, horizon or usual_horizon(rules))
    for number, grown in zip(chosen, walks, strict=True):
        walk = grown
        yield number
    yield record_of(world, rules, chosen, walk, seed)


def record_of(world: World, rules: GameRules, rounds: tuple[int, ...], walk: Walk, seed: int) -> Record:
    """Return the record of a walk that is complete."""
    players = walk.players
    ahead = errors.errors_ahead(_with_coming(walk))
    later = ahead[ahead["horizon"] > 1].drop(columns="slope") if len(ahead) else ahead
    return Record(
        world=world.name,
        checksum=world.checksum(),
        rounds=list(rounds),
        points=[*_rows(errors.point_errors(players)), *_rows(later)],
        slopes=_rows(ahead.reindex(columns=SLOPE)),
        matches=_plain(errors.match_errors(walk.matches)),
        minutes=_plain(errors.minutes_errors(players))
        | {"groups": _rows(errors.minutes_groups(players)), "tenths": _rows(errors.minutes_tenths(players))},
        coverage=_rows(errors.central_coverage(players)),
        advance_brier=_figure(errors.advance_brier(walk.advance)),
        top=_rows(errors.top_points(players)),
        elevens=_rows(eleven_table(eleven_points(players, rules, seed))),
        reliability=_rows(errors.reliability(players)),
        transform=errors.transform_shares(players),
    )


def read_record(text: str) -> Record:
    """Return the record that `Record.text` wrote."""
    return Record(**json.loads(text))


@cache
def published_records() -> tuple[Record, ...]:
    """Return the records that come with the project."""
    return tuple(read_record(path.read_text(encoding="utf-8")) for path in sorted(PUBLISHED.glob("*.json")))


def published_record(world: World) -> Record | None:
    """Return the record that was published of these very facts, if there is one."""
    named = [record for record in published_records() if record.world == world.name]
    return next((record for record in named if record.checksum == world.checksum()), None)


def _with_coming(walk: Walk) -> pd.DataFrame:
    """Return forecasts of all rounds ahead, the coming one as the first: there nothing is carried on yet."""
    if walk.ahead.empty:
        return walk.ahead
    coming = walk.players.assign(horizon=1, **{CARRIED: walk.players["model"]})
    return pd.concat([coming[list(walk.ahead)], walk.ahead], ignore_index=True)


def _rows(table: pd.DataFrame) -> list[Row]:
    return [_plain(row) for row in table.to_dict("records")]


def _plain(row: Row) -> Row:
    return {str(name): _figure(value) for name, value in row.items()}


def _figure(value: Any) -> Any:
    """Return a value as JSON has it: no figure where there is none."""
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _lines(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in value) + "\n]"
    return json.dumps(value, ensure_ascii=False)
