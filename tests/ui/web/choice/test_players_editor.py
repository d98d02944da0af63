"""The editor of the players' table: what is ticked or written reaches the plan, and a tick leaves it in place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.web.choice.plan import Plan
from ui.web.choice.players_editor import MUST, NEVER, Start, apply_edits, edits_of, marked, shows

IDS = [11, 12, 13, 14]
ticks = st.lists(st.tuples(st.sampled_from(IDS), st.sampled_from([MUST, NEVER]), st.booleans()), max_size=8)


def test_edits_of_a_table_reach_plan_and_own_table() -> None:
    edits = edits_of({"edited_rows": {"1": {"Must": True}, 0: {"Never": True, "Starts": 80}}}, [11, 12])
    assert edits == {12: {"Must": True}, 11: {"Never": True, "Starts": 80}}
    plan, own = apply_edits(Plan(bans=(12,)), None, edits)
    assert (plan.locks, plan.bans) == ((12,), (11,))
    assert own is not None
    assert own.loc[11, "p_start"] == pytest.approx(0.8)
    _, emptied = apply_edits(plan, own, {11: {"Starts": None}})
    assert emptied is None


@given(ticks)
def test_an_editor_stays_exactly_while_it_shows_the_wishes(clicks: list[tuple[int, str, bool]]) -> None:
    locks, bans, edits = (11,), (12,), dict[int, dict[str, object]]()
    for player, column, ticked in clicks:
        edits.setdefault(player, {})[column] = ticked
        locks, bans = marked(locks, bans, player, column, ticked)
    must = {player for player in IDS if edits.get(player, {}).get(MUST, player == 11)}
    never = {player for player in IDS if edits.get(player, {}).get(NEVER, player == 12)}
    assert shows(((11,), (12,)), edits, locks, bans) == ((must, never) == (set(locks), set(bans)))


def test_a_tick_in_the_editor_explains_the_wish_and_one_from_elsewhere_does_not() -> None:
    assert shows(((), ()), {11: {MUST: True}}, (11,), ())
    assert not shows(((), ()), {11: {MUST: True}}, (), ())  # taken off the list above
    assert not shows(((), ()), {}, (11,), ())  # from a link
    assert not shows(((), (11,)), {11: {MUST: True}}, (11,), ())  # he left never by himself


def test_another_editor_for_other_players_figures_or_a_new_start() -> None:
    start, plan = Start(1, (11,), ()), Plan(round=1)
    key = start.key(plan, IDS)
    assert key == Start(1, (11,), ()).key(plan.with_changes(locks=(11, 12), theta="gain"), IDS)
    others = (
        Start(2, (11,), ()).key(plan, IDS),
        start.key(plan, IDS[1:]),
        start.key(plan.with_changes(own="0123456789ab"), IDS),
        start.key(plan.with_changes(round=2), IDS),
    )
    assert key not in others
