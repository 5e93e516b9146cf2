"""How wide an interval will be, and the items that make it as narrow as wanted."""

from __future__ import annotations

import math

from scipy import special

from deadheat.power.checks import open_share, positive, size, upwards


def half_width(sd: float, n: int, *, confidence_level: float = 0.95) -> float:
    """Return half the expected width of the interval of a mean difference, z sd / sqrt(n).

    Parameters
    ----------
    sd : float
        Standard deviation of the differences per item, above 0. For accuracies it is
        sqrt(discordance - gap^2), `Cells.sd`.
    n : int
        Items, at least 1.
    confidence_level : float
        Between 0 and 1.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> round(half_width(0.5, 400), 4)
    0.049
    """
    spread = positive("the standard deviation of the differences", sd)
    return _z(confidence_level) * spread / math.sqrt(size(n))


def items_for_half_width(sd: float, half_width: float, *, confidence_level: float = 0.95) -> int:
    """Return the items that make half the interval at most so wide, (z sd / half_width)^2.

    Parameters
    ----------
    sd, confidence_level : float
        As in `half_width`.
    half_width : float
        Wanted, above 0, on the scale of the scores.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> items_for_half_width(0.5, 0.01)
    9604
    """
    spread = positive("the standard deviation of the differences", sd)
    wanted = positive("the half-width", half_width)
    ratio = _z(confidence_level) * spread / wanted
    return upwards(ratio * ratio)


def _z(confidence_level: float) -> float:
    return -float(special.ndtri((1.0 - open_share("the confidence level", confidence_level)) / 2))
