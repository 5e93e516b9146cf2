"""DeLong's test of two areas under ROC curves on the same items (DeLong et al. 1988)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.distributions import negligible
from deadheat.errors import InferenceError
from deadheat.significance.significance import Alternative, Significance, by_side, stated

Floats = NDArray[np.float64]


def delong(
    truths: ArrayLike,
    baseline: ArrayLike,
    candidate: ArrayLike,
    multiplicities: ArrayLike | None = None,
    *,
    alternative: Alternative = "two-sided",
) -> Significance:
    """Test whether two areas under ROC curves are equal, by the normal distribution.

    Parameters
    ----------
    truths : array_like of bool, shape (type,)
        Whether items of a type are positive.
    baseline, candidate : array_like, shape (type,) each
        Outputs of the two systems; only their order matters.
    multiplicities : array_like of int, shape (type,), optional
        How many items are of each type; 1 by default.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.

    Returns
    -------
    Significance
        The statistic is z; `detail` has both areas and the standard error of the difference. NaN
        with fewer than two positives or two negatives. Items count as independent.

    Raises
    ------
    InferenceError
        If the shapes do not agree or a number is not finite.

    Examples
    --------
    >>> truths = [0, 0, 0, 0, 1, 1, 1, 1]
    >>> found = delong(truths, [1, 2, 5, 6, 3, 4, 7, 8], [1, 2, 3, 5, 4, 6, 7, 8])
    >>> found.detail["auroc_baseline"], found.detail["auroc_candidate"], round(found.p_value, 3)
    (0.75, 0.9375, 0.268)
    """
    positive, outputs, counts = _checked(truths, (baseline, candidate), multiplicities)
    n_positive, n_negative = int(counts[positive].sum()), int(counts[~positive].sum())
    sizes: dict[str, float | int] = {"n_positive": n_positive, "n_negative": n_negative}
    if min(n_positive, n_negative) < 2:
        return _without(math.nan, alternative, sizes, "it takes two positives and two negatives")
    areas, covariance = auroc_covariance(positive, outputs, counts)
    gain = float(areas[1] - areas[0])
    variance = float(covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1])
    detail = sizes | {"auroc_baseline": float(areas[0]), "auroc_candidate": float(areas[1])}
    if negligible(math.sqrt(max(variance, 0.0)), 1.0):
        if negligible(abs(gain), 0.0):
            return _without(1.0, alternative, detail, "the systems put the items in one order")
        return _without(math.nan, alternative, detail, "the difference has no standard error")
    error = math.sqrt(variance)
    z = gain / error
    p_value, bound = stated(by_side(float(special.ndtr(z)), float(special.ndtr(-z)), alternative))
    return Significance(
        name="delong",
        variant="paired",
        statistic=z,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        detail=detail | {"standard_error": error},
    )


def auroc_covariance(
    positive: NDArray[np.bool_], outputs: Floats, counts: Floats
) -> tuple[Floats, Floats]:
    """Return areas under ROC curves and their estimated covariance.

    A positive item's component is the share of negatives below it, a negative item's the share of
    positives above it, ties counted half: their means are both the area, and the covariance of
    the areas is that of the components over positives, by their number, plus that over negatives.

    Parameters
    ----------
    positive : ndarray of bool, shape (type,)
    outputs : ndarray, shape (system, type)
    counts : ndarray, shape (type,)
        How many items are of each type, at least two in all on either side.

    Returns
    -------
    areas : ndarray, shape (system,)
    covariance : ndarray, shape (system, system)
    """
    m, n = counts[positive], counts[~positive]
    of_positive = np.stack([_below(x[positive], x[~positive], n) for x in outputs])
    of_negative = 1.0 - np.stack([_below(x[~positive], x[positive], m) for x in outputs])
    areas = of_positive @ m / m.sum()
    covariance = _covariance(of_positive - areas[:, None], m)
    covariance += _covariance(of_negative - areas[:, None], n)
    return areas, covariance


def _covariance(deviations: Floats, counts: Floats) -> Floats:
    """Covariance of a mean of `counts` copies of the columns."""
    total = counts.sum()
    return np.asarray((deviations * counts) @ deviations.T / ((total - 1.0) * total))


def _below(values: Floats, others: Floats, counts: Floats) -> Floats:
    """Return the share of weighted others below each value, and half that of its equals."""
    order = np.argsort(others, kind="stable")
    sums = np.concatenate([[0.0], np.cumsum(counts[order])])
    lower = sums[np.searchsorted(others[order], values, side="left")]
    upper = sums[np.searchsorted(others[order], values, side="right")]
    share: Floats = 0.5 * (lower + upper) / sums[-1]
    return share


def _checked(
    truths: ArrayLike, sides: tuple[ArrayLike, ArrayLike], multiplicities: ArrayLike | None
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    positive = np.asarray(truths).astype(np.bool_)
    counts = (
        np.ones(positive.shape) if multiplicities is None else np.asarray(multiplicities, float)
    )
    given = [np.asarray(side, dtype=np.float64) for side in sides]
    shapes = [positive.shape, *(side.shape for side in given), counts.shape]
    if positive.ndim != 1 or len(set(shapes)) > 1:
        raise InferenceError(
            f"truths, outputs and multiplicities have shapes {', '.join(map(str, shapes))}.",
            fix="Give one of each for every type of items.",
        )
    if not all(np.isfinite(column).all() for column in (*given, counts)):
        raise InferenceError("an output is not finite.", fix="Decide first what it counts.")
    return positive, np.stack(given), counts


def _without(
    p_value: float, alternative: Alternative, detail: dict[str, float | int], note: str
) -> Significance:
    return Significance(
        name="delong",
        variant="paired",
        statistic=0.0 if p_value == 1.0 else math.nan,
        p_value=p_value,
        alternative=alternative,
        detail=detail,
        note=note,
    )
