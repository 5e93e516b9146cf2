"""Sign-flip test of a mean difference: random exchange within items (Fisher 1935)."""

from __future__ import annotations

from deadheat.distributions import Distribution
from deadheat.significance.randomization import randomization
from deadheat.significance.significance import Alternative, Significance


def sign_flip(
    null: Distribution,
    observed: float,
    *,
    alternative: Alternative = "two-sided",
    n: int | None = None,
) -> Significance:
    """Test whether each difference is as likely to have either sign.

    Parameters
    ----------
    null : Distribution
        Of the total of the differences under fair random signs.
    observed : float
        Their total, candidate - baseline.
    alternative : {"two-sided", "less", "greater"}
        About candidate - baseline.
    n : int, optional
        Number of items, reported.
    """
    return randomization(
        "sign_flip",
        null,
        observed,
        alternative=alternative,
        detail={} if n is None else {"n": n},
    )
