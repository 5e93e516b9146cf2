"""Student's t test of a mean difference on the same items (Student 1908)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from deadheat.distributions import negligible
from deadheat.significance.significance import Alternative, Significance, by_side, stated


def paired_t(
    differences: ArrayLike,
    multiplicities: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
) -> Significance:
    """Test whether the mean of per-item differences is zero.

    Parameters
    ----------
    differences : array_like, shape (row,)
        candidate - baseline.
    multiplicities : array_like of int, shape (row,), optional
        Items that have each difference; one by default.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    """
    d = np.asarray(differences, dtype=np.float64)
    units = np.ones(d.size) if multiplicities is None else np.asarray(multiplicities, np.float64)
    n = int(units.sum())
    if n < 2:
        return _without(n, math.nan, alternative, "a t test takes two items")
    mean = float((d * units).sum()) / n
    sd = math.sqrt(float(((d - mean) ** 2 * units).sum()) / (n - 1))
    if negligible(sd, mean):
        if negligible(abs(mean), 0.0):
            return _without(n, 1.0, alternative, "the systems do not differ on any item")
        return _without(
            n,
            math.nan,
            alternative,
            "all differences are identical, so there is no standard error; the exact sign-flip "
            f"p-value is {2.0 ** (1 - n):.3g}",
        )
    t = mean / (sd / math.sqrt(n))
    df = n - 1
    p_value, bound = stated(
        by_side(float(special.stdtr(df, t)), float(special.stdtr(df, -t)), alternative)
    )
    return Significance(
        name="t",
        variant="paired",
        statistic=t,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        detail={"n": n, "df": df},
    )


def _without(n: int, p_value: float, alternative: Alternative, note: str) -> Significance:
    return Significance(
        name="t",
        variant="paired",
        statistic=0.0 if p_value == 1.0 else math.nan,
        p_value=p_value,
        alternative=alternative,
        detail={"n": n},
        note=note,
    )
