"""How the value of a metric of the whole set depends on how often each item counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution
from deadheat.metrics.metric import OfSums, OfWeights
from deadheat.resampling.blocks import Progress
from deadheat.resampling.exchange import exchange, exchange_of_weights
from deadheat.resampling.functionals import Functional, Sums, Value, Weighted
from deadheat.resampling.jackknife import jackknife, jackknife_of_weights

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SAFE = 60
"""A sum to which more items than this contribute is 0 in fewer than exp(-60) of the resamples."""


class Weighing(Protocol):
    """A metric of the whole set for several systems."""

    def expanded(self, rows: NDArray[Any]) -> Floats:
        """Return what the metric depends on of some rows, shape (row, system, k)."""
        ...

    def functional(self, types: Floats, multiplicities: Ints) -> Functional:
        """Return the value of each system, then perhaps where it rests on 0/0, per resample."""
        ...

    def left_out(self, types: Floats, multiplicities: Ints) -> Floats:
        """Return the values with one item of each type left out, shape (type, system)."""
        ...

    def exchanged(
        self,
        types: Floats,
        multiplicities: Ints,
        *,
        seed: int,
        n_resamples: int,
        threads: int | None,
        progress: Progress | None,
    ) -> Distribution:
        """Return the distribution of the difference of two systems that exchange outputs."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OfTotals:
    """Metrics that are functions of summed statistics.

    Attributes
    ----------
    metrics : tuple of OfSums
        One for each system.
    common : OfSums
        The same function of the outputs for every system, whichever system they came from.
    expand : callable
        Rows to statistics of shape (row, system, k).
    """

    metrics: tuple[OfSums, ...]
    common: OfSums
    expand: Callable[[NDArray[Any]], Floats]

    def expanded(self, rows: NDArray[Any]) -> Floats:
        return self.expand(rows)

    def functional(self, types: Floats, multiplicities: Ints) -> Functional:
        metrics = [_bare(metric) for metric in self.metrics]
        values: list[tuple[int, Value]] = [
            (system, metric.value) for system, metric in enumerate(metrics)
        ]
        contributing = np.einsum("gsk,g->sk", types != 0.0, multiplicities)
        if contributing.min() <= SAFE:
            values += [(system, _marked(metric)) for system, metric in enumerate(metrics)]
        return Sums(statistics=types, values=tuple(values))

    def left_out(self, types: Floats, multiplicities: Ints) -> Floats:
        return jackknife(types, multiplicities, [metric.value for metric in self.metrics])

    def exchanged(
        self,
        types: Floats,
        multiplicities: Ints,
        *,
        seed: int,
        n_resamples: int,
        threads: int | None,
        progress: Progress | None,
    ) -> Distribution:
        return exchange(
            types[:, 0],
            types[:, 1],
            multiplicities,
            self.common.value,
            seed=seed,
            n_resamples=n_resamples,
            threads=threads,
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OfWeightings:
    """Metrics that are functions of the weights themselves.

    Attributes
    ----------
    metrics : tuple of OfWeights
        One for each system.
    common : OfWeights
        The same function for every system.
    """

    metrics: tuple[OfWeights, ...]
    common: OfWeights

    def expanded(self, rows: NDArray[Any]) -> Floats:
        return np.asarray(rows, dtype=np.float64).reshape(len(rows), len(self.metrics), -1)

    def functional(self, types: Floats, multiplicities: Ints) -> Functional:
        return Weighted(
            rows=types,
            values_of=tuple(metric.value_of for metric in self.metrics),
            serial=self._serial,
        )

    def left_out(self, types: Floats, multiplicities: Ints) -> Floats:
        return jackknife_of_weights(
            types, multiplicities, [metric.value_of for metric in self.metrics]
        )

    def exchanged(
        self,
        types: Floats,
        multiplicities: Ints,
        *,
        seed: int,
        n_resamples: int,
        threads: int | None,
        progress: Progress | None,
    ) -> Distribution:
        return exchange_of_weights(
            types[:, 0],
            types[:, 1],
            multiplicities,
            self.common.value_of,
            seed=seed,
            n_resamples=n_resamples,
            threads=1 if self._serial else threads,
            progress=progress,
        )

    @property
    def _serial(self) -> bool:
        return any(metric.serial for metric in self.metrics)


def _bare(metric: Any) -> Any:
    """Return a metric without the references that it keeps: totals need none, and it may travel."""
    kept = getattr(metric, "prepared", None)
    return metric if kept is None else replace(metric, prepared=None)


def _marked(metric: OfSums) -> Value:
    return lambda totals: metric.undefined(totals).astype(np.float64)
