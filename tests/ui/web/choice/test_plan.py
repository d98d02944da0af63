"""A link reproduces what it shows, and nonsense in a link is told, never obeyed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.errors import InputError
from data.rules import CaptaincyMode
from engine.fitness.wishes import TeamWish
from ui.web.choice.plan import THETAS, Plan, link_of, read_link

ids = st.lists(st.integers(0, 10_000_000), unique=True, max_size=15).map(tuple)
teams = st.builds(
    lambda code, least, more: TeamWish(code, least, None if more is None else least + more),
    st.from_regex(r"[A-Z]{3}", fullmatch=True),
    st.integers(0, 5),
    st.none() | st.integers(0, 5),
)


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    locks, current = draw(ids), draw(ids)
    return Plan(
        world=draw(st.sampled_from(["wc2026", "my-league"])),
        round=draw(st.none() | st.integers(1, 38)),
        theta=draw(st.none() | st.sampled_from(THETAS)),
        k=draw(st.none() | st.integers(0, 50).map(lambda n: n / 1000)),
        lead=draw(st.none() | st.integers(-500, 500).map(float)),
        left=draw(st.none() | st.integers(1, 38)),
        locks=locks,
        bans=tuple(player for player in draw(ids) if player not in locks),
        captain=draw(st.none() | st.integers(0, 999)),
        formation=draw(st.none() | st.sampled_from(["4-4-2", "3-5-2"])),
        budget=draw(st.none() | st.integers(800, 1200).map(lambda n: n / 10)),
        teams=tuple(draw(st.lists(teams, max_size=4, unique_by=lambda wish: wish.code))),
        current=current,
        selling=draw(st.sampled_from([(), tuple(4.0 + place / 10 for place in range(len(current)))])),
        free=draw(st.none() | st.integers(0, 15)),
        draft=draw(ids),
        draft_selling=draw(st.sampled_from([(), (4.5, 5.1)])),
        draft_budget=draw(st.none() | st.integers(800, 1200).map(lambda n: n / 10)),
        draft_free=draw(st.none() | st.integers(0, 15)),
        changes=draw(st.none() | st.integers(0, 15)),
        captaincy=draw(st.none() | st.sampled_from([str(mode) for mode in CaptaincyMode])),
        generations=draw(st.none() | st.integers(1, 2000)),
        seed=draw(st.integers(0, 2**32 - 1)),
    )


@given(plans())
def test_a_link_gives_its_plan_back(plan: Plan) -> None:
    assert read_link(link_of(plan)) == (plan, ())


@given(st.dictionaries(st.sampled_from(list(Plan.__dataclass_fields__)), st.text(max_size=60)))
def test_any_text_in_a_link_gives_a_plan_and_sentences_never_an_error(params: dict[str, str]) -> None:
    plan, remarks = read_link(params)
    assert read_link(link_of(plan)) == (plan, ())
    assert all(remark.endswith("is left out.") for remark in remarks)


def test_what_men_sell_for_goes_with_the_squad_they_are_in() -> None:
    plan = Plan(current=(1, 2), selling=(4.5, 5.1))
    assert plan.asked.selling == {1: 4.5, 2: 5.1}
    assert plan.with_changes(free=2).asked.selling == {1: 4.5, 2: 5.1}
    assert plan.with_changes(current=(1, 3)).selling == ()
    assert Plan(current=(1, 2), selling=(4.5,)).asked.selling == {}


def test_a_spec_of_ones_own_goes_with_the_objective_it_was_made_from() -> None:
    plan = Plan(theta="gain", spec="0123456789ab")
    assert plan.with_changes(free=2).spec == plan.spec
    assert plan.with_changes(theta="protect").spec == ""


def test_a_page_where_nothing_was_chosen_has_no_parameters() -> None:
    assert link_of(Plan()) == {}


def test_a_link_names_the_world_so_that_it_outlives_another_default() -> None:
    assert link_of(Plan(theta="gain")) == {"world": "wc2026", "theta": "gain"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("round", "99"),
        ("round", "first"),
        ("theta", "win"),
        ("k", "nan"),
        ("k", "-1"),
        ("locks", "1,1"),
        ("locks", "<script>"),
        ("bans", ",".join(str(n) for n in range(200))),
        ("teams", "BRA"),
        ("teams", "BRA:3-1"),
        ("teams", "BRA:0-2,BRA:1-3"),
        ("budget", "0"),
        ("formation", "4-4"),
        ("captaincy", "always"),
        ("seed", "-5"),
        ("world", "../../etc"),
        ("own", "zzz"),
        ("draft", "7,7"),
        ("draft_selling", "4.5,-1"),
    ],
)
def test_nonsense_is_left_out_and_told(name: str, text: str) -> None:
    plan, remarks = read_link({name: text, "theta": "protect"} if name != "theta" else {name: text})
    assert len(remarks) == 1
    assert name in remarks[0]
    assert getattr(plan, name) == getattr(Plan(), name)


def test_who_is_locked_and_banned_at_once_stays_locked() -> None:
    plan, remarks = read_link({"locks": "7,8", "bans": "8,9"})
    assert (plan.locks, plan.bans) == ((7, 8), ())
    assert "bans" in remarks[0]


def test_a_plan_refuses_what_cannot_be_meant() -> None:
    with pytest.raises(InputError, match="asked for and ruled out"):
        Plan(locks=(1,), bans=(1,))
    with pytest.raises(InputError, match="theta is 'best'"):
        Plan(theta="best")


def test_wishes_are_counted_for_the_label() -> None:
    assert Plan().wishes == 0
    assert Plan(locks=(1, 2), bans=(3,), captain=1, formation="4-4-2", teams=(TeamWish("BRA", 2),)).wishes == 6
