"""The multinomial engine: how often each type is drawn in a resample, exactly.

An attempt draws independent Poisson counts for the types. Given their total they are multinomial,
whatever the total is, so a resample of n units is completed from an attempt in one of two ways,
chosen by cost from the multiplicities alone:

*top-up*: rates 1 - c / sqrt(n) a unit; an attempt whose total exceeds n is rejected, and the
shortfall is topped up by uniform draws of single units. A small c rejects more attempts, a great
one draws more units: c is 1, 2 or 3 (`SLACKS`).

*remainder* (few types): the most frequent type, p of all units, is not drawn but takes what the
others, at rate 1 a unit, leave of n. Their total then has to be Binomial(n, 1 - p) and is
Poisson(n (1 - p)): an attempt is accepted with probability proportional to the ratio of the two,
which is greatest at total = n (1 - p); sqrt(p) of the attempts are accepted. Nothing here grows
with n.

The accepted attempts of a block, in order, are its resamples.

Word order of block j of a purpose, types in ascending multiplicity (ties in the order given):

* main stream: attempts one after the other, each the words of
  `deadheat.resampling.tables.IndependentCounts`, then, for the remainder, one word w: the attempt
  is accepted if w < floor(2^64 x acceptance probability), at most 2^64 - 1.
* branch 0: the further words of `IndependentCounts`.
* branch 1: the units of top-ups, resample by resample, two to a word, low half first: the half h
  gives unit (h n) >> 32 and is skipped if (h n) mod 2^32 < 2^32 mod n (Lemire 2019). Unit u is of
  the type whose cumulated multiplicity first exceeds u.

No position in one stream depends on how much of another is read at a time: any chunking gives the
same bits, and fewer resamples are the first of more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from deadheat.errors import InferenceError
from deadheat.resampling import kernel
from deadheat.resampling.scratch import Scratch
from deadheat.resampling.tables import WORD, IndependentCounts, Words, outwards, poisson
from deadheat.resampling.units import MOST_UNITS, Owners, Units
from deadheat.rng import Stream

Ints = NDArray[np.int64]

CHUNK_CELLS = 1 << 18
"""Counts in memory at a time; changes no bit."""

SLACKS = ((1.0, 0.8413, 1.288), (2.0, 0.9772, 2.055), (3.0, 0.9987, 3.004))
"""c, share of attempts accepted, and units drawn for each sqrt(n). Part of the stream."""

COST_UNIT = 2.5
"""Cost of drawing a unit, in counts of a type of one unit. Part of the stream."""


def counts(stream: Stream, multiplicities: Ints, n: int, rows: int) -> Ints:
    """Draw how often each type occurs in resamples of n units.

    Parameters
    ----------
    stream : Stream
        Fresh stream of a block.
    multiplicities : ndarray of int, shape (G,)
        Units of each type; they add up to `n`.
    n : int
        Units in a resample.
    rows : int
        Number of resamples.

    Returns
    -------
    ndarray of int64, shape (rows, G)
        Each row multinomial (n; multiplicities / n).

    Raises
    ------
    InferenceError
        If the multiplicities are not whole numbers of zero or more that add up to `n`, or if
        there are no units, or `MOST_UNITS` or more.
    """
    engine = Multinomial(multiplicities)
    if engine.n != n:
        raise InferenceError(
            f"multiplicities add up to {engine.n:,}, not to n = {n:,}.",
            fix="A resample has as many units as there are.",
        )
    drawn = np.empty((rows, engine.order.size), dtype=np.int64)
    done = 0
    for chunk in engine.chunks(stream, rows, np.float64):
        drawn[done : done + len(chunk), engine.order] = chunk
        done += len(chunk)
    return drawn


class Multinomial:
    """Draws of the counts of types.

    Parameters
    ----------
    multiplicities : ndarray of int, shape (G,)
        Units of each type.

    Attributes
    ----------
    n : int
        Units in a resample.
    order : ndarray of intp, shape (G,)
        Types in the order of the columns of `chunks`: by ascending multiplicity.
    """

    __slots__ = (
        "_acceptance",
        "_accepted",
        "_cells",
        "_counts",
        "_least",
        "_owners",
        "_plan",
        "n",
        "order",
    )

    def __init__(self, multiplicities: Ints) -> None:
        given = checked_multiplicities(multiplicities)
        self.n = int(given.sum())
        self.order = np.argsort(given, kind="stable")
        ascending = given[self.order]
        self._owners: Owners | None = None
        self._acceptance: Words | None = None
        self._least = 0
        slack = _slack(ascending, self.n)
        self._accepted = _accepted(slack, ascending, self.n)
        if slack is None:
            self._least, self._acceptance = _acceptance(self.n, int(ascending[-1]))
            self._counts = IndependentCounts(ascending[:-1], poisson)
            self._cells = given.size
            self._plan = self._counts.plan(
                mode=kernel.REMAINDER, n=self.n, least=self._least, acceptance=self._acceptance
            )
        else:
            self._owners = Owners(ascending)
            rate = max(0.0, 1.0 - slack / math.sqrt(self.n))
            self._counts = IndependentCounts(ascending, lambda units: poisson(units * rate))
            self._cells = max(given.size, math.ceil(slack * math.sqrt(self.n)))
            self._plan = self._counts.plan(
                mode=kernel.TOPPED_UP, n=self.n, **self._owners.described()
            )

    def chunks(
        self,
        stream: Stream,
        rows: int,
        dtype: DTypeLike = np.float64,
        scratch: Scratch | None = None,
    ) -> Iterator[NDArray[Any]]:
        """Yield counts of successive resamples, shape (up to rows, G), columns as in `order`.

        The memory of a chunk is used again for the next one.

        Parameters
        ----------
        stream : Stream
            Fresh stream of a block.
        rows : int
            Resamples to draw in all.
        dtype : float32 or float64
            Of the counts; float32 serves up to n = 2^23.
        scratch : Scratch, optional
            Memory of the calling thread.
        """
        scratch = scratch or Scratch()
        most = max(1, CHUNK_CELLS // self._cells)
        if kernel.name() == "c":
            words = kernel.words_of(stream, stream.branch(0), stream.branch(1))
            for start in range(0, rows, most):
                shape = (min(most, rows - start), self.order.size)
                drawn = scratch.array("counts", shape, dtype)
                self._plan.fill(drawn, words)
                yield drawn
            return
        more, units = stream.branch(0), Units(stream.branch(1), self.n)
        missing = rows
        while missing:
            enough = _attempts_for(missing, self._accepted)
            drawn = scratch.array("counts", (min(enough, most), self.order.size), dtype)
            total, good = self._attempts(drawn, stream, more, scratch)
            kept = np.flatnonzero(good)[:missing]
            if kept.size < len(drawn):
                spare = scratch.array("kept", (kept.size, drawn.shape[1]), dtype)
                drawn, total = drawn.take(kept, axis=0, out=spare, mode="clip"), total[kept]
            if self._owners is not None:
                _top_up(drawn, self.n - total, units, self._owners)
            missing -= len(drawn)
            if len(drawn):
                yield drawn

    def _attempts(
        self, drawn: NDArray[Any], stream: Stream, more: Stream, scratch: Scratch
    ) -> tuple[Ints, NDArray[np.bool_]]:
        """Draw an attempt in each row; return the totals drawn and which are accepted."""
        n_words = self._counts.n_words + (self._acceptance is not None)
        words = scratch.words(stream, len(drawn), n_words)
        if self._acceptance is None:
            self._counts.fill(drawn, words, more, scratch)
            total = drawn.sum(axis=1).astype(np.int64)
            return total, total <= self.n
        self._counts.fill(drawn[:, :-1], words[:, :-1], more, scratch)
        total = drawn[:, :-1].sum(axis=1).astype(np.int64)
        drawn[:, -1] = self.n - total
        at = total - self._least
        inside = (at >= 0) & (at < self._acceptance.size)
        limit = np.where(inside, self._acceptance[np.where(inside, at, 0)], np.uint64(0))
        return total, words[:, -1] < limit


def _top_up(drawn: NDArray[Any], lacking: Ints, units: Units, owners: Owners) -> None:
    """Add the units that attempts lack, in place."""
    cells = owners.of(units.take(int(lacking.sum())))
    cells = cells + np.repeat(np.arange(len(drawn)) * drawn.shape[1], lacking)
    np.add.at(drawn.reshape(-1), cells, drawn.dtype.type(1))


def checked_multiplicities(multiplicities: Ints) -> Ints:
    """Return multiplicities as int64, shape (G,).

    Raises
    ------
    InferenceError
        If they are not whole numbers of zero or more, or if there are no units or too many.
    """
    given = np.asarray(multiplicities)
    if given.ndim != 1 or given.dtype.kind not in "iu" or (given.size and given.min() < 0):
        raise InferenceError(
            f"multiplicities of type {given.dtype} and shape {given.shape} do not count units.",
            fix="Give one whole number of zero or more for each type.",
        )
    n = int(given.sum(dtype=np.int64))
    if not 1 <= n < MOST_UNITS:
        raise InferenceError(
            f"there are {n:,} units to resample.",
            fix=f"Resampling needs at least 1 unit and fewer than {MOST_UNITS:,}.",
        )
    return given.astype(np.int64)


def _accepted(slack: float | None, ascending: Ints, n: int) -> float:
    """Return about what share of the attempts is accepted. Changes no bit."""
    if slack is None:
        return math.sqrt(ascending[-1] / n)
    return 0.5 * math.erfc(-slack / math.sqrt(2.0))


def _attempts_for(missing: int, accepted: float) -> int:
    """Return how many attempts leave `missing` accepted ones five times in six."""
    return math.ceil((missing + math.sqrt(missing * (1.0 - accepted))) / accepted)


def _slack(ascending: Ints, n: int) -> float | None:
    """Return the c of the cheapest top-up, or None where the remainder is cheaper.

    Costs are in counts of a type of one unit. Measured: a count of m units costs 1 + sqrt(m) / 9
    while lanes serve (the leading bits leave more of them open), then 30.
    """
    # A cumulated sum adds in one order everywhere; the choice must not depend on the machine.
    cost = np.cumsum(np.where(ascending > 3000, 30.0, 1.0 + np.sqrt(ascending) / 9.0))
    remainder = (float(cost[-2]) if cost.size > 1 else 0.0) / math.sqrt(ascending[-1] / n)
    top_ups = [
        (float(cost[-1]) / accepted + COST_UNIT * min(n, units * math.sqrt(n)), slack)
        for slack, accepted, units in SLACKS
    ]
    cheapest, slack = min(top_ups)
    return slack if cheapest < remainder else None


def _acceptance(n: int, last: int) -> tuple[int, Words]:
    """Return the least total with a chance, and 2^64 times the acceptance probability from it on.

    With t the total of the other types, Binomial(t; n, 1 - last/n) / Poisson(t; n - last) changes
    by the factor (n - t) / last from t to t + 1: 1 at t = n - last, falling on both sides.
    """
    mode = n - last
    width = math.ceil(11.0 * math.sqrt(mode)) + 40
    least, most = max(0, mode - width), min(n, mode + width)
    falling = last / (n - np.arange(mode, least, -1) + 1.0)
    rising = (n - np.arange(mode, most)) / last
    chance = outwards(falling, rising) * WORD
    sure = chance >= WORD
    limits = np.where(sure, 0.0, chance).astype(np.uint64)
    limits[sure] = np.uint64(0xFFFFFFFFFFFFFFFF)
    return least, limits
