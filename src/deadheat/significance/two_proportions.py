"""Score test of two proportions on different items, variance pooled under the null."""

from __future__ import annotations

import math

from scipy import special

from deadheat.errors import InferenceError
from deadheat.significance.significance import Alternative, Significance, by_side, stated


def two_proportion_z(
    k_baseline: float,
    n_baseline: float,
    k_candidate: float,
    n_candidate: float,
    *,
    alternative: Alternative = "two-sided",
) -> Significance:
    """Test whether two independent proportions are equal.

    Parameters
    ----------
    k_baseline, n_baseline, k_candidate, n_candidate : float
        Right answers and items of each system.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.

    Raises
    ------
    InferenceError
        Unless 0 <= k <= n for both.
    """
    for k, n in ((k_baseline, n_baseline), (k_candidate, n_candidate)):
        if not (math.isfinite(n) and 0.0 <= k <= n):
            raise InferenceError(f"{k:g} of {n:g} is not a proportion.", fix="Give 0 <= k <= n.")
    note, bound = "", None
    if n_baseline == 0 or n_candidate == 0:
        z, p_value, note = math.nan, math.nan, "there are no items"
    else:
        pooled = (k_baseline + k_candidate) / (n_baseline + n_candidate)
        error = math.sqrt(pooled * (1.0 - pooled) * (1.0 / n_baseline + 1.0 / n_candidate))
        gain = k_candidate / n_candidate - k_baseline / n_baseline
        if error == 0.0:
            z, p_value, note = 0.0, 1.0, "all answers are alike"
        else:
            z = gain / error
            p_value, bound = stated(
                by_side(float(special.ndtr(z)), float(special.ndtr(-z)), alternative)
            )
    return Significance(
        name="z",
        variant="pooled",
        statistic=z,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        note=note,
    )
