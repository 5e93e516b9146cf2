"""Row 73 of class J: adjusted p-values and the level they are held against."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import deadheat
from cases.data import Answer
from processes import Run, refused

P = (0.01, 0.04, 0.03, 0.005)
JUDGES = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "sidak": "sidak",
    "holm_sidak": "holm-sidak",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


@pytest.mark.parametrize(
    ("method", "adjusted"),
    [("holm", (0.03, 0.06, 0.06, 0.02)), ("bh", (0.02, 0.04, 0.04, 0.02))],
)
def test_equal_adjusted_values_are_normal(method: str, adjusted: tuple[float, ...]) -> None:
    """Row 73: .01, .04, .03, .005 by Holm and by Benjamini and Hochberg."""
    assert deadheat.adjust(P, method=method).adjusted == pytest.approx(adjusted, rel=1e-12)


@pytest.mark.parametrize("method", JUDGES)
@pytest.mark.parametrize("size", [1, 2, 5, 40])
def test_adjusted_values_are_those_of_statsmodels(method: str, size: int) -> None:
    """Row 73: in the order given, for families of any size."""
    p = np.random.default_rng(size).random(size) ** 3
    right = multipletests(p, method=JUDGES[method])[1]
    assert deadheat.adjust(p.tolist(), method=method).adjusted == pytest.approx(right, rel=1e-9)


@pytest.mark.parametrize("method", JUDGES)
def test_a_comparison_is_rejected_exactly_where_its_adjusted_value_is_at_most_alpha(
    method: str,
) -> None:
    """Row 73: the flag and the number never disagree, at any of the adjusted values themselves."""
    adjusted = deadheat.adjust(P, method=method).adjusted
    for alpha in (*adjusted, 0.05, 0.01):
        if not alpha < 1:
            continue
        found = deadheat.adjust(P, method=method, alpha=alpha).to_dict()
        for row in found["p_values"]:
            assert row["rejected"] == (row["p_adjusted"] <= alpha)


@pytest.mark.parametrize(
    ("p", "method", "alpha"),
    [
        ((0.05,), "holm", 0.05),
        ((0.025, 0.5), "bonferroni", 0.05),
        ((0.01, 0.02, 0.03, 0.04, 0.05), "bh", 0.05),
        ((0.1, 0.2, 0.3), "bh", 0.3),
        ((0.05 / 3, 0.9, 0.9), "bonferroni", 0.05),
        ((0.01 / 7, *(0.9,) * 6), "holm", 0.01),
    ],
)
def test_a_value_that_equals_the_level_in_theory_is_rejected(
    p: tuple[float, ...], method: str, alpha: float
) -> None:
    """Row 73: <= everywhere; 3 x 0.1 is at most 0.3 whatever binary floats make of it."""
    found = deadheat.adjust(p, method=method, alpha=alpha)
    assert found.rejected[0] is True


@pytest.mark.parametrize("method", JUDGES)
def test_ties_are_adjusted_alike_in_any_order(method: str) -> None:
    """Row 73: equal p-values have equal adjusted values, wherever they stand."""
    for order in itertools.permutations((0.02, 0.02, 0.02, 0.3)):
        adjusted = deadheat.adjust(order, method=method).adjusted
        assert len({q for p, q in zip(order, adjusted, strict=True) if p == 0.02}) == 1


def test_undefined_values_do_not_count_in_the_family(answer: Answer) -> None:
    """Row 73: NaN stays undefined and is listed; the others are a family of their own."""
    found = answer("adjust", "0.01", "NA", "0.04", "0.03", "nan", "0.005")
    assert found["comparisons"]["n"] == 4
    values = [row["p_adjusted"] for row in found["p_values"]]
    assert values[1] is None
    assert values[4] is None
    assert [v for v in values if v is not None] == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert "2, 5" in found["notes"][0]["message"]


@pytest.mark.parametrize("bad", ["1.2", "inf", "abc", "0,05x"])
def test_what_is_no_p_value_is_refused(run: Run, bad: str) -> None:
    """Row 73: values outside [0, 1] are an error with their place."""
    assert "p-value 2" in refused(run("adjust", "0.5", bad))


@pytest.mark.parametrize("p", [0.05, 0.0500000001])
def test_the_reading_holds_its_test_to_the_same_rule(p: float) -> None:
    """Row 73: a companion p-value of exactly 1 - confidence is at most alpha.

    8 items one way of 400 at the level of their own exact p-value, 2^(1-8), agree with the
    interval; a hair below that level they do not.
    """
    own = 2.0**-7
    baseline = [1] * 392 + [0] * 8
    found: dict[str, Any] = deadheat.compare(
        baseline,
        [1] * 400,
        method="percentile",
        confidence_level=1 - own if p == 0.05 else 1 - own + 1e-6,
    ).to_dict()
    assert found["tests"][0]["p_value"] == pytest.approx(own, rel=1e-12)
    excludes = found["difference"]["interval"]["low"] > 0
    agrees = p == 0.05
    assert found["reading"]["code"] == ("resolved" if excludes == agrees else "borderline")
