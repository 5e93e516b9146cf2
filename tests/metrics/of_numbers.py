"""Metrics of numbers on small inputs, with weights or on the sample that weights stand for."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np
from hypothesis import strategies as st

from deadheat.metrics.metric import OfWeights, Settings


def made(name: str, **settings: Any) -> Any:
    return import_module(f"deadheat.metrics.{name}").metric(Settings(name=name, **settings))


def value(
    metric: Any, references: Any, outputs: Any, weights: Sequence[float] | None = None
) -> float:
    """Value of a metric of sums or of weights; every item counts once by default."""
    references, outputs = np.asarray(references), np.asarray(outputs, dtype=np.float64)
    counts = np.ones(len(outputs)) if weights is None else np.asarray(weights, dtype=np.float64)
    if isinstance(metric, OfWeights):
        return float(metric.value_of(metric.rows(references, outputs))(counts))
    return float(metric.value(counts @ metric.statistics(references, outputs)))


@st.composite
def tied_samples(draw: st.DrawFn, levels: int = 5) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of a few levels, numbers of few or many, and weights of zero or more."""
    n = draw(st.integers(1, 14))
    column = st.lists(st.integers(-2, levels - 3), min_size=n, max_size=n)
    outputs = draw(
        st.one_of(column, st.lists(st.floats(-1e3, 1e3), min_size=n, max_size=n).map(list))
    )
    weights = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    return np.array(draw(column)), np.array(outputs, dtype=float), np.array(weights)
