"""Commands about what is likely: signals of a round, and how good they were."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from data.domain import Position
from data.rules import load_rules
from data.worlds.library import DEFAULT_WORLD, find_world
from ui.terminal.console import print_json, print_table, say
from ui.terminal.options import JsonOption, Place, SeedOption, WorldOption, grouped, parse_rounds

COUNTS = ("matches", "market_matches", "rows")
"""Figures of a calibration that are whole numbers."""


SLOPE = ("players", "forecast", "horizon", "slope")


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
    json: JsonOption = False,
) -> None:
    """List what is believed of the players of a round: expected points, range, exposure, and why.

    Example: [bold]thetaxi signals --round 1 --position MID --sort value[/bold]

    JSON: {"world", "round", "checksum", "provisional": (texts), "notes": (texts), "crowd": (texts), "players":
    [{"player_id", "name", "team", "position", "opponent", "price", "xev", "floor", "ceiling", "variance", "start",
    "owned", "eo", "confidence", "value", "lines": {line: points}}]}; the lines of a player sum to his xev.
    """
    found = place.desk().beliefs
    table = found.table().assign(value=found.xev / found.price, row=range(len(found)))
    table = table[table["position"] == position] if position else table
    table = table.sort_values([sort.value, "player_id"], ascending=[False, True]).head(limit)
    rows = table.to_dict("records")
    if json:
        lines = found.points.lines
        listed = [
            {k: v for k, v in row.items() if k != "row"}
            | {"lines": {n: float(x[row["row"]]) for n, x in lines.items()}}
            for row in rows
        ]
        print_json(
            {
                "world": found.world,
                "round": found.round,
                "checksum": found.checksum,
                "provisional": list(found.provisional),
                "notes": list(found.notes),
                "crowd": list(found.crowd),
                "players": listed,
            }
        )
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
    say(*found.notes, *found.crowd, style="dim")


def calibrate(
    world: WorldOption = DEFAULT_WORLD,
    rounds: Annotated[
        str, typer.Option(help="Rounds to walk, such as 1-4 or 2,3; by default all that are known.")
    ] = "",
    horizon: Annotated[
        int, typer.Option(min=1, max=8, help="How many rounds ahead to forecast them too; 1 is the coming one alone.")
    ] = 1,
    plot: Annotated[Path | None, typer.Option(help="Draw reliability plots into this .png or .svg file.")] = None,
    seed: SeedOption = 0,
    json: JsonOption = False,
) -> None:
    """Walk the known rounds without looking ahead and compare the forecasts with official points and baselines.

    Example: [bold]thetaxi calibrate --plot calibration.png[/bold]

    JSON: {"world", "rounds", "points": [{"players", "forecast", "rounds", "horizon", "rmse", "spearman", "mae",
    "rows"}], "matches": {"matches", "log_loss", "rps", "clean_sheet_brier", "clean_sheet_base", "market_matches",
    "market_log_loss", "log_loss_there"}, "minutes": {"rows", "log_loss", "sixty_brier", "sixty_gap"}, "coverage":
    [{"position", "all", "relevant"}], "advance_brier", "slopes": [{"players", "forecast", "horizon", "slope"}]}; a
    figure that is not defined is null. "carried" is the forecast from the coming round's minutes carried on, and a
    slope that of official points on the forecast.
    """
    from models import calibration, forecast_errors
    from models.players.scorers import describe, match_scorers

    opened = find_world(world)
    chosen = parse_rounds(rounds) if rounds else calibration.known_rounds(opened)
    walks = calibration.walk_forward(opened, load_rules(opened.rulebook), chosen, seed, horizon)
    for number, grown in zip(chosen, walks, strict=True):
        say(f"Round {number} done.", style="dim")
        walk = grown
    last = opened.at(chosen[-1])
    say(describe(match_scorers(last.goals, last.players, last.teams)), style="dim")
    errors = forecast_errors.point_errors(walk.players).to_dict("records")
    ahead = forecast_errors.errors_ahead(walk.ahead).to_dict("records")
    coverage = forecast_errors.central_coverage(walk.players).to_dict("records")
    matches = forecast_errors.match_errors(walk.matches)
    minutes = forecast_errors.minutes_errors(walk.players)
    advance = forecast_errors.advance_brier(walk.advance)
    if plot:
        from ui.terminal.reliability_plot import save_reliability

        save_reliability(walk.players, plot)
        say(f"Plots drawn to {plot}.")
    if json:
        print_json(
            {
                "world": opened.name,
                "rounds": list(chosen),
                "points": [_finite(row) for row in (*errors, *(_without_slope(row) for row in ahead))],
                "matches": _finite(matches),
                "minutes": _finite(minutes),
                "coverage": [_finite(row) for row in coverage],
                "advance_brier": _finite({"x": advance})["x"],
                "slopes": [_finite({name: row[name] for name in SLOPE}) for row in ahead],
            }
        )
        return
    _print_calibration(opened.title, errors, matches, minutes, coverage, advance)
    _print_ahead(ahead)


def fit_minutes(
    worlds: Annotated[list[Path], typer.Argument(help="Folders of whole seasons made by `thetaxi import-fpl`.")],
    out: Annotated[Path | None, typer.Option(help="CSV to write the coefficients to.")] = None,
    json: JsonOption = False,
) -> None:
    """Fit who plays in a league, and for an hour, on whole seasons as they were known at each deadline.

    The coefficients that come with the project are those of the seasons 2022-23 to 2024-25, each imported with the
    seasons before it as history.

    Example: [bold]thetaxi fit-minutes seasons/2022-23 seasons/2023-24 seasons/2024-25[/bold]

    JSON: {"coefficients": {feature: {"outfield_plays", "outfield_sixty", "keeper_plays"}}, "keeper_sixty"}.
    """
    from data.storage.files import write_own
    from data.worlds.world import open_world
    from models.players import fit_minutes as fitting

    logits = fitting.fit_minutes(open_world(folder) for folder in worlds)
    table = logits.table()
    if out:
        write_own(out, table.to_csv(lineterminator="\n").encode())
        say(f"Written to {out}.")
    known = table.iloc[:-1, :3]
    if json:
        print_json({"coefficients": known.to_dict("index"), "keeper_sixty": logits.keeper_sixty})
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
    from models.players import fit_minutes as fitting
    from models.players.league_minutes import shipped_logits

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


def _print_calibration(
    title: str,
    errors: list[dict[str, float]],
    matches: dict[str, float],
    minutes: dict[str, float],
    coverage: list[dict[str, float]],
    advance: float,
) -> None:
    rows = [
        (e["players"], e["forecast"], *(_figure(e[name]) for name in ("rmse", "spearman", "mae")), int(e["rows"]))
        for e in errors
    ]
    print_table(f"{title}: points", ["players", "forecast", "RMSE", "Spearman", "MAE", "rows"], rows)
    measures = matches | {"advance_brier": advance}
    for heading, values in (("Matches", measures), ("Minutes", minutes)):
        figures = [(n.replace("_", " "), int(x) if n in COUNTS else _figure(x)) for n, x in values.items()]
        print_table(heading, ["figure", "value"], figures)
    inside = [(c["position"], _figure(c["all"]), _figure(c["relevant"])) for c in coverage]
    print_table("Central 80 % covers", ["position", "all players", "relevant"], inside)


def _print_ahead(errors: list[dict[str, float]]) -> None:
    """Print the errors of forecasts made rounds before, where any were asked for."""
    names = ("rmse", "spearman", "mae", "slope")
    rows = [(e["horizon"], e["players"], e["forecast"], *(_figure(e[n]) for n in names), e["rows"]) for e in errors]
    if rows:
        columns = ["ahead", "players", "forecast", "RMSE", "Spearman", "MAE", "slope", "rows"]
        print_table("Rounds ahead: 1 is the coming one", columns, rows)


def _without_slope(row: dict[str, float]) -> dict[str, float]:
    return {name: value for name, value in row.items() if name != "slope"}


def _figure(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _finite(row: dict[str, float]) -> dict[str, object]:
    return {key: None if isinstance(value, float) and not math.isfinite(value) else value for key, value in row.items()}
