"""The permutation test of runs: any run could have been of either system (Fisher 1935)."""

from __future__ import annotations

import math
from itertools import chain, combinations

import numpy as np
from numpy.typing import ArrayLike

from deadheat.significance.significance import Alternative, Significance, by_side

MOST = 200_000
"""Ways to share out the runs that are looked at; 10 and 10 runs have 184,756."""


def run_permutation(
    baseline: ArrayLike, candidate: ArrayLike, *, alternative: Alternative = "two-sided"
) -> Significance:
    """Test whether the runs of two systems are draws from the same recipe.

    Items are taken as they are. Under the null the values of all runs are exchangeable, and the
    p-value is the share of all ways to share them out that part the two means as far; two-sided,
    the smaller tail is doubled.

    Parameters
    ----------
    baseline, candidate : array_like, shape (run,) each
        The metric of each run.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.

    Examples
    --------
    >>> found = run_permutation([0.838, 0.840, 0.842, 0.846], [0.845, 0.850, 0.853, 0.856])
    >>> round(found.p_value * 70)
    4
    """
    a, b = (np.asarray(side, dtype=np.float64) for side in (baseline, candidate))
    values = np.concatenate([a, b])
    ways = math.comb(values.size, b.size)
    detail: dict[str, float | int] = {"n_runs_baseline": a.size, "n_runs_candidate": b.size}
    if ways > MOST:
        return Significance(
            name="run_permutation",
            variant="exact",
            statistic=math.nan,
            p_value=math.nan,
            alternative=alternative,
            detail=detail,
            note=f"there are {ways:,} ways to share out the runs, more than are looked at",
        )
    chosen = np.fromiter(
        chain.from_iterable(combinations(range(values.size), b.size)), np.intp, ways * b.size
    ).reshape(ways, b.size)
    sums = values[chosen].sum(axis=1)
    observed = float(b.sum())
    slack = 1e-12 * float(np.abs(values).sum())
    less, greater = (
        float(np.mean(sums <= observed + slack)),
        float(np.mean(sums >= observed - slack)),
    )
    return Significance(
        name="run_permutation",
        variant="exact",
        statistic=float(b.mean() - a.mean()),
        p_value=by_side(less, greater, alternative),
        alternative=alternative,
        exact=True,
        detail=detail,
    )
