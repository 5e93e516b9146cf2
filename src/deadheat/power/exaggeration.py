"""What a resolved gap is worth: wrong signs and exaggerated sizes."""

from __future__ import annotations

import math

from scipy import special

from deadheat.power.checks import finite, open_share, positive


def of_normal(gap: float, standard_error: float, *, alpha: float = 0.05) -> tuple[float, float]:
    """Return the chance of a wrong sign and the mean exaggeration of a gap that was resolved.

    Type S and type M errors of Gelman & Carlin (2014), in the closed form of Lu, Qiu & Deng
    (2019): the estimate is normal around the true gap and resolved where it lies more than z
    standard errors from 0.

    Parameters
    ----------
    gap : float
        True difference; its sign does not matter.
    standard_error : float
        Of the estimate, above 0.
    alpha : float
        Two-sided level, between 0 and 1.

    Returns
    -------
    wrong_sign : float
        P(the estimate has the wrong sign | resolved).
    exaggeration : float
        E(|estimate| | resolved) / |gap|. Both are NaN at a gap of 0.

    Raises
    ------
    InferenceError
        If a number is out of its range.

    Examples
    --------
    >>> wrong_sign, exaggeration = of_normal(0.1, 3.28)
    >>> round(wrong_sign, 2), round(exaggeration)
    (0.46, 77)
    """
    effect = abs(finite("the gap", gap)) / positive("the standard error", standard_error)
    z = -float(special.ndtri(open_share("alpha", alpha) / 2.0))
    if effect == 0.0:
        return math.nan, math.nan
    right, wrong = float(special.ndtr(effect - z)), float(special.ndtr(-effect - z))
    near, far = z - effect, z + effect
    ordinates = math.exp(-near * near / 2.0) + math.exp(-far * far / 2.0)
    size = ordinates / math.sqrt(2.0 * math.pi) + effect * (right - wrong)
    return wrong / (right + wrong), size / (right + wrong) / effect
