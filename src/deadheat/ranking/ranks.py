"""Ranks, and which ranks a system may have."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from deadheat.errors import InferenceError
from deadheat.ranking.draws import Draws, Integers, allowed
from deadheat.ranking.family import Family
from deadheat.ranking.max_t import stepped
from deadheat.ranking.pairs import Flags


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankSets:
    """The ranks from best to worst that each system may have.

    Attributes
    ----------
    lowest, highest : ndarray of int, shape (system,)
        Every rank from `lowest` (1 is the best) to `highest` is possible.
    ahead : ndarray of bool, shape (system, system)
        Whether the row's system is settled ahead of the column's. In marginal sets a row is
        about its own family alone, so that a row and a column may disagree.
    simultaneous : bool
        Whether all sets hold together at the level, or each on its own.
    """

    lowest: Integers
    highest: Integers
    ahead: Flags
    confidence_level: float
    simultaneous: bool
    n_resamples: int

    def may_be_among(self, n_best: int = 1) -> Flags:
        """Whether a system may be among the n best, shape (system,) (Mogstad et al. 2024)."""
        return self.lowest <= n_best


def rank_sets(
    draws: Draws,
    *,
    confidence_level: float = 0.95,
    greater_is_better: bool = True,
    step_down: bool = True,
    simultaneous: bool = True,
    apart: ArrayLike | None = None,
    apart_ahead: ArrayLike | None = None,
) -> RankSets:
    """Confidence sets for ranks (Mogstad, Romano, Shaikh & Wilhelm 2024).

    Parameters
    ----------
    draws : Draws
    confidence_level : float
        That all sets hold the true rank, or each set if not `simultaneous`.
    greater_is_better : bool
    step_down : bool
        Whether settled pairs leave the family and the others are looked at again. Without it
        the sets follow from the two-sided simultaneous intervals of all pairs.
    simultaneous : bool
        False for marginal sets: the family of a system is the pairs that it is part of.
    apart, apart_ahead : array_like of bool, shape (system, system), optional
        Pairs that are decided by other means (few discordant items) and are no part of the
        family, and, of those, which row is settled ahead of which column. The level of those
        decisions is the caller's to account for.

    Raises
    ------
    InferenceError
        If there are too few resamples for the level, or a table has another shape.

    Notes
    -----
    All ordered pairs are tested one-sided. Two systems that differ by the same amount in every
    resample are in that order; equal ones are not separated.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> draws = Draws.of([0.70, 0.71, 0.80], rng.normal([0.70, 0.71, 0.80], 0.02, (9999, 3)))
    >>> found = rank_sets(draws)
    >>> found.lowest.tolist(), found.highest.tolist(), found.may_be_among(1).tolist()
    ([2, 2, 1], [3, 3, 1], [False, False, True])
    """
    m, k = draws.n_systems, allowed(confidence_level, draws.n_resamples)
    family = Family.of(
        draws, greater_is_better=greater_is_better, apart=apart, apart_ahead=apart_ahead
    )

    def settled(table: Flags) -> Flags:
        """Of the ordered pairs in a table, those whose row is ahead of their column."""
        row, column = (index.astype(np.int64) for index in np.nonzero(table))
        better, worse = (row, column) if greater_is_better else (column, row)
        found = stepped(draws, worse, better, two_sided=False)
        counts = found.step_down if step_down else found.single_step
        ahead = np.zeros_like(table)
        ahead[row, column] = (counts < k) & (found.statistics > 0.0)
        return ahead

    if simultaneous:
        ahead = settled(family.tested) | family.known
        behind = ahead.T
    else:
        ahead, behind = family.known.copy(), family.known.T.copy()
        for i in range(m):
            own = np.zeros_like(ahead)
            own[i], own[:, i] = family.tested[i], family.tested[:, i]
            found = settled(own)
            ahead[i] |= found[i]
            behind[i] |= found[:, i]
    return RankSets(
        lowest=1 + behind.sum(axis=1),
        highest=m - ahead.sum(axis=1),
        ahead=ahead,
        confidence_level=confidence_level,
        simultaneous=simultaneous,
        n_resamples=draws.n_resamples,
    )


def point_ranks(values: ArrayLike, *, greater_is_better: bool = True) -> Integers:
    """Rank values from 1, the best: one more than the number that are strictly better.

    Values that differ by rounding alone, 1e-12 of the larger, share a rank.

    Raises
    ------
    InferenceError
        If a value is undefined.

    Examples
    --------
    >>> point_ranks([394, 396, 396]).tolist()
    [3, 1, 1]
    >>> point_ranks([0.1288, 0.1350, 0.2654], greater_is_better=False).tolist()
    [1, 2, 3]
    """
    given = np.asarray(values, dtype=np.float64)
    if np.isnan(given).any():
        raise InferenceError(
            f"system {int(np.flatnonzero(np.isnan(given))[0]) + 1} has no value.",
            fix="Leave undefined systems out before the others are ranked.",
        )
    oriented = given if greater_is_better else -given
    ascending = np.sort(oriented)
    above = oriented + 1e-12 * np.abs(oriented)
    return 1 + given.size - np.searchsorted(ascending, above, side="right").astype(np.int64)


def best_first(values: ArrayLike, *, greater_is_better: bool = True) -> Integers:
    """Return the systems from best to worst; equal ones keep their order.

    Examples
    --------
    >>> best_first([0.2, 0.9, 0.5]).tolist()
    [1, 2, 0]
    """
    return np.argsort(point_ranks(values, greater_is_better=greater_is_better), kind="stable")


def rank_sets_of_intervals(low: ArrayLike, high: ArrayLike) -> tuple[Integers, Integers]:
    """Project simultaneous intervals for all differences onto ranks.

    Parameters
    ----------
    low, high : array_like, shape (system, system)
        Ends for row less column, greater being better; the diagonal does not matter.

    Returns
    -------
    lowest, highest : ndarray of int, shape (system,)

    Examples
    --------
    >>> low = [[0.0, 0.01], [-0.05, 0.0]]
    >>> high = [[0.0, 0.05], [-0.01, 0.0]]
    >>> [ranks.tolist() for ranks in rank_sets_of_intervals(low, high)]
    [[1, 2], [1, 2]]
    """
    below, above = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    other = ~np.eye(below.shape[0], dtype=np.bool_)
    lowest = 1 + ((above < 0.0) & other).sum(axis=1)
    highest = below.shape[0] - ((below > 0.0) & other).sum(axis=1)
    return lowest, highest


def arena_rank(low: ArrayLike, high: ArrayLike, *, greater_is_better: bool = True) -> Integers:
    """Rank by separate intervals: one more than the number that lie wholly above.

    The rule of Chatbot Arena's board. It ignores that the systems share their items, so that it
    separates too few of them; ranks may be skipped. Intervals that touch do not separate.

    Parameters
    ----------
    low, high : array_like, shape (system,)

    Examples
    --------
    >>> arena_rank([10, 8, 6, 4], [14, 12, 9, 7]).tolist()
    [1, 1, 2, 3]
    """
    below, above = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    if not greater_is_better:
        below, above = -above, -below
    beaten: Integers = (below > above[:, None]).sum(axis=1)
    return 1 + beaten
