"""A goal goes to the one player of its team whose name it is, and to nobody when two fit."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.naming.aliases import Aliases
from data.naming.names import full_names
from data.worlds.snapshot import Snapshot
from data.worlds.world import World
from models.players.scorers import ScorerMatches, decayed_goals, describe, match_scorers, penalty_takers

NO_ALIASES = Aliases()
TEAMS = pd.DataFrame({"code": ["KOR", "TUR"], "results_name": ["South Korea", "Turkey"]})
FIRST_MATCH = "2026-06-11"  # of the World Cup


def pool(*rows: tuple[str, str, str], team: str = "KOR") -> pd.DataFrame:
    """Players of one team as (first, last, known), numbered from 1."""
    frame = pd.DataFrame(rows, columns=["first_name", "last_name", "known_name"], dtype="str")
    frame = frame.assign(player_id=range(1, len(rows) + 1), team=team)
    return frame.assign(name=full_names(frame))


def goals(*scorers: str, team: str = "South Korea", date: str = "2026-01-01", **columns: bool) -> pd.DataFrame:
    frame = pd.DataFrame({"scorer": list(scorers)}, dtype="str")
    flags = {"own_goal": False, "penalty": False} | columns
    return frame.assign(date=pd.Timestamp(date), home_team=team, away_team="Malta", team=team, minute=1.0, **flags)


def matched(
    frame: pd.DataFrame, players: pd.DataFrame, aliases: Aliases = NO_ALIASES, teams: pd.DataFrame = TEAMS
) -> ScorerMatches:
    return match_scorers(frame, players, teams, aliases)


def who(scorer: str, *players: tuple[str, str, str], aliases: Aliases = NO_ALIASES) -> int | None:
    """Return the number of the player to whom a goal of this scorer goes."""
    found = matched(goals(scorer), pool(*players), aliases).goals["player_id"].iloc[0]
    return None if found is pd.NA else int(found)


@pytest.mark.parametrize(
    ("scorer", "player"),
    [
        ("Julián Álvarez", ("Julián", "Alvarez", "")),
        ("Trézéguet", ("Mahmoud Ahmed Ibrahim", "Hassan", "Trezeguet")),
        ("Son Heung-min", ("Heung-Min", "Son", "")),
        ("Heungmin Son", ("Heung-Min", "Son", "Son Heung-Min")),
        ("Neymar Jr", ("Neymar", "Júnior", "")),
        ("Vinícius Júnior", ("Vinicius Jose", "Paixão de Oliveira Junior", "Vini")),
        ("Marcus Holmgren Pedersen", ("Marcus", "Pedersen", "")),
        ("Francisco Trincão", ("Francisco António", "Machado Mota de Castro Trincão", "Trincão")),
        ("Maximiliano Araújo", ("Maxi", "Araújo", "")),
        ("Alex Freeman", ("Alexander", "Freeman", "")),
        ("Firas Al-Buraikan", ("Feras bin Tariq bin Nasser", "Al Brikan", "Feras Al Brikan")),
        ("Ehsan Hajsafi", ("Ehsan", "Hajisafi", "")),
    ],
)
def test_a_name_is_recognised_in_another_spelling(scorer: str, player: tuple[str, str, str]) -> None:
    assert who(scorer, ("Somebody", "Else", ""), player) == 2


@pytest.mark.parametrize(
    ("scorer", "player"),
    [
        ("Burak Yılmaz", ("Baris Alper", "Yilmaz", "")),
        ("B Yılmaz", ("Baris Alper", "Yilmaz", "")),
        ("Kim Su-jin", ("Jin-Su", "Kim", "Kim Jin-Su")),
        ("Mostafa Mohamed", ("Mostafa Ahmed Abdelaziz", "Mohamed Shobeir", "Mostafa Shobeir")),
        ("Ali Al-Hassan", ("Ali bin Hassan bin Mohammed", "Majrashi", "Ali Majrashi")),
        ("Hussein Ali Al-Saedi", ("Hussein Haydar", "Ali", "Hussein Ali")),
        ("Habib Diallo", ("Habib", "Diarra", "")),
        ("Silva", ("Bernardo", "Silva", "")),
        ("Ola Ali", ("Ali", "Ali", "")),
        ("?", ("Bernardo", "Silva", "")),
    ],
)
def test_a_likeness_is_not_enough(scorer: str, player: tuple[str, str, str]) -> None:
    assert who(scorer, player) is None


def test_nothing_is_guessed_when_two_players_fit() -> None:
    twins = ("Danilo Luiz", "da Silva", "Danilo"), ("Danilo", "dos Santos", "Danilo")
    found = matched(goals("Danilo"), pool(*twins))
    assert found.goals["player_id"].isna().all()
    assert found.unmatched["possible"].all()


def test_the_strictest_step_that_fits_decides() -> None:
    assert who("Nico Paz", ("Nicolás", "Paz", ""), ("Nico", "Paz", "")) == 2


def test_a_namesake_of_another_team_is_another_man() -> None:
    found = matched(goals("Luis Suárez", team="Turkey"), pool(("Luis", "Suárez", "")))
    assert found.goals["player_id"].isna().all()


def test_an_own_goal_is_nobodys() -> None:
    found = matched(goals("Heung-Min Son", own_goal=True), pool(("Heung-Min", "Son", "")))
    assert found.goals["player_id"].isna().all()
    assert found.unmatched.empty
    assert found.share == 1.0


def test_goals_of_teams_outside_the_competition_are_left_out() -> None:
    assert matched(goals("Heung-Min Son", team="Malta"), pool(("Heung-Min", "Son", ""))).goals.empty


def test_an_alias_places_what_no_rule_can_and_is_ignored_with_a_note_if_its_player_is_not_in_the_pool() -> None:
    aliases = Aliases(players={"KOR": {"ro ro": "pedro miguel"}})
    assert who("Ró-Ró", ("Pedro Miguel", "Correia", "Pedro Miguel"), aliases=aliases) == 1
    found = matched(goals("Ró-Ró"), pool(("Heung-Min", "Son", "")), aliases)
    assert found.goals["player_id"].isna().all()
    assert found.notes == ("Alias ignored: Ró-Ró (KOR) is said to be pedro miguel, who is not in this pool.",)
    assert found.notes[0] in describe(found)


def test_an_alias_that_fits_two_players_is_ignored_with_a_note_but_the_name_shown_tells_them_apart() -> None:
    twins = ("Jesús", "Angulo", ""), ("Jesús", "Angulo", "")
    found = matched(goals("Canelo"), pool(*twins), Aliases(players={"KOR": {"canelo": "jesus angulo"}}))
    assert found.goals["player_id"].isna().all()
    assert "fits several players" in found.notes[0]

    assert who("Canelo", *twins, aliases=Aliases(players={"KOR": {"canelo": "jesus angulo kor 2"}})) == 2


def test_a_stranger_is_never_matched_by_likeness_but_by_his_own_name() -> None:
    strangers = Aliases(strangers={"KOR": frozenset({"mohammad mehdi mohebi"})})
    assert who("Mohammad Mehdi Mohebi", ("Mohammad", "Mohebi", ""), aliases=strangers) is None
    assert who("Mohammad Mehdi Mohebi", ("Mohammad Mehdi", "Mohebi", ""), aliases=strangers) == 1


def test_an_unmatched_scorer_with_a_players_family_name_lowers_the_share() -> None:
    players = pool(("Baris Alper", "Yilmaz", ""))
    scored = goals("Barış Alper Yılmaz", "Burak Yılmaz", "Burak Yılmaz", "Cenk Tosun")
    assert matched(scored, players).share == pytest.approx(1 / 3)
    assert matched(scored, players, Aliases(strangers={"KOR": frozenset({"burak yilmaz"})})).share == 1.0
    assert matched(scored, players).plain_share() == pytest.approx(1 / 4)


def test_the_unmatched_are_listed_with_the_most_goals_first() -> None:
    found = matched(goals("Cenk Tosun", "Ozan Tufan", "Ozan Tufan"), pool(("Heung-Min", "Son", "")))
    assert list(found.unmatched["scorer"]) == ["Ozan Tufan", "Cenk Tosun"]
    assert list(found.unmatched["goals"]) == [2, 1]
    assert "Ozan Tufan (KOR) 2; Cenk Tosun (KOR) 1." in describe(found)


def test_a_world_without_goals_matches_none_and_says_so() -> None:
    found = matched(goals(), pool(("Heung-Min", "Son", "")))
    assert found.share == found.plain_share() == 1.0
    assert decayed_goals(found, "2026-06-11", 540).players.empty
    assert penalty_takers(found, "2026-06-11", 540).empty
    assert "none" in describe(found)


NAMES = st.text("abdeim- ", min_size=1, max_size=8)


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=6), st.lists(NAMES, max_size=8))
def test_neither_the_order_of_players_nor_a_double_of_all_makes_a_new_match(
    players: list[tuple[str, str, str]], scorers: list[str]
) -> None:
    frame = pool(*players)
    there = matched(goals(*scorers), frame).goals["player_id"]
    back = matched(goals(*scorers), frame.iloc[::-1]).goals["player_id"]
    doubled = pd.concat([frame, frame.assign(player_id=frame["player_id"] + 100)])
    pd.testing.assert_series_equal(there, back)
    assert matched(goals(*scorers), doubled).goals["player_id"].isna().all()


def some_matches(*frames: pd.DataFrame) -> ScorerMatches:
    return matched(pd.concat(frames), pool(("Heung-Min", "Son", ""), ("Jae-Sung", "Lee", ""), ("Min-Jae", "Kim", "")))


def test_a_goal_is_worth_half_after_a_half_life() -> None:
    found = some_matches(goals("Son Heung-min", date="2026-06-01"), goals("Son Heung-min", date="2026-05-02"))
    assert decayed_goals(found, "2026-06-01", 30).players.to_dict() == {1: pytest.approx(0.5)}
    assert decayed_goals(found, "2026-07-01", 30).players.to_dict() == {1: pytest.approx(0.75)}


def test_goals_of_the_day_itself_and_later_do_not_count() -> None:
    found = some_matches(goals("Son Heung-min", date="2026-06-11"), goals("Son Heung-min", date="2026-06-12"))
    deadline = datetime(2026, 6, 11, 19, tzinfo=UTC)
    assert decayed_goals(found, deadline, 540).players.empty
    assert decayed_goals(found, deadline, 540).teams.empty


def test_a_teams_total_counts_the_unmatched_and_own_goals_but_no_penalties() -> None:
    day = {"date": "2026-06-01"}
    found = some_matches(
        goals("Son Heung-min", "Park Ji-sung", **day),
        goals("Some Opponent", **day, own_goal=True),
        goals("Son Heung-min", **day, penalty=True),
    )
    decayed = decayed_goals(found, "2026-06-02", 1e9)
    assert decayed.teams.to_dict() == {"KOR": pytest.approx(3)}
    assert decayed.players.to_dict() == {1: pytest.approx(1)}


def test_penalty_shares_sum_to_one_over_the_takers_who_are_left() -> None:
    found = some_matches(
        goals("Son Heung-min", "Son Heung-min", "Son Heung-min", "Lee Jae-sung", "Park Ji-sung", penalty=True),
        goals("Kim Min-jae"),
    )
    takers = penalty_takers(found, "2026-06-02", 540)
    assert takers["share"].to_dict() == {1: pytest.approx(0.75), 2: pytest.approx(0.25)}
    assert set(takers["team"]) == {"KOR"}


def of_round(world: World, round_number: int, aliases: Aliases | None = None) -> tuple[Snapshot, ScorerMatches]:
    snapshot = world.at(round_number)
    return snapshot, match_scorers(snapshot.goals, snapshot.players, snapshot.teams, aliases)


def right_goals(found: ScorerMatches, truth: ScorerMatches) -> float:
    """Return the share of the goals with a player in truth that were given to the same player."""
    theirs = truth.goals["player_id"]
    return float((found.goals["player_id"] == theirs).fillna(value=False).sum() / theirs.notna().sum())


@pytest.mark.parametrize("round_number", [1, 5])
def test_nearly_all_goals_of_the_pool_are_matched_even_by_the_rules_alone(world_cup: World, round_number: int) -> None:
    """The judged names are the truth; every unmatched scorer of the 48 teams was looked at by hand."""
    _, judged = of_round(world_cup, round_number)
    _, ruled = of_round(world_cup, round_number, NO_ALIASES)
    assert judged.share >= 0.99
    assert ruled.share >= 0.96
    assert right_goals(ruled, judged) >= 0.99
    assert judged.plain_share() > 0.65


def test_every_goal_of_the_world_cup_has_its_scorer_and_no_shipped_judgement_points_at_nobody(world_cup: World) -> None:
    """Who scores there is in the pool for certain: a truth that needs no judgement."""
    _, found = of_round(world_cup, 5)
    there = found.goals[(found.goals["date"] >= FIRST_MATCH) & ~found.goals["own_goal"]]
    assert found.notes == ()
    assert len(there) > 200
    assert there["player_id"].notna().all()


def test_matched_goals_are_the_official_ones(world_cup: World) -> None:
    """The game's own event counts of MD1 and MD2 name the scorers independently of any spelling."""
    snapshot, found = of_round(world_cup, 5)
    played = snapshot.fixtures[snapshot.fixtures["match_id"].isin(snapshot.events["match_id"])]
    assert len(played) > 40
    for fixture in played.itertuples():
        nearby = (found.goals["date"] - fixture.kickoff.tz_localize(None)).abs() < pd.Timedelta(days=1.6)
        ours = found.goals[nearby & found.goals["team"].isin([fixture.home, fixture.away])]
        official = snapshot.events[(snapshot.events["match_id"] == fixture.match_id) & (snapshot.events["goals"] > 0)]
        expected = official.set_index("player_id")["goals"].to_dict()
        assert ours["player_id"].dropna().value_counts().to_dict() == expected


def test_the_well_known_takers_take_the_penalties(world_cup: World) -> None:
    snapshot, found = of_round(world_cup, 1)
    takers = penalty_takers(found, snapshot.deadline, 540)
    named = takers.join(snapshot.players.set_index("player_id")["name"])
    first = named.sort_values("share").groupby("team").tail(1).set_index("team")["name"]
    assert first[["ENG", "FRA", "EGY", "POR"]].to_list() == [
        "Harry Kane",
        "Kylian Mbappé",
        "Mohamed Salah",
        "Cristiano Ronaldo",
    ]
