"""Commands about what is likely: signals of a round, and what is fitted for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from data.domain import Position
from data.worlds.library import DEFAULT_WORLD, PAST_SEASONS, find_world
from ui.terminal.console import print_json, print_table, say
from ui.terminal.options import JsonOption, Place, grouped

if TYPE_CHECKING:
    import numpy as np

    from models.reasons import Reason
    from models.signals import Signals


class SignalOrder(StrEnum):
    """What signals can be sorted by."""

    XEV = "xev"
    CEILING = "ceiling"
    EO = "eo"
    VALUE = "value"
    OWNED = "owned"


@grouped
def signals(
    place: Place,
    position: Annotated[Position | None, typer.Option(help="Only this position.", case_sensitive=False)] = None,
    sort: Annotated[SignalOrder, typer.Option(help="What to sort by, from high to low.")] = SignalOrder.XEV,
    limit: Annotated[int, typer.Option(min=1, help="How many rows to show.")] = 20,
    player: Annotated[
        list[str] | None, typer.Option(help="Only this player, and why so much is expected of him; may be repeated.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List what is believed of the players of a round: expected points, range, exposure, and why.

    Example: [bold]thetaxi signals --round 1 --position MID --sort value[/bold], or [bold]thetaxi signals --round 1
    --player Mbappé[/bold]

    JSON: {"world", "round", "checksum", "provisional": (texts), "notes": (texts), "crowd": (texts), "players":
    [{"player_id", "name", "team", "position", "opponent", "price", "xev", "floor", "ceiling", "variance", "start",
    "owned", "eo", "confidence", "value", "lines": {line: points}, "reasons": [{"about", "text", "points"}]}]}; the
    lines of a player sum to his xev. Reasons are told of players asked for by --player alone; points are null where
    what is told has none.
    """
    from engine.board.wish_words import named_players
    from models.reasons import player_reasons

    desk = place.desk()
    found, named = desk.beliefs, named_players(player or (), desk.snapshot, desk.beliefs)
    table = found.table().assign(value=found.xev / found.price, row=range(len(found)))
    table = table[table["position"] == position] if position else table
    table = table[table["player_id"].isin(named)] if named else table
    table = table.sort_values([sort.value, "player_id"], ascending=[False, True]).head(limit)
    rows = table.to_dict("records")
    reasons = {row["row"]: player_reasons(found, desk.snapshot, row["row"]) for row in rows} if named else {}
    if json:
        told = {"world": found.world, "round": found.round, "checksum": found.checksum}
        said = {"provisional": list(found.provisional), "notes": list(found.notes), "crowd": list(found.crowd)}
        print_json(told | said | {"players": [_listed(found, row, reasons.get(row["row"], ())) for row in rows]})
        return
    shown = [
        (
            p["name"], p["team"], p["position"], p["opponent"], float(p["price"]), f"{p['xev']:.2f}",
            f"{p['floor']:.0f}–{p['ceiling']:.0f}", f"{p['start']:.0%}", f"{p['owned']:.1%}", f"{p['eo']:.1%}",
        )
        for p in rows
    ]  # fmt: skip
    columns = ["player", "team", "pos", "opponent", "price", "xEV", "8 in 10", "start", "owned", "EO"]
    print_table(found.rules.round_title(found.round), columns, shown)
    for row, why in reasons.items():
        print_table(f"Why {found.name[row]}", ["about", "in words"], [(reason.about, reason.text) for reason in why])
    if not named:
        say(*found.notes, *found.crowd, style="dim")


def _listed(found: Signals, row: dict[str, Any], reasons: Sequence[Reason]) -> dict[str, object]:
    """Return a player as the JSON of signals has him."""
    known = {name: value for name, value in row.items() if name != "row"}
    lines = {name: float(values[row["row"]]) for name, values in found.points.lines.items()}
    return known | {"lines": lines} | ({"reasons": [asdict(reason) for reason in reasons]} if reasons else {})


def fit_minutes(
    worlds: Annotated[list[Path], typer.Argument(help="Folders of whole seasons made by `thetaxi import-fpl`.")],
    out: Annotated[Path | None, typer.Option(help="CSV to write the coefficients to.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit who plays in a league, and for an hour, on whole seasons as they were known at each deadline.

    The coefficients that come with the project are those of the seasons 2022-23 to 2024-25, each imported with the
    seasons before it as history.

    Example: [bold]thetaxi fit-minutes seasons/2022-23 seasons/2023-24 seasons/2024-25[/bold]

    JSON: {"coefficients": {feature: {"outfield_plays", "outfield_sixty", "keeper_plays"}}, "keeper_sixty", "bend":
    {name: value}}; the bend is that of the log odds to play of outfield players, once teams are filled.
    """
    from data.storage.files import write_own
    from data.worlds.world import open_world
    from models.players.minutes import fit_minutes as fitting
    from models.players.minutes.league_minutes import BEND, FEATURES

    logits = fitting.fit_minutes(open_world(folder) for folder in worlds)
    table = logits.table()
    if out:
        write_own(out, table.to_csv(lineterminator="\n").encode())
        say(f"Written to {out}.")
    known, bend = table.loc[list(FEATURES)].iloc[:, :3], dict(zip(BEND, logits.bend.tolist(), strict=True))
    if json:
        told = {"coefficients": known.to_dict("index"), "keeper_sixty": logits.keeper_sixty}
        print_json(told | {"bend": bend})
        return
    rows = [
        (str(name), *(f"{value:.3f}" for value in row)) for name, row in zip(known.index, known.to_numpy(), strict=True)
    ]
    print_table("Minutes in a league", ["feature", *known.columns], rows)


def fit_later_minutes(
    worlds: Annotated[list[Path], typer.Argument(help="Folders of whole seasons made by `thetaxi import-fpl`.")],
    out: Annotated[Path | None, typer.Option(help="CSV to write the coefficients to.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit who plays in later rounds of a league, from what was known rounds before, on whole seasons.

    The coefficients that come with the project are those of the seasons 2022-23 to 2024-25, as `fit-minutes` has them.

    Example: [bold]thetaxi fit-later-minutes seasons/2022-23 seasons/2023-24 seasons/2024-25[/bold]

    JSON: {"coefficients": [{"ahead", name: value}]}; one row for each number of rounds after the coming one.
    """
    from data.storage.files import write_own
    from data.worlds.world import open_world
    from models.players.minutes import fit_minutes as fitting
    from models.players.minutes.league_minutes import shipped_logits

    table = fitting.fit_later_minutes((open_world(folder) for folder in worlds), shipped_logits()).table()
    if out:
        write_own(out, table.to_csv(lineterminator="\n").encode())
        say(f"Written to {out}.")
    if json:
        print_json({"coefficients": table.reset_index().to_dict("records")})
        return
    rows = [
        (str(name), *(f"{value:.3f}" for value in row)) for name, row in zip(table, table.to_numpy().T, strict=True)
    ]
    print_table("Minutes of later rounds", ["rounds ahead", *map(str, table.index)], rows)


def fit_lines(
    worlds: Annotated[list[Path], typer.Argument(help="Folders of whole seasons made by `thetaxi import-fpl`.")],
    out: Annotated[Path | None, typer.Option(help="Folder to write shares.csv and bonus.csv to.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit shares of goals and assists and the bonus of a league on whole seasons as they were known at each deadline.

    The coefficients that come with the project are those of the seasons 2022-23 to 2024-25, as `fit-minutes` has them.

    Example: [bold]thetaxi fit-lines seasons/2022-23 seasons/2023-24 seasons/2024-25[/bold]

    JSON: {"shares": [{"kind", "position", name: value}], "bonus": [{"position", name: value}]}.
    """
    from data.storage.files import write_own
    from data.worlds.world import open_world
    from models.calibration import fit_lines as fitting

    lines = fitting.fit_lines([open_world(folder) for folder in worlds])
    tables = {"shares": lines.shares.table(), "bonus": lines.bonus_table()}
    if out:
        for name, table in tables.items():
            write_own(out / f"{name}.csv", table.to_csv(lineterminator="\n").encode())
        say(f"Written to {out}.")
    if json:
        print_json({name: table.reset_index().to_dict("records") for name, table in tables.items()})
        return
    for name, table in tables.items():
        rows = [tuple(str(cell) for cell in row) for row in table.reset_index().itertuples(index=False)]
        print_table(name.capitalize(), [*table.index.names, *table.columns], rows)


def solve_seeds(
    out: Annotated[Path, typer.Option(help="CSV to write the squads to.")],
    worlds: Annotated[
        list[str] | None, typer.Argument(help="Worlds whose rounds are solved; the bundled ones.")
    ] = None,
) -> None:
    """Solve the squads that searches start from beforehand, for every round of some worlds.

    Those of the bundled worlds come with the project, so that the first board of a round waits for no solver.

    Example: [bold]thetaxi solve-seeds --out engine/rules/solved_squads.csv[/bold]
    """
    from data.storage.files import write_own
    from engine.desk import open_desk
    from engine.rules.solved_before import squads_csv
    from engine.search.seeding.first_problems import first_squads

    found: list[tuple[str, np.ndarray]] = []
    for world in map(find_world, worlds or (DEFAULT_WORLD, PAST_SEASONS)):
        for number in world.rounds:
            say(f"{world.name}, round {number} …", style="dim")
            desk = open_desk(world, number)
            found += first_squads(desk.view, desk.demands)
    write_own(out, squads_csv(found).encode())
    say(f"Written to {out}.")


def breed_boards(
    out: Annotated[Path, typer.Option(help="JSON to write the boards to.")],
    worlds: Annotated[
        list[str] | None, typer.Argument(help="Worlds whose coming round is searched; the bundled ones.")
    ] = None,
) -> None:
    """Breed the boards of the first page beforehand: of the coming round of some worlds, under every objective.

    Those of the bundled worlds come with the project, so that the first page waits for no search.

    Example: [bold]thetaxi breed-boards --out engine/board/bred_boards.json[/bold]
    """
    from data.storage.files import write_own
    from engine.board.bred_boards import boards_json
    from engine.desk import open_desk
    from engine.fitness.objective import MEANINGS

    found = []
    for world in map(find_world, worlds or (DEFAULT_WORLD, PAST_SEASONS)):
        say(f"{world.name}, round {world.coming} …", style="dim")
        desk = open_desk(world, world.coming)
        found += [desk.to_be_kept(desk.pick(theta), desk.objective(theta)) for theta in MEANINGS]
    write_own(out, boards_json(found).encode())
    say(f"Written to {out}.")
