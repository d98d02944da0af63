"""Scorers' names that no rule of spelling can place, judged by hand: who they are, and who they are not."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from data.errors import TableError
from data.naming.names import folded
from data.toml_text import read_toml

SHIPPED = Path(__file__).parent / "aliases.toml"
Name = Annotated[str, AfterValidator(folded), Field(min_length=1)]
"""A name without what two spellings may differ in: accents and hyphens do not matter."""


class Aliases(BaseModel):
    """Judgements by team code."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    players: dict[str, dict[Name, Name]] = {}  # team → scorer as the results set writes him → name in the pool
    strangers: dict[str, frozenset[Name]] = {}  # team → scorers who only look like somebody in the pool

    @model_validator(mode="after")
    def _nobody_is_both(self) -> Self:
        for team, names in self.strangers.items():
            if both := sorted(names & self.players.get(team, {}).keys()):
                raise ValueError(f"{both[0]!r} of {team} is both a player and a stranger; keep one")
        return self

    def player(self, team: str, scorer: str) -> str | None:
        """Return the pool's name of a scorer, None where nothing was judged."""
        return self.players.get(team, {}).get(scorer)

    def is_stranger(self, team: str, scorer: str) -> bool:
        """Return whether a scorer is known to be nobody of the pool, whatever he is called."""
        return scorer in self.strangers.get(team, ())


def read_aliases(path: Path = SHIPPED) -> Aliases:
    """Return the judgements of a file; one that breaks the layout is refused with section and entry."""
    return read_toml(path, Aliases, TableError)
