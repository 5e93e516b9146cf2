"""Swap test of any metric: approximate randomization (Noreen 1989; Yeh 2000)."""

from __future__ import annotations

from deadheat.distributions import Distribution
from deadheat.significance.randomization import randomization
from deadheat.significance.significance import Alternative, Significance


def swap(
    null: Distribution,
    observed: float,
    *,
    alternative: Alternative = "two-sided",
    n: int | None = None,
) -> Significance:
    """Test whether exchanging the two systems' outputs on an item changes nothing.

    Parameters
    ----------
    null : Distribution
        Of candidate - baseline, the metric recomputed under random exchange within items.
    observed : float
        candidate - baseline on the data.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    n : int, optional
        Number of items, reported.
    """
    return randomization(
        "swap", null, observed, alternative=alternative, detail={} if n is None else {"n": n}
    )
