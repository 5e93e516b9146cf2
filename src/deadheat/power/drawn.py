"""The percentile interval of R drawn resamples, exactly: an average over draws without drawing."""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.binomial import Floats, Ints
from deadheat.power.bootstrap import cumulated, expansion
from deadheat.power.checks import is_whole, one_of, open_share, shown, size
from deadheat.power.copula import Cells
from deadheat.power.enumeration import SAME, Enumerated, Sides, alpha_of, summed
from deadheat.power.fourier import Totals
from deadheat.power.mcnemar import TESTS
from deadheat.power.outcomes import blocks, outcomes

MAX_ITEMS = 20_000
"""Items up to which all outcomes are enumerated."""

MAX_RESAMPLES = 10_000_000

KNOTS = 16_385
"""Points between which a chance is interpolated, to about 1e-8 of a step in the mean width."""

NEVER = 1e-15
"""Ranks that are taken less often do not move the mean width."""


def drawn_percentile(
    n: int,
    cells: Cells,
    *,
    n_resamples: int,
    test: str = "exact",
    confidence_level: float = 0.95,
) -> Enumerated:
    """Return what the percentile interval of R resamples and McNemar's test do on n items.

    Given the data, an end is an order statistic of R independent draws from the ideal bootstrap
    distribution F: P(k-th smallest <= x) = P(Binomial(R, F(x)) >= k) (David & Nagaraja 2003,
    section 2.1). So chances and the mean width are averages over data and draws, without drawing.

    Parameters
    ----------
    n : int
        Items, from 2 to 20,000.
    cells : Cells
        The truth.
    n_resamples : int
        R; the ends are the draws of rank k and R + 1 - k, k = floor((R + 1) alpha / 2).
    test, confidence_level
        As in `enumerated`.

    Raises
    ------
    InferenceError
        If a number is out of its range, or there are too few resamples for the level.
    UsageError
        If there is no such test.

    Examples
    --------
    >>> from deadheat.power import cells
    >>> found = drawn_percentile(100, cells(0.72, 0.76, 0.36), n_resamples=2_000)
    >>> round(found.coverage, 4)
    0.9557
    """
    items = size(n, least=2, most=MAX_ITEMS, fix="Simulate it instead.")
    level = open_share("the confidence level", confidence_level)
    one_of("test", test, TESTS)
    rank = _rank(n_resamples, alpha_of(level) / 2.0)
    listed = outcomes(items, cells)
    parts = [
        _ends(listed.losses[block], listed.wins[block], items, cells.gap, rank, n_resamples)
        for block in blocks(listed.mass.size)
    ]
    above, positive, low, below, negative, minus_high = np.concatenate(parts, axis=1)
    point = (listed.losses == items) | (listed.wins == items) | (listed.losses + listed.wins == 0)
    return summed(
        items,
        cells,
        listed,
        Sides(
            below=below,
            above=above,
            negative=negative,
            positive=positive,
            point=point.astype(np.float64),
            width=-(low + minus_high) / items,
        ),
        method="percentile",
        test=test,
        confidence_level=level,
    )


def _rank(n_resamples: int, tail: float) -> int:
    if not is_whole(n_resamples) or not 2 <= n_resamples <= MAX_RESAMPLES:
        raise InferenceError(
            f"the number of resamples is {shown(n_resamples)}.",
            fix=f"Give a whole number from 2 to {MAX_RESAMPLES:,}.",
        )
    rank = math.floor((n_resamples + 1) * tail + 1e-9)
    if rank < 1:
        raise InferenceError(
            f"{n_resamples} resamples cannot place an end that leaves {tail:.3g} outside.",
            fix=f"Draw at least {math.ceil(1.0 / tail - 1e-6) - 1:,} resamples.",
        )
    return rank


def _ends(losses: Ints, wins: Ints, n: int, gap: float, rank: int, n_resamples: int) -> Floats:
    """P(low > gap), P(low > 0), E(low), and the same with the systems swapped, (6, table)."""
    totals = Totals.of(losses, wins, n)
    sides = [(totals, losses, wins, gap), (totals.mirrored(), wins, losses, -gap)]
    return np.array(
        [
            row
            for one, lost, won, truth in sides
            for row in _low(one, lost, won, n, truth, rank, n_resamples)
        ]
    )


def _low(
    totals: Totals, losses: Ints, wins: Ints, n: int, gap: float, rank: int, n_resamples: int
) -> tuple[Floats, Floats, Floats]:
    gain = wins - losses
    shape = (rank, n_resamples - rank + 1)

    def exceeds(point: int) -> Floats:
        share = np.clip(totals.at_most_own(point - gain), 0.0, 1.0)
        return np.asarray(special.betaincc(*shape, share), dtype=np.float64)

    least = float(special.betaincinv(*shape, NEVER))
    most = float(special.betainccinv(*shape, NEVER))
    guess = np.array(
        [expansion(losses, wins, n, tail) for tail in (max(least, 1e-12), min(most, 1.0 - 1e-12))]
    )
    points, share = cumulated(totals, guess, least, most)
    # The mean needs this chance at many points: between knots it is drawn straight.
    knots = np.linspace(least, most, KNOTS)
    reached = np.interp(share[:, :-1], knots, special.betainc(*shape, knots))
    mean = gain + points[-1] - reached.sum(axis=1)
    return exceeds(math.floor(n * gap + n * SAME)), exceeds(0), mean
