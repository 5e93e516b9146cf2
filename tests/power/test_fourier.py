"""Few Fourier coefficients against whole distributions, multiplied out."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.power.fourier import Totals
from deadheat.resampling import exact

ROUNDING = 2e-14
"""Below the slack with which a tail of 0.025 is judged, 2.5e-14."""

few = settings(max_examples=30)


def at_most(losses: int, wins: int, n: int, points: list[int]) -> list[float]:
    """P(T - mean <= point) from the transform over all 2n + 1 points."""
    judge = exact.paired_counts(losses, wins, n)
    return [judge.at_most((wins - losses + point) / n) for point in points]


TABLES = st.integers(1, 300).flatmap(
    lambda n: st.tuples(
        st.just(n),
        st.lists(
            st.integers(0, n).flatmap(
                lambda wins: st.tuples(st.integers(0, n - wins), st.just(wins))
            ),
            min_size=1,
            max_size=5,
        ),
    )
)


@few
@given(tables=TABLES)
def test_cumulated_probabilities(tables: tuple[int, list[tuple[int, int]]]) -> None:
    n, counts = tables
    losses, wins = np.array(counts).T
    totals = Totals.of(losses, wins, n)
    points = [-200, -30, -7, -2, -1, 0, 1, 5, 25, 200]
    found, mirrored = totals.at_most(np.array(points)), totals.mirrored().at_most(np.array(points))
    for row, (lost, won) in enumerate(counts):
        assert found[row] == pytest.approx(at_most(lost, won, n, points), abs=ROUNDING)
        assert mirrored[row] == pytest.approx(at_most(won, lost, n, points), abs=ROUNDING)


@few
@given(tables=TABLES, point=st.integers(-40, 40))
def test_points_of_their_own(tables: tuple[int, list[tuple[int, int]]], point: int) -> None:
    n, counts = tables
    losses, wins = np.array(counts).T
    own = point + np.arange(len(counts))
    found = Totals.of(losses, wins, n).at_most_own(own)
    expected = [
        at_most(lost, won, n, [int(at)])[0] for (lost, won), at in zip(counts, own, strict=True)
    ]
    assert found == pytest.approx(expected, abs=ROUNDING)


def test_many_items() -> None:
    losses, wins = np.array([14_900, 15_100]), np.array([15_000, 14_700])
    found = Totals.of(losses, wins, 100_000).at_most(np.array([-400, -10, 0, 300]))
    for row in (0, 1):
        expected = at_most(int(losses[row]), int(wins[row]), 100_000, [-400, -10, 0, 300])
        assert found[row] == pytest.approx(expected, abs=1e-13)
