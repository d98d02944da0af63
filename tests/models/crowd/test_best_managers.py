"""The best managers of a league are ahead of public ownership; estimates beside what they really owned."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from data.domain import Crowd
from data.errors import InputError
from data.rules import load_rules
from data.worlds.library import find_world
from data.worlds.world import World
from models.crowd.best_managers import LEAD, MEMORY, best_owned
from models.signals import Signals, build_signals

SEASON = "fpl2025-26"
MOST_CAPTAINED = 5


def a_market(**owned: list[float]) -> pd.DataFrame:
    """Build the ownership of players 1, 2 … by round: one list for each round, as `r1=[…]`."""
    rows = [
        (player, int(name[1:]), share) for name, shares in owned.items() for player, share in enumerate(shares, start=1)
    ]
    return pd.DataFrame(rows, columns=["player_id", "round", "owned"])


def test_who_is_being_bought_is_owned_by_more_of_the_best_and_who_is_sold_by_fewer() -> None:
    market = a_market(r1=[0.2, 0.4, 0.3], r2=[0.3, 0.3, 0.3])
    found = best_owned(market, np.array([1, 2, 3]), np.array([0.3, 0.3, 0.3]))
    assert found.tolist() == pytest.approx([0.3 + LEAD * 0.1, 0.3 - LEAD * 0.1, 0.3])


def test_ownership_of_long_ago_is_forgotten_by_and_by() -> None:
    market = a_market(r1=[0.1], r2=[0.2], r3=[0.4], r4=[0.5])
    remembered = MEMORY * (MEMORY * 0.1 + (1 - MEMORY) * 0.2) + (1 - MEMORY) * 0.4
    expected = min(1.0, 0.5 + LEAD * (0.5 - remembered))
    assert best_owned(market, np.array([1]), np.array([0.5])).tolist() == pytest.approx([expected])


def test_before_anything_moved_the_best_own_what_everybody_owns() -> None:
    owned = np.array([0.3, 0.1])
    assert best_owned(a_market(r1=[0.3, 0.1]), np.array([1, 2]), owned).tolist() == [0.3, 0.1]


def test_a_newcomer_was_owned_by_nobody_and_shares_stay_shares() -> None:
    market = a_market(r1=[0.1, 0.2], r2=[0.9, 0.0, 0.2])
    found = best_owned(market, np.array([1, 2, 3]), np.array([0.9, 0.0, 0.2]))
    assert found.tolist() == pytest.approx([1.0, 0.0, 0.2 + LEAD * 0.2])


@cache
def signals_of(number: int) -> Signals:
    world = find_world(SEASON)
    return build_signals(world.at(number), load_rules(world.rulebook))


def test_beliefs_can_be_held_against_the_best_of_a_league_with_public_ownership_as_it_is() -> None:
    everybody = signals_of(12)
    best = everybody.against(Crowd.BEST)
    assert everybody.against(Crowd.ALL) is everybody
    assert best.exposure is everybody.best
    assert (best.owned == everybody.owned).all()
    assert best.exposure.eo.sum() == pytest.approx(12, abs=1e-9)
    assert best.exposure.owned.sum() == pytest.approx(15, abs=1e-9)
    assert np.abs(best.exposure.owned - everybody.owned).max() > 0.1


def test_nobody_knows_what_the_best_of_a_tournament_own(world_cup: World) -> None:
    signals = build_signals(world_cup.at(1), load_rules("wc2026"))
    assert signals.best is None
    with pytest.raises(InputError, match=r"only in a league it can be told .* Choose all managers"):
        signals.against(Crowd.BEST)


@pytest.mark.facts
@pytest.mark.soak
def test_exposure_is_nearer_to_the_best_ten_thousand_than_public_ownership(facts: Path) -> None:
    truth = pd.read_csv(facts / "fpl" / "field" / "exposure_2025-26.csv.gz").set_index(["gw", "element"])
    table = pd.DataFrame([_week(truth, number) for number in range(2, 20)]).set_index("round")
    print(table.round(3).to_string())
    mean = table.mean()
    assert mean["owned"] >= mean["raw_owned"] + 0.035
    assert mean["effective"] >= mean["raw_effective"] + 0.12
    assert (table["owned"] > table["raw_owned"]).all()
    assert (table["effective"] > table["raw_effective"]).all()
    assert mean["captains"] <= mean["captains_carried_on"]


def _week(truth: pd.DataFrame, number: int) -> dict[str, float]:
    """Return the correlations of a week with the truth, and the error of the most captained men's armbands."""
    signals = signals_of(number)
    best = signals.against(Crowd.BEST).exposure
    rows = signals.player_id
    real, before = (truth.loc[week].reindex(rows).fillna(0.0) for week in (number, number - 1))
    captained = real["captained"].to_numpy()
    most = np.argsort(-captained)[:MOST_CAPTAINED]
    return {
        "round": number,
        "raw_owned": float(np.corrcoef(signals.owned, real["owned"])[0, 1]),
        "owned": float(np.corrcoef(best.owned, real["owned"])[0, 1]),
        "raw_effective": float(np.corrcoef(signals.owned, real["effective"])[0, 1]),
        "effective": float(np.corrcoef(best.eo, real["effective"])[0, 1]),
        "captains": float(np.abs(best.captained - captained)[most].mean()),
        "captains_carried_on": float(np.abs(before["captained"].to_numpy() - captained)[most].mean()),
    }
