"""Welch's t test of two means on different items (Welch 1947)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from deadheat.distributions import negligible
from deadheat.significance.significance import Alternative, Significance, by_side, stated


def welch_t(
    baseline: ArrayLike, candidate: ArrayLike, *, alternative: Alternative = "two-sided"
) -> Significance:
    """Test whether two means are equal, without assuming equal variances.

    Parameters
    ----------
    baseline, candidate : array_like, shape (item,) each
        Scores.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    """
    a, b = (np.asarray(side, dtype=np.float64) for side in (baseline, candidate))
    sizes: dict[str, float | int] = {"n_baseline": a.size, "n_candidate": b.size}
    if min(a.size, b.size) < 2:
        return _without(math.nan, alternative, sizes, "a t test takes two items of each system")
    gain = float(b.mean() - a.mean())
    parts = [0.0 if negligible(float(x.std()), float(x.mean())) else x.var(ddof=1) for x in (a, b)]
    squares = [float(part) / x.size for part, x in zip(parts, (a, b), strict=True)]
    if sum(squares) == 0.0:
        if negligible(abs(gain), float(a.mean())):
            return _without(1.0, alternative, sizes, "all scores are the same")
        return _without(math.nan, alternative, sizes, "neither system's scores vary")
    t = gain / math.sqrt(sum(squares))
    df = sum(squares) ** 2 / sum(
        square**2 / (x.size - 1) for square, x in zip(squares, (a, b), strict=True)
    )
    p_value, bound = stated(
        by_side(float(special.stdtr(df, t)), float(special.stdtr(df, -t)), alternative)
    )
    return Significance(
        name="t",
        variant="welch",
        statistic=t,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        detail={**sizes, "df": df},
    )


def _without(
    p_value: float, alternative: Alternative, sizes: dict[str, float | int], note: str
) -> Significance:
    return Significance(
        name="t",
        variant="welch",
        statistic=0.0 if p_value == 1.0 else math.nan,
        p_value=p_value,
        alternative=alternative,
        detail=sizes,
        note=note,
    )
