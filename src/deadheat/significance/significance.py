"""The result of every test."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

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
