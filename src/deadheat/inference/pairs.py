"""Many pairs of systems compared at once, with claims that hold together."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import special

from deadheat.intervals import tango
from deadheat.notes import Note
from deadheat.ranking.draws import Draws
from deadheat.ranking.max_t import max_t
from deadheat.scores import Scores
from deadheat.settings import Settings
from deadheat.significance.mcnemar import mcnemar
from deadheat.significance.multiplicity import adjust

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

Correction = Literal["max-t", "holm", "bh", "none"]
"""How p-values and intervals of pairs allow for their number."""

FEW_DISCORDANT = 10
"""Fewer discordant items than this and a pair is judged by its counts (STATISTICS.md 6.2)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs:
    """Differences of pairs of systems, second - first.

    Attributes
    ----------
    members : ndarray of int, shape (pair, 2)
    differences, standard_errors, low, high, p_values, adjusted : ndarray, shape (pair,)
        Intervals and `adjusted` allow for the number of pairs as the correction says.
    separated : ndarray of bool, shape (pair,)
        Whether the interval excludes 0.
    by_counts : ndarray of bool, shape (pair,)
        Pairs of 0/1 systems with few discordant items, by Tango's interval and McNemar's test.
    critical_value : float
        Of simultaneous intervals; NaN where they are not those of max-t.
    """

    members: Ints
    differences: Floats
    standard_errors: Floats
    low: Floats
    high: Floats
    p_values: Floats
    adjusted: Floats
    separated: Flags
    by_counts: Flags
    critical_value: float


def few_discordant(scores: Scores) -> Flags:
    """Return which pairs of 0/1 systems differ on some items, but on few, shape (m, m).

    Those of which one is right on every item and the other on none are judged by counts as well:
    their difference does not vary over resamples, and is no certainty.
    """
    m = len(scores.systems)
    if scores.kind != "binary" or scores.per_item is None or scores.units is not None:
        return np.zeros((m, m), dtype=np.bool_)
    only = _only(scores)
    discordant = only + only.T
    every = np.maximum(only, only.T) == scores.n
    return np.asarray(((discordant > 0) & (discordant < FEW_DISCORDANT)) | every)


def _only(scores: Scores) -> Floats:
    """Return on how many items the row is right and the column is not, shape (m, m)."""
    assert scores.per_item is not None
    small = scores.n < 1 << 24
    right: NDArray[Any] = scores.per_item.astype(np.float32 if small else np.float64)
    units = scores.multiplicities
    weighed = right if units is None else right * units[:, None].astype(right.dtype)
    both = np.asarray(right.T @ weighed, dtype=np.float64)
    return np.diag(both)[:, None] - both


def _by_counts(scores: Scores, pairs: Ints, level: float) -> Floats:
    """Return (low, high, p-value) of pairs of 0/1 systems by their discordant items."""
    if not len(pairs):
        return np.empty((0, 3))
    only, n = _only(scores), float(scores.n)
    found = np.empty((len(pairs), 3))
    for at, (first, second) in enumerate(pairs):
        lost, won = float(only[first, second]), float(only[second, first])
        interval = tango.paired_proportions(n - lost - won, lost, won, 0.0, confidence_level=level)
        found[at] = interval.low, interval.high, mcnemar(int(lost), int(won)).p_value
    return found


def ahead_of(pairs: Pairs, n_systems: int, greater: bool) -> Flags:
    """Return which row is settled ahead of which column, among pairs judged by counts."""
    table = np.zeros((n_systems, n_systems), dtype=np.bool_)
    first, second = pairs.members.T
    for low, row, column in ((pairs.low, second, first), (-pairs.high, first, second)):
        settled = pairs.by_counts & (low > 0.0)
        table[row[settled], column[settled]] = True
    return table if greater else table.T


def together(scores: Scores, draws: Draws, family: Ints, few: Flags, alpha: float) -> Pairs:
    """Compare pairs by max-t, those with few discordant items by their counts.

    Of `alpha`, each pair judged by its counts takes an equal share of all pairs (Bonferroni), and
    max-t over the others what is left, so that all claims together hold the level. Where too
    little is left to be placed by the draws, all pairs are judged by their counts.
    """
    by_counts = few[family[:, 0], family[:, 1]]
    left = alpha * (1.0 - float(by_counts.mean()))
    if by_counts.any() and left * (draws.n_resamples + 1) < 1.0:
        by_counts = np.ones_like(by_counts)
    size, others = len(family), ~by_counts
    share = 1.0 - float(by_counts.mean())
    columns = np.full((6, size), np.nan)
    separated = np.zeros(size, dtype=np.bool_)
    critical = math.nan
    if others.any():
        found = max_t(draws, family[others], confidence_level=1.0 - alpha * share)
        columns[:, others] = (
            found.differences,
            found.standard_errors,
            found.low,
            found.high,
            found.p_values,
            np.minimum(1.0, found.step_down / share),
        )
        separated[others] = found.separated
        critical = found.critical_value
    if by_counts.any():
        counted = family[by_counts]
        low, high, p_values = _by_counts(scores, counted, 1.0 - alpha / size).T
        columns[:, by_counts] = (
            draws.estimates[counted[:, 1]] - draws.estimates[counted[:, 0]],
            draws.standard_errors[counted[:, 0], counted[:, 1]],
            low,
            high,
            p_values,
            np.minimum(1.0, size * p_values),
        )
        separated[by_counts] = (low > 0.0) | (high < 0.0)
    differences, errors, low, high, p_values, adjusted = columns
    return Pairs(
        members=family,
        differences=differences,
        standard_errors=errors,
        low=low,
        high=high,
        p_values=p_values,
        adjusted=adjusted,
        separated=separated,
        by_counts=by_counts,
        critical_value=critical,
    )


def compared(
    scores: Scores,
    draws: Draws,
    family: Ints,
    few: Flags,
    settings: Settings,
    correction: Correction,
) -> Pairs:
    """Compare pairs, allowing for their number as the correction says."""
    alpha, size = settings.alpha, len(family)
    if correction == "max-t":
        return together(scores, draws, family, few, alpha)
    by_counts = few[family[:, 0], family[:, 1]]
    differences = draws.estimates[family[:, 1]] - draws.estimates[family[:, 0]]
    errors = draws.standard_errors[family[:, 0], family[:, 1]]
    df = scores.n - 1.0
    p_values, low, high = by_t(differences, errors, df, size, settings, correction)
    level = 1.0 - (alpha / size if correction == "holm" else alpha)
    decided = _by_counts(scores, family[by_counts], level)
    low[by_counts], high[by_counts], p_values[by_counts] = decided.T
    return Pairs(
        members=family,
        differences=differences,
        standard_errors=errors,
        low=low,
        high=high,
        p_values=p_values,
        adjusted=p_values if correction == "none" else adjust(p_values, correction),
        separated=(low > 0.0) | (high < 0.0),
        by_counts=by_counts,
        critical_value=math.nan,
    )


def by_t(
    differences: Floats,
    errors: Floats,
    df: float,
    size: int,
    settings: Settings,
    correction: Correction,
) -> tuple[Floats, Floats, Floats]:
    """Return p-values of t tests, and intervals at the level that the correction asks for."""
    varied = errors > 0.0
    t = np.divide(differences, errors, out=np.zeros_like(differences), where=varied)
    # What does not vary has no test; what does not differ at all is equal.
    otherwise = np.where(differences == 0.0, 1.0, np.nan)
    p_values = np.where(varied, 2.0 * special.stdtr(df, -np.abs(t)), otherwise)
    tail = settings.alpha / 2.0 / (size if correction in ("max-t", "holm") else 1)
    reach = -float(special.stdtrit(df, tail)) * errors
    return p_values, differences - reach, differences + reach


def few_noted(few: Flags) -> tuple[Note, ...]:
    """Say how many pairs were judged by their counts."""
    n = int(few.sum()) // 2
    if not n:
        return ()
    return (
        Note(
            code="few_discordant_items",
            message=f"{n:,} {'pair differs' if n == 1 else 'pairs differ'} on fewer than "
            f"{FEW_DISCORDANT} items, or on all of them: such pairs are judged by Tango's interval "
            "and McNemar's test at Bonferroni's level.",
        ),
    )
