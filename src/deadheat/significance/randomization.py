"""P-values from the distribution of a difference under exchange of the systems within items."""

from __future__ import annotations

import math

from deadheat.distributions import Distribution, floor, negligible, tails
from deadheat.significance.significance import Alternative, Significance, by_side


def randomization(
    name: str,
    null: Distribution,
    observed: float,
    *,
    alternative: Alternative,
    detail: dict[str, float | int],
) -> Significance:
    """Hold an observed difference against its randomization distribution.

    Ties with the observed value count as as extreme. Where the distribution was drawn the
    identity counts as one draw, (1 + hits) / (1 + R), so that p is never 0 (Phipson & Smyth
    2010).
    """
    draws, least = null.n_resamples, floor(null)
    if negligible(abs(observed), 0.0) and alternative == "two-sided":
        p_value = 1.0
    elif alternative == "two-sided":
        # The distribution is symmetric: the other tail lies beyond the mirrored value.
        share = null.at_most(-abs(observed)) + null.at_least(abs(observed))
        p_value = share if draws is None else (round(share * draws) + 1) / (draws + 1)
    else:
        p_value = by_side(*tails(null, observed), alternative)
    p_value = min(1.0, max(p_value, least))
    return Significance(
        name=name,
        variant="exact" if draws is None else "monte_carlo",
        statistic=observed,
        p_value=p_value,
        alternative=alternative,
        exact=draws is None,
        n_resamples=draws,
        p_value_bound=p_value if p_value <= least else None,
        monte_carlo_error=(
            None if draws is None else math.sqrt(max(p_value * (1.0 - p_value), 0.0) / draws)
        ),
        detail=detail,
    )
