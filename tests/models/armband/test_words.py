"""Rules of the ladder in words: everything a manager needs on match day, and nothing that is not so."""

from __future__ import annotations

from hypothesis import given

from models.armband.captaincy import Setting
from models.armband.ladder import best_ladder
from models.armband.words import Labelling, ladder_sentences
from tests.cases.lineups.armband_cases import FORFEITS, Man, a_man, small_rounds, table_of

LABELS = Labelling(
    names=["Mbappé", "Kane", "Yamal", "Messi"], kickoffs=["Tue 20:00", "Wed 21:00", "Thu 18:00", "Thu 18:00"]
)


def said(men: list[Man], setting: Setting = "unlimited", forfeit: float = 0.0) -> tuple[str, ...]:
    return ladder_sentences(best_ladder(table_of(men), range(len(men)), setting, forfeit=forfeit), LABELS)


def three_days(p_play: float = 1.0) -> list[Man]:
    return [a_man(slot=slot, p_play=p_play if slot == 0 else 1.0, on2=0.5, on9=0.5) for slot in range(3)]


def test_the_whole_plan_reads_in_the_order_of_the_round() -> None:
    assert said(three_days(p_play=0.9), forfeit=0.6) == (
        "Start with Mbappé (Tue 20:00); vice Kane (Wed 21:00).",
        "If Mbappé scores 7 or more keep him; otherwise move the armband to Kane (Wed 21:00).",
        "If Mbappé does not play, leave the armband alone and Kane takes over: if he scores 5 or more keep him; "
        "otherwise move the armband to Yamal (Thu 18:00).",
        "Once it is with Kane (Wed 21:00): if he scores 6 or more keep him; "
        "otherwise move the armband to Yamal (Thu 18:00).",
        "Once it is with Yamal (Thu 18:00), keep him whatever he scores.",
        "Do not switch once Mbappé has 7: the first change of the round cancels the vice and your auto-subs, "
        "worth about 0.6 points.",
        "On average 7.7 points more than no captain. If the armband never moved: 5.5.",
    )


def test_a_captain_who_surely_plays_needs_no_rule_for_his_absence() -> None:
    assert not any("does not play" in sentence for sentence in said(three_days()))


def test_a_locked_armband_is_said_to_be_locked() -> None:
    assert said(three_days(p_play=0.5), "locked") == (
        "Start with Kane (Wed 21:00); vice Yamal (Thu 18:00).",
        "The armband is locked: Kane keeps it whatever he scores.",
        "On average 5.5 points more than no captain.",
    )


def test_a_vice_who_is_kept_anyway_takes_over_without_conditions() -> None:
    men = [a_man(slot=0, p_play=0.5, on20=1.0), a_man(slot=1, on3=1.0)]
    assert "If Mbappé does not play, leave the armband alone: Kane takes over." in said(men)


def test_the_rule_warns_off_a_switch_that_costs_more_than_it_brings() -> None:
    men = [a_man(slot=0, on4=0.5, on9=0.5), a_man(slot=1, on1=0.5, on8=0.5)]
    sentences = said(men, forfeit=0.7)
    assert "Keep Mbappé whatever he scores." in sentences
    assert (
        "Do not switch after Mbappé has played: the first change of the round cancels the vice and your auto-subs, "
        "worth about 0.7 points." in sentences
    )


def test_nobody_is_warned_off_a_switch_that_cannot_be_made() -> None:
    men = [a_man(slot=0, on1=1.0), a_man(slot=1, on9=1.0)]
    assert said(men)[0] == "Start with Kane (Wed 21:00); vice Mbappé (Tue 20:00)."
    assert not any("Do not switch" in sentence for sentence in said(men))


def test_an_armband_that_adds_nothing_is_level_with_none_and_a_bad_one_says_so() -> None:
    assert said([a_man(slot=0, on0=1.0), a_man(slot=0, on0=1.0)])[-1].startswith("On average level with no captain")
    worse = [a_man(slot=0, **{"on-2": 1.0}), a_man(slot=0, **{"on-2": 1.0})]
    assert said(worse)[-1].startswith("On average 2.0 points less than no captain")


@given(men=small_rounds(), forfeit=FORFEITS)
def test_every_man_the_armband_can_move_to_has_a_rule(men: list[Man], forfeit: float) -> None:
    sentences = said(men, forfeit=forfeit)
    targets = {part.split("move the armband to ")[1].rstrip(".") for part in sentences if "move the armband to" in part}
    ruled = {part.removeprefix("Once it is with ").split(")")[0] + ")" for part in sentences if "Once" in part}
    assert targets == ruled
