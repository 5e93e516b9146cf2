from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy import stats

from deadheat.resampling import inversion
from deadheat.resampling.convolution import convolved, part
from deadheat.resampling.decay import decay_of
from deadheat.resampling.exact import lattice_mean
from deadheat.resampling.inversion import inverted_mean, inverted_signflip

RNG = np.random.default_rng(20)


def shapes(n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(n)
    return {
        "normal": rng.normal(0.1, 1, n),
        "skewed": rng.exponential(1, n),
        "heavy": rng.standard_t(3, n),
        "outlier": np.append(rng.normal(0, 0.1, n - 1), 4.0),
        "atom": np.where(rng.random(n) < 0.6, 0.0, rng.normal(0.1, 1, n)),
        "bounded": rng.beta(4, 0.4, n) - rng.beta(4, 0.4, n),
    }


def steps_of(values, denominator):
    return np.unique(np.rint(values * denominator).astype(np.int64), return_counts=True)


def lattice_of_flips(steps, counts, denominator):
    folded = [part([-s, s], [1, 1], int(c)) for s, c in zip(steps, counts, strict=True) if s]
    return convolved(folded, denominator)


@pytest.mark.parametrize("n", [5, 20, 60, 300])
@pytest.mark.parametrize("shape", shapes(5))
@pytest.mark.parametrize("kind", ["mean", "flip"])
def test_error_bound_holds_on_values_with_two_decimals(n, shape, kind, monkeypatch):
    # The steps of this lattice are coarse, so that the bound is large, and has to be.
    monkeypatch.setattr(inversion, "MAX_ERROR", 2.0)
    monkeypatch.setattr(inversion, "MAX_FLOOR", 2.0)
    monkeypatch.setattr(inversion, "EFFORTS", (1 << 16,))
    steps, counts = steps_of(shapes(n)[shape], 100)
    if kind == "mean":
        lattice = lattice_mean(steps, counts, denominator=100)
        d = inverted_mean(steps / 100, counts)
    else:
        lattice = lattice_of_flips(steps, counts, 100)
        d = inverted_signflip(steps / 100, counts)
    if d is None:
        assert n < 20
        return
    points, below = lattice.points, np.cumsum(lattice.pmf)
    chosen = np.unique(np.linspace(0, points.size - 1, 200).astype(int))
    edges = np.stack([below[chosen] - lattice.pmf[chosen], below[chosen]])
    found = np.array([d.at_most(x) for x in points[chosen]])
    admitted = np.array([d.error_at(x) for x in points[chosen]])
    assert np.all(np.abs(found - edges) <= admitted)
    assert np.all(admitted <= d.error_bound)


@pytest.mark.parametrize("shape", ["normal", "skewed"])
def test_error_bound_is_sharp(shape):
    steps, counts = steps_of(shapes(1000)[shape], 2000)
    lattice = lattice_mean(steps, counts, denominator=2000)
    d = inverted_mean(steps / 2000, counts)
    middle = int(np.argmax(lattice.pmf))
    error = abs(d.at_most(lattice.points[middle]) - lattice.pmf[: middle + 1].sum())
    assert 0.5 * d.error_bound < error <= d.error_bound < 1e-5


@pytest.mark.parametrize("n", [6, 7])
def test_error_bound_holds_on_real_values(n, monkeypatch):
    monkeypatch.setattr(inversion, "MAX_ERROR", 2.0)
    monkeypatch.setattr(inversion, "MAX_FLOOR", 2.0)
    x = np.random.default_rng(1).normal(0.3, 1, n)
    totals = flips = np.zeros(1)
    for value in x:
        totals = np.add.outer(totals, x).ravel()
        flips = np.concatenate([flips - value, flips + value])
    for d, support in ((inverted_mean(x), totals / n), (inverted_signflip(x), flips)):
        points = np.quantile(support, np.linspace(0.01, 0.99, 60), method="lower")
        for point in points:
            below, at_most = (support < point).mean(), (support <= point).mean()
            for share in (below, at_most):
                assert abs(d.at_most(point) - share) <= d.error_at(point) + 2e-15


@pytest.mark.parametrize("shape", shapes(5))
def test_agrees_with_draws(shape):
    x = shapes(120)[shape]
    d = inverted_mean(x)
    rng = np.random.default_rng(3)
    means = np.concatenate([x[rng.integers(0, 120, (10_000, 120))].mean(axis=1) for _ in range(20)])
    for share in (0.001, 0.025, 0.2, 0.5, 0.9, 0.975):
        got = (means <= d.lower(share)).mean()
        assert abs(got - share) < 4.5 * np.sqrt(share * (1 - share) / means.size) + d.error_bound


@pytest.mark.parametrize("shape", shapes(5))
def test_moments_and_inverse(shape):
    x = shapes(400)[shape]
    d, flips = inverted_mean(x), inverted_signflip(x)
    assert d.mean == pytest.approx(x.mean(), abs=1e-14)
    assert d.sd == pytest.approx(x.std() / 20, rel=1e-12)
    assert (flips.mean, flips.sd) == (0.0, pytest.approx(np.sqrt((x * x).sum())))
    for tail in (10 * d.floor, 0.0005, 0.025, 0.5):
        assert d.at_most(d.lower(tail)) == pytest.approx(tail, abs=1e-14)
        assert d.at_least(d.upper(tail)) == pytest.approx(tail, abs=1e-14)


def test_far_tails_keep_relative_accuracy_down_to_the_floor():
    steps, counts = steps_of(shapes(3000)["normal"], 1000)
    exact = lattice_mean(steps, counts, denominator=1000)
    d = inverted_mean(steps / 1000, counts)
    for sds in (-6.5, -5.0, -3.0, 4.0, 6.0):
        x = exact.points[np.searchsorted(exact.points, d.mean + sds * d.sd)]
        half_step = 0.5 / 3000 / 1000
        got = d.at_most(x + half_step) if sds < 0 else d.at_least(x - half_step)
        expected = exact.at_most(x) if sds < 0 else exact.at_least(x)
        assert got == pytest.approx(expected, rel=1e-4, abs=d.floor)


def test_tails_under_the_floor_are_not_resolved():
    d = inverted_mean(shapes(1000)["normal"])
    assert d.floor == pytest.approx(1e-12, rel=0.2)
    assert not d.resolves(1e-13)
    assert d.resolves(1e-10)
    assert (d.lower(1e-14), d.upper(1e-14)) == (d.low, d.high)
    assert (d.at_most(d.low - 1), d.at_least(d.low - 1)) == (0.0, 1.0)
    assert (d.at_most(d.high + 1), d.at_least(d.high + 1)) == (1.0, 0.0)


@pytest.mark.parametrize("shape", shapes(5))
def test_mirror(shape):
    x = shapes(150)[shape]
    d, mirrored = inverted_mean(x), inverted_mean(-x)
    for tail in (0.001, 0.025, 0.4):
        assert d.lower(tail) == pytest.approx(-mirrored.upper(tail), abs=1e-12 * np.abs(x).max())


@pytest.mark.parametrize(("scale", "shift"), [(3.7, 0.0), (1e-9, 0.0), (1e200, 0.0), (1.0, 50.0)])
def test_location_and_scale(scale, shift):
    x = shapes(150)["skewed"]
    d, moved = inverted_mean(x), inverted_mean(scale * x + shift)
    for tail in (0.001, 0.025, 0.4):
        expected = scale * d.lower(tail) + shift
        assert moved.lower(tail) == pytest.approx(expected, rel=1e-11)


def test_order_does_not_matter_and_multiplicities_are_repetitions():
    x = shapes(200)["heavy"]
    counts = RNG.integers(1, 4, x.size)
    repeated = RNG.permutation(np.repeat(x, counts))
    for inverted in (inverted_mean, inverted_signflip):
        one, other = inverted(x, counts), inverted(repeated)
        again = inverted(RNG.permutation(repeated))
        for tail in (0.001, 0.3):
            assert other.lower(tail) == again.lower(tail)
            assert one.lower(tail) == pytest.approx(other.lower(tail), rel=1e-11)


@pytest.mark.parametrize(
    "values",
    [
        [],
        [1.5],
        [0.3, 0.3, 0.3],
        list(np.random.default_rng(0).random(12)),
        [0.0, 1.0] * 500,
        list(np.random.default_rng(0).integers(0, 11, 400) / 10),
        list(np.append(np.random.default_rng(0).normal(0, 1e-6, 50), 1e6)),
    ],
    ids=["none", "one", "constant", "twelve", "zero_one", "tenths", "hidden_step"],
)
def test_what_cannot_be_bounded_is_none(values):
    assert inverted_mean(values) is None


def test_a_hundred_thousand_values():
    x = np.random.default_rng(9).gamma(2.0, 1.0, 100_000)
    d = inverted_mean(x)
    assert d.error_bound < 1e-6
    # Edgeworth's expansion to the first order (Hall 1992, eq. 2.17).
    skew = stats.skew(x) / np.sqrt(x.size)
    for z in (-2.0, 0.0, 1.0):
        expected = stats.norm.cdf(z) - skew / 6 * (z * z - 1) * stats.norm.pdf(z)
        assert d.at_most(x.mean() + z * d.sd) == pytest.approx(expected, abs=2e-5)


def test_sign_flips_of_few_large_among_many_small():
    rng = np.random.default_rng(4)
    large, small = rng.normal(0, 1, 10), rng.normal(0, 0.05, 400)
    d = inverted_signflip(np.concatenate([large, small]))
    steps = np.array(list(product([-1, 1], repeat=10))) @ large
    blur = np.sqrt((small * small).sum())
    for point in (-4.0, 0.0, 2.5):
        expected = stats.norm.cdf((point - steps) / blur).mean()
        assert d.at_most(point) == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("n", [3, 20, 90])
def test_bound_of_the_flipped_characteristic_function(n):
    x = np.sort(np.abs(np.random.default_rng(n).normal(0.5, 1, n)))
    decay = decay_of(x, np.ones(n), size=1 << 12)
    edges, log_bounds = inversion._flipped_bounds(decay, x, np.ones(n))
    for within in (0.0, 0.3, 0.7, 1.0):
        turn = edges[:-1] * (1 - within) + edges[1:] * within
        log_modulus = np.log(np.abs(np.cos(np.multiply.outer(turn, x)))).sum(axis=1)
        assert np.all(log_modulus <= log_bounds + 1e-9)


@pytest.mark.parametrize(("kind", "n"), [("mean", 12), ("flip", 36)])
def test_what_is_left_out_of_the_series_is_within_the_floor(kind, n, monkeypatch):
    monkeypatch.setattr(inversion, "MAX_ERROR", 2.0)
    monkeypatch.setattr(inversion, "MAX_FLOOR", 2.0)
    monkeypatch.setattr(inversion, "EFFORTS", (1,))
    x = np.random.default_rng(1).normal(0.3, 1, n)
    d = inverted_mean(x) if kind == "mean" else inverted_signflip(x)
    k = np.arange(d.phi.size + 1, d.order + 1)
    turn = 2 * np.pi / (d.high - d.low) * k
    if kind == "mean":
        centred = (x - x.mean()) / x.size
        modulus = np.abs(np.exp(1j * np.multiply.outer(turn, centred)).mean(axis=1)) ** x.size
    else:
        modulus = np.abs(np.prod(np.cos(np.multiply.outer(turn, x)), axis=1))
    left_out = 2 * (modulus / (np.pi * k)).sum() + 2 * modulus.sum() / (d.order + 1)
    assert 1e-9 < left_out <= d.floor
