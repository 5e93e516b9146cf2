"""Means over items and runs: components of variance, and t with Satterthwaite's degrees of freedom.

Every run of a system answers every item: x_ir = mean + item_i + run_r + residual_ir, in which the
items and the runs are samples of others. The components are those of the analysis of variance
(Searle, Casella and McCulloch 1992; for balanced tables those of restricted maximum likelihood),
and the degrees of freedom of their sum are Satterthwaite's (1946), taken over all mean squares
with their signs: a component that was estimated as none still counts as uncertain.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from deadheat.errors import InferenceError
from deadheat.intervals.cr2 import moments_of_clusters
from deadheat.intervals.interval import Alternative, Interval, between, tail_of, undefined

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

METHOD = "components"

NEGLIGIBLE = 1e-26
"""Share of the squared scores below which a variance is rounding."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """Components of the variance of a table of items by runs.

    Attributes
    ----------
    mean : float
    n_items, n_runs : int
    ms_item, ms_run, ms_residual : float
        Mean squares; NaN where there are too few items or runs for them.
    """

    mean: float
    n_items: int
    n_runs: int
    ms_item: float
    ms_run: float
    ms_residual: float

    @property
    def var_item(self) -> float:
        """Variance between items, at least 0; NaN where unknown."""
        return _at_least_zero(self.ms_item - self.ms_residual) / self.n_runs

    @property
    def var_run(self) -> float:
        """Variance between runs, at least 0; NaN where unknown."""
        return _at_least_zero(self.ms_run - self.ms_residual) / self.n_items

    @property
    def var_residual(self) -> float:
        """Variance of what neither the item nor the run explains."""
        return self.ms_residual

    @property
    def standard_error(self) -> float:
        """Standard error of the mean for new items and new runs."""
        n = self.n_items * self.n_runs
        return math.sqrt(
            self.var_item / self.n_items + self.var_run / self.n_runs + self.var_residual / n
        )

    @property
    def error_of_these_runs(self) -> float:
        """Standard error of the mean for new items and these runs."""
        return math.sqrt(self.ms_item / (self.n_items * self.n_runs))


def two_way_components(table: ArrayLike) -> Components:
    """Return the components of variance of a table in which every run has every item.

    Parameters
    ----------
    table : array_like, shape (item, run)
        Scores, finite.

    Raises
    ------
    InferenceError
        If it is no such table.

    Examples
    --------
    >>> found = two_way_components([[1.0, 2.0], [3.0, 5.0], [5.0, 8.0]])
    >>> found.var_item, found.var_run, found.var_residual
    (6.0, 1.8333333333333333, 0.5)
    """
    x = np.asarray(table, dtype=np.float64)
    if x.ndim != 2 or not x.size or not np.isfinite(x).all():
        raise InferenceError(
            f"a table of shape {x.shape} is not one of finite scores of items by runs.",
            fix="Give a score for every item in every run.",
        )
    n_items, n_runs = x.shape
    centred = x - x.mean()
    by_item, by_run = centred.mean(axis=1), centred.mean(axis=0)
    residuals = centred - by_item[:, None] - by_run
    return Components(
        mean=float(x.mean()),
        n_items=n_items,
        n_runs=n_runs,
        ms_item=_mean_square(n_runs * (by_item**2).sum(), n_items - 1),
        ms_run=_mean_square(n_items * (by_run**2).sum(), n_runs - 1),
        ms_residual=_mean_square((residuals**2).sum(), (n_items - 1) * (n_runs - 1)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A variance of a mean, and the degrees of freedom with which it was estimated."""

    variance: float
    df: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParts:
    """What the runs of one system add to the variance of its mean.

    Attributes
    ----------
    n : int
        Number of runs.
    between : Part
        Variance of the mean over runs as the values of the runs show it, residuals included.
    residual : Part
        The part of it that residuals explain.
    """

    n: int
    between: Part
    residual: Part

    @property
    def run(self) -> float:
        """Variance of the mean due to runs, at least 0."""
        return _at_least_zero(self.between.variance - self.residual.variance)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanOverRuns:
    """A mean, or a difference of means, for new items and new runs.

    Attributes
    ----------
    estimate : float
    item, residual : float
        Parts of the variance of the estimate.
    runs : tuple of float
        Part of each system's runs.
    df : float
        Satterthwaite's degrees of freedom; NaN where nothing varies.
    error_of_these_runs : float
        Standard error for new items and these runs.
    """

    estimate: float
    item: float
    runs: tuple[float, ...]
    residual: float
    df: float
    error_of_these_runs: float

    @property
    def variance(self) -> float:
        """Of the estimate."""
        return self.item + sum(self.runs) + self.residual

    @property
    def standard_error(self) -> float:
        """Of the estimate; NaN where unknown."""
        return math.sqrt(self.variance)

    @property
    def shares(self) -> dict[str, float]:
        """Shares of the variance by what they are due to; NaN where nothing varies."""
        parts = {"item": self.item, "run": sum(self.runs), "residual": self.residual}
        whole = self.variance
        return {name: part / whole if whole > 0.0 else math.nan for name, part in parts.items()}

    @property
    def note(self) -> str:
        """Why there is no interval; empty where there is one."""
        if math.isnan(self.variance):
            return "one item or one cluster cannot show how much items vary"
        return "" if self.variance > 0.0 else "neither items nor runs vary"


def part_of_rows(values: Floats, clusters: Ints | None = None, strata: Ints | None = None) -> Part:
    """Return the variance of the mean of rows, which are a sample.

    Parameters
    ----------
    values : ndarray, shape (row,)
    clusters : ndarray of int, shape (row,), optional
        Cluster of each row, 0 to G - 1: the variance is then CR2 (Bell and McCaffrey 2002).
    strata : ndarray of int, shape (row,), optional
        Stratum of each row, 0 to H - 1, within which rows or clusters vary.
    """
    n = len(values)
    variance = spread = 0.0
    for stratum in range(1 if strata is None else int(strata.max()) + 1):
        within = slice(None) if strata is None else strata == stratum
        part = values[within]
        totals, sizes = part, np.ones(len(part), dtype=np.int64)
        if clusters is not None:
            _, of_row, sizes = np.unique(clusters[within], return_inverse=True, return_counts=True)
            totals = np.bincount(of_row, part).astype(np.float64)
        found = moments_of_clusters(totals, sizes, squares=0.0)
        square = (len(part) / n * found.standard_error) ** 2
        variance += square
        spread += square**2 / found.df
    return Part(variance=variance, df=variance**2 / spread if spread > 0.0 else math.nan)


def parts_of_runs(
    table: Floats, clusters: Ints | None = None, strata: Ints | None = None
) -> RunParts:
    """Return what runs add to the variance of the mean of a table.

    Parameters
    ----------
    table : ndarray, shape (row, run)
        Scores, or values whose mean over rows is linear in how often each row counts.
    clusters, strata
        See `part_of_rows`.

    Raises
    ------
    InferenceError
        If there is one run.
    """
    n_runs = table.shape[1]
    if n_runs < 2:
        raise InferenceError(
            "one run cannot show how much runs vary.", fix="Give two or more, better five."
        )
    values = table.mean(axis=0)
    residuals = table - table.mean(axis=1, keepdims=True) - (values - values.mean())
    noise = [part_of_rows(column, clusters, strata) for column in residuals.T]
    variance = float(np.mean([part.variance for part in noise])) / (n_runs - 1)
    known = [part.df for part in noise if not math.isnan(part.df)]
    size = float((table**2).mean())
    between = float(values.var(ddof=1)) / n_runs
    return RunParts(
        n=n_runs,
        between=Part(variance=_without_rounding(between, size), df=n_runs - 1.0),
        residual=Part(
            variance=_without_rounding(variance, size),
            df=(n_runs - 1) * float(np.mean(known)) if known else math.nan,
        ),
    )


def mean_over_runs(estimate: float, rows: Part, runs: Sequence[RunParts]) -> MeanOverRuns:
    """Put together the variance of a mean, or of a difference, for new items and new runs.

    Parameters
    ----------
    estimate : float
    rows : Part
        Of the mean over runs of each row, or of its difference between two systems.
    runs : sequence of RunParts
        One for each system; the runs of two systems are not the same.
    """
    residual = sum(part.residual.variance for part in runs)
    item = _at_least_zero(rows.variance - residual)
    by_system = tuple(part.run for part in runs)
    squares = [rows, *(part.between for part in runs), *(part.residual for part in runs)]
    spread = sum(part.variance**2 / part.df for part in squares if part.variance > 0.0)
    whole = item + sum(by_system) + residual
    return MeanOverRuns(
        estimate=estimate,
        item=item,
        runs=by_system,
        residual=residual,
        df=whole**2 / spread if spread > 0.0 else math.nan,
        error_of_these_runs=math.sqrt(rows.variance),
    )


def over_runs(
    found: MeanOverRuns, *, confidence_level: float, alternative: Alternative = "two-sided"
) -> Interval:
    """Interval of a mean for new items and new runs, mean +- t_df SE."""
    tail = tail_of(confidence_level, alternative)
    if found.note:
        return undefined(METHOD, confidence_level, found.note, alternative)
    half = -float(special.stdtrit(found.df, tail)) * found.standard_error
    return between(
        found.estimate - half,
        found.estimate + half,
        method=METHOD,
        confidence_level=confidence_level,
        alternative=alternative,
    )


def _mean_square(squares: float, df: int) -> float:
    return float(squares) / df if df > 0 else math.nan


def _at_least_zero(variance: float) -> float:
    return variance if math.isnan(variance) else max(0.0, variance)


def _without_rounding(variance: float, size: float) -> float:
    return 0.0 if variance <= NEGLIGIBLE * size else variance
