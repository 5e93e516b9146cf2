"""Items that resolve a gap between two means, and the gap that items resolve."""

from __future__ import annotations

import math

from scipy import special

from deadheat.errors import InferenceError
from deadheat.power.checks import (
    countable,
    finite,
    is_number,
    is_whole,
    open_share,
    positive,
    shown,
    size,
    upwards,
)

EXACT_UP_TO = 2_000
"""Items up to which the number needed by a t test is exact rather than approximated."""


def t_power(gap: float, sd: float, n: int, *, alpha: float = 0.05) -> float:
    """Return the probability that a paired t test resolves a gap (noncentral t, both tails).

    Parameters
    ----------
    gap : float
        True mean difference; its sign does not matter. At 0 the result is `alpha`.
    sd : float
        Standard deviation of the differences per item, above 0.
    n : int
        Items, at least 2.
    alpha : float
        Two-sided level, between 0 and 1.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> round(t_power(0.2, 0.5, 40), 4)
    0.694
    """
    level = open_share("alpha", alpha)
    spread = positive("the standard deviation of the differences", sd)
    return _t_power(abs(finite("the gap", gap)) / spread, size(n, least=2), level)


def items_for_means(
    gap: float, sd: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """Return how many items resolve a mean difference by a paired t test; None for a gap of 0.

    Noncentral t, both tails counted; above 2,000 items the normal formula with Guenther's
    (1981) term z^2 / 2.

    Parameters
    ----------
    gap : float
        True mean difference; its sign does not matter.
    sd : float
        Standard deviation of the per-item differences, above 0.
    power : float
        Wanted probability of resolving the gap, between 0 and 1.
    alpha : float
        Two-sided level, between 0 and 1.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> items_for_means(0.5, 1.0)
    34
    """
    wanted, level = open_share("power", power), open_share("alpha", alpha)
    spread = positive("the standard deviation of the differences", sd)
    if finite("the gap", gap) == 0.0:
        return None
    z = _z(level / 2.0)
    ratio = _reach(wanted, level) * spread / abs(gap)
    n = max(2, upwards(ratio * ratio + z * z / 2.0))
    if n > EXACT_UP_TO:
        return n
    effect = abs(gap) / spread
    while n > 2 and _t_power(effect, n - 1, level) >= wanted:
        n -= 1
    while _t_power(effect, n, level) < wanted:
        n += 1
    return n


def minimum_detectable(
    n: int,
    *,
    sd: float | None = None,
    discordance: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
) -> float:
    """Return the smallest gap that n items resolve.

    Parameters
    ----------
    n : int
        Items, at least 1.
    sd : float, optional
        Standard deviation of the per-item differences: the gap is (z + z) sd / sqrt(n).
    discordance : float, optional
        Share of items on which exactly one system is right: `connor` solved for the gap.
        One of `sd` and `discordance` has to be given.
    power, alpha : float
        As in `items_for_means`.

    Returns
    -------
    float
        NaN where no gap that this discordance allows is resolved.

    Raises
    ------
    InferenceError
        If neither or both of `sd` and `discordance` are given, or one is out of range.

    Examples
    --------
    >>> round(minimum_detectable(1960, discordance=0.10), 4)
    0.02
    """
    z_power = _z(1.0 - open_share("power", power))
    z = _z(open_share("alpha", alpha) / 2.0)
    items = size(n)
    if sd is not None and discordance is None:
        return (
            (z + z_power)
            * positive("the standard deviation of the differences", sd)
            / (math.sqrt(items))
        )
    if discordance is not None and sd is None:
        return _detectable_share(items, discordance, z, z_power)
    raise InferenceError(
        "the spread of the differences is not given by one number.",
        fix="Give either sd or discordance.",
    )


def miller_items(
    gap: float,
    between: float,
    *,
    within: tuple[float, float] = (0.0, 0.0),
    answers: tuple[int, int] = (1, 1),
    power: float = 0.8,
    alpha: float = 0.05,
) -> float:
    """Return the items that resolve a mean difference with several answers to each, not rounded.

    Miller (2024): (z + z)^2 (between + within_1 / K_1 + within_2 / K_2) / gap^2.

    Parameters
    ----------
    gap : float
        True mean difference; its sign does not matter. At 0 the result is NaN.
    between : float
        Variance over items of the difference that is expected on an item.
    within : (float, float)
        Mean variance of the score between answers to one item, of baseline and candidate.
    answers : (int, int)
        Answers to each item, of baseline and candidate, at least 1.
    power, alpha : float
        As in `items_for_means`.

    Raises
    ------
    InferenceError
        If a number is out of its range, or nothing varies.

    Examples
    --------
    >>> round(miller_items(0.03, 1 / 9), 1)
    969.0
    """
    variance = _variance(between, within, answers)
    reach = _reach(open_share("power", power), open_share("alpha", alpha))
    if finite("the gap", gap) == 0.0:
        return math.nan
    ratio = reach * math.sqrt(variance) / gap
    return countable(ratio * ratio)


def miller_gap(
    n: int,
    between: float,
    *,
    within: tuple[float, float] = (0.0, 0.0),
    answers: tuple[int, int] = (1, 1),
    power: float = 0.8,
    alpha: float = 0.05,
) -> float:
    """Return the smallest mean difference that n items with so many answers resolve.

    `miller_items` solved for the gap; parameters and errors as there.

    Parameters
    ----------
    n : int
        Items.
    between : float
        Variance over items of the expected difference.
    within : tuple[float, float]
        Variance of answers to one item, of each system.
    answers : tuple[int, int]
        Answers of each system to each item.
    power : float
        Wanted probability of resolving the gap.
    alpha : float
        Two-sided level.

    Examples
    --------
    >>> round(miller_gap(969, 1 / 9), 4)
    0.03
    """
    variance = _variance(between, within, answers)
    reach = _reach(open_share("power", power), open_share("alpha", alpha))
    return reach * math.sqrt(variance / size(n))


def _variance(between: float, within: tuple[float, float], answers: tuple[int, int]) -> float:
    """Variance of the difference that one item adds: items, and answers of the two systems."""
    for name, value in (
        ("the variance between items", between),
        ("the variance within items of the baseline", within[0]),
        ("the variance within items of the candidate", within[1]),
    ):
        if not is_number(value) or not 0.0 <= value < math.inf:
            raise InferenceError(f"{name} is {shown(value)}.", fix="Give a number of 0 or more.")
    for count in answers:
        if not is_whole(count) or count < 1:
            raise InferenceError(
                f"there are {shown(count)} answers to each item.",
                fix="Give a whole number of at least 1.",
            )
    variance = between + within[0] / answers[0] + within[1] / answers[1]
    if variance == 0.0:
        raise InferenceError(
            "no item and no answer differs from another, so every gap shows on one item.",
            fix="Give a variance above 0, between items or within them.",
        )
    return float(variance)


def _detectable_share(n: int, discordance: float, z: float, z_power: float) -> float:
    """Solve gap sqrt(n) = z sqrt(D) + z_power sqrt(D - gap^2), a quadratic in the gap."""
    if not is_number(discordance) or not 0.0 < discordance <= 1.0:
        raise InferenceError(
            f"the discordance is {shown(discordance)}.", fix="Give a share above 0 and at most 1."
        )
    half = z * math.sqrt(n * discordance)
    scale = n + z_power * z_power
    inside = half * half - scale * (z * z - z_power * z_power) * discordance
    gap = (half + math.copysign(math.sqrt(max(inside, 0.0)), z_power)) / scale
    # Squaring adds a root at which the two sides have opposite signs.
    return gap if gap <= discordance and gap * math.sqrt(n) >= half / math.sqrt(n) else math.nan


def _t_power(effect: float, n: int, alpha: float) -> float:
    # The noncentral t distribution has no digits beyond.
    df, shift = n - 1, min(effect * math.sqrt(n), 1e8)
    critical = -float(special.stdtrit(df, alpha / 2.0))
    missed = float(special.nctdtr(df, shift, critical))
    # The other tail mirrored: asked for directly, it is often NaN although it is not small.
    wrong = 1.0 - float(special.nctdtr(df, -shift, critical))
    # What is left of NaN stands for less than 1e-9.
    return 1.0 - _known(missed) + _known(wrong)


def _known(tail: float) -> float:
    return 0.0 if math.isnan(tail) else tail


def _reach(power: float, alpha: float) -> float:
    """Return how many standard errors a gap resolved with this power is; 0 below the level."""
    return max(_z(alpha / 2.0) + _z(1.0 - power), 0.0)


def _z(tail: float) -> float:
    return -float(special.ndtri(tail))
