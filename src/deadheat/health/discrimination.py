"""How hard each item is, and whether better systems do better on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

NOTHING = 1e-13
"""A difference below this share of what it was computed from is rounding and none."""

BLOCK = 4096
"""Items that are looked at together."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemStatistics:
    """What each item says, shape (item,).

    Attributes
    ----------
    difficulty : ndarray
        Mean score over the systems: of 0/1 scores the share that is right, so that easy items
        have large values.
    r_total : ndarray
        Correlation over the systems of the item with the total of all items; the point-biserial
        correlation where scores are 0/1.
    r_rest : ndarray
        The same with the total of all *other* items. Both are NaN where either side does not vary.
    """

    difficulty: Floats
    r_total: Floats
    r_rest: Floats


def item_statistics(scores: Floats) -> ItemStatistics:
    """Return the difficulty of each item and how it goes with the others.

    The correlation with the rest needs no total for each item: ``cov(x, T - x) = cov(x, T) -
    var(x)`` and ``var(T - x) = var(T) + var(x) - 2 cov(x, T)``.

    Parameters
    ----------
    scores : ndarray, shape (item, system)

    References
    ----------
    Henrysson, S. (1963). Correction of item-total correlations in item analysis. Psychometrika
    28, 211-218.

    Examples
    --------
    >>> found = item_statistics(np.array([[1, 1, 0], [1, 0, 0], [0, 1, 1.0]]))
    >>> found.difficulty.round(2).tolist(), found.r_rest.round(2).tolist()
    ([0.67, 0.33, 0.67], [nan, -0.5, -0.87])
    """
    totals = scores.sum(axis=0, dtype=np.float64)
    centred = totals - totals.mean()
    means, own, with_total = np.empty((3, len(scores)))
    for start in range(0, len(scores), BLOCK):
        part = slice(start, start + BLOCK)
        means[part] = scores[part].mean(axis=1)
        deviations = scores[part] - means[part, None]
        own[part] = (deviations * deviations).sum(axis=1)
        with_total[part] = deviations @ centred
    of_total = float(centred @ centred)
    rest = of_total + own - 2.0 * with_total
    varies = own > NOTHING**2 * len(totals) * means * means
    total_varies = of_total > NOTHING**2 * float(totals @ totals)
    return ItemStatistics(
        difficulty=means,
        r_total=_ratio(with_total, own * of_total, varies & total_varies),
        r_rest=_ratio(
            with_total - own,
            own * rest,
            varies & (rest > NOTHING * (of_total + own)),
        ),
    )


def _ratio(numerator: Floats, squares: Floats, defined: NDArray[np.bool_]) -> Floats:
    found = np.full(len(numerator), np.nan)
    np.divide(numerator, np.sqrt(np.maximum(squares, 0.0)), out=found, where=defined)
    return np.asarray(np.clip(found, -1.0, 1.0))
