"""Wilcoxon's signed-rank test (Wilcoxon 1945; Pratt 1959 for zeros)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.significance.significance import Alternative, Significance, by_side, one_of, stated

Floats = NDArray[np.float64]

EXACT_UP_TO = 200
"""Non-zero differences up to which `mode="auto"` computes the exact distribution."""

ABOUT = "it tests symmetry about 0, not the mean"


def wilcoxon(
    differences: ArrayLike,
    *,
    zero_method: str = "wilcox",
    mode: str = "auto",
    alternative: Alternative = "two-sided",
) -> Significance:
    """Test whether per-item differences are symmetric about zero.

    Parameters
    ----------
    differences : array_like, shape (item,)
        candidate - baseline.
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
    signs, ranks = _signed_ranks(np.asarray(differences, dtype=np.float64), zero_method)
    w_plus, w_minus = float(ranks[signs > 0].sum()), float(ranks[signs < 0].sum())
    exact = mode == "exact" or (mode == "auto" and ranks.size <= EXACT_UP_TO)
    if ranks.size == 0:
        less = greater = 1.0
    elif exact:
        less, greater = _exact_tails(ranks, w_plus)
    else:
        z = (w_plus - w_minus) / math.sqrt(float(ranks @ ranks))
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
        detail={"n": int(ranks.size), "w_plus": w_plus, "w_minus": w_minus},
        note=ABOUT,
    )


def _signed_ranks(differences: Floats, zero_method: str) -> tuple[Floats, Floats]:
    """Signs and mid-ranks of the non-zero differences; sizes equal to 12 digits are ties."""
    sizes = np.abs(differences)
    largest = float(sizes.max(initial=0.0))
    signs = np.where(sizes > 1e-12 * largest, np.sign(differences), 0.0)
    if zero_method == "wilcox":
        sizes, signs = sizes[signs != 0], signs[signs != 0]
    tied = np.round(sizes / largest, 12) if largest > 0.0 else sizes
    _, inverse, counts = np.unique(tied, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    return signs[signs != 0], ranks[signs != 0]


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
