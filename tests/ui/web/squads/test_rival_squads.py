"""Named rivals: their squads become the field one plays against."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError, TableError
from data.worlds.snapshot import Snapshot
from engine.lineup.lineups import best_lineups
from engine.rank.rivals import Rival, playing, rival_exposure
from models.signals import Signals
from tests.cases.judged_worlds import awkward_signals
from tests.cases.small_world import awkward_cup, squad_ids
from ui.web.squads.rival_squads import MOST_RIVALS, ordered_rival, read_rivals


@pytest.fixture(scope="module")
def snapshot() -> Snapshot:
    return awkward_cup().at(1)


@pytest.fixture(scope="module")
def signals() -> Signals:
    return awkward_signals()


@pytest.fixture(scope="module")
def ordered(signals: Signals) -> list[int]:
    """A squad with its best eleven first."""
    rows = np.array([signals.row_of(number) for number in squad_ids(awkward_cup())])
    rows = rows[np.lexsort((rows, signals.position[rows]))]
    lineup = best_lineups(signals, rows[None, :])
    return [int(signals.player_id[row]) for row in (*lineup.starters[0], *lineup.bench[0])]


def listed(ids: list[int], captain: int | None = None) -> str:
    return "\n".join(f"{number}{' (C)' if number == captain else ''}" for number in ids)


def test_squads_stand_one_after_the_other_with_names_and_captains(
    snapshot: Snapshot, signals: Signals, ordered: list[int]
) -> None:
    text = f"Anna:\n{listed(ordered, ordered[3])}\n\n{listed(ordered[:11], ordered[10])}"
    brought = read_rivals(text, snapshot, signals)
    assert [rival.name for rival in brought.rivals] == ["Anna", "Rival 2"]
    assert [rival.captain for rival in brought.rivals] == [ordered[3], ordered[10]]
    assert [len(rival.bench) for rival in brought.rivals] == [4, 0]
    assert brought.remarks == ()


def test_a_rival_whose_eleven_cannot_be_picked_does_not_play_and_half_a_bench_is_no_bench(ordered: list[int]) -> None:
    anna = Rival("Anna", tuple(ordered[:11]), ordered[0], tuple(ordered[11:]))
    assert playing([anna], ordered) == (anna,)
    assert playing([anna], ordered[:14]) == (replace(anna, bench=()),)
    assert playing([anna], ordered[1:]) == ()


def test_what_had_to_be_assumed_is_said(snapshot: Snapshot, signals: Signals, ordered: list[int]) -> None:
    brought = read_rivals(listed(squad_ids(awkward_cup())), snapshot, signals)
    assert [remark.partition(",")[0] for remark in brought.remarks] == [
        "Rival 1: the first eleven are no allowed formation",
        "Rival 1: no starter is marked as captain with (C)",
    ]
    assert set(brought.rivals[0].starters) == set(ordered[:11])


def test_the_captain_is_found_in_a_line_of_many_and_beside_a_team(snapshot: Snapshot, signals: Signals) -> None:
    players = snapshot.players.set_index("player_id")
    ids = squad_ids(awkward_cup())
    in_one_line = "; ".join(f"{players.loc[n, 'name']}{' (C)' if n == ids[14] else ''}" for n in ids)
    beside = "\n".join(
        f"{players.loc[n, 'name']}{' (C)' if n == ids[14] else ''}, {players.loc[n, 'team']}" for n in ids
    )
    for text in (in_one_line, beside):
        assert read_rivals(text, snapshot, signals).rivals[0].captain == ids[14]


def test_a_team_as_json_is_a_rival_too(snapshot: Snapshot, signals: Signals, ordered: list[int]) -> None:
    picks = [
        {"element": number, "position": place, "is_captain": place == 2}
        for place, number in enumerate(ordered, start=1)
    ]
    assert read_rivals(json.dumps({"picks": picks}), snapshot, signals).rivals[0].captain == ordered[1]


def test_exposure_of_rivals_sums_to_twelve_and_counts_benches_only_where_all_are_known(
    signals: Signals, ordered: list[int]
) -> None:
    whole, _ = ordered_rival("Anna", ordered, ordered[0], signals)
    eleven, _ = ordered_rival("Ben", ordered[:11], ordered[1], signals)
    both = rival_exposure([whole, eleven], signals)
    assert both.eo.sum() == pytest.approx(12)
    assert both.owned.sum() == pytest.approx(11)
    assert rival_exposure([whole], signals).owned.sum() == pytest.approx(15)
    assert both.captained[signals.row_of(ordered[0])] == pytest.approx(0.5)


def test_too_many_rivals_too_few_players_and_unknown_names_are_sentences(
    snapshot: Snapshot, signals: Signals, ordered: list[int]
) -> None:
    with pytest.raises(TableError, match=f"There are 21 squads; {MOST_RIVALS} rivals are the most"):
        read_rivals("\n\n".join(["100"] * 21), snapshot, signals)
    with pytest.raises(InputError, match="Ben has 2 players; give the 11 starters or all 15"):
        read_rivals(f"Ben:\n{listed(ordered[:2])}", snapshot, signals)
    with pytest.raises(TableError, match=r"Ben: 1 of 1 rows fit no single player.*\nRow 1, <script>y"):
        read_rivals("Ben:\n<script>y", snapshot, signals)
    with pytest.raises(InputError, match="make neither an allowed eleven nor a whole squad"):
        ordered_rival("Ben", [*ordered[1:11], ordered[11]], None, signals)
