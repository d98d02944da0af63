"""Everything a link reproduces: the plan a page shows, written to and read from the address bar.

How other pages use it:

- `Plan` is a frozen value. Players are game ids (`Man.player_id`), teams are codes, so a link outlives a refresh.
- `link_of(plan)` gives the query parameters, without what is at its default; `read_link(params)` gives the plan back
  and sentences about what in the link made no sense. Neither touches Streamlit.
- In a page take the plan from `frame.choose_round().plan` and change it by `session.change(theta="gain")` in a
  widget's callback: the address bar and every other widget follow on the rerun.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from data.domain import Crowd
from data.errors import InputError
from data.rules import CaptaincyMode
from data.worlds.library import DEFAULT_WORLD
from engine.fitness.objective import MEANINGS, RANK
from engine.fitness.wishes import TeamWish, Wishes
from models.outlook import HORIZON
from ui.web.choice.rival_link import LONGEST_TEXT, MOST_RIVALS, is_rivals_text
from ui.web.choice.tastes import MOST_TASTES, Taste, is_small, preferences_of, read_taste
from ui.web.plans.edits import MOST_EDITS, PlanEdit, read_edit

THETAS = tuple(MEANINGS)
"""What a link may name as its objective; none of them stands for a manager who has not chosen yet."""

FIRST_ROUND, LAST_ROUND = 1, 60
SQUAD_SIZE = 15
MOST_DRAFTED = 2 * SQUAD_SIZE  # a draft may have too many men for a while
MOST_BANS = 100
MOST_TEAM_WISHES = 12
MOST_CHIPS = 20
MOST_GENERATIONS = 2_000
HIGHEST_SEED = 2**32 - 1
LONGEST_VALUE = 2_000
"""Characters of one parameter; a hundred bans need less than a thousand."""

HIGHEST_NUMBER = 100_000_000
"""Of an entry or a league."""

NOTHING = "none"
"""How a link says that a list is known to be empty."""

_FOLLOWERS = (
    ("current", "selling", ()),
    ("theta", "spec", ""),
    ("rivals", "league", None),
    ("rivals", "rival", None),
    ("rivals", "counted", None),
)
"""A field, one that goes with it, and what that is until it is told anew."""

_TEAM_WISH = re.compile(r"([A-Za-z0-9]{1,8}):(\d{1,2})-(\d{0,2})")
_PLACED = re.compile(r"[a-z0-9_]{1,40}@\d{1,2}")
_WORLD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a page is about: where, for which objective, and under which wishes."""

    world: str = DEFAULT_WORLD
    round: int | None = None  # None = the first that can be opened
    theta: str | None = None  # None = not chosen yet
    k: float | None = None  # None = the default of the objective; w likewise
    w: float | None = None
    lead: float | None = None  # points ahead of the rival or the field, behind if negative; None = not told
    left: int | None = None  # rounds left, this one included
    locks: tuple[int, ...] = ()
    bans: tuple[int, ...] = ()
    captain: int | None = None
    formation: str | None = None
    budget: float | None = None
    teams: tuple[TeamWish, ...] = ()
    tastes: tuple[Taste, ...] = ()  # whom the manager would rather have, or rather not, by a few tenths of a point
    current: tuple[int, ...] = ()  # the squad one starts from
    selling: tuple[float, ...] = ()  # millions the men of `current` would bring, in their order; empty = not known
    free: int | None = None  # free transfers; None = those of the stage
    changes: int | None = None  # from the current squad at most
    draft: tuple[int, ...] = ()  # the squad under the visitor's hands on My team; what is told of its money follows
    draft_selling: tuple[float, ...] = ()
    draft_budget: float | None = None
    draft_free: int | None = None
    entry: int | None = None  # the manager's own number in the game
    chips: tuple[str, ...] | None = None  # boosters he has left, by the rulebook's names; None = not known
    league: int | None = None  # the number of the league his rivals were read from
    rivals: str = ""  # their squads, packed by `rival_link`
    rival: int | None = None  # the place of the one he measures himself against, from 1; None = all of them
    counted: int | None = None  # the round before which the points between him and his rivals were counted
    crowd: str = Crowd.ALL.value  # whom he plays against where no rival is named
    captaincy: str | None = None  # None = as the rulebook says
    own: str = ""  # digest of the visitor's own projections, which stay in his browser session
    spec: str = ""  # digest of the visitor's own spec, likewise; it then stands in place of θ's
    horizon: int | None = None  # rounds that are planned together; None = five
    boosted: tuple[str, ...] | None = None  # boosters asked for in their rounds, as NAME@ROUND; None = left to the plan
    edits: tuple[PlanEdit, ...] = ()  # of the plan over rounds
    hits: int | None = None  # transfers beyond the free ones: 1 may be planned, 0 never; None = where they pay
    generations: int | None = None  # of a search at most; None = enough for good options
    seed: int = 0

    def __post_init__(self) -> None:
        for name, parameter in _PARAMETERS.items():
            value = getattr(self, name)
            if value is not None and not parameter.check(value):
                raise InputError(f"{name} is {value!r}; it must be {parameter.wanted}.")
        both = sorted(set(self.locks) & set(self.bans))
        if both:
            raise InputError(f"Player {both[0]} is asked for and ruled out at once. Take him off one of the lists.")

    def with_changes(self, **changes: Any) -> Plan:
        """Return the plan with some fields changed.

        What men sell for goes with the squad they are in, a spec of one's own with the θ it was made from, and league,
        chosen rival and the round of the points with the rivals.
        """
        for name, follows, nothing in _FOLLOWERS:
            if name in changes:
                changes = {follows: nothing} | changes
        return replace(self, **changes)

    def elsewhere(self, world: str) -> Plan:
        """Return the plan for another competition: wishes, money and standing mean nothing there."""
        return Plan(world=world, theta=self.theta, generations=self.generations, seed=self.seed)

    @property
    def asked(self) -> Wishes:
        """What the manager asks of his squad; what men sell for counts only where it is known of all."""
        known = len(self.selling) == len(self.current)
        return Wishes(
            locks=self.locks,
            bans=self.bans,
            captain=self.captain,
            formation=self.formation,
            budget=self.budget,
            teams=self.teams,
            squad=self.current,
            selling=dict(zip(self.current, self.selling, strict=True)) if known else {},
            free_transfers=self.free,
            changes=self.changes,
            preferences=preferences_of(self.tastes),
        )

    @property
    def planned(self) -> tuple[object, ...]:
        """What is asked of the plan over rounds alone."""
        return (self.edits, self.boosted, self.hits)

    @property
    def wishes(self) -> int:
        """How many wishes beyond the objective are set."""
        single = (self.captain, self.formation, self.budget, self.changes, self.free)
        listed = (self.locks, self.bans, self.teams, self.tastes)
        return sum(map(len, listed)) + sum(value is not None for value in single)


class LinkParameter(NamedTuple):
    """How a field of the plan is read from a link, and what it must be."""

    read: Callable[[str], Any]
    check: Callable[[Any], bool]
    wanted: str
    longest: int = LONGEST_VALUE


def _whole(low: int, high: int) -> LinkParameter:
    return LinkParameter(int, lambda value: low <= value <= high, f"a number from {low} to {high}")


def _listed(read: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    return lambda text: tuple(read(part) for part in text.split(","))


def _players(most: int) -> LinkParameter:
    def check(value: tuple[int, ...]) -> bool:
        return len(value) <= most and len(set(value)) == len(value) and all(one >= 0 for one in value)

    return LinkParameter(_listed(int), check, f"at most {most} different players")


def _prices(value: tuple[float, ...]) -> bool:
    return len(value) <= MOST_DRAFTED and all(0 < price <= 1000 for price in value)


def _different_teams(value: tuple[TeamWish, ...]) -> bool:
    return len(value) <= MOST_TEAM_WISHES and len({wish.code for wish in value}) == len(value)


def _different_tastes(value: tuple[Taste, ...]) -> bool:
    different = len({taste.about for taste in value}) == len(value) <= MOST_TASTES
    return different and all(is_small(taste.points) for taste in value)


def _different_edits(value: tuple[PlanEdit, ...]) -> bool:
    return len(value) <= MOST_EDITS and len(set(value)) == len(value)


def _read_team(text: str) -> TeamWish:
    found = _TEAM_WISH.fullmatch(text)
    if not found:
        raise ValueError(text)
    code, least, most = found.groups()
    return TeamWish(code.upper(), int(least), int(most) if most else None)


def _chips(text: str) -> tuple[str, ...]:
    return () if text == NOTHING else tuple(text.split(","))


def _plain_names(value: tuple[str, ...]) -> bool:
    return len(value) <= MOST_CHIPS and all(_WORLD.fullmatch(name) for name in value)


def _placed_names(value: tuple[str, ...]) -> bool:
    return len(value) <= MOST_CHIPS and all(_PLACED.fullmatch(name) for name in value)


_DIGEST = LinkParameter(str, lambda value: bool(re.fullmatch(r"([0-9a-f]{12})?", value)), "a digest")
_MONEY = LinkParameter(float, lambda value: 0 < value <= 1000, "above 0 and at most 1000")
_PRICES = LinkParameter(_listed(float), _prices, f"at most {MOST_DRAFTED} prices above 0")
_PARAMETERS = {
    "world": LinkParameter(str, lambda value: bool(_WORLD.fullmatch(value)), "the plain name of a world"),
    "round": _whole(FIRST_ROUND, LAST_ROUND),
    "theta": LinkParameter(str.lower, THETAS.__contains__, f"one of {', '.join(THETAS)}"),
    "k": LinkParameter(float, lambda value: 0 <= value <= 1, "from 0 to 1"),
    "w": LinkParameter(float, lambda value: 0 <= value <= 1, "from 0 to 1"),
    "lead": LinkParameter(float, lambda value: abs(value) <= 100_000, "a number of points"),
    "left": _whole(FIRST_ROUND, LAST_ROUND),
    "locks": _players(SQUAD_SIZE),
    "bans": _players(MOST_BANS),
    "captain": LinkParameter(int, lambda value: value >= 0, "the number of a player"),
    "formation": LinkParameter(str, lambda value: bool(re.fullmatch(r"\d-\d-\d", value)), "written like 4-4-2"),
    "budget": _MONEY,
    "teams": LinkParameter(_listed(_read_team), _different_teams, f"at most {MOST_TEAM_WISHES} different teams"),
    "tastes": LinkParameter(_listed(read_taste), _different_tastes, f"at most {MOST_TASTES} different tastes"),
    "current": _players(SQUAD_SIZE),
    "selling": _PRICES,
    "free": _whole(0, SQUAD_SIZE),
    "changes": _whole(0, SQUAD_SIZE),
    "draft": _players(MOST_DRAFTED),
    "draft_selling": _PRICES,
    "draft_budget": _MONEY,
    "draft_free": _whole(0, SQUAD_SIZE),
    "entry": _whole(1, HIGHEST_NUMBER),
    "chips": LinkParameter(_chips, _plain_names, f"at most {MOST_CHIPS} names of boosters"),
    "rivals": LinkParameter(str, is_rivals_text, "rivals as a link packs them", LONGEST_TEXT),
    "league": _whole(1, HIGHEST_NUMBER),
    "rival": _whole(1, MOST_RIVALS),
    "counted": _whole(FIRST_ROUND, LAST_ROUND),
    "crowd": LinkParameter(str, tuple(Crowd).__contains__, f"one of {', '.join(Crowd)}"),
    "captaincy": LinkParameter(str, tuple(CaptaincyMode).__contains__, f"one of {', '.join(CaptaincyMode)}"),
    "own": _DIGEST,
    "spec": _DIGEST,
    "horizon": _whole(1, HORIZON),
    "boosted": LinkParameter(_chips, _placed_names, f"at most {MOST_CHIPS} boosters with their rounds"),
    "edits": LinkParameter(_listed(read_edit), _different_edits, f"at most {MOST_EDITS} different edits of a plan"),
    "hits": _whole(0, 1),
    "generations": _whole(1, MOST_GENERATIONS),
    "seed": _whole(0, HIGHEST_SEED),
}
"""The fields of a plan as a link gives them, in the order in which they are read. No check takes a NaN."""


def link_of(plan: Plan) -> dict[str, str]:
    """Return the query parameters of a plan; none for a page where nothing was chosen yet."""
    default = Plan()
    chosen = {name: getattr(plan, name) for name in _PARAMETERS if getattr(plan, name) != getattr(default, name)}
    return {"world": plan.world} | {name: _written(value) for name, value in chosen.items()} if chosen else {}


def _without_rank(params: Mapping[str, str]) -> list[Any]:
    """Return the parameters of a link, one for rank as one for the side its strength was on, and what to say of it."""
    if params.get("theta") != RANK:
        return [params]
    side = "gain" if params.get("k", "").startswith("-") else "protect"
    moved = {**params, "theta": side, "k": params.get("k", "").removeprefix("-")}
    return [moved, f"Rank is now the measured strength behind protect and gain: this link opens as {side}."]


def read_link(params: Mapping[str, str]) -> tuple[Plan, tuple[str, ...]]:
    """Return the plan of a link, and a sentence for each part of it that makes no sense and is left out."""
    plan, (given, *remarks) = Plan(), _without_rank(params)
    for name, parameter in _PARAMETERS.items():
        text = given.get(name)
        if not text:
            continue
        try:
            plan = plan.with_changes(**{name: parameter.read(text[: parameter.longest])})
        except (ValueError, InputError):
            remarks.append(f"The link's {name} ({text[:40]!r}) makes no sense here and is left out.")
    return plan, tuple(remarks)


def _written(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(str(one) for one in value) or NOTHING
    return f"{value:g}" if isinstance(value, float) else str(value)
