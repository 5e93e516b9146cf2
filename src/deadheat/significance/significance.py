"""The result of every test."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, field
from typing import Literal

from scipy import special

from deadheat.errors import UsageError, known

Alternative = Literal["two-sided", "less", "greater"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Significance:
    """A p-value, and which question it answers.

    Attributes
    ----------
    name, variant : str
        The test and its form, such as "mcnemar" and "exact".
    statistic : float
        What was held against its null distribution; NaN where there is none.
    p_value : float
        NaN where undefined; `note` says why.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    exact : bool
        Whether the null distribution was computed rather than drawn or approximated.
    n_resamples : int or None
        Draws behind a drawn p-value.
    p_value_bound : float or None
        Set when the p-value is only known to be below this bound.
    monte_carlo_error : float or None
        Standard error of a drawn p-value.
    detail : dict
        Counts that the test saw, such as only_baseline and only_candidate.
    note : str
        Why the p-value is undefined, or what it does not say; empty where there is nothing to say.
    """

    name: str
    variant: str
    statistic: float
    p_value: float
    alternative: Alternative = "two-sided"
    exact: bool = False
    n_resamples: int | None = None
    p_value_bound: float | None = None
    monte_carlo_error: float | None = None
    detail: dict[str, float | int] = field(default_factory=dict)
    note: str = ""

    def to_dict(self) -> dict[str, float | str | bool | None]:
        """Return plain data; what the test counted stands beside its p-value."""
        found: dict[str, float | str | bool | None] = {
            "name": self.name,
            "variant": self.variant,
            "statistic": self.statistic,
            "p_value": self.p_value,
            "p_value_bound": self.p_value_bound,
            "alternative": self.alternative,
            "exact": self.exact,
            "n_resamples": self.n_resamples,
            "monte_carlo_error": self.monte_carlo_error,
            **self.detail,
        }
        return found | ({"note": self.note} if self.note else {})


SMALLEST = sys.float_info.min
"""Smallest p-value that is printed as it is; what underflows is bounded by it."""


def stated(p_value: float) -> tuple[float, float | None]:
    """Return a computed p-value, at most 1 and never 0, and its bound where it underflows."""
    if p_value < SMALLEST:
        return SMALLEST, SMALLEST
    return min(1.0, p_value), None


def one_of(kind: str, wanted: str, names: tuple[str, ...]) -> str:
    """Return `wanted` if it is one of the names.

    Raises
    ------
    UsageError
        If it is not.
    """
    if wanted not in names:
        raise UsageError(f"the {kind} is {wanted!r}.", fix=known(names, wanted))
    return wanted


def by_side(less: float, greater: float, alternative: Alternative) -> float:
    """Pick the tail that an alternative asks for; the smaller one doubled when two-sided."""
    one_of("alternative", alternative, ("two-sided", "less", "greater"))
    if alternative == "two-sided":
        return min(1.0, 2.0 * min(less, greater))
    return less if alternative == "less" else greater


def of_t(
    name: str,
    variant: str,
    *,
    mean: float,
    standard_error: float,
    df: float,
    alternative: Alternative,
    detail: dict[str, float | int],
    note: str,
) -> Significance:
    """Test a mean by Student's t; `note` says why there is no standard error."""
    if not standard_error > 0.0:
        nothing = mean == 0.0 and standard_error == 0.0
        return Significance(
            name=name,
            variant=variant,
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
        name=name,
        variant=variant,
        statistic=t,
        p_value=p_value,
        alternative=alternative,
        p_value_bound=bound,
        detail=detail | {"df": df},
    )
