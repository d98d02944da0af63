"""What a spec sees of squads: state, records, horizon and world, each against counting by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.errors import InputError
from data.rules import load_rules
from engine.fitness.objective import Dial, Theta
from engine.fitness.rule_terms import last_round_before_rebuild, rebuilt
from engine.fitness.squad_scoring import score_squads, spec_for
from engine.fitness.squad_view import DISCOUNT, SceneSettings, SquadView
from engine.language.vocabulary import Scene
from models.crowd.field_view import FieldView
from models.crowd.ownership import Rivals, rivals_exposure
from models.signals import Signals
from tests.cases.chances_cases import matrix_of
from tests.cases.judged_worlds import world_cup_signals
from tests.cases.objectives.plain_fitness import PlainRound, PlainSquad
from tests.cases.objectives.squad_scores import cup_squads

CUP, LEAGUE = load_rules("wc2026"), load_rules("fpl2024")
SOME = 40


def a_scene(number: int = 1, **settings: object) -> tuple[SquadView, Scene]:
    view = SquadView(world_cup_signals(number), SceneSettings(**settings))  # type: ignore[arg-type]
    return view, view.look(cup_squads(number)[:SOME])[0]


def test_negative_free_transfers_are_refused() -> None:
    with pytest.raises(InputError, match="-1 free transfers"):
        SceneSettings(free_transfers=-1)


# The horizon.


@pytest.mark.parametrize(("number", "last"), [(1, 3), (2, 3), (3, 3), (4, 8), (5, 8), (7, 8), (8, 8)])
@pytest.mark.daily("5-8")
def test_a_squad_is_kept_until_the_free_rebuild_of_the_knock_outs_or_the_end(number: int, last: int) -> None:
    assert last_round_before_rebuild(CUP, number) == last
    assert rebuilt(CUP, number) is (last == 8)
    assert SquadView(world_cup_signals(number)).later_rounds == tuple(range(number + 1, last + 1))


def test_a_league_has_no_rebuild_after_its_start() -> None:
    assert last_round_before_rebuild(LEAGUE, 1) == LEAGUE.rounds
    assert not rebuilt(LEAGUE, LEAGUE.rounds)


def test_the_carry_is_typical_points_times_matches_discounted_once_per_round() -> None:
    signals = world_cup_signals(1)
    view = SquadView(signals)
    column = {number: signals.rounds.index(number) for number in (2, 3)}
    for row in (0, 100, 700):
        by_hand = [
            signals.typical_xev[row] * signals.plays[row, column[number]] * DISCOUNT ** (number - 1)
            for number in (2, 3)
        ]
        assert view.carry[row] == pytest.approx(by_hand)


def test_the_ticks_are_this_round_and_the_later_ones() -> None:
    _, scene = a_scene(1)
    ticks, state = scene.ticks, scene.squad
    assert ticks["round"][0].tolist() == [1, 2, 3]
    assert ticks["expected"][:, 0] == pytest.approx(state["raw_xev"] + state["captaincy_uplift"])
    assert ticks["expected"][:, 1:].sum(axis=1) == pytest.approx(state["progression_carry"])
    assert (ticks["playing"] > 0).all()


# The state.


def test_the_captain_counts_twice_in_the_variance_and_the_field_and_what_is_shared_in_the_relative_one() -> None:
    view, scene = a_scene(2)
    beliefs, squads, state, field = PlainRound(view.signals), cup_squads(2), scene.squad, view.field_exposure.eo
    for row in range(3):
        plain = PlainSquad(beliefs, squads[row])
        assert state["variance"][row] == pytest.approx(plain.variance, rel=0, abs=1e-9)
        assert state["relative_variance"][row] == pytest.approx(plain.relative_variance, rel=0, abs=1e-9)
    own = field @ matrix_of(view.signals.covariance) @ field
    assert state["relative_variance"] == pytest.approx(state["variance"] - 2 * state["field_covariance"] + own)
    assert (state["relative_variance"] > 0).all()


def test_price_teams_and_bench_are_those_of_the_squad() -> None:
    view, scene = a_scene(1)
    signals, squads = view.signals, cup_squads(1)[:SOME]
    lineups = view.look(squads)[1]
    for row, squad in enumerate(squads):
        assert scene.squad["price"][row] == pytest.approx(sum(signals.price[squad]))
        assert scene.squad["teams"][row] == len(set(signals.team[squad].tolist()))
        waits = ~np.isin(squad, lineups.starters[row])
        bench = (lineups.weight[row] * signals.xev[squad])[waits].sum()
        assert scene.squad["bench_xev"][row] == pytest.approx(bench)


@pytest.mark.parametrize(("number", "free", "paid"), [(1, None, 0), (2, None, 3), (2, 1, 4), (2, 9, 0), (4, None, 0)])
def test_changes_beyond_the_free_ones_cost_a_hit_each(number: int, free: int | None, paid: int) -> None:
    signals, squad = world_cup_signals(number), cup_squads(number)[0]
    others = [row for row in range(len(signals)) if row not in squad][:5]
    current = (*squad[5:].tolist(), *others)
    scene = SquadView(signals, SceneSettings(current=current, free_transfers=free)).look(squad[None, :])[0]
    assert scene.squad["changes"].tolist() == [5]
    assert scene.squad["transfer_cost"].tolist() == [paid * CUP.transfers.hit_cost]


def test_a_managers_own_budget_replaces_the_stages() -> None:
    _, rich = a_scene(1)
    dearest = rich.squad["price"].max()
    _, poor = a_scene(1, budget=float(dearest) - 0.1)
    assert rich.squad["feasible"].all()
    assert poor.squad["feasible"].tolist() == [float(price < dearest - 0.05) for price in rich.squad["price"]]
    assert poor.world["budget"] == dearest - 0.1


# The records.


def test_a_man_has_one_role_whatever_he_is_recorded_as() -> None:
    view, scene = a_scene(3)
    squads = cup_squads(3)[:SOME]
    lineups = view.look(squads)[1]
    owned, bench, starters = (scene.records[kind].fields["role"] for kind in ("owned", "bench", "starter"))
    for row, squad in enumerate(squads):
        role = dict(zip(squad.tolist(), owned[row], strict=True))
        assert [role[man] for man in lineups.bench[row].tolist()] == bench[row].tolist()
        assert [role[man] for man in lineups.starters[row].tolist()] == starters[row].tolist() == [1.0] * 11


def test_the_records_of_a_squad_add_up_to_its_state() -> None:
    _, scene = a_scene(2)
    owned = scene.records["owned"]
    assert (owned.fields["role"] * owned.fields["xev"]).sum(axis=1) == pytest.approx(scene.squad["raw_xev"])
    bench = scene.records["bench"].fields
    assert (bench["role"] * bench["xev"]).sum(axis=1) == pytest.approx(scene.squad["bench_xev"])


def test_the_template_men_whom_a_squad_lacks_are_missed() -> None:
    view, scene = a_scene(4)
    squads, missed = cup_squads(4)[:SOME], scene.records["template_missed"]
    template = np.flatnonzero(view.signals.exposure.template)
    for row, squad in enumerate(squads):
        assert missed.mask[row].tolist() == [man not in squad for man in template]
        assert missed.fields["eo"][row].tolist() == view.signals.exposure.eo[template].tolist()


def test_the_differentials_are_those_of_the_squad_that_the_field_lacks() -> None:
    view, scene = a_scene(2)
    expected = view.signals.exposure.differential[cup_squads(2)[:SOME]]
    assert expected.any()
    assert scene.records["differential_owned"].mask.tolist() == expected.tolist()


def named_rivals(signals: Signals) -> SquadView:
    """Return the first squad's manager as the only rival."""
    lineups = SquadView(signals).look(cup_squads(signals.round)[:1])[1]
    field = FieldView(
        owned=signals.owned, position=signals.position, p_start=signals.start, xev=signals.xev,
        ceiling=signals.ceiling, price=signals.price,
    )  # fmt: skip
    return SquadView(signals, exposure=rivals_exposure(Rivals(lineups.starters, lineups.captain, lineups.bench), field))


def test_against_a_rival_with_the_same_eleven_nothing_can_change_but_by_the_bench() -> None:
    signals = world_cup_signals(1)
    view, squads = named_rivals(signals), cup_squads(1)[:5]
    scene, lineups = view.look(squads)
    bench = np.where(lineups.weight[0] < 1, lineups.weight[0], 0.0)
    alone = bench @ matrix_of(signals.covariance)[np.ix_(squads[0], squads[0])] @ bench
    assert scene.squad["relative_variance"][0] == pytest.approx(alone)
    assert (scene.squad["relative_variance"][1:] > alone).all()
    spec, strengths = spec_for(Dial(theta=Theta.PROTECT), view)
    terms = score_squads(view, squads, spec, strengths).terms
    ranked = terms["ownership_leverage"] + terms["variance_term"]
    assert (ranked[0] > ranked[1:]).all()


# The world and the search.


@pytest.mark.parametrize(("number", "knockout"), [(1, 0), (2, 0), (3, 0), (4, 1), (8, 1)])
def test_a_scene_tells_round_budget_and_stage_and_the_figures_of_the_search(number: int, knockout: int) -> None:
    _, scene = a_scene(number)
    stage = CUP.stage(number)
    assert scene.world == {
        "round": number,
        "rounds": 8,
        "rounds_left": 9 - number,
        "budget": stage.budget,
        "team_cap": stage.team_cap,
        "knockout": knockout,
    }
    assert float(scene.engine["generation"]) == 0.0
    assert np.all(scene.engine["nodes"] == 15)
    assert np.array_equal(scene.engine["complexity"], scene.squad["teams"])


def test_looking_twice_gives_the_same_bytes_and_one_by_one_the_same_figures() -> None:
    (view, scene), (_, again) = (a_scene(2) for _ in range(2))
    alone = [view.look(cup_squads(2)[row : row + 1])[0] for row in range(5)]
    for name, values in scene.squad.items():
        assert values.tobytes() == again.squad[name].tobytes()
        assert [one.squad[name][0] for one in alone] == pytest.approx(values[:5], rel=0, abs=1e-9)


def test_a_squad_without_a_later_round_or_match_carries_nothing() -> None:
    signals, (_, last) = world_cup_signals(1), a_scene(3)
    assert last.horizon == 1
    gone = SquadView(replace(signals, plays=np.zeros_like(signals.plays))).look(cup_squads(1)[:5])[0]
    assert not any(scene.squad["progression_carry"].any() for scene in (last, gone))


def test_a_new_squad_has_no_changes_and_costs_none() -> None:
    _, scene = a_scene(2)
    assert not scene.squad["changes"].any()
    assert not scene.squad["transfer_cost"].any()
