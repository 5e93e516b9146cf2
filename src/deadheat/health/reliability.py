"""How far items agree on the order of systems: alpha, split halves, rankings of halves.

Reliability is a property of items *and* the systems that they were given to: the same items order
systems of very different ability reliably and equals not at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TIE = 1e-12
"""Totals nearer to each other than this share of the largest are equal."""

BLOCK = 32
"""Halves that are totalled at once."""


def cronbach_alpha(scores: Floats, sizes: NDArray[np.int64] | None = None) -> float:
    """Return Cronbach's alpha of items over systems; KR-20 where scores are 0/1.

    ``k / (k - 1) * (1 - sum of the variances of the items / variance of the totals)``, all
    variances with one degree of freedom off (any other divisor gives the same, used throughout).
    Parts of several lengths, such as clusters of items, take ``1 / (1 - sum of (n_j / n)^2)`` in
    the place of ``k / (k - 1)`` (Raju 1977), without which one large part would lower the value
    however well the parts agree.

    Parameters
    ----------
    scores : ndarray, shape (item, system)
        Scores of items, or totals of parts.
    sizes : ndarray of int, shape (item,), optional
        Items in each part; 1 each by default.

    Returns
    -------
    float
        Below 0 where items contradict each other; at most 1 for items, and for parts if they
        agree as their lengths say. NaN where there is one item or one system, or all totals are
        equal.

    References
    ----------
    Kuder, G. F. & Richardson, M. W. (1937). The theory of the estimation of test reliability.
    Psychometrika 2, 151-160, formula 20.
    Cronbach, L. J. (1951). Coefficient alpha and the internal structure of tests. Psychometrika
    16, 297-334.
    Raju, N. S. (1977). A generalization of coefficient alpha. Psychometrika 42, 549-565.

    Examples
    --------
    >>> round(cronbach_alpha(np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0.0]])), 4)
    0.8571
    """
    n_items, n_systems = scores.shape
    if n_items < 2 or n_systems < 2:
        return math.nan
    products, totals = centred_products(scores)
    stepped = lengthening(n_items, sizes)
    return float(alpha_of(np.trace(products), totals @ totals, stepped))


def lengthening(n_items: int, sizes: NDArray[np.int64] | None) -> float:
    """Return the factor of alpha that parts of these sizes have, ``k / (k - 1)`` for items.

    Parameters
    ----------
    n_items : int
        Number of items.
    sizes : ndarray of int, shape (part,), or None
        Items of each part; None where every item is one.

    Examples
    --------
    >>> lengthening(4, None) == lengthening(4, np.array([3, 3, 3, 3])) == 4 / 3
    True
    """
    if sizes is None:
        return n_items / (n_items - 1.0)
    shares = sizes / sizes.sum()
    return 1.0 / (1.0 - float(shares @ shares))


def centred_products(scores: Floats) -> tuple[Floats, Floats]:
    """Return the products of systems over items, and the totals, of scores centred by item.

    Shapes (system, system) and (system,). All that alpha needs of any resample of the systems
    follows from them.

    Parameters
    ----------
    scores : ndarray of float, shape (item, system)
        All finite.
    """
    n_systems = scores.shape[1]
    products = np.zeros((n_systems, n_systems))
    totals = np.zeros(n_systems)
    for start in range(0, len(scores), 8192):
        block = scores[start : start + 8192]
        means = block.mean(axis=1, keepdims=True)
        part = block - means
        # What equal scores leave of their own mean is rounding.
        part[np.abs(part) <= 1e-14 * np.abs(means)] = 0.0
        products += part.T @ part
        totals += part.sum(axis=0)
    return products, totals


def alpha_of(of_items: Floats | float, of_totals: Floats | float, factor: float) -> Floats:
    """Return alpha from sums of squared deviations; NaN where the totals do not vary.

    Parameters
    ----------
    of_items : float or ndarray
        Sums of squared deviations of the items.
    of_totals : float or ndarray
        The same of the totals of the systems.
    factor : float
        As `lengthening` gives it.
    """
    items, totals = np.asarray(of_items, dtype=float), np.asarray(of_totals, dtype=float)
    share = np.full(items.shape, np.nan)
    np.divide(items, totals, out=share, where=totals > 1e-13 * items)
    return np.asarray(factor * (1.0 - share))


def spearman_brown(correlation: float) -> float:
    """Return the reliability of the whole from the correlation of its halves, ``2r / (1 + r)``.

    Parameters
    ----------
    correlation : float
        From -1 to 1, or NaN.

    References
    ----------
    Spearman, C. (1910) and Brown, W. (1910). British Journal of Psychology 3, 271-295 and 296-322.

    Examples
    --------
    >>> round(spearman_brown(0.6), 3)
    0.75
    """
    return 2.0 * correlation / (1.0 + correlation) if correlation > -1.0 else math.nan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Halves:
    """What pairs of halves say of the systems.

    Attributes
    ----------
    first, second : ndarray, shape (split, system)
        Mean score of each system on the two halves.
    correlations : ndarray, shape (split,)
        Pearson's correlation of the two over the systems; NaN where one does not vary.
    taus : ndarray, shape (split,)
        Kendall's tau-b of the two orders; NaN where one has only ties.
    concordance : ndarray, shape (system, system)
        In how many splits both halves put two systems in one order, less those in which they do
        not.
    untied : ndarray, shape (system, system)
        In how many splits two systems are not tied, averaged over the two halves.
    """

    first: Floats
    second: Floats
    correlations: Floats
    taus: Floats
    concordance: Floats
    untied: Floats


def halves_compared(scores: Floats, halves: Iterable[NDArray[np.bool_]]) -> Halves:
    """Compare the systems on pairs of halves of the items.

    Parameters
    ----------
    scores : ndarray, shape (item, system)
    halves : iterable of ndarray of bool, shape (item,)
        The first half of each split; the second is the rest. Neither may be empty.

    Examples
    --------
    >>> scores = np.array([[1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 0, 0], [1, 1, 1, 0.0]])
    >>> found = halves_compared(scores, [np.array([True, True, False, False])])
    >>> found.correlations.round(3).tolist(), found.taus.round(3).tolist()
    ([0.853], [0.8])
    """
    first, second = _means_of_halves(scores, halves)
    n_systems = scores.shape[1]
    concordance, untied = np.zeros((2, n_systems, n_systems))
    taus = np.empty(len(first))
    for split, (one, other) in enumerate(zip(first, second, strict=True)):
        a, b = signs(one), signs(other)
        taus[split] = _tau(a, b)
        concordance += a * b
        untied += 0.5 * (np.abs(a) + np.abs(b))
    return Halves(
        first=first,
        second=second,
        correlations=_correlations(first, second),
        taus=taus,
        concordance=concordance,
        untied=untied,
    )


def _means_of_halves(scores: Floats, halves: Iterable[NDArray[np.bool_]]) -> tuple[Floats, Floats]:
    whole = scores.sum(axis=0, dtype=np.float64)
    first: list[Floats] = []
    second: list[Floats] = []
    waiting: list[NDArray[np.bool_]] = []

    def total() -> None:
        taken = np.stack(waiting)
        sums = taken.astype(np.float64) @ scores
        sizes = taken.sum(axis=1)[:, None]
        first.append(sums / sizes)
        second.append((whole - sums) / (len(scores) - sizes))
        waiting.clear()

    for half in halves:
        waiting.append(half)
        if len(waiting) == BLOCK:
            total()
    if waiting:
        total()
    if not first:
        return np.empty((0, scores.shape[1])), np.empty((0, scores.shape[1]))
    return np.concatenate(first), np.concatenate(second)


def _correlations(first: Floats, second: Floats) -> Floats:
    """Return Pearson's correlation of the rows of two tables, shape (row,)."""
    a, b = (side - side.mean(axis=1, keepdims=True) for side in (first, second))
    squares = [(side * side).sum(axis=1) for side in (a, b)]
    scales = [(side * side).sum(axis=1) for side in (first, second)]
    # Equal totals differ by rounding alone.
    defined = (squares[0] > 1e-24 * scales[0]) & (squares[1] > 1e-24 * scales[1])
    found = np.full(len(a), np.nan)
    np.divide((a * b).sum(axis=1), np.sqrt(squares[0] * squares[1]), out=found, where=defined)
    return np.asarray(np.clip(found, -1.0, 1.0))


def signs(values: Floats) -> NDArray[np.int8]:
    """Return which of two values is greater, shape (value, value): 1, 0 where equal, or -1.

    Parameters
    ----------
    values : ndarray of float, shape (value,)
        No NaN.
    """
    gaps = values[:, None] - values
    gaps[np.abs(gaps) <= TIE * np.abs(values).max(initial=0.0)] = 0.0
    return np.sign(gaps).astype(np.int8)


def kendall_tau(first: Floats, second: Floats) -> float:
    """Return Kendall's tau-b of two sets of values, shape (system,); NaN where one is all ties.

    Parameters
    ----------
    first : ndarray of float, shape (system,)
        Values by one set of items.
    second : ndarray of float, shape (system,)
        Values by another set.

    References
    ----------
    Kendall, M. G. (1945). The treatment of ties in ranking problems. Biometrika 33, 239-251.

    Examples
    --------
    >>> round(kendall_tau(np.array([1.0, 2, 3, 4]), np.array([1.0, 3, 2, 4])), 4)
    0.6667
    """
    return _tau(signs(first), signs(second))


def _tau(a: NDArray[np.int8], b: NDArray[np.int8]) -> float:
    apart = math.sqrt(float(np.count_nonzero(a)) * float(np.count_nonzero(b)))
    return float(np.sum(a * b, dtype=np.int64)) / apart if apart else math.nan
