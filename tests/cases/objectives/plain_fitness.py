"""The fitness of one squad in plain loops: the slow, independent judge of the compiled specs.

Written from the formula and the rules of the game, one player, one outcome, one addition at a time. It shares with the
engine the beliefs and the rulebook it reads, and no computation.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from itertools import combinations, pairwise, permutations, product
from math import inf

from data.domain import POSITIONS
from data.rules import UNLIMITED, GameRules
from engine.fitness.preferences import NO_PREFERENCES, Preferences
from models.players.points import GRID
from models.signals import Signals

TIE = 1e-9
"""Values this close are equal: the order of trying decides."""

DISCOUNT = 0.85
SPINE = {"seed-protect": -0.10, "neutral": 0.0, "seed-gain": 0.25, "protect": 0.0, "gain": 0.0}
COVER = {"seed-protect": 0.3, "neutral": 0.3 / 4, "seed-gain": 0.0, "protect": 0.0, "gain": 0.0}
LEAP = {"seed-protect": 0.0, "neutral": 0.04 / 4, "seed-gain": 0.04, "protect": 0.0, "gain": 0.0}
SWING = {"seed-protect": -0.02, "neutral": -0.02 / 4, "seed-gain": 0.02, "protect": -0.02, "gain": 0.01}
ALONG = {"seed-protect": 0.0, "neutral": 0.0, "seed-gain": 0.0, "protect": 2 * 0.02, "gain": -2 * 0.01}
MOST_PREFERENCES = 1.5

Counts = tuple[int, int, int]  # of defenders, midfielders, forwards


class PlainRound:
    """The beliefs about a round as lists: item i is player i."""

    def __init__(self, signals: Signals) -> None:
        self.signals = signals
        self.rules: GameRules = signals.rules
        self.number = signals.round
        self.position: list[int] = signals.position.tolist()
        self.team: list[int] = signals.team.tolist()
        self.price: list[float] = signals.price.tolist()
        self.xev: list[float] = signals.xev.tolist()
        self.play: list[float] = signals.p_play.tolist()
        self.unavailable: list[bool] = signals.unavailable.tolist()
        self.start: list[float] = signals.start.tolist()
        self.typical: list[float] = signals.typical_xev.tolist()
        self.plays: list[list[float]] = signals.plays.tolist()
        self.sheet: list[list[float]] = signals.clean_sheet.tolist()
        self.slot: list[int] = signals.slot.tolist()
        self.scores: list[int] = GRID.tolist()
        self.above = [above(chances, self.scores) for chances in signals.points.mass.tolist()]
        self.ceiling: list[float] = signals.ceiling.tolist()
        self.eo: list[float] = signals.exposure.eo.tolist()
        self.template = [row for row, popular in enumerate(signals.exposure.template.tolist()) if popular]
        self.differential = {row for row, rare in enumerate(signals.exposure.differential.tolist()) if rare}

    @property
    def formations(self) -> list[Counts]:
        return [(back, middle, front) for _, back, middle, front in self.rules.squad.lineups]

    @cached_property
    def blocks(self) -> list[tuple[list[int], list[list[float]]]]:
        """Who is in each match, and the covariance of each two of them."""
        return [(block.rows.tolist(), block.values.tolist()) for block in self.signals.covariance.blocks]

    def covariance(self, one: int, other: int) -> float:
        return float(self.signals.covariance[one, other])

    def sheet_pay(self, row: int) -> int:
        position = POSITIONS[self.position[row]]
        lines = self.rules.scoring.values()
        return sum(line.points_for(position) for line in lines if line.event == "clean_sheet")

    def carry_of(self, row: int) -> float:
        """What a player may still bring in the rounds a squad is kept for, the next one discounted once."""
        total = 0.0
        for number in range(self.number + 1, self.rules.rounds + 1):
            if self.rules.stage(number).free_transfers == UNLIMITED:
                break
            alive = self.plays[row][self.signals.rounds.index(number)]
            total += self.typical[row] * alive * DISCOUNT ** (number - self.number)
        return total

    def carry_weight(self) -> float:
        """A tenth in the groups, .35 in the knock-outs; 0 before a free rebuild and in the last round."""
        unlimited = [n for n in range(2, self.rules.rounds + 1) if self.rules.stage(n).free_transfers == UNLIMITED]
        if self.number == self.rules.rounds or self.number + 1 in unlimited:
            return 0.0
        return 0.35 if self.rules.kind == "tournament" and any(n <= self.number for n in unlimited) else 0.10


class PlainSquad:
    """One squad of a round: its line-up, its armband, and what they are worth."""

    def __init__(self, beliefs: PlainRound, squad: Sequence[int]) -> None:
        self.round = beliefs
        self.squad = [int(row) for row in squad]
        self.eleven, self.bench, self.role = best_line_up(beliefs, self.squad)

    @property
    def raw_xev(self) -> float:
        return sum(self.role[row] * self.round.xev[row] for row in self.squad)

    @property
    def forfeit(self) -> float:
        return forfeit_of(self.round, self.bench, self.role)

    @cached_property
    def armband(self) -> tuple[float, int]:
        """Points the armband adds, and who wears it first."""
        return best_armband(self.round, self.eleven, self.forfeit)

    @property
    def cs_lift(self) -> float:
        """Swing that the goalkeeper and defenders of one team share: p(1 − p) of what the sheet pays all but one."""
        spines: dict[int, list[int]] = {}
        for row in self.eleven:
            if self.round.position[row] <= 1:
                spines.setdefault(self.round.team[row], []).append(row)
        total = 0.0
        for men in spines.values():
            pay = [self.round.sheet_pay(row) for row in men]
            for chance in self.round.sheet[men[0]]:
                total += chance * (1 - chance) * (sum(pay) - max(pay))
        return total

    @property
    def carry(self) -> float:
        return sum(self.role[row] * self.round.carry_of(row) for row in self.squad)

    @property
    def cover_risk(self) -> float:
        """Exposure times ceiling of the template men who are not in the squad."""
        missed = [row for row in self.round.template if row not in self.squad]
        return sum(self.round.eo[row] * self.round.ceiling[row] for row in missed)

    @property
    def leap(self) -> float:
        rare = [row for row in self.squad if row in self.round.differential]
        return sum(self.role[row] * self.round.ceiling[row] * (1 - self.round.eo[row]) for row in rare)

    @property
    def counted(self) -> dict[int, float]:
        """How often each man's points count: his role, and the captain once more."""
        _, captain = self.armband
        copies = self.round.rules.captaincy.multiplier - 1
        return {row: self.role[row] + (copies if row == captain else 0) for row in self.squad}

    @property
    def variance(self) -> float:
        counted, total = self.counted, 0.0
        for one in self.squad:
            for other in self.squad:
                total += counted[one] * counted[other] * self.round.covariance(one, other)
        return total

    @property
    def field_covariance(self) -> float:
        """How the squad's points go along with the field's: x'Σe, match by match."""
        total = 0.0
        for rows, values in self.round.blocks:
            for one, line in zip(rows, values, strict=True):
                if one in self.counted:
                    along = sum(self.round.eo[other] * value for other, value in zip(rows, line, strict=True))
                    total += self.counted[one] * along
        return total

    @property
    def relative_variance(self) -> float:
        """Variance of the squad's points less the field's: d'Σd with d = squad − exposure, match by match."""
        ahead = [-exposure for exposure in self.round.eo]
        for row, times in self.counted.items():
            ahead[row] += times
        total = 0.0
        for rows, values in self.round.blocks:
            for one, line in zip(rows, values, strict=True):
                total += ahead[one] * sum(ahead[other] * value for other, value in zip(rows, line, strict=True))
        return total

    @property
    def price(self) -> float:
        return sum(self.round.price[row] for row in self.squad)

    def feasible(self, budget: float | None = None) -> bool:
        stage = self.round.rules.stage(self.round.number)
        teams = [self.round.team[row] for row in self.squad]
        shape = self.round.rules.squad.shape
        places = [POSITIONS[self.round.position[row]] for row in self.squad]
        return (
            self.price <= (stage.budget if budget is None else budget) + 1e-6
            and max(teams.count(team) for team in teams) <= stage.team_cap
            and all(places.count(position) == count for position, count in shape.items())
            and len(set(self.squad)) == len(self.squad)
        )

    def changes(self, current: Sequence[int]) -> int:
        return sum(row not in current for row in self.squad) if len(current) else 0

    def transfer_cost(self, current: Sequence[int], free: int | None) -> float:
        allowed = self.round.rules.stage(self.round.number).free_transfers if free is None else free
        beyond = 0 if allowed == UNLIMITED else max(self.changes(current) - allowed, 0)
        return float(self.round.rules.transfers.hit_cost * beyond)

    def preferred(self, wishes: Preferences) -> float:
        """What the manager's wishes add, each for every man it fits, all of them within their bound."""
        total = 0.0
        for wish in wishes.preference:
            for row in {"starter": self.eleven, "bench": self.bench, "squad": self.squad}[wish.role]:
                fits = (
                    self.round.start[row] >= wish.start_at_least
                    and wish.position in (None, POSITIONS[self.round.position[row]])
                    and wish.team in (None, self.round.signals.teams.strengths.codes[self.round.team[row]])
                    and wish.player in (None, int(self.round.signals.player_id[row]))
                )
                total += wish.points if fits else 0.0
        return min(max(total, -MOST_PREFERENCES), MOST_PREFERENCES)

    def terms(
        self,
        theta: str,
        *,
        current: Sequence[int] = (),
        free_transfers: int | None = None,
        wishes: Preferences = NO_PREFERENCES,
    ) -> dict[str, float]:
        """The signed terms of a legal squad under θ, in reading order."""
        uplift, _ = self.armband
        return {
            "raw_xev": self.raw_xev,
            "captaincy_uplift": uplift,
            "cs_corr_bonus": SPINE[theta] * self.cs_lift,
            "progression_carry": self.round.carry_weight() * self.carry,
            "ownership_leverage": LEAP[theta] * self.leap
            - COVER[theta] * self.cover_risk
            + ALONG[theta] * self.field_covariance,
            "variance_term": SWING[theta] * self.variance,
            "feasibility_penalty": 0.0,
            "preferences": self.preferred(wishes),
            "transfer_cost": -self.transfer_cost(current, free_transfers),
        }


def above(chances: Sequence[float], scores: Sequence[int]) -> list[tuple[float, float]]:
    """For each place on the grid: the chance of the scores from there on, and what they add to the mean."""
    more, points = 0.0, 0.0
    sums = [(more, points)]
    for chance, score in zip(reversed(chances), reversed(scores), strict=True):
        more, points = more + chance, points + chance * score
        sums.append((more, points))
    return sums[::-1]


def best_line_up(beliefs: PlainRound, squad: Sequence[int]) -> tuple[list[int], list[int], dict[int, float]]:
    """Try every legal eleven with every goalkeeper, bench order and armband; return starters, bench, and all roles.

    A role is 1 for a starter and P(comes in | he plays) on the bench: xEV holds his own chance to play already.
    """
    ranked = sorted(squad, key=lambda row: (-beliefs.xev[row], -beliefs.play[row], row))
    keepers, *sides = ([row for row in ranked if beliefs.position[row] == code] for code in range(4))
    goals, fields = list(_keeper_roles(beliefs, keepers)), list(_field_roles(beliefs, sides))
    tried = [(_worth(beliefs, field) + _worth(beliefs, goal), field, goal) for field in fields for goal in goals]
    # No eleven's armband adds more than that of all men together: below that, trying on is in vain.
    highest, best = best_armband(beliefs, squad, 0.0)[0], -inf
    near: list[tuple[float, float, list[int], list[int], dict[int, float]]] = []
    for worth, field, goal in sorted(tried, key=lambda one: -one[0]):
        if worth + highest < best - TIE:
            break
        starters, bench = _sides(beliefs, field, goal)
        role = goal | field
        lost = passed_over(beliefs, starters, bench)
        value = worth + best_armband(beliefs, starters, forfeit_of(beliefs, bench, role))[0] - lost
        best = max(best, value)
        near.append((value, sum(beliefs.play[row] for row in starters), starters, bench, role))
    # Ties go to the surer men.
    _, _, starters, bench, role = max((one for one in near if one[0] >= best - TIE), key=lambda one: one[1])
    return starters, bench, role


def _sides(beliefs: PlainRound, field: dict[int, float], goal: dict[int, float]) -> tuple[list[int], list[int]]:
    """A role lists the men from the first starter to the last man called."""
    starters = sum(beliefs.formations[0])
    return [*list(goal)[:1], *list(field)[:starters]], [*list(field)[starters:], *list(goal)[1:]]


def forfeit_of(beliefs: PlainRound, bench: Sequence[int], role: dict[int, float]) -> float:
    """What the bench brings, gone with the first manual change of the round."""
    brought = sum(role[row] * beliefs.xev[row] for row in bench)
    return max(brought, 0.0) if beliefs.rules.autosubs.manual_change_cancels_autosubs else 0.0


def passed_over(beliefs: PlainRound, starters: Sequence[int], bench: Sequence[int]) -> float:
    """Points a line-up must be better by: half a one for each man under 25 % with a fitter one behind him, …"""
    called = [row for row in bench if beliefs.position[row] != 0]
    lost = sum(100.0 for out, fit in combinations(called, 2) if beliefs.unavailable[out] > beliefs.unavailable[fit])
    for risky in starters:
        if beliefs.unavailable[risky]:
            lost += 1000
        if beliefs.play[risky] < 0.25:
            lost += 0.5 * any(
                beliefs.play[fitter] > beliefs.play[risky] and _may_replace(beliefs, starters, risky, fitter)
                for fitter in bench
            )
    return lost


def _may_replace(beliefs: PlainRound, starters: Sequence[int], out: int, into: int) -> bool:
    after = [beliefs.position[into if row == out else row] for row in starters]
    return (after.count(0), *(after.count(code) for code in (1, 2, 3))) in beliefs.rules.squad.lineups


def _worth(beliefs: PlainRound, role: dict[int, float]) -> float:
    return sum(times * beliefs.xev[row] for row, times in role.items())


def _keeper_roles(beliefs: PlainRound, keepers: list[int]) -> Iterator[dict[int, float]]:
    for order in permutations(keepers):
        role, waiting = {order[0]: 1.0}, 1.0
        for before, row in pairwise(order):
            waiting *= 1 - beliefs.play[before]
            role[row] = waiting if beliefs.rules.autosubs.enabled else 0.0
        yield role


def _field_roles(beliefs: PlainRound, sides: list[list[int]]) -> Iterator[dict[int, float]]:
    for formation in beliefs.formations:
        for chosen in product(*(combinations(men, count) for men, count in zip(sides, formation, strict=True))):
            bench = [row for men in sides for row in men if row not in sum(chosen, ())]
            yield from orders_of(beliefs, chosen, bench)


def orders_of(beliefs: PlainRound, chosen: Sequence[Sequence[int]], bench: Sequence[int]) -> Iterator[dict[int, float]]:
    """The roles of an outfield, its defenders, midfielders and forwards, in every order of its bench."""
    subs = beliefs.rules.autosubs
    allowed = frozenset(beliefs.formations) if subs.keeps_formation else None
    formation = (len(chosen[0]), len(chosen[1]), len(chosen[2]))
    absent = _absent_together([_absences([beliefs.play[row] for row in side]) for side in chosen])
    needed: dict[tuple[int, ...], float] = {}
    for length in range(1, len(bench) + 1):
        for called in {tuple(beliefs.position[row] - 1 for row in men) for men in permutations(bench, length)}:
            needed[called] = sum([absent[gaps] for gaps in _openings(formation, called, allowed)])
    for order in permutations(bench):
        role = {row: 1.0 for side in chosen for row in side}
        for place, row in enumerate(order):
            role[row] = _needed_at(beliefs, order[:place], row, needed) if subs.enabled else 0.0
        yield role


def _absences(play: Sequence[float]) -> list[float]:
    """The chance that 0, 1, 2 … of these men do not play."""
    chances = [1.0]
    for here in play:
        stays, goes = [p * here for p in chances], [p * (1 - here) for p in chances]
        chances = [a + b for a, b in zip([*stays, 0.0], [0.0, *goes], strict=True)]
    return chances


def _absent_together(sides: list[list[float]]) -> dict[Counts, float]:
    back, middle, front = sides
    return {(d, m, f): p * q * r for d, p in enumerate(back) for m, q in enumerate(middle) for f, r in enumerate(front)}


def _needed_at(beliefs: PlainRound, before: tuple[int, ...], row: int, needed: dict[tuple[int, ...], float]) -> float:
    """P(he comes in | he plays), whoever of those called before him plays."""
    total = 0.0
    for plays in product((True, False), repeat=len(before)):
        chance, called = 1.0, []
        for man, here in zip(before, plays, strict=True):
            chance *= beliefs.play[man] if here else 1 - beliefs.play[man]
            if here:
                called.append(beliefs.position[man] - 1)
        total += chance * needed[(*called, beliefs.position[row] - 1)]
    return total


@cache
def _openings(formation: Counts, called: tuple[int, ...], allowed: frozenset[Counts] | None) -> list[Counts]:
    """The numbers of absent starters at which the last of the men called, who all play, comes in."""
    openings = []
    for gaps in product(*(range(men + 1) for men in formation)):
        pitch, absent, comes = list(formation), list(gaps), False
        for position in called:
            comes = False
            for out in range(3):
                after = [men + (place == position) - (place == out) for place, men in enumerate(pitch)]
                if not comes and absent[out] and (allowed is None or tuple(after) in allowed):
                    pitch, comes = after, True
                    absent[out] -= 1
        if comes:
            openings.append((gaps[0], gaps[1], gaps[2]))
    return openings


def best_armband(beliefs: PlainRound, eleven: Sequence[int], forfeit: float) -> tuple[float, int]:
    """Try every captain and vice; return the points the armband adds and the captain."""
    value = armband_by_captain(beliefs, eleven, forfeit)
    near = [row for row in eleven if value[row] >= max(value.values()) - TIE]
    # Where values tie: the man one would rather be stuck with, then the earlier match, then the lower row.
    captain = min(near, key=lambda row: (-beliefs.above[row][0][1], beliefs.slot[row], row))
    return max(value.values()), captain


def armband_by_captain(beliefs: PlainRound, eleven: Sequence[int], forfeit: float) -> dict[int, float]:
    """The points the armband adds where each man wears it first, with the best vice behind him.

    A manager watches the matches slot by slot. After his man's match he keeps what he has or moves on to a man of a
    later slot, as often as the game lets him; the first move costs the auto-subs and the vice.
    """
    captaincy = beliefs.rules.captaincy
    copies = captaincy.multiplier - 1
    price = forfeit / max(copies, 1)

    @cache
    def moved(slot: int) -> float:
        """What an armband is worth that moves on after a slot."""
        later = [row for row in eleven if beliefs.slot[row] > slot]
        if captaincy.mode == "locked" or not later:
            return -inf
        onward = {row: moved(beliefs.slot[row]) if captaincy.mode == "unlimited" else -inf for row in later}
        return max(at_least(row, onward[row]) for row in later)

    @cache
    def at_least(row: int, level: float) -> float:
        more, points = beliefs.above[row][bisect_right(beliefs.scores, level)]
        return points + (1 - more) * level if level > beliefs.scores[0] else points

    def worth(captain: int, vice: int | None) -> float:
        absent, slot = 1 - beliefs.play[captain], beliefs.slot[captain]
        move = moved(slot) - price
        played = at_least(captain, move) - absent * max(0.0, move)
        if vice is None:
            return played + absent * max(0.0, move)
        waiting = at_least(vice, moved(max(slot, beliefs.slot[vice])) - price)
        return played + absent * max(waiting, move)

    return {
        captain: copies
        * max(worth(captain, vice) for vice in (eleven if captaincy.vice_covers else [None]) if vice != captain)
        for captain in eleven
    }
