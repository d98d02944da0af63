"""Names and places that fact tables leave out: spellings of the results set, and the country of a city."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from data.errors import TableError

SHIPPED = Path(__file__).parent / "gazetteer.toml"


@dataclass(frozen=True, slots=True)
class Gazetteer:
    """Explicit spellings: team code → name in the results set, city → code of its country's team."""

    results_names: Mapping[str, str]
    cities: Mapping[str, str]


def read_gazetteer(folder: Path) -> Gazetteer:
    """Return the shipped names and places, overlaid by the folder's own gazetteer.toml where there is one."""
    shipped, own = _sections(SHIPPED), _sections(folder / SHIPPED.name)
    return Gazetteer(shipped["results_names"] | own.get("results_names", {}), shipped["cities"] | own.get("cities", {}))


def _sections(path: Path) -> dict[str, dict[str, str]]:
    if not path.is_file():
        return {}
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:  # not UTF-8, or not TOML
        raise TableError(f"{path.name}: {error}") from None
    for section, entries in content.items():
        if not isinstance(entries, dict) or not all(isinstance(value, str) for value in entries.values()):
            raise TableError(f'{path.name}, section {section!r}: every entry must be written as key = "text".')
    return content
