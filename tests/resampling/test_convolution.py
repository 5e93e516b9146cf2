from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from deadheat.errors import InferenceError
from deadheat.resampling import convolution
from deadheat.resampling.convolution import binomial, convolved, part, reach


@pytest.mark.parametrize(
    ("n", "p"), [(1, 0.5), (40, 0.3), (1000, 0.5), (1000, 0.001), (200_000, 0.9)]
)
def test_binomial_is_accurate_relative_to_itself(n, p):
    first, pmf = binomial(n, p)
    expected = stats.binom.pmf(first + np.arange(pmf.size), n, p)
    seen = expected > 1e-250
    np.testing.assert_allclose(pmf[seen], expected[seen], rtol=1e-9)
    assert stats.binom.cdf(first - 1, n, p) < 1e-280
    assert stats.binom.sf(first + pmf.size - 1, n, p) < 1e-280


@pytest.mark.parametrize(("p", "expected"), [(0.0, 0), (1.0, 7)])
def test_binomial_without_chance(p, expected):
    first, pmf = binomial(7, p)
    assert (first, pmf.tolist()) == (expected, [1.0])


@pytest.mark.parametrize("log_tail", [3.0, 20.0, 41.5])
@pytest.mark.parametrize(("n", "p"), [(30, 0.01), (400, 0.5), (5000, 0.002)])
def test_reach_leaves_no_more_than_promised(n, p, log_tail):
    distance = reach(n * p * (1 - p), 1 - p, log_tail)
    assert stats.binom.sf(np.ceil(n * p + distance) - 1, n, p) <= np.exp(-log_tail)


def by_repeated_convolution(parts):
    pmf, start = np.ones(1), 0
    for one in parts:
        low, high = int(one.steps.min()), int(one.steps.max())
        single = np.zeros(high - low + 1)
        np.add.at(single, one.steps - low, one.probabilities)
        for _ in range(one.n):
            pmf, start = np.convolve(pmf, single), start + low
    return pmf, start


PARTS = {
    "graded": [part([-2, 0, 1, 5], [1, 4, 2, 3])],
    "gap": [part([-3, 0, 9], [2, 5, 1]), part([6, 12], [1, 1])],
    "mixed": [part([0, 1], [3, 4]), part([-7, 2], [5, 1]), part([4], [3])],
    "many_steps": [part(np.arange(-40, 60) ** 2, np.arange(1, 101), 12)],
    "two_draws": [part([0, 1], [1, 1], 2)],
}


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("screened", [False, True])
def test_agrees_with_repeated_convolution(name, screened, monkeypatch):
    if screened:
        monkeypatch.setattr(convolution, "BLOCK_TERMS", 64)
    pmf, start = by_repeated_convolution(PARTS[name])
    found = convolved(PARTS[name], 10)
    assert found.denominator == 10
    at = found.start - start + np.arange(found.pmf.size)
    np.testing.assert_allclose(found.pmf, pmf[at], atol=2e-15)
    assert pmf.sum() - pmf[at].sum() < 1e-15


def test_logarithm_of_zero_is_finite():
    assert np.exp(7 * convolution.log_of(np.array([-1.0]), np.array([0.0]))) == 0.0
    found = convolved([part([-1, 1], [1, 1], 2), part([-1, 1], [1, 1], 3)], 1)
    np.testing.assert_allclose(found.pmf[::2] * 32, [1, 5, 10, 10, 5, 1], rtol=1e-13)


def test_window_does_not_grow_with_n():
    sizes = [convolved([part([-1, 0, 1], [1, 8, 1], n)], n).pmf.size for n in (10**4, 10**6)]
    assert 9 < sizes[1] / sizes[0] < 11
    d = convolved([part([-1, 0, 1], [1, 8, 1], 10**6)], 10**6)
    normal = stats.norm(0, np.sqrt(0.2 / 10**6))
    for x in (-1e-3, 2e-4, 1e-3):
        assert d.at_most(x) == pytest.approx(normal.cdf(x + 5e-7), abs=1e-7)


def test_a_single_step_is_a_point():
    d = convolved([part([5], [3])], 3)
    assert (d.pmf.tolist(), d.mean, d.sd) == ([1.0], 5.0, 0.0)


def test_too_many_points_are_not_built():
    assert convolved([part([0, 10**7 + 1, 3], [1, 1, 1], 1000)], 1) is None


def test_even_and_fast_lengths():
    lengths = [convolution._fast_length(least) for least in range(1, 3000)]
    assert all(length >= least for least, length in enumerate(lengths, start=1))
    assert all(length % 2 == 0 for length in lengths)
    assert all(a <= b for a, b in pairwise(lengths))
    assert all(length <= 1.25 * least for least, length in enumerate(lengths, start=1) if least > 8)


@pytest.mark.parametrize("multiplicities", [[0, 0], [2, -1]])
def test_counts_of_no_unit_are_refused(multiplicities):
    with pytest.raises(InferenceError, match="do not count any unit"):
        part([0, 1], multiplicities)
