"""A forecast edge counts by the share that comes; a forecast deficit is believed whole."""

from __future__ import annotations

import numpy as np

from engine.rank.kept_edge import EDGE_KEPT, lost_edge


def test_of_an_edge_a_share_is_lost_and_of_a_deficit_nothing() -> None:
    edges = np.array([-8.0, 0.0, 10.0])
    np.testing.assert_allclose(edges - lost_edge(edges), [-8.0, 0.0, 10.0 * EDGE_KEPT])


def test_a_larger_forecast_edge_is_still_the_larger_one() -> None:
    edges = np.linspace(-5.0, 5.0, 41)
    assert (np.diff(edges - lost_edge(edges)) > 0).all()
