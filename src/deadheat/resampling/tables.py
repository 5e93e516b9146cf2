"""Integer inverse tables: a uniform 64-bit word in, a Poisson or fair binomial count out.

Tables are built by additions, multiplications and divisions alone, which IEEE 754 rounds alike
everywhere: no `exp` or `lgamma`, whose last bits differ between platforms.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deadheat.resampling import kernel
from deadheat.resampling.scratch import Scratch
from deadheat.rng import Stream

Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

GUIDE_BITS = 12
"""Leading bits of a word that settle most counts by themselves."""

MOST_THRESHOLDS = 1024
"""A table with more thresholds than this leaves too many counts open after `GUIDE_BITS` bits."""

EXACT_COINS = 52
"""Up to so many coins every term of the binomial, and their sum, is a whole float64 number."""

WORD = 2.0**64


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InverseTable:
    """The inverse of a distribution function, in units of 2^-64.

    Attributes
    ----------
    first : int
        The least count.
    thresholds : ndarray of uint64, ascending
        2^64 P(X <= first + i), rounded. The count of a word u is `first` plus the number of
        thresholds that do not exceed u.
    """

    first: int
    thresholds: Words

    def counts(self, words: Words) -> NDArray[np.intp]:
        """Return the count of each word, same shape."""
        return self.first + np.searchsorted(self.thresholds, words, side="right")

    @property
    def is_coin(self) -> bool:
        """Whether the count is the leading bit of the word."""
        return self.first == 0 and self.thresholds.tolist() == [1 << 63]

    def guide(self) -> NDArray[np.int16]:
        """Return, for each value of the leading bits, the count, or ~(least count) if undecided."""
        shift = np.uint64(64 - GUIDE_BITS)
        cell = (self.thresholds >> shift).astype(np.intp)
        inside = (self.thresholds & np.uint64((1 << (64 - GUIDE_BITS)) - 1)) != 0
        passed = np.bincount(cell + inside, minlength=(1 << GUIDE_BITS) + 1)[: 1 << GUIDE_BITS]
        least = (self.first + np.cumsum(passed)).astype(np.int16)
        least[cell[inside]] = ~least[cell[inside]]
        return least


def _runs(
    tables: Sequence[InverseTable], begins: Sequence[int], n_narrow: int
) -> NDArray[np.int64]:
    """Describe the types that share each table, as `deadheat.resampling.kernel.Plan` has it."""
    sizes = np.array([table.thresholds.size for table in tables], dtype=np.int64)
    ends = np.cumsum(sizes)
    kinds = [
        (0 if table.is_coin else 1) if number < n_narrow else 2
        for number, table in enumerate(tables)
    ]
    guides = np.minimum(np.arange(len(tables)), n_narrow) << GUIDE_BITS
    firsts = [table.first for table in tables]
    columns = (begins[:-1], begins[1:], kinds, guides, ends - sizes, ends, firsts)
    return np.stack([np.asarray(column, dtype=np.int64) for column in columns], axis=1)


def poisson(mean: float) -> InverseTable:
    """Return the table of the Poisson distribution.

    Examples
    --------
    >>> poisson(0.0).counts(np.array([0, 2**64 - 1], dtype=np.uint64)).tolist()
    [0, 0]
    """
    mode = math.floor(mean)
    width = math.ceil(11.0 * math.sqrt(mean)) + 40
    least = max(0, mode - width)
    falling = np.arange(mode, least, -1) / mean if mode > least else np.empty(0)
    rising = mean / np.arange(mode + 1, mode + width + 1)
    return _inverse(least, outwards(falling, rising))


def fair_binomial(coins: int) -> InverseTable:
    """Return the table of the number of heads among fair coins; exact up to `EXACT_COINS`.

    Examples
    --------
    >>> (fair_binomial(2).thresholds >> np.uint64(62)).tolist()
    [1, 3]
    """
    if coins <= EXACT_COINS:
        return _inverse(0, np.array([math.comb(coins, k) for k in range(coins + 1)], dtype=float))
    mode = coins // 2
    width = math.ceil(6.0 * math.sqrt(coins)) + 40
    least, most = max(0, mode - width), min(coins, mode + width)
    down, up = np.arange(mode, least, -1), np.arange(mode, most)
    return _inverse(least, outwards(down / (coins - down + 1), (coins - up) / (up + 1)))


def outwards(falling: Floats, rising: Floats) -> Floats:
    """Return terms, shape (n,), relative to that of the mode, from ratios of neighbours."""
    return np.concatenate([np.cumprod(falling)[::-1], [1.0], np.cumprod(rising)])


def _inverse(least: int, terms: Floats) -> InverseTable:
    below = np.cumsum(terms)
    above = np.cumsum(terms[::-1])[::-1]
    # Each tail is summed from its own end, so that small probabilities keep their digits.
    lower = (below[:-1] / below[-1]) * WORD
    upper = (above[1:] / above[0]) * WORD
    low_half = lower < WORD / 2
    rounded = np.rint(np.where(low_half, lower, upper)).astype(np.uint64)
    never = ~low_half & (rounded == 0)
    at_once = int(np.count_nonzero(low_half & (rounded == 0)))
    thresholds = np.where(low_half, rounded, np.uint64(0) - rounded)[~never][at_once:]
    return InverseTable(first=least + at_once, thresholds=thresholds)


class IndependentCounts:
    """One count for each type, independent of one another, from raw words.

    Types of equal multiplicity share a table. Word order of one row, types in the order given:

    1. the types whose tables have at most `MOST_THRESHOLDS` thresholds, four to a word, each a
       lane of 16 bits, lowest lane first; the last word is filled up by lanes nobody reads;
    2. the other types, one whole word each.

    A count that the leading `GUIDE_BITS` bits of a lane leave open takes the next word w of
    `more` and is that of the word (lane << 48) | (w >> 16); rows first, then types.

    Parameters
    ----------
    multiplicities : ndarray of int, ascending, shape (G,)
        How many units are of each type.
    table_of : callable
        Table of a type with a given multiplicity; more thresholds for a greater one.
    """

    __slots__ = (
        "_column",
        "_ends",
        "_flat",
        "_guide",
        "_n_coins",
        "_n_lanes",
        "_offsets",
        "_runs",
        "_starts",
        "_wide",
    )

    def __init__(
        self, multiplicities: NDArray[np.int64], table_of: Callable[[int], InverseTable]
    ) -> None:
        distinct, begins = np.unique(multiplicities, return_index=True)
        runs: list[int] = [*begins.tolist(), multiplicities.size]
        tables = [table_of(m) for m in distinct.tolist()]
        n_narrow = sum(table.thresholds.size <= MOST_THRESHOLDS for table in tables)
        narrow = tables[:n_narrow]
        self._n_lanes = runs[n_narrow]
        self._n_coins = runs[1] if n_narrow and narrow[0].is_coin else 0
        self._column = np.repeat(np.arange(n_narrow), np.diff(runs[: n_narrow + 1]))[
            self._n_coins :
        ]
        self._offsets = self._column << GUIDE_BITS if n_narrow > 1 else None
        sizes = np.array([table.thresholds.size for table in narrow], dtype=np.intp)
        self._ends = np.cumsum(sizes)
        # Where the threshold just above count c of a table lies in the flat array, less c.
        self._starts = self._ends - sizes - np.array([table.first for table in narrow], np.intp)
        self._guide = np.concatenate([np.empty(0, np.int16), *(table.guide() for table in narrow)])
        self._flat = np.concatenate(
            [np.empty(0, np.uint64), *(table.thresholds for table in tables)]
        )
        # The thresholds of whole words are kept once: many types of many units have long tables.
        past = np.cumsum([table.thresholds.size for table in tables])
        self._wide = [
            (
                InverseTable(first=table.first, thresholds=self._flat[end - size : end]),
                slice(start, stop),
            )
            for table, size, end, start, stop in zip(
                tables[n_narrow:],
                (table.thresholds.size for table in tables[n_narrow:]),
                past[n_narrow:].tolist(),
                runs[n_narrow:-1],
                runs[n_narrow + 1 :],
                strict=True,
            )
        ]
        self._runs = _runs(tables, runs, n_narrow)

    def plan(self, **more: Any) -> kernel.Plan:
        """Return what the compiled kernel takes; `more` says which attempts are resamples."""
        return kernel.Plan(runs=self._runs, guide=self._guide, thresholds=self._flat, **more)

    @property
    def n_words(self) -> int:
        """Words that one row takes from the main stream."""
        return -(-self._n_lanes // 4) + sum(run.stop - run.start for _, run in self._wide)

    def fill(
        self,
        counts: NDArray[np.floating],
        words: Words,
        more: Stream,
        scratch: Scratch | None = None,
    ) -> None:
        """Draw counts, shape (row, G), from words of shape (row, n_words)."""
        n_lanes, n_packed = self._n_lanes, -(-self._n_lanes // 4)
        if n_lanes:
            packed = np.ascontiguousarray(words[:, :n_packed]).astype("<u8", copy=False)
            lanes, n_coins = packed.view("<u2")[:, :n_lanes], self._n_coins
            if n_coins:
                np.right_shift(lanes[:, :n_coins], np.uint16(15), out=counts[:, :n_coins])
            if n_coins < n_lanes:
                found = self._narrow(lanes[:, n_coins:], more, scratch or Scratch())
                counts[:, n_coins:n_lanes] = found
        for table, run in self._wide:
            at = slice(n_packed + run.start - n_lanes, n_packed + run.stop - n_lanes)
            counts[:, run] = table.counts(words[:, at])

    def _narrow(
        self, lanes: NDArray[np.uint16], more: Stream, scratch: Scratch
    ) -> NDArray[np.int16]:
        cells = scratch.array("cells", lanes.shape, np.intp)
        np.right_shift(lanes, np.uint16(16 - GUIDE_BITS), out=cells)
        if self._offsets is not None:
            cells += self._offsets
        found = scratch.array("found", lanes.shape, np.int16)
        # No cell is out of range; with "raise", `out` would be copied.
        self._guide.take(cells, out=found, mode="wrap")
        flat = found.reshape(-1)
        undecided = np.flatnonzero(np.less(flat, 0, out=scratch.array("open", flat.shape, bool)))
        if undecided.size:
            row, column = np.divmod(undecided, found.shape[1])
            words = lanes[row, column].astype(np.uint64) << np.uint64(48)
            words |= more.words(undecided.size) >> np.uint64(16)
            flat[undecided] = self._decide(words, self._column[column], ~flat[undecided])
        return found

    def _decide(
        self, words: Words, table: NDArray[np.intp], least: NDArray[np.int16]
    ) -> NDArray[np.intp]:
        at = self._starts[table] + least
        ends = self._ends[table]
        rising = np.arange(at.size)
        while rising.size:
            here = at[rising]
            passed = self._flat[here] <= words[rising]
            rising, here = rising[passed], here[passed] + 1
            at[rising] = here
            rising = rising[here < ends[rising]]
        return at - self._starts[table]
