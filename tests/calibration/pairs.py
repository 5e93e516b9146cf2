"""Intervals of the difference of two accuracies: every outcome weighed by its probability."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy import special, stats

from calibration.choices import Covered
from calibration.ends import TAIL, Ends, Floats, Z
from deadheat.inference.means import estimator_of_mean
from deadheat.power import Cells
from deadheat.power.enumeration import enumerated
from deadheat.resampling.exact import paired_counts
from deadheat.settings import Settings

SIZES = (20, 50, 100, 200, 500, 2_000)

SPLITS = (
    (0.005, 0.005),
    (0.02, 0.01),
    (0.05, 0.05),
    (0.10, 0.00),
    (0.10, 0.05),
    (0.10, 0.10),
    (0.15, 0.05),
    (0.30, 0.10),
    (0.25, 0.25),
)
"""Chances that only the candidate, and only the baseline, gets an item right."""

ENUMERATED = ("auto", "percentile", "tango")
RESAMPLED = ("bca", "bca_t")
MOST_RESAMPLED = 100
"""Items up to which the methods are tried that look at one table at a time."""

Closed = Callable[[int, Floats, Floats], Ends]
"""Maps n, wins and losses, shape (table,), to the ends of a method."""


def cells_of(won: float, lost: float) -> Cells:
    """Return cells in which the rest is shared by both and neither; no method looks at that."""
    rest = (1.0 - won - lost) / 2.0
    return Cells(both=rest, only_baseline=lost, only_candidate=won, neither=rest)


def tables(n: int, won: float, lost: float) -> tuple[Floats, Floats, Floats]:
    """Return wins, losses and probability of all tables but the least likely, shape (table,)."""
    discordance = won + lost
    least, most = stats.binom.interval(1.0 - 1e-12, n, discordance)
    total, wins = np.meshgrid(
        np.arange(least, most + 1.0), np.arange(most + 1.0), indexing="ij", copy=False
    )
    mass = stats.binom.pmf(total, n, discordance) * stats.binom.pmf(wins, total, won / discordance)
    kept = (wins <= total) & (mass > 1e-16)
    return wins[kept], (total - wins)[kept], mass[kept]


def _wald(n: int, wins: Floats, losses: Floats, *, added: float = 0.0, z: float = Z) -> Ends:
    """Return d -+ z sqrt(D/n - d^2) / sqrt(n), cut off at -1 and 1.

    `added` goes to wins and to losses; where it is not 0, two items go to n.
    """
    size = n + (2.0 if added else 0.0)
    gap = (wins - losses) / size
    half = z * np.sqrt(((wins + losses + 2.0 * added) / size - gap**2) / size)
    return np.maximum(gap - half, -1.0), np.minimum(gap + half, 1.0)


def _student_t(n: int, wins: Floats, losses: Floats) -> Ends:
    t = float(special.stdtrit(n - 1, 1.0 - TAIL)) * math.sqrt(n / (n - 1))
    gap = (wins - losses) / n
    half = t * np.sqrt(((wins + losses) / n - gap**2) / n)
    return gap - half, gap + half


CLOSED: dict[str, Closed] = {
    "wald": _wald,
    "student_t": _student_t,
    "agresti_min": partial(_wald, added=0.5),
    "bonett_price": partial(_wald, added=1.0),
}
"""Agresti & Min (2005) add half an item to each of four cells, Bonett & Price (2012) one to two."""


def _one_table(n: int, method: str, wins: int, losses: int) -> tuple[float, float]:
    values = np.array([-1.0, 0.0, 1.0])
    multiplicities = np.array([losses, n - wins - losses, wins])
    there = multiplicities > 0
    interval = estimator_of_mean(
        method,
        values[there],
        multiplicities[there],
        Settings(),
        distribution=lambda: paired_counts(losses, wins, n),
        scores="pairs",
    ).interval_at(0.95)
    return interval.low, interval.high


def _resampled(method: str) -> Closed:
    def ends(n: int, wins: Floats, losses: Floats) -> Ends:
        found = [
            _one_table(n, method, int(won), int(lost))
            for won, lost in zip(wins, losses, strict=True)
        ]
        low, high = np.array(found).T
        return low, high

    return ends


def weighed(ends: Ends, mass: Floats, truth: float) -> Covered:
    """Count what intervals do, each with the probability of its table."""
    low, high = ends
    there = high - low > 1e-12
    above, under = (low > truth + 1e-12) & there, (high < truth - 1e-12) & there
    width = (high - low)[there]
    order = np.argsort(width)
    share = np.cumsum(mass[there][order]) / mass[there].sum()
    return Covered(
        held=float(mass[there & ~above & ~under].sum()),
        too_high=float(mass[above].sum()),
        too_low=float(mass[under].sum()),
        none=float(mass[~there].sum()),
        width=float((width * mass[there]).sum() / mass[there].sum()),
        wide=float(width[order][np.searchsorted(share, 0.9)]),
        n_sets=0,
    )


def of_pair_cell(won: float, lost: float, n: int) -> dict[str, Covered]:
    """Return what every method does for the difference of two accuracies, exactly."""
    found = {}
    for method in ENUMERATED:
        ours = enumerated(n, cells_of(won, lost), method=method)
        # A point at D = 0 holds nothing unless the truth is that point.
        found[method] = Covered(
            held=ours.coverage,
            too_high=ours.above,
            too_low=ours.below,
            none=ours.undefined,
            width=ours.width,
            wide=math.nan,
            n_sets=0,
        )
    wins, losses, mass = tables(n, won, lost)
    methods = CLOSED | ({m: _resampled(m) for m in RESAMPLED} if n <= MOST_RESAMPLED else {})
    return found | {
        method: weighed(ends(n, wins, losses), mass, won - lost) for method, ends in methods.items()
    }
