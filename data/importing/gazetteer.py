"""Names and places that fact tables leave out: spellings of the results set, and the country of a city."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from data.errors import TableError
from data.toml_text import read_toml

SHIPPED = Path(__file__).parent / "gazetteer.toml"


class Gazetteer(BaseModel):
    """Explicit spellings: team code → name in the results set, city → code of its country's team."""

    model_config = ConfigDict(frozen=True)

    results_names: dict[str, str] = {}
    cities: dict[str, str] = {}


def read_gazetteer(folder: Path) -> Gazetteer:
    """Return the shipped names and places, overlaid by the folder's own gazetteer.toml where there is one."""
    shipped, path = read_toml(SHIPPED, Gazetteer, TableError), folder / SHIPPED.name
    own = read_toml(path, Gazetteer, TableError) if path.is_file() else Gazetteer()
    return Gazetteer(results_names=shipped.results_names | own.results_names, cities=shipped.cities | own.cities)
