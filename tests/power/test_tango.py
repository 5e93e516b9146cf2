"""Tango's interval of many tables against that of one, and where it has a closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.intervals import tango
from deadheat.power.tango import tango_ends

Z = 1.959963984540054

few = settings(max_examples=30)


@few
@given(
    n=st.sampled_from([2, 3, 10, 49, 500, 100_000, 10_000_000]),
    shares=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8),
)
def test_one_by_one(n: int, shares: list[tuple[float, float]]) -> None:
    discordant = np.array([round(n * total) for total, _ in shares])
    wins = np.array(
        [round(count * won) for count, (_, won) in zip(discordant, shares, strict=True)]
    )
    low, high = tango_ends(discordant - wins, wins, n, Z)
    for row, (count, won) in enumerate(zip(discordant.tolist(), wins.tolist(), strict=True)):
        judge = tango.paired_proportions(n - count, count - won, won, 0)
        assert low[row] == pytest.approx(judge.low, rel=1e-12, abs=1e-15)
        assert high[row] == pytest.approx(judge.high, rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("n", [2, 100, 1_000_000])
def test_closed_forms(n: int) -> None:
    """No discordant item: z^2 / (n + z^2) either way. All of them won: the high end is 1."""
    low, high = tango_ends(np.array([0, 0, n]), np.array([0, n, 0]), n, Z)
    assert high[0] == pytest.approx(Z * Z / (n + Z * Z), rel=1e-12)
    assert low[0] == -high[0]
    assert (high[1], low[2]) == (1.0, -1.0)
