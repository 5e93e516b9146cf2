"""Items that weak systems solve and strong ones do not, against plain loops."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from deadheat.health import upsets


@given(
    arrays(np.bool_, st.tuples(st.integers(0, 15), st.integers(4, 20))),
    st.integers(0, 2**32 - 1),
)
def test_against_loops(right: np.ndarray, seed: int) -> None:
    n_systems = right.shape[1]
    order = np.random.default_rng(seed).permutation(n_systems)
    found = upsets(right, order)
    quarter = n_systems // 4
    strong, weak = [*order[:quarter]], [*order[-quarter:]]
    wanted = [
        not any(row[s] for s in strong) and any(row[w] for w in weak) for row in right.tolist()
    ]
    assert found.items.tolist() == wanted
    assert found.open_items == sum(not any(row[s] for s in strong) for row in right.tolist())
    assert found.by_system.tolist() == [
        sum(row[w] for row, is_one in zip(right.tolist(), wanted, strict=True) if is_one)
        for w in weak
    ]
    assert found.n_weak.tolist() == [sum(row[w] for w in weak) for row in right.tolist()]
