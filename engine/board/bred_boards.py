"""Boards of the bundled worlds, bred beforehand: nobody waits for a search to see the first page.

`thetaxi breed-boards` writes which squads a search chose, and in words where they come from; no figure. A board that is
opened from them is judged by the beliefs at hand, as one that is bred now. Each is known by a digest of all that its
search depends on, so whatever has changed is searched afresh.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from data.errors import InputError, PayloadError
from data.storage.files import read_bounded
from data.storage.json_text import read_json
from engine.board.board import Board, make_board
from engine.fitness.judge import Judge, Objective
from engine.fitness.squad_view import SquadView
from engine.rules.legality import legal
from engine.rules.solved_before import problem_key
from engine.search.breeding.diversity import MOST_OPTIONS
from engine.search.run import PickSettings
from models.signals import Signals

BRED = Path(__file__).with_name("bred_boards.json")
LARGEST_FILE = 1_000_000  # bytes; a board takes two thousand
MOST_BOARDS = 500

SEARCH = 1
"""Of the search itself: raise it when the same settings and seed find other squads."""

_Word = Annotated[str, Field(min_length=1, max_length=200)]
_Text = Annotated[str, Field(max_length=2_000)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class BredOption(_Strict):
    """A squad that a search chose."""

    squad: Annotated[list[int], Field(min_length=1, max_length=50)]  # player ids, as the search had them
    lineage: _Text
    repairs: Annotated[list[_Text], Field(max_length=50)]


class BredBoard(_Strict):
    """What a search chose, and of what."""

    world: _Word
    round: Annotated[int, Field(ge=1)]
    objective: _Word
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    flags: Annotated[list[_Text], Field(max_length=10)]
    options: Annotated[list[BredOption], Field(min_length=1, max_length=MOST_OPTIONS)]

    @property
    def place(self) -> tuple[str, int, str]:
        """Where it belongs."""
        return self.world, self.round, self.objective


class _File(_Strict):
    version: Annotated[int, Field(ge=1, le=1)]
    boards: Annotated[list[BredBoard], Field(max_length=MOST_BOARDS)]


@cache
def bundled_boards(file: Path = BRED) -> Mapping[tuple[str, int, str], BredBoard]:
    """Return the boards that come with the project by world, round and objective; none of a file that is not ours."""
    try:
        known = _File.model_validate(read_json(read_bounded(file, LARGEST_FILE), file.name))
    except (OSError, PayloadError, ValidationError):
        return {}
    return {board.place: board for board in known.boards}


def boards_json(boards: Iterable[BredBoard]) -> str:
    """Return boards as the file has them, one to a line."""
    lines = ",\n".join(json.dumps(board.model_dump(), ensure_ascii=False) for board in boards)
    return f'{{"version": 1, "boards": [\n{lines}\n]}}\n'


def board_key(judge: Judge, objective: Objective, seed: int, settings: PickSettings) -> str:
    """Return a digest of all that the search of a board depends on: facts, beliefs, rules, objective and settings."""
    view = judge.view
    signals, exposure = view.signals, view.field_exposure
    said = (SEARCH, seed, objective.key, signals.checksum, signals.rules, view.settings)
    asked = (settings.evolution, settings.demands, type(settings.memory).__name__)
    against = [exposure.eo, exposure.owned, exposure.template, exposure.differential]
    figures = [column.astype(float) for column in (*_figures(signals), *against)]
    return problem_key(view.wished, repr((*said, *asked)), figures)


def _figures(signals: Signals) -> list[np.ndarray]:
    """Return what squads are scored by."""
    expected = (signals.xev, signals.typical_xev, signals.points.mass, signals.plays, signals.clean_sheet)
    spread = (signals.variance, signals.floor, signals.ceiling)
    playing = (signals.start, signals.p_play, signals.unavailable, signals.slot)
    return [*expected, *spread, *playing, *(block.values for block in signals.covariance.blocks)]


def bred_before(
    judge: Judge, objective: Objective, seed: int, settings: PickSettings, file: Path = BRED
) -> Board | None:
    """Return the board that was bred beforehand, judged now; None where none fits, so that one has to be searched."""
    signals = judge.view.signals
    known = bundled_boards(file).get((signals.world, signals.round, objective.name))
    if known is None or known.key != board_key(judge, objective, seed, settings):
        return None
    squads = _squads(known, judge.view)
    if squads is None:
        return None
    origins = [(option.lineage, tuple(option.repairs)) for option in known.options]
    return make_board(judge, objective, squads, origins=origins, flags=tuple(known.flags))


def _squads(known: BredBoard, view: SquadView) -> np.ndarray | None:
    """Return (p, 15) the player rows of a board's squads; None where one is not a legal squad of the round."""
    rows = {int(player): row for row, player in enumerate(view.signals.player_id)}
    found = [[rows.get(player, -1) for player in option.squad] for option in known.options]
    if any(len(squad) != view.pool.size or min(squad) < 0 for squad in found):
        return None
    squads = np.array(found)
    return squads if legal(squads, view.wished).all() else None


def to_be_kept(board: Board, judge: Judge, objective: Objective, seed: int, settings: PickSettings) -> BredBoard:
    """Return what is to be kept of a board that was bred just now."""
    bred = board.breeding
    if bred is None:
        raise InputError("Only a board that was bred just now can be kept: another does not know its squads' descent.")
    squads = bred.population.columns.squads[np.array(bred.options)]
    ids = judge.view.signals.player_id[squads].tolist()
    options = [
        BredOption(squad=squad, lineage=option.lineage, repairs=list(option.repairs))
        for squad, option in zip(ids, board.options, strict=True)
    ]
    return BredBoard(
        world=board.world,
        round=board.round,
        objective=board.objective,
        key=board_key(judge, objective, seed, settings),
        flags=list(board.flags),
        options=options,
    )
