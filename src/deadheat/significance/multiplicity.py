"""P-values adjusted for the number of comparisons."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import UsageError
from deadheat.significance.significance import one_of

Floats = NDArray[np.float64]

METHODS = ("bonferroni", "holm", "hochberg", "sidak", "holm_sidak", "bh", "by")


def adjust(p_values: ArrayLike, method: str = "holm") -> Floats:
    """Adjust p-values; a comparison is rejected at alpha when its adjusted value is <= alpha.

    Parameters
    ----------
    p_values : array_like, shape (comparison,)
        NaN where undefined: it stays NaN and does not count in the family.
    method : {"bonferroni", "holm", "hochberg", "sidak", "holm_sidak", "bh", "by"}
        The first five hold the chance of any false rejection; Benjamini & Hochberg (1995) and
        Benjamini & Yekutieli (2001) hold the expected share of false ones.

    Returns
    -------
    ndarray, shape (comparison,)
        In the order given.

    Raises
    ------
    UsageError
        If a p-value is not between 0 and 1, or there is no such method.

    Examples
    --------
    >>> adjust([0.01, 0.04, 0.03, 0.005]).tolist()
    [0.03, 0.06, 0.06, 0.02]
    """
    one_of("method of adjustment", method, METHODS)
    p = np.asarray(p_values, dtype=np.float64)
    wrong = np.flatnonzero((p < 0.0) | (p > 1.0))
    if wrong.size:
        raise UsageError(
            f"p-value {wrong[0] + 1} is {float(p[wrong[0]])!r}.",
            fix="P-values lie between 0 and 1; leave an undefined one empty or NaN.",
        )
    defined = ~np.isnan(p)
    adjusted = np.full(p.shape, np.nan)
    order = np.argsort(p[defined], kind="stable")
    inner = np.empty(order.size)
    inner[order] = np.minimum(_ascending(p[defined][order], method), 1.0)
    adjusted[defined] = inner
    return adjusted


def _ascending(p: Floats, method: str) -> Floats:
    """Adjust p-values in ascending order."""
    size = p.size
    left = size - np.arange(size)
    rank = np.arange(1, size + 1)
    match method:
        case "bonferroni":
            return p * size
        case "sidak":
            return _any_of(p, np.full(size, size))
        case "holm":
            return np.maximum.accumulate(p * left)
        case "holm_sidak":
            return np.maximum.accumulate(_any_of(p, left))
        case "hochberg":
            return _step_up(p * left)
        case "bh":
            return _step_up(p * size / rank)
        case _:
            return _step_up(p * size / rank * float(np.sum(1.0 / rank)))


def _any_of(p: Floats, size: NDArray[np.int64]) -> Floats:
    """Return 1 - (1 - p)^size with relative accuracy at small p."""
    with np.errstate(divide="ignore"):
        chance: Floats = -np.expm1(size * np.log1p(-p))
    return chance


def _step_up(values: Floats) -> Floats:
    """Return the running minimum from the largest value down."""
    lowest: Floats = np.minimum.accumulate(values[::-1])[::-1]
    return lowest
