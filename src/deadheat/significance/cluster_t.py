"""The t test of a mean over clusters (Bell and McCaffrey 2002)."""

from __future__ import annotations

from deadheat.significance.significance import Alternative, Significance, of_t


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
    return of_t(
        "cluster_t",
        "cr2",
        mean=mean,
        standard_error=standard_error,
        df=df,
        alternative=alternative,
        detail=detail,
        note=note,
    )
