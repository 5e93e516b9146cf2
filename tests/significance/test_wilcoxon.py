"""Wilcoxon's test against R, scipy and complete enumeration."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from deadheat.errors import UsageError
from deadheat.significance.wilcoxon import wilcoxon
from vectors import close, vectors

DIFFERENCES = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


@pytest.mark.parametrize("vector", vectors("pvalues.wilcoxon"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    given_ = vector["input"]
    found = wilcoxon(given_["diffs"], zero_method=given_["zero_method"], mode=given_["mode"])
    assert close(vector, "w_plus", found.detail["w_plus"])
    assert close(vector, "w_minus", found.detail["w_minus"])
    assert close(vector, "p_value", found.p_value)


@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
@given(differences=DIFFERENCES)
def test_exact_by_complete_enumeration(zero_method: str, differences: list[int]) -> None:
    d = np.array(differences, dtype=float)
    assume(np.any(d != 0))
    kept = d if zero_method == "pratt" else d[d != 0]
    ranks = stats.rankdata(np.abs(kept))[kept != 0]
    signs = np.array(list(product((0.0, 1.0), repeat=ranks.size)))
    totals = signs @ ranks
    observed = float(ranks[kept[kept != 0] > 0].sum())
    greater = np.mean(totals >= observed - 1e-9)
    less = np.mean(totals <= observed + 1e-9)
    for side, expected in (
        ("greater", greater),
        ("less", less),
        ("two-sided", min(1.0, 2 * min(greater, less))),
    ):
        found = wilcoxon(d, zero_method=zero_method, mode="exact", alternative=side)  # type: ignore[arg-type]
        assert found.p_value == pytest.approx(expected, rel=1e-12)
        assert found.exact


def test_scipy_exact_without_ties() -> None:
    d = np.random.default_rng(0).normal(0.2, 1.0, 40)
    assert wilcoxon(d).p_value == pytest.approx(stats.wilcoxon(d, method="exact").pvalue)


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
def test_scipy_approximation(zero_method: Any, side: Any) -> None:
    d = np.round(np.random.default_rng(0).normal(0.2, 1.0, 300), 1)
    theirs = stats.wilcoxon(d, zero_method=zero_method, method="asymptotic", alternative=side)
    found = wilcoxon(d, zero_method=zero_method, alternative=side)
    assert not found.exact
    assert found.p_value == pytest.approx(theirs.pvalue, rel=1e-9)


@pytest.mark.parametrize("n", [0, 5, 10])
def test_identical_series_give_one(n: int) -> None:
    """CASES 36."""
    for mode in ("exact", "approx"):
        assert wilcoxon(np.zeros(n), mode=mode).p_value == 1.0
        assert wilcoxon(np.zeros(n), mode=mode, zero_method="pratt").p_value == 1.0


def test_ties_survive_rounding() -> None:
    clean = wilcoxon([3, -3, 3, 1, 2])
    noisy = wilcoxon([0.1 + 0.2, -0.3, 0.3, 0.1, 0.2])
    assert noisy.p_value == clean.p_value


def test_says_that_it_is_not_about_the_mean() -> None:
    found = wilcoxon([1, 1, 1, 1, -30])
    assert found.statistic == 10.0
    assert "not the mean" in found.note


def test_unknown_options_are_refused() -> None:
    with pytest.raises(UsageError, match="pratt"):
        wilcoxon([1, 2], zero_method="zsplit")
    with pytest.raises(UsageError, match="exact"):
        wilcoxon([1, 2], mode="monte_carlo")
