"""Commands that answer a manager's questions: what a player would cost, and what each booster is worth."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from engine.board.stated_wishes import StatedWishes
from ui.terminal.boards import plain
from ui.terminal.console import print_json, print_table, say
from ui.terminal.options import JsonOption, ObjectiveOptions, Place, grouped

if TYPE_CHECKING:
    from engine.board.boosters import BoosterValue
    from engine.board.why import Why

NamesArgument = Annotated[list[str], typer.Argument(help="One or more players, by name or id.")]


@grouped
def why(
    names: NamesArgument, place: Place, asked: ObjectiveOptions, wishes: StatedWishes, json: JsonOption = False
) -> None:
    """Say what a player costs: the best squad with him against the best without that demand, term by term.

    Example: [bold]thetaxi why "Kylian Mbappé" --round 1 --theta gain[/bold]

    JSON: {"world", "round", "aim", "players": [{"player_id", "name", "included", "cost", "terms": {term: points},
    "sentence", "swaps": [{"position", "out", "into", "points", "price"}], "best": option, "other": option}]}; `other`
    is the best squad with him, or without him where he is included already.
    """
    from engine.board.wish_words import named_players

    desk = place.desk(wishes)
    objective = asked.objective(desk)
    answers, base = [], None
    for player in named_players(names, desk.snapshot, desk.beliefs):
        answers.append(desk.why(objective, desk.beliefs.row_of(player), base))
        base = answers[-1].best.rows
    if json:
        listed = [_told(answer) for answer in answers]
        print_json({"world": desk.beliefs.world, "round": desk.beliefs.round, "aim": objective.name, "players": listed})
        return
    for answer in answers:
        _print_why(answer)


@grouped
def boosters(place: Place, asked: ObjectiveOptions, wishes: StatedWishes, json: JsonOption = False) -> None:
    """Value each booster for this round: for the squad you have, or without --from for the best one.

    Example: [bold]thetaxi boosters --round 4 --theta protect --from squad.csv[/bold]

    JSON: {"world", "round", "aim", "squad": (names), "boosters": [{"key", "title", "effect", "legal", "points": (null
    where not allowed or unknown), "how", "confirmed"}]}.
    """
    desk = place.desk(wishes)
    objective, signals = asked.objective(desk), desk.signals
    rows = np.array(desk.view.settings.current) if wishes.squad else desk.best_squad(objective)
    values = desk.boosters(objective, rows)
    if json:
        named = [str(signals.name[row]) for row in rows]
        told: dict[str, object] = {"world": signals.world, "round": signals.round, "aim": objective.name}
        print_json(told | {"squad": named, "boosters": [asdict(value) for value in values]})
        return
    _print_boosters(values, signals.rules.round_title(signals.round))


def _told(answer: Why) -> dict[str, object]:
    from engine.board.export import option_dict

    return {
        "player_id": answer.man.player_id,
        "name": answer.man.name,
        "included": answer.included,
        "cost": answer.cost,
        "terms": dict(answer.terms),
        "sentence": answer.sentence,
        "swaps": [
            {"position": s.position, "out": s.first.name, "into": s.second.name, "points": s.points, "price": s.price}
            for s in answer.swaps
        ],
        "best": option_dict(answer.best),
        "other": option_dict(answer.other),
    }


def _print_why(answer: Why) -> None:
    ours, theirs = answer.best.decomposition, answer.other.decomposition
    rows = [
        (plain(name), f"{ours.terms[name]:+.2f}", f"{theirs.terms[name]:+.2f}", f"{change:+.2f}")
        for name, change in answer.terms.items()
    ]
    rows.append(("fitness", f"{ours.fitness:.2f}", f"{theirs.fitness:.2f}", f"{-answer.cost:+.2f}"))
    heads = ["term", "best squad", "without him" if answer.included else "with him", "change"]
    print_table(f"{answer.man.name} ({answer.man.team})", heads, rows)
    swaps = [(s.position, s.first.name, s.second.name, f"{s.points:+.1f}", f"{s.price:+.1f}") for s in answer.swaps]
    print_table("Who goes and who comes", ["pos", "out", "in", "points", "price"], swaps, answer.sentence)


def _print_boosters(values: tuple[BoosterValue, ...], title: str) -> None:
    rows = [(v.title, "–" if v.points is None else f"{v.points:+.1f}", "yes" if v.legal else "no") for v in values]
    print_table(f"{title}: boosters", ["booster", "points", "allowed"], rows)
    say(*(f"{v.title}{'' if v.confirmed else ' (rule not confirmed)'}: {v.how}" for v in values))
