"""What a search leaves behind: genomes with their descent, the frontier, and what a memory learns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.fitness.explanation import Band
from engine.search.breeding.evolution import Progress
from engine.search.breeding.proposal import OPERATOR_NAMES
from engine.search.outcome import NEW, Breeding, listed
from engine.search.population.blocks import BLOCK_NAMES
from engine.search.population.genome import genome_id
from engine.search.population.population import Cost
from engine.search.seeding.archetypes import ARCHETYPE_NAMES
from engine.search.seeding.memory import BlockMemory
from tests.cases.judged_worlds import small_board, small_breeding, small_history


@pytest.fixture
def breeding() -> Breeding:
    return small_breeding()


def test_the_board_knows_its_search_and_its_options_rows() -> None:
    board, breeding = small_board(), small_breeding()
    squads = breeding.population.columns.squads
    for option, row in zip(board.options, breeding.options, strict=True):
        assert set(option.rows) == set(squads[row].tolist())
        assert option.lineage == breeding.lineage(row)
        assert option.repairs == breeding.repair_log(row)


def test_every_candidate_can_be_read_as_a_genome(breeding: Breeding) -> None:
    for row in breeding.population.all().tolist():
        genome = breeding.genome(row)
        assert set(genome.metadata["origins"]) <= set(BLOCK_NAMES)
        assert set(genome.metadata["origins"].values()) <= {*breeding.archetypes, NEW}
        assert len(genome.metadata["blocks"]) == 15
        assert genome.metadata["operator"] in OPERATOR_NAMES
        assert {"repair_log", "mutation_log", "substitution_watch"} <= set(genome.artifacts)


def test_a_genome_tells_the_columns_of_its_row_and_names_its_line(breeding: Breeding) -> None:
    columns, row = breeding.population.columns, len(breeding.population) - 1
    genome, line = breeding.genome(row), [genome_id(one) for one in breeding.population.ancestors(row)]
    assert (genome.id, genome.parent_id, genome.lineage) == (genome_id(row), line[-1], " → ".join(line))
    assert genome.scores == {
        "combined_score": columns.score[row],
        "variance": columns.variance[row],
        "price": columns.price[row],
        "changes": columns.changes[row],
    }
    signals = breeding.evolution.judge.view.signals
    assert all(str(signals.short[man]) in genome.content for man in columns.squads[row])
    assert genome.content.endswith(f"C: {signals.short[columns.captain[row]]}")
    assert genome.metadata["parents"] == tuple(genome_id(one) for one in columns.parent[row] if one >= 0)
    assert genome.metadata["variance_band"] == list(Band)[columns.band[row]]
    assert (genome.metadata["generation"], genome.metadata["disqualified"]) == (columns.generation[row], False)
    assert breeding.genome(row) == genome


def test_a_seed_is_its_own_archetypes_and_has_gained_nothing() -> None:
    genome = small_breeding().genome(0)
    assert set(genome.metadata["origins"].values()) == {genome.metadata["archetype"]}
    assert genome.metadata["gained"] == 0.0
    assert genome.artifacts["mutation_log"] == ()
    assert genome.metadata["lineage_in_words"].startswith(f"{genome.metadata['archetype']}'s captain core")


def test_a_childs_log_names_whom_it_has_that_its_parent_had_not(breeding: Breeding) -> None:
    columns = breeding.population.columns
    short = breeding.evolution.judge.view.signals.short
    for row in np.flatnonzero(columns.parent[:, 0] >= 0).tolist():
        came = np.setdiff1d(columns.squads[row], columns.squads[columns.parent[row, 0]])
        told = breeding.changes(row)
        assert sorted(line.split(" → ")[1] for line in told) == sorted(str(short[man]) for man in came)


def test_a_repaired_candidate_says_what_was_repaired_and_its_children_remember(breeding: Breeding) -> None:
    assert breeding.evolution.repairs
    for row, mend in breeding.evolution.repairs.items():
        (line,) = breeding.repair_log(row)
        assert line.endswith(f", for {mend.reason}{', by the solver' * mend.solved}")
        assert not line.startswith("In ")


def test_a_repair_by_the_solver_is_told_and_counted(breeding: Breeding, monkeypatch: pytest.MonkeyPatch) -> None:
    row, mend = next(iter(breeding.evolution.repairs.items()))
    before = breeding.solved - mend.solved
    monkeypatch.setitem(breeding.evolution.repairs, row, replace(mend, solved=True))
    assert breeding.solved == before + 1
    assert breeding.repair_log(row)[0].endswith(", by the solver")


def test_the_lineage_tells_blocks_by_archetype_and_what_was_done(breeding: Breeding) -> None:
    for row in breeding.options:
        text, origins = breeding.lineage(row), breeding.origins(row)
        for block, origin in origins.items():
            assert block in text
            assert origin in text


def test_the_spectrum_has_the_frontier_and_the_best_first(breeding: Breeding) -> None:
    for cost in Cost:
        found = breeding.spectrum(cost, top=10)
        assert (np.diff(found.score) <= 0).all()
        assert set(breeding.population.frontier(cost).tolist()) == set(found.row[found.on_frontier].tolist())
        for item in np.flatnonzero(found.on_frontier).tolist():
            assert not ((found.score >= found.score[item]) & (found.cost < found.cost[item])).any()


def test_history_has_every_generation_with_its_diversity() -> None:
    history = small_history()
    numbers = [step.generation for step in history]
    assert numbers[0] == 1
    assert numbers == sorted(set(numbers))  # what closes a run counts as generations of its own and is not told
    assert all(isinstance(step, Progress) and 0 < step.diversity <= 1 for step in history)


def test_a_memory_can_learn_from_the_wins(breeding: Breeding) -> None:
    assert breeding.learned_from == ARCHETYPE_NAMES
    assert breeding.wins.sum() <= len(BLOCK_NAMES) * len(breeding.options) + 1e-9
    memory = BlockMemory().learned("protect", "cup/1", breeding.learned_from, breeding.wins)
    tilt = memory.tilt("protect", breeding.learned_from)
    assert tilt.argmax() == breeding.wins.sum(axis=1).argmax()


@pytest.mark.parametrize(
    ("words", "text"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_words_are_listed_as_in_a_sentence(words: list[str], text: str) -> None:
    assert listed(words) == text
