"""Named rivals: their squads become the field one plays against."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError, TableError
from engine.lineup.lineups import best_lineups
from engine.rank.rivals import Rival, playing, rival_exposure
from tests.cases.judged_worlds import awkward_signals
from tests.cases.small_world import awkward_cup, squad_ids
from ui.web.squads.rival_squads import MOST_RIVALS, BroughtRivals, ordered_rival, read_rivals

SQUAD = squad_ids(awkward_cup())


def brought_by(text: str) -> BroughtRivals:
    return read_rivals(text, awkward_cup().at(1), awkward_signals())


@pytest.fixture(scope="module")
def ordered() -> list[int]:
    """A squad with its best eleven first."""
    rows = np.array([awkward_signals().row_of(number) for number in SQUAD])
    rows = rows[np.lexsort((rows, awkward_signals().position[rows]))]
    lineup = best_lineups(awkward_signals(), rows[None, :])
    return [int(awkward_signals().player_id[row]) for row in (*lineup.starters[0], *lineup.bench[0])]


def listed(ids: list[int], captain: int | None = None) -> str:
    return "\n".join(f"{number}{' (C)' if number == captain else ''}" for number in ids)


def test_squads_stand_one_after_the_other_with_names_and_captains(ordered: list[int]) -> None:
    text = f"Anna:\n{listed(ordered, ordered[3])}\n\n{listed(ordered[:11], ordered[10])}"
    brought = brought_by(text)
    assert [rival.name for rival in brought.rivals] == ["Anna", "Rival 2"]
    assert [rival.captain for rival in brought.rivals] == [ordered[3], ordered[10]]
    assert [len(rival.bench) for rival in brought.rivals] == [4, 0]
    assert brought.remarks == ()


def test_a_rival_whose_eleven_cannot_be_picked_does_not_play_and_half_a_bench_is_no_bench(ordered: list[int]) -> None:
    anna = Rival("Anna", tuple(ordered[:11]), ordered[0], tuple(ordered[11:]))
    assert playing([anna], ordered) == (anna,)
    assert playing([anna], ordered[:14]) == (replace(anna, bench=()),)
    assert playing([anna], ordered[1:]) == ()


def test_what_had_to_be_assumed_is_said(ordered: list[int]) -> None:
    brought = brought_by(listed(SQUAD))
    assert [remark.partition(",")[0] for remark in brought.remarks] == [
        "Rival 1: the first eleven are no allowed formation",
        "Rival 1: no starter is marked as captain with (C)",
    ]
    assert set(brought.rivals[0].starters) == set(ordered[:11])


def test_the_captain_is_found_in_a_line_of_many_and_beside_a_team() -> None:
    players = awkward_cup().at(1).players.set_index("player_id")
    in_one_line = "; ".join(f"{players.loc[n, 'name']}{' (C)' if n == SQUAD[14] else ''}" for n in SQUAD)
    beside = "\n".join(
        f"{players.loc[n, 'name']}{' (C)' if n == SQUAD[14] else ''}, {players.loc[n, 'team']}" for n in SQUAD
    )
    for text in (in_one_line, beside):
        assert brought_by(text).rivals[0].captain == SQUAD[14]


def test_a_team_as_json_is_a_rival_too(ordered: list[int]) -> None:
    picks = [
        {"element": number, "position": place, "is_captain": place == 2}
        for place, number in enumerate(ordered, start=1)
    ]
    assert brought_by(json.dumps({"picks": picks})).rivals[0].captain == ordered[1]


def test_exposure_of_rivals_sums_to_twelve_and_counts_benches_only_where_all_are_known(ordered: list[int]) -> None:
    whole, _ = ordered_rival("Anna", ordered, ordered[0], awkward_signals())
    eleven, _ = ordered_rival("Ben", ordered[:11], ordered[1], awkward_signals())
    both = rival_exposure([whole, eleven], awkward_signals())
    assert both.eo.sum() == pytest.approx(12)
    assert both.owned.sum() == pytest.approx(11)
    assert rival_exposure([whole], awkward_signals()).owned.sum() == pytest.approx(15)
    assert both.captained[awkward_signals().row_of(ordered[0])] == pytest.approx(0.5)


def test_too_many_rivals_too_few_players_and_unknown_names_are_sentences(ordered: list[int]) -> None:
    with pytest.raises(TableError, match=f"There are 21 squads; {MOST_RIVALS} rivals are the most"):
        brought_by("\n\n".join(["100"] * 21))
    with pytest.raises(InputError, match="Ben has 2 players; give the 11 starters or all 15"):
        brought_by(f"Ben:\n{listed(ordered[:2])}")
    with pytest.raises(TableError, match=r"Ben: 1 of 1 rows fit no single player.*\nRow 1, <script>y"):
        brought_by("Ben:\n<script>y")
    with pytest.raises(InputError, match="make neither an allowed eleven nor a whole squad"):
        ordered_rival("Ben", [*ordered[1:11], ordered[11]], None, awkward_signals())
