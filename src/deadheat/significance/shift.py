"""Shift tests: what other tools call the paired bootstrap test (STATISTICS.md 2.4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from deadheat.distributions import Distribution, Replicates, floor, negligible
from deadheat.significance.significance import Alternative, Significance, one_of

VARIANTS = ("two-sided", "berg_kirkpatrick", "koehn")


def shift(
    distribution: Distribution | NDArray[np.float64],
    estimate: float,
    *,
    variant: str = "two-sided",
) -> Significance:
    """Hold the distribution, shifted to a null of no difference, against the estimate.

    Parameters
    ----------
    distribution : Distribution or ndarray, shape (resample,)
        Of candidate - baseline over resamples, not centred.
    estimate : float
        candidate - baseline on the data.
    variant : {"two-sided", "berg_kirkpatrick", "koehn"}
        Share of resamples at least |estimate| from the estimate; one-sided share of resamples
        beyond twice the estimate (Berg-Kirkpatrick et al. 2012); one-sided share of resamples in
        which the winner does not win (Koehn 2004). The one-sided forms look towards the winner.

    Notes
    -----
    An estimate of 0 gives 1: systems that do not differ are no evidence of a difference.
    """
    one_of("variant of the shift test", variant, VARIANTS)
    if isinstance(distribution, np.ndarray):
        distribution = Replicates.of(distribution, estimate=estimate)
    alternative: Alternative = "two-sided"
    if variant != "two-sided":
        alternative = "less" if estimate < 0.0 else "greater"
    draws = distribution.n_resamples
    share = _share(distribution, estimate, variant)
    if draws is not None and variant == "two-sided":
        # The two published forms count as their authors did, without the added one.
        share = (share * draws + 1.0) / (draws + 1)
    least = floor(distribution)
    return Significance(
        name="shift",
        variant=variant,
        statistic=estimate,
        p_value=min(1.0, max(share, least)),
        alternative=alternative,
        exact=draws is None,
        n_resamples=draws,
        p_value_bound=least if share <= least else None,
        monte_carlo_error=(
            None if draws is None else float(np.sqrt(max(share * (1.0 - share), 0.0) / draws))
        ),
    )


def _share(distribution: Distribution, estimate: float, variant: str) -> float:
    if negligible(abs(estimate), 0.0):
        return 1.0
    if variant == "two-sided":
        size = abs(estimate)
        return distribution.at_least(estimate + size) + distribution.at_most(estimate - size)
    if variant == "koehn":
        return distribution.at_most(0.0) if estimate > 0.0 else distribution.at_least(0.0)
    beyond = 2.0 * estimate
    if estimate > 0.0:
        return 1.0 - distribution.at_most(beyond)
    return 1.0 - distribution.at_least(beyond)
