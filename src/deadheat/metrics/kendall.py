"""Kendall's tau-b of outputs with references (Kendall 1945)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from deadheat.metrics.metric import VERSION, Floats, OfWeights, Settings, ValueOf, ratio
from deadheat.metrics.numbers.checks import numeric
from deadheat.metrics.numbers.ranks import Places, Positions, by_blocks, mid_ranks, running
from deadheat.metrics.numbers.variation import without_variation
from deadheat.notes import Note


@dataclass(frozen=True, slots=True, kw_only=True)
class Kendall(OfWeights):
    """Concordant less discordant pairs over the geometric mean of the pairs untied in either.

    Outputs are kept as ranks, so that two systems that exchange outputs exchange ranks, whatever
    their scales. Undefined where references or outputs do not vary.

    Examples
    --------
    >>> import numpy as np
    >>> kendall = Kendall()
    >>> rows = kendall.rows(np.array([1, 2, 3]), np.array([0.1, 0.9, 0.3]))
    >>> kendall.value_of(rows)(np.array([[1.0, 1.0, 1.0], [1.0, 2.0, 0.0], [3.0, 0.0, 0.0]]))
    array([0.33333333, 1.        ,        nan])
    """

    name: ClassVar[str] = "kendall"
    signature: ClassVar[str] = f"kendall|variant:b|v:{VERSION}"
    bounds: ClassVar[tuple[float, float] | None] = (-1.0, 1.0)

    def rows(self, references: NDArray[Any], outputs: Floats) -> Floats:
        """Return reference and rank among this system's outputs, shape (item, 2).

        Raises
        ------
        ItemError
            If a reference is not a number.
        """
        return np.stack([numeric(references), mid_ranks(outputs)], axis=1)

    def value_of(self, rows: Floats) -> ValueOf:
        """Sort once for every level of a merge; a weighting then costs one pass a level.

        All sums are of whole numbers up to the square of the number of items, and exact.
        """
        codes = [np.unique(column, return_inverse=True)[1] for column in rows.T]
        # The number of levels is the logarithm of the number of distinct values.
        coarse, fine = sorted(codes, key=lambda column: int(column.max(initial=0)))
        merges = tuple(_merges(coarse, fine))
        groups = [_groups(column) for column in (coarse, fine)]

        def kernel(weights: Floats) -> Floats:
            n = weights.sum(axis=0)
            untied = [n * n - _squares(weights, *group) for group in groups]
            # Twice what is concordant, a tie counted half, less all pairs that could have been.
            surplus = -0.5 * untied[0]
            for merge in merges:
                surplus += 2.0 * merge.concordant(weights)
            tau = ratio(2.0 * surplus, np.sqrt(untied[0]) * np.sqrt(untied[1]))
            return np.clip(tau, -1.0, 1.0)

        return by_blocks(kernel, len(rows))

    def remarks(self, system: str, references: NDArray[Any], outputs: Floats) -> Sequence[Note]:
        """Say when nothing varies."""
        return without_variation(self.name, system, numeric(references), outputs)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Merge:
    """Pairs of a lower and an upper item of one block, for all blocks of a level.

    Attributes
    ----------
    lower, upper : ndarray of int
        Items by block, and by the other variable within it.
    places : Places
        Of the upper items among the lower ones, those of earlier blocks below them.
    starts : ndarray of int, shape (upper,)
        How many lower items are in earlier blocks.
    """

    lower: Positions
    upper: Positions
    places: Places
    starts: Positions

    def concordant(self, weights: Floats) -> Floats:
        """Return the weight of pairs in the same order, a tie counted half, (resample,)."""
        sums = running(weights[self.lower])
        below = self.places.weight_below(sums)
        below -= sums[self.starts]
        return np.asarray(np.einsum("ij,ij->j", weights[self.upper], below))


def _merges(coarse: Positions, fine: Positions) -> Iterator[_Merge]:
    """Yield the levels: every pair with different coarse codes meets on exactly one of them.

    On the level of a bit, a block is made of the codes that agree in all higher bits, and its
    upper items are those that have the bit.
    """
    width = int(fine.max(initial=0)) + 1
    for level in range(int(coarse.max(initial=0)).bit_length()):
        block = coarse >> (level + 1)
        key = block * width + fine
        order = np.argsort(key, kind="stable")
        has_bit = (coarse[order] >> level) & 1 == 1
        lower, upper = order[~has_bit], order[has_bit]
        yield _Merge(
            lower=lower,
            upper=upper,
            places=Places.of(key[upper], key[lower]),
            starts=np.searchsorted(block[lower], block[upper], side="left"),
        )


def _groups(codes: Positions) -> tuple[Positions, Positions]:
    """Return an order that brings equal codes together, and where each begins."""
    order = np.argsort(codes, kind="stable")
    return order, np.unique(codes[order], return_index=True)[1]


def _squares(weights: Floats, order: Positions, starts: Positions) -> Floats:
    """Return the sum of the squared weights of tied groups, shape (resample,)."""
    sizes = weights if starts.size == order.size else np.add.reduceat(weights[order], starts)
    return np.asarray(np.einsum("ij,ij->j", sizes, sizes))


OPTIONS = ()
"""Settings that the metric has."""


def metric(settings: Settings) -> Kendall:
    """Make the metric."""
    return Kendall()
