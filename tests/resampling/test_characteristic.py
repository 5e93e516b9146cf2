from __future__ import annotations

import math

import numpy as np
import pytest

from deadheat.resampling.characteristic import log_phi_flipped, log_phi_mean

TURN = np.array([0.001, 0.004, 0.02, 0.11])


def values(n: int) -> np.ndarray:
    """Most enter through the power series, some one by one."""
    return np.sort(np.append(np.random.default_rng(n).normal(0, 1, n - 2), [-90.0, 40.0]))


@pytest.mark.parametrize("n", [5, 300, 20_000])
def test_mean_against_exact_sums(n):
    x = values(n)
    weights = np.ones(n)
    found = log_phi_mean(x, weights, TURN)
    for turn, log_phi in zip(TURN, found, strict=True):
        real = math.fsum(-2 * math.sin(0.5 * turn * v) ** 2 for v in x) / n
        imag = math.fsum(math.sin(turn * v) for v in x) / n
        assert log_phi.real == pytest.approx(
            0.5 * n * math.log1p(2 * real + real * real + imag * imag), rel=1e-11
        )
        assert log_phi.imag == pytest.approx(n * math.atan2(imag, 1 + real), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("n", [5, 300, 20_000])
def test_flips_against_exact_sums(n):
    x = np.sort(np.abs(values(n)))
    found = np.exp(log_phi_flipped(x, np.ones(n), TURN))
    for turn, phi in zip(TURN, found, strict=True):
        log_modulus = math.fsum(math.log(abs(math.cos(turn * v))) for v in x)
        sign = (-1) ** sum(math.cos(turn * v) < 0 for v in x)
        assert phi.real == pytest.approx(sign * math.exp(log_modulus), rel=1e-11)
        assert phi.imag == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("log_phi", [log_phi_mean, log_phi_flipped])
def test_weights_are_repetitions(log_phi):
    x = np.sort(np.abs(values(200)))
    weights = np.random.default_rng(0).integers(1, 5, 200)
    one = log_phi(x, weights.astype(float), TURN)
    other = log_phi(np.repeat(x, weights), np.ones(weights.sum()), TURN)
    np.testing.assert_allclose(np.exp(one), np.exp(other), rtol=1e-9)
