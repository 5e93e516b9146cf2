"""Distributions for the tests of interval methods, made without the code under test."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np
from hypothesis import strategies as st

from deadheat.distributions import Distribution, Lattice, Replicates
from deadheat.intervals import basic, bca, bca_t, expanded, normal, percentile

METHODS: dict[str, ModuleType] = {
    "percentile": percentile,
    "basic": basic,
    "normal": normal,
    "expanded": expanded,
    "bca": bca,
    "bca_t": bca_t,
}


def paired(losses: int, wins: int, n: int) -> Lattice:
    """Exact bootstrap distribution of (wins - losses) / n by n-fold convolution."""
    step = np.array([losses, n - losses - wins, wins]) / n
    pmf = np.ones(1)
    for _ in range(n):
        pmf = np.convolve(pmf, step)
    return Lattice(pmf=pmf, start=-n, denominator=n)


def acceleration_of(losses: int, wins: int, n: int) -> float:
    """Acceleration of a mean: skewness / (6 sqrt(n))."""
    d = np.repeat([-1.0, 0.0, 1.0], [losses, n - losses - wins, wins])
    centred = d - d.mean()
    return float((centred**3).sum() / (6.0 * (centred**2).sum() ** 1.5))


@st.composite
def exact_cases(draw: st.DrawFn) -> dict[str, Any]:
    """Keyword arguments for `from_distribution` over exact distributions that vary."""
    n = draw(st.integers(8, 40))
    wins = draw(st.integers(0, n - 1))
    losses = draw(st.integers(1 if wins == 0 else 0, n - wins - (wins == 0)))
    return {
        "distribution": paired(losses, wins, n),
        "estimate": (wins - losses) / n,
        "n_units": n,
        "acceleration": acceleration_of(losses, wins, n),
    }


@st.composite
def drawn_cases(draw: st.DrawFn) -> dict[str, Any]:
    """Keyword arguments for `from_distribution` over drawn values, with and without ties."""
    seed = draw(st.integers(0, 10_000))
    rng = np.random.default_rng(seed)
    size = draw(st.sampled_from([199, 399, 999]))
    decimals = draw(st.sampled_from([1, 2, 12]))
    shift = draw(st.floats(-4.0, 4.0))
    values = np.round(0.1 * (rng.gamma(9.0, 1.0 / 3.0, size) - 3.0 + shift), decimals)
    return {
        "distribution": Replicates.of(values, estimate=0.1 * shift),
        "estimate": round(0.1 * shift, decimals),
        "n_units": draw(st.integers(20, 200)),
        "acceleration": draw(st.floats(-0.08, 0.08)),
    }


def mirrored(case: dict[str, Any]) -> dict[str, Any]:
    """The same case with the two systems swapped."""
    found: Distribution = case["distribution"]
    other: Distribution
    if isinstance(found, Lattice):
        end = found.start + found.pmf.size - 1
        other = Lattice(pmf=found.pmf[::-1], start=-end, denominator=found.denominator)
    else:
        assert isinstance(found, Replicates)
        other = Replicates(values=-found.values[::-1], tolerance=found.tolerance)
    return case | {
        "distribution": other,
        "estimate": -case["estimate"],
        "acceleration": -case["acceleration"],
    }
