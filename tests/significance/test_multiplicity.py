"""Adjusted p-values against R, statsmodels and their definitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from deadheat.errors import UsageError
from deadheat.significance.multiplicity import METHODS, adjust
from vectors import vectors

THEIRS = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "sidak": "sidak",
    "holm_sidak": "holm-sidak",
    "bh": "fdr_bh",
    "by": "fdr_by",
}
P = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=20)
ALL = pytest.mark.parametrize("method", METHODS)

pytestmark = pytest.mark.usefixtures("cheap_collection")


@pytest.mark.parametrize("vector", vectors("many.adjust"), ids=lambda v: v["name"])
def test_vector(vector: dict[str, Any]) -> None:
    found = adjust(vector["input"]["pvalues"], vector["input"]["method"])
    assert found == pytest.approx(vector["expected"]["adjusted"], abs=1e-12, rel=1e-10)


@ALL
@given(p=P)
def test_statsmodels_agrees(method: str, p: list[float]) -> None:
    with np.errstate(divide="ignore"):
        theirs = multipletests(p, method=THEIRS[method])[1]
    assert adjust(p, method) == pytest.approx(theirs, abs=1e-12)


@ALL
@given(p=P, seed=st.integers(0, 99))
def test_order_does_not_matter_and_nothing_shrinks(method: str, p: list[float], seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(p))
    found = adjust(p, method)
    assert adjust(np.array(p)[order], method) == pytest.approx(found[order], abs=0)
    assert np.all(found >= np.array(p) - 1e-15)
    assert np.all(found <= 1.0)


def test_ties_and_the_flag() -> None:
    """CASES 73."""
    p = [0.01, 0.04, 0.03, 0.005]
    assert adjust(p, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust(p, "bh") == pytest.approx([0.02, 0.04, 0.04, 0.02])


@ALL
def test_undefined_stays_undefined_and_does_not_count(method: str) -> None:
    found = adjust([0.01, math.nan, 0.04], method)
    assert math.isnan(found[1])
    assert found[[0, 2]] == pytest.approx(adjust([0.01, 0.04], method))


@ALL
def test_edges(method: str) -> None:
    assert adjust([], method).size == 0
    assert np.isnan(adjust([math.nan], method)).all()
    assert adjust([1.0, 0.0], method) == pytest.approx([1.0, 0.0])
    assert adjust([0.3], method) == pytest.approx([0.3])


def test_tiny_values_keep_their_digits() -> None:
    assert adjust([1e-18, 0.5], "sidak")[0] == pytest.approx(2e-18)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, math.inf])
def test_not_a_p_value_is_refused(wrong: float) -> None:
    with pytest.raises(UsageError, match="p-value 2 is"):
        adjust([0.5, wrong])


def test_unknown_method_is_refused() -> None:
    with pytest.raises(UsageError, match="Did you mean holm"):
        adjust([0.5], "holms")
