"""Which interval to choose unasked: coverage of every method on designs whose truth is known.

Data sets come in batches. Batch i of a cell draws its data by
`numpy.random.default_rng([SEED, crc32 of the cell's name, n, i])` and its resamples by deadheat's
streams of seed i, so that a cell can be run again on its own. Of corpus metrics each data set has
a generator and a seed of its own.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import integrate, stats

from calibration.ends import Ends, Floats, drawn_counts, of_clusters, of_means

SEED = 20262
N_RESAMPLES = 9_999
N_SETS = 2_000
BATCH = 100

SIZES = (10, 20, 50, 100, 200, 500, 2_000)
CLUSTERS = (5, 10, 20, 30, 50, 100, 200, 500)

Generator = np.random.Generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Scores, or differences of scores, of items that are drawn independently.

    Attributes
    ----------
    draw : callable
        Takes a generator and a shape.
    truth : float
        Mean of the distribution.
    about : str
    """

    draw: Callable[[Generator, tuple[int, int]], Floats]
    truth: float
    about: str


def _with_zeros(
    rng: Generator, shape: tuple[int, int], zeros: float, others: Callable[..., Floats]
) -> Floats:
    return np.where(rng.random(shape) < zeros, 0.0, others(size=shape))


def _saturated_pair(rng: Generator, shape: tuple[int, int]) -> Floats:
    """Scores exp(-loss), the losses a shared Gamma(.4) times an exponential of each system."""
    shared = rng.gamma(0.4, size=shape)
    baseline, candidate = (
        np.exp(-factor * shared * rng.exponential(size=shape)) for factor in (1.2, 0.8)
    )
    return candidate - baseline


def _of_saturated_pair() -> float:
    def mean(factor: float) -> float:
        # u^.4 flattens the pole of the density at 0.
        found, _ = integrate.quad(
            lambda v: math.exp(-(v**2.5)) / (1.0 + factor * v**2.5), 0.0, math.inf
        )
        return float(found) / (0.4 * math.gamma(0.4))

    return mean(0.8) - mean(1.2)


def _graded_pair(rng: Generator, shape: tuple[int, int]) -> Floats:
    """Right answers of five, chance p ~ Beta(2, 1) for the baseline and p^.8 for the other."""
    chance = rng.beta(2.0, 1.0, shape)
    return (rng.binomial(5, chance**0.8) - rng.binomial(5, chance)) / 5.0


REAL: dict[str, Design] = {
    "normal": Design(
        draw=lambda rng, shape: rng.standard_normal(shape),
        truth=0.0,
        about="paired difference: normal",
    ),
    "t3": Design(
        draw=lambda rng, shape: rng.standard_t(3, shape),
        truth=0.0,
        about="paired difference: Student's t with 3 degrees of freedom",
    ),
    "saturated_pair": Design(
        draw=_saturated_pair,
        truth=_of_saturated_pair(),
        about="paired difference of exp(-loss), the loss a shared Gamma(.4) times an own "
        "exponential (factors 1.2 and .8)",
    ),
    "beta": Design(
        draw=lambda rng, shape: rng.beta(4.0, 0.4, shape),
        truth=4.0 / 4.4,
        about="one system: Beta(4, .4)",
    ),
    "half_ties": Design(
        draw=lambda rng, shape: _with_zeros(rng, shape, 0.5, rng.lognormal),
        truth=0.5 * math.exp(0.5),
        about="paired difference: half of them 0, else lognormal(0, 1)",
    ),
    "lognormal": Design(
        draw=lambda rng, shape: rng.lognormal(size=shape),
        truth=math.exp(0.5),
        about="one system: lognormal(0, 1)",
    ),
    "rare_wins": Design(
        draw=lambda rng, shape: _with_zeros(rng, shape, 0.9, rng.exponential),
        truth=0.1,
        about="paired difference: 90% of them 0, else exponential",
    ),
}

GRADED: dict[str, Design] = {
    "graded_pair": Design(
        draw=_graded_pair,
        truth=2.0 / 2.8 - 2.0 / 3.0,
        about="paired difference of k of 5 answers, chances p and p^.8 with p ~ Beta(2, 1)",
    ),
    "graded_top": Design(
        draw=lambda rng, shape: rng.binomial(4, rng.beta(8.0, 0.8, shape)) / 4.0,
        truth=8.0 / 8.8,
        about="one system, 0 to 4 points near the ceiling: chance Beta(8, .8)",
    ),
}

MEANS = REAL | GRADED

SKEWED = ("beta", "half_ties", "lognormal", "rare_wins")
"""Designs of real scores that lean clearly to one side."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clustered:
    """Differences of items in clusters.

    Attributes
    ----------
    totals : callable
        Takes a generator, the items of each cluster, shape (set, cluster), and the intra-class
        correlation; returns the sum of the differences of each cluster.
    truth : float
    about : str
    """

    totals: Callable[[Generator, NDArray[np.int64], float], Floats]
    truth: float
    about: str


def _normal_totals(rng: Generator, sizes: NDArray[np.int64], correlation: float) -> Floats:
    shared, own = rng.standard_normal((2, *sizes.shape))
    within = np.sqrt(sizes * (1.0 - correlation)) * own
    return sizes * math.sqrt(correlation) * shared + within


def _skewed_totals(rng: Generator, sizes: NDArray[np.int64], correlation: float) -> Floats:
    shared = rng.exponential(size=sizes.shape) - 1.0
    within = rng.gamma(sizes.astype(np.float64)) - sizes
    return sizes * math.sqrt(correlation) * shared + math.sqrt(1.0 - correlation) * within


def _binary_pairs(won: float, lost: float) -> Clustered:
    """Shares of a cluster are Dirichlet, which gives any function of the cells this correlation."""
    cells = np.array([won, lost, 1.0 - won - lost])

    def totals(rng: Generator, sizes: NDArray[np.int64], correlation: float) -> Floats:
        shares = rng.dirichlet((1.0 - correlation) / correlation * cells, sizes.shape)
        counts = rng.multinomial(sizes, shares)
        return (counts[..., 0] - counts[..., 1]).astype(np.float64)

    return Clustered(
        totals=totals,
        truth=won - lost,
        about=f"0/1 pairs: {won:.0%} only the candidate right, {lost:.0%} only the baseline; "
        "shares of a cluster are Dirichlet",
    )


CLUSTERED: dict[str, Clustered] = {
    "binary": _binary_pairs(0.2, 0.1),
    "rare": _binary_pairs(0.05, 0.01),
    "normal": Clustered(totals=_normal_totals, truth=0.0, about="normal cluster and item effects"),
    "skewed": Clustered(
        totals=_skewed_totals, truth=0.0, about="exponential cluster and item effects"
    ),
}


def equal_sizes(rng: Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
    return np.full(shape, 10)


def unequal_sizes(rng: Generator, shape: tuple[int, int]) -> NDArray[np.int64]:
    """Return lognormal sizes, rounded up: 10 on average, of a median of 6."""
    return np.ceil(rng.lognormal(math.log(6.0), 1.0, shape)).astype(np.int64)


# Coverage


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What the intervals of one method did in one cell.

    Attributes
    ----------
    held, too_high, too_low : float
        Shares of the data sets whose interval holds the truth, lies above it, below it.
    none : float
        Share without an interval, or with a single point; no other share counts points twice.
    width, wide : float
        Mean and 90th percentile of the width where there is one.
    n_sets : int
    """

    held: float
    too_high: float
    too_low: float
    none: float
    width: float
    wide: float
    n_sets: int

    @classmethod
    def of(cls, ends: Ends, truth: float) -> Covered:
        low, high = ends
        # One value in all items gives every resample that value, but for rounding of the mean.
        there = high - low > 1e-12 * np.maximum(np.abs(low), np.abs(high))
        width = (high - low)[there]
        # On a lattice an end may be the truth itself but for rounding.
        slack = 1e-9 * max(abs(truth), float(width.mean()) if width.size else 0.0)
        above, under = (low > truth + slack) & there, (high < truth - slack) & there
        return cls(
            held=float((there & ~above & ~under).mean()),
            too_high=float(above.mean()),
            too_low=float(under.mean()),
            none=float((~there).mean()),
            width=float(width.mean()) if width.size else math.nan,
            wide=float(np.quantile(width, 0.9)) if width.size else math.nan,
            n_sets=low.size,
        )

    @property
    def bounds(self) -> tuple[float, float]:
        """Wilson's 95% bounds of the coverage."""
        found = stats.binomtest(round(self.held * self.n_sets), self.n_sets)
        bounds = found.proportion_ci(0.95, "wilson")
        return float(bounds.low), float(bounds.high)


Batches = Iterable[Mapping[str, Ends]]


def covered(batches: Batches, truth: float) -> dict[str, Covered]:
    """Put batches together and count what every method held."""
    found: dict[str, list[Ends]] = {}
    for batch in batches:
        for name, ends in batch.items():
            found.setdefault(name, []).append(ends)
    return {
        name: Covered.of((np.concatenate(lows), np.concatenate(highs)), truth)
        for name, (lows, highs) in ((name, zip(*ends, strict=True)) for name, ends in found.items())
    }


def generator(cell: str, n: int, index: int) -> Generator:
    return np.random.default_rng([SEED, zlib.crc32(cell.encode()), n, index])


def scores_of(name: str, n: int, batch: int) -> Floats:
    """Return one batch of a cell, shape (set, item), each data set in ascending order."""
    return np.sort(MEANS[name].draw(generator(name, n, batch), (BATCH, n)), axis=1)


def _batches_of_means(name: str, n: int, n_sets: int) -> Iterator[dict[str, Ends]]:
    for batch in range(n_sets // BATCH):
        yield with_auto(of_means(scores_of(name, n, batch), drawn_counts(n, N_RESAMPLES, batch)))


def with_auto(ends: dict[str, Ends]) -> dict[str, Ends]:
    """Add bootstrap-t as an automatic choice could have it: bca_t where it is refused."""
    refused = np.isnan(ends["studentized"][0])
    low, high = (
        np.where(refused, other, own)
        for own, other in zip(ends["studentized"], ends["bca_t"], strict=True)
    )
    return ends | {"studentized, else bca_t": (low, high)}


def of_mean_cell(name: str, n: int, n_sets: int = N_SETS) -> dict[str, Covered]:
    """Return what every method did for the mean of one design and size."""
    return covered(_batches_of_means(name, n, n_sets), MEANS[name].truth)


def clusters_of(
    name: str, n_clusters: int, correlation: float, equal: bool, batch: int
) -> tuple[Floats, Floats]:
    """Return totals and sizes of one batch, shape (set, cluster) each."""
    cell = f"{name}, {'equal' if equal else 'unequal'}, {correlation}"
    rng = generator(cell, n_clusters, batch)
    sizes = (equal_sizes if equal else unequal_sizes)(rng, (BATCH, n_clusters))
    return CLUSTERED[name].totals(rng, sizes, correlation), sizes.astype(np.float64)


def of_cluster_cell(
    name: str, n_clusters: int, correlation: float, equal: bool, n_sets: int = N_SETS
) -> dict[str, Covered]:
    """Return what every method did for clustered differences."""
    return covered(
        (
            of_clusters(
                *clusters_of(name, n_clusters, correlation, equal, batch),
                drawn_counts(n_clusters, N_RESAMPLES, batch),
            )
            for batch in range(n_sets // BATCH)
        ),
        CLUSTERED[name].truth,
    )
