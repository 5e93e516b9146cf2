"""The t test of a mean for new items and new runs (Satterthwaite 1946)."""

from __future__ import annotations

from deadheat.significance.significance import Alternative, Significance, of_t


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
    return of_t(
        "components_t",
        "satterthwaite",
        mean=mean,
        standard_error=standard_error,
        df=df,
        alternative=alternative,
        detail=detail,
        note=note,
    )
