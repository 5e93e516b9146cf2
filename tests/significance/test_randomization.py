"""Sign-flip and swap tests on null distributions enumerated here."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from deadheat.distributions import Lattice, Replicates
from deadheat.significance.mcnemar import mcnemar
from deadheat.significance.sign_flip import sign_flip
from deadheat.significance.swap import swap
from vectors import close, vectors


class Enumerated(Replicates):
    """All equally likely values: an exact distribution, though kept as a sorted list."""

    __slots__ = ()

    @property
    def n_resamples(self) -> None:  # type: ignore[override]
        return None


def enumerated(values: np.ndarray, observed: float) -> Enumerated:
    return Enumerated(values=np.sort(values), tolerance=1e-12 * max(1.0, abs(observed)))


def flips(differences: list[float]) -> tuple[Enumerated, float]:
    d = np.array(differences, dtype=float)
    d = d[d != 0]
    signs = np.array(list(product((-1.0, 1.0), repeat=d.size)))
    return enumerated(signs @ d, float(d.sum())), float(d.sum())


@pytest.mark.parametrize(
    "vector",
    [
        v
        for v in vectors("pvalues.randomization", "sign_flip_exact")
        if len(v["input"]["diffs"]) < 20
    ],
    ids=lambda v: v["name"],
)
def test_vector(vector: dict[str, Any]) -> None:
    null, observed = flips(vector["input"]["diffs"])
    found = sign_flip(null, observed, n=len(vector["input"]["diffs"]))
    assert close(vector, "p_value", found.p_value)
    assert found.exact
    assert found.detail == {"n": len(vector["input"]["diffs"])}


def test_binary_sign_flip_is_exact_mcnemar() -> None:
    (vector,) = [v for v in vectors("pvalues.randomization") if "mcnemar" in v["name"]]
    d = np.array(vector["input"]["diffs"])
    size = int(np.count_nonzero(d))
    null = Lattice(
        pmf=np.repeat(stats.binom.pmf(np.arange(size + 1), size, 0.5), 2)[:-1]
        * np.tile([1.0, 0.0], size + 1)[:-1],
        start=-size,
        denominator=1,
    )
    found = sign_flip(null, float(d.sum()))
    assert close(vector, "p_value", found.p_value)
    same = mcnemar(int((d < 0).sum()), int((d > 0).sum()))
    assert found.p_value == pytest.approx(same.p_value)


def test_ties_in_the_last_bit_count() -> None:
    """CASES 31: 0.375 with tolerance, 0.25 without."""
    null, observed = flips([0.1, 0.2, -0.3, 0.4, 0.3])
    assert sign_flip(null, observed).p_value == pytest.approx(0.375)


def test_swap_vector() -> None:
    (vector,) = vectors("pvalues.randomization", "swap_test_exact")
    a, b = (np.array(vector["input"][side], dtype=float) for side in ("stats_a", "stats_b"))

    def f1(totals: np.ndarray) -> np.ndarray:
        return 2 * totals[..., 0] / (2 * totals[..., 0] + totals[..., 1] + totals[..., 2])

    masks = np.array(list(product((0.0, 1.0), repeat=len(a))))
    values = f1(masks @ a + (1 - masks) @ b) - f1((1 - masks) @ a + masks @ b)
    observed = float(f1(b.sum(axis=0)) - f1(a.sum(axis=0)))
    assert close(vector, "observed", observed)
    found = swap(enumerated(values, observed), observed)
    assert close(vector, "p_value", found.p_value)
    assert found.name == "swap"


def test_drawn_p_counts_the_identity() -> None:
    """CASES 30: 99 draws, none as extreme: 0.01; (1 + hits) / (1 + R)."""
    draws = np.linspace(-1.0, 1.0, 99)
    found = sign_flip(Replicates.of(draws), 5.0)
    assert found.p_value == found.p_value_bound == pytest.approx(0.01)
    assert found.n_resamples == 99
    some = sign_flip(Replicates.of(draws), 0.9)
    hits = int(np.count_nonzero(np.abs(draws) >= 0.9 - 1e-12))
    assert some.p_value == pytest.approx((1 + hits) / 100)
    assert some.p_value_bound is None
    assert some.monte_carlo_error == pytest.approx(np.sqrt(some.p_value * (1 - some.p_value) / 99))


def test_one_sided_looks_towards_the_candidate() -> None:
    """CASES 32: swapping flips the sign and keeps p."""
    null, observed = flips([3.0, 2.0, -1.0, 4.0])
    greater = sign_flip(null, observed, alternative="greater").p_value
    less = sign_flip(null, observed, alternative="less").p_value
    assert greater == pytest.approx(2 / 16)
    assert less == pytest.approx(15 / 16)
    back = sign_flip(null, -observed, alternative="less").p_value
    assert back == greater


@pytest.mark.parametrize("test", [sign_flip, swap])
def test_no_difference_is_one(test: Any) -> None:
    """CASES 25: identical systems."""
    assert test(Replicates.of(np.zeros(99)), 0.0).p_value == 1.0
    assert test(Lattice(pmf=np.ones(1), start=0, denominator=1), 0.0).p_value == 1.0
