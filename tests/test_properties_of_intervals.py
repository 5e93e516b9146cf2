"""Intervals of whole comparisons: they nest, they are dual to their p-values, they are finite."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import deadheat
from deadheat import Comparison
from generated import (
    ALTERNATIVES,
    BINARY,
    CORPUS,
    FEW,
    MEANS,
    Data,
    any_scores,
    drawn,
    labels,
    p_values,
    scores,
)


def nested(intervals: list[Any]) -> bool:
    return all(
        outer.low - 1e-12 <= inner.low and inner.high <= outer.high + 1e-12
        for inner, outer in pairwise(intervals)
        if inner.defined and outer.defined
    )


def at_levels(**options: Any) -> list[Any]:
    sources = options.pop("sources")
    return [
        deadheat.compare(sources, confidence_level=level, **options).difference.interval
        for level in (0.90, 0.95, 0.99)
    ]


@pytest.mark.parametrize("method", BINARY)
@settings(max_examples=8)
@given(data=scores("binary"), alternative=st.sampled_from(ALTERNATIVES))
def test_levels_nest_for_0_1_scores(method: str, data: Data, alternative: str) -> None:
    assert nested(at_levels(sources=data, method=method, alternative=alternative))


@pytest.mark.parametrize("method", MEANS)
@settings(max_examples=8)
@given(data=scores("graded"), alternative=st.sampled_from(ALTERNATIVES))
def test_levels_nest_for_means(method: str, data: Data, alternative: str) -> None:
    assert nested(at_levels(sources=data, metric="mean", method=method, alternative=alternative))


@pytest.mark.parametrize("method", CORPUS)
@settings(max_examples=5)
@given(case=labels(least=10))
def test_levels_nest_for_drawn_numbers(method: str, case: tuple[Data, list[str]]) -> None:
    data, references = case
    intervals = [
        drawn(
            data, references, method=method, confidence_level=level, n_resamples=999
        ).difference.interval
        for level in (0.90, 0.95, 0.99)
    ]
    assert nested(intervals)


def dual(found: Comparison) -> bool:
    """Whether the interval excludes zero exactly when the p-value beside it says so."""
    inference, alpha = found.difference, found.settings.alpha
    if not inference.interval.defined:
        return bool(np.isnan(inference.p_value))
    reached = inference.p_value < alpha if inference.exact else inference.p_value <= alpha
    return inference.interval.excludes(0.0) == reached


@pytest.mark.parametrize("method", BINARY)
@settings(max_examples=12)
@given(
    data=scores("binary"),
    alternative=st.sampled_from(ALTERNATIVES),
    level=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_duality_for_0_1_scores(method: str, data: Data, alternative: str, level: float) -> None:
    found = deadheat.compare(data, method=method, alternative=alternative, confidence_level=level)
    # At a p-value of alpha itself rounding decides, and may.
    assume(abs(found.difference.p_value - found.settings.alpha) > 1e-9)
    assert dual(found)


@pytest.mark.parametrize("method", MEANS)
@settings(max_examples=12)
@given(
    data=scores("graded"),
    alternative=st.sampled_from(ALTERNATIVES),
    level=st.sampled_from([0.8, 0.9, 0.95]),
)
def test_duality_for_means(method: str, data: Data, alternative: str, level: float) -> None:
    found = deadheat.compare(
        data, metric="mean", method=method, alternative=alternative, confidence_level=level
    )
    assume(abs(found.difference.p_value - found.settings.alpha) > 1e-9)
    assert dual(found)


@pytest.mark.parametrize("method", CORPUS)
@settings(max_examples=8)
@given(
    case=labels(least=5),
    alternative=st.sampled_from(ALTERNATIVES),
    level=st.sampled_from([0.8, 0.9]),
)
def test_duality_for_drawn_numbers(
    method: str, case: tuple[Data, list[str]], alternative: str, level: float
) -> None:
    data, references = case
    assert dual(
        drawn(
            data,
            references,
            method=method,
            alternative=alternative,
            confidence_level=level,
            n_resamples=399,
        )
    )


@FEW
@given(data=any_scores, paired=st.booleans())
def test_intervals_are_finite_where_anything_varies(data: Data, paired: bool) -> None:
    found = deadheat.compare(data, paired=paired)
    interval = found.difference.interval
    if found.difference.varies:
        assert np.isfinite([interval.low, interval.high]).all()
        assert interval.low <= interval.high
        assert 0.0 < found.difference.p_value <= 1.0
    assert all(0.0 < p <= 1.0 for p in p_values(found) if not np.isnan(p))


@settings(max_examples=15)
@given(case=labels(), metric=st.sampled_from(["macro_f1", "mcc", "cohen_kappa"]))
def test_drawn_intervals_are_finite_where_anything_varies(
    case: tuple[Data, list[str]], metric: str
) -> None:
    data, references = case
    found = drawn(data, references, metric=metric, method="auto", n_resamples=999)
    interval = found.difference.interval
    if found.difference.varies and np.isfinite(found.difference.estimate):
        assert np.isfinite([interval.low, interval.high]).all()
        assert interval.low <= interval.high
