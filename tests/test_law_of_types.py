"""Draws over types against draws over items, by scipy and metrics written apart from ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from generated import drawn, some_labels


def tables(references: NDArray[Any], outputs: NDArray[Any]) -> NDArray[np.float64]:
    """Count references by outputs, shape (..., 3, 3), for labels a, b, c along the last axis."""
    cells = [[((references == x) & (outputs == y)).sum(axis=-1) for y in "abc"] for x in "abc"]
    return np.moveaxis(np.array(cells, dtype=float), (0, 1), (-2, -1))


def macro_f1(references: NDArray[Any], outputs: NDArray[Any]) -> NDArray[np.float64]:
    table = tables(references, outputs)
    hits = np.diagonal(table, axis1=-2, axis2=-1)
    both = table.sum(axis=-1) + table.sum(axis=-2)
    return np.divide(2 * hits, both, out=np.zeros_like(hits), where=both > 0).mean(axis=-1)


def mcc(references: NDArray[Any], outputs: NDArray[Any]) -> NDArray[np.float64]:
    """Gorodkin (2004): the correlation of two indicator matrices."""
    table = tables(references, outputs)
    n = table.sum(axis=(-1, -2))
    t, p = table.sum(axis=-1), table.sum(axis=-2)
    covariance = n * np.trace(table, axis1=-2, axis2=-1) - (t * p).sum(axis=-1)
    spread = np.sqrt((n**2 - (t**2).sum(axis=-1)) * (n**2 - (p**2).sum(axis=-1)))
    return np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > 0)


@pytest.mark.parametrize(
    ("name", "metric"), [("macro_f1", macro_f1), ("mcc", mcc)], ids=["macro_f1", "mcc"]
)
@pytest.mark.parametrize("n", [25, 90])
def test_types_have_the_law_of_items(
    name: str, metric: Callable[[NDArray[Any], NDArray[Any]], NDArray[np.float64]], n: int
) -> None:
    """Draws over types against scipy's draws over items, which know nothing of types."""
    data, references = some_labels(n)
    columns = tuple(np.array(c) for c in (references, data["a"], data["b"]))

    def difference(r: Any, a: Any, b: Any, axis: int = -1) -> NDArray[np.float64]:
        return metric(r, b) - metric(r, a)

    judge = stats.bootstrap(
        columns,
        difference,
        paired=True,
        vectorized=True,
        n_resamples=2_999,
        method="percentile",
        rng=np.random.default_rng(1),
    )
    found = drawn(data, references, metric=name, n_resamples=9_999).difference
    assert found.estimate == pytest.approx(float(difference(*columns)), abs=1e-12)
    # Standard error of a standard deviation from R draws is about sd / sqrt(2 R).
    assert found.standard_error == pytest.approx(judge.standard_error, rel=4 / (2 * 2_999) ** 0.5)
    error = found.interval.monte_carlo_error
    assert error is not None
    # scipy's ends come from fewer draws, and its errors are larger by the root of that.
    slack = error * (1 + (9_999 / 2_999) ** 0.5) + 1e-12
    assert found.interval.low == pytest.approx(judge.confidence_interval.low, abs=slack)
    assert found.interval.high == pytest.approx(judge.confidence_interval.high, abs=slack)
