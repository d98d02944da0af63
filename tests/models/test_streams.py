"""Streams of random numbers have names: what one purpose draws never moves what another does."""

from __future__ import annotations

import numpy as np
import pytest

from models.streams import Stream, stream


@pytest.mark.parametrize("purpose", Stream, ids=lambda purpose: purpose.name)
def test_a_purpose_gives_the_same_numbers_whatever_the_others_drew(purpose: Stream) -> None:
    before = stream(7, purpose).random(4)
    for other in Stream:
        stream(7, other).random(100)
    np.random.seed(99)
    assert (stream(7, purpose).random(4) == before).all()


def test_no_two_purposes_seeds_or_uses_share_their_numbers() -> None:
    drawn = {
        float(stream(seed, purpose, *more).random()) for seed in (0, 1) for purpose in Stream for more in ((), (3,))
    }
    assert len(drawn) == 4 * len(Stream)
