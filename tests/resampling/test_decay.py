from __future__ import annotations

import numpy as np
import pytest

from deadheat.resampling.decay import decay_of


def cases():
    rng = np.random.default_rng(11)
    return {
        "normal": rng.normal(3, 1, 200),
        "heavy": rng.standard_cauchy(300),
        "atom": np.where(rng.random(400) < 0.7, 0.0, rng.random(400)),
        "lattice": rng.integers(0, 9, 250) / 8.0,
        "two_points": np.repeat([0.0, 1.0], 30),
        "outlier": np.append(rng.normal(0, 0.1, 150), 1e6),
        "few": rng.random(5),
        "three_points": np.array([0.0, 0.3717, 1.0]),
    }


@pytest.mark.parametrize("name", cases())
@pytest.mark.parametrize("size", [1 << 10, 1 << 15])
def test_bounds_the_characteristic_function_everywhere(name, size):
    x = np.sort(cases()[name])
    decay = decay_of(x, np.ones(x.size), size=size)
    rng = np.random.default_rng(2)
    cell = np.unique(np.concatenate([np.arange(3000), rng.integers(0, decay.bounds.size, 1000)]))
    cell = cell[cell < decay.bounds.size]
    # Values outside the bulk are only known to add no more than their share.
    bound = 1 - decay.share * (1 - decay.bounds[cell]) + 1e-9
    for within in (0.0, 0.25, 0.5, 0.75, 1.0):
        turn = decay.edges[cell] * (1 - within) + decay.edges[cell + 1] * within
        modulus = np.abs(np.exp(1j * np.multiply.outer(turn, x - x.mean())).mean(axis=1))
        assert np.all(modulus <= bound)


def test_it_finds_the_step_of_a_lattice():
    x = np.sort(np.random.default_rng(4).integers(0, 50, 2000) / 10.0)
    decay = decay_of(x, np.ones(x.size), size=1 << 14)
    resonance = 2 * np.pi * 10.0
    assert decay.bounds[np.searchsorted(decay.edges, resonance) - 1] > 1 - 1e-9
    between = np.searchsorted(decay.edges, [0.2 * resonance, 0.8 * resonance])
    assert decay.bounds[between[0] : between[1]].max() < 0.3


def test_weights_are_repetitions():
    rng = np.random.default_rng(5)
    x, weights = np.sort(rng.random(80)), rng.integers(1, 4, 80)
    one = decay_of(x, weights.astype(float), size=1 << 12)
    other = decay_of(np.repeat(x, weights), np.ones(weights.sum()), size=1 << 12)
    np.testing.assert_allclose(one.bounds, other.bounds, atol=1e-9)
    assert one.share == pytest.approx(other.share)


def test_a_point_has_no_decay():
    assert decay_of(np.full(9, 2.5), np.ones(9), size=1 << 10) is None
