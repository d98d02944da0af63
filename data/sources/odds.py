"""Odds and shots of matches in the free layout of football-data, laid beside a world of the league. Nothing is sent.

    refresh_odds(folder, now=…)                      from football-data's own address: this season, and coming matches
    refresh_odds(folder, now=…, where=("E0.csv",))   from files or addresses of one's own

They are facts of `fixtures` (`home_odds` … `under_odds`, known from `odds_date` on) and of `results` (with shots).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from threading import Event

import pandas as pd

from data.errors import AbsentError, InputError, TableError, ThetaXIError
from data.importing.season_odds import (
    NAMES,
    PRICES,
    SIDES,
    credited,
    odds_rows,
    told_matches,
    unmatched,
    with_odds,
)
from data.naming.clubs import club_meant
from data.sources.doubts import Check
from data.sources.own.delimited import TableLimits, read_sheet
from data.sources.report import FetchStep, Reading, SourceReport
from data.storage.files import read_own
from data.tables import Kind
from data.web.client import Answer, WebSettings, get_bytes, open_client
from data.worlds.world import World, open_world

SOURCE = "odds"
BASE_URL = "https://www.football-data.co.uk/"
COMING = "fixtures.csv"
"""Where coming matches of all leagues stand with their odds."""

LIMITS = TableLimits(size=3_000_000, rows=20_000, columns=400, cell=200)
"""A season of one league has 380 rows and 130 columns, 200 kB."""

PATIENCE = WebSettings(size_limit=LIMITS.size, whole=60.0)
DIVISION = "Div"
WIN, TOTAL = ("home_odds", "draw_odds", "away_odds"), ("over_odds", "under_odds")
SUM_OF_CHANCES = (0.95, 1.4)
"""Of what bookmakers' odds say of all outcomes: their margin makes it 1.03 to 1.08. Other sums are no odds of one."""

Bring = Callable[[], Answer]


def season_file(world: World) -> str:
    """Return the address of the season's matches below the base URL."""
    year = int(world.tables["rounds"]["deadline"].min().year)
    return f"mmz4281/{year % 100:02d}{(year + 1) % 100:02d}/E0.csv"


def refresh_odds(
    folder: Path,
    *,
    now: Callable[[], datetime],
    base_url: str = "",
    where: Sequence[str] = (),
    cache: Path | None = None,
    settings: WebSettings = PATIENCE,
    progress: Callable[[FetchStep], None] = lambda _: None,
    check: Check | None = None,
    stop: Event | None = None,
) -> SourceReport:
    """Lay odds beside the matches of a world folder; every failure becomes a report, and the world stays as it was.

    `where` are files and addresses of tables; without any, the season's and the coming matches below the base URL are
    asked for. A world that `check` refuses is not saved.
    """
    url, started, arrived = base_url or BASE_URL, now(), list[FetchStep]()

    def report(warnings: tuple[str, ...] = (), error: str = "") -> SourceReport:
        documents = {step.answer.path: step.answer.size for step in arrived if not step.failure}
        kept = "the odds known before, and everything else" if error else ""
        return SourceReport(SOURCE, ", ".join(where) or url, started, now(), documents, warnings, error, kept)

    try:
        opened = partial(_opened, cache=cache, settings=settings, stop=stop)
        wanted = _named(where, opened) if where else _usual(url, season_file(open_world(folder)), opened)
        for step in _brought(wanted):
            arrived.append(step)
            progress(step)
        tables = {step.answer.path: step.answer.value for step in arrived if not step.failure}
        reading = with_tables(open_world(folder), tables, now().date())  # whoever refreshed it meanwhile is not undone
        if check:
            check(reading.world)
        reading.world.save(folder)
    except (ThetaXIError, OSError) as error:
        return report(error=str(error) or type(error).__name__)
    return report((*reading.warnings, *(step.failure for step in arrived if step.failure)))


def _usual(url: str, season: str, opened: Callable[[str, str], Answer]) -> dict[str, Bring]:
    return {name: partial(opened, url, name) for name in (season, COMING)}


def _named(where: Sequence[str], opened: Callable[[str, str], Answer]) -> dict[str, Bring]:
    """Return how to bring each of these files and addresses."""
    return {
        place: partial(opened, *_parted(place)) if "://" in place else partial(_from_file, place) for place in where
    }


def _parted(address: str) -> tuple[str, str]:
    base, _, name = address.rpartition("/")
    if not name or base.endswith("/"):
        raise InputError(f"{address!r} names no table. Give the address of a CSV file, such as {BASE_URL}{COMING}.")
    return base, name


def _opened(base: str, name: str, cache: Path | None, settings: WebSettings, stop: Event | None) -> Answer:
    with open_client(base, cache, settings, stop=stop) as client:
        return get_bytes(client, name)


def _from_file(name: str) -> Answer:
    content = read_own(Path(name))
    return Answer(name, content, len(content), cached=False)


def _brought(wanted: Mapping[str, Bring]) -> Iterator[FetchStep]:
    """Yield the tables as they come; one that the source does not have, as before a season, may be missing."""
    for number, (name, bring) in enumerate(wanted.items(), start=1):
        try:
            yield FetchStep(bring(), number, len(wanted))
        except AbsentError as error:
            yield FetchStep(Answer(name, None, 0, cached=False), number, len(wanted), str(error))


def with_tables(world: World, brought: Mapping[str, object], today: date) -> Reading:
    """Return a world with the odds and shots of tables in the free layout, and in sentences what does not fit.

    Odds of a match to come are known from today on at the latest, those of an earlier one since they are collected.
    """
    spelt = world.tables["teams"].set_index("code")["results_name"]
    listed, results = _listed(world.tables["fixtures"], spelt), _dated(world.tables["results"])
    fixtures, past, notes, placed = world.tables["fixtures"], world.tables["results"], list[str](), 0
    for origin, content in brought.items():
        rows, told = read_table(content, origin, set(spelt))
        beside = with_odds(listed, rows)
        placed += int(beside["odds_date"].notna().sum())
        fixtures = _filled(fixtures, _known_by(beside, today), ("odds_date", *PRICES.values()))
        past = _filled(past, with_odds(results, rows), NAMES.values())
        notes += [*told, *unmatched(rows, listed)]
    if not placed:
        raise TableError(" ".join([f"No odds fit a match of {world.title}.", *notes]))
    tables = {**world.tables, "fixtures": fixtures, "results": past}
    made = World.of(world.name, world.title, world.rulebook, credited(world.sources, fixtures), tables)
    return Reading(made, (_counted(made, today), *notes))


def read_table(content: object, origin: str, clubs: Collection[str]) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the matches of a league in a table of any leagues, and what of it was left out."""
    if not isinstance(content, bytes):
        raise TableError(f"{origin} is no table.")
    try:
        sheet = read_sheet(content, LIMITS)
    except TableError as error:
        raise TableError(f"{origin}: {error}") from None
    cells = pd.DataFrame(sheet.cells)
    own = _of_league(cells, clubs)
    others = len(cells) - len(own)
    rows, senseless = _sensible(odds_rows(own.reset_index(drop=True), origin))
    left = (f"Left out of {origin}: matches of other leagues ({others}).",)
    return rows, (*(left if others else ()), *senseless)


def _of_league(cells: pd.DataFrame, clubs: Collection[str]) -> pd.DataFrame:
    """Return the rows of the divisions in which two of our clubs meet; a table that names none is of one."""
    if DIVISION not in cells or not set(SIDES) <= set(cells):
        return cells
    ours = pd.Series(True, index=cells.index)
    for side in SIDES:
        known = {name for name in cells[side].unique() if club_meant(name, clubs) in clubs}
        ours &= cells[side].isin(known)
    return cells[cells[DIVISION].isin(cells.loc[ours, DIVISION].unique())]


def _sensible(rows: pd.DataFrame) -> tuple[pd.DataFrame, tuple[str, ...]]:
    """Return the rows without odds that cannot be those of one match, and a sentence that names them."""
    wrong = pd.Series(False, index=rows.index)
    for names in (WIN, TOTAL):
        known = [name for name in names if name in rows]
        if not known:
            continue
        chances = (1 / rows.reindex(columns=list(names))).sum(axis=1, skipna=False)
        bad = rows[known].notna().any(axis=1) & ~chances.between(*SUM_OF_CHANCES)
        rows = rows.assign(**{name: rows[name].where(~bad) for name in known})
        wrong |= bad
    if not wrong.any():
        return rows, ()
    return rows, (f"Odds that make no sense together are left out: {told_matches(rows[wrong])}.",)


def _listed(fixtures: pd.DataFrame, spelt: pd.Series) -> pd.DataFrame:
    sides = {f"{side}_name": fixtures[side].map(spelt) for side in ("home", "away")}
    return pd.DataFrame({**sides, "kickoff_time": fixtures["kickoff"]})


def _dated(results: pd.DataFrame) -> pd.DataFrame:
    sides = {f"{side}_name": results[f"{side}_team"] for side in ("home", "away")}
    return pd.DataFrame({**sides, "kickoff_time": results["date"].dt.tz_localize("UTC")})


def _known_by(beside: pd.DataFrame, today: date) -> pd.DataFrame:
    """Return matches with the day from which their odds are known: of those to come today, however late they are."""
    day = pd.Timestamp(today)
    ahead = beside["kickoff_time"].dt.tz_localize(None) >= day
    known = beside["odds_date"].where(~ahead | (beside["odds_date"] <= day), day)
    odds = beside.reindex(columns=list(PRICES.values())).notna().any(axis=1)
    return beside.assign(odds_date=known.where(odds & beside["odds_date"].notna()).astype(Kind.DATE.value))


def _filled(table: pd.DataFrame, told: pd.DataFrame, names: Collection[str]) -> pd.DataFrame:
    """Return a table with what is told in its place, and what it knew where nothing is."""
    fresh = {name: told[name].where(told[name].notna(), table[name]) for name in names if name in told}
    return table.assign(**fresh)


def _counted(world: World, today: date) -> str:
    fixtures = world.tables["fixtures"]
    known = fixtures["home_odds"].notna()
    ahead = fixtures["kickoff"].dt.tz_localize(None) >= pd.Timestamp(today)
    return f"Matches with odds: {int((known & ahead).sum())} to come, {int((known & ~ahead).sum())} before."
