"""The rest of a tournament, played many thousand times: who is still there in which round, and against whom."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from pydantic import PositiveInt
from pydantic.dataclasses import dataclass as checked

from data.errors import ModelError
from models.competition.bracket import Bracket, BracketField, BracketMatch, read_bracket
from models.competition.groups import (
    NOBODY,
    VENUES,
    GroupStage,
    checked_rates,
    paired_numbers,
    rank_groups,
    read_group_stage,
    round_of,
    team_numbers,
    venue_of,
)
from models.teams.goals import EXTRA_TIME_SHARE

UNNUMBERED = -1
"""Stands for the official number of a fixture that came without one."""

_HOME_SCORES = ["home_goals_90", "home_goals_aet", "home_pens"]
_AWAY_SCORES = ["away_goals_90", "away_goals_aet", "away_pens"]


@checked(frozen=True, slots=True, kw_only=True)
class TournamentSettings:
    """How a tournament is played out."""

    simulations: PositiveInt = 20_000
    """At 20,000 the standard error of a probability is at most .0035."""


@dataclass(frozen=True, slots=True, eq=False)
class Progression:
    """Who plays and who goes on, per team (row) and round. In a league a team may play 0, 1 or 2 matches."""

    codes: tuple[str, ...]  # (n,)
    rounds: tuple[int, ...]  # (r,)
    plays: np.ndarray  # (n, r) expected matches in the round; in a tournament P(plays)
    advances: np.ndarray  # (n, r) P(goes on): out of the groups, or past that knock-out; in the end, is champion
    meets: np.ndarray  # (n, n, venues, r) P(meets an opponent there) in a knock-out; 0 where a calendar says it

    def __post_init__(self) -> None:
        teams, rounds = len(self.codes), len(self.rounds)
        for array, due in (
            (self.plays, (teams, rounds)),
            (self.advances, (teams, rounds)),
            (self.meets, (teams, teams, VENUES, rounds)),
        ):
            if array.shape != due:
                raise ModelError(f"Progression: {teams} teams and {rounds} rounds need shape {due}, not {array.shape}.")
            array.flags.writeable = False

    def column(self, round_: int) -> int:
        """Return the column of a round."""
        if round_ not in self.rounds:
            raise ModelError(f"Round {round_} is not among the rounds {', '.join(map(str, self.rounds))}.")
        return self.rounds.index(round_)


@dataclass(frozen=True, slots=True)
class _Tie:
    """A knock-out match whose teams are known."""

    stage: str
    number: int  # official number, or UNNUMBERED: some feeds do not give it
    pair: tuple[int, int]
    at_home: int
    margins: tuple[float, float, float]  # of the home side after 90 minutes, extra time, penalties; nan = not known

    @property
    def round(self) -> int:
        """Fantasy round in which it is played."""
        return round_of(self.stage)


@dataclass(frozen=True, slots=True, eq=False)
class _PlayedRound:
    """One knock-out round in all simulations."""

    round: int
    decisive: np.ndarray  # (m,) whether the winner goes on: not for third place
    ranked: np.ndarray  # (m, 2, s) winner, loser
    at_home: np.ndarray  # (m,) team really at home, or NOBODY

    def meets(self, teams: int) -> np.ndarray:
        """(n, n, venues) how often each team met each opponent at each venue."""
        shape = (teams, teams, VENUES)
        pairing = (self.ranked, self.ranked[:, ::-1], venue_of(self.ranked, self.at_home))
        cells = np.ravel_multi_index([side.ravel() for side in pairing], shape)
        return np.bincount(cells, minlength=teams * teams * VENUES).reshape(shape)


def simulate_tournament(
    teams: pd.DataFrame,
    fixtures: pd.DataFrame,
    bracket: pd.DataFrame,
    best_thirds: pd.DataFrame,
    rates: np.ndarray,
    *,
    rng: np.random.Generator,
    settings: TournamentSettings | None = None,
) -> Progression:
    """Play what is left of a tournament and count.

    rates: (n, n, 3) expected goals in 90 minutes of team against opponent; neutral, at home, away. Who is at home says
    an announced fixture itself, and the bracket's venue while the pairing is not known yet.
    """
    settings = settings or TournamentSettings()
    numbers = team_numbers(teams)
    stage = read_group_stage(teams, fixtures, set(bracket["stage"]))
    tree = read_bracket(bracket, best_thirds, stage.letters)
    ties = _known_ties(fixtures[fixtures["stage"].isin(bracket["stage"])], numbers)
    goals = stage.simulate(checked_rates(rates, len(teams)), settings.simulations, rng)
    order, thirds = rank_groups(stage, goals, rng.random((len(teams), settings.simulations)))
    knockout = _Knockout(tree, ties, rates, tuple(numbers))
    return _count(stage, knockout.play(tree.seat_field(order, thirds), rng), tuple(numbers))


@dataclass(frozen=True, slots=True, eq=False)
class _Knockout:
    """All that is known of the knock-outs before they are played."""

    tree: Bracket
    ties: Sequence[_Tie]
    rates: np.ndarray  # (n, n, 3)
    codes: tuple[str, ...]

    def play(self, field: BracketField, rng: np.random.Generator) -> list[_PlayedRound]:
        """Play round after round; later ones are seated by the results of earlier ones."""
        decided: dict[int, np.ndarray] = {}
        played = []
        for number in self.tree.rounds:
            played.append(self._play_round(number, self.tree.pairs(number, field, decided), rng))
            numbers = [match.number for match in self.tree.of_round(number)]
            decided |= dict(zip(numbers, played[-1].ranked, strict=True))
        return played

    def _play_round(self, number: int, pairs: np.ndarray, rng: np.random.Generator) -> _PlayedRound:
        matches = self.tree.of_round(number)
        at_home, margins = self._announced(matches, pairs)
        expected = self.rates[pairs, pairs[:, ::-1], venue_of(pairs, at_home)]
        first_wins = _first_wins(expected, margins, rng)[:, None]
        ranked = np.where(first_wins, pairs, pairs[:, ::-1])
        decisive = np.array([not match.is_consolation for match in matches])
        return _PlayedRound(number, decisive, ranked, at_home)

    def _announced(self, matches: Sequence[BracketMatch], pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Seat the announced teams into `pairs`; return (m,) who is at home and (m, 3) the known margins."""
        hosts = [self.codes.index(match.host) if match.host in self.codes else NOBODY for match in matches]
        at_home = np.array(hosts, dtype=np.int16)
        margins = np.full((len(matches), len(_HOME_SCORES)), np.nan)
        for tie in (tie for tie in self.ties if tie.round == matches[0].round):
            row = self._row(tie, matches, pairs)
            for side, team in enumerate(tie.pair):
                _take_seat(pairs, row, side, team)
            at_home[row], margins[row] = tie.at_home, tie.margins
        return at_home, margins

    def _row(self, tie: _Tie, matches: Sequence[BracketMatch], pairs: np.ndarray) -> int:
        """Return the match of the bracket that a fixture is: by its number, else where the two can meet."""
        numbers = [match.number for match in matches]
        if tie.number in numbers:
            return numbers.index(tie.number)
        home, away = tie.pair
        meetings = ((pairs == home) | (pairs == away)).all(axis=1).sum(axis=1)
        if tie.number != UNNUMBERED or not meetings.any():
            names = f"{self.codes[home]}–{self.codes[away]}"
            raise ModelError(f"The {tie.stage} fixture {names} fits no match of the bracket. Check its official_no.")
        return int(np.argmax(meetings))


def _known_ties(fixtures: pd.DataFrame, numbers: Mapping[str, int]) -> list[_Tie]:
    pairs, at_home = paired_numbers(fixtures, numbers)
    scores = (fixtures[columns].to_numpy(dtype=float, na_value=np.nan) for columns in (_HOME_SCORES, _AWAY_SCORES))
    margins = np.subtract(*scores)
    # A shoot-out has a winner and follows a level extra time: feeds write 0–0 for none, or leave out extra time.
    margins[margins[:, 2] == 0, 2] = np.nan
    margins[~np.isnan(margins[:, 2]), 1] = 0
    official = fixtures["official_no"].fillna(UNNUMBERED).astype(int)
    rows = zip(fixtures["stage"], official, pairs.tolist(), at_home.tolist(), margins.tolist(), strict=True)
    return [_Tie(stage, number, tuple(pair), home, tuple(margin)) for stage, number, pair, home, margin in rows]


def _take_seat(pairs: np.ndarray, row: int, side: int, team: int) -> None:
    """Give a team its announced seat; whoever sat there takes the seat it held, if it held one.

    Only where lots decided a group can they differ: the real draw of conduct or ranking is then known.
    """
    seated = pairs[row, side].copy()
    if (seated != team).any():
        np.copyto(pairs, seated, where=pairs == team)
        pairs[row, side] = team


def _first_wins(expected: np.ndarray, margins: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """(m, s) whether the first team wins, from (m, 2, s) expected goals and (m, 3) known margins.

    A shoot-out is a fair coin.
    """
    drawn = rng.poisson(expected).astype(np.int16)
    margin = _known_or(margins[:, :1], drawn[:, 0] - drawn[:, 1])
    match, simulation = np.nonzero(margin == 0)
    level = expected[match, :, simulation]
    extra = rng.poisson(level * EXTRA_TIME_SHARE)
    margin[match, simulation] = _known_or(margins[match, 1], extra[:, 0] - extra[:, 1])
    match, simulation = np.nonzero(margin == 0)
    penalties = np.where(rng.random(len(match)) < 0.5, 1, -1)
    margin[match, simulation] = _known_or(margins[match, 2], penalties)
    return np.asarray(margin > 0)


def _known_or(known: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    return np.where(np.isnan(known), drawn, known)


def _count(stage: GroupStage, played: Sequence[_PlayedRound], codes: Sequence[str]) -> Progression:
    """Turn all simulations into probabilities. Counts are whole numbers, so what is certain is exactly 0 or 1."""
    simulations = played[0].ranked.shape[-1]
    group_rounds = sorted(set(stage.rounds.tolist()))
    rounds = tuple(sorted({*group_rounds, *(result.round for result in played)}))
    plays = simulations * _scheduled(stage.pairs, stage.rounds, rounds, len(codes))
    advances = np.zeros_like(plays)
    meets = np.zeros((len(codes), len(codes), VENUES, len(rounds)))
    for result in played:
        column = rounds.index(result.round)
        plays[:, column] += np.bincount(result.ranked.ravel(), minlength=len(codes))
        advances[:, column] += np.bincount(result.ranked[result.decisive, 0].ravel(), minlength=len(codes))
        meets[..., column] = result.meets(len(codes))
    advances[:, : len(group_rounds)] = plays[:, [rounds.index(played[0].round)]]
    return Progression(tuple(codes), rounds, plays / simulations, advances / simulations, meets / simulations)


def _scheduled(pairs: np.ndarray, match_rounds: np.ndarray, rounds: tuple[int, ...], teams: int) -> np.ndarray:
    """(n, r) matches of each team in each round."""
    matches = np.zeros((teams, len(rounds)), dtype=np.int64)
    np.add.at(matches, (pairs, np.searchsorted(rounds, match_rounds)[:, None]), 1)
    return matches


def league_matches(fixtures: pd.DataFrame, teams: pd.DataFrame, rounds: Collection[int]) -> Progression:
    """Return the matches of each team in each round of a league: none, one or two, and everybody goes on."""
    numbers, columns = team_numbers(teams), tuple(sorted(set(rounds)))
    matches = fixtures[fixtures["round"].isin(list(columns))]
    pairs, _ = paired_numbers(matches, numbers)
    plays = _scheduled(pairs, matches["round"].to_numpy(), columns, len(numbers)).astype(float)
    meets = np.zeros((len(numbers), len(numbers), VENUES, len(columns)))
    return Progression(tuple(numbers), columns, plays, np.ones_like(plays), meets)
