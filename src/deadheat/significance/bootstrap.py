"""Share of the bootstrap distribution beyond zero: the percentile interval turned round."""

from __future__ import annotations

import math

from deadheat.distributions import Distribution, floor, tails
from deadheat.significance.significance import Alternative, Significance, by_side


def bootstrap(
    distribution: Distribution,
    *,
    alternative: Alternative = "two-sided",
    correction: bool = True,
) -> Significance:
    """P-value by shares of the distribution of candidate - baseline (STATISTICS.md 2.2).

    Parameters
    ----------
    distribution : Distribution
        Of the difference over resamples, not centred. Zero counts on both sides.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    correction : bool
        Add one to the count and to the number of draws (Davison & Hinkley 1997, eq. 4.11);
        of no effect where the distribution is exact.
    """
    draws = distribution.n_resamples
    below, above = (
        tails(distribution, 0.0)
        if correction or draws is None
        else (distribution.at_most(0.0), distribution.at_least(0.0))
    )
    p_value = by_side(above, below, alternative)
    least = by_side(floor(distribution), floor(distribution), alternative)
    return Significance(
        name="bootstrap",
        variant="share" if correction or draws is None else "share_uncorrected",
        statistic=math.nan,
        p_value=max(p_value, least),
        alternative=alternative,
        exact=draws is None,
        n_resamples=draws,
        p_value_bound=least if p_value <= least else None,
        monte_carlo_error=None if draws is None else _error(p_value, draws, alternative),
    )


def _error(p_value: float, draws: int, alternative: Alternative) -> float:
    """Return the standard error of a drawn share, doubled where the share was."""
    sides = 2.0 if alternative == "two-sided" else 1.0
    share = p_value / sides
    return sides * math.sqrt(share * (1.0 - share) / draws)
