"""The t test of a mean over clusters (Bell and McCaffrey 2002)."""

from __future__ import annotations

import math

from scipy import special

from deadheat.significance.significance import Alternative, Significance, by_side, stated


def cluster_t(
    mean: float,
    standard_error: float,
    df: float,
    *,
    n_clusters: int,
    alternative: Alternative = "two-sided",
    note: str = "",
) -> Significance:
    """Test whether a mean difference is zero, by its cluster-robust standard error.

    Parameters
    ----------
    mean, standard_error, df : float
        Of candidate - baseline; see `deadheat.intervals.cr2`.
    n_clusters : int
        Reported.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    note : str
        Why there is no standard error.
    """
    detail: dict[str, float | int] = {"n_clusters": n_clusters}
    if not standard_error > 0.0:
        nothing = mean == 0.0 and standard_error == 0.0
        return Significance(
            name="cluster_t",
            variant="cr2",
            statistic=0.0 if nothing else math.nan,
            p_value=1.0 if nothing else math.nan,
            alternative=alternative,
            detail=detail,
            note=note,
        )
    t = mean / standard_error
    p_value, bound = stated(
        by_side(float(special.stdtr(df, t)), float(special.stdtr(df, -t)), alternative)
    )
    return Significance(
        name="cluster_t",
        variant="cr2",
        statistic=t,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        detail=detail | {"df": df},
    )
