"""What a Premier League season offered at each deadline: from the state before it, else from the gameweek's rows."""

from __future__ import annotations

import pandas as pd

from data.domain import Status
from data.errors import TableError
from data.importing.season_layout import POSITION_OF, STATE_NAMES, STATUS_OF
from data.importing.season_tables import TENTHS, offers_table

HUNDRED = 100.0


def market_table(
    states: pd.DataFrame, rows: pd.DataFrame, clubs: pd.DataFrame, fixtures: pd.DataFrame, squad_size: int
) -> pd.DataFrame:
    """Return what was on offer in every gameweek with matches.

    `states` are the rows of deadlines.csv; a gameweek it does not have is judged by the rows of gameweeks.csv, which
    know neither injuries nor news.
    """
    known = _known_states(states[states["gw"].isin(fixtures["round"])], clubs)
    judged = _from_gameweeks(rows, fixtures, squad_size)
    market = pd.concat([known, judged[~judged["round"].isin(known["round"])]], ignore_index=True)
    return market.sort_values(["round", "player_id"], ignore_index=True)


def _known_states(states: pd.DataFrame, clubs: pd.DataFrame) -> pd.DataFrame:
    """Return the states as offers. Ownership is the percentage then shown: who bought him later was not yet known."""
    states = states[states["element_type"].isin(list(POSITION_OF))]
    own = states.rename(columns={"element": "player_id", "gw": "round"} | STATE_NAMES)
    return own.assign(
        team=states["team"].map(clubs.set_index("id")["short_name"]),
        price=states["now_cost"] / TENTHS,
        owned=states["selected_by_percent"] / HUNDRED,
        status=states["status"].map(STATUS_OF),
    )


def _from_gameweeks(rows: pd.DataFrame, fixtures: pd.DataFrame, squad_size: int) -> pd.DataFrame:
    """Return team, price and ownership of every player with a row, all of them playing.

    The number of owners is carried over a blank before shares are taken: over the rows of a blank gameweek alone, the
    best-owned player of 2023/24 would be owned by 133 % of all managers.
    """
    offers = _carried_over_blanks(rows.drop_duplicates(["element", "gw"]), fixtures)
    squads = offers.groupby("gw")["selected"].transform("sum") / squad_size
    _refuse_more_owners_than_squads(offers, squads)
    return offers_table(offers, squads).assign(status=Status.PLAYING.value)


def _refuse_more_owners_than_squads(offers: pd.DataFrame, squads: pd.Series) -> None:
    excess = offers[offers["selected"] > squads]
    if not excess.empty:
        first = excess.iloc[0]
        raise TableError(
            f"gameweeks.csv, gw {first['gw']}, column 'selected': player {first['element']} has "
            f"{first['selected']:.0f} owners, but all players together make only {squads[excess.index[0]]:.0f} squads. "
            "Are rows missing?"
        )


def _carried_over_blanks(offers: pd.DataFrame, fixtures: pd.DataFrame) -> pd.DataFrame:
    """Return the offers with a player's last one repeated while his club has no match; nobody else is carried on."""
    columns = ["code", "value", "selected"]
    everyone = pd.MultiIndex.from_product(
        [sorted(offers["element"].unique()), sorted(offers["gw"].unique())], names=["element", "gw"]
    )
    grid = offers.set_index(["element", "gw"])[columns].reindex(everyone)
    given = grid["code"].notna()
    grid[columns] = grid.groupby("element")[columns].ffill()
    grid = grid.assign(given=given, spell=given.groupby("element").cumsum()).reset_index()
    sides = pd.concat([fixtures[["round", side]].set_axis(["gw", "code"], axis=1) for side in ("home", "away")])
    grid = grid.merge(sides.drop_duplicates().assign(plays=True), "left", ["gw", "code"])
    on_offer = grid["given"] | (grid["code"].notna() & grid["plays"].isna())
    unbroken = on_offer.groupby([grid["element"], grid["spell"]]).cummin()
    return grid[unbroken]
