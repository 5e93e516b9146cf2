"""Everything that n items can show under two systems, with its probability."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from deadheat.power.binomial import Floats, Ints, binomial, binomial_rows
from deadheat.power.copula import Cells

LEFT_OUT = 1e-13
"""Probability that may be left out, all outcomes without it together."""

MAX_ITEMS = 100_000
"""Items up to which all outcomes are enumerated."""

BLOCK = 512
"""Outcomes that are worked on at a time: what is computed of them stays in cache."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outcomes:
    """Discordant counts, in order of their sum, and how likely they are.

    Attributes
    ----------
    losses, wins : ndarray of int, shape (outcome,)
        Items that only the baseline and only the candidate gets right.
    mass : ndarray, shape (outcome,)
        Probabilities; with `left_out` they add up to 1.
    left_out : float
        Probability of the outcomes that are not listed.
    """

    losses: Ints
    wins: Ints
    mass: Floats
    left_out: float


def outcomes(n: int, cells: Cells, *, left_out: float = LEFT_OUT) -> Outcomes:
    """Return the likeliest outcomes, all but `left_out` of the probability.

    Parameters
    ----------
    n : int
        Items.
    cells : Cells
    left_out : float
        Probability that may be left out.
    """
    share = min(cells.discordance, 1.0)
    first, of_sum = binomial(n, share)
    discordant = first + np.arange(of_sum.size)
    kept = of_sum > 0.1 * left_out / of_sum.size
    discordant, of_sum = discordant[kept], of_sum[kept]
    start, of_wins = binomial_rows(discordant, cells.only_candidate / share if share else 0.0)
    mass = of_sum[:, None] * of_wins
    ascending = np.sort(mass, axis=None)
    least = ascending[np.searchsorted(np.cumsum(ascending), 0.8 * left_out)]
    row, column = np.nonzero(mass >= max(least, np.finfo(float).tiny))
    wins = start[row] + column
    listed = mass[row, column]
    return Outcomes(
        losses=discordant[row] - wins,
        wins=wins,
        mass=listed,
        left_out=max(1.0 - float(listed.sum()), 0.0),
    )


def blocks(size: int, block: int = BLOCK) -> list[slice]:
    """Return slices that cover `size` outcomes, `block` at a time.

    Parameters
    ----------
    size : int
        Number of outcomes.
    block : int
        Outcomes of a slice.
    """
    return [slice(start, start + block) for start in range(0, size, block)]
