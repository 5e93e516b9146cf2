"""A pilot taken for the truth: what is drawn from it, and how often."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from deadheat.errors import UsageError
from deadheat.simulation import Pilot, draw

SCORES = np.array([[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [0.5, 1.0, 2.5, 2.0, 4.0, 9.0]])
CLUSTERS = np.array([0, 1, 0, 2, 2, 2])


def test_items_are_drawn_in_pairs_and_equally_often() -> None:
    drawn = draw(Pilot(scores=SCORES, items=60_000), seed=1)
    assert drawn.clusters is None
    first, second = drawn.scores[:, :, 0]
    assert np.array_equal(second, SCORES[1][first.astype(int)])
    # One seed in a thousand would fail.
    assert stats.chisquare(np.bincount(first.astype(int))).pvalue > 1e-3


def test_clusters_are_drawn_whole_and_equally_often() -> None:
    pilot = Pilot(scores=SCORES, items=30_000, of_item=CLUSTERS)
    drawn = draw(pilot, seed=1)
    assert drawn.clusters is not None
    assert pilot.n_clusters == drawn.clusters[-1] + 1 == 15_000
    members = {(0.0, 2.0): 0, (1.0,): 1, (3.0, 4.0, 5.0): 2}
    ends = np.flatnonzero(np.diff(drawn.clusters)) + 1
    chosen = [members[tuple(part)] for part in np.split(drawn.scores[0, :, 0], ends)]
    assert stats.chisquare(np.bincount(chosen)).pvalue > 1e-3
    assert np.array_equal(drawn.scores[1, :, 0], SCORES[1][drawn.scores[0, :, 0].astype(int)])


def test_its_difference_is_the_true_one() -> None:
    assert Pilot(scores=SCORES, items=6).gap == pytest.approx((19 - 15) / 6)


def test_as_many_clusters_as_hold_the_items_on_average() -> None:
    assert Pilot(scores=SCORES, items=6, of_item=CLUSTERS).n_clusters == 3
    assert Pilot(scores=SCORES, items=40, of_item=CLUSTERS).n_clusters == 20
    assert Pilot(scores=SCORES, items=2, of_item=CLUSTERS).n_clusters == 2


@pytest.mark.parametrize("items", [0, 1, -3, 10**9, 2.5, None])
def test_sizes_that_cannot_be_drawn(items: object) -> None:
    with pytest.raises(UsageError, match="--items"):
        Pilot(scores=SCORES, items=items)  # type: ignore[arg-type]
