"""The t test of a mean for new items and new runs (Satterthwaite 1946)."""

from __future__ import annotations

import math

from scipy import special

from deadheat.significance.significance import Alternative, Significance, by_side, stated


def components_t(
    mean: float,
    standard_error: float,
    df: float,
    *,
    n_runs: tuple[int, int],
    alternative: Alternative = "two-sided",
    note: str = "",
) -> Significance:
    """Test whether a mean difference is zero, items and runs both being samples.

    Parameters
    ----------
    mean, standard_error, df : float
        Of candidate - baseline; see `deadheat.intervals.components`.
    n_runs : tuple of int
        Of baseline and candidate; reported.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    note : str
        Why there is no standard error.
    """
    detail: dict[str, float | int] = dict(
        zip(("n_runs_baseline", "n_runs_candidate"), n_runs, strict=True)
    )
    if not standard_error > 0.0:
        nothing = mean == 0.0 and standard_error == 0.0
        return Significance(
            name="components_t",
            variant="satterthwaite",
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
        name="components_t",
        variant="satterthwaite",
        statistic=t,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        detail=detail | {"df": df},
    )
