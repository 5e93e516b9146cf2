"""Many differences at once: the largest of their statistics as the yardstick of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from deadheat.errors import UsageError, known
from deadheat.ranking.draws import (
    Draws,
    Floats,
    Integers,
    allowed,
    critical,
    running_maxima,
)
from deadheat.ranking.pairs import Flags, checked_pairs, symmetric

Alternative = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MaxT:
    """A family of differences with intervals and p-values that hold for all of it together.

    Attributes
    ----------
    pairs : ndarray of int, shape (pair, 2)
        Every difference is estimate[second] - estimate[first].
    differences, standard_errors : ndarray, shape (pair,)
    statistics : ndarray, shape (pair,)
        Difference over standard error, `Draws.expanded`: its size when two-sided, with the sign
        turned so that large speaks against the null otherwise. NaN where nothing varies.
    low, high : ndarray, shape (pair,)
        Simultaneous intervals, difference -+ critical value times standard error; the
        difference itself where nothing varies.
    p_values : ndarray, shape (pair,)
        Of each pair alone.
    single_step : ndarray, shape (pair,)
        Adjusted; at most 1 - confidence level exactly where the interval excludes 0.
    step_down : ndarray, shape (pair,)
        Adjusted (Westfall & Young 1993, algorithm 4.1; Romano & Wolf 2005); never above
        `single_step`.
    rejected : ndarray of bool, shape (pair,)
        By `step_down`.
    in_family : ndarray of bool, shape (pair,)
        False where the difference does not vary over the resamples. Such a pair does not count:
        its p-values are 1 where the systems are equal, and NaN where one is ahead by the same
        amount everywhere (a test of signs then has p = 2^(1 - n), which n decides).
    critical_value, critical_value_error : float
        And the half-width within which it would move if it were drawn again (95%); NaN in an
        empty family.
    """

    pairs: Integers
    differences: Floats
    standard_errors: Floats
    statistics: Floats
    low: Floats
    high: Floats
    p_values: Floats
    single_step: Floats
    step_down: Floats
    rejected: Flags
    in_family: Flags
    critical_value: float
    critical_value_error: float
    confidence_level: float
    alternative: Alternative
    n_resamples: int
    n_systems: int

    @property
    def separated(self) -> Flags:
        """Whether each simultaneous interval excludes 0, shape (pair,)."""
        return (self.low > 0.0) | (self.high < 0.0)

    def table(self, flags: ArrayLike) -> Flags:
        """Spread one flag a pair over a symmetric table, shape (system, system)."""
        return symmetric(self.pairs, flags, self.n_systems)


def max_t(
    draws: Draws,
    pairs: ArrayLike,
    *,
    confidence_level: float = 0.95,
    alternative: Alternative = "two-sided",
) -> MaxT:
    """Compare pairs of systems, holding the chance of any false claim at 1 - confidence level.

    Parameters
    ----------
    draws : Draws
    pairs : array_like of int, shape (pair, 2)
        The family, such as `all_pairs(m)` or `against(baseline, m)`.
    confidence_level : float
        Of all intervals together.
    alternative : {"two-sided", "less", "greater"}
        About second - first.

    Raises
    ------
    InferenceError
        If a pair is none, or there are too few resamples for the level.
    UsageError
        If there is no such alternative.

    Notes
    -----
    t_j = |difference_j| / se_j; the null replicates are the centred ones,
    |difference*_rj - difference_j| / se_j, at fixed se_j. Time is that of pairs x R cells, memory
    that of the draws.

    Examples
    --------
    >>> from deadheat.ranking.pairs import all_pairs
    >>> rng = np.random.default_rng(0)
    >>> draws = Draws.of([0.70, 0.71, 0.80], rng.normal([0.70, 0.71, 0.80], 0.02, (9999, 3)))
    >>> found = max_t(draws, all_pairs(3))
    >>> round(found.critical_value, 2), found.rejected.tolist()
    (2.35, [False, True, True])
    """
    if alternative not in get_args(Alternative):
        names = get_args(Alternative)
        raise UsageError(f"the alternative is {alternative!r}.", fix=known(names, alternative))
    k = allowed(confidence_level, draws.n_resamples)
    listed = checked_pairs(pairs, draws.n_systems)
    first, second = listed[:, 0], listed[:, 1]
    differences = draws.estimates[second] - draws.estimates[first]
    spread = draws.standard_errors[first, second]
    family = spread > 0.0
    # "less" is "greater" of the pair turned round.
    left, right = (second, first) if alternative == "less" else (first, second)
    found = stepped(draws, left[family], right[family], two_sided=alternative == "two-sided")
    quantile, error = critical(found.maxima, confidence_level) if family.any() else (np.nan, np.nan)

    def spread_out(values: NDArray[np.float64], otherwise: Floats) -> Floats:
        filled = otherwise.copy()
        filled[family] = values
        return filled

    unvaried = draws.sizes[left].clip(min=draws.sizes[right]) * 1e-12
    without = np.where(np.abs(differences) <= unvaried, 1.0, np.nan)
    statistics = spread_out(found.statistics, np.full(differences.size, np.nan))
    reach = draws.widened(quantile) if family.any() else np.nan
    low, high = _ends(differences, spread, reach if family.any() else 0.0, alternative)
    # An end within rounding of 0 is 0, so that it excludes 0 exactly when the p-value says so.
    at_zero, rejected = (np.zeros(family.size, dtype=np.bool_) for _ in range(2))
    at_zero[family] = np.abs(found.statistics - quantile) <= found.slack
    low[at_zero & (differences > 0.0)] = 0.0
    high[at_zero & (differences < 0.0)] = 0.0
    rejected[family] = found.step_down < k
    count = draws.n_resamples + 1
    return MaxT(
        pairs=listed,
        differences=differences,
        standard_errors=spread,
        statistics=statistics,
        low=low,
        high=high,
        p_values=spread_out((1 + found.alone) / count, without),
        single_step=spread_out((1 + found.single_step) / count, without),
        step_down=spread_out((1 + found.step_down) / count, without),
        rejected=rejected,
        in_family=family,
        critical_value=reach,
        critical_value_error=draws.widened(quantile + error) - reach if family.any() else np.nan,
        confidence_level=confidence_level,
        alternative=alternative,
        n_resamples=draws.n_resamples,
        n_systems=draws.n_systems,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stepped:
    """Statistics of pairs and how many replicates reach them, shape (pair,) each.

    Attributes
    ----------
    statistics : ndarray
        As in `MaxT`.
    slack : ndarray
        How far below a statistic a replicate still reaches it.
    alone, single_step, step_down : ndarray of int
        Resamples in which the pair's own replicate, the maximum over all pairs, and the maximum
        over the pairs that are left when it is the pair's turn reach its statistic.
    maxima : ndarray, shape (resample,)
        Over all pairs.
    """

    statistics: Floats
    slack: Floats
    alone: Integers
    single_step: Integers
    step_down: Integers
    maxima: Floats


def stepped(draws: Draws, first: Integers, second: Integers, *, two_sided: bool) -> Stepped:
    """Count from the smallest statistic to the largest, so that every set of pairs occurs once."""
    statistics = (draws.estimates[second] - draws.estimates[first]) / draws.standard_errors[
        first, second
    ]
    statistics = draws.expanded(np.abs(statistics) if two_sided else statistics)
    slack = draws.slack(first, second, statistics)
    order = np.argsort(statistics, kind="stable")
    reached = (statistics - slack)[order].tolist()
    alone, above = (np.zeros(order.size, dtype=np.int64) for _ in range(2))
    maxima = np.full(draws.n_resamples, -np.inf)
    steps = running_maxima(draws, first[order], second[order], two_sided=two_sided)
    for at, (least, (value, highest)) in enumerate(zip(reached, steps, strict=True)):
        alone[at] = np.count_nonzero(value >= least)
        above[at] = np.count_nonzero(highest >= least)
        maxima = highest
    down = np.maximum.accumulate(above[::-1])[::-1]
    single = maxima.size - np.searchsorted(np.sort(maxima), statistics - slack, side="left")
    return Stepped(
        statistics=statistics,
        slack=slack,
        alone=_unsorted(alone, order),
        single_step=single.astype(np.int64),
        step_down=_unsorted(down, order),
        maxima=maxima,
    )


def _unsorted(values: Integers, order: Integers) -> Integers:
    placed = np.empty_like(values)
    placed[order] = values
    return placed


def _ends(
    differences: Floats, spread: Floats, quantile: float, alternative: Alternative
) -> tuple[Floats, Floats]:
    low, high = differences - quantile * spread, differences + quantile * spread
    if alternative == "greater":
        high = np.full_like(high, np.inf)
    elif alternative == "less":
        low = np.full_like(low, -np.inf)
    return low, high
