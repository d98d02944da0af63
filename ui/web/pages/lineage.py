"""Lineage: breed and watch, then follow any squad back to the convictions it was bred from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import numpy as np
import pandas as pd
import streamlit as st

from engine.board.board import Board
from engine.search.breeding.evolution import Progress
from engine.search.outcome import NEW, Breeding, listed
from engine.search.population.blocks import BLOCK_NAMES
from engine.search.population.genome import Genome, genome_id
from ui.web.choice.frame import Chosen, is_dark
from ui.web.choice.objective_choice import TITLES
from ui.web.choice.plan import MOST_GENERATIONS
from ui.web.choice.plan_board import choose_plan
from ui.web.choice.session import change, visitor
from ui.web.drawing.charts.breeding import draw_alike, draw_scores, progress_table, progress_words
from ui.web.drawing.charts.family_tree import DEPTH, parents_of, title_of, tree_html, tree_rows
from ui.web.drawing.escaping import as_markdown
from ui.web.drawing.figures import written
from ui.web.drawing.live import draw_until
from ui.web.pages.spectrum import names_by_row
from ui.web.squads.squad_use import draw_in_use, searched
from ui.web.work.background import background
from ui.web.work.orders import attended, board_order, generations_of
from ui.web.work.scheduler import Phase, State
from ui.web.work.search_job import Bred, SearchJob
from ui.web.work.search_view import POLL, draw_outcome, progress_in_words

NO_PARENTS = "a seed has no parents to beat"
CHILDREN_SHOWN = 40
"""Best squads in the table of children."""


def show() -> None:
    """Draw the page."""
    st.title("How the squads are bred", anchor=False)
    opened = choose_plan()
    chosen = searched(opened)
    draw_in_use(opened)
    if chosen.plan.theta is None:
        attended()
        st.info("Choose an objective: the search breeds squads towards it.", icon=":material/touch_app:")
        return
    (job,) = attended(board_order(chosen, bred=True))
    state = job.now  # once: the search goes on while the page is drawn
    _draw_breed(chosen, state)
    if _under_way(state):
        title, generations = TITLES[chosen.plan.theta], generations_of(chosen.plan)
        draw_until(lambda: not _under_way(job.now), POLL, lambda: _draw_live(job, title, generations))
        return
    if state.phase is Phase.STOPPED:
        st.info("The search was stopped: this is the best it had found.", icon=":material/stop_circle:")
    if state.told.history:
        _draw_history(state.told.history)
    if state.told.board is None:
        draw_outcome(chosen, job)
    else:
        _draw_family(state.told.board)


def _under_way(state: State[Bred]) -> bool:
    return state.running and not state.out


def _draw_breed(chosen: Chosen, state: State[Bred]) -> None:
    """Draw how long to breed, and the button that begins anew."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        wanted = st.number_input(
            "Generations",
            1,
            MOST_GENERATIONS,
            value=generations_of(chosen.plan),
            key=f"generations_{chosen.plan.generations}",
            width=160,
            help="More take longer: the best score can only rise.",
        )
        st.button(
            "Breed",
            key="breed",
            type="primary",
            icon=":material/genetics:",
            on_click=_breed,
            args=(chosen, int(wanted)),
            disabled=_under_way(state),
        )


def _breed(chosen: Chosen, generations: int) -> None:
    """Breed so many generations; where that was done already, anew."""
    if generations == generations_of(chosen.plan):
        background().again(board_order(chosen, bred=True), visitor())
    else:
        change(generations=generations)


def _draw_live(job: SearchJob, title: str, generations: int) -> None:
    """Draw how far a search is, with a way to stop it."""
    share, words = progress_in_words(job, title, generations)
    st.progress(share, text=words)
    st.button("Stop", icon=":material/stop_circle:", key="stop_breeding", on_click=job.stop, args=(visitor(),))
    _draw_history(job.now.told.history)


def _draw_history(history: Sequence[Progress]) -> None:
    words = progress_words(history)
    st.markdown(words)
    if not history:
        return
    table = progress_table(history)
    st.altair_chart(draw_scores(table, is_dark()), width="stretch", key="bred_scores", alt=words)
    st.altair_chart(draw_alike(table, is_dark()), width="stretch", key="bred_alike", alt=words)


def _draw_family(board: Board) -> None:
    breeding = board.breeding
    if breeding is None:
        return
    names = names_by_row(breeding)
    st.subheader("Family tree", anchor=False)
    row = st.selectbox(
        "Whose ancestors",
        list(names),
        format_func=lambda one: kin_label(breeding, one, names),
        key=f"kin_{board.objective}_{board.round}",
    )
    row = row if row in names else breeding.options[0]
    st.markdown(as_markdown(f"{names[row]}: {breeding.lineage(row)}."))
    st.html(tree_html(breeding, row))
    st.caption(f"Each squad stands above its parents, {DEPTH} generations back at most.")
    _draw_child(breeding, row, names)
    _draw_children(breeding, names)


def kin_label(breeding: Breeding, row: int, names: Mapping[int, str]) -> str:
    """Return a candidate in a few words."""
    name = f"{names[row]} · " if row in names else ""
    return f"{name}{genome_id(row)} · {title_of(breeding, row)} · score {breeding.population.columns.score[row]:.2f}"


def _draw_child(breeding: Breeding, row: int, names: Mapping[int, str]) -> None:
    st.subheader("One squad of the tree", anchor=False)
    rows = tree_rows(breeding, row)
    child = st.selectbox(
        "Squad of the tree",
        rows,
        format_func=lambda one: kin_label(breeding, one, names),
        key=f"child_{row}",
    )
    child = child if child in rows else row
    st.html(child_html(breeding.genome(child), block_lines(breeding, child)))


def block_lines(breeding: Breeding, row: int) -> tuple[str, ...]:
    """Return the blocks of a candidate, each with its men and where most of them come from."""
    signals = breeding.evolution.judge.view.signals
    squad, tags = breeding.population.columns.squads[row], breeding.evolution.tags(np.array([row]))[0]
    return tuple(
        f"{block} ({', '.join(str(signals.short[man]) for man in squad[tags == BLOCK_NAMES.index(block)])}), "
        f"{'new' if origin == NEW else f'from {origin}'}"
        for block, origin in breeding.origins(row).items()
    )


def child_html(genome: Genome, blocks: Sequence[str]) -> str:
    """Return a candidate's parents, operator, blocks, repairs, changes and gain as a list of terms."""
    told, logs = genome.metadata, genome.artifacts
    parents = listed(told["parents"])
    gained = f"{written(told['gained'], '{:+.2f}')} points against its better parent" if parents else NO_PARENTS
    lines = [
        ("Parents", parents or "none: a seed"),
        ("Made by", f"{told['operator']}, generation {told['generation']}"),
        ("Blocks", "; ".join(blocks)),
        ("What changed", "; ".join(logs["mutation_log"]) or "nothing against its first parent"),
        ("Repairs", "; ".join(logs["repair_log"]) or "none was needed"),
        ("Gained", gained),
        ("Score", f"{genome.fitness:.2f}, {told['variance_band']} swing"),
    ]
    drawn = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(str(words))}</dd></div>" for name, words in lines)
    return f'<dl class="xi-facts" data-testid="child">{drawn}</dl>'


def _draw_children(breeding: Breeding, names: Mapping[int, str]) -> None:
    ranked = breeding.population.query(top=CHILDREN_SHOWN).tolist()
    with st.expander(f"The best {len(ranked)} squads of {len(breeding.population):,}, with what each gained"):
        table = children_table(breeding, ranked, names)
        signed = st.column_config.NumberColumn(format="%+.2f", help="Against the better parent")
        st.dataframe(
            table,
            hide_index=True,
            column_config={"Score": st.column_config.NumberColumn(format="%.2f"), "Gained": signed},
            alt="The best squads with parents, operator, score, gain, changes and repairs",
        )
        dropped, solved = len(breeding.evolution.dropped), breeding.solved
        if dropped or solved:
            st.caption(repairs_words(dropped, solved))


def repairs_words(dropped: int, solved: int) -> str:
    """Return how many children were lost, and how many the solver saved."""
    lost = f"{dropped:,} children were dropped: no repair could save them." if dropped else ""
    saved = f"Mended by the solver, where a quick repair would have broken what they were bred for: {solved:,}."
    return f"{lost} {saved if solved else ''}".strip()


def children_table(breeding: Breeding, rows: Sequence[int], names: Mapping[int, str]) -> pd.DataFrame:
    """Return candidates with their parents, what made them, and what they changed and gained."""
    columns = breeding.population.columns
    return pd.DataFrame(
        [
            {
                "Squad": f"{genome_id(row)}{f', {names[row].lower()}' if row in names else ''}",
                "Generation": int(columns.generation[row]),
                "Made by": title_of(breeding, row),
                "Parents": ", ".join(genome_id(parent) for parent in parents_of(breeding, row)),
                "Score": float(columns.score[row]),
                "Gained": round(breeding.gained(row), 2) + 0.0 if parents_of(breeding, row) else None,
                "What changed": "; ".join(breeding.changes(row)),
                "Repairs": "; ".join(breeding.repair_log(row)),
            }
            for row in rows
        ]
    )
