"""The published record of a season: figures, lines and a digest in one JSON file that ships and the page shows."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from data.worlds.world import World
from engine.season.record.report import CAVEAT, ablations, cumulative, records, season_json
from engine.season.walk import Season

PUBLISHED = Path(__file__).parent / "season.json"
"""The season as it was played for the project, written by `thetaxi season --record`."""

LEAGUE = Path(__file__).parent / "league.json"
"""Real managers taken over, written by `thetaxi league-experiment --record`."""


def season_digest(told: dict[str, object]) -> str:
    """Return the digest of a season's runs: the same command on the same code and facts gives the same."""
    return hashlib.sha256(json.dumps(told["runs"], sort_keys=True).encode()).hexdigest()


def season_record(world: World, season: Season) -> dict[str, Any]:
    """Return what is published of a season: every policy with its place, parts of the planner, lines to draw."""
    lines = cumulative(world, season)
    return {
        "world": season.world,
        "rounds": list(season.settings.rounds),
        "digest": season_digest(season_json(world, season)),
        "policies": [asdict(one) for one in records(world, season)],
        "ablation": [asdict(one) for one in ablations(season)],
        "average": None if sum(season.average) != sum(season.average) else sum(season.average),
        "lines": {name: [rows["round"].tolist(), rows["points"].tolist()] for name, rows in lines.groupby("policy")},
        "caveat": CAVEAT,
    }


def record_text(record: dict[str, Any]) -> str:
    """Return a record as the text of its file: the same record gives the same bytes."""
    return json.dumps(_rounded(record), indent=1, sort_keys=True) + "\n"


def _rounded(value: Any) -> Any:
    """Return values with their numbers to four digits after the point."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(one) for key, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


@cache
def published_record(path: Path = PUBLISHED) -> dict[str, Any] | None:
    """Return a record that ships; None where there is none yet."""
    if not path.exists():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found
