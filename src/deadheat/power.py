"""How many items resolve a gap, and the smallest gap that so many items resolve."""

from __future__ import annotations

import math

from scipy import special

from deadheat.errors import InferenceError

EXACT_UP_TO = 2_000
"""Items up to which the power of a t test is computed rather than approximated."""


def connor(gap: float, discordance: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Items for McNemar's test to resolve a gap in accuracy, not rounded (Connor 1987).

    Parameters
    ----------
    gap : float
        True difference of the two accuracies; its sign does not matter. Not 0.
    discordance : float
        Share of items on which exactly one system is right, at least |gap| and at most 1.
    power : float
        Wanted probability of resolving the gap, between 0 and 1.
    alpha : float
        Two-sided level, between 0 and 1.

    Raises
    ------
    InferenceError
        If the numbers cannot occur together.

    Examples
    --------
    >>> round(connor(0.1, 0.3), 2)
    233.09
    """
    _check_share("power", power)
    _check_share("alpha", alpha)
    size = abs(gap)
    if not 0.0 < size <= discordance * (1.0 + 1e-12) or discordance > 1.0:
        raise InferenceError(
            f"a gap of {gap:g} does not go with a discordance of {discordance:g}.",
            fix="The systems differ on at least the gap and on at most all items.",
        )
    spread = math.sqrt(max(discordance - size * size, 0.0))
    return ((_z(alpha / 2.0) * math.sqrt(discordance) + _z(1.0 - power) * spread) / size) ** 2


def items_to_resolve(
    gap: float, discordance: float, *, power: float = 0.8, alpha: float = 0.05
) -> int | None:
    """Return how many items resolve a gap in accuracy; None for a gap of 0.

    Parameters as in `connor`.

    Examples
    --------
    >>> items_to_resolve(0.02, 0.10)
    1960
    """
    if gap == 0.0:
        return None
    return _up(connor(gap, discordance, power=power, alpha=alpha))


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
    power, alpha : float
        As in `connor`.

    Examples
    --------
    >>> items_for_means(0.5, 1.0)
    34
    """
    _check_share("power", power)
    _check_share("alpha", alpha)
    _check_sd(sd)
    if gap == 0.0:
        return None
    effect = abs(gap) / sd
    z = _z(alpha / 2.0)
    n = max(2, _up(((z + _z(1.0 - power)) / effect) ** 2 + z * z / 2.0))
    if n > EXACT_UP_TO:
        return n
    while n > 2 and _t_power(effect, n - 1, alpha) >= power:
        n -= 1
    while _t_power(effect, n, alpha) < power:
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
        As in `connor`.

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
    _check_share("power", power)
    _check_share("alpha", alpha)
    if n < 1:
        raise InferenceError(f"there are {n} items.", fix="Give at least 1.")
    z, z_power = _z(alpha / 2.0), _z(1.0 - power)
    if sd is not None and discordance is None:
        _check_sd(sd)
        return (z + z_power) * sd / math.sqrt(n)
    if discordance is not None and sd is None:
        return _detectable_share(n, discordance, z, z_power)
    raise InferenceError(
        "the spread of the differences is not given by one number.",
        fix="Give either sd or discordance.",
    )


def _detectable_share(n: int, discordance: float, z: float, z_power: float) -> float:
    """Solve gap sqrt(n) = z sqrt(D) + z_power sqrt(D - gap^2), a quadratic in the gap."""
    if not 0.0 < discordance <= 1.0:
        raise InferenceError(
            f"the discordance is {discordance:g}.", fix="Give a share above 0 and at most 1."
        )
    half = z * math.sqrt(n * discordance)
    scale = n + z_power * z_power
    inside = half * half - scale * (z * z - z_power * z_power) * discordance
    gap = (half + math.copysign(math.sqrt(max(inside, 0.0)), z_power)) / scale
    # Squaring adds a root at which the two sides have opposite signs.
    return gap if gap <= discordance and gap * math.sqrt(n) >= half / math.sqrt(n) else math.nan


def _t_power(effect: float, n: int, alpha: float) -> float:
    df, shift = n - 1, effect * math.sqrt(n)
    critical = -float(special.stdtrit(df, alpha / 2.0))
    above = 1.0 - float(special.nctdtr(df, shift, critical))
    return above + float(special.nctdtr(df, shift, -critical))


def _z(tail: float) -> float:
    return -float(special.ndtri(tail))


def _up(n: float) -> int:
    return math.ceil(n - 1e-9)


def _check_share(name: str, share: float) -> None:
    if not 0.0 < share < 1.0:
        raise InferenceError(f"{name} is {share:g}.", fix="Give a number between 0 and 1.")


def _check_sd(sd: float) -> None:
    if not 0.0 < sd < math.inf:
        raise InferenceError(
            f"the standard deviation of the differences is {sd:g}.", fix="Give a number above 0."
        )
