"""Wilcoxon's signed-rank test (Wilcoxon 1945; Pratt 1959 for zeros)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.significance.significance import Alternative, Significance, by_side, one_of, stated

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

EXACT_UP_TO = 200
"""Non-zero differences up to which `mode="auto"` computes the exact distribution."""

ABOUT = "it tests symmetry about 0, not the mean"


def wilcoxon(
    differences: ArrayLike,
    multiplicities: ArrayLike | None = None,
    *,
    zero_method: str = "wilcox",
    mode: str = "auto",
    alternative: Alternative = "two-sided",
) -> Significance:
    """Test whether per-item differences are symmetric about zero.

    Parameters
    ----------
    differences : array_like, shape (row,)
        candidate - baseline.
    multiplicities : array_like of int, shape (row,), optional
        Items that have each difference; one by default.
    zero_method : {"wilcox", "pratt"}
        Leave zeros out before ranking, or after it.
    mode : {"auto", "exact", "approx"}
        Exact by dynamic programming over doubled mid-ranks, with ties; normal with tie
        correction; "auto" is exact up to 200 non-zero differences.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.

    Returns
    -------
    Significance
        The statistic is the sum of the ranks of the positive differences.
    """
    one_of("treatment of zeros", zero_method, ("wilcox", "pratt"))
    one_of("mode", mode, ("auto", "exact", "approx"))
    d = np.asarray(differences, dtype=np.float64)
    given = np.ones(d.size, np.int64) if multiplicities is None else np.asarray(multiplicities)
    signs, ranks, units = _signed_ranks(d, given, zero_method)
    n = int(units.sum())
    w_plus, w_minus = (float((ranks * units)[side].sum()) for side in (signs > 0, signs < 0))
    exact = mode == "exact" or (mode == "auto" and n <= EXACT_UP_TO)
    if n == 0:
        less = greater = 1.0
    elif exact:
        less, greater = _exact_tails(np.repeat(ranks, units), w_plus)
    else:
        z = (w_plus - w_minus) / math.sqrt(float((ranks * ranks * units).sum()))
        less, greater = float(special.ndtr(z)), float(special.ndtr(-z))
    p_value, bound = stated(by_side(less, greater, alternative))
    return Significance(
        name="wilcoxon",
        variant=f"{zero_method}_{'exact' if exact else 'approx'}",
        statistic=w_plus,
        p_value=p_value,
        alternative=alternative,
        exact=exact,
        p_value_bound=bound,
        detail={"n": n, "w_plus": w_plus, "w_minus": w_minus},
        note=ABOUT,
    )


def _signed_ranks(
    differences: Floats, units: Ints, zero_method: str
) -> tuple[Floats, Floats, Ints]:
    """Signs, mid-ranks and units of non-zero differences; sizes equal to 12 digits are ties."""
    sizes = np.abs(differences)
    largest = float(sizes.max(initial=0.0))
    signs = np.where(sizes > 1e-12 * largest, np.sign(differences), 0.0)
    if zero_method == "wilcox":
        sizes, units, signs = (part[signs != 0] for part in (sizes, units, signs))
    tied = np.round(sizes / largest, 12) if largest > 0.0 else sizes
    distinct, inverse = np.unique(tied, return_inverse=True)
    counts = np.zeros(distinct.size, dtype=np.int64)
    np.add.at(counts, inverse, units)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    return signs[signs != 0], ranks[signs != 0], units[signs != 0]


def _exact_tails(ranks: Floats, w_plus: float) -> tuple[float, float]:
    """P(W <= w_plus) and P(W >= w_plus), each doubled rank added by a fair coin."""
    doubled = np.rint(2.0 * ranks).astype(np.int64)
    pmf = np.zeros(int(doubled.sum()) + 1)
    pmf[0] = 1.0
    reach = 0
    for step in doubled:
        reach += int(step)
        moved = pmf[: reach + 1 - step].copy()
        pmf[: reach + 1] *= 0.5
        pmf[step : reach + 1] += 0.5 * moved
    at = round(2.0 * w_plus)
    return float(pmf[: at + 1].sum()), float(pmf[at:].sum())
