"""Replicates of the studentized mean against SciPy's t statistic of the same resamples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.resampling.counts import counts
from deadheat.resampling.studentized import studentized_mean
from deadheat.rng import Purpose, Stream


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_each_replicate_is_the_t_statistic_of_its_resample(shift: float) -> None:
    values, units = np.random.default_rng(0).gamma(1.0, size=8) + shift, np.arange(1, 9)
    mean = float(values @ units) / 36
    drawn = counts(Stream(0, Purpose.BOOTSTRAP, 0), units, 36, 200)
    expected = [stats.ttest_1samp(np.repeat(values, row), mean).statistic for row in drawn]
    got = studentized_mean(values, units, n_resamples=200, seed=0)
    assert got == pytest.approx(np.array(expected), rel=1e-6 if shift else 1e-9, abs=1e-9)


def test_threads_change_no_bit() -> None:
    values, units = np.random.default_rng(1).normal(size=500), np.ones(500, dtype=np.int64)
    one, three = (
        studentized_mean(values, units, n_resamples=900, seed=2, threads=threads)
        for threads in (1, 3)
    )
    assert np.array_equal(one, three)


def test_location_and_scale_do_not_matter() -> None:
    values, units = np.random.default_rng(1).normal(size=60), np.ones(60, dtype=np.int64)
    plain = studentized_mean(values, units, n_resamples=300, seed=0)
    moved = studentized_mean(3.0 - 10.0 * values, units, n_resamples=300, seed=0)
    assert moved == pytest.approx(-plain, rel=1e-9, abs=1e-10)


def test_resamples_of_one_value_are_undefined() -> None:
    values, units = np.array([0.1, 0.3]), np.array([2, 1])
    replicates = studentized_mean(values, units, seed=0)
    drawn = np.concatenate(
        [counts(Stream(0, Purpose.BOOTSTRAP, j), units, 3, 256) for j in range(40)]
    )[:9_999]
    assert np.array_equal(np.isnan(replicates), (drawn == 0).any(axis=1))


def test_all_values_equal_is_undefined_throughout() -> None:
    assert np.isnan(studentized_mean(np.array([0.1]), np.array([7]), n_resamples=5, seed=0)).all()


def test_one_unit_is_refused() -> None:
    with pytest.raises(InferenceError, match="no standard error"):
        studentized_mean(np.array([1.0]), np.array([1]), seed=0)


def test_values_must_fit() -> None:
    with pytest.raises(InferenceError, match="do not fit 2 multiplicities"):
        studentized_mean(np.array([1.0]), np.array([1, 1]), seed=0)
