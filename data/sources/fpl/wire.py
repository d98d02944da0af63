"""The payloads of Fantasy Premier League's public API about the game and its players, as far as we read them."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator, Field

from data.sources.wire import (
    Count,
    Entries,
    Expected,
    Flag,
    Forecast,
    Goals,
    Id,
    Listed,
    LongText,
    Maybe,
    MaybeText,
    Minutes,
    Moment,
    PercentText,
    Points,
    RoundId,
    Text,
    Wire,
    number_of_text,
    text_or_none,
)

BOOTSTRAP, FIXTURES = "bootstrap-static/", "fixtures/"
Tenths = Annotated[int, Field(ge=1, le=500)]  # of a million
Chance = Annotated[int, Field(ge=0, le=100)]  # percent
Managers = Annotated[int, Field(ge=0, le=10**9)]
Order = Annotated[int, Field(ge=1, le=50)]  # 1 is the first taker
Whole = Annotated[int, Field(ge=-10_000, le=10_000)]
Change = Annotated[float, Field(ge=-1000, le=1000), BeforeValidator(number_of_text)]  # percent of a price change
SeasonSum = Annotated[float, Field(ge=0, le=10_000), BeforeValidator(number_of_text)]


class WireEvent(Listed):
    """A gameweek."""

    id: RoundId
    deadline_time: Moment
    finished: bool
    data_checked: Maybe[bool] = None
    is_current: Flag = False
    is_next: Flag = False
    most_captained: Maybe[Id] = None  # the player whom most managers gave the armband
    average_entry_score: Maybe[Points] = None  # of all managers


class WireTeam(Listed):
    """A club."""

    name: Text
    short_name: Annotated[Text, Field(max_length=6, pattern=r"^[^\W_]+([/&.'-][^\W_]+)*$")]  # ARS, ÖSK, B/G


class WireTotals(Wire):
    """What a player did in all matches of the season so far; a game counts all of it or not."""

    minutes: Maybe[SeasonSum] = None
    starts: Maybe[SeasonSum] = None
    goals_scored: Maybe[SeasonSum] = None
    assists: Maybe[SeasonSum] = None
    expected_goals: Maybe[SeasonSum] = None
    expected_assists: Maybe[SeasonSum] = None
    saves: Maybe[SeasonSum] = None
    yellow_cards: Maybe[SeasonSum] = None
    red_cards: Maybe[SeasonSum] = None
    bonus: Maybe[SeasonSum] = None
    tackles: Maybe[SeasonSum] = None
    defensive_contribution: Maybe[SeasonSum] = None


class WirePriceProjection(Wire):
    """How far a player's price will be on its way some nights from now."""

    offset: Annotated[int, Field(ge=0, le=100)]  # nights; 0 is the coming one
    projected_percent: Change


class WireElement(Listed, WireTotals):
    """A player; ownership comes as text."""

    first_name: MaybeText = ""
    second_name: MaybeText = ""
    web_name: Text
    team: Id
    element_type: Annotated[int, Field(ge=1, le=5)]
    now_cost: Tenths
    selected_by_percent: PercentText
    status: Text
    event_points: Maybe[Points] = 0
    code: Maybe[Id] = None
    news: Annotated[LongText, BeforeValidator(text_or_none)] = ""
    chance_of_playing_next_round: Maybe[Chance] = None
    ep_next: Maybe[Forecast] = None
    transfers_in_event: Maybe[Managers] = None
    transfers_out_event: Maybe[Managers] = None
    penalties_order: Maybe[Order] = None
    direct_freekicks_order: Maybe[Order] = None
    corners_and_indirect_freekicks_order: Maybe[Order] = None
    cost_change_start: Maybe[Whole] = None  # tenths of a million
    price_change_percent: Maybe[Change] = None  # of the way to a rise, below 0 to a fall
    price_change_projections: Maybe[Entries[WirePriceProjection]] = None
    price_change_locked_until: Maybe[Moment] = None  # it does not move before

    @property
    def price_tonight(self) -> float | None:
        """Percent of the way when prices change next: 100 and more is a rise, -100 and less a fall."""
        if self.price_change_locked_until:
            return None
        tonight = [step.projected_percent for step in self.price_change_projections or [] if step.offset == 0]
        return tonight[0] if tonight else self.price_change_percent


class WireElementType(Listed):
    """A position, and how many men of it a squad has."""

    singular_name_short: Text
    squad_select: Maybe[Annotated[int, Field(ge=0, le=50)]] = None


class WireElementStat(Wire):
    """Something that the game counts."""

    name: Text


class WireGameConfig(Wire):
    """The rules that the game itself tells."""

    scoring: Maybe[dict[str, object]] = None  # event → points, or points by position


class WireBootstrap(Wire):
    """The one document with everything but the matches."""

    events: Entries[WireEvent]
    teams: Entries[WireTeam]
    elements: Entries[WireElement]
    element_types: Maybe[Entries[WireElementType]] = None
    element_stats: Maybe[Entries[WireElementStat]] = None
    game_config: Maybe[WireGameConfig] = None


class WireFixture(Listed):
    """A match; without a gameweek while it waits for a date."""

    event: RoundId | None = None
    kickoff_time: Moment | None = None
    team_h: Id
    team_a: Id
    team_h_score: Goals | None = None
    team_a_score: Goals | None = None
    finished: Flag = False
    finished_provisional: Maybe[bool] = None  # over, but its bonus is still to be added

    @property
    def over(self) -> bool:
        """Whether it is played to its end."""
        return self.finished or bool(self.finished_provisional)


class WireHistory(Wire):
    """What a player did in a match."""

    fixture: Id
    round: RoundId
    was_home: bool
    value: Tenths
    selected: Annotated[int, Field(ge=0, le=10**9)]
    starts: Annotated[int, Field(ge=0, le=1)] | None = None
    total_points: Points
    minutes: Minutes
    goals_scored: Count
    assists: Count
    clean_sheets: Count
    goals_conceded: Count
    own_goals: Count
    penalties_saved: Count
    penalties_missed: Count
    yellow_cards: Count
    red_cards: Count
    saves: Count
    bonus: Count
    defensive_contribution: Count = 0
    tackles: Count = 0
    bps: Annotated[int, Field(ge=-200, le=400)] | None = None
    expected_goals_conceded: Expected | None = None
    clearances_blocks_interceptions: Count | None = None
    recoveries: Count | None = None
    expected_goals: Expected | None = None
    expected_assists: Expected | None = None


class WirePastSeason(WireTotals):
    """What a player did in an earlier season."""

    season_name: Annotated[Text, Field(pattern=r"^(19|20)[0-9]{2}/[0-9]{2}$")]
    total_points: Maybe[Whole] = None
    clean_sheets: Maybe[SeasonSum] = None


class WireSummary(Wire):
    """A player's matches of this season, and his seasons before it."""

    history: Entries[WireHistory]
    history_past: Maybe[Entries[WirePastSeason]] = None


def summary_name(player_id: int) -> str:
    """Return the address of a player's matches below the base URL."""
    return f"element-summary/{player_id}/"
