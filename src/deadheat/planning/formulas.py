"""Formulas that several parts of a plan share."""

from __future__ import annotations

import math

from scipy import special

from deadheat import power
from deadheat.planning.design import Design

MOST_EXACT = 1_000_000
"""Items up to which powers are exact; beyond, a formula is right to many digits."""


def scaled(n: float, design: Design) -> int:
    """Return so many independent items as items of the design.

    Parameters
    ----------
    n : float
        Independent items.
    design : Design
    """
    return math.ceil(n * design.clustering.design_effect - 1e-9)


def effective(items: int, design: Design) -> int:
    """Return items of the design as whole independent items.

    Parameters
    ----------
    items : int
        Items of the design.
    design : Design
    """
    return math.floor(items / design.clustering.design_effect + 1e-9)


def connor_power(n: int, gap: float, discordance: float, *, alpha: float) -> float:
    """Return the power of McNemar's test by Connor's (1987) formula, solved for the power.

    Parameters
    ----------
    n : int
        Independent items.
    gap : float
        True difference of the accuracies; its sign does not matter.
    discordance : float
        Share of items on which exactly one system is right.
    alpha : float
        Two-sided level.

    Examples
    --------
    >>> round(connor_power(1960, 0.02, 0.10, alpha=0.05), 3)
    0.8
    """
    sd = math.sqrt(max(discordance - gap * gap, 0.0))
    reach = abs(gap) * math.sqrt(n) + float(special.ndtri(alpha / 2.0)) * math.sqrt(discordance)
    if sd == 0.0:
        return float(reach > 0.0)
    return float(special.ndtr(reach / sd))


def power_of_test(n: int, gap: float, discordance: float, *, test: str, alpha: float) -> float:
    """Return the power of McNemar's test, exact up to `MOST_EXACT` items.

    Parameters
    ----------
    n, gap, discordance, alpha
        As in `connor_power`.
    test : {"exact", "midp", "chi2", "chi2_cc"}
    """
    if n > MOST_EXACT:
        return connor_power(n, gap, discordance, alpha=alpha)
    lost, won = (discordance - gap) / 2.0, (discordance + gap) / 2.0
    return power.mcnemar_power(n, max(lost, 0.0), won, test=test, alpha=alpha)
