"""Power of the reading, summed by critical counts, against all outcomes one by one."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadheat.errors import InferenceError, UsageError
from deadheat.power import (
    Cells,
    cells,
    enumerated,
    mcnemar_power,
    percentile_power,
    reading_items,
    reading_power,
)
from deadheat.power.enumeration import METHODS
from deadheat.power.mcnemar import TESTS

DESIGNS = st.tuples(st.floats(0, 1), st.floats(0, 1), st.floats(-1, 1)).map(lambda x: cells(*x))

few = settings(max_examples=30)


@few
@given(
    n=st.integers(2, 120),
    found=DESIGNS,
    method=st.sampled_from(METHODS),
    test=st.sampled_from(TESTS),
    alpha=st.sampled_from([0.01, 0.05, 0.2, 0.5]),
)
def test_it_is_the_power_of_the_enumeration(
    n: int, found: Cells, method: str, test: str, alpha: float
) -> None:
    judge = enumerated(n, found, method=method, test=test, confidence_level=1.0 - alpha)
    power = reading_power(n, found, method=method, test=test, alpha=alpha)
    assert power == pytest.approx(judge.power, abs=3e-13)


@few
@given(n=st.integers(2, 3_000), found=DESIGNS, test=st.sampled_from(TESTS))
def test_both_have_to_agree(n: int, found: Cells, test: str) -> None:
    power = reading_power(n, found, method="percentile", test=test)
    shares = found.only_baseline, found.only_candidate
    assert power <= mcnemar_power(n, *shares, test=test) + 1e-13
    assert power <= percentile_power(n, *shares) + 1e-13


@given(n=st.integers(2, 3_000), found=DESIGNS)
def test_tango_and_the_uncorrected_test_are_one(n: int, found: Cells) -> None:
    """Tango's interval excludes 0 exactly where the uncorrected test rejects (Tango 1998)."""
    expected = mcnemar_power(n, found.only_baseline, found.only_candidate, test="chi2")
    assert reading_power(n, found, method="tango", test="chi2") == pytest.approx(
        expected, abs=1e-13
    )


@pytest.mark.parametrize(
    ("found", "method", "test", "power"),
    [
        (cells(0.6, 0.8, 0.5), "auto", "exact", 0.8),
        (cells(0.7, 0.9, 0.0), "percentile", "midp", 0.9),
        (cells(0.5, 0.9, -0.5), "tango", "chi2", 0.95),
        (cells(0.9, 0.96, 0.9), "auto", "midp", 0.5),
    ],
)
def test_items_by_trying_all(found: Cells, method: str, test: str, power: float) -> None:
    items = reading_items(found, method=method, test=test, power=power)
    assert items is not None
    good = [
        reading_power(n, found, method=method, test=test) >= power for n in range(2, items + 21)
    ]
    assert all(good[items - 2 :])
    assert not any(all(good[n : n + 21]) for n in range(items - 2))


def test_the_design_of_seed_2() -> None:
    """The exact test is the harder one to pass there, at 500 items and at 80% power."""
    found = cells(0.72, 0.76, 0.36)
    assert reading_power(500, found) == pytest.approx(0.339, abs=5e-4)
    assert reading_items(found) == pytest.approx(1_533, abs=2)


def test_no_gap_and_no_difference() -> None:
    assert reading_items(cells(0.7, 0.7, 0.3)) is None
    assert reading_power(500, cells(0.7, 0.7, 1.0)) == 0.0


def test_the_same_on_every_item() -> None:
    """The percentile interval is a point then, and the reading degenerate; Tango's is not."""
    found = cells(0.0, 1.0, 0.0)
    assert reading_power(100, found, method="percentile") == 0.0
    assert reading_power(100, found) == 1.0


@pytest.mark.parametrize("alpha", [0.0, 1.0, 0.51, math.nan, True, "0.05"])
def test_levels_are_checked(alpha: float) -> None:
    with pytest.raises(InferenceError, match="alpha is"):
        reading_power(100, cells(0.7, 0.8, 0.1), alpha=alpha)


def test_bad_numbers_are_refused() -> None:
    found = cells(0.7, 0.8, 0.1)
    for n in (1, 0, 2.5, True):
        with pytest.raises(InferenceError, match=r"there are .* items"):
            reading_power(n, found)
    with pytest.raises(InferenceError, match="more than 1,000,000"):
        reading_power(2_000_000, found)
    with pytest.raises(InferenceError, match="takes more than 1,000,000 items"):
        reading_items(cells(0.7, 0.7005, 0.1))
    with pytest.raises(UsageError, match=r"the method is 'wald'\. Known: auto, percentile, tango"):
        reading_power(100, found, method="wald")
    with pytest.raises(UsageError, match="the test is 't'"):
        reading_items(found, test="t")
